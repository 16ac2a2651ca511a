<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Action</name>
    <message>
        <source>Add documents</source>
        <translation>添加文档</translation>
    </message>
    <message>
        <source>Add runs</source>
        <translation>添加检索结果</translation>
    </message>
    <message>
        <source>Add topics</source>
        <translation>添加主题</translation>
    </message>
    <message>
        <source>Adjudicate</source>
        <translation>裁定</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>一致性</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Ask a model</source>
        <translation>询问模型</translation>
    </message>
    <message>
        <source>Assessors</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Big screen</source>
        <translation>大屏幕</translation>
    </message>
    <message>
        <source>Booklet on paper</source>
        <translation>纸质判断册</translation>
    </message>
    <message>
        <source>Build pool</source>
        <translation>建立文档池</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>指标目录</translation>
    </message>
    <message>
        <source>Choose measures</source>
        <translation>选择指标</translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>文档集</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Copy figure</source>
        <translation>复制图形</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Copy the chosen rows</source>
        <translation>复制所选行</translation>
    </message>
    <message>
        <source>Correlate</source>
        <translation>相关系数</translation>
    </message>
    <message>
        <source>Enter from paper</source>
        <translation>录入纸质判断</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>Evaluate files</source>
        <translation>评测文件</translation>
    </message>
    <message>
        <source>Exercise</source>
        <translation>练习</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export qrels</source>
        <translation>导出 qrels</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>图形</translation>
    </message>
    <message>
        <source>Find in the guides</source>
        <translation>在指南中查找</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>查全情况</translation>
    </message>
    <message>
        <source>Give the rest to others</source>
        <translation>将剩余部分交给他人</translation>
    </message>
    <message>
        <source>Guides</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Hand out</source>
        <translation>分发</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Import judgments</source>
        <translation>导入判断</translation>
    </message>
    <message>
        <source>Import labels of a model</source>
        <translation>导入模型的标注</translation>
    </message>
    <message>
        <source>Import qrels</source>
        <translation>导入 qrels</translation>
    </message>
    <message>
        <source>Import side files</source>
        <translation>导入附加文件</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Judge this topic</source>
        <translation>判断本主题</translation>
    </message>
    <message>
        <source>Keep the values of now</source>
        <translation>保留当前数值</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Live evaluation</source>
        <translation>实时评测</translation>
    </message>
    <message>
        <source>Look into the collection</source>
        <translation>查看文档集</translation>
    </message>
    <message>
        <source>Make a run</source>
        <translation>生成检索结果</translation>
    </message>
    <message>
        <source>Make the index</source>
        <translation>建立索引</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>正常文字大小</translation>
    </message>
    <message>
        <source>Open document</source>
        <translation>打开文档</translation>
    </message>
    <message>
        <source>Open project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Open the project anew</source>
        <translation>重新打开项目</translation>
    </message>
    <message>
        <source>Page for a browser</source>
        <translation>浏览器网页</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>打印</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Read answers</source>
        <translation>读入答案</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo the last change</source>
        <translation>重做上一次更改</translation>
    </message>
    <message>
        <source>Remove run</source>
        <translation>移除检索结果</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Save audit</source>
        <translation>保存审查</translation>
    </message>
    <message>
        <source>Save figure</source>
        <translation>保存图形</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>共同评判</translation>
    </message>
    <message>
        <source>Set aside or count again</source>
        <translation>排除或重新计入</translation>
    </message>
    <message>
        <source>Shown fields</source>
        <translation>显示的字段</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排比较</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>起始页</translation>
    </message>
    <message>
        <source>Take files back</source>
        <translation>收回文件</translation>
    </message>
    <message>
        <source>Two rankings</source>
        <translation>两个排序</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the last change</source>
        <translation>撤销上一次更改</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Write prompts</source>
        <translation>写出提示词</translation>
    </message>
    <message>
        <source>decide later</source>
        <translation>稍后裁定</translation>
    </message>
    <message>
        <source>documents nearly the same</source>
        <translation>几乎相同的文档</translation>
    </message>
    <message>
        <source>go on from there</source>
        <translation>从那里继续</translation>
    </message>
    <message>
        <source>hide or show names</source>
        <translation>隐藏或显示姓名</translation>
    </message>
    <message>
        <source>order of judging</source>
        <translation>评判顺序</translation>
    </message>
    <message>
        <source>save a copy</source>
        <translation>保存副本</translation>
    </message>
    <message>
        <source>why the last document was shown</source>
        <translation>上一篇文档为何出现</translation>
    </message>
    <message>
        <source>write why</source>
        <translation>写明原因</translation>
    </message>
</context>
<context>
    <name>Adding</name>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
</context>
<context>
    <name>Adjudicate</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1 votes: %2</source>
        <translation>%1 票：%2</translation>
    </message>
    <message>
        <source>%1; it was decided</source>
        <translation>%1；已作决定</translation>
    </message>
    <message>
        <source>%1; the rules differ</source>
        <translation>%1；各规则不一致</translation>
    </message>
    <message>
        <source>1 vote: %2</source>
        <translation>1 票：%2</translation>
    </message>
    <message>
        <source>All decided</source>
        <translation>全部已裁定</translation>
    </message>
    <message>
        <source>All is decided, and every decision is on disk. The consensus follows them. Pairs of topic and document: %1.</source>
        <translation>全部已裁定，每个裁定都已存盘。共识以它们为准。主题与文档对：%1。</translation>
    </message>
    <message>
        <source>Document and topic</source>
        <translation>文档与主题</translation>
    </message>
    <message>
        <source>Evaluate the runs</source>
        <translation>评测检索结果</translation>
    </message>
    <message>
        <source>Export qrels</source>
        <translation>导出 qrels</translation>
    </message>
    <message>
        <source>Grade</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Hand out the pool</source>
        <translation>分发文档池</translation>
    </message>
    <message>
        <source>Here stand the documents that two assessors or more have judged differently, those that matter most first.</source>
        <translation>这里列出两位或更多评判员判断不同的文档，最要紧的在前。</translation>
    </message>
    <message>
        <source>How far they agree</source>
        <translation>一致程度</translation>
    </message>
    <message>
        <source>Look through the decisions</source>
        <translation>查看各项裁定</translation>
    </message>
    <message>
        <source>Looking for disagreement …</source>
        <translation>正在查找分歧……</translation>
    </message>
    <message>
        <source>No votes that count</source>
        <translation>没有计入的票</translation>
    </message>
    <message>
        <source>Nothing to decide</source>
        <translation>没有要裁定的文档</translation>
    </message>
    <message>
        <source>The grade that was decided</source>
        <translation>裁定的等级</translation>
    </message>
    <message>
        <source>The votes on every document are compared.</source>
        <translation>正在比较每篇文档的票。</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
</context>
<context>
    <name>AdjudicateView</name>
    <message>
        <source>Brought back: the decision on %1. %2 takes it back.</source>
        <translation>已重做：对 %1 的裁定。按 %2 撤销。</translation>
    </message>
    <message>
        <source>Decided: %1, %2. %3 takes it back.</source>
        <translation>已裁定：%1，%2。按 %3 撤销。</translation>
    </message>
    <message>
        <source>Documents to decide</source>
        <translation>待裁定的文档</translation>
    </message>
    <message>
        <source>Grade %1_: type the second digit.</source>
        <translation>等级 %1_：请输入第二位数字。</translation>
    </message>
    <message>
        <source>Key ignored: the document had only just appeared.</source>
        <translation>按键未生效：文档刚刚出现。</translation>
    </message>
    <message>
        <source>Nothing to decide</source>
        <translation>没有要裁定的文档</translation>
    </message>
    <message>
        <source>Put off: %1. It comes back at the end.</source>
        <translation>已推迟：%1。它会在最后再次出现。</translation>
    </message>
    <message>
        <source>Taken back: the decision on %1. %2 brings it back.</source>
        <translation>已撤销：对 %1 的裁定。按 %2 重做。</translation>
    </message>
    <message>
        <source>The scale has no grade %1.</source>
        <translation>评分表中没有等级 %1。</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
</context>
<context>
    <name>AgreementView</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>1 is the same order, 0 no relation, −1 the opposite. What an assessor did not judge, the others decide.</source>
        <translation>1 表示顺序相同，0 表示没有关系，−1 表示顺序相反。某位评判员没有判断的文档，由其他评判员决定。</translation>
    </message>
    <message>
        <source>About %1 % of the way from what chance gives (0) to full agreement (1).</source>
        <translation>约达到从随机水平 (0) 到完全一致 (1) 的 %1 %。</translation>
    </message>
    <message>
        <source>About %1 of 100 grades are relevant ones. The rarer they are, the lower kappas get at the same raw agreement.</source>
        <translation>每 100 个等级中约有 %1 个为相关等级。相关越少见，同样的原始一致率下 κ 值就越低。</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>一致性</translation>
    </message>
    <message>
        <source>Agreement by grade</source>
        <translation>各等级的一致性</translation>
    </message>
    <message>
        <source>Agreement by topic</source>
        <translation>各主题的一致性</translation>
    </message>
    <message>
        <source>Agreement of every two assessors</source>
        <translation>每两位评判员的一致性</translation>
    </message>
    <message>
        <source>Agreement takes two assessors</source>
        <translation>一致性需要两位评判员</translation>
    </message>
    <message>
        <source>Agreement takes two who have judged.</source>
        <translation>一致性需要两位已评判的人。</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>相差</translation>
    </message>
    <message>
        <source>As of %1; looked at again while people judge.</source>
        <translation>截至 %1；评判期间会再次查看。</translation>
    </message>
    <message>
        <source>Assessors: %1; judgments: %2; documents: %3.</source>
        <translation>评判员：%1 位；判断：%2 条；文档：%3 篇。</translation>
    </message>
    <message>
        <source>By grade</source>
        <translation>按等级</translation>
    </message>
    <message>
        <source>By topic</source>
        <translation>按主题</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents on which assessors disagree</source>
        <translation>评判员意见不一的文档</translation>
    </message>
    <message>
        <source>Documents with two grades or more, of all: only they say something about agreement</source>
        <translation>带两个或更多等级的文档（占全部文档）：只有它们才能反映一致性</translation>
    </message>
    <message>
        <source>Documents: %1, the farthest apart first. Enter opens one.</source>
        <translation>文档：%1 篇，相差最大的在前。按 Enter 打开一篇。</translation>
    </message>
    <message>
        <source>Each grade against all the others: what one assessor gives, does another give it too?</source>
        <translation>每个等级与其余所有等级相比：一位评判员给出的等级，另一位是否也会给出？</translation>
    </message>
    <message>
        <source>Every two assessors</source>
        <translation>每两位评判员</translation>
    </message>
    <message>
        <source>Everybody</source>
        <translation>所有人</translation>
    </message>
    <message>
        <source>Grade</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Grades between the lowest and the highest that was given; ✕ is as far as can be</source>
        <translation>最低与最高等级之间相差的级数；✕ 视为相差最大</translation>
    </message>
    <message>
        <source>Hand out the pool</source>
        <translation>分发文档池</translation>
    </message>
    <message>
        <source>Here stands how far assessors agree, with intervals, once two or more have judged. Hand the pool out to them, or import what they judged elsewhere.</source>
        <translation>两位或更多评判员判断后，这里会列出他们的一致程度和区间。请将文档池分发给他们，或导入他们在别处的判断。</translation>
    </message>
    <message>
        <source>It rests on %1 of %2 documents, those with two grades or more.</source>
        <translation>依据 %2 篇文档中的 %1 篇，即有两个或更多等级的文档。</translation>
    </message>
    <message>
        <source>Kendall&apos;s tau of the order that one assessor&apos;s grades give and the order of the consensus: %1 to %2.</source>
        <translation>一位评判员的等级给出的顺序与共识顺序之间的肯德尔 τ：%1 到 %2。</translation>
    </message>
    <message>
        <source>Measure that orders the systems</source>
        <translation>给系统排序的指标</translation>
    </message>
    <message>
        <source>No more agreement than chance gives.</source>
        <translation>一致性不高于随机水平。</translation>
    </message>
    <message>
        <source>Of 100 documents that any of their assessors calls relevant, all of them do so for about %1.</source>
        <translation>至少有一位评判员判为相关的文档，每 100 篇中约有 %1 篇被其全部评判员判为相关。</translation>
    </message>
    <message>
        <source>Order of the systems</source>
        <translation>系统的顺序</translation>
    </message>
    <message>
        <source>Orders of the systems</source>
        <translation>系统的各种顺序</translation>
    </message>
    <message>
        <source>Other documents of the same kind would give %1 to %2 in 95 of 100 cases.</source>
        <translation>换用同类的其他文档，100 次中有 95 次会得到 %1 到 %2。</translation>
    </message>
    <message>
        <source>Pairs without a common document: %1.</source>
        <translation>没有共同文档的评判员对：%1。</translation>
    </message>
    <message>
        <source>People of sessions</source>
        <translation>共同评判的参加者</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Statistic of two assessors</source>
        <translation>两位评判员的统计量</translation>
    </message>
    <message>
        <source>Statistics of agreement</source>
        <translation>一致性统计量</translation>
    </message>
    <message>
        <source>The order of systems takes two runs or more.</source>
        <translation>系统的次序需要两个或更多检索结果。</translation>
    </message>
    <message>
        <source>The others</source>
        <translation>其他人</translation>
    </message>
    <message>
        <source>The systems cannot be told apart by this measure, so that they have no order.</source>
        <translation>用该指标无法区分各系统，因此它们没有顺序。</translation>
    </message>
    <message>
        <source>They agree on every document that two or more have judged.</source>
        <translation>凡有两人或更多人判断过的文档，意见都一致。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topic %1</source>
        <translation>主题 %1</translation>
    </message>
    <message>
        <source>Undefined for %1 pairs: %2.</source>
        <translation>有 %1 对未定义：%2。</translation>
    </message>
    <message>
        <source>Undefined: %1.</source>
        <translation>未定义：%1。</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>所用</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What one assessor calls relevant, another calls relevant too in about %1 of 100 cases.</source>
        <translation>一位评判员判为相关的，另一位也判为相关的情况，100 次中约有 %1 次。</translation>
    </message>
    <message>
        <source>When two assessors grade the same document, they give the same grade in about %1 of 100 cases.</source>
        <translation>两位评判员为同一篇文档评级时，100 次中约有 %1 次给出相同等级。</translation>
    </message>
    <message>
        <source>Who counts</source>
        <translation>计入谁的判断</translation>
    </message>
    <message>
        <source>Who said what</source>
        <translation>谁给了什么</translation>
    </message>
    <message>
        <source>Whose judgments count here, on Quality and in consensus, qrels and evaluation. All judgments stay.</source>
        <translation>这里、“质量”页、共识、qrels 和评测中计入谁的判断。所有判断都会保留。</translation>
    </message>
    <message>
        <source>With its 95 % interval</source>
        <translation>及其 95 % 置信区间</translation>
    </message>
    <message>
        <source>consensus</source>
        <translation>共识</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>未定义</translation>
    </message>
</context>
<context>
    <name>AlikeDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Comparing the texts of all documents …</source>
        <translation>正在比较所有文档的正文…</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents that are nearly the same</source>
        <translation>几乎相同的文档</translation>
    </message>
    <message>
        <source>For topic: %1</source>
        <translation>主题：%1</translation>
    </message>
    <message>
        <source>Give them grade %1</source>
        <translation>给它们等级 %1</translation>
    </message>
    <message>
        <source>In common</source>
        <translation>相同部分</translation>
    </message>
    <message>
        <source>Nearly the same as %1</source>
        <translation>与 %1 几乎相同</translation>
    </message>
    <message>
        <source>No document is nearly the same.</source>
        <translation>没有几乎相同的文档。</translation>
    </message>
    <message>
        <source>To be judged</source>
        <translation>待评判</translation>
    </message>
    <message>
        <source>To be judged for this topic, and without a grade: %1. Read one where you are not sure: a word may decide.</source>
        <translation>本主题待评判且尚无等级的：%1 篇。没有把握时请读一读：一个词就可能决定等级。</translation>
    </message>
    <message>
        <source>Your grade</source>
        <translation>您的等级</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
</context>
<context>
    <name>AskForm</name>
    <message>
        <source>%1 is no number.</source>
        <translation>%1 不是数字。</translation>
    </message>
    <message>
        <source>0 for no limit</source>
        <translation>0 表示不限</translation>
    </message>
    <message>
        <source>A budget needs prices of a million tokens.</source>
        <translation>设预算要先填每百万词元的价格。</translation>
    </message>
    <message>
        <source>A key for the keyring</source>
        <translation>存入密钥环的密钥</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>At a time</source>
        <translation>同时</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Called here</source>
        <translation>此处名称</translation>
    </message>
    <message>
        <source>Choose a file …</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>How much</source>
        <translation>多少</translation>
    </message>
    <message>
        <source>How often each document is asked about</source>
        <translation>每篇文档询问几次</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Name of the environment variable</source>
        <translation>环境变量名</translation>
    </message>
    <message>
        <source>Name the environment variable that holds the key.</source>
        <translation>请填写存放密钥的环境变量名。</translation>
    </message>
    <message>
        <source>Name the model, as the endpoint knows it.</source>
        <translation>请填写模型名，须与服务端一致。</translation>
    </message>
    <message>
        <source>Price of a million tokens sent</source>
        <translation>每百万发送词元的价格</translation>
    </message>
    <message>
        <source>Price of a million tokens written</source>
        <translation>每百万生成词元的价格</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Requests at most</source>
        <translation>最多请求数</translation>
    </message>
    <message>
        <source>Requests under way at a time</source>
        <translation>同时进行的请求数</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>Seconds that a reply may take</source>
        <translation>等待回复的秒数</translation>
    </message>
    <message>
        <source>Some servers know none.</source>
        <translation>有些服务器不支持。</translation>
    </message>
    <message>
        <source>They stand with the labels. Some servers have none.</source>
        <translation>概率与标注一起保存。有些服务器不提供。</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Whom</source>
        <translation>询问谁</translation>
    </message>
    <message>
        <source>Write where the model answers, such as http://localhost:8080/v1.</source>
        <translation>请填写模型的地址，例如 http://localhost:8080/v1。</translation>
    </message>
    <message>
        <source>a grade of the scale</source>
        <translation>按等级打分</translation>
    </message>
    <message>
        <source>a key, to keep there</source>
        <translation>要存入的密钥</translation>
    </message>
    <message>
        <source>a million tokens in, out</source>
        <translation>每百万词元，送入、写出</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>answers by a JSON schema</source>
        <translation>按 JSON 模式回答</translation>
    </message>
    <message>
        <source>as the endpoint knows it</source>
        <translation>与服务端一致</translation>
    </message>
    <message>
        <source>as the model</source>
        <translation>同模型名</translation>
    </message>
    <message>
        <source>environment variable</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>for all answers of this project</source>
        <translation>针对本项目的全部答案</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>probabilities of grades</source>
        <translation>等级的概率</translation>
    </message>
    <message>
        <source>relevant or not</source>
        <translation>相关与否</translation>
    </message>
    <message>
        <source>the system&apos;s keyring</source>
        <translation>系统密钥环</translation>
    </message>
    <message>
        <source>times each document</source>
        <translation>次（每篇文档）</translation>
    </message>
</context>
<context>
    <name>AskModels</name>
    <message>
        <source>A model is asked about the documents of the newest pool. Build one from the runs.</source>
        <translation>模型针对最新评判池中的文档作答。请先由检索结果建池。</translation>
    </message>
    <message>
        <source>Build pool</source>
        <translation>建立评判池</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Nothing to ask about yet</source>
        <translation>还没有可询问的内容</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>AskModelsView</name>
    <message>
        <source>Answers</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>It is not known yet what is sent.</source>
        <translation>尚不清楚将发送什么。</translation>
    </message>
    <message>
        <source>Looking at what it takes …</source>
        <translation>正在估算…</translation>
    </message>
    <message>
        <source>Nothing is sent before you press the button, and nothing ever unless this project allows it.</source>
        <translation>按下按钮之前不会发送任何内容；项目未许可时永远不会发送。</translation>
    </message>
    <message>
        <source>Prompts go into a folder, a request a line; put the answers there, and they are read back.</source>
        <translation>提示词写入文件夹，每行一个请求；把答案放到同一处，再读回来。</translation>
    </message>
    <message>
        <source>Prompts written: %1, to %2.</source>
        <translation>已写出 %1 条提示词到 %2。</translation>
    </message>
    <message>
        <source>Reading answers</source>
        <translation>正在读入答案</translation>
    </message>
    <message>
        <source>Requests sent: %1. Questions open: %2.</source>
        <translation>已发送请求：%1。未答问题：%2。</translation>
    </message>
    <message>
        <source>See how far it may be believed</source>
        <translation>看它有多可信</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopped. What was answered is kept; asking again goes on where it was.</source>
        <translation>已停止。已得到的答案都已保存；再次提问会从此处继续。</translation>
    </message>
    <message>
        <source>Stopping: what is under way is waited for …</source>
        <translation>正在停止：等待进行中的请求…</translation>
    </message>
    <message>
        <source>Taking in what was answered</source>
        <translation>正在收入答案</translation>
    </message>
    <message>
        <source>Texts may be sent to this address</source>
        <translation>文本可以发送到此地址</translation>
    </message>
    <message>
        <source>The keyring has the key for %1.</source>
        <translation>密钥环已保存 %1 的密钥。</translation>
    </message>
    <message>
        <source>These are unjudged, never 0. Requests that failed are sent again when you ask again.</source>
        <translation>这些算作未评判，绝不记为 0。失败的请求会在下次提问时重发。</translation>
    </message>
    <message>
        <source>This project does not allow it yet: tick that its texts may be sent.</source>
        <translation>本项目尚未许可：请勾选允许发送其文本。</translation>
    </message>
    <message>
        <source>What is sent</source>
        <translation>将发送什么</translation>
    </message>
    <message>
        <source>Without a network</source>
        <translation>不联网</translation>
    </message>
    <message>
        <source>Without an answer</source>
        <translation>没有答案</translation>
    </message>
    <message>
        <source>Writing prompts</source>
        <translation>正在写出提示词</translation>
    </message>
</context>
<context>
    <name>AskedAgainDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
</context>
<context>
    <name>AssessorsView</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>有效时间</translation>
    </message>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Assessors</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Back: %1</source>
        <translation>交回：%1</translation>
    </message>
    <message>
        <source>Booklet written: %1, with %2 pages. Each has a code, by which it is entered.</source>
        <translation>判断册已写入：%1，共 %2 页。每页有一个编码，录入时使用。</translation>
    </message>
    <message>
        <source>Build a pool on the collection page first. Then name the assessors, and each gets a file.</source>
        <translation>请先在文档集页面建立文档池。然后写明评判员，每人会得到一个文件。</translation>
    </message>
    <message>
        <source>Comparing takes two runs or more. Add them on the collection page.</source>
        <translation>比较需要两个或更多检索结果。请在文档集页面添加。</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>截止日期</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>每次</translation>
    </message>
    <message>
        <source>Each assessor gets a file of their own. It comes back by mail or on a stick, and is taken back here.</source>
        <translation>每位评判员得到一个自己的文件。文件通过邮件或 U 盘交回，在这里收回。</translation>
    </message>
    <message>
        <source>Entries</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Files written: %1, in %2. Mail each to its assessor.</source>
        <translation>已写出文件：%1 个，在 %2 中。请将各文件发给相应的评判员。</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Hand out the pool</source>
        <translation>分发文档池</translation>
    </message>
    <message>
        <source>Handed in</source>
        <translation>已提交</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Judgments entered from paper: %1.</source>
        <translation>从纸上录入的判断：%1 个。</translation>
    </message>
    <message>
        <source>Known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>Left</source>
        <comment>still to be judged, not the side</comment>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Median active time of a judgment</source>
        <translation>一次判断的有效时间中位数</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>No file is handed out. Who judged in a session has none; see Progress below.</source>
        <translation>没有分发文件。在会话中评判的人没有文件，见下方的进度。</translation>
    </message>
    <message>
        <source>Not taken</source>
        <translation>未采纳</translation>
    </message>
    <message>
        <source>Nothing is handed out yet. Name the assessors, and each gets a file of their own.</source>
        <translation>还没有分发。请写明评判员，每人会得到一个自己的文件。</translation>
    </message>
    <message>
        <source>Page written: %1. It comes back as %2, to be taken back here.</source>
        <translation>已写入网页：%1。它会以 %2 的形式返回，在此收回。</translation>
    </message>
    <message>
        <source>Printing the booklet</source>
        <translation>正在打印判断册</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Superseded</source>
        <translation>已被取代</translation>
    </message>
    <message>
        <source>Taken back last</source>
        <translation>上次收回</translation>
    </message>
    <message>
        <source>Taking files back</source>
        <translation>正在收回文件</translation>
    </message>
    <message>
        <source>There is no pool yet: build it on the collection page, or let them compare runs.</source>
        <translation>还没有判断池：请在文档集页面构建，或让评判员比较检索结果。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>What the file holds: judgments, and notes, marks and what was taken back beside them</source>
        <translation>文件中的内容：判断，以及备注、标记和撤回的操作</translation>
    </message>
    <message>
        <source>What was said of it</source>
        <translation>上次收回的说明</translation>
    </message>
    <message>
        <source>What was taken back last</source>
        <translation>上次收回的内容</translation>
    </message>
    <message>
        <source>Where the files go</source>
        <translation>文件的存放位置</translation>
    </message>
    <message>
        <source>Writing assignments</source>
        <translation>正在写出分配</translation>
    </message>
    <message>
        <source>Writing the page</source>
        <translation>正在写入网页</translation>
    </message>
    <message>
        <source>all topics</source>
        <translation>全部主题</translation>
    </message>
    <message>
        <source>given to others</source>
        <translation>已交给他人</translation>
    </message>
    <message>
        <source>handed out</source>
        <translation>已分发</translation>
    </message>
    <message>
        <source>in part back</source>
        <translation>已交回一部分</translation>
    </message>
    <message>
        <source>⚠ Too long for paper and left out: %1.</source>
        <translation>⚠ 太长，不适合纸质，未收入：%1。</translation>
    </message>
    <message>
        <source>⚠ late: %1</source>
        <translation>⚠ 逾期：%1</translation>
    </message>
    <message>
        <source>✓ returned</source>
        <translation>✓ 已交回</translation>
    </message>
</context>
<context>
    <name>AssignForm</name>
    <message>
        <source>% with a known answer</source>
        <translation>% 有已知答案</translation>
    </message>
    <message>
        <source>A page judges in any browser on a computer, without an installation or a network.</source>
        <translation>网页可在电脑上的任何浏览器中评判，无需安装，也无需网络。</translation>
    </message>
    <message>
        <source>Assessors</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Comparing takes two runs or more.</source>
        <translation>比较需要两个或更多检索结果。</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>截止日期</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Documents shown a second time</source>
        <translation>第二次显示的文档</translation>
    </message>
    <message>
        <source>Documents with a known answer that open the work</source>
        <translation>开始时出现的有已知答案的文档数</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>For short texts and products: those of a topic stand below each other.</source>
        <translation>适合短文本和商品：同一主题的文档上下排列。</translation>
    </message>
    <message>
        <source>Gold</source>
        <translation>已知答案</translation>
    </message>
    <message>
        <source>How many assessors judge a document</source>
        <translation>每篇文档由几位评判员判断</translation>
    </message>
    <message>
        <source>How many results of each list</source>
        <translation>每个列表的结果数</translation>
    </message>
    <message>
        <source>Ids with commas between them; 401-405 stands for all from one to the other. Empty: all.</source>
        <translation>用逗号分隔的编号；401-405 表示从前者到后者的全部。留空：全部。</translation>
    </message>
    <message>
        <source>Known answers, repeats, files for browsers</source>
        <translation>已知答案、重复、浏览器用的文件</translation>
    </message>
    <message>
        <source>Lets assessors see the pages of documents that were PDF files. The files are larger then: those for irjudge carry the PDF files, those for a browser pictures of their first 20 pages.</source>
        <translation>让评判员可以查看原为 PDF 的文档的页面。文件会因此变大：供 irjudge 使用的文件带有 PDF 文件，供浏览器使用的文件带有前 20 页的图片。</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
    <message>
        <source>Name the assessors, with commas between them, or a table of them.</source>
        <translation>请写出评判员的姓名，以逗号分隔，或给出一个表格文件。</translation>
    </message>
    <message>
        <source>Names of two runs or more, with commas between them. Empty: all.</source>
        <translation>两个或更多检索结果的名称，以逗号分隔。留空：全部。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Percent of documents with a known answer</source>
        <translation>有已知答案的文档所占百分比</translation>
    </message>
    <message>
        <source>Qualification</source>
        <translation>资格测试</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果</translation>
    </message>
    <message>
        <source>The deadline %1 is no date, expected one such as %2.</source>
        <translation>截止日期 %1 不是日期，应如 %2。</translation>
    </message>
    <message>
        <source>There is no run %1; there are: %2.</source>
        <translation>没有检索结果 %1；现有：%2。</translation>
    </message>
    <message>
        <source>They</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>What assessors do</source>
        <translation>评判员做什么</translation>
    </message>
    <message>
        <source>What the files open in</source>
        <translation>文件用什么打开</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>ann, bob, … or a table file</source>
        <translation>ann、bob……或一个表格文件</translation>
    </message>
    <message>
        <source>assessors for each</source>
        <translation>位评判员（每项）</translation>
    </message>
    <message>
        <source>compare every two runs</source>
        <translation>比较每两个检索结果</translation>
    </message>
    <message>
        <source>for any browser (.html)</source>
        <translation>供任何浏览器打开的网页</translation>
    </message>
    <message>
        <source>for irjudge (.irtask)</source>
        <translation>供本程序打开的文件</translation>
    </message>
    <message>
        <source>grade documents</source>
        <translation>给文档评级</translation>
    </message>
    <message>
        <source>known answers first</source>
        <translation>个已知答案在先</translation>
    </message>
    <message>
        <source>results of each list</source>
        <translation>个结果（每个列表）</translation>
    </message>
    <message>
        <source>several documents on a page</source>
        <translation>一页显示多篇文档</translation>
    </message>
    <message>
        <source>shown twice</source>
        <translation>篇第二次显示</translation>
    </message>
    <message>
        <source>such as %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <source>with page images</source>
        <translation>附页面图片</translation>
    </message>
</context>
<context>
    <name>BarPlot</name>
    <message>
        <source>%1 better: %2</source>
        <translation>%1 更好：%2</translation>
    </message>
    <message>
        <source>equal: %1</source>
        <translation>持平：%1</translation>
    </message>
</context>
<context>
    <name>BeforeAndAfter</name>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>Before and after: %1</source>
        <translation>工作前后：%1</translation>
    </message>
    <message>
        <source>Consent and questions</source>
        <translation>知情同意与问题</translation>
    </message>
    <message>
        <source>consent</source>
        <translation>知情同意</translation>
    </message>
    <message>
        <source>questions: %1</source>
        <translation>问题 %1 个</translation>
    </message>
</context>
<context>
    <name>BigScreen</name>
    <message>
        <source>%1: the full screen. Escape: close</source>
        <translation>%1：全屏。Escape：关闭</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Code to scan</source>
        <translation>可扫描的二维码</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>Documents that have all their judgments: %1. The first stands here once nobody judges it any more.</source>
        <translation>判断已齐的文档：%1。第一篇在不再有人判断时显示在这里。</translation>
    </message>
    <message>
        <source>Documents with all their judgments: %1.</source>
        <translation>判断已齐的文档：%1。</translation>
    </message>
    <message>
        <source>Escape: a window again</source>
        <translation>Escape：恢复为窗口</translation>
    </message>
    <message>
        <source>Everybody opens the link that they were given.</source>
        <translation>请每个人打开发给自己的链接。</translation>
    </message>
    <message>
        <source>Grades</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>How it was judged</source>
        <translation>判断结果</translation>
    </message>
    <message>
        <source>Judgments</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>People here: %1</source>
        <translation>在场人数：%1</translation>
    </message>
    <message>
        <source>R: how to join.</source>
        <translation>R：如何加入。</translation>
    </message>
    <message>
        <source>R: results.</source>
        <translation>R：结果。</translation>
    </message>
    <message>
        <source>Round %1 is closed</source>
        <translation>第 %1 轮已关闭</translation>
    </message>
    <message>
        <source>Round %1 is open</source>
        <translation>第 %1 轮进行中</translation>
    </message>
    <message>
        <source>Round %1, document %2 of %3</source>
        <translation>第 %1 轮，第 %2 篇文档（共 %3 篇）</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果</translation>
    </message>
    <message>
        <source>Runs are shown once two people judged the same.</source>
        <translation>两个人判断过相同文档后，才显示各检索结果。</translation>
    </message>
    <message>
        <source>Runs by %1, and how far each can still go</source>
        <translation>按 %1 排列的检索结果，以及各自还可能的范围</translation>
    </message>
    <message>
        <source>Scan the code, or open</source>
        <translation>扫描二维码，或打开</translation>
    </message>
    <message>
        <source>The first %1 of %2.</source>
        <translation>共 %2 个，显示前 %1 个。</translation>
    </message>
    <message>
        <source>The session has ended.</source>
        <translation>共同评判已结束。</translation>
    </message>
    <message>
        <source>⚠ Paused</source>
        <translation>⚠ 已暂停</translation>
    </message>
</context>
<context>
    <name>BookletDialog</name>
    <message>
        <source>Booklet on paper</source>
        <translation>纸质判断册</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Names with commas between. Who has a file gets what was assigned, others the pool in an order of their own.</source>
        <translation>姓名之间用逗号分隔。已有文件的人得到分配给自己的内容，其他人按各自的顺序得到整个文档池。</translation>
    </message>
    <message>
        <source>Print to PDF</source>
        <translation>打印为 PDF</translation>
    </message>
    <message>
        <source>Whose booklets</source>
        <translation>谁的判断册</translation>
    </message>
</context>
<context>
    <name>BrowseView</name>
    <message>
        <source>All words are indexed.</source>
        <translation>所有词语都已建立索引。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents found: %1.</source>
        <translation>找到文档：%1 篇。</translation>
    </message>
    <message>
        <source>Documents retrieved: %1.</source>
        <translation>检索到的文档：%1 篇。</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Grade</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Indexing documents</source>
        <translation>正在为文档建立索引</translation>
    </message>
    <message>
        <source>Indexing documents …</source>
        <translation>正在为文档建立索引……</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Only ids are searched until there is an index of the words.</source>
        <translation>建立词语索引之前，只能按编号搜索。</translation>
    </message>
    <message>
        <source>Pooled</source>
        <translation>入池</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Rank %1 in %2.</source>
        <translation>在 %2 中排第 %1。</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Relevant</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The first %1 documents. Others fit too; more words find fewer.</source>
        <translation>前 %1 篇文档。还有其他匹配的；词语越多，找到的越少。</translation>
    </message>
    <message>
        <source>The first %1 of %2 documents.</source>
        <translation>%2 篇文档中的前 %1 篇。</translation>
    </message>
    <message>
        <source>This run has nothing of this topic that fits.</source>
        <translation>此检索结果在该主题下没有匹配的文档。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics: %1.</source>
        <translation>主题：%1 个。</translation>
    </message>
    <message>
        <source>What is listed</source>
        <translation>列出的内容</translation>
    </message>
</context>
<context>
    <name>Busy</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancelling …</source>
        <translation>正在取消……</translation>
    </message>
</context>
<context>
    <name>Calculation</name>
    <message>
        <source>%1 (it was %2)</source>
        <translation>%1（原为 %2）</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Every chosen measure</source>
        <translation>所选的每个指标</translation>
    </message>
    <message>
        <source>Every document of the ranking is judged.</source>
        <translation>该排序中的每篇文档都已判断。</translation>
    </message>
    <message>
        <source>Every exchange of two documents is tried …</source>
        <translation>正在尝试每一种两篇文档的互换……</translation>
    </message>
    <message>
        <source>Exchange them</source>
        <translation>互换</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>None of %1 exchanges of two documents raises it.</source>
        <translation>%1 种两篇文档的互换都不能提高它。</translation>
    </message>
    <message>
        <source>Of %1 exchanges of two documents, ranks %2 and %3 raise it most: to %4 (%5).</source>
        <translation>%1 种两篇文档的互换中，第 %2 位与第 %3 位互换提高得最多：达到 %4（%5）。</translation>
    </message>
    <message>
        <source>The first unjudged document stands at rank %1. With the lowest grade the value is %2, with the highest %3.</source>
        <translation>首篇未判断的文档在第 %1 位。若为最低等级，值为 %2；若为最高等级，值为 %3。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What would change it</source>
        <translation>怎样会改变它</translation>
    </message>
</context>
<context>
    <name>Chips</name>
    <message>
        <source>Take %1 away</source>
        <translation>去掉 %1</translation>
    </message>
</context>
<context>
    <name>ClassSheet</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>From %1: at which answer it was right, else the last one.</source>
        <translation>来自 %1：第几次作答时答对；没有答对的，显示最后一次作答。</translation>
    </message>
    <message>
        <source>Results of the class</source>
        <translation>全班成绩</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>Checking the file</source>
        <translation>正在检查文件</translation>
    </message>
</context>
<context>
    <name>CollectionView</name>
    <message>
        <source>%1 (pairs: %2)</source>
        <translation>%1（%2 对）</translation>
    </message>
    <message>
        <source>Assessors work on the pool of now. A new one changes what is evaluated; what it adds can be handed out afterwards.</source>
        <translation>评判员正在使用现在的文档池。新的文档池会改变评测的内容；新增的部分可以之后再分发。</translation>
    </message>
    <message>
        <source>Build another pool?</source>
        <translation>建立另一个文档池？</translation>
    </message>
    <message>
        <source>Build pool</source>
        <translation>建立文档池</translation>
    </message>
    <message>
        <source>Building the pool</source>
        <translation>正在建立文档池</translation>
    </message>
    <message>
        <source>Documents of the pool that are judged, + those beside it; without a pool all that are</source>
        <translation>池中已判断的文档，加号后为池外已判断的；没有池时为全部已判断的</translation>
    </message>
    <message>
        <source>Documents to judge</source>
        <translation>待判断的文档</translation>
    </message>
    <message>
        <source>Documents with grade 1 or more, in the pool and beside it</source>
        <translation>等级为 1 或以上的文档，池内池外都算</translation>
    </message>
    <message>
        <source>Documents: %1 · topics: %2 · runs: %3</source>
        <translation>文档：%1 篇 · 主题：%2 个 · 检索结果：%3 个</translation>
    </message>
    <message>
        <source>Graded outside the pool: %1.</source>
        <translation>池外有等级的：%1。</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Last import</source>
        <translation>上次导入</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>不改动</translation>
    </message>
    <message>
        <source>Making the run</source>
        <translation>正在生成检索结果</translation>
    </message>
    <message>
        <source>No pool yet. It is the list of documents to judge: the top of every run.</source>
        <translation>还没有文档池。文档池是待判断文档的清单，由每个检索结果的前几位组成。</translation>
    </message>
    <message>
        <source>None yet. Judge documents, or import a file.</source>
        <translation>还没有。请判断文档，或导入文件。</translation>
    </message>
    <message>
        <source>Pairs of topic and document: %1, by %4 from the top %2 of each run (runs: %3).</source>
        <translation>主题与文档对：%1 对，以 %4 取自每个检索结果的前 %2 位（检索结果：%3 个）。</translation>
    </message>
    <message>
        <source>Pairs of topic and document: %1, by %4, without runs.</source>
        <translation>主题与文档对：%1，由 %4 选取，不依据检索结果。</translation>
    </message>
    <message>
        <source>Pairs of topic and document: %1, from the top %2 of each run (runs: %3).</source>
        <translation>主题与文档对：%1 对，取自每个检索结果的前 %2 位（检索结果：%3 个）。</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>文档池</translation>
    </message>
    <message>
        <source>Pooled</source>
        <translation>入池</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>相关性判断 (qrels)</translation>
    </message>
    <message>
        <source>Relevant</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>Retrieved</source>
        <translation>检出</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Side files: %1</source>
        <translation>附加文件：%1</translation>
    </message>
    <message>
        <source>There are no documents: nothing can be read and judged until some are added.</source>
        <translation>还没有文档：添加之前无法阅读和判断。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>With a grade: %1 of them.</source>
        <translation>其中有等级的：%1。</translation>
    </message>
</context>
<context>
    <name>Command</name>
    <message>
        <source>add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>build pool (documents: %1)</source>
        <translation>建立文档池（文档：%1 篇）</translation>
    </message>
    <message>
        <source>count %1 again</source>
        <translation>重新计入 %1</translation>
    </message>
    <message>
        <source>remove run %1</source>
        <translation>移除检索结果 %1</translation>
    </message>
    <message>
        <source>set %1 aside</source>
        <translation>排除 %1</translation>
    </message>
    <message>
        <source>show fields: %1</source>
        <translation>显示字段：%1</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>%1 and %2: these topics (%3) find a true difference of %4 in 80 of 100 cases. Half of that takes %5 topics.</source>
        <translation>%1 与 %2：这些主题（%3 个）在 100 次中有 80 次能发现 %4 的真实差异。要发现其一半，需要 %5 个主题。</translation>
    </message>
    <message>
        <source>%1 is better than %2 by %3, beyond what chance explains.</source>
        <translation>按 %3，%1 优于 %2，差异超出随机所能解释的范围。</translation>
    </message>
    <message>
        <source>%2 is better than %1 by %3, beyond what chance explains.</source>
        <translation>按 %3，%2 优于 %1，差异超出随机所能解释的范围。</translation>
    </message>
    <message>
        <source>A difference of the size seen, %1, takes %2.</source>
        <translation>要发现与所见大小（%1）相同的差异，需要 %2 个。</translation>
    </message>
    <message>
        <source>Against %1, by %2: better %3, worse %4, not told apart %5.</source>
        <translation>与 %1 相比，按 %2：更好 %3 个，更差 %4 个，无法区分 %5 个。</translation>
    </message>
    <message>
        <source>All runs (%6), best %1, worst %2: these topics (%3) find %4 between the two. Half of that takes %5 topics.</source>
        <translation>全部运行（%6 个），最好的是 %1，最差的是 %2：这些主题（%3 个）能发现两者之间 %4 的差异。要发现其一半，需要 %5 个主题。</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Better</source>
        <translation>较好</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Comparing takes two runs or more, and qrels. Add runs on the collection page.</source>
        <translation>比较需要两个或更多检索结果，以及 qrels。请在文档集页面添加检索结果。</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>校正</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Difference by topic</source>
        <translation>各主题的差异</translation>
    </message>
    <message>
        <source>Difference that topics can see</source>
        <translation>主题能看出的差异</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>效应量</translation>
    </message>
    <message>
        <source>Effect size %1 (mean over standard deviation of the differences).</source>
        <translation>效应量 %1（差异的均值除以标准差）。</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>For the number of pairs; * marks those below 0.05</source>
        <translation>针对对数校正；* 标出低于 0.05 者</translation>
    </message>
    <message>
        <source>Further baselines</source>
        <translation>其他基线</translation>
    </message>
    <message>
        <source>How many topics are needed</source>
        <translation>需要多少个主题</translation>
    </message>
    <message>
        <source>Its mean</source>
        <translation>对照平均</translation>
    </message>
    <message>
        <source>Listed: the %1 of %2 pairs that are told apart most surely.</source>
        <translation>列出 %2 对中区分最确定的 %1 对。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean difference %1, 95 % interval from %2 to %3. Topics: %4.</source>
        <translation>平均差异 %1，95 % 置信区间为 %2 到 %3。主题：%4 个。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>No conclusion: with these topics, %1 and %2 cannot be told apart by %3.</source>
        <translation>没有结论：用这些主题，按 %3 无法区分 %1 与 %2。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Pairs of runs</source>
        <translation>检索结果对</translation>
    </message>
    <message>
        <source>Pairs of runs told apart by %1: %2 of %3.</source>
        <translation>按 %1 能区分的检索结果对：%2，共 %3 对。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>检验</translation>
    </message>
    <message>
        <source>That no difference was found does not show that there is none: more topics may find one.</source>
        <translation>没有发现差异，并不说明没有差异：更多主题可能会发现差异。</translation>
    </message>
    <message>
        <source>The topics do not vary here, so nothing can be said of more of them.</source>
        <translation>这里各主题之间没有变化，因此无法说明更多主题会怎样。</translation>
    </message>
    <message>
        <source>Topics better: %1, equal: %2, worse: %3.</source>
        <translation>更好的主题：%1 个，持平：%2 个，更差：%3 个。</translation>
    </message>
    <message>
        <source>Two-sided</source>
        <translation>双侧</translation>
    </message>
    <message>
        <source>Whether a difference of this size matters to users is not what the test says.</source>
        <translation>这样大小的差异对用户是否重要，检验并不能说明。</translation>
    </message>
    <message>
        <source>Worse</source>
        <translation>较差</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>every two runs</source>
        <translation>每两个检索结果</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p 值</translation>
    </message>
    <message>
        <source>p adjusted</source>
        <translation>校正 p 值</translation>
    </message>
    <message>
        <source>the best run</source>
        <translation>最好的检索结果</translation>
    </message>
</context>
<context>
    <name>Copying</name>
    <message>
        <source>Copied %1. Rows: %2.</source>
        <translation>已复制：%1。行数：%2。</translation>
    </message>
    <message>
        <source>Copy table as CSV</source>
        <translation>将表格复制为 CSV</translation>
    </message>
    <message>
        <source>Copy table as HTML</source>
        <translation>将表格复制为 HTML</translation>
    </message>
    <message>
        <source>Copy table as LaTeX</source>
        <translation>将表格复制为 LaTeX</translation>
    </message>
    <message>
        <source>Copy table as Markdown</source>
        <translation>将表格复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy table as text</source>
        <translation>将表格复制为文本</translation>
    </message>
</context>
<context>
    <name>Correlate</name>
    <message>
        <source>%1 against itself</source>
        <translation>%1 与自身</translation>
    </message>
    <message>
        <source>%1 and %2: %3 = %4 on average over %5 topics</source>
        <translation>%1 与 %2：%3 = %4，为 %5 个主题的平均</translation>
    </message>
    <message>
        <source>%1 and %2: %3 = %4, %5 of %6 pairs of runs swapped</source>
        <translation>%1 与 %2：%3 = %4，%6 对检索结果中有 %5 对顺序相反</translation>
    </message>
    <message>
        <source>%1 topics of %2 are not in %3.</source>
        <translation>%2 的主题中有 %1 个不在 %3 中。</translation>
    </message>
    <message>
        <source>1 is the same order, 0 no relation, −1 the opposite order.</source>
        <translation>1 表示顺序相同，0 表示没有关系，−1 表示顺序相反。</translation>
    </message>
    <message>
        <source>1 says that both are the same, 0 that they have nothing in common.</source>
        <translation>1 表示两者相同，0 表示毫无共同之处。</translation>
    </message>
    <message>
        <source>AP correlation is like tau, but a swap near the top costs more than one at the foot.</source>
        <translation>AP 相关系数与 τ 相似，但靠前位置的对调比末尾的对调代价更大。</translation>
    </message>
    <message>
        <source>AP correlation is like tau, but a swap near the top costs more; here both orders count alike and ties are taken out.</source>
        <translation>AP 相关系数与 τ 相似，但靠前位置的对调代价更大；这里两个顺序同等对待，同分的对不计。</translation>
    </message>
    <message>
        <source>As a rule of thumb, 0.9 and more is the same order, and less than 0.8 a noticeable change (Voorhees, 2001).</source>
        <translation>按经验，0.9 或以上可视为顺序相同，低于 0.8 则有明显变化（Voorhees，2001）。</translation>
    </message>
    <message>
        <source>Jaccard is the share of all documents of either ranking that both have, in whatever order.</source>
        <translation>Jaccard 系数是两个排序共有的文档占两者全部文档的比例，不论次序。</translation>
    </message>
    <message>
        <source>Kendall&apos;s tau is the share of pairs in the same order less the share in opposite order. A tied pair counts as neither.</source>
        <translation>肯德尔 τ 是顺序相同的对的比例减去顺序相反的对的比例。同分的对两者都不算。</translation>
    </message>
    <message>
        <source>Of %1 pairs of %2: %3 in the same order, %4 in opposite order, %5 tied.</source>
        <translation>%2共 %1 对：顺序相同 %3 对，顺序相反 %4 对，同分 %5 对。</translation>
    </message>
    <message>
        <source>On %1 topics fewer than two documents are in both, so their 0 says nothing.</source>
        <translation>有 %1 个主题，两个排序共有的文档不足两篇，其 0 没有意义。</translation>
    </message>
    <message>
        <source>Overlap is the share of the top that both rankings have, in whatever order.</source>
        <translation>重叠是两个排序在前若干位中共有的比例，不论次序。</translation>
    </message>
    <message>
        <source>Rank-biased overlap is the share that both rankings have in common for a reader who goes on from each document to the next with probability p: the top counts most, and documents that one ranking lacks count against it.</source>
        <translation>等级偏置重叠 (RBO) 是两个排序共有的比例，设读者以概率 p 继续看下一篇文档：靠前位置权重最大，只在一个排序中的文档会降低该值。</translation>
    </message>
    <message>
        <source>Spearman&apos;s footrule tells how far things moved, as a share of the farthest possible.</source>
        <translation>斯皮尔曼 footrule 距离说明各项移动了多远，以占最远可能距离的比例表示。</translation>
    </message>
    <message>
        <source>Spearman&apos;s rho is the correlation of the ranks: one large jump costs more than many small ones.</source>
        <translation>斯皮尔曼 ρ 是名次的相关系数：一次大的移动比多次小的移动代价更大。</translation>
    </message>
    <message>
        <source>The true order is that of %1.</source>
        <translation>以 %1 的顺序为准。</translation>
    </message>
    <message>
        <source>The true order is that of the row, %1.</source>
        <translation>以该行 %1 的顺序为准。</translation>
    </message>
    <message>
        <source>Topic %1: %2. Both rankings have %3 of the %4 documents of either.</source>
        <translation>主题 %1：%2。两者共有 %4 篇文档，其中 %3 篇在两个排序中都有。</translation>
    </message>
    <message>
        <source>Weighted tau is like tau, but pairs near the top weigh more.</source>
        <translation>加权 τ 与 τ 相似，但靠前的对权重更大。</translation>
    </message>
    <message>
        <source>With %1 runs there are only %2 pairs: one of them moves tau by %3, so little can be concluded.</source>
        <translation>%1 个检索结果只有 %2 对：一对就会使 τ 变动 %3，因此能得出的结论很有限。</translation>
    </message>
    <message>
        <source>documents in both</source>
        <translation>两者都有的文档</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>检索结果</translation>
    </message>
    <message>
        <source>tau-b is the share of pairs in the same order less the share in opposite order, corrected for tied pairs.</source>
        <translation>τ-b 是顺序相同的对的比例减去顺序相反的对的比例，并对同分的对作了校正。</translation>
    </message>
</context>
<context>
    <name>CorrelateView</name>
    <message>
        <source>Against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Comparing rankings takes two runs or more. Add runs on the collection page.</source>
        <translation>比较排序需要两个或更多检索结果。请在文档集页面添加检索结果。</translation>
    </message>
    <message>
        <source>Correlate</source>
        <translation>相关系数</translation>
    </message>
    <message>
        <source>Correlation matrix</source>
        <translation>相关系数矩阵</translation>
    </message>
    <message>
        <source>Correlations</source>
        <translation>相关系数</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents in both rankings</source>
        <translation>两个排序都有的文档</translation>
    </message>
    <message>
        <source>Documents in either ranking</source>
        <translation>任一排序中的文档</translation>
    </message>
    <message>
        <source>In both</source>
        <translation>两者都有</translation>
    </message>
    <message>
        <source>In either</source>
        <translation>任一中有</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Orders are compared between two assessors or more. Take in what others judged.</source>
        <translation>比较顺序需要两位或更多评判员。请取入他人的判断。</translation>
    </message>
    <message>
        <source>Orders are compared between two measures or more, over two runs or more. Choose measures.</source>
        <translation>比较顺序需要两个或更多指标，以及两个或更多检索结果。请选择指标。</translation>
    </message>
    <message>
        <source>Orders are compared between two qrels or more. Judge documents, or import more qrels.</source>
        <translation>比较顺序需要两份或更多 qrels。请判断文档，或导入更多 qrels。</translation>
    </message>
    <message>
        <source>Pairs of documents in both that stand in opposite order</source>
        <translation>两者都有的文档中顺序相反的对</translation>
    </message>
    <message>
        <source>Pairs of runs in opposite order</source>
        <translation>顺序相反的检索结果对</translation>
    </message>
    <message>
        <source>Pairs of runs in the same order</source>
        <translation>顺序相同的检索结果对</translation>
    </message>
    <message>
        <source>Pairs of runs tied in one order or both</source>
        <translation>在一个或两个顺序中同分的检索结果对</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Swapped</source>
        <translation>相反</translation>
    </message>
    <message>
        <source>Tied</source>
        <translation>同分</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>in both rankings</source>
        <translation>两个排序都有的</translation>
    </message>
    <message>
        <source>in either ranking</source>
        <translation>任一排序中的</translation>
    </message>
    <message>
        <source>orders of runs by assessor</source>
        <translation>各评判员所得的检索结果顺序</translation>
    </message>
    <message>
        <source>orders of runs by measure</source>
        <translation>各指标所得的检索结果顺序</translation>
    </message>
    <message>
        <source>orders of runs by qrels</source>
        <translation>各 qrels 所得的检索结果顺序</translation>
    </message>
    <message>
        <source>top %1</source>
        <translation>前 %1 位</translation>
    </message>
    <message>
        <source>two runs, topic by topic</source>
        <translation>两个检索结果，逐个主题</translation>
    </message>
    <message>
        <source>whole rankings</source>
        <translation>整个排序</translation>
    </message>
</context>
<context>
    <name>Correlation</name>
    <message>
        <source>Orders are compared between two measures or more, got %1.</source>
        <translation>比较次序需要两个或更多度量，现为 %1。</translation>
    </message>
    <message>
        <source>Orders are compared between two qrels or more, got %1.</source>
        <translation>比较次序需要两个或更多 qrels，现为 %1。</translation>
    </message>
</context>
<context>
    <name>DateField</name>
    <message>
        <source>Pick</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Pick from a calendar</source>
        <translation>从日历中选择</translation>
    </message>
</context>
<context>
    <name>Decide</name>
    <message>
        <source>1, 2, 3 … by their order</source>
        <translation>按先后为 1、2、3……</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Grades become</source>
        <translation>等级改为</translation>
    </message>
    <message>
        <source>Negative grades are</source>
        <translation>负等级表示</translation>
    </message>
    <message>
        <source>Paths</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Topics are called</source>
        <translation>主题编号</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>与文件中相同</translation>
    </message>
    <message>
        <source>as recognised</source>
        <translation>按自动识别</translation>
    </message>
    <message>
        <source>grade 0</source>
        <translation>等级 0</translation>
    </message>
    <message>
        <source>unjudgeable</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>unjudged</source>
        <translation>未判断</translation>
    </message>
</context>
<context>
    <name>DecisionPanel</name>
    <message>
        <source>Assessors agree on %1 of them, and only the rules differ.</source>
        <translation>其中 %1 个评判员意见一致，只是各规则的结果不同。</translation>
    </message>
    <message>
        <source>Decided</source>
        <translation>已裁定</translation>
    </message>
    <message>
        <source>Last action</source>
        <translation>上一步操作</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Which grade is right?</source>
        <translation>哪个等级正确？</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why (is kept with the decision)</source>
        <translation>原因（与裁定一起保存）</translation>
    </message>
</context>
<context>
    <name>DifferencePlot</name>
    <message>
        <source>%1 better</source>
        <translation>%1 更好</translation>
    </message>
    <message>
        <source>Topics: %1 better on %2, %3 on %4, equal on %5</source>
        <translation>主题：%1 更好的 %2 个，%3 更好的 %4 个，持平 %5 个</translation>
    </message>
</context>
<context>
    <name>DocumentDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Show pages as pictures</source>
        <translation>以图片显示页面</translation>
    </message>
    <message>
        <source>The project has no text of %1.</source>
        <translation>项目中没有 %1 的文本。</translation>
    </message>
</context>
<context>
    <name>DocumentMenu</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Documents of more than %1 letters are not printed.</source>
        <translation>超过 %1 个字符的文档不打印。</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Highlight</source>
        <translation>高亮</translation>
    </message>
    <message>
        <source>Keep as reason</source>
        <translation>记为理由</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>打印</translation>
    </message>
    <message>
        <source>Show pages as pictures</source>
        <translation>以图片显示页面</translation>
    </message>
</context>
<context>
    <name>DocumentOnDesk</name>
    <message>
        <source>Image, %1 × %2 pixels</source>
        <translation>图片，%1 × %2 像素</translation>
    </message>
    <message>
        <source>Loading …</source>
        <translation>正在载入……</translation>
    </message>
    <message>
        <source>This document cannot be shown, through a fault of the program.</source>
        <translation>由于程序错误，无法显示本文档。</translation>
    </message>
    <message>
        <source>This image is damaged and cannot be shown.</source>
        <translation>图片已损坏，无法显示。</translation>
    </message>
    <message>
        <source>This image is not shown: the page has too many.</source>
        <translation>未显示这张图片：页面中的图片过多。</translation>
    </message>
    <message>
        <source>This image is too large to be shown: %1 × %2 pixels.</source>
        <translation>图片过大，无法显示：%1 × %2 像素。</translation>
    </message>
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
</context>
<context>
    <name>DrillDialog</name>
    <message>
        <source>%1 is right.</source>
        <translation>%1 是对的。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Exercises with choices</source>
        <translation>选择题练习</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Kind of exercise</source>
        <translation>练习的类别</translation>
    </message>
    <message>
        <source>Topic %1.</source>
        <translation>主题 %1。</translation>
    </message>
    <message>
        <source>✓ That is right.</source>
        <translation>✓ 答对了。</translation>
    </message>
    <message>
        <source>✕ %1 is wrong. Try another one.</source>
        <translation>✕ %1 不对。请再选一个。</translation>
    </message>
</context>
<context>
    <name>Duration</name>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分钟</translation>
    </message>
    <message>
        <source>%2 min</source>
        <translation>%2 分钟</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source> Area under the binormal curve (its distance from the points, root mean square): {areas}.</source>
        <translation>双正态曲线下面积（括号内为与各点的均方根距离）：{areas}。</translation>
    </message>
    <message>
        <source> Averaged over {topics_said}.</source>
        <translation> 对 {topics_said}取平均。</translation>
    </message>
    <message>
        <source> Past the last point of a run, the curve and its area are what the model expects.</source>
        <translation>检索结果最后一点之后，曲线及其面积为模型的推测。</translation>
    </message>
    <message>
        <source> Qrels: {source}.</source>
        <translation> qrels：{source}。</translation>
    </message>
    <message>
        <source> The file that is there is unchanged.</source>
        <translation>原有文件没有改变。</translation>
    </message>
    <message>
        <source> The measure of the row is taken for the true order.</source>
        <translation> 以该行指标的顺序为准。</translation>
    </message>
    <message>
        <source> Too few points for a binormal curve: {few}.</source>
        <translation>点数不足，无法拟合双正态曲线：{few}。</translation>
    </message>
    <message>
        <source> What follows it waits for a whole copy of the file.</source>
        <translation> 其后的内容等待文件的完整副本。</translation>
    </message>
    <message>
        <source> Where left and right are documents of a topic, say --documents.</source>
        <translation> 如果左右两侧是同一主题的文档，请写 --documents。</translation>
    </message>
    <message>
        <source> and at most {high}</source>
        <translation>，且不超过 {high}</translation>
    </message>
    <message>
        <source> and at most {show}</source>
        <translation> 且不大于 {show}</translation>
    </message>
    <message>
        <source> and more</source>
        <translation>等</translation>
    </message>
    <message>
        <source> and {chosen} more</source>
        <translation> 等，另有 {chosen} 个</translation>
    </message>
    <message>
        <source> and {lost} more</source>
        <translation> 等，另有 {lost} 个</translation>
    </message>
    <message>
        <source> and {names} more</source>
        <translation> 等，另有 {names} 个</translation>
    </message>
    <message>
        <source> and {runs} more</source>
        <translation> 等，另有 {runs} 个</translation>
    </message>
    <message>
        <source> in a {holder}</source>
        <translation>，{holder}内</translation>
    </message>
    <message>
        <source> looked at</source>
        <translation> 已查看</translation>
    </message>
    <message>
        <source> … ({best} in all)</source>
        <translation> ……（共 {best} 个）</translation>
    </message>
    <message>
        <source>&quot;id={number}&quot; or &quot;id={place}&quot;</source>
        <translation>“id={number}”或“id={place}”</translation>
    </message>
    <message>
        <source>&quot;topic=1,document=2&quot; (as SMART has it, without grades) or &quot;topic=1,iteration=2,document=3,grade=4&quot; (as TREC has it)</source>
        <translation>&quot;topic=1,document=2&quot;（SMART 的写法，没有等级）或 &quot;topic=1,iteration=2,document=3,grade=4&quot;（TREC 的写法）</translation>
    </message>
    <message>
        <source>&quot;topic=1,document=2,rank=3&quot; or &quot;topic=1,document=2,score=3&quot;</source>
        <translation>&quot;topic=1,document=2,rank=3&quot; 或 &quot;topic=1,document=2,score=3&quot;</translation>
    </message>
    <message>
        <source>&quot;{name}&quot; stands twice in one object, expected each name once</source>
        <translation>&quot;{name}&quot; 在同一个对象中出现两次，每个名称应只出现一次</translation>
    </message>
    <message>
        <source>&quot;{pair}&quot; names no column, expected pairs like {first}=NAME with {parts} in front.</source>
        <translation>“{pair}”没有指明列，应为 {first}=列名 这样的配对，前面是 {parts}。</translation>
    </message>
    <message>
        <source>&quot;{pair}&quot; turns no grade into another, expected pairs like 1:4, the grade in the file and what it becomes.</source>
        <translation>“{pair}”没有把等级改为另一等级，应为 1:4 这样的配对，即文件中的等级和改成的等级。</translation>
    </message>
    <message>
        <source>(1 + beta²)·P·R / (beta²·P + R), with P = P@k and R = R@k; alpha = 1 / (1 + beta²)</source>
        <translation>(1 + beta²)·P·R / (beta²·P + R)，其中 P = P@k，R = R@k；alpha = 1 / (1 + beta²)</translation>
    </message>
    <message>
        <source>(1 + beta²)·P·R / (beta²·P + R), with set precision P and set recall R; alpha = 1 / (1 + beta²)</source>
        <translation>(1 + beta²)·P·R / (beta²·P + R)，P 为集合精确率，R 为集合召回率；alpha = 1 / (1 + beta²)</translation>
    </message>
    <message>
        <source>(1 − (1 − alpha)·beta) / N · Σ over ranks r of beta^(r − 1) · Σ over subtopics that r is relevant for of (1 − alpha)^(times seen before)</source>
        <translation>(1 − (1 − alpha)·beta) / N · 对各名次 r 求和 Σ beta^(r − 1) · 对 r 所相关的子主题求和 Σ (1 − alpha)^(此前见过的次数)</translation>
    </message>
    <message>
        <source>(1 − p) Σ of g·p^(r−1) over ranks r &lt;= k; g = 1 for relevant (gain=graded: grade / highest grade of the scale; gain=topic: grade / highest grade of the topic)</source>
        <translation>(1 − p) 乘以名次 r &lt;= k 上 g·p^(r−1) 之和；相关时 g = 1（gain=graded：等级 / 量表最高等级；gain=topic：等级 / 该主题最高等级）</translation>
    </message>
    <message>
        <source>(1 − p) Σ of p^(r−1) over the unjudged at ranks r &lt;= k, and p^min(k, n) for all that comes after them</source>
        <translation>(1 − p) 乘以名次 r &lt;= k 上未判断文档的 p^(r−1) 之和，再加上其后全部的 p^min(k, n)</translation>
    </message>
    <message>
        <source>(1/R) Σ over i = 1 … R of i / (i + N): all N documents that are not relevant are ranked above the R relevant ones</source>
        <translation>(1/R) 乘以 i = 1 … R 上 i / (i + N) 之和：全部 N 篇不相关文档都排在 R 篇相关文档之前</translation>
    </message>
    <message>
        <source>(1/R) Σ over ranks r &lt;= k of documents that gain of (their number up to r + beta·CG@r) / (r + beta·ideal CG@r), where R documents gain (norm=cutoff: 1/min(R, k))</source>
        <translation>(1/R) 乘以有增益文档的名次 r &lt;= k 上（到 r 为止的篇数 + beta·CG@r）/（r + beta·理想 CG@r）之和，共有 R 篇文档有增益（norm=cutoff：1/min(R, k)）</translation>
    </message>
    <message>
        <source>(1/R) Σ over relevant retrieved of 1 / log2(2 + non-relevant ranked above)</source>
        <translation>(1/R) 乘以检索到的相关文档上 1 / log2(2 + 排在其前的不相关文档数) 之和</translation>
    </message>
    <message>
        <source>(1/R) Σ over relevant retrieved of 1 − min(judged non-relevant above, m) / m, with m = min(R, N)</source>
        <translation>(1/R) 乘以检索到的相关文档上 1 − min(其前判为不相关的篇数，m) / m 之和，m = min(R, N)</translation>
    </message>
    <message>
        <source>(1/R) Σ over the ranks r of relevant documents of (1 + pooled above · (relevant above + ε)/(judged above + 2ε)) / r</source>
        <translation>(1/R) 乘以相关文档名次 r 上 (1 + 其前入池数 · (其前相关数 + ε)/(其前已判断数 + 2ε)) / r 之和</translation>
    </message>
    <message>
        <source>(1/norm) · Σ over ranks of gain · max(0, 1 − position / L); position: characters read to the end of the document, snippet for each document and share of each relevant one</source>
        <translation>(1/norm) · 各名次上 增益 · max(0, 1 − 位置 / L) 之和；位置：读到该文档末尾的字符数，每篇文档读 snippet，每篇相关文档读 share 的部分</translation>
    </message>
    <message>
        <source>(N − rank at which recall x is reached) / N − (1 − x); 0 where it never is</source>
        <translation>(N − 达到召回率 x 的名次) / N − (1 − x)；从未达到则为 0</translation>
    </message>
    <message>
        <source>(P + R) / 2, with set precision P and set recall R</source>
        <translation>(P + R) / 2，P 为集合精确率，R 为集合召回率</translation>
    </message>
    <message>
        <source>(P - Pe)/(1 - Pe): P the mean of w_ij over pairs of labels, Pe = Σ w_ij Σ π_k(1 - π_k)/(K(K - 1)); w falls with |i - j| or (i - j)²</source>
        <translation>(P - Pe)/(1 - Pe)：P 为标签对上 w_ij 的平均，Pe = Σ w_ij Σ π_k(1 - π_k)/(K(K - 1))；w 随 |i - j| 或 (i - j)² 减小</translation>
    </message>
    <message>
        <source>(P - Pe)/(1 - Pe): P the mean of w_ij over pairs of labels, Pe = Σ w_ij/K²; w is 1 and 0, or falls with |i - j| or (i - j)²</source>
        <translation>(P - Pe)/(1 - Pe)：P 为标签对上 w_ij 的平均，Pe = Σ w_ij/K²；w 为 1 和 0，或随 |i - j| 或 (i - j)² 减小</translation>
    </message>
    <message>
        <source>(P - Pe)/(1 - Pe): P the raw agreement, Pe = Σ p_k² with p_k the share of grade k</source>
        <translation>(P - Pe)/(1 - Pe)：P 为原始一致率，Pe = Σ p_k²，p_k 为等级 k 所占比例</translation>
    </message>
    <message>
        <source>(P - Pe)/(1 - Pe): P the raw agreement, Pe = Σ π_k(1 - π_k)/(K - 1) with π_k the mean share of grade k</source>
        <translation>(P - Pe)/(1 - Pe)：P 为原始一致率，Pe = Σ π_k(1 - π_k)/(K - 1)，π_k 为等级 k 的平均比例</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>(Σ of g over ranks 1 to d) / d, where the user stops at d: the first rank where that sum is t or more, at the latest k; g = grade / highest grade of the scale</source>
        <translation>(名次 1 到 d 上 g 之和) / d，用户停在 d：该和首次达到 t 的名次，最晚为 k；g = 等级 / 量表最高等级</translation>
    </message>
    <message>
        <source>(Σ of nDCG@r over the ranks r of documents that gain + those not retrieved × DCG / IDCG) / their number</source>
        <translation>(有增益文档名次 r 上 nDCG@r 之和 + 未检出者篇数 × DCG / IDCG) / 其总篇数</translation>
    </message>
    <message>
        <source>, all retrieved.</source>
        <translation>，已全部检出。</translation>
    </message>
    <message>
        <source>, found at rank {reached}.</source>
        <translation>，在第 {reached} 位达到。</translation>
    </message>
    <message>
        <source>, half a win added</source>
        <translation>，各加半次胜</translation>
    </message>
    <message>
        <source>, of which only {count} are filled.</source>
        <translation>，其中只有 {count} 位有文档。</translation>
    </message>
    <message>
        <source>, packed with {packed}</source>
        <translation>，用 {packed} 压缩</translation>
    </message>
    <message>
        <source>, such as &quot;{turning}{zeros}&quot; where {first} is the best</source>
        <translation>，例如 &quot;{turning}{zeros}&quot;（{first} 为最好时）</translation>
    </message>
    <message>
        <source>, which are never found.</source>
        <translation>，但始终未达到。</translation>
    </message>
    <message>
        <source>, {median} in the median.</source>
        <translation>，中位数为 {median} 篇。</translation>
    </message>
    <message>
        <source>--columns says where the {first} is, expected only {parts}</source>
        <translation>--columns 指明了 {first} 的位置，只应有 {parts}</translation>
    </message>
    <message>
        <source>--columns says {columns}, expected topic and document, and of these where they are there: {parts}</source>
        <translation>--columns 写的是 {columns}，应有主题和文档，另外若有则写：{parts}</translation>
    </message>
    <message>
        <source>--grades does not say what the rating {value} becomes</source>
        <translation>--grades 没有说明评分 {value} 变成什么</translation>
    </message>
    <message>
        <source>0 or more</source>
        <translation>0 或以上</translation>
    </message>
    <message>
        <source>1 - Do/De: the distance of labels within items over that of all labels</source>
        <translation>1 - Do/De：同一项目内标签的距离与全部标签的距离之比</translation>
    </message>
    <message>
        <source>1 - Σ d_ij o_ij/Σ d_ij e_ij; d is 1 for different grades, or |i - j| (linear), or (i - j)² (quadratic)</source>
        <translation>1 - Σ d_ij o_ij/Σ d_ij e_ij；等级不同时 d 为 1，或为 |i - j|（线性），或为 (i - j)²（二次）</translation>
    </message>
    <message>
        <source>1 / rank of the first relevant document in the top k, 0 without one</source>
        <translation>1 / 前 k 位中第一篇相关文档的名次，没有则为 0</translation>
    </message>
    <message>
        <source>1 PDF, DOCX or ODT file was left out, of which no text can be read; save it anew, or as text: {first}.</source>
        <translation>略去 1 个无法读出文本的 PDF、DOCX 或 ODT 文件；请重新保存，或存为纯文本：{first}。</translation>
    </message>
    <message>
        <source>1 archive has no end mark and may have been cut off: {first}.</source>
        <translation>1 个压缩包没有结束标记，可能不完整：{first}。</translation>
    </message>
    <message>
        <source>1 archive inside was not opened; unpack it and read the files: {first}.</source>
        <translation>其中有 1 个压缩包没有打开；请解压后读取其中的文件：{first}。</translation>
    </message>
    <message>
        <source>1 byte is not {encoding} and shows as �, in {first}.</source>
        <translation>有 1 个字节不是 {encoding}，显示为 �，位于 {first}。</translation>
    </message>
    <message>
        <source>1 calibration document has</source>
        <translation>1 篇校准文档</translation>
    </message>
    <message>
        <source>1 cell begins as a formula does, {first}. An apostrophe stands before it; irjudge reads it without it.</source>
        <translation>有 1 个单元格的开头像公式：{first}。它前面加了一个撇号；irjudge 读取时会去掉。</translation>
    </message>
    <message>
        <source>1 cell has an apostrophe before what a spreadsheet would calculate with, {first}; it was read without it.</source>
        <translation>有 1 个单元格在电子表格会拿去计算的内容前有撇号：{first}；读取时已去掉。</translation>
    </message>
    <message>
        <source>1 citation names no reference and was left out: {first}.</source>
        <translation>1 处引用未指向任何参考文献，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 document has SMART&apos;s marks (.A, .B, .W) in its text, left there by a conversion and shown as they stand: {first}.</source>
        <translation>1 篇文档的文本中有 SMART 的标记（.A、.B、.W），是转换时留下的，现原样显示：{first}。</translation>
    </message>
    <message>
        <source>1 document has a title and no text, and is kept: {first}.</source>
        <translation>1 篇文档只有标题而没有文本，仍予保留：{first}。</translation>
    </message>
    <message>
        <source>1 document has an id that was there before; the first one is kept and this one left out: {first}.</source>
        <translation>1 篇文档的编号前面已有；保留先出现的，略去这一篇：{first}。</translation>
    </message>
    <message>
        <source>1 document has no id and was left out: {first}.</source>
        <translation>1 篇文档没有编号，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 document has no text and is kept: {first}.</source>
        <translation>1 篇文档没有文本，仍予保留：{first}。</translation>
    </message>
    <message>
        <source>1 document of the pool has no words to show, an image or no text, and is no task: {first}.</source>
        <translation>池中有 1 篇文档没有可显示的文字（图片或无文本），不作为任务：{first}。</translation>
    </message>
    <message>
        <source>1 document stands below a count without a query, and was left out: {first}.</source>
        <translation>1 个文档位于没有查询的计数之下，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 document that was asked for is not there: {first}.</source>
        <translation>指定的文档中有 1 篇找不到：{first}。</translation>
    </message>
    <message>
        <source>1 event was added</source>
        <translation>新增了 1 个事件</translation>
    </message>
    <message>
        <source>1 field is too long, or the document has too many, and was left out: {first}.</source>
        <translation>有 1 个字段过长，或其文档字段过多，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 file has bytes that are not UTF-8, shown as �; name its encoding with --encoding: {first}.</source>
        <translation>1 个文件中有不是 UTF-8 的字节，显示为 �；请用 --encoding 指定编码：{first}。</translation>
    </message>
    <message>
        <source>1 file has the name of another before it; its path is its id: {first}.</source>
        <translation>1 个文件与前面的文件同名；用其路径作为编号：{first}。</translation>
    </message>
    <message>
        <source>1 file is of an office program or an e-book, which is not read yet; save it as text or HTML and read that: {first}.</source>
        <translation>1 个文件来自办公软件或为电子书，尚不能读取；请存为纯文本或 HTML 再读取：{first}。</translation>
    </message>
    <message>
        <source>1 file is of no form that can be read and was left out: {first}.</source>
        <translation>1 个文件的格式无法读取，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 file of a BEIR collection holds topics or qrels, not documents, and was left out: {first}.</source>
        <translation>BEIR 文档集中有 1 个文件是主题或 qrels，不是文档，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 for a relevant document (grade {rel} or more)</source>
        <translation>相关文档（{rel} 级或以上）为 1</translation>
    </message>
    <message>
        <source>1 for each topic</source>
        <translation>每个主题为 1</translation>
    </message>
    <message>
        <source>1 id has a blank inside, which TREC files cannot hold: {first}.</source>
        <translation>1 个编号中有空格，TREC 文件无法容纳：{first}。</translation>
    </message>
    <message>
        <source>1 if a relevant document is in the top k, else 0</source>
        <translation>前 k 位中有相关文档为 1，否则为 0</translation>
    </message>
    <message>
        <source>1 judged document has</source>
        <translation>1 篇已判断的文档</translation>
    </message>
    <message>
        <source>1 label is of a text that the project does not hold, and was left out: {first}.</source>
        <translation>有 1 个标注的文本不在项目中，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 label is of a topic or document that the project does not know, and was left out: {first}.</source>
        <translation>有 1 个标注的主题或文档不为项目所知，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 line has no valid grade and is unjudged, never 0: {first}.</source>
        <translation>有 1 行没有有效等级，记为未判断，绝不记为 0：{first}。</translation>
    </message>
    <message>
        <source>1 line names</source>
        <translation>1 行中</translation>
    </message>
    <message>
        <source>1 link or special file was not followed: {first}.</source>
        <translation>1 个链接或特殊文件没有读取：{first}。</translation>
    </message>
    <message>
        <source>1 more line near it does</source>
        <translation>附近另有 1 行</translation>
    </message>
    <message>
        <source>1 page of a web archive is neither text nor HTML nor an image and was left out: {first}.</source>
        <translation>网页存档中有 1 个页面既不是文本或 HTML 也不是图片，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 pair was answered more than once; its last answer counts, and all are kept: {first}.</source>
        <translation>有 1 对被回答了不止一次；以最后一次为准，全部保留：{first}。</translation>
    </message>
    <message>
        <source>1 picture does not lie beside the file that names it, so its name is shown: {first}.</source>
        <translation>有 1 张图片不在指明它的文件旁边，因此只显示其名称：{first}。</translation>
    </message>
    <message>
        <source>1 picture has more than 1 MB or is none, and was left out: {first}.</source>
        <translation>有 1 张图片超过 1 MB 或不是图片，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 query says another number of relevant documents than it lists, and keeps those that are listed: {first}.</source>
        <translation>1 个查询声明的相关文档数与所列不符，保留所列的文档：{first}。</translation>
    </message>
    <message>
        <source>1 record has half a character (a lone surrogate), shown as �: {first}.</source>
        <translation>1 条记录中有半个字符（单独的代理项），显示为 �：{first}。</translation>
    </message>
    <message>
        <source>1 record of a web archive is no page and was left out: {first}.</source>
        <translation>网页存档中有 1 条记录不是页面，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 row has label -1, which is not judged, and was left out: {first}.</source>
        <translation>1 行的标签为 -1，即未判断，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 row has no document or no grade, which is not judged, and was left out: {first}.</source>
        <translation>有 1 行没有文档或没有等级，即未判定，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 row has no label and was left out: {first}.</source>
        <translation>1 行没有标签，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 row names another topic or document than its item stands for, and the item was taken: {first}.</source>
        <translation>1 行写的主题或文档与其条目所指不同，以条目为准：{first}。</translation>
    </message>
    <message>
        <source>1 row was rejected on the platform and was left out: {first}.</source>
        <translation>有 1 行在平台上被拒绝，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 row was skipped or left unfinished on the platform and was left out: {first}.</source>
        <translation>有 1 行在平台上被跳过或未完成，已略去：{first}。</translation>
    </message>
    <message>
        <source>1 run, {whose}. {policy}</source>
        <translation>检索结果 1 个，{whose}。{policy}</translation>
    </message>
    <message>
        <source>1 spreadsheet was left out: {first}; save its sheet as a CSV file and read that by itself.</source>
        <translation>略去了 1 个电子表格：{first}；请把其中的工作表另存为 CSV 文件，单独读取。</translation>
    </message>
    <message>
        <source>1 topic</source>
        <translation>1 个主题</translation>
    </message>
    <message>
        <source>1 topic has an id that was there before; the first one is kept and this one left out: {first}.</source>
        <translation>1 个主题的编号前面已有；保留先出现的，略去这一个：{first}。</translation>
    </message>
    <message>
        <source>1 topic has no title: {first}.</source>
        <translation>1 个主题没有标题：{first}。</translation>
    </message>
    <message>
        <source>1 − F@k = 1 − (1 + beta²)·P·R / (beta²·P + R), with P = P@k and R = R@k; alpha = 1 / (1 + beta²)</source>
        <translation>1 − F@k = 1 − (1 + beta²)·P·R / (beta²·P + R)，其中 P = P@k，R = R@k；alpha = 1 / (1 + beta²)</translation>
    </message>
    <message>
        <source>1 − Jensen–Shannon distance (base 2) between the groups&apos; shares of attention, 1 / discount of each rank r &lt;= k, and their target: their shares of the relevant documents (target=equal: equal shares)</source>
        <translation>1 − 各组关注份额（各名次 r &lt;= k 的 1 / 折扣）与其目标之间的 Jensen–Shannon 距离（以 2 为底）；目标：各组在相关文档中的份额（target=equal：均等份额）</translation>
    </message>
    <message>
        <source>1 − SetF = 1 − (1 + beta²)·P·R / (beta²·P + R), with set precision P and set recall R; alpha = 1 / (1 + beta²)</source>
        <translation>1 − SetF = 1 − (1 + beta²)·P·R / (beta²·P + R)，P 为集合精确率，R 为集合召回率；alpha = 1 / (1 + beta²)</translation>
    </message>
    <message>
        <source>2 as in the first line (topic, document)</source>
        <translation>2 列，与首行相同（主题、文档）</translation>
    </message>
    <message>
        <source>2 columns, a document and its grade; expected the topic in front of each line</source>
        <translation>只有 2 列（文档和等级）；每行前面应有主题</translation>
    </message>
    <message>
        <source>3 as in the first line (topic, document, grade)</source>
        <translation>3 列，与首行相同（主题、文档、等级）</translation>
    </message>
    <message>
        <source>3 as in the first line (topic, document, rank or score)</source>
        <translation>3 列，与首行相同（主题、文档、名次或得分）</translation>
    </message>
    <message>
        <source>4 (topic, iteration, document, grade)</source>
        <translation>4 列（主题、轮次、文档、等级）</translation>
    </message>
    <message>
        <source>4 as in the first line (topic, document, 0, 0.0)</source>
        <translation>4 列，与首行相同（主题、文档、0、0.0）</translation>
    </message>
    <message>
        <source>5 as in the first line (topic, Q0, document, rank, score)</source>
        <translation>5 列，与首行相同（主题、Q0、文档、名次、得分）</translation>
    </message>
    <message>
        <source>5 as in the first line (topic, Q0, document, score, tag)</source>
        <translation>5 列，与首行相同（主题、Q0、文档、得分、标签）</translation>
    </message>
    <message>
        <source>5 columns, and the first is Q0 where the topic should be; expected {expected}</source>
        <translation>有 5 列，应为主题的首列是 Q0；应为 {expected}</translation>
    </message>
    <message>
        <source>6 (topic, Q0, document, rank, score, tag)</source>
        <translation>6 列（主题、Q0、文档、名次、得分、标签）</translation>
    </message>
    <message>
        <source>; and perhaps {other}</source>
        <translation>；还可以有 {other}</translation>
    </message>
    <message>
        <source>; and {found} more</source>
        <translation>；另有 {found} 个</translation>
    </message>
    <message>
        <source>; and {more} more</source>
        <translation>；另有 {more} 个</translation>
    </message>
    <message>
        <source>; if this line names the columns, leave it out</source>
        <translation>；如果这一行是列名，请删去</translation>
    </message>
    <message>
        <source>; name another with --encoding</source>
        <translation>；可用 --encoding 指定其他编码</translation>
    </message>
    <message>
        <source>; of merged cells only the first holds a value, and a formula holds one once a spreadsheet program has saved it</source>
        <translation>；合并单元格只有第一格有值，公式要由电子表格程序保存过才有值</translation>
    </message>
    <message>
        <source>; only topics {only}</source>
        <translation>；仅主题 {only}</translation>
    </message>
    <message>
        <source>; the nearest is {near}</source>
        <translation>；最接近的是 {near}</translation>
    </message>
    <message>
        <source>; the order in the file is the ranking</source>
        <translation>；排序按文件中的先后</translation>
    </message>
    <message>
        <source>; the score is the rank turned round</source>
        <translation>；得分由名次反转而来</translation>
    </message>
    <message>
        <source>; words that are known: {words}</source>
        <translation>；认得的词：{words}</translation>
    </message>
    <message>
        <source>; {names}: not relevant</source>
        <translation>；{names}：视为不相关</translation>
    </message>
    <message>
        <source>; {names}: taken for as relevant as the judged ones of their stratum</source>
        <translation>；{names}：视为与同层已判断的文档同样相关</translation>
    </message>
    <message>
        <source>; {no_grades}</source>
        <translation>；{no_grades}</translation>
    </message>
    <message>
        <source>; {others} not fit either</source>
        <translation>；{others}也不相符</translation>
    </message>
    <message>
        <source>; {refused} more said unjudgeable</source>
        <translation>；另有 {refused} 位表示无法判断</translation>
    </message>
    <message>
        <source>&lt;DOC&gt; is not closed before the next one, expected &lt;/DOC&gt;</source>
        <translation>&lt;DOC&gt; 在下一个开始之前没有结束，应有 &lt;/DOC&gt;</translation>
    </message>
    <message>
        <source>A certificate takes one look or more and a level between 0 and 1.</source>
        <translation>证明需要至少一次查看，且置信水平在 0 与 1 之间。</translation>
    </message>
    <message>
        <source>A cluster is &quot;local&quot; or the address of a scheduler such as tcp://host:8786, got &quot;{where}&quot;.</source>
        <translation>集群是 &quot;local&quot; 或调度器的地址，如 tcp://host:8786；现为 &quot;{where}&quot;。</translation>
    </message>
    <message>
        <source>A cluster needs Dask, which is not installed; install it with `pip install irjudge[cluster]`.</source>
        <translation>集群需要 Dask，但它尚未安装；请用 `pip install irjudge[cluster]` 安装。</translation>
    </message>
    <message>
        <source>A comparison needs two different runs; name them.</source>
        <translation>比较需要两个不同的检索结果；请指明。</translation>
    </message>
    <message>
        <source>A comparison that looks for the best documents asks by what was answered before. A browser cannot; hand it out as .irtask.</source>
        <translation>寻找最佳文档的比较要根据先前的回答来提问。浏览器做不到；请以 .irtask 形式分发。</translation>
    </message>
    <message>
        <source>A document takes 4.4 seconds, and if it is opened .018 a word and 7.8: with .64 where it is relevant, else with .39.</source>
        <translation>每篇文档用时 4.4 秒；若被打开，另加每词 0.018 秒和 7.8 秒：相关文档被打开的概率为 0.64，其余为 0.39。</translation>
    </message>
    <message>
        <source>A journal lies beside {file}: its last action was interrupted and may be missing.</source>
        <translation>{file} 旁有一个日志文件 (journal)：其最后的操作被中断，可能缺失。</translation>
    </message>
    <message>
        <source>A judge plan needs runs with documents and a size of 1 or more, got {size}.</source>
        <translation>判断方案需要含有文档的运行，且规模至少为 1，得到的是 {size}。</translation>
    </message>
    <message>
        <source>A lease must be longer than 0 seconds, got {lease}.</source>
        <translation>保留时间必须大于 0 秒，得到的是 {lease}。</translation>
    </message>
    <message>
        <source>A link has at most {most} letters, got {count}.</source>
        <translation>链接最多 {most} 个字符，得到的是 {count} 个。</translation>
    </message>
    <message>
        <source>A list of {k} documents that are relevant for all N has {most}.</source>
        <translation>由 {k} 篇对全部 N 个子主题都相关的文档组成的列表为 {most}。</translation>
    </message>
    <message>
        <source>A message has at most {most} letters, got {count}.</source>
        <translation>消息最多 {most} 个字符，现在有 {count} 个。</translation>
    </message>
    <message>
        <source>A model needs a name without blanks around it, got {name}.</source>
        <translation>模型需要一个前后没有空格的名称，得到的是 {name}。</translation>
    </message>
    <message>
        <source>A name of 1 to {most} letters, without / \ : * ? &quot; &lt; &gt; |, was expected; got {name}.</source>
        <translation>名称应为 1 至 {most} 个字符，不含 / \ : * ? &quot; &lt; &gt; |；实际为 {name}。</translation>
    </message>
    <message>
        <source>A panel needs a completion link. Give --completion the code of the study, or the whole link; it begins with https://.</source>
        <translation>参与者平台需要一个完成链接。用 --completion 给出该研究的代码，或以 https:// 开头的完整链接。</translation>
    </message>
    <message>
        <source>A point at each of the ranks 1 to {depth}: average recall and average precision there.</source>
        <translation>名次 1 到 {depth} 各有一点：该处的平均召回率和平均精确率。</translation>
    </message>
    <message>
        <source>A point at each relevant document that was retrieved; the stepped line is the interpolated curve.</source>
        <translation>每篇检出的相关文档各有一点；阶梯线为插值曲线。</translation>
    </message>
    <message>
        <source>A pool deeper than it is</source>
        <translation>比现在更深的文档池</translation>
    </message>
    <message>
        <source>A pool needs one run or more, got none.</source>
        <translation>文档池至少需要一个检索结果，现在没有。</translation>
    </message>
    <message>
        <source>A pool that was drawn by chance keeps documents that are alike: estimates count each of them.</source>
        <translation>随机抽取的池保留相似的文档：估计要把每一篇都计算在内。</translation>
    </message>
    <message>
        <source>A preference of {assessor} for topic {topic} cannot be read: both sides stand for the run {run}.</source>
        <translation>无法读取 {assessor} 对主题 {topic} 的偏好：两侧代表同一个运行 {run}。</translation>
    </message>
    <message>
        <source>A preference of {assessor} for topic {topic} cannot be read: it is not about two sides.</source>
        <translation>无法读取 {assessor} 对主题 {topic} 的一条偏好：它没有涉及两侧。</translation>
    </message>
    <message>
        <source>A preference of {assessor} for topic {topic} cannot be read: its winner is {winner}.</source>
        <translation>无法读取 {assessor} 对主题 {topic} 的一条偏好：其胜者为 {winner}。</translation>
    </message>
    <message>
        <source>A price must be a number of 0 or more, got {price}.</source>
        <translation>价格必须是不小于 0 的数，得到 {price}。</translation>
    </message>
    <message>
        <source>A ranking holds {item} twice, at places {placed} and {place}.</source>
        <translation>有一个排序中 {item} 出现两次，在第 {placed} 位和第 {place} 位。</translation>
    </message>
    <message>
        <source>A ranking of all {documents}, the relevant ones last, still has an AP of {least}: {name}.</source>
        <translation>即使相关文档排在最后，包含全部{documents}的排序的 AP 仍为 {least}：{name}。</translation>
    </message>
    <message>
        <source>A relevant document is worth .64·.77 = .4928, halved each {h} seconds.</source>
        <translation>一篇相关文档值 .64·.77 = .4928，每过 {h} 秒减半。</translation>
    </message>
    <message>
        <source>A round has 1 to {most} documents, got {count}.</source>
        <translation>一轮有 1 至 {most} 篇文档，得到的是 {count}。</translation>
    </message>
    <message>
        <source>A run&apos;s value adds these up for each session, and is the mean over the sessions.</source>
        <translation>检索结果的值是每个会话内各查询之和在所有会话上的平均。</translation>
    </message>
    <message>
        <source>A run&apos;s value is the geometric mean over the topics: exp of the mean of the logarithms of these.</source>
        <translation>检索结果的值是各主题的几何平均：对这些值的对数取平均，再取 exp。</translation>
    </message>
    <message>
        <source>A sample takes 1 document or more, and 1 to {most} looks.</source>
        <translation>样本至少要有 1 篇文档，查看次数为 1 到 {most} 次。</translation>
    </message>
    <message>
        <source>A scale needs two or more different grades between 0 and {highest}, lowest first; got {values}.</source>
        <translation>等级范围需要 0 到 {highest} 之间两个或更多不同的等级，从低到高；现为 {values}。</translation>
    </message>
    <message>
        <source>A score is not a finite number, so the systems cannot be compared.</source>
        <translation>有一个得分不是有限数，因此无法比较各系统。</translation>
    </message>
    <message>
        <source>A score is not a number, so its item has no place in the ranking.</source>
        <translation>有一个得分不是数字，因此该项在排序中没有位置。</translation>
    </message>
    <message>
        <source>A session asks again once in so many questions; it takes no number of repeats.</source>
        <translation>共同评判中每隔若干个问题重复一次，不接受重复的数量。</translation>
    </message>
    <message>
        <source>A session cannot look for the best documents: what is asked next would hang on one person&apos;s answers. Take all.</source>
        <translation>共同评判不能寻找最佳文档：下一个问题将取决于某一个人的回答。请选择全部。</translation>
    </message>
    <message>
        <source>A session has not ended. Go on with it, or end it.</source>
        <translation>有一次共同评判尚未结束。请继续，或结束它。</translation>
    </message>
    <message>
        <source>A session is open, paused or ended, not {state}.</source>
        <translation>共同评判的状态是 open、paused 或 ended，不能是 {state}。</translation>
    </message>
    <message>
        <source>A subtopic is worth {worth} to the power of the times it was seen before.</source>
        <translation>子主题的价值是 {worth} 的若干次方，次数为此前已见的次数。</translation>
    </message>
    <message>
        <source>A test takes a row of scores for each system, all on the same topics.</source>
        <translation>检验需要每个系统各有一行得分，且都基于相同的主题。</translation>
    </message>
    <message>
        <source>A topic has no {part}; it has {known}.</source>
        <translation>主题没有 {part}；它有 {known}。</translation>
    </message>
    <message>
        <source>A working of {measure}. Two steps are wrong. Which is the first, read line by line?</source>
        <translation>{measure} 的计算过程，其中有两步是错的。一行一行读，第一个错的是哪一步？</translation>
    </message>
    <message>
        <source>AP = sum / {what}</source>
        <translation>AP = 总和 / {what}</translation>
    </message>
    <message>
        <source>AP correlation</source>
        <translation>AP 相关系数</translation>
    </message>
    <message>
        <source>AP correlation, corrected for ties and symmetrical</source>
        <translation>AP 相关系数（校正同分，且对称）</translation>
    </message>
    <message>
        <source>AP of {name} = ({terms}) / {relevant} = {value}</source>
        <translation>{name} 的 AP = ({terms}) / {relevant} = {value}</translation>
    </message>
    <message>
        <source>AWRF = 0, since one of them is nothing.</source>
        <translation>AWRF = 0，因为其中之一为空。</translation>
    </message>
    <message>
        <source>About {hours} hours in all, {longest} for one, at {pace}.</source>
        <translation>共约 {hours} 小时，一人至多 {longest} 小时，按 {pace}计。</translation>
    </message>
    <message>
        <source>About {hours} hours, at {pace}.</source>
        <translation>约 {hours} 小时，按 {pace}计。</translation>
    </message>
    <message>
        <source>About {minutes} min in all, {each} for one, at {pace}.</source>
        <translation>共约 {minutes} 分钟，一人至多 {each} 分钟，按 {pace}计。</translation>
    </message>
    <message>
        <source>About {minutes} min, at {pace}.</source>
        <translation>约 {minutes} 分钟，按 {pace}计。</translation>
    </message>
    <message>
        <source>Above the line of people the model grades higher; {overall} over all {pairs} pairs. People: {source}.</source>
        <translation>位于人的线之上表示模型打得更高；全部 {pairs} 对上为 {overall}。人：{source}。</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Active sampling</source>
        <translation>主动抽样</translation>
    </message>
    <message>
        <source>Adjusted p: over all pairs of each measure and test ({pairs}); {correction}.</source>
        <translation>校正后的 p：对每个指标和检验的全部对（{pairs}）；{correction}。</translation>
    </message>
    <message>
        <source>Agreement (Krippendorff&apos;s alpha, ordinal, 95 % interval): {value}{interval}.</source>
        <translation>一致性（Krippendorff α，定序，95% 区间）：{value}{interval}。</translation>
    </message>
    <message>
        <source>Agreement of assessors</source>
        <translation>评判员的一致性</translation>
    </message>
    <message>
        <source>Agreement of {workers} assessors, {statistic}</source>
        <translation>{workers} 位评判员的一致性，{statistic}</translation>
    </message>
    <message>
        <source>Agreement takes two assessors or more, got {workers}.</source>
        <translation>一致性需要两位或更多评判员，现为 {workers}。</translation>
    </message>
    <message>
        <source>Agrees with the others in {share} % of {size} documents; chance would give {chance} %.</source>
        <translation>在 {size} 篇文档中有 {share} % 与他人一致；随机作答约为 {chance} %。</translation>
    </message>
    <message>
        <source>All shortcuts</source>
        <translation>全部快捷键</translation>
    </message>
    <message>
        <source>All steps so far are right ({count}). The value is still to come.</source>
        <translation>到目前为止的步骤都对（{count} 步）。还差最后的值。</translation>
    </message>
    <message>
        <source>All steps that you gave are right ({count}).</source>
        <translation>您给出的步骤都正确（{count} 个）。</translation>
    </message>
    <message>
        <source>All steps that you gave are right ({count}): look at what comes after them.</source>
        <translation>你写出的步骤都对（{count} 步）：请看它们之后的计算。</translation>
    </message>
    <message>
        <source>All topics have the title “{title}”.</source>
        <translation>所有主题的标题都是“{title}”。</translation>
    </message>
    <message>
        <source>An effect of {effect} needs more than a million topics.</source>
        <translation>效应量 {effect} 需要一百万个以上的主题。</translation>
    </message>
    <message>
        <source>An event cannot be read ({fault}).</source>
        <translation>有一个事件无法读取（{fault}）。</translation>
    </message>
    <message>
        <source>An event has version {v}; this irjudge reads versions {version} and {of_clients}. Install a newer irjudge.</source>
        <translation>有一个事件的版本是 {v}；此 irjudge 只能读取版本 {version} 和 {of_clients}。请安装更新的 irjudge。</translation>
    </message>
    <message>
        <source>An event is not in its canonical form; its bytes were changed.</source>
        <translation>有一个事件不是规范格式；其字节被改动过。</translation>
    </message>
    <message>
        <source>An order takes two systems or more, got {count}.</source>
        <translation>排序需要两个或更多系统，实际为 {count} 个。</translation>
    </message>
    <message>
        <source>An order takes two systems or more; {first} and {second} share {shared}.</source>
        <translation>顺序需要两个或更多系统；{first} 与 {second} 共有 {shared} 个。</translation>
    </message>
    <message>
        <source>Answer: {answer}</source>
        <translation>回答：{answer}</translation>
    </message>
    <message>
        <source>Arithmetic mean of precision and recall</source>
        <translation>精确率与召回率的算术平均</translation>
    </message>
    <message>
        <source>As close to people as they are to each other.</source>
        <translation>与人的接近程度，同人与人之间一样。</translation>
    </message>
    <message>
        <source>Asking the model</source>
        <translation>正在询问模型</translation>
    </message>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Assessors differ, and you have not decided: {count}. What you leave, the rule settles.</source>
        <translation>评判员意见不一而您尚未裁定：{count} 对。您不裁定的，由规则决定。</translation>
    </message>
    <message>
        <source>Assessors: {count}; judgments: {judgments}.</source>
        <translation>评判人：{count} 位；评判：{judgments} 条。</translation>
    </message>
    <message>
        <source>Assignments need one assessor or more, got none.</source>
        <translation>分配需要一位或更多评判员，现在没有。</translation>
    </message>
    <message>
        <source>At {address} there is no file, and no folder with Parquet or Arrow files.</source>
        <translation>{address} 处没有文件，也没有包含 Parquet 或 Arrow 文件的文件夹。</translation>
    </message>
    <message>
        <source>Attention-weighted rank fairness</source>
        <translation>按关注度加权的排序公平性</translation>
    </message>
    <message>
        <source>Attention: {shares}.</source>
        <translation>注意力：{shares}。</translation>
    </message>
    <message>
        <source>Average gain over average ideal gain</source>
        <translation>平均增益与平均理想增益之比</translation>
    </message>
    <message>
        <source>Average precision</source>
        <translation>平均精确率</translation>
    </message>
    <message>
        <source>Averaged: {policy}.</source>
        <translation>求平均：{policy}。</translation>
    </message>
    <message>
        <source>Averaged: {whose}; topics of which something is judged: {topics}{said}.</source>
        <translation>参与平均：{whose}；有判断的主题：{topics} 个{said}。</translation>
    </message>
    <message>
        <source>Averaging</source>
        <translation>平均方式</translation>
    </message>
    <message>
        <source>BPM = gain / documents looked at</source>
        <translation>BPM = 增益 / 看过的文档数</translation>
    </message>
    <message>
        <source>Balanced accuracy</source>
        <translation>平衡准确率</translation>
    </message>
    <message>
        <source>Bejeweled player model</source>
        <translation>宝石玩家模型</translation>
    </message>
    <message>
        <source>Benjamini and Hochberg</source>
        <translation>Benjamini–Hochberg 校正</translation>
    </message>
    <message>
        <source>Binary G</source>
        <translation>二元 G</translation>
    </message>
    <message>
        <source>Binary preference</source>
        <translation>二元偏好</translation>
    </message>
    <message>
        <source>Bonferroni</source>
        <translation>Bonferroni 校正</translation>
    </message>
    <message>
        <source>Bootstrap method {method} is not known; there are {methods}.</source>
        <translation>没有名为 {method} 的自助法；现有 {methods}。</translation>
    </message>
    <message>
        <source>Bootstrap test</source>
        <translation>自助法检验</translation>
    </message>
    <message>
        <source>Borda count</source>
        <translation>Borda 计数</translation>
    </message>
    <message>
        <source>Both sides must be scrolled to their end, or a result of each opened, before one is preferred.</source>
        <translation>须将两侧都滚动到末尾，或在两侧各打开一个结果，才能选择偏好。</translation>
    </message>
    <message>
        <source>Bounds need a scale whose lowest grade is 0, got {value}.</source>
        <translation>上下界需要最低等级为 0 的等级范围，现为 {value}。</translation>
    </message>
    <message>
        <source>Box: the middle half of the topics; line: median; diamond: mean; whiskers: within 1.5 box lengths; rings: beyond.</source>
        <translation>箱：中间一半的主题；线：中位数；菱形：平均；须：1.5 倍箱长以内；圆圈：超出者。</translation>
    </message>
    <message>
        <source>Bpref = sum / R</source>
        <translation>Bpref = 总和 / R</translation>
    </message>
    <message>
        <source>Break-even point</source>
        <translation>平衡点</translation>
    </message>
    <message>
        <source>Brennan-Prediger coefficient</source>
        <translation>Brennan-Prediger 系数</translation>
    </message>
    <message>
        <source>By average over {topics_said}; systems of equal value share the middle of their places. {policy_words}</source>
        <translation>按 {topics_said}的平均；值相等的系统取其名次的中间值。{policy_words}</translation>
    </message>
    <message>
        <source>By chance, from how often each says relevant: {chance}.</source>
        <translation>按各自判为相关的频率，偶然一致的比例：{chance}。</translation>
    </message>
    <message>
        <source>By the rule of trec_eval {removeprefix}</source>
        <translation>按 trec_eval {removeprefix} 的规则</translation>
    </message>
    <message>
        <source>CG / CG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), both over ranks 1 to k</source>
        <translation>CG / 全部已判断文档（ideal=retrieved：检索到的文档）理想顺序的 CG，两者都取名次 1 到 k</translation>
    </message>
    <message>
        <source>CG, DCG, NCG or nDCG down the ranking, with the ideal, of one topic or averaged over all.</source>
        <translation>沿排序的 CG、DCG、NCG 或 nDCG 以及理想值，单个主题或全部主题的平均。</translation>
    </message>
    <message>
        <source>CSV with semicolons</source>
        <translation>分号分隔的 CSV</translation>
    </message>
    <message>
        <source>Calibration: read from {file}. Documents of known grades: {graded}; topics: {topics}.</source>
        <translation>校准：已从 {file} 读取。已知等级的文档：{graded} 篇；主题：{topics} 个。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation>已取消。没有做任何更改。</translation>
    </message>
    <message>
        <source>Cannot be read: {parts}.</source>
        <translation>无法读取：{parts}。</translation>
    </message>
    <message>
        <source>Checking documents</source>
        <translation>正在检查文档</translation>
    </message>
    <message>
        <source>Checking events</source>
        <translation>正在检查事件</translation>
    </message>
    <message>
        <source>Checking hashes</source>
        <translation>正在检查哈希值</translation>
    </message>
    <message>
        <source>Checking the file</source>
        <translation>正在检查文件</translation>
    </message>
    <message>
        <source>Checking {what}</source>
        <translation>正在检查 {what}</translation>
    </message>
    <message>
        <source>Circularity: {run}, put in order by the model, is number {model_place} of {runs} under the model and number {people_place} under people.</source>
        <translation>循环性：由模型排序的 {run}，按模型在 {runs} 个中排第 {model_place}，按人排第 {people_place}。</translation>
    </message>
    <message>
        <source>Citation precision</source>
        <translation>引用精确率</translation>
    </message>
    <message>
        <source>Citation recall</source>
        <translation>引用召回率</translation>
    </message>
    <message>
        <source>Citations of answers</source>
        <translation>答案的引用</translation>
    </message>
    <message>
        <source>Cohen&apos;s kappa</source>
        <translation>科恩 κ 系数</translation>
    </message>
    <message>
        <source>Cohen&apos;s kappa of a small table</source>
        <translation>一张小表的科恩 κ</translation>
    </message>
    <message>
        <source>Cohen&apos;s kappa, graded</source>
        <translation>Cohen κ（分级）</translation>
    </message>
    <message>
        <source>Cohen&apos;s kappa, quadratic</source>
        <translation>Cohen κ（二次加权）</translation>
    </message>
    <message>
        <source>Cohen&apos;s kappa, relevant from {grade}</source>
        <translation>Cohen κ（等级 {grade} 起为相关）</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Comparing assessors</source>
        <translation>正在比较评判员</translation>
    </message>
    <message>
        <source>Comparing documents</source>
        <translation>正在比较文档</translation>
    </message>
    <message>
        <source>Comparing rules</source>
        <translation>正在比较规则</translation>
    </message>
    <message>
        <source>Comparing runs</source>
        <translation>正在比较检索结果</translation>
    </message>
    <message>
        <source>Comparing takes two runs or more, got {rest}.</source>
        <translation>比较需要两个或更多检索结果，现为 {rest}。</translation>
    </message>
    <message>
        <source>Comparing topics</source>
        <translation>正在比较主题</translation>
    </message>
    <message>
        <source>Compatibility: p must be more than 0 and less than 1 and depth 1 or more, got {p} and {depth}.</source>
        <translation>Compatibility：p 应大于 0 且小于 1，深度应为 1 或以上，现为 {p} 和 {depth}。</translation>
    </message>
    <message>
        <source>Computed with {program}.</source>
        <translation>用 {program} 计算。</translation>
    </message>
    <message>
        <source>Copy of the project as it was before: {file}, beside the project. The last {kept} of such copies stay; older ones are removed.</source>
        <translation>合并前项目的副本：{file}，就在项目旁边。这样的副本保留最近 {kept} 份，更早的会被删除。</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>校正方法</translation>
    </message>
    <message>
        <source>Cost: about {cost} {currency}.</source>
        <translation>费用：约 {cost} {currency}。</translation>
    </message>
    <message>
        <source>Cost: at most {cost}, of a budget of {budget}.</source>
        <translation>费用：最多 {cost}，预算 {budget}。</translation>
    </message>
    <message>
        <source>Cost: at most {cost}.</source>
        <translation>费用：最多 {cost}。</translation>
    </message>
    <message>
        <source>Counted: {total}</source>
        <translation>计数：{total}</translation>
    </message>
    <message>
        <source>Cumulated gain</source>
        <translation>累积增益</translation>
    </message>
    <message>
        <source>Cumulative gain</source>
        <translation>累积增益</translation>
    </message>
    <message>
        <source>DCG / DCG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), both over ranks 1 to k</source>
        <translation>DCG / 全部已判断文档（ideal=retrieved：检索到的文档）理想顺序的 DCG，两者都取名次 1 到 k</translation>
    </message>
    <message>
        <source>DCG mass</source>
        <translation>DCG 权重和</translation>
    </message>
    <message>
        <source>DCG of the ideal order of all judged documents (ideal=retrieved: of the retrieved ones), over ranks 1 to k</source>
        <translation>全部已判断文档（ideal=retrieved：检索到的文档）理想顺序的 DCG，取名次 1 到 k</translation>
    </message>
    <message>
        <source>DPR passages</source>
        <translation>DPR 段落</translation>
    </message>
    <message>
        <source>Dawid-Skene model</source>
        <translation>Dawid-Skene 模型</translation>
    </message>
    <message>
        <source>Depth and overlap must be 1 or more, got {depth} and {overlap}.</source>
        <translation>深度和重叠应为 1 或以上，现为 {depth} 和 {overlap}。</translation>
    </message>
    <message>
        <source>Depth k</source>
        <translation>深度 k</translation>
    </message>
    <message>
        <source>Difference in {measure}</source>
        <translation>{measure} 的差值</translation>
    </message>
    <message>
        <source>Difference in {measure} that topics can see</source>
        <translation>主题能看出的 {measure} 差异</translation>
    </message>
    <message>
        <source>Disagreement takes two rules or more of the same items.</source>
        <translation>比较分歧需要对相同条目使用两个或更多规则。</translation>
    </message>
    <message>
        <source>Discounted cumulated gain</source>
        <translation>折损累积增益</translation>
    </message>
    <message>
        <source>Discounted cumulative gain</source>
        <translation>折损累积增益</translation>
    </message>
    <message>
        <source>Document {document}</source>
        <translation>文档 {document}</translation>
    </message>
    <message>
        <source>Document {document} has no text in this project.</source>
        <translation>文档 {document} 在本项目中没有文本。</translation>
    </message>
    <message>
        <source>Document {document} is not to be judged for topic {topic}.</source>
        <translation>文档 {document} 不在主题 {topic} 的判断之列。</translation>
    </message>
    <message>
        <source>Document {document} of “{query}” has several ratings, and {form} holds one. Settle on qrels first.</source>
        <translation>“{query}”的文档 {document} 有多个评分，而{form}只容纳一个。请先确定 qrels。</translation>
    </message>
    <message>
        <source>Document {document} was not assigned for topic {topic}.</source>
        <translation>主题 {topic} 没有分配文档 {document}。</translation>
    </message>
    <message>
        <source>Document {first}: its text does not fit its hash, so it was changed.</source>
        <translation>文档 {first}：文本与其散列值不符，已被改动。</translation>
    </message>
    <message>
        <source>Document {id} has no text in this project.</source>
        <translation>文档 {id} 在本项目中没有文本。</translation>
    </message>
    <message>
        <source>Document {name} has no text in {file} and cannot be assigned.</source>
        <translation>文档 {name} 在 {file} 中没有文本，无法分配。</translation>
    </message>
    <message>
        <source>Document {name}: its text is missing.</source>
        <translation>文档 {name}：缺少文本。</translation>
    </message>
    <message>
        <source>Documents are compared within their topic.</source>
        <translation>文档在各自的主题内比较。</translation>
    </message>
    <message>
        <source>Documents drawn and not judged: {documents}{taken}.</source>
        <translation>已抽取但未判断的文档：{documents} 篇{taken}。</translation>
    </message>
    <message>
        <source>Documents in the collection</source>
        <translation>文档集中的文档数</translation>
    </message>
    <message>
        <source>Documents judged and not drawn: {documents}; left out.</source>
        <translation>已判断但未抽取的文档：{documents} 篇；不计入。</translation>
    </message>
    <message>
        <source>Documents left out of the lists, since they have no text: {textless} (for example {named}).</source>
        <translation>因没有文本而从列表中略去的文档：{textless} 篇（例如 {named}）。</translation>
    </message>
    <message>
        <source>Documents longer than {longest} letters: {cut}; the rest is not sent.</source>
        <translation>超过 {longest} 个字符的文档：{cut} 篇；超出部分不发送。</translation>
    </message>
    <message>
        <source>Documents that may speak to the model: {count}; look at what it says of them: {some}</source>
        <translation>可能在对模型说话的文档：{count} 篇；请留意模型对它们的判断：{some}</translation>
    </message>
    <message>
        <source>Documents that speak to whatever model grades them: {count} (for example {first}). Look at them.</source>
        <translation>对评分模型说话的文档：{count} 篇（例如 {first}）。请查看它们。</translation>
    </message>
    <message>
        <source>Documents that were in the project already and stay as they were: {known}.</source>
        <translation>已在项目中并保持原样的文档：{known} 篇。</translation>
    </message>
    <message>
        <source>Documents whose PDF file goes along: {documents}; for one assessor {size} MB at most.</source>
        <translation>随附 PDF 文件的文档数：{documents}；每位评判员最多 {size} MB。</translation>
    </message>
    <message>
        <source>Documents whose pages could not be drawn: {failed} ({names}). The files have their text alone.</source>
        <translation>无法绘制页面的文档：{failed}（{names}）。文件中只有这些文档的文本。</translation>
    </message>
    <message>
        <source>Documents whose pages go along as pictures: {documents}; for one assessor about {size} MB.</source>
        <translation>页面以图片形式随附的文档：{documents}；每位评判员约 {size} MB。</translation>
    </message>
    <message>
        <source>Documents: {new} read from {paths}.</source>
        <translation>文档：从 {paths} 读取了 {new} 篇。</translation>
    </message>
    <message>
        <source>Does the answer say this?</source>
        <translation>这个回答说到了这一点吗？</translation>
    </message>
    <message>
        <source>Does the passage support the sentence?</source>
        <translation>这个段落支持这句话吗？</translation>
    </message>
    <message>
        <source>Draw a share of what the runs retrieved; orders runs best for its cost, by infAP, and finds the fewest relevant documents.</source>
        <translation>从检索结果检出的文档中抽取一部分；按 infAP，同样的成本最能排出检索结果的次序，找到的相关文档最少。</translation>
    </message>
    <message>
        <source>Draw more from runs whose documents were relevant, with known probabilities, for estimates by Horvitz and Thompson.</source>
        <translation>从其文档相关的检索结果中多抽取，概率已知，供 Horvitz 与 Thompson 估计使用。</translation>
    </message>
    <message>
        <source>Drawing items</source>
        <translation>正在抽取条目</translation>
    </message>
    <message>
        <source>Drawing pages</source>
        <translation>正在绘制页面</translation>
    </message>
    <message>
        <source>Drawing topics</source>
        <translation>正在抽取主题</translation>
    </message>
    <message>
        <source>Drawing topics and assessors</source>
        <translation>正在抽取主题和评判员</translation>
    </message>
    <message>
        <source>Drawn at random from {rest} documents that nobody had judged: {drawn}; judged: {judged}; relevant: {relevant}.</source>
        <translation>从 {rest} 篇无人评判过的文档中随机抽取：{drawn}；已评判：{judged}；相关：{relevant}。</translation>
    </message>
    <message>
        <source>E measure</source>
        <translation>E 值</translation>
    </message>
    <message>
        <source>E measure at a rank</source>
        <translation>某名次处的 E 值</translation>
    </message>
    <message>
        <source>ERR / ERR of the ideal order of all judged documents, both over ranks 1 to k</source>
        <translation>ERR / 全部已判断文档理想顺序的 ERR，两者都取名次 1 到 k</translation>
    </message>
    <message>
        <source>ERR = sum of reaches·satisfied/r = {added} = {number}</source>
        <translation>ERR = 到达概率·满意概率/r 之和 = {added} = {number}</translation>
    </message>
    <message>
        <source>Each has {before} judgments already, got {overlap}. Ask for more.</source>
        <translation>每个已有 {before} 次评判，给出的是 {overlap}。请要求更多。</translation>
    </message>
    <message>
        <source>Each topic counts 1; a run&apos;s value is the number of topics evaluated.</source>
        <translation>每个主题计 1；检索结果的值是已评测的主题数。</translation>
    </message>
    <message>
        <source>Each two on the documents both judged, {scale} scale; {shared} Hatched: undefined, or the same assessor.</source>
        <translation>每两位评判员，按两人都判断的文档，{scale} 尺度；{shared} 斜线：未定义，或同一位评判员。</translation>
    </message>
    <message>
        <source>Effort</source>
        <translation>工作量</translation>
    </message>
    <message>
        <source>Eleven-point average precision</source>
        <translation>十一点平均精确率</translation>
    </message>
    <message>
        <source>Enough is drawn for topic {topic}: search anew, without it.</source>
        <translation>主题 {topic} 已抽够：请撇开它们重新查找。</translation>
    </message>
    <message>
        <source>Estimate {name} is not known; choose {known}.</source>
        <translation>没有名为 {name} 的估计；可选：{known}。</translation>
    </message>
    <message>
        <source>Estimate {name} needs {needs}, which this pool has not; choose {fit}.</source>
        <translation>估计 {name} 需要{needs}，此文档池不具备；可选：{fit}。</translation>
    </message>
    <message>
        <source>Evaluated {found}</source>
        <translation>已评测 {found}</translation>
    </message>
    <message>
        <source>Evaluating runs</source>
        <translation>正在评测检索结果</translation>
    </message>
    <message>
        <source>Evaluating with people&apos;s grades</source>
        <translation>用人的等级评测</translation>
    </message>
    <message>
        <source>Evaluating with the judgments of {name}</source>
        <translation>正在用 {name} 的判断评测</translation>
    </message>
    <message>
        <source>Evaluating with the model&apos;s grades</source>
        <translation>用模型的等级评测</translation>
    </message>
    <message>
        <source>Event {digest} does not fit its hash; its bytes were changed.</source>
        <translation>事件 {digest} 与其散列值不符；其字节被改动过。</translation>
    </message>
    <message>
        <source>Event {first}: it cannot be read.</source>
        <translation>事件 {first}：无法读取。</translation>
    </message>
    <message>
        <source>Event {sequence}: it cannot be read.</source>
        <translation>事件 {sequence}：无法读取。</translation>
    </message>
    <message>
        <source>Every document was judged for topic {topic}: nothing can be missing.</source>
        <translation>主题 {topic} 的每篇文档都已评判：不会有遗漏。</translation>
    </message>
    <message>
        <source>Every pair that people graded was used for choosing the prompt; none is left to measure the judge with.</source>
        <translation>人评过的每一对都用于选择提示词，没有剩下可用来衡量评判者的。</translation>
    </message>
    <message>
        <source>Everybody has a link of their own here. Revoke it, or let the person in again by another one.</source>
        <translation>这里每人都有自己的链接。可以撤销它，或用新链接让此人重新进入。</translation>
    </message>
    <message>
        <source>Expected reciprocal rank</source>
        <translation>期望倒数排名</translation>
    </message>
    <message>
        <source>F = {formula} = 0, since P and R are 0</source>
        <translation>F = {formula} = 0，因为 P 和 R 都为 0</translation>
    </message>
    <message>
        <source>F measure</source>
        <translation>F 值</translation>
    </message>
    <message>
        <source>F measure at a rank</source>
        <translation>某名次处的 F 值</translation>
    </message>
    <message>
        <source>Fair take N</source>
        <translation>公平取 N 篇</translation>
    </message>
    <message>
        <source>Fairly relevant</source>
        <translation>比较相关</translation>
    </message>
    <message>
        <source>False discovery rate</source>
        <translation>错误发现率</translation>
    </message>
    <message>
        <source>False negative rate</source>
        <translation>假阴性率</translation>
    </message>
    <message>
        <source>False negatives</source>
        <translation>假阴性数</translation>
    </message>
    <message>
        <source>False omission rate</source>
        <translation>错误遗漏率</translation>
    </message>
    <message>
        <source>False positive rate</source>
        <translation>假阳性率</translation>
    </message>
    <message>
        <source>False positives</source>
        <translation>假阳性数</translation>
    </message>
    <message>
        <source>Feedback {given} is not known; there is rm3.</source>
        <translation>未知的反馈方法 {given}；可用的是 rm3。</translation>
    </message>
    <message>
        <source>Fields that are not read: {named}{more}.</source>
        <translation>没有读取的字段：{named}{more}。</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Files back: {back} of {files}. Still out: {who}.</source>
        <translation>已收回文件：{back} / {files}。尚未收回：{who}。</translation>
    </message>
    <message>
        <source>Find relevant documents</source>
        <translation>找出相关文档</translation>
    </message>
    <message>
        <source>Finding the best documents needs their number, 1 or more.</source>
        <translation>找出最好的文档需要指定其数量，应为 1 或以上。</translation>
    </message>
    <message>
        <source>Finds go on: nothing says how many are left.</source>
        <translation>仍不断有新发现：无从得知还剩多少。</translation>
    </message>
    <message>
        <source>Finds have almost ended.</source>
        <translation>新发现几乎已经停止。</translation>
    </message>
    <message>
        <source>Fitting assessors</source>
        <translation>正在拟合评判员模型</translation>
    </message>
    <message>
        <source>Fleiss&apos; kappa</source>
        <translation>弗莱斯 κ 系数</translation>
    </message>
    <message>
        <source>Follow a run as often as it is likely to be the best.</source>
        <translation>某个检索结果有多大可能是最好的，就以多大的频率跟随它。</translation>
    </message>
    <message>
        <source>Follow a run while it brings relevant documents, then the run that disappointed least often.</source>
        <translation>只要一个检索结果带来相关文档就跟随它，然后换到最少令人失望的那个。</translation>
    </message>
    <message>
        <source>Follow the run of the highest share of relevant documents so far; finds most relevant documents.</source>
        <translation>跟随目前相关文档比例最高的检索结果；找到的相关文档最多。</translation>
    </message>
    <message>
        <source>Follow the run of the highest share of relevant documents, and now and then any run; less often as judging goes on.</source>
        <translation>跟随目前相关文档比例最高的检索结果，偶尔换任意一个；随着判断进行越来越少。</translation>
    </message>
    <message>
        <source>Follow the run that brought relevant documents of late; at each new judgment of a run its older ones count `rho` times as much.</source>
        <translation>跟随近来带来相关文档的检索结果；每有一次新判断，旧的判断只按 `rho` 倍计算。</translation>
    </message>
    <message>
        <source>Follow the run that may be the best, given how little is known of it; each run is tried once first.</source>
        <translation>考虑到所知不多，跟随可能最好的检索结果；每个检索结果先试一次。</translation>
    </message>
    <message>
        <source>Footrule of top-k lists, as a similarity</source>
        <translation>前 k 位列表的 footrule 距离（作为相似度）</translation>
    </message>
    <message>
        <source>For browsers: {sizes} of {most} MB at most.</source>
        <translation>用于浏览器：{sizes}，最大 {most} MB。</translation>
    </message>
    <message>
        <source>For {left} there are too few assessors who may make them (for example topic {topic}, document {document}; topics: {topics}).</source>
        <translation>有{left}找不到足够的评判员来做（例如主题 {topic}，文档 {document}；主题：{topics} 个）。</translation>
    </message>
    <message>
        <source>Form of ratings</source>
        <translation>评分格式</translation>
    </message>
    <message>
        <source>Found again: {again} of {target}; nothing is claimed before all are.</source>
        <translation>再次找到：{target} 篇中的 {again} 篇；全部找到之前不作任何断言。</translation>
    </message>
    <message>
        <source>Found and not taken, since nothing proves that they belong to the log: {some}.</source>
        <translation>找到但没有采用，因为无法证明它们属于日志：{some}。</translation>
    </message>
    <message>
        <source>Found outside the tables, and proven by their hashes: {found}.</source>
        <translation>在表之外找到，并由哈希值证实：{found}。</translation>
    </message>
    <message>
        <source>Found: with a chance of {percent} %, by a two-sided paired t-test at {alpha}, from the deviation of the runs&apos; own differences; for one pair alone, without a correction.</source>
        <translation>发现：以 {percent} % 的概率，用显著性水平 {alpha} 的双侧配对 t 检验，依据运行自身差值的标准差；只针对单独一对，不作校正。</translation>
    </message>
    <message>
        <source>Full support</source>
        <translation>完全支持</translation>
    </message>
    <message>
        <source>Fusing takes two runs or more, got {count}.</source>
        <translation>融合需要两个或以上的检索结果，给出的是 {count} 个。</translation>
    </message>
    <message>
        <source>G = {scale}, the highest grade. Who comes to a document is satisfied with probability (2^grade − 1) / 2^G, and stops.</source>
        <translation>G = {scale}，为最高等级。读者看到一篇文档时，以概率 (2^等级 − 1) / 2^G 感到满意并停止。</translation>
    </message>
    <message>
        <source>GLAD model</source>
        <translation>GLAD 模型</translation>
    </message>
    <message>
        <source>Gain = grade / {scale}, the highest grade. At most {most} documents are looked at: the lesser of K = {k} and depth = {depth}.</source>
        <translation>增益 = 等级 / {scale}（最高等级）。最多看 {most} 篇文档：K = {k} 与深度 = {depth} 中较小者。</translation>
    </message>
    <message>
        <source>Gain over rank</source>
        <translation>各名次的增益</translation>
    </message>
    <message>
        <source>Gave the grade {grade} {length} times in a row; others gave it in {share} % of the cases at most.</source>
        <translation>连续 {length} 次给出等级 {grade}；其他人给出该等级的比例最多为 {share} %。</translation>
    </message>
    <message>
        <source>Geometric mean of average precision</source>
        <translation>平均精确率的几何平均</translation>
    </message>
    <message>
        <source>Geometric mean of binary preference</source>
        <translation>二元偏好的几何平均</translation>
    </message>
    <message>
        <source>Give the steps too: the check finds the first that is wrong.</source>
        <translation>请把步骤也填上：检查会指出第一个错误的步骤。</translation>
    </message>
    <message>
        <source>Gold and qualification documents need known answers: import qrels that hold them first.</source>
        <translation>已知答案和资格测试的文档需要已知答案：请先导入含这些答案的 qrels。</translation>
    </message>
    <message>
        <source>Gold and repeats come once in 2 items or more; 0 is never.</source>
        <translation>已知答案的文档和重复文档至少每 2 篇一次；0 表示没有。</translation>
    </message>
    <message>
        <source>Grade of people</source>
        <translation>人的等级</translation>
    </message>
    <message>
        <source>Grade of the model</source>
        <translation>模型的等级</translation>
    </message>
    <message>
        <source>Grade {old} becomes both {grades} and {new}, expected one of them.</source>
        <translation>等级 {old} 既改为 {grades} 又改为 {new}，应为其中之一。</translation>
    </message>
    <message>
        <source>Grade {old} becomes {new}, expected a grade from 0 to {highest}, -1 for unjudged or -2 for unjudgeable.</source>
        <translation>等级 {old} 改为 {new}，应为 0 到 {highest} 的等级，-1 表示未判断，-2 表示无法判断。</translation>
    </message>
    <message>
        <source>Grades are gains; {discounts_say}.{averaged} {rests_on}</source>
        <translation>等级即增益；{discounts_say}。{averaged} {rests_on}</translation>
    </message>
    <message>
        <source>Grades of a model</source>
        <translation>模型的等级分布</translation>
    </message>
    <message>
        <source>Grades of {model} where people gave one</source>
        <translation>人给出等级之处 {model} 的等级</translation>
    </message>
    <message>
        <source>Greedy ideal ranking, gains: {shown}.</source>
        <translation>贪心理想排序，增益：{shown}。</translation>
    </message>
    <message>
        <source>Groups of documents</source>
        <translation>文档的群组</translation>
    </message>
    <message>
        <source>Gwet&apos;s AC1</source>
        <translation>Gwet AC1 系数</translation>
    </message>
    <message>
        <source>Gwet&apos;s AC2</source>
        <translation>Gwet AC2 系数</translation>
    </message>
    <message>
        <source>Half of the answers took {median} s or less; {share} % came before the first {words} words can be skimmed.</source>
        <translation>一半的回答用时不超过 {median} 秒；{share} % 的回答快于浏览前 {words} 个词所需的时间。</translation>
    </message>
    <message>
        <source>Highest grade of the scale</source>
        <translation>量表最高等级</translation>
    </message>
    <message>
        <source>Highest grade of the scale: {grade} ({source}).</source>
        <translation>量表的最高等级：{grade}（{source}）。</translation>
    </message>
    <message>
        <source>Highest precision there: the highest of {fractions} = {number}</source>
        <translation>此处的最高精确率：{fractions} 中最高的 = {number}</translation>
    </message>
    <message>
        <source>Highly relevant</source>
        <translation>高度相关</translation>
    </message>
    <message>
        <source>Holm</source>
        <translation>Holm 校正</translation>
    </message>
    <message>
        <source>How alike measures order systems</source>
        <translation>各指标给系统排序的相似程度</translation>
    </message>
    <message>
        <source>How far every two assessors agree on the documents both judged.</source>
        <translation>每两位评判员对共同判断过的文档一致到什么程度。</translation>
    </message>
    <message>
        <source>How many events there were cannot be known: the file does not say in a readable way. More may be lost.</source>
        <translation>无法知道原有多少事件：文件没有以可读的方式说明。丢失的可能更多。</translation>
    </message>
    <message>
        <source>How many judgments each gets is {overlap}, expected a whole number.</source>
        <translation>每篇文档的判断数是 {overlap}，应为整数。</translation>
    </message>
    <message>
        <source>How often a model gave each grade where people gave one.</source>
        <translation>在人给出某个等级之处，模型给出各等级的频率。</translation>
    </message>
    <message>
        <source>How the places of the systems change from measure to measure.</source>
        <translation>系统的名次怎样随指标变化。</translation>
    </message>
    <message>
        <source>How the topics of each run spread under one measure, as box plots, the best run on top.</source>
        <translation>每个检索结果的各主题在某一指标下如何分布，以箱线图表示，最好的在最上面。</translation>
    </message>
    <message>
        <source>How these numbers were made</source>
        <translation>这些数字是怎样得来的</translation>
    </message>
    <message>
        <source>I/O error</source>
        <translation>输入输出错误</translation>
    </message>
    <message>
        <source>Ideal discounted cumulative gain</source>
        <translation>理想折损累积增益</translation>
    </message>
    <message>
        <source>Ideal order of {whose}, gains: {value}.</source>
        <translation>{whose}的理想顺序，增益：{value}。</translation>
    </message>
    <message>
        <source>In ideal order the gains are {gains}, which comes to {ideal}</source>
        <translation>按理想次序，增益为 {gains}，合计 {ideal}</translation>
    </message>
    <message>
        <source>In the first {count} documents: {remark}</source>
        <translation>前 {count} 篇文档中：{remark}</translation>
    </message>
    <message>
        <source>Indexing documents</source>
        <translation>正在为文档建立索引</translation>
    </message>
    <message>
        <source>Inferred average precision</source>
        <translation>推断平均精确率</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Instructions: read from {file}. Lines: {splitlines}.</source>
        <translation>说明：已从 {file} 读取。共 {splitlines} 行。</translation>
    </message>
    <message>
        <source>Intent-aware average precision</source>
        <translation>意图感知平均精确率</translation>
    </message>
    <message>
        <source>Intent-aware expected reciprocal rank</source>
        <translation>意图感知期望倒数排名</translation>
    </message>
    <message>
        <source>Intent-aware precision</source>
        <translation>意图感知精确率</translation>
    </message>
    <message>
        <source>Interpolated at {levels} levels of recall: the highest precision where recall is at least as high.</source>
        <translation>在 {levels} 个召回率级别上插值：取召回率不低于该级别处的最高精确率。</translation>
    </message>
    <message>
        <source>Interpolated precision</source>
        <translation>插值精确率</translation>
    </message>
    <message>
        <source>Interpolated precision at 11 or 101 levels of recall, of one topic or averaged over all.</source>
        <translation>在 11 或 101 个召回率水平上的插值精确率，单个主题或全部主题的平均。</translation>
    </message>
    <message>
        <source>Interval of the difference: 95 %, {how}.</source>
        <translation>差异的区间：95 %，{how}。</translation>
    </message>
    <message>
        <source>Intervals of net preferences: {how}.</source>
        <translation>净偏好的区间：{how}。</translation>
    </message>
    <message>
        <source>It can be opened for reading; `irjudge rescue` makes a sound project of what can be read. A backup may hold more.</source>
        <translation>可以只读方式打开；`irjudge rescue` 可将能读出的内容做成完好的项目。备份中可能内容更多。</translation>
    </message>
    <message>
        <source>It cannot be known whether this is saved: {fault}</source>
        <translation>无法得知这是否已保存：{fault}</translation>
    </message>
    <message>
        <source>It cannot be known whether this is saved: {in_words} ({project}).</source>
        <translation>无法得知这是否已保存：{in_words}（{project}）。</translation>
    </message>
    <message>
        <source>It favours what imitates it: see circularity. Do not let it judge runs that it made.</source>
        <translation>它偏爱模仿它的结果：见循环性。不要让它评判自己产生的检索结果。</translation>
    </message>
    <message>
        <source>It grades {value} {more} than people on average.</source>
        <translation>它的等级平均比人{more} {value}。</translation>
    </message>
    <message>
        <source>It is the last of the column {column}: the calculation goes on from there.</source>
        <translation>这是 {column} 列的最后一个数：计算还要由此继续。</translation>
    </message>
    <message>
        <source>It is the score of {name}: look at what differs.</source>
        <translation>这是 {name} 的得分：请看看差别在哪里。</translation>
    </message>
    <message>
        <source>It is the value of {name}: look at what differs.</source>
        <translation>这是 {name} 的值：请看两者有何不同。</translation>
    </message>
    <message>
        <source>It may stand for {rate} of the people (in all {people}; alternative annotator test, epsilon {epsilon}); half is enough.</source>
        <translation>它可以代替其中 {rate} 的人（共 {people} 位；替代标注者检验，epsilon {epsilon}）；达到一半即可。</translation>
    </message>
    <message>
        <source>It rests on {drawn} documents drawn at random of {rest} that nobody had judged, {relevant} of them relevant.</source>
        <translation>依据是从无人评判的 {rest} 篇文档中随机抽取的 {drawn} 篇，其中 {relevant} 篇相关。</translation>
    </message>
    <message>
        <source>It was assigned from pool {pool}; the project is at pool {version} by now.</source>
        <translation>它从文档池 {pool} 分配；项目现在已是文档池 {version}。</translation>
    </message>
    <message>
        <source>It was handed in on {when} with another log: the head of that receipt is not in the file.</source>
        <translation>它于 {when} 提交时日志不同：该回执所指的最后一个事件不在文件中。</translation>
    </message>
    <message>
        <source>It was not handed in yet.</source>
        <translation>尚未提交。</translation>
    </message>
    <message>
        <source>It was not handed in yet; what is judged so far is taken.</source>
        <translation>它还没有提交；已取入目前的判断。</translation>
    </message>
    <message>
        <source>It was rescued from a damaged file, of which {losses_in_words} {rest} lost.</source>
        <translation>它是从损坏的文件中恢复的，其中 {losses_in_words} {rest}丢失。</translation>
    </message>
    <message>
        <source>Items for each assessor: {each} (in all {judgments}).</source>
        <translation>每位评判员的条目：{each}（共 {judgments}）。</translation>
    </message>
    <message>
        <source>Items for each assessor: {items} (in all {judgments}).</source>
        <translation>每位评判员的条目：{items}（共 {judgments}）。</translation>
    </message>
    <message>
        <source>Items for each assessor: {low} to {high} (in all {judgments}).</source>
        <translation>每位评判员的条目：{low} 到 {high}（共 {judgments}）。</translation>
    </message>
    <message>
        <source>Its sum: {best}</source>
        <translation>其和：{best}</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON Lines 格式</translation>
    </message>
    <message>
        <source>JSON lines of pairs</source>
        <translation>每行一对的 JSON</translation>
    </message>
    <message>
        <source>JSON list</source>
        <translation>JSON 列表</translation>
    </message>
    <message>
        <source>JSON object</source>
        <translation>JSON 对象</translation>
    </message>
    <message>
        <source>JSON of queries and their candidates</source>
        <translation>查询及其候选文档的 JSON</translation>
    </message>
    <message>
        <source>JSON that is no export of Label Studio; expected a list of its tasks, or a table with a header</source>
        <translation>这份 JSON 不是 Label Studio 的导出；应为其任务的列表，或带表头的表格</translation>
    </message>
    <message>
        <source>JSON, a pair on each line</source>
        <translation>JSON，每行一对</translation>
    </message>
    <message>
        <source>Jaccard coefficient</source>
        <translation>Jaccard 系数</translation>
    </message>
    <message>
        <source>Joined {run}</source>
        <translation>已关联 {run}</translation>
    </message>
    <message>
        <source>Judge the top of the runs whole and a sample of the rest, for estimates by xinfAP; with a size, the sample is what is left of it.</source>
        <translation>完整判断各检索结果的前几位，其余抽样，供 xinfAP 估计使用；给定数量时，样本为其中剩下的部分。</translation>
    </message>
    <message>
        <source>Judged = judged / n</source>
        <translation>Judged = 已判定数 / n</translation>
    </message>
    <message>
        <source>Judged by two assessors or more: {used} of {total} documents.</source>
        <translation>由两位或更多评判人评判：{total} 篇文档中的 {used} 篇。</translation>
    </message>
    <message>
        <source>Judged: {done} of {total}. Go on judging.</source>
        <translation>已判断：{done} / {total}。请继续判断。</translation>
    </message>
    <message>
        <source>Judged@{cutoff} = judged / min(k, n)</source>
        <translation>Judged@{cutoff} = 已判断数 / min(k, n)</translation>
    </message>
    <message>
        <source>Judgments of {assessor}</source>
        <translation>{assessor} 的判断</translation>
    </message>
    <message>
        <source>Judgments that nobody can take over, since each of the others had the document before: {left}.</source>
        <translation>没有人可以接手的判断，因为其他人此前都有过该文档：{left} 条。</translation>
    </message>
    <message>
        <source>Judgments: {rows} read from {file}. Assessors: {ledgers}.</source>
        <translation>判断：从 {file} 读取了 {rows} 条。评判员：{ledgers} 位。</translation>
    </message>
    <message>
        <source>Kendall distance of top-k lists, as a similarity</source>
        <translation>前 k 位列表的肯德尔距离（作为相似度）</translation>
    </message>
    <message>
        <source>Kendall&apos;s tau</source>
        <translation>肯德尔 τ</translation>
    </message>
    <message>
        <source>Kendall&apos;s tau-b</source>
        <translation>肯德尔 τ-b</translation>
    </message>
    <message>
        <source>Kendall&apos;s tau-b {tau_b} over </source>
        <translation>肯德尔 τ-b 为 {tau_b}，共 </translation>
    </message>
    <message>
        <source>Kendall&apos;s tau-b {tau}, AP correlation {ap}, tau-b of the best {top}. People: {source}.</source>
        <translation>肯德尔 tau-b {tau}，AP 相关 {ap}，前 {top} 名的 tau-b。人：{source}。</translation>
    </message>
    <message>
        <source>Known answers are grades of documents; a comparison has none.</source>
        <translation>已知答案是文档的等级；比较没有已知答案。</translation>
    </message>
    <message>
        <source>Krippendorff&apos;s alpha</source>
        <translation>克里彭多夫 α 系数</translation>
    </message>
    <message>
        <source>Krippendorff&apos;s alpha, ordinal</source>
        <translation>Krippendorff α（有序）</translation>
    </message>
    <message>
        <source>LISA queries</source>
        <translation>LISA 查询</translation>
    </message>
    <message>
        <source>LISA&apos;s lists of relevant documents</source>
        <translation>LISA 的相关文档列表</translation>
    </message>
    <message>
        <source>Label {scale} is not on the scale {listed}.</source>
        <translation>标签 {scale} 不在等级范围 {listed} 中。</translation>
    </message>
    <message>
        <source>Labels of models count nowhere until a source names one: {names}.</source>
        <translation>模型的标注在被指定为来源之前一概不计入：{names}。</translation>
    </message>
    <message>
        <source>Labels of the model {name}: {count} read from {file}.</source>
        <translation>模型 {name} 的标注：从 {file} 读入 {count} 个。</translation>
    </message>
    <message>
        <source>Last relevant document</source>
        <translation>最后一篇相关文档</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>正在学习</translation>
    </message>
    <message>
        <source>Learning needs documents and topics; the project lacks them.</source>
        <translation>学习需要文档和主题；该项目缺少它们。</translation>
    </message>
    <message>
        <source>Learning needs documents and topics; there are {documents} and {topics}.</source>
        <translation>学习需要文档和主题；现有文档 {documents}，主题 {topics}。</translation>
    </message>
    <message>
        <source>Learning takes a grade and a number of documents, each 1 or more; got {rel} and {size}.</source>
        <translation>学习需要一个等级和一个文档数，均不小于 1；得到的是 {rel} 和 {size}。</translation>
    </message>
    <message>
        <source>Learning takes a number of documents and a grade, each 1 or more; got {size} and {rel}.</source>
        <translation>学习需要一个文档数和一个等级，均不小于 1；得到的是 {size} 和 {rel}。</translation>
    </message>
    <message>
        <source>Learns from each judgment which document of the whole collection is most likely to be relevant; needs no runs.</source>
        <translation>从每个判断中学习整个文档集中哪篇文档最可能相关；不需要检索结果。</translation>
    </message>
    <message>
        <source>Lengths of documents</source>
        <translation>文档长度</translation>
    </message>
    <message>
        <source>Leniency of a model</source>
        <translation>模型的宽严</translation>
    </message>
    <message>
        <source>Leniency of {model}</source>
        <translation>{model} 的宽严</translation>
    </message>
    <message>
        <source>Liking for a side</source>
        <translation>偏向某一侧</translation>
    </message>
    <message>
        <source>Linear utility</source>
        <translation>线性效用</translation>
    </message>
    <message>
        <source>Lists that are identical, recorded and not shown: {same} of {made}.</source>
        <translation>相同而只记录、未显示的列表：{made} 对中的 {same} 对。</translation>
    </message>
    <message>
        <source>Looked at: {looked}</source>
        <translation>已查看：{looked}</translation>
    </message>
    <message>
        <source>Looking at assessors</source>
        <translation>查看评判员</translation>
    </message>
    <message>
        <source>Lost from the log: {some}.</source>
        <translation>日志中丢失：{some}。</translation>
    </message>
    <message>
        <source>Lower median</source>
        <translation>下中位数</translation>
    </message>
    <message>
        <source>Lowest possible average precision</source>
        <translation>可能的最低平均精确率</translation>
    </message>
    <message>
        <source>MACE model</source>
        <translation>MACE 模型</translation>
    </message>
    <message>
        <source>MS MARCO&apos;s top 1000</source>
        <translation>MS MARCO 的前 1000 名</translation>
    </message>
    <message>
        <source>Majority</source>
        <translation>多数</translation>
    </message>
    <message>
        <source>Marginally relevant</source>
        <translation>略微相关</translation>
    </message>
    <message>
        <source>Matthews correlation coefficient</source>
        <translation>马修斯相关系数</translation>
    </message>
    <message>
        <source>MaxMean, not stationary</source>
        <translation>MaxMean，非平稳</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean grade of the model</source>
        <translation>模型的平均等级</translation>
    </message>
    <message>
        <source>Mean of the topics&apos; ratios</source>
        <translation>各主题比值的平均</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Measures that point the same way</source>
        <translation>方向一致的指标</translation>
    </message>
    <message>
        <source>Met {met} of {gold} known answers; chance would give {chance}.</source>
        <translation>{gold} 个已知答案答对 {met} 个；随机作答约为 {chance} 个。</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>More answers that it takes</source>
        <translation>还需要的回答数</translation>
    </message>
    <message>
        <source>More overlap than assigned</source>
        <translation>比分配更多的重叠</translation>
    </message>
    <message>
        <source>Move to front</source>
        <translation>移到最前</translation>
    </message>
    <message>
        <source>Moves: {moves}. Allowed: {most}.</source>
        <translation>移动次数：{moves}。最多允许：{most}。</translation>
    </message>
    <message>
        <source>Must a good answer say this?</source>
        <translation>好的回答必须说到这一点吗？</translation>
    </message>
    <message>
        <source>N = {count} subtopics have a relevant document: {names}.</source>
        <translation>N = {count} 个子主题有相关文档：{names}。</translation>
    </message>
    <message>
        <source>N = {documents} documents, length {length}, mean length {mean}, k1 = {k1}, b = {b}.</source>
        <translation>N = {documents} 篇文档，长度 {length}，平均长度 {mean}，k1 = {k1}，b = {b}。</translation>
    </message>
    <message>
        <source>N = {documents} documents.</source>
        <translation>N = {documents} 篇文档。</translation>
    </message>
    <message>
        <source>N = {others} documents judged not relevant; m = min(R, N) = {least}. Unjudged documents are passed over.</source>
        <translation>N = {others} 篇判为不相关的文档；m = min(R, N) = {least}。跳过未判断的文档。</translation>
    </message>
    <message>
        <source>N, the number of subtopics</source>
        <translation>子主题数 N</translation>
    </message>
    <message>
        <source>NPL queries</source>
        <translation>NPL 查询</translation>
    </message>
    <message>
        <source>NPL&apos;s lists of relevant documents</source>
        <translation>NPL 的相关文档列表</translation>
    </message>
    <message>
        <source>NRBP over that of the greedy ideal ranking</source>
        <translation>NRBP / 贪心理想排序的 NRBP</translation>
    </message>
    <message>
        <source>NTCIR qrels, where L2 is grade 2</source>
        <translation>NTCIR 判定文件（L2 即等级 2）</translation>
    </message>
    <message>
        <source>NTCIR topics</source>
        <translation>NTCIR 主题</translation>
    </message>
    <message>
        <source>Name one measure or more, for example AP or nDCG@10; the catalogue of measures lists all.</source>
        <translation>请写出一个或多个指标，例如 AP 或 nDCG@10；指标目录列出全部指标。</translation>
    </message>
    <message>
        <source>Name the run to write; there are {value}.</source>
        <translation>请指明要写出的检索结果；现有 {value}。</translation>
    </message>
    <message>
        <source>Name those who may join: names with commas between them, or a file.</source>
        <translation>请写明谁可以加入：用逗号分隔的姓名，或一个文件。</translation>
    </message>
    <message>
        <source>Name two different runs, not {run} twice.</source>
        <translation>请指明两个不同的检索结果，而不是两次 {run}。</translation>
    </message>
    <message>
        <source>Needed: the topics that find the difference the runs have here, which is itself uncertain.</source>
        <translation>所需：能发现这些运行在此处所见差异的主题数；该差异本身也不确定。</translation>
    </message>
    <message>
        <source>Negative predictive value</source>
        <translation>阴性预测值</translation>
    </message>
    <message>
        <source>Neither qrels nor a run: {fault}</source>
        <translation>既不是 qrels 也不是检索结果：{fault}</translation>
    </message>
    <message>
        <source>Neither {first} nor {second} has the topic {topic}.</source>
        <translation>{first} 和 {second} 都没有主题 {topic}。</translation>
    </message>
    <message>
        <source>No document of the pool is left for a round.</source>
        <translation>池中没有剩余文档可用于新一轮。</translation>
    </message>
    <message>
        <source>No document of the round before is split: people agree. Take new documents, or the same again.</source>
        <translation>上一轮没有意见分歧的文档：大家意见一致。请用新文档，或同样的文档再来一轮。</translation>
    </message>
    <message>
        <source>No document was judged by two assessors, so agreement cannot be measured. Look at the values.</source>
        <translation>没有文档由两位评判员判断过，因此无法衡量一致性。请看评测值。</translation>
    </message>
    <message>
        <source>No evaluation is kept yet, so none is called {name}; `irjudge evaluate … --keep NAME` keeps one.</source>
        <translation>还没有保留任何评测，因此没有名为 {name} 的；`irjudge evaluate … --keep NAME` 可保留一个。</translation>
    </message>
    <message>
        <source>No exchange of two documents raises the value. Choose another topic or measure.</source>
        <translation>交换任何两篇文档都不能提高这个值。请选择另一个主题或指标。</translation>
    </message>
    <message>
        <source>No kept evaluation is called {name}; there are {names}.</source>
        <translation>没有名为 {name} 的已保留评测；现有 {names}。</translation>
    </message>
    <message>
        <source>No ratings came with the project: import those that judgments are to be held against as its qrels.</source>
        <translation>项目没有带来的评级：请把要与判断相比的评级作为项目的 qrels 导入。</translation>
    </message>
    <message>
        <source>No relevant document is retrieved, so all are looked at in vain.</source>
        <translation>没有检出相关文档，因此全部都白看了。</translation>
    </message>
    <message>
        <source>No relevant document is there.</source>
        <translation>其中没有相关文档。</translation>
    </message>
    <message>
        <source>No round is open.</source>
        <translation>没有进行中的轮次。</translation>
    </message>
    <message>
        <source>No run has a topic that was judged, so there is nothing to draw.</source>
        <translation>没有检索结果含已判断的主题，因此没有可绘制的内容。</translation>
    </message>
    <message>
        <source>No run is in {name} by its name, so there is nothing to compare; it has {runs}.</source>
        <translation>{name} 中没有同名的检索结果，无可比较；其中有 {runs}。</translation>
    </message>
    <message>
        <source>No run ranks documents for topic {topic}.</source>
        <translation>没有检索结果为主题 {topic} 排列文档。</translation>
    </message>
    <message>
        <source>No support</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>No topic has a document with {fewest} to {most} of its terms. Choose another topic, or one with more words.</source>
        <translation>没有任何主题的文档含有其 {fewest} 到 {most} 个词项。请选择另一个主题，或词更多的主题。</translation>
    </message>
    <message>
        <source>No topic has qrels and a ranking.</source>
        <translation>没有主题既有 qrels 又有排名。</translation>
    </message>
    <message>
        <source>No two runs differ on any topic, so no number of topics can tell them apart.</source>
        <translation>任意两个运行在所有主题上都相同，因此再多的主题也无法区分它们。</translation>
    </message>
    <message>
        <source>Nobody called {name} is here.</source>
        <translation>这里没有叫 {name} 的人。</translation>
    </message>
    <message>
        <source>Nobody can take over: each of the others had these documents before.</source>
        <translation>没有人可以接手：其他人此前都有过这些文档。</translation>
    </message>
    <message>
        <source>Nobody else has an assignment. Name who takes over.</source>
        <translation>其他人都没有分配。请指明由谁接手。</translation>
    </message>
    <message>
        <source>Nobody has the pool yet (pairs: {count}). Hand it out, or judge it yourself.</source>
        <translation>文档池还没有交给任何人（{count} 对）。请分发，或自己判断。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>不校正</translation>
    </message>
    <message>
        <source>None of the known answers is of an item that was labelled; their ids do not meet.</source>
        <translation>没有一个已知答案属于有标签的条目；它们的编号对不上。</translation>
    </message>
    <message>
        <source>None of these documents has a PDF file in the project, so no pages go along.</source>
        <translation>项目中没有这些文档的 PDF 文件，因此不随附页面。</translation>
    </message>
    <message>
        <source>None of these runs has the topic {first}.</source>
        <translation>这些检索结果都没有主题 {first}。</translation>
    </message>
    <message>
        <source>Normalised cumulated gain</source>
        <translation>归一化累积增益</translation>
    </message>
    <message>
        <source>Normalised cumulative gain</source>
        <translation>归一化累积增益</translation>
    </message>
    <message>
        <source>Normalised discounted cumulated gain</source>
        <translation>归一化折损累积增益</translation>
    </message>
    <message>
        <source>Normalised discounted cumulative gain</source>
        <translation>归一化折损累积增益</translation>
    </message>
    <message>
        <source>Normalised expected reciprocal rank</source>
        <translation>归一化期望倒数排名</translation>
    </message>
    <message>
        <source>Normalised gain</source>
        <translation>归一化增益</translation>
    </message>
    <message>
        <source>Normalised intent-aware expected reciprocal rank</source>
        <translation>归一化意图感知期望倒数排名</translation>
    </message>
    <message>
        <source>Normalised novelty- and rank-biased precision</source>
        <translation>归一化新颖性与排名偏置精确率</translation>
    </message>
    <message>
        <source>Norming rounds are for people who grade documents together; they compare nothing, and no panel sends them.</source>
        <translation>校准轮次用于一起给文档评级的人；其中不比较检索结果，也没有众包平台派来的人。</translation>
    </message>
    <message>
        <source>Norming rounds. People: {people}. Judgments of the newest round: {done} of {total}.</source>
        <translation>校准轮次。人数：{people}。最新一轮的判断：{done}/{total}。</translation>
    </message>
    <message>
        <source>Not all runs have the same topics: each pair is compared on those both have, so means can differ from those of an evaluation.</source>
        <translation>各检索结果的主题不完全相同：每一对只比较两者共有的主题，因此平均值可能与评测中的不同。</translation>
    </message>
    <message>
        <source>Not among the judgments: {what} ({count}).</source>
        <translation>不在判断之列：{what}（{count}）。</translation>
    </message>
    <message>
        <source>Not relevant</source>
        <translation>不相关</translation>
    </message>
    <message>
        <source>Not saved: the log of {db} did not take what was written to it.</source>
        <translation>未保存：{db} 的日志没有接受写入的内容。</translation>
    </message>
    <message>
        <source>Not saved: {fault}</source>
        <translation>未保存：{fault}</translation>
    </message>
    <message>
        <source>Not saved: {in_words} ({project}).</source>
        <translation>未保存：{in_words}（{project}）。</translation>
    </message>
    <message>
        <source>Not saved: {project} has judgments that were not made here. Either it is open under a second name too (a hard link), or a copy that went on was put in its place. Close it elsewhere, and open it here anew.</source>
        <translation>未保存：{project} 中有不是在这里做出的判断。它要么还以另一个名字（硬链接）打开着，要么被换成了一份继续判断过的副本。请在别处关闭它，再在这里重新打开。</translation>
    </message>
    <message>
        <source>Not saved: {project} was moved, deleted or replaced while it was open.</source>
        <translation>未保存：{project} 在打开期间被移动、删除或替换。</translation>
    </message>
    <message>
        <source>Not saved: {project} was overwritten with another file while it was open.</source>
        <translation>未保存：{project} 在打开期间被另一个文件覆盖。</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>没有说到</translation>
    </message>
    <message>
        <source>Nothing is open: questions answered before: {count}.</source>
        <translation>没有未答问题：此前已回答 {count} 个。</translation>
    </message>
    <message>
        <source>Nothing of an open round is shown. Close it first.</source>
        <translation>进行中的轮次不显示任何结果。请先关闭它。</translation>
    </message>
    <message>
        <source>Nothing of the pool is judged, so nothing can be estimated.</source>
        <translation>文档池中尚无判断，无法估计。</translation>
    </message>
    <message>
        <source>Nothing of this pool was left out by chance; where the pool is judged and nothing else, plain measures say the same.</source>
        <translation>此文档池没有随机略去任何文档；若恰好只判断了池中文档，普通指标的值与此相同。</translation>
    </message>
    <message>
        <source>Nothing relevant was found.</source>
        <translation>没有发现相关文档。</translation>
    </message>
    <message>
        <source>Novelty- and rank-biased precision</source>
        <translation>新颖性与排名偏置精确率</translation>
    </message>
    <message>
        <source>Nugget recall</source>
        <translation>要点召回率</translation>
    </message>
    <message>
        <source>Nuggets that answers support</source>
        <translation>答案支持的要点</translation>
    </message>
    <message>
        <source>Number of judged non-relevant retrieved</source>
        <translation>检索到的判为不相关文档数</translation>
    </message>
    <message>
        <source>Number of judged retrieved</source>
        <translation>检索到的已判断文档数</translation>
    </message>
    <message>
        <source>Number of relevant retrieved</source>
        <translation>检索到的相关文档数</translation>
    </message>
    <message>
        <source>Number of topics</source>
        <translation>主题数</translation>
    </message>
    <message>
        <source>Number relevant</source>
        <translation>相关文档数</translation>
    </message>
    <message>
        <source>Number retrieved</source>
        <translation>检索到的文档数</translation>
    </message>
    <message>
        <source>Numbers of gold, repeated and qualification documents must be 0 or more.</source>
        <translation>已知答案、重复和资格测试的文档数应为 0 或以上。</translation>
    </message>
    <message>
        <source>Of the sample {judged} of {drawn} are judged.</source>
        <translation>样本的 {drawn} 篇中已评判 {judged} 篇。</translation>
    </message>
    <message>
        <source>Of the {what} nothing can be read.</source>
        <translation>{what} 已无法读出。</translation>
    </message>
    <message>
        <source>Of the {what} nothing more can be read.</source>
        <translation>{what}中再也读不出别的内容。</translation>
    </message>
    <message>
        <source>Of what was drawn, {waiting} wait for a judgment of a person; the intervals need all of them.</source>
        <translation>抽取的文档中有 {waiting} 篇等待人的判断；区间需要全部判断。</translation>
    </message>
    <message>
        <source>Of {assessor} returned files brought {number}, and the log has {there}.</source>
        <translation>{assessor} 交回的文件带来 {number}，而日志中有 {there}。</translation>
    </message>
    <message>
        <source>Of {assessor}, {events} of the log do not count: irjudge writes none of such a form. `irjudge verify` says which.</source>
        <translation>{assessor} 有 {events} 不计入：irjudge 不会写出这种形式的事件。`irjudge verify` 会指出是哪些。</translation>
    </message>
    <message>
        <source>Of {assessor}, {what} wait for an event that is missing and do not count. Merge an untouched copy of the file, accept the gap (`irjudge merge --accept-gap`), or rescue the project (`irjudge rescue`).</source>
        <translation>{assessor} 的{what}在等待一个缺失的事件，不计入结果。请合并该文件未改动的副本，接受缺口（`irjudge merge --accept-gap`），或抢救该项目（`irjudge rescue`）。</translation>
    </message>
    <message>
        <source>Of {count} citations {full} support their sentence, and {partly} partly.</source>
        <translation>{count} 个引用中，{full} 个支持其句子，{partly} 个部分支持。</translation>
    </message>
    <message>
        <source>Of {count} documents shown again, {same} got the same grade.</source>
        <translation>在重复显示的 {count} 篇文档中，{same} 篇得到相同等级。</translation>
    </message>
    <message>
        <source>Of {count} nuggets the answer supports {full}, and {partly} partly.</source>
        <translation>{count} 个要点中，答案支持 {full} 个，部分支持 {partly} 个。</translation>
    </message>
    <message>
        <source>Of {count} sentences {full} are supported by their best citation, {none} by none.</source>
        <translation>{count} 个句子中，{full} 个得到其最佳引用的支持，{none} 个没有任何支持。</translation>
    </message>
    <message>
        <source>Of {pairs} pairs, the share of those that people gave a grade. People: {source}.</source>
        <translation>{pairs} 对中，占人给出该等级的对的份额。人：{source}。</translation>
    </message>
    <message>
        <source>Of {rest} documents that nobody judged {drawn} were drawn, and {relevant} of these are relevant: that cannot be.</source>
        <translation>从无人评判的 {rest} 篇文档中抽取了 {drawn} 篇，其中 {relevant} 篇相关：这不可能。</translation>
    </message>
    <message>
        <source>Of {topics} drawn topics it must be known out of how many they were drawn, and not fewer; got {out_of}.</source>
        <translation>对抽取的 {topics} 个主题，须知道它们抽自多少个主题，且不得更少；得到的是 {out_of}。</translation>
    </message>
    <message>
        <source>Okay</source>
        <translation>一般</translation>
    </message>
    <message>
        <source>On a page stand {least} to {most} documents, or 0 for one at a time; got {count}.</source>
        <translation>一页可以有 {least} 到 {most} 篇文档，0 表示一次一篇；得到的是 {count}。</translation>
    </message>
    <message>
        <source>One file carries {most} MB of them at most.</source>
        <translation>一个文件最多携带其中的 {most} MB。</translation>
    </message>
    <message>
        <source>One measure for every run and topic, the best runs on top and the easiest topics at the left.</source>
        <translation>每个检索结果和主题的某一指标，最好的检索结果在上，最容易的主题在左。</translation>
    </message>
    <message>
        <source>One-coin model</source>
        <translation>单硬币模型 (one-coin)</translation>
    </message>
    <message>
        <source>Only documents that the pool, runs or qrels need were read: {wanted} needed, {missing} not found.</source>
        <translation>只读取了文档池、检索结果或 qrels 需要的文档：需要 {wanted} 篇，未找到 {missing} 篇。</translation>
    </message>
    <message>
        <source>Only models judged here, and their labels count where a source names them: {named}.</source>
        <translation>这里只有模型判断过，它们的标注只在被指定为来源时才计入：{named}。</translation>
    </message>
    <message>
        <source>Only people of sessions count, as was chosen. Left out: {count}.</source>
        <translation>按所选，只计入共同评判的参加者。未计入：{count} 位。</translation>
    </message>
    <message>
        <source>OpenSearch judgments</source>
        <translation>OpenSearch 判断</translation>
    </message>
    <message>
        <source>OpenSearch judgments (JSON)</source>
        <translation>OpenSearch 判断 (JSON)</translation>
    </message>
    <message>
        <source>Ordering</source>
        <translation>次序</translation>
    </message>
    <message>
        <source>Orders are compared between two assessors or more, got {workers}.</source>
        <translation>比较顺序需要两位或更多评判员，现为 {workers}。</translation>
    </message>
    <message>
        <source>Orders by {measure} (systems: {count}): tau-b {tau}, AP correlation {ap} (tied systems count as wrong), tau-b of the best {top} {of_top}; topic by topic {by_topic}.</source>
        <translation>按 {measure} 的顺序（系统 {count} 个）：tau-b {tau}，AP 相关 {ap}（并列系统算错），最好的 {top} 个的 tau-b {of_top}；逐主题 {by_topic}。</translation>
    </message>
    <message>
        <source>Orders of {runs} systems by measure, {statistic}</source>
        <translation>各指标下 {runs} 个系统的顺序，{statistic}</translation>
    </message>
    <message>
        <source>Orders systems, does not replace grades.</source>
        <translation>能给系统排序，不能代替等级。</translation>
    </message>
    <message>
        <source>Overlap of relevant documents</source>
        <translation>相关文档的重叠</translation>
    </message>
    <message>
        <source>P = relevant retrieved / retrieved</source>
        <translation>P = 检出的相关文档数 / 检出文档数</translation>
    </message>
    <message>
        <source>P@{cutoff} = relevant in the top {cutoff} / {cutoff}</source>
        <translation>P@{cutoff} = 前 {cutoff} 位中的相关文档数 / {cutoff}</translation>
    </message>
    <message>
        <source>Page {code} does not exist: a digit is wrong or two changed places. Look at the page again.</source>
        <translation>没有编码为 {code} 的页：有一位数字错了，或两位颠倒了。请再看一下纸页。</translation>
    </message>
    <message>
        <source>Page {code} has {documents} documents, got {ticks} ticks.</source>
        <translation>第 {code} 页有 {documents} 个文档，却录入了 {ticks} 个勾选。</translation>
    </message>
    <message>
        <source>Page {code} is of no booklet of this project, which has {count} pages.</source>
        <translation>第 {code} 页不属于本项目的任何判断册；本项目的判断册共 {count} 页。</translation>
    </message>
    <message>
        <source>Page {code} was printed with another scale than the project has now.</source>
        <translation>第 {code} 页打印时所用的等级与项目现在的等级不同。</translation>
    </message>
    <message>
        <source>Page {number} of {count}</source>
        <translation>第 {number} 页，共 {count} 页</translation>
    </message>
    <message>
        <source>Paired permutation test (Fisher&apos;s randomisation)</source>
        <translation>配对置换检验（Fisher 随机化检验）</translation>
    </message>
    <message>
        <source>Paired t-test</source>
        <translation>配对 t 检验</translation>
    </message>
    <message>
        <source>Pairs by assessor</source>
        <translation>按评判员分的各对</translation>
    </message>
    <message>
        <source>Pairs by topic</source>
        <translation>按主题分的各对</translation>
    </message>
    <message>
        <source>Pairs judged after its grade was shown: {pairs}; people who see a grade agree with it more.</source>
        <translation>看到其等级之后才判断的文档对：{pairs}；看到等级的人更容易与它一致。</translation>
    </message>
    <message>
        <source>Pairs left out, as the prompt was chosen on them: {pairs}.</source>
        <translation>因用于选择提示词而排除的对：{pairs}。</translation>
    </message>
    <message>
        <source>Pairs of systems that differ significantly: {both} under both, {people} under people alone, {model} under the model alone, {opposite} in opposite directions.</source>
        <translation>差异显著的系统对：两者都显著 {both} 对，仅按人显著 {people} 对，仅按模型显著 {model} 对，方向相反 {opposite} 对。</translation>
    </message>
    <message>
        <source>Pairs of the pool that nobody has judged or been given: {count}. Hand them out.</source>
        <translation>文档池中无人判断也未分发的：{count} 对。请分发。</translation>
    </message>
    <message>
        <source>Pairs of topic and document: {pairs}; documents: {documents}; topics: {topics}.</source>
        <translation>主题与文档对：{pairs}；文档：{documents}；主题：{topics}。</translation>
    </message>
    <message>
        <source>Pairs that the model graded and people did not: {rest}; they say nothing here.</source>
        <translation>模型评过而人没有评过的对：{rest}；在此不说明任何问题。</translation>
    </message>
    <message>
        <source>Pairs that two or more judged: {count}. See how far they agree.</source>
        <translation>有两人或更多人判断的：{count} 对。看看他们有多一致。</translation>
    </message>
    <message>
        <source>Pairs with a grade: {count}. See what the runs are worth.</source>
        <translation>有等级的：{count} 对。看看各检索结果的优劣。</translation>
    </message>
    <message>
        <source>Pairs with a grade: {count}. Write them as qrels.</source>
        <translation>有等级的：{count} 对。请写成 qrels。</translation>
    </message>
    <message>
        <source>Pairs without a valid answer: {pairs}; they are unjudged, never 0.</source>
        <translation>没有有效回答的对：{pairs}；它们算未判断，绝不算 0。</translation>
    </message>
    <message>
        <source>Pairs: {pairs}; topics: {topics}.</source>
        <translation>对数：{pairs}；主题：{topics}。</translation>
    </message>
    <message>
        <source>Panels to compare: {judgments}; pairs: {pairs}; topics: {topics}.</source>
        <translation>要比较的面板：{judgments}；对：{pairs}；主题：{topics}。</translation>
    </message>
    <message>
        <source>Partial support</source>
        <translation>部分支持</translation>
    </message>
    <message>
        <source>Partly relevant</source>
        <translation>部分相关</translation>
    </message>
    <message>
        <source>Partly supported</source>
        <translation>部分说到</translation>
    </message>
    <message>
        <source>Paths are pairs such as &quot;hits=result.items,id=key&quot;; hits and id are needed, of {parts}; got {said}.</source>
        <translation>路径应成对写出，例如 &quot;hits=result.items,id=key&quot;；在 {parts} 中，hits 和 id 必不可少；得到的是 {said}。</translation>
    </message>
    <message>
        <source>People and the model share no pair of topic and document that both graded.</source>
        <translation>人和模型没有共同判断过的主题与文档对。</translation>
    </message>
    <message>
        <source>People in the session: {people}. All {total} judgments are there: end it.</source>
        <translation>共同评判有 {people} 人。{total} 个判断已全部完成：请结束。</translation>
    </message>
    <message>
        <source>People join a session by one of {joins}.</source>
        <translation>加入方式须为以下之一：{joins}。</translation>
    </message>
    <message>
        <source>People judge together: {people}. Judgments: {done} of {total}.</source>
        <translation>正在共同评判：{people} 人。判断：{done}/{total}。</translation>
    </message>
    <message>
        <source>People judged {labels} of what was drawn; below {few} intervals are a little too short.</source>
        <translation>抽取的文档中人判断了 {labels} 篇；少于 {few} 篇时区间略偏短。</translation>
    </message>
    <message>
        <source>People judged {labels} of what was drawn; under {least} the intervals do not hold, so none is given.</source>
        <translation>人判断了抽出文档中的 {labels} 个；少于 {least} 个时区间不成立，因此不给出。</translation>
    </message>
    <message>
        <source>People of sessions do not count, as was chosen. Left out: {count}.</source>
        <translation>按所选，不计入共同评判的参加者。未计入：{count} 位。</translation>
    </message>
    <message>
        <source>People&apos;s mean grade</source>
        <translation>人的平均等级</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Places of systems by measure</source>
        <translation>各指标下系统的名次</translation>
    </message>
    <message>
        <source>Places of {runs} systems by measure</source>
        <translation>各指标下 {runs} 个系统的名次</translation>
    </message>
    <message>
        <source>Plain depth</source>
        <translation>按深度</translation>
    </message>
    <message>
        <source>Policy: {policy}.{qrels}</source>
        <translation>评测设置：{policy}。{qrels}</translation>
    </message>
    <message>
        <source>Pool: strategy {strategy}{settings}; runs: {runs}; topics: {topics}; documents to judge: {pairs}.</source>
        <translation>评判池：策略 {strategy}{settings}；检索结果：{runs} 个；主题：{topics} 个；待评文档：{pairs} 篇。</translation>
    </message>
    <message>
        <source>Pool: {pairs} pairs from the top {depth} of each run.</source>
        <translation>文档池：{pairs} 对，取自每个检索结果的前 {depth} 位。</translation>
    </message>
    <message>
        <source>Pooled documents that have no text and are not assigned: {textless} (for example {named}).</source>
        <translation>没有文本而未分配的入池文档：{textless} 篇（例如 {named}）。</translation>
    </message>
    <message>
        <source>Positive agreement</source>
        <translation>阳性一致率</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精确率</translation>
    </message>
    <message>
        <source>Precision and recall as the ranking is read: at each relevant document of a topic, or averaged at each rank.</source>
        <translation>顺着排序读下去的精确率和召回率：在一个主题的每篇相关文档处，或在每个名次上取平均。</translation>
    </message>
    <message>
        <source>Precision at a multiple of R</source>
        <translation>R 的倍数处的精确率</translation>
    </message>
    <message>
        <source>Precision over recall</source>
        <translation>精确率–召回率曲线</translation>
    </message>
    <message>
        <source>Precision over recall, not interpolated</source>
        <translation>精确率–召回率曲线，未插值</translation>
    </message>
    <message>
        <source>Precision over recall, not interpolated, {whose}</source>
        <translation>精确率–召回率曲线，未插值，{whose}</translation>
    </message>
    <message>
        <source>Precision over recall, {whose}</source>
        <translation>精确率–召回率曲线，{whose}</translation>
    </message>
    <message>
        <source>Prefer documents of a high median score where they are retrieved.</source>
        <translation>优先选择在被检出处得分中位数高的文档。</translation>
    </message>
    <message>
        <source>Prefer documents of high scores in many runs, and those that many runs agree on; finds many relevant documents.</source>
        <translation>优先选择在许多检索结果中得分高、并且许多检索结果一致的文档；找到许多相关文档。</translation>
    </message>
    <message>
        <source>Prefer documents of high scores in many runs.</source>
        <translation>优先选择在许多检索结果中得分高的文档。</translation>
    </message>
    <message>
        <source>Prefer documents of low rank sums; a run ranks those it lacks at the mean of the places that are left.</source>
        <translation>优先选择名次之和低的文档；检索结果缺少的文档按剩余名次的平均计。</translation>
    </message>
    <message>
        <source>Prefer documents that beat most others, in duels by majority of the runs.</source>
        <translation>优先选择在检索结果多数对决中胜过大多数其他文档的文档。</translation>
    </message>
    <message>
        <source>Prefer documents that many runs rank high; needs no scores and no judgments.</source>
        <translation>优先选择许多检索结果都排在前面的文档；不需要得分，也不需要判断。</translation>
    </message>
    <message>
        <source>Prefer documents that no run that retrieved them scores low.</source>
        <translation>优先选择没有任何检出它的检索结果给出低分的文档。</translation>
    </message>
    <message>
        <source>Prefer documents that score high wherever they are retrieved, however few runs that are.</source>
        <translation>优先选择凡被检出处得分都高的文档，不论检索结果有多少。</translation>
    </message>
    <message>
        <source>Prefer documents that some run scores high.</source>
        <translation>优先选择某个检索结果给出高分的文档。</translation>
    </message>
    <message>
        <source>Prefer documents that weigh most in runs of which least is known; judged documents count, their grades do not.</source>
        <translation>优先选择在所知最少的检索结果中权重最大的文档；已判断的文档计入，其等级不计。</translation>
    </message>
    <message>
        <source>Prefer documents that weigh most in runs that may be the best.</source>
        <translation>优先选择在可能最好的检索结果中权重最大的文档。</translation>
    </message>
    <message>
        <source>Prefer documents that weigh most in the runs&apos; discounted cumulative gain.</source>
        <translation>优先选择在检索结果的折损累积增益中权重最大的文档。</translation>
    </message>
    <message>
        <source>Prefer documents that weigh most in the runs&apos; rank-biased precision.</source>
        <translation>优先选择在检索结果的等级偏置精确率中权重最大的文档。</translation>
    </message>
    <message>
        <source>Prefer what most runs retrieved.</source>
        <translation>优先选择大多数检索结果检出的文档。</translation>
    </message>
    <message>
        <source>Prefer what the runs rank high whose documents were relevant so far.</source>
        <translation>优先选择那些此前文档相关的检索结果排在前面的文档。</translation>
    </message>
    <message>
        <source>Probably about as many again.</source>
        <translation>大概还有差不多同样多的相关文档。</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>规则集</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>P·R, with set precision P and set recall R</source>
        <translation>P·R，P 为集合精确率，R 为集合召回率</translation>
    </message>
    <message>
        <source>Q = sum / R</source>
        <translation>Q = 总和 / R</translation>
    </message>
    <message>
        <source>Q = sum / min(k, R)</source>
        <translation>Q = 总和 / min(k, R)</translation>
    </message>
    <message>
        <source>Q-measure</source>
        <translation>Q 指标</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>相关性评判（qrels）</translation>
    </message>
    <message>
        <source>Qrels as `irjudge export` writes them</source>
        <translation>`irjudge export` 写出的 qrels</translation>
    </message>
    <message>
        <source>Qrels take documents of topics; these labels name items. Give the columns topic and document.</source>
        <translation>qrels 需要主题的文档；这些标签写的是条目。请给出 topic 和 document 两列。</translation>
    </message>
    <message>
        <source>Qrels take whole grades of 0 or more; the {title} of these labels is none.</source>
        <translation>qrels 需要 0 或以上的整数等级；这些标签的 {title} 不符合。</translation>
    </message>
    <message>
        <source>Qrels take whole grades, which the {title} does not give; choose {whole}.</source>
        <translation>qrels 需要整数等级，而{title}不给出整数等级；请选择 {whole}。</translation>
    </message>
    <message>
        <source>Qrels {file}</source>
        <translation>qrels：{file}</translation>
    </message>
    <message>
        <source>Qrels {name}</source>
        <translation>qrels {name}</translation>
    </message>
    <message>
        <source>Qrels {name} are read. Judgments: {qrels}; topics: {topics}.</source>
        <translation>已读取 qrels {name}。判断：{qrels} 条；主题：{topics} 个。</translation>
    </message>
    <message>
        <source>Qrels {name}: grades that the scale ({scale}) does not have, {strange}, count as they are.</source>
        <translation>相关性判断 {name}：量表（{scale}）中没有的等级 {strange} 按原值计算。</translation>
    </message>
    <message>
        <source>Qrels {name}: topics without judgments: {bare} (for example {first}).</source>
        <translation>qrels {name}：没有判断的主题：{bare} 个（例如 {first}）。</translation>
    </message>
    <message>
        <source>Qrels: {chosen}.</source>
        <translation>qrels：{chosen}。</translation>
    </message>
    <message>
        <source>Quadratic kappa is {value}: does the scale run backwards?</source>
        <translation>二次加权 κ 为 {value}：量表方向是否反了？</translation>
    </message>
    <message>
        <source>Quepid information needs</source>
        <translation>Quepid 信息需求</translation>
    </message>
    <message>
        <source>Quepid ratings</source>
        <translation>Quepid 评分</translation>
    </message>
    <message>
        <source>Quepid ratings (CSV)</source>
        <translation>Quepid 评分 (CSV)</translation>
    </message>
    <message>
        <source>Queries whose scores do not fall from hit to hit, so that their hits are ranked as they stand: {count}.</source>
        <translation>得分没有逐条下降、因而按出现顺序排列的查询：{count}。</translation>
    </message>
    <message>
        <source>Query likelihood, Dirichlet</source>
        <translation>查询似然，Dirichlet 平滑</translation>
    </message>
    <message>
        <source>Query likelihood, Jelinek-Mercer</source>
        <translation>查询似然，Jelinek-Mercer 平滑</translation>
    </message>
    <message>
        <source>Questions without an answer: {count}.</source>
        <translation>没有回答的问题：{count} 个。</translation>
    </message>
    <message>
        <source>R = relevant retrieved / relevant</source>
        <translation>R = 检出的相关文档数 / 相关文档数</translation>
    </message>
    <message>
        <source>R, the number of documents that gain,</source>
        <translation>R（有增益的文档数）</translation>
    </message>
    <message>
        <source>R-precision</source>
        <translation>R 精确率</translation>
    </message>
    <message>
        <source>R@{cutoff} = relevant in the top {cutoff} / R</source>
        <translation>R@{cutoff} = 前 {cutoff} 位中的相关文档数 / R</translation>
    </message>
    <message>
        <source>RBP = (1 − p)·sum = {rest}·{sum} = {value}</source>
        <translation>RBP = (1 − p)·总和 = {rest}·{sum} = {value}</translation>
    </message>
    <message>
        <source>RBP mass</source>
        <translation>RBP 权重和</translation>
    </message>
    <message>
        <source>RBP mass × residual</source>
        <translation>RBP 权重和 × 剩余量</translation>
    </message>
    <message>
        <source>RBP mass × residual × quality</source>
        <translation>RBP 权重和 × 剩余量 × 质量</translation>
    </message>
    <message>
        <source>RR = 0: none is relevant.</source>
        <translation>RR = 0：没有相关文档。</translation>
    </message>
    <message>
        <source>RR = 1 / rank of the first relevant document = 1 / {first} = {number}</source>
        <translation>RR = 1 / 首篇相关文档的名次 = 1 / {first} = {number}</translation>
    </message>
    <message>
        <source>RRE ratings</source>
        <translation>RRE 评分</translation>
    </message>
    <message>
        <source>RRE ratings (JSON)</source>
        <translation>RRE 评分 (JSON)</translation>
    </message>
    <message>
        <source>Random sample</source>
        <translation>随机抽样</translation>
    </message>
    <message>
        <source>Randomised Tukey HSD</source>
        <translation>随机化 Tukey HSD 检验</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Rank systems</source>
        <translation>给系统排序</translation>
    </message>
    <message>
        <source>Rank-biased overlap, extrapolated</source>
        <translation>等级偏置重叠，外推值</translation>
    </message>
    <message>
        <source>Rank-biased overlap, residual</source>
        <translation>等级偏置重叠，剩余量</translation>
    </message>
    <message>
        <source>Rank-biased overlap, the least possible</source>
        <translation>等级偏置重叠，可能的最小值</translation>
    </message>
    <message>
        <source>Rank-biased precision</source>
        <translation>排名偏置精确率</translation>
    </message>
    <message>
        <source>Ranker</source>
        <translation>排序方法</translation>
    </message>
    <message>
        <source>Ratings are compared with whole grades of documents of topics; the table gives the columns topic and document.</source>
        <translation>评级只与主题文档的整数等级比较；表格须有 topic 和 document 两列。</translation>
    </message>
    <message>
        <source>Raw agreement</source>
        <translation>原始一致率</translation>
    </message>
    <message>
        <source>Read are {snippet} characters of each document and {share} of each relevant one.</source>
        <translation>每篇文档读 {snippet} 个字符，每篇相关文档再读其 {share}。</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>Reading documents</source>
        <translation>正在读取文档</translation>
    </message>
    <message>
        <source>Reading judgments</source>
        <translation>正在读取判断</translation>
    </message>
    <message>
        <source>Reading runs</source>
        <translation>正在读取检索结果</translation>
    </message>
    <message>
        <source>Reading the runs</source>
        <translation>正在读取检索结果</translation>
    </message>
    <message>
        <source>Reading {file}</source>
        <translation>正在读取 {file}</translation>
    </message>
    <message>
        <source>Reading {what}</source>
        <translation>正在读取 {what}</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>Recall above {lower} up to {upper} has the relevant documents {begin} to {last} of {relevant}.</source>
        <translation>召回率大于 {lower} 且不超过 {upper} 的，是 {relevant} 篇相关文档中的第 {begin} 到 {last} 篇。</translation>
    </message>
    <message>
        <source>Recall is at least {recall} with 95 %: a search that did not know them found all {target} relevant documents again.</source>
        <translation>查全率以 95 % 的置信水平至少为 {recall}：不知道它们的一次查找又找到了全部 {target} 篇相关文档。</translation>
    </message>
    <message>
        <source>Recall is at least {recall} with {level}: {held} relevant documents are found, and at most {missed} are not.</source>
        <translation>以 {level} 的置信水平，查全率至少为 {recall}：已发现 {held} 篇相关文档，至多遗漏 {missed} 篇。</translation>
    </message>
    <message>
        <source>Recall {show} of R = {relevant}</source>
        <translation>R = {relevant} 时的召回率 {show}</translation>
    </message>
    <message>
        <source>Recall {show} of R = {relevant} needs {wanted} relevant documents</source>
        <translation>R = {relevant} 时，召回率 {show} 需要 {wanted} 篇相关文档</translation>
    </message>
    <message>
        <source>Receipt {code}</source>
        <translation>回执 {code}</translation>
    </message>
    <message>
        <source>Receipt {code}: {actions}.</source>
        <translation>回执 {code}：{actions}。</translation>
    </message>
    <message>
        <source>Reciprocal rank</source>
        <translation>倒数排名</translation>
    </message>
    <message>
        <source>Reciprocal rank fusion</source>
        <translation>倒数排名融合</translation>
    </message>
    <message>
        <source>Relative precision</source>
        <translation>相对精确率</translation>
    </message>
    <message>
        <source>Relative set precision</source>
        <translation>相对集合精确率</translation>
    </message>
    <message>
        <source>Relevant</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>Relevant documents by source: {source}: {relevant} of {judged} judged, {share} of all relevant ones.</source>
        <translation>各来源的相关文档：{source}：已评判 {judged} 篇中有 {relevant} 篇相关，占全部相关文档的 {share}。</translation>
    </message>
    <message>
        <source>Relevant for each subtopic: {counts}.</source>
        <translation>与各子主题相关：{counts}。</translation>
    </message>
    <message>
        <source>Relevant in the ranks looked at: {relevant}; judged not relevant there: {others}; unjudged there: {unjudged}; judged in all: {judged}.</source>
        <translation>所看名次中相关：{relevant}；其中判为不相关：{others}；其中未判断：{unjudged}；已判断总数：{judged}。</translation>
    </message>
    <message>
        <source>Relevant: grade {rel} or more.</source>
        <translation>相关：{rel} 级或以上。</translation>
    </message>
    <message>
        <source>Requests: {requests}, about {sent} tokens sent and at most {written} written, if each is answered at once. Answered before: {answered}.</source>
        <translation>请求：{requests} 个，若每个都一次得到回答，约发送 {sent} 个词元，最多生成 {written} 个。此前已回答：{answered}。</translation>
    </message>
    <message>
        <source>Residual of rank-biased precision</source>
        <translation>排名偏置精确率的残差</translation>
    </message>
    <message>
        <source>Return AC1 where grades near to each other agree in part: at most 1.</source>
        <translation>相近等级算部分一致时的 AC1：最大为 1。</translation>
    </message>
    <message>
        <source>Return Krippendorff&apos;s alpha: at most 1; 0 is what chance gives. Any number of labels an item, any of them missing.</source>
        <translation>克里彭多夫 α：最大为 1，0 为随机水平。每项的标签数不限，可有缺失。</translation>
    </message>
    <message>
        <source>Return agreement corrected for chance as if both workers used the grades alike: at most 1.</source>
        <translation>假设两人使用各等级的方式相同、扣除随机后的一致性：最大为 1。</translation>
    </message>
    <message>
        <source>Return agreement corrected for the chance that all grades of the scale are equally usual: at most 1.</source>
        <translation>假设量表各等级同样常见、扣除随机后的一致性：最大为 1。</translation>
    </message>
    <message>
        <source>Return agreement corrected for the chance that each worker&apos;s own use of the grades gives: at most 1.</source>
        <translation>按每人各自使用等级的方式扣除随机后的一致性：最大为 1。</translation>
    </message>
    <message>
        <source>Return raw agreement corrected for chance in a way that rare grades do not upset: at most 1.</source>
        <translation>以不受罕见等级影响的方式扣除随机后的原始一致率：最大为 1。</translation>
    </message>
    <message>
        <source>Return raw agreement corrected for chance, where each item has equally many labels: at most 1; 0 is what chance gives.</source>
        <translation>每项标签数相同时，扣除随机后的原始一致率：最大为 1，0 为随机水平。</translation>
    </message>
    <message>
        <source>Return the chance that another worker calls relevant what one called relevant: 0 to 1; F1 for two workers.</source>
        <translation>一人判为相关的，另一人也判为相关的概率：0 到 1；两人时即 F1。</translation>
    </message>
    <message>
        <source>Return the mean over items of the share of pairs of labels that are the same: 0 to 1.</source>
        <translation>各项中相同标签对所占比例的平均：0 到 1。</translation>
    </message>
    <message>
        <source>Return the share of labels that are relevant, of the items that agreement is computed from: 0 to 1. It explains low kappas.</source>
        <translation>计算一致性所用各项中，相关标签所占比例：0 到 1。它可解释 κ 为何偏低。</translation>
    </message>
    <message>
        <source>Return the share of the items that any of their workers called relevant which all of them did: 0 to 1.</source>
        <translation>至少一人判为相关的各项中，所有人都判为相关的比例：0 到 1。</translation>
    </message>
    <message>
        <source>Returned file</source>
        <translation>交回的文件</translation>
    </message>
    <message>
        <source>Round {number} is open. Close it first.</source>
        <translation>第 {number} 轮正在进行。请先关闭它。</translation>
    </message>
    <message>
        <source>Rprec = relevant in the top {relevant} / R</source>
        <translation>Rprec = 前 {relevant} 位中的相关文档数 / R</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果</translation>
    </message>
    <message>
        <source>Run {name}: {said}. Do the document ids fit?</source>
        <translation>检索结果 {name}：{said}。文档编号是否一致？</translation>
    </message>
    <message>
        <source>Run {run}</source>
        <translation>检索结果 {run}</translation>
    </message>
    <message>
        <source>Run {run} has rows without a rank; choose another order of ties than rank.</source>
        <translation>检索结果 {run} 中有的行没有名次；同分时请不要按 rank 排序。</translation>
    </message>
    <message>
        <source>Run {run} is read. Documents retrieved: {documents}; topics: {topics}.</source>
        <translation>已读取检索结果 {run}。检出文档：{documents} 篇；主题：{topics} 个。</translation>
    </message>
    <message>
        <source>Run {run}, from {file}</source>
        <translation>检索结果 {run}，来自 {file}</translation>
    </message>
    <message>
        <source>Runs and topics</source>
        <translation>检索结果与主题</translation>
    </message>
    <message>
        <source>Runs and topics are ordered by their means; hatched: not evaluated. {policy_words}</source>
        <translation>检索结果和主题按平均值排列；斜线：未评测。{policy_words}</translation>
    </message>
    <message>
        <source>Runs evaluated: {runs}, over {topics} topics, by {measures}.</source>
        <translation>评估的检索结果：{runs} 个；主题：{topics} 个；指标：{measures}。</translation>
    </message>
    <message>
        <source>Runs of the pool</source>
        <translation>评判池的检索结果</translation>
    </message>
    <message>
        <source>Runs that something akin to the judge may have made: {names}.</source>
        <translation>可能由与评判者同类的模型产生的检索结果：{names}。</translation>
    </message>
    <message>
        <source>SMART queries</source>
        <translation>SMART 查询</translation>
    </message>
    <message>
        <source>Say with --each how many documents make a submission, 1 or more.</source>
        <translation>用 --each 说明一次提交包含多少篇文档，至少 1 篇。</translation>
    </message>
    <message>
        <source>Say with --gold-every how often an attention check comes.</source>
        <translation>用 --gold-every 说明多久出现一次注意力检查。</translation>
    </message>
    <message>
        <source>Says the same as {name} in {same} of {of} documents of which a third person says something else: one may have copied.</source>
        <translation>在第三人意见不同的 {of} 篇文档中，有 {same} 篇与 {name} 相同：可能有一方抄袭。</translation>
    </message>
    <message>
        <source>Scale {wish} is not known; give binary, 0-1 to 0-{highest}, or a JSON file.</source>
        <translation>没有名为 {wish} 的等级范围；请给出 binary、0-1 到 0-{highest}，或 JSON 文件。</translation>
    </message>
    <message>
        <source>Scan the code, or type the address. The link is yours alone: do not pass it on.</source>
        <translation>扫描二维码，或输入网址。此链接只属于您：请勿转给他人。</translation>
    </message>
    <message>
        <source>Scott&apos;s pi</source>
        <translation>斯科特 π 系数</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>检索</translation>
    </message>
    <message>
        <source>Searching the raw bytes</source>
        <translation>正在搜索原始字节</translation>
    </message>
    <message>
        <source>Select the words that are the reason first.</source>
        <translation>请先选中作为理由的文字。</translation>
    </message>
    <message>
        <source>Session DCG</source>
        <translation>会话 DCG</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Set average precision</source>
        <translation>集合平均精确率</translation>
    </message>
    <message>
        <source>Set precision</source>
        <translation>集合精确率</translation>
    </message>
    <message>
        <source>Set recall</source>
        <translation>集合召回率</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settled by the rule: {rule}.</source>
        <translation>裁定规则：{rule}。</translation>
    </message>
    <message>
        <source>Several documents on a page are for grading a pool: comparing and learning show what is answered next alone.</source>
        <translation>一页多篇文档只用于给文档池评级：比较和学习排序时，下一个要回答的单独显示。</translation>
    </message>
    <message>
        <source>Several topics have the same title, and {form} knows a query by its title.</source>
        <translation>有几个主题标题相同，而{form}以标题识别查询。</translation>
    </message>
    <message>
        <source>Share graded higher than people did</source>
        <translation>等级高于人的比例</translation>
    </message>
    <message>
        <source>Share graded lower than people did</source>
        <translation>等级低于人的比例</translation>
    </message>
    <message>
        <source>Share of judged documents</source>
        <translation>已判断文档的比例</translation>
    </message>
    <message>
        <source>Share of relevant labels</source>
        <translation>相关标签的比例</translation>
    </message>
    <message>
        <source>Share of unjudged documents</source>
        <translation>未判断文档的比例</translation>
    </message>
    <message>
        <source>Side file</source>
        <translation>附加文件</translation>
    </message>
    <message>
        <source>Side file {name}</source>
        <translation>附加文件 {name}</translation>
    </message>
    <message>
        <source>Sign test</source>
        <translation>符号检验</translation>
    </message>
    <message>
        <source>So all are looked at: {looked}</source>
        <translation>因此全部都要查看：{looked}</translation>
    </message>
    <message>
        <source>Some hashes are of things that irjudge does not know, so they were changed.</source>
        <translation>有些哈希值属于 irjudge 不认识的内容，因此它们被改动过。</translation>
    </message>
    <message>
        <source>Some items only won or only lost: half a win each way was added to every pair to find strengths.</source>
        <translation>有些项只胜不负或只负不胜：为求强度，每一对的双方都各加了半次胜。</translation>
    </message>
    <message>
        <source>Some items were never compared with others, not even by way of a third: strengths hold within their groups.{hint}</source>
        <translation>有些项从未与其他项比较，也没有通过第三项间接比较：强度只在各自的组内有效。{hint}</translation>
    </message>
    <message>
        <source>Some more may come, probably fewer than were found.</source>
        <translation>可能还会有一些，大概比已发现的少。</translation>
    </message>
    <message>
        <source>Spearman&apos;s footrule, as a similarity</source>
        <translation>斯皮尔曼 footrule 距离（作为相似度）</translation>
    </message>
    <message>
        <source>Spearman&apos;s rho</source>
        <translation>斯皮尔曼 ρ</translation>
    </message>
    <message>
        <source>Spread over topics</source>
        <translation>各主题上的分布</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Strata that end at {edges} rising ranks need {needed} rates, got {rates}.</source>
        <translation>以 {edges} 个递增名次为界的分层需要 {needed} 个抽样率，现为 {rates} 个。</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Strategy {declaration} draws by chance, so nothing can come first; use stratified.</source>
        <translation>策略 {declaration} 随机抽取，因此不能指定排在最前的文档；请用 stratified。</translation>
    </message>
    <message>
        <source>Strategy {declaration} learns from each judgment, so it needs known judgments (qrels) to go through.</source>
        <translation>策略 {declaration} 从每条判断中学习，因此需要已知的判断 (qrels)。</translation>
    </message>
    <message>
        <source>Strategy {declaration} needs a {need}.</source>
        <translation>策略 {declaration} 需要 {need}。</translation>
    </message>
    <message>
        <source>Strategy {given} gives no score to fuse runs by; these do: {names}.</source>
        <translation>策略 {given} 不给出可用于融合检索结果的分数；可用的有：{names}。</translation>
    </message>
    <message>
        <source>Stratified sample</source>
        <translation>分层抽样</translation>
    </message>
    <message>
        <source>Strengths, the best first</source>
        <translation>强度，从高到低</translation>
    </message>
    <message>
        <source>Student&apos;s t, {words} degrees of freedom</source>
        <translation>学生 t 分布，自由度 {words}</translation>
    </message>
    <message>
        <source>Subtopic recall</source>
        <translation>子主题召回率</translation>
    </message>
    <message>
        <source>Subtopic {about}{kind}: {folded}</source>
        <translation>子主题 {about}{kind}：{folded}</translation>
    </message>
    <message>
        <source>Subtopic{kind}: {folded}</source>
        <translation>子主题{kind}：{folded}</translation>
    </message>
    <message>
        <source>Success</source>
        <translation>成功率</translation>
    </message>
    <message>
        <source>Sum of (found + beta·CG)/(r + beta·ideal CG) where a document gains: {added} = {number}</source>
        <translation>有增益的文档处 (已找到数 + beta·CG)/(r + beta·理想 CG) 之和：{added} = {number}</translation>
    </message>
    <message>
        <source>Sum of 1 − min(non-relevant above, m)/m at the relevant ranks: {added} = {number}</source>
        <translation>相关文档所在名次处 1 − min(其上不相关数，m)/m 之和：{added} = {number}</translation>
    </message>
    <message>
        <source>Sum of P@r at the relevant ranks: {added} = {number}</source>
        <translation>相关文档所在名次处 P@r 之和：{added} = {number}</translation>
    </message>
    <message>
        <source>Sum of gain / log2(r + 1): {added} = {number}</source>
        <translation>增益 / log2(r + 1) 之和：{added} = {number}</translation>
    </message>
    <message>
        <source>Sum of gain · max(0, 1 − position / {l}): {added} = {total}</source>
        <translation>增益 · max(0, 1 − 位置 / {l}) 之和：{added} = {total}</translation>
    </message>
    <message>
        <source>Sum of gain · {weight}: {added} = {total}</source>
        <translation>增益 · {weight} 之和：{added} = {total}</translation>
    </message>
    <message>
        <source>Sum of g·p^(r−1): {added} = {number}</source>
        <translation>g·p^(r−1) 之和：{added} = {number}</translation>
    </message>
    <message>
        <source>Supported</source>
        <translation>说到了</translation>
    </message>
    <message>
        <source>Systems under people and a model</source>
        <translation>人与模型之下的系统</translation>
    </message>
    <message>
        <source>TF-IDF in SMART&apos;s letters</source>
        <translation>SMART 记法的 TF-IDF</translation>
    </message>
    <message>
        <source>TIME queries</source>
        <translation>TIME 查询</translation>
    </message>
    <message>
        <source>TIME&apos;s records have a number and a place; say with --columns {choice}</source>
        <translation>TIME 的记录有编号和位置；请用 --columns 说明 {choice}</translation>
    </message>
    <message>
        <source>TREC documents as topics</source>
        <translation>TREC 文档形式的主题</translation>
    </message>
    <message>
        <source>Take N</source>
        <translation>取 N 篇</translation>
    </message>
    <message>
        <source>Take as many documents as can be judged; of the last rank, which is not taken whole, those that most runs retrieved.</source>
        <translation>能判断多少就取多少；最后一个名次取不全时，取大多数检索结果检出的文档。</translation>
    </message>
    <message>
        <source>Take as many documents for each topic as can be judged, those of the lowest rank in any run first.</source>
        <translation>每个主题能判断多少文档就取多少，先取在任一检索结果中名次最前的。</translation>
    </message>
    <message>
        <source>Take the top of each run; the plain way, which new runs can be judged by as well as the old.</source>
        <translation>取每个检索结果的前几位；最普通的方式，新旧检索结果都可以用它来评判。</translation>
    </message>
    <message>
        <source>Target: {shares}.</source>
        <translation>目标：{shares}。</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>检验</translation>
    </message>
    <message>
        <source>Text outside of the records was left out in 1 place: {first}.</source>
        <translation>有 1 处记录以外的文字被略去：{first}。</translation>
    </message>
    <message>
        <source>Text outside of the records was left out in {count} places, beginning with {first}.</source>
        <translation>有 {count} 处记录以外的文字被略去，首处是 {first}。</translation>
    </message>
    <message>
        <source>The PDF files of {assessor}&apos;s documents have {size} MB, expected {most} MB at most in one file. Assign fewer topics at a time (--split 10 makes smaller files), or hand out the text alone.</source>
        <translation>{assessor} 的文档的 PDF 文件共 {size} MB，一个文件最多应为 {most} MB。请一次少分配一些主题（--split 10 会生成较小的文件），或只分发文本。</translation>
    </message>
    <message>
        <source>The answer could not be written to {file}: {why}.</source>
        <translation>无法把答案写入 {file}：{why}。</translation>
    </message>
    <message>
        <source>The answer does not say it.</source>
        <translation>回答没有说到。</translation>
    </message>
    <message>
        <source>The answer says a part of it.</source>
        <translation>回答说了其中一部分。</translation>
    </message>
    <message>
        <source>The answer says all of it, in whatever words.</source>
        <translation>回答用任何措辞说了全部内容。</translation>
    </message>
    <message>
        <source>The assessor {twice} is named twice; names tell assessors apart.</source>
        <translation>评判员 {twice} 出现两次；评判员要靠名称区分。</translation>
    </message>
    <message>
        <source>The assignment of</source>
        <translation>任务分配，属于</translation>
    </message>
    <message>
        <source>The assignment {id} is in the project already.</source>
        <translation>分配 {id} 已在项目中。</translation>
    </message>
    <message>
        <source>The baseline {name} is none of the runs; they are {names}.</source>
        <translation>基线 {name} 不是任何一个检索结果；现有 {names}。</translation>
    </message>
    <message>
        <source>The budget of {budget} is reached: {spent} spent.</source>
        <translation>已达到预算 {budget}：已花费 {spent}。</translation>
    </message>
    <message>
        <source>The calibration documents of {file} cannot be read ({fault}).</source>
        <translation>无法读取 {file} 的校准文档（{fault}）。</translation>
    </message>
    <message>
        <source>The code shows what was lost or changed by accident, not a log that somebody wrote anew.</source>
        <translation>回执码能显示意外丢失或改动的内容，但不能识别重新写成的日志。</translation>
    </message>
    <message>
        <source>The collection has no document {document}.</source>
        <translation>文档集中没有文档 {document}。</translation>
    </message>
    <message>
        <source>The confidence must be between 0 and 1, got {confidence}.</source>
        <translation>置信水平应在 0 和 1 之间，现为 {confidence}。</translation>
    </message>
    <message>
        <source>The curve has a knee: behind it finds are much rarer.</source>
        <translation>曲线有一个拐点：之后的发现明显变少。</translation>
    </message>
    <message>
        <source>The depth must be 1 or more, got {depth}.</source>
        <translation>深度应为 1 或以上，现为 {depth}。</translation>
    </message>
    <message>
        <source>The depth of a pool must be 1 or more, got {depth}.</source>
        <translation>文档池的深度应为 1 或以上，现为 {depth}。</translation>
    </message>
    <message>
        <source>The depth of a run must be 1 or more, got {depth}.</source>
        <translation>检索结果的深度须为 1 或以上，给出的是 {depth}。</translation>
    </message>
    <message>
        <source>The difference must be more than 0, got {difference}.</source>
        <translation>差异必须大于 0，得到的是 {difference}。</translation>
    </message>
    <message>
        <source>The difference of one measure between two runs on each topic, the largest first.</source>
        <translation>两个检索结果在每个主题上某一指标的差值，最大的在前。</translation>
    </message>
    <message>
        <source>The document {document} holds a blank; learning to rank&apos;s form cannot say it.</source>
        <translation>文档 {document} 含有空格，排序学习的格式无法表示。</translation>
    </message>
    <message>
        <source>The documents are their places in the collection (1, 2, 3 …), not the numbers that stand in its records.</source>
        <translation>这里的文档是在文档集中的位置（1、2、3……），而不是记录中的编号。</translation>
    </message>
    <message>
        <source>The documents of a round are new ones, the same again, or those still split; got {kind}.</source>
        <translation>一轮的文档可以是新文档、同样的文档或仍有分歧的文档；得到的是 {kind}。</translation>
    </message>
    <message>
        <source>The endpoint has a name, a key or a query in it; a key belongs in an environment variable or the keyring (--key-from).</source>
        <translation>地址中含有用户名、密钥或查询串；密钥应放在环境变量或密钥环中（--key-from）。</translation>
    </message>
    <message>
        <source>The endpoint is no address of http or https; expected one such as http://localhost:8080/v1.</source>
        <translation>这不是 http 或 https 地址；应形如 http://localhost:8080/v1。</translation>
    </message>
    <message>
        <source>The endpoint is no address; expected one such as http://localhost:8080/v1.</source>
        <translation>这不是地址；应形如 http://localhost:8080/v1。</translation>
    </message>
    <message>
        <source>The evaluation {number} that {file} keeps cannot be read ({fault}).</source>
        <translation>{file} 保留的评测 {number} 无法读取（{fault}）。</translation>
    </message>
    <message>
        <source>The event could not be stored ({fault}).</source>
        <translation>无法保存事件（{fault}）。</translation>
    </message>
    <message>
        <source>The events that wait from number</source>
        <translation>等待中的事件，起于编号</translation>
    </message>
    <message>
        <source>The fields of the documents from</source>
        <translation>文档的字段，起于编号</translation>
    </message>
    <message>
        <source>The file has {there} bytes and says that it has {expected}: it may be cut off.</source>
        <translation>文件有 {there} 字节，却说有 {expected} 字节：可能被截断。</translation>
    </message>
    <message>
        <source>The file is damaged: its pages do not fit together ({tolds}).</source>
        <translation>文件已损坏：其页面不相符（{tolds}）。</translation>
    </message>
    <message>
        <source>The file is damaged: {problem}.</source>
        <translation>文件已损坏：{problem}。</translation>
    </message>
    <message>
        <source>The file {twice} is given twice; give each run once.</source>
        <translation>文件 {twice} 给了两次；每个检索结果只给一次。</translation>
    </message>
    <message>
        <source>The files could not be copied to {folder}: {fault}.</source>
        <translation>文件无法复制到 {folder}：{fault}。</translation>
    </message>
    <message>
        <source>The first relevant document is at rank {first}, so the topic succeeds.</source>
        <translation>首篇相关文档在第 {first} 位，因此该主题成功。</translation>
    </message>
    <message>
        <source>The first sheet was read; 1 other sheet was left out: {first}.</source>
        <translation>已读取首个工作表；其他 1 个工作表已略去：{first}。</translation>
    </message>
    <message>
        <source>The first sheet was read; {count} other sheets were left out, beginning with {first}.</source>
        <translation>已读取首个工作表；其他 {count} 个工作表已略去，首个是 {first}。</translation>
    </message>
    <message>
        <source>The first that does not fit is {first}.{waits}</source>
        <translation>第一个不符的是 {first}。{waits}</translation>
    </message>
    <message>
        <source>The first wrong step is at rank {rank}, in the column {column}.</source>
        <translation>第一个错误的步骤在名次 {rank} 的 {column} 列。</translation>
    </message>
    <message>
        <source>The first wrong step is of the term {term}, in the column {column}.</source>
        <translation>第一个错误的步骤在词项 {term} 的 {column} 列。</translation>
    </message>
    <message>
        <source>The first {ranks} documents of two runs. Which sentence is true?</source>
        <translation>两个检索结果的前 {ranks} 篇文档。哪句话是对的？</translation>
    </message>
    <message>
        <source>The folder {parent} does not exist.</source>
        <translation>文件夹 {parent} 不存在。</translation>
    </message>
    <message>
        <source>The gain at rank r is divided by log{show}(r + 1).</source>
        <translation>第 r 位的增益除以 log{show}(r + 1)。</translation>
    </message>
    <message>
        <source>The gain at rank r is divided by log{show}(r) from rank {show} on, and not before.</source>
        <translation>第 r 位的增益从第 {show} 位起除以 log{show}(r)，此前不除。</translation>
    </message>
    <message>
        <source>The gain does not reach T = {show}, so the user looks at all {most}, whether there are as many or not.</source>
        <translation>增益没有达到 T = {show}，因此用户会看全部 {most} 篇，无论是否有这么多。</translation>
    </message>
    <message>
        <source>The gain reaches T = {show} at rank {stop}, so the user stops there.</source>
        <translation>增益在第 {stop} 位达到 T = {show}，因此用户在那里停止。</translation>
    </message>
    <message>
        <source>The gap before a question is asked again must be 1 or more, got {gap}.</source>
        <translation>问题再次提出前的间隔应为 1 或以上，现为 {gap}。</translation>
    </message>
    <message>
        <source>The gap is accepted: {missing} missing; what follows is taken.</source>
        <translation>已接受空缺：缺少 {missing}；其后的内容已采纳。</translation>
    </message>
    <message>
        <source>The grades are the project&apos;s, but their words are not: labels or help were changed since.</source>
        <translation>等级与项目一致，但文字不同：标签或帮助此后有改动。</translation>
    </message>
    <message>
        <source>The highest grade was given as {highest}, but the qrels have the grade {judged}.</source>
        <translation>给出的最高等级是 {highest}，但 qrels 中有等级 {judged}。</translation>
    </message>
    <message>
        <source>The index cannot be read: {fault}. Make it again.</source>
        <translation>索引无法读取：{fault}。请重新建立。</translation>
    </message>
    <message>
        <source>The index could not be written to {folder}: {fault}.</source>
        <translation>索引无法写入 {folder}：{fault}。</translation>
    </message>
    <message>
        <source>The keyring does not take the key ({fault}).</source>
        <translation>密钥环不接受该密钥（{fault}）。</translation>
    </message>
    <message>
        <source>The keyring gives no key ({fault}).</source>
        <translation>密钥环没有给出密钥（{fault}）。</translation>
    </message>
    <message>
        <source>The keyring needs a package: pip install irjudge[keyring]. Or name an environment variable.</source>
        <translation>使用密钥环需要一个软件包：pip install irjudge[keyring]。也可以改用环境变量。</translation>
    </message>
    <message>
        <source>The known answer of {items} is {answer}, which is not on the scale {listed}.</source>
        <translation>{items} 的已知答案为 {answer}，不在等级范围 {listed} 中。</translation>
    </message>
    <message>
        <source>The last relevant document stands at rank {last}.</source>
        <translation>最后一篇相关文档在第 {last} 位。</translation>
    </message>
    <message>
        <source>The last {count} documents brought none.</source>
        <translation>最近 {count} 篇文档中没有一篇相关。</translation>
    </message>
    <message>
        <source>The level is split over {looks} looks.</source>
        <translation>置信水平分摊到 {looks} 次查看。</translation>
    </message>
    <message>
        <source>The limit of {count} requests is reached.</source>
        <translation>已达到 {count} 个请求的上限。</translation>
    </message>
    <message>
        <source>The list of assessors</source>
        <translation>评判员名单</translation>
    </message>
    <message>
        <source>The list of documents from</source>
        <translation>文档列表，起于</translation>
    </message>
    <message>
        <source>The log does not say how many events were written in it.</source>
        <translation>日志没有说明写入过多少个事件。</translation>
    </message>
    <message>
        <source>The log gave {last}; {silent} of them no event has. As many events may be lost.</source>
        <translation>日志给出了 {last} 个；其中 {silent} 个没有事件。可能丢失同样多的事件。</translation>
    </message>
    <message>
        <source>The log lacks {gone}: {where}.</source>
        <translation>日志缺少 {gone}：{where}。</translation>
    </message>
    <message>
        <source>The mean grade of a model by the grade that people gave.</source>
        <translation>按人给出的等级分列的模型平均等级。</translation>
    </message>
    <message>
        <source>The model&apos;s mean grade</source>
        <translation>模型的平均等级</translation>
    </message>
    <message>
        <source>The model&apos;s mean grade less people&apos;s</source>
        <translation>模型的平均等级减去人的</translation>
    </message>
    <message>
        <source>The most for each subtopic: Σ over r = 1 … {k} of {power} / r = {most}</source>
        <translation>每个子主题的最大值：r = 1 … {k} 的 {power} / r 之和 = {most}</translation>
    </message>
    <message>
        <source>The name of a measure is empty; the catalogue of measures lists all.</source>
        <translation>指标名称为空；指标目录列出全部指标。</translation>
    </message>
    <message>
        <source>The network can read it: the address is plain http, to another machine.</source>
        <translation>网络上可以读到内容：这是通往另一台机器的明文 http 地址。</translation>
    </message>
    <message>
        <source>The norming rounds of a session cannot be read ({fault}).</source>
        <translation>无法读取会话的校准轮次（{fault}）。</translation>
    </message>
    <message>
        <source>The number of best items must be 1 or more, got {top}.</source>
        <translation>最好的项的数量应为 1 或以上，现为 {top}。</translation>
    </message>
    <message>
        <source>The number of documents to begin with must be 0 or more, got {count}.</source>
        <translation>开始时评判的文档数必须为 0 或更多，得到的是 {count}。</translation>
    </message>
    <message>
        <source>The number of pairs must be 1 or more, got {budget}.</source>
        <translation>对的数量应为 1 或以上，现为 {budget}。</translation>
    </message>
    <message>
        <source>The number of repeats must be 0 or more, got {repeats}.</source>
        <translation>重复的数量应为 0 或以上，现为 {repeats}。</translation>
    </message>
    <message>
        <source>The number of samples must be 1 or more, got {count}.</source>
        <translation>样本数应为 1 或以上，现为 {count}。</translation>
    </message>
    <message>
        <source>The numbers of TIME&apos;s records have gaps in {count} files, and its judgments (TIME.REL) count records by their place in the whole collection of 425. {first}.</source>
        <translation>{count} 个文件中 TIME 的记录编号有缺口，而其判定（TIME.REL）按记录在全部 425 条中的位置计数。{first}。</translation>
    </message>
    <message>
        <source>The numbers of TIME&apos;s records have gaps, and its judgments (TIME.REL) count records by their place in the whole collection of 425. {first}.</source>
        <translation>TIME 的记录编号有缺口，而其判定（TIME.REL）按记录在全部 425 条中的位置计数。{first}。</translation>
    </message>
    <message>
        <source>The others agree among each other in {share} %.</source>
        <translation>其他人之间的一致率为 {share} %。</translation>
    </message>
    <message>
        <source>The overlap must be 1 or more, got {overlap}.</source>
        <translation>重叠数必须至少为 1，得到的是 {overlap}。</translation>
    </message>
    <message>
        <source>The overlap must be between 1 and the number of assessors ({judges}), got {overlap}.</source>
        <translation>重叠应在 1 和评判员人数（{judges}）之间，现为 {overlap}。</translation>
    </message>
    <message>
        <source>The overlap must be between 1 and the number of assessors ({names}), got {overlap}.</source>
        <translation>重叠应在 1 和评判员人数（{names}）之间，现为 {overlap}。</translation>
    </message>
    <message>
        <source>The overlap must be between {lowest} and 1, got {overlap}.</source>
        <translation>重叠必须在 {lowest} 与 1 之间，得到的是 {overlap}。</translation>
    </message>
    <message>
        <source>The owner&apos;s name is lost.</source>
        <translation>所有者的名称已丢失。</translation>
    </message>
    <message>
        <source>The page images of {assessor}&apos;s documents have {size} MB, expected {most} MB at most in one file. Assign fewer topics at a time (--split 10 makes smaller files), or hand out the text alone.</source>
        <translation>{assessor} 的文档的页面图片共 {size} MB，一个文件最多应为 {most} MB。请一次少分配一些主题（--split 10 会生成较小的文件），或只分发文本。</translation>
    </message>
    <message>
        <source>The parameter {name} has no value to vary; expected some such as 0.4,0.9,1.2.</source>
        <translation>参数 {name} 没有可变的值；应为例如 0.4,0.9,1.2。</translation>
    </message>
    <message>
        <source>The passage does not say what the sentence says, or says otherwise.</source>
        <translation>段落没有说这句话的内容，或说法相反。</translation>
    </message>
    <message>
        <source>The passage says a part of it, or something weaker.</source>
        <translation>段落说了其中一部分，或说得较弱。</translation>
    </message>
    <message>
        <source>The passage says all that the sentence says.</source>
        <translation>段落说了这句话的全部内容。</translation>
    </message>
    <message>
        <source>The pictures of {assessor}&apos;s documents have more than {most} MB, which is too much for one file. Assign fewer topics at a time (--split 10 makes smaller files), or do not show the field that names the pictures.</source>
        <translation>{assessor} 的文档图片超过 {most} MB，一个文件放不下。请一次分配较少的主题（--split 10 会生成较小的文件），或不显示指明图片的字段。</translation>
    </message>
    <message>
        <source>The pictures of {assessor}&apos;s documents have {size} MB, expected {most} MB at most in one file. Assign fewer topics at a time (--split 10 makes smaller files), or do not show the field that names the pictures.</source>
        <translation>{assessor} 的文档图片共 {size} MB，一个文件最多 {most} MB。请一次分配较少的主题（--split 10 会生成较小的文件），或不显示指明图片的字段。</translation>
    </message>
    <message>
        <source>The pool is no judge plan: its documents were not drawn independently, so the intervals are approximate.</source>
        <translation>该文档池不是评判计划：文档并非独立抽取，因此区间是近似的。</translation>
    </message>
    <message>
        <source>The pool was sampled: {names} take documents that were not drawn for unjudged, so these values are no estimates of what all judgments would give; estimates are (`irjudge estimate`).</source>
        <translation>文档池经过抽样：{names} 把未抽到的文档视为未判断，因此这些值不是对全部判断所得结果的估计；请用估计值（`irjudge estimate`）。</translation>
    </message>
    <message>
        <source>The power must be between 0 and 1, got {power}.</source>
        <translation>检验功效必须在 0 与 1 之间，得到的是 {power}。</translation>
    </message>
    <message>
        <source>The profile {profile} gives a topic that the run lacks 0.</source>
        <translation>配置 {profile} 给检索结果中缺少的主题记 0。</translation>
    </message>
    <message>
        <source>The project does not know which run the side {side} of a panel stands for.</source>
        <translation>项目中没有记录面板的 {side} 侧代表哪个检索结果。</translation>
    </message>
    <message>
        <source>The project has a run called {name} already. Rename the file, or remove the old run first (`irjudge remove-run`).</source>
        <translation>项目中已有名为 {name} 的检索结果。请重命名文件，或先移除旧的（`irjudge remove-run`）。</translation>
    </message>
    <message>
        <source>The project has no pool yet.</source>
        <translation>项目还没有文档池。</translation>
    </message>
    <message>
        <source>The project has no qrels called {name}.</source>
        <translation>项目中没有名为 {name} 的 qrels。</translation>
    </message>
    <message>
        <source>The project has no qrels called {name}; it has {names}.</source>
        <translation>项目中没有名为 {name} 的 qrels；现有 {names}。</translation>
    </message>
    <message>
        <source>The project has no ratings called {name}; it has {names}.</source>
        <translation>项目中没有名为 {name} 的评级；现有 {names}。</translation>
    </message>
    <message>
        <source>The project has no run called {missing}; it has {value}.</source>
        <translation>项目中没有名为 {missing} 的检索结果；现有 {value}。</translation>
    </message>
    <message>
        <source>The project has no run called {name}.</source>
        <translation>项目中没有名为 {name} 的检索结果。</translation>
    </message>
    <message>
        <source>The project has no topic {topic}.</source>
        <translation>项目中没有主题 {topic}。</translation>
    </message>
    <message>
        <source>The project has qrels called {name} already.</source>
        <translation>项目中已有名为 {name} 的 qrels。</translation>
    </message>
    <message>
        <source>The project is damaged: a column ends within a number.</source>
        <translation>项目已损坏：有一列在数字中间结束。</translation>
    </message>
    <message>
        <source>The project is damaged: how pool {version} was built cannot be read.</source>
        <translation>项目已损坏：无法读取文档池 {version} 的构建方式。</translation>
    </message>
    <message>
        <source>The project is damaged: the columns of topic {topic} differ in length.</source>
        <translation>项目已损坏：主题 {topic} 的各列长度不同。</translation>
    </message>
    <message>
        <source>The project is damaged: the groups of the qrels {name} cannot be read.</source>
        <translation>项目已损坏：无法读取 qrels {name} 的分组。</translation>
    </message>
    <message>
        <source>The project is damaged: {what} cannot be read.</source>
        <translation>项目已损坏：{what} 无法读出。</translation>
    </message>
    <message>
        <source>The qrels were imported ({name}) and hold {rows} judgments.</source>
        <translation>qrels 是导入的（{name}），有 {rows} 条评判。</translation>
    </message>
    <message>
        <source>The rank correlation of the orders in which every two measures put the systems.</source>
        <translation>每两个指标给系统排出的次序之间的等级相关系数。</translation>
    </message>
    <message>
        <source>The ranks must be 1 or more, got {ranks}.</source>
        <translation>名次应为 1 或以上，现为 {ranks}。</translation>
    </message>
    <message>
        <source>The reason {first} is not among {value}.</source>
        <translation>没有理由 {first}；现有 {value}。</translation>
    </message>
    <message>
        <source>The reason {reason} is not known; choose {reasons}.</source>
        <translation>没有名为 {reason} 的原因；请选择 {reasons}。</translation>
    </message>
    <message>
        <source>The report is written. Its values rest on {count} graded pairs.</source>
        <translation>报告已写成，评测值基于 {count} 对有等级的文档。</translation>
    </message>
    <message>
        <source>The round has the documents 0 to {last}, got {place}.</source>
        <translation>该轮的文档编号为 0 至 {last}，得到的是 {place}。</translation>
    </message>
    <message>
        <source>The rules of the comparison in {file} cannot be read ({fault}).</source>
        <translation>无法读取 {file} 中的比较规则（{fault}）。</translation>
    </message>
    <message>
        <source>The run never reaches it, so it is 0.</source>
        <translation>检索结果始终没有达到，因此为 0。</translation>
    </message>
    <message>
        <source>The runs have no topic that all of them have, which a test for all pairs at once needs.</source>
        <translation>各检索结果没有共同的主题，而同时检验所有对需要共同的主题。</translation>
    </message>
    <message>
        <source>The same grade</source>
        <translation>等级相同</translation>
    </message>
    <message>
        <source>The same question again</source>
        <translation>重复提出的同一问题</translation>
    </message>
    <message>
        <source>The sample of topic {topic} is not judged yet; judge it first.</source>
        <translation>主题 {topic} 的样本尚未评判；请先评判。</translation>
    </message>
    <message>
        <source>The scale has no grade {grade}; it has {values}.</source>
        <translation>等级范围中没有等级 {grade}；只有 {values}。</translation>
    </message>
    <message>
        <source>The scale has no grade {value}; it has {values}.</source>
        <translation>等级范围中没有等级 {value}；只有 {values}。</translation>
    </message>
    <message>
        <source>The scale is lost; 0 to 3 stands in its place.</source>
        <translation>等级范围已丢失；用 0 到 3 代替。</translation>
    </message>
    <message>
        <source>The scale of {file} cannot be read ({fault}).</source>
        <translation>无法读取 {file} 的量表（{fault}）。</translation>
    </message>
    <message>
        <source>The scheduler at {where} has no workers yet.</source>
        <translation>{where} 处的调度器还没有工作进程。</translation>
    </message>
    <message>
        <source>The scheduler of the cluster is gone, or the task was cancelled there.</source>
        <translation>集群的调度器已经不在，或任务在那里被取消。</translation>
    </message>
    <message>
        <source>The score is not {value}.</source>
        <translation>得分不是 {value}。</translation>
    </message>
    <message>
        <source>The score {value} is right.</source>
        <translation>得分 {value} 正确。</translation>
    </message>
    <message>
        <source>The seed is lost, so the documents come in a new order.</source>
        <translation>随机种子已丢失，文档将以新的顺序出现。</translation>
    </message>
    <message>
        <source>The seed must be a whole number from 0 to {highest_seed}, got {seed}.</source>
        <translation>随机种子应为 0 到 {highest_seed} 的整数，现为 {seed}。</translation>
    </message>
    <message>
        <source>The seed of {file} cannot be read.</source>
        <translation>无法读取 {file} 的种子。</translation>
    </message>
    <message>
        <source>The session is paused. People: {people}. Judgments: {done} of {total}.</source>
        <translation>共同评判已暂停。人数：{people}。判断：{done}/{total}。</translation>
    </message>
    <message>
        <source>The share of pairs with overlap must be above 0 and at most 1, got {share}.</source>
        <translation>有重叠的对的比例应大于 0 且不大于 1，现为 {share}。</translation>
    </message>
    <message>
        <source>The share of questions asked again must be between 0 and 1, got {repeats}.</source>
        <translation>再次提出的问题的比例应在 0 和 1 之间，现为 {repeats}。</translation>
    </message>
    <message>
        <source>The smallest true difference that is found with a chance of {percent} %: two-sided paired t-test at {alpha}, for several runs one-way analysis of variance, with the deviations of these runs. Half of a difference needs about four times the topics.</source>
        <translation>以 {percent} % 的概率能发现的最小真实差异：显著性水平 {alpha} 的双侧配对 t 检验，多个运行则用单因素方差分析，均采用这些运行的标准差。差异减半，所需主题约为四倍。</translation>
    </message>
    <message>
        <source>The strength of a preference must be 1 or 2, got {strength}.</source>
        <translation>偏好的强度应为 1 或 2，现为 {strength}。</translation>
    </message>
    <message>
        <source>The strengths were not found in {steps} steps.</source>
        <translation>{steps} 步之内没有求出强度。</translation>
    </message>
    <message>
        <source>The title is lost; the file&apos;s name stands in its place.</source>
        <translation>标题已丢失；用文件名代替。</translation>
    </message>
    <message>
        <source>The top 10 of each run and a sample of the rest: what tells runs apart best for its cost, by xinfAP.</source>
        <translation>每个检索结果的前 10 位，加其余部分的样本：按 xinfAP，同样的成本最能区分检索结果。</translation>
    </message>
    <message>
        <source>The top 5 of each run, up to half of the size, then what most runs score high: finds most relevant documents without feedback.</source>
        <translation>先取每个检索结果的前 5 位，最多占规模的一半，再取多数检索结果给高分的文档：无需反馈即可找到最多相关文档。</translation>
    </message>
    <message>
        <source>The top of each run: the pool that later runs can be judged by best.</source>
        <translation>每个检索结果的前若干位：以后的检索结果最适合用这种文档池来评测。</translation>
    </message>
    <message>
        <source>The topics are called 1 to {ids} by their order; in the file they are called {listed}.</source>
        <translation>主题按先后编为 1 到 {ids}；在文件中的编号为 {listed}。</translation>
    </message>
    <message>
        <source>The topics are called 1 to {ids} by their order; in the file they have no ids.</source>
        <translation>主题按顺序称为 1 到 {ids}；文件中没有编号。</translation>
    </message>
    <message>
        <source>The topics keep the ids of the file ({listed}), which do not count from 1 to {ids}.</source>
        <translation>主题保留文件中的编号（{listed}），它们不是 1 到 {ids}。</translation>
    </message>
    <message>
        <source>The topics {part} run backwards.</source>
        <translation>主题 {part} 的顺序是倒的。</translation>
    </message>
    <message>
        <source>The value of each system under people against that under a model.</source>
        <translation>每个系统在人之下与在模型之下的数值。</translation>
    </message>
    <message>
        <source>The workers of the cluster died over and over; they may lack memory.</source>
        <translation>集群的工作进程反复崩溃；可能是内存不足。</translation>
    </message>
    <message>
        <source>The writer of {form} failed: {said}.</source>
        <translation>写入 {form} 的程序失败：{said}。</translation>
    </message>
    <message>
        <source>The {name} must be between 0 and 1, got {value}.</source>
        <translation>{name} 应在 0 和 1 之间，现为 {value}。</translation>
    </message>
    <message>
        <source>The {name} of a pool must be {lowest} or more, got {value}.</source>
        <translation>文档池的 {name} 应为 {lowest} 或以上，现为 {value}。</translation>
    </message>
    <message>
        <source>The {title} takes labels that are numbers; {first} is none.</source>
        <translation>{title} 需要数字标签；{first} 不是数字。</translation>
    </message>
    <message>
        <source>There are no labels of a model in {file}.</source>
        <translation>{file} 中没有模型的标注。</translation>
    </message>
    <message>
        <source>There are no preferences: no two were compared yet.</source>
        <translation>没有偏好：还没有比较过任何两项。</translation>
    </message>
    <message>
        <source>There are no qrels called {name}; choose {offered}.</source>
        <translation>没有名为 {name} 的 qrels；请选择 {offered}。</translation>
    </message>
    <message>
        <source>There are no qrels of topic {topic}.</source>
        <translation>没有主题 {topic} 的 qrels。</translation>
    </message>
    <message>
        <source>There are no qrels: nothing is judged yet and no qrels were imported.</source>
        <translation>没有 qrels：还没有判断，也没有导入 qrels。</translation>
    </message>
    <message>
        <source>There are no runs yet. Add what each system retrieved, or search the collection for some.</source>
        <translation>还没有检索结果。请添加各系统的检索结果，或检索文档集来生成。</translation>
    </message>
    <message>
        <source>There are {names}.</source>
        <translation>可用的有 {names}。</translation>
    </message>
    <message>
        <source>There is no Dask scheduler at {where}.</source>
        <translation>{where} 处没有 Dask 调度器。</translation>
    </message>
    <message>
        <source>There is no assessor {first} to leave out; there are {listed}.</source>
        <translation>没有可排除的评判员 {first}；现有 {listed}。</translation>
    </message>
    <message>
        <source>There is no document to search in.</source>
        <translation>没有可供检索的文档。</translation>
    </message>
    <message>
        <source>There is no encoding &quot;{name}&quot;, expected a name like utf-8, utf-16, cp1252, gb18030, big5 or shift-jis.</source>
        <translation>没有名为“{name}”的编码，应为 utf-8、utf-16、cp1252、gb18030、big5 或 shift-jis 这样的名称。</translation>
    </message>
    <message>
        <source>There is no exercise of the kind {kind}, expected one of {kinds}.</source>
        <translation>没有 {kind} 这一类练习，应为下列之一：{kinds}。</translation>
    </message>
    <message>
        <source>There is no key in {where}.</source>
        <translation>{where}中没有密钥。</translation>
    </message>
    <message>
        <source>There is no model {name} in the project; it has {known}.</source>
        <translation>项目中没有模型 {name}；有的是 {known}。</translation>
    </message>
    <message>
        <source>There is no model {name} to show; there are {known}.</source>
        <translation>没有可显示的模型 {name}；现有 {known}。</translation>
    </message>
    <message>
        <source>There is no pool yet. It is the list of documents to judge: the top of every run.</source>
        <translation>还没有文档池。它是要判断的文档清单：每个检索结果的前几位。</translation>
    </message>
    <message>
        <source>There is no run called {run}; choose {value}.</source>
        <translation>没有名为 {run} 的检索结果；请选择 {value}。</translation>
    </message>
    <message>
        <source>There is no run {first} to show; there are {value}.</source>
        <translation>没有可显示的检索结果 {first}；现有 {value}。</translation>
    </message>
    <message>
        <source>There is no run {name} to put in order anew; there are {known}.</source>
        <translation>没有可重新排序的检索结果 {name}；现有 {known}。</translation>
    </message>
    <message>
        <source>There is no run {name}; there are {known}.</source>
        <translation>没有检索结果 {name}；现有 {known}。</translation>
    </message>
    <message>
        <source>There is no sample collection called {name}; there are {folders}.</source>
        <translation>没有名为 {name} 的示例文档集；现有 {folders}。</translation>
    </message>
    <message>
        <source>There is no topic to search for.</source>
        <translation>没有可供检索的主题。</translation>
    </message>
    <message>
        <source>There is no topic {topic} in the pool of this session.</source>
        <translation>本次会话的池中没有主题 {topic}。</translation>
    </message>
    <message>
        <source>There is no topic {topic} that was evaluated.</source>
        <translation>没有已评测的主题 {topic}。</translation>
    </message>
    <message>
        <source>There is no topic {topic} that was evaluated; there are {some}.</source>
        <translation>没有已评测的主题 {topic}；现有 {some}。</translation>
    </message>
    <message>
        <source>There is no topic {topic}; give ids such as {example}, with commas between them.</source>
        <translation>没有主题 {topic}；请给出如 {example} 的编号，用逗号分隔。</translation>
    </message>
    <message>
        <source>There is nothing left to judge for topic {topic}: all that can be shown of it was handed out already, or it is not pooled. A session can ask for more judgments of the same pairs (`irjudge serve --again`).</source>
        <translation>主题 {topic} 没有剩下可判断的：能显示的都已分发，或者它不在文档池中。可以在会话中对同样的文档对要求更多判断（`irjudge serve --again`）。</translation>
    </message>
    <message>
        <source>There is nothing left to judge: all that can be shown of the pool was handed out already. A session can ask for more judgments of the same pairs (`irjudge serve --again`).</source>
        <translation>没有剩下可判断的：文档池中能显示的都已分发。可以在会话中对同样的文档对要求更多判断（`irjudge serve --again`）。</translation>
    </message>
    <message>
        <source>There is nothing new to compare: all of it was asked before.</source>
        <translation>没有新的内容可比较：全部都已问过。</translation>
    </message>
    <message>
        <source>There is nothing to assign yet: the project has no pool. Build one first.</source>
        <translation>还没有可分配的内容：项目没有文档池。请先建立文档池。</translation>
    </message>
    <message>
        <source>There is nothing to assign: every pooled document with a text was assigned before.</source>
        <translation>没有可分配的内容：有文本的入池文档都已分配过。</translation>
    </message>
    <message>
        <source>There is nothing to assign: no pooled document has a text in the project. Do the document ids fit?</source>
        <translation>没有可分配的：入池文档在项目中都没有文本。文档编号是否一致？</translation>
    </message>
    <message>
        <source>There is nothing to compare side by side yet: no comparison was designed.</source>
        <translation>还没有可并排比较的内容：尚未设计比较。</translation>
    </message>
    <message>
        <source>There is nothing to compare: no document with a text stands among the top of these runs.</source>
        <translation>没有可比较的内容：这些检索结果的前若干位中没有带文本的文档。</translation>
    </message>
    <message>
        <source>There is nothing to hand in yet: nothing is judged.</source>
        <translation>还没有可提交的内容：尚无判断。</translation>
    </message>
    <message>
        <source>There is nothing to judge yet: the project has no pool. Build one first.</source>
        <translation>还没有要判断的内容：项目没有文档池。请先建立文档池。</translation>
    </message>
    <message>
        <source>There is nothing to print for {assessor}: nothing is assigned and no pool has texts.</source>
        <translation>没有可为 {assessor} 打印的内容：没有分配任何文档，文档池中也没有带文本的文档。</translation>
    </message>
    <message>
        <source>These are one person already.</source>
        <translation>他们已经是同一个人。</translation>
    </message>
    <message>
        <source>These values make {ways} runs; {most} at most are compared.</source>
        <translation>这些值会产生 {ways} 个检索结果；最多比较 {most} 个。</translation>
    </message>
    <message>
        <source>They agree on {none} + {some} of {whole}: {share}.</source>
        <translation>两人一致的有 {none} + {some} 篇，共 {whole} 篇：{share}。</translation>
    </message>
    <message>
        <source>They count nowhere until a source names the model: --source {source}.</source>
        <translation>在来源指定该模型之前它们一概不计入：--source {source}。</translation>
    </message>
    <message>
        <source>This calculation is wrong: it comes to {result}, but the value is {value}. Trust the value, and please report the fault.</source>
        <translation>此计算有误：结果为 {result}，但值是 {value}。请以该值为准，并请报告此故障。</translation>
    </message>
    <message>
        <source>This comparison asks for no grades.</source>
        <translation>这项比较不要求给出等级。</translation>
    </message>
    <message>
        <source>This figure takes two runs or more, whose orders can be compared.</source>
        <translation>此图需要两个或更多检索结果，才能比较它们的顺序。</translation>
    </message>
    <message>
        <source>This figure takes {least} or more, got {runs}.</source>
        <translation>这种图需要{least}或更多，现为 {runs}。</translation>
    </message>
    <message>
        <source>This installation of irjudge lacks its folder {folder}. Install it again.</source>
        <translation>本机安装的 irjudge 缺少文件夹 {folder}。请重新安装。</translation>
    </message>
    <message>
        <source>This installation of irjudge lacks {name} of the page for browsers. Install it again.</source>
        <translation>此 irjudge 安装缺少浏览器网页的 {name}。请重新安装。</translation>
    </message>
    <message>
        <source>This is query {j} of its session: 1 + log{bq}({j}) = {below}</source>
        <translation>这是其会话的第 {j} 个查询：1 + log{bq}({j}) = {below}</translation>
    </message>
    <message>
        <source>This is weak: less than half of the relevant documents may be found. A larger sample says more.</source>
        <translation>这个结论很弱：可能只发现了不到一半的相关文档。更大的样本能说明更多。</translation>
    </message>
    <message>
        <source>This measure has no written working. Its formula stands above; the value is what the measure itself computes from this ranking.</source>
        <translation>这个指标没有写出计算过程。公式见上；该值由指标本身根据这个排序算出。</translation>
    </message>
    <message>
        <source>This pool was not drawn by chance. Make one with: irjudge pool PROJECT --strategy plan --model NAME --size N.</source>
        <translation>该文档池不是随机抽取的。可用以下命令建立：irjudge pool PROJECT --strategy plan --model NAME --size N。</translation>
    </message>
    <message>
        <source>This session has no norming rounds, or they are over.</source>
        <translation>本次会话没有校准轮次，或轮次已经结束。</translation>
    </message>
    <message>
        <source>Thompson sampling</source>
        <translation>汤普森采样</translation>
    </message>
    <message>
        <source>Tick one box for each document. What you leave empty stays open.</source>
        <translation>每个文档勾选一个方框。留空的文档仍视为未判断。</translation>
    </message>
    <message>
        <source>Ties {ties} is not known; choose {known}.</source>
        <translation>没有名为 {ties} 的平票处理方式；请选择 {known}。</translation>
    </message>
    <message>
        <source>Time-biased gain</source>
        <translation>时间偏置增益</translation>
    </message>
    <message>
        <source>To judge on with the same grades, read them as --grades “{steps}” (“Grades become” in the window); nDCG(gain={gain}) still counts them as they were.</source>
        <translation>若要用相同的等级继续判断，请以 --grades “{steps}” 读取（窗口中为“等级改为”）；nDCG(gain={gain}) 仍按原值计算。</translation>
    </message>
    <message>
        <source>To {address}, model {model}: topics and texts of documents, with the prompt {prompt}, version {version} ({digest}).</source>
        <translation>发往 {address}，模型 {model}：主题和文档文本，提示词 {prompt}，版本 {version}（{digest}）。</translation>
    </message>
    <message>
        <source>Too few pairs ({pairs}) or topics ({topics}): 30 pairs and 2 topics at least.</source>
        <translation>对数（{pairs}）或主题（{topics}）太少：至少需要 30 对和 2 个主题。</translation>
    </message>
    <message>
        <source>Too little is judged to say how finds go on.</source>
        <translation>评判得太少，无法说明发现的走势。</translation>
    </message>
    <message>
        <source>Topic {topic} does not fit: {why}. Choose another topic.</source>
        <translation>主题 {topic} 不合适：{why}。请选另一个主题。</translation>
    </message>
    <message>
        <source>Topic {topic} had all of the {looks} looks that were planned; one more would claim too much.</source>
        <translation>主题 {topic} 计划的 {looks} 次查看都已用完；再看一次就会断言过多。</translation>
    </message>
    <message>
        <source>Topic {topic} has fewer than {target} relevant documents drawn at random.</source>
        <translation>主题 {topic} 随机抽出的相关文档不足 {target} 篇。</translation>
    </message>
    <message>
        <source>Topic {topic} has no documents to judge.</source>
        <translation>主题 {topic} 没有待判断的文档。</translation>
    </message>
    <message>
        <source>Topic {topic} has no relevant document, and the chosen topics ({topics}) leave it out.</source>
        <translation>主题 {topic} 没有相关文档，所选主题（{topics}）不包括它。</translation>
    </message>
    <message>
        <source>Topic {topic} has {names} documents to compare in pairs; at most {most_documents} can be. Lower the depth.</source>
        <translation>主题 {topic} 有 {names} 篇文档要成对比较；最多可比较 {most_documents} 篇。请减小深度。</translation>
    </message>
    <message>
        <source>Topic {topic} is neither in the qrels nor in run {run}; {hint}</source>
        <translation>主题 {topic} 既不在 qrels 中，也不在检索结果 {run} 中；{hint}</translation>
    </message>
    <message>
        <source>Topic {topic} is not in run {run}, so it is not evaluated; with the topics of the qrels it counts as an empty ranking.</source>
        <translation>主题 {topic} 不在检索结果 {run} 中，因此不予评估；若取 qrels 的主题，则按空排序计入。</translation>
    </message>
    <message>
        <source>Topic {topic} of run {run} is not in the qrels, so nothing is known of its documents.</source>
        <translation>检索结果 {run} 的主题 {topic} 不在 qrels 中，因此对其文档一无所知。</translation>
    </message>
    <message>
        <source>Topic {topic}: {sentence}</source>
        <translation>主题 {topic}：{sentence}</translation>
    </message>
    <message>
        <source>Topics and ties</source>
        <translation>主题与同分</translation>
    </message>
    <message>
        <source>Topics needed</source>
        <translation>所需主题数</translation>
    </message>
    <message>
        <source>Topics of which every known answer is relevant: {topics} (for example {first}).</source>
        <translation>所有已知答案都相关的主题：{topics}（例如 {first}）。</translation>
    </message>
    <message>
        <source>Topics: {new} made of the queries in {file}.</source>
        <translation>主题：由 {file} 中的查询新建 {new} 个。</translation>
    </message>
    <message>
        <source>Topics: {new} read from {file} ({form}).</source>
        <translation>主题：从 {file} 读取了 {new} 个（{form}）。</translation>
    </message>
    <message>
        <source>True negative rate</source>
        <translation>真阴性率</translation>
    </message>
    <message>
        <source>True negatives</source>
        <translation>真阴性数</translation>
    </message>
    <message>
        <source>True positives</source>
        <translation>真阳性数</translation>
    </message>
    <message>
        <source>Tukey&apos;s HSD of systems by topics</source>
        <translation>系统与主题的 Tukey HSD 检验</translation>
    </message>
    <message>
        <source>Two assessors judged {count} documents. What is Cohen&apos;s kappa?</source>
        <translation>两位评判员判断了 {count} 篇文档。科恩 κ 是多少？</translation>
    </message>
    <message>
        <source>Two measures</source>
        <translation>两个指标</translation>
    </message>
    <message>
        <source>Two measures as points: one for each system, or one for each topic of a run.</source>
        <translation>两个指标画成点：每个系统一个点，或一个检索结果的每个主题一个点。</translation>
    </message>
    <message>
        <source>Two rankings of the same items need as many scores each, got {first} and {second}.</source>
        <translation>相同各项的两个排序须有同样多的得分，现为 {first} 和 {second} 个。</translation>
    </message>
    <message>
        <source>Two runs are called {name}; a pool tells runs apart by name.</source>
        <translation>有两个检索结果都名为 {name}；文档池按名称区分检索结果。</translation>
    </message>
    <message>
        <source>Two runs are called {run}; runs that are compared need names of their own.</source>
        <translation>有两个检索结果都名为 {run}；要比较的检索结果须有不同的名称。</translation>
    </message>
    <message>
        <source>Two runs are called {run}; their curves could not be told apart.</source>
        <translation>有两个检索结果都名为 {run}；无法区分各自的曲线。</translation>
    </message>
    <message>
        <source>Two runs are called {run}; their values could not be told apart.</source>
        <translation>有两个检索结果都名为 {run}；无法区分各自的值。</translation>
    </message>
    <message>
        <source>Two runs by topic</source>
        <translation>两个检索结果，逐个主题</translation>
    </message>
    <message>
        <source>Two systems are compared on the same topics, got {first} and {second} scores.</source>
        <translation>两个系统须在相同的主题上比较，现为 {first} 和 {second} 个得分。</translation>
    </message>
    <message>
        <source>Type the value, or some of the steps, before you check.</source>
        <translation>检查之前请先输入值或若干步骤。</translation>
    </message>
    <message>
        <source>U-measure</source>
        <translation>U 指标</translation>
    </message>
    <message>
        <source>Unjudged, {why}: {count}.</source>
        <translation>未判断，{why}：{count} 个。</translation>
    </message>
    <message>
        <source>Unjudged@{cutoff} = unjudged / k</source>
        <translation>Unjudged@{cutoff} = 未判断数 / k</translation>
    </message>
    <message>
        <source>Unproven: nothing here shows that it orders systems as people do, or replaces grades.</source>
        <translation>未经证实：这里没有任何依据表明它能像人一样给系统排序，或能代替等级。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Values rest on {count} graded pairs. Write them down.</source>
        <translation>评测值基于 {count} 对有等级的文档。请写成报告。</translation>
    </message>
    <message>
        <source>Vital</source>
        <translation>必要</translation>
    </message>
    <message>
        <source>WSS = 0, since it is never reached.</source>
        <translation>WSS = 0，因为始终未达到。</translation>
    </message>
    <message>
        <source>Waiting event {sequence} ({digest}, {assessor}): {problem}.</source>
        <translation>等待中的事件 {sequence}（{digest}，{assessor}）：{problem}。</translation>
    </message>
    <message>
        <source>Weighing the votes: {title}</source>
        <translation>正在权衡各票：{title}</translation>
    </message>
    <message>
        <source>Weighted tau</source>
        <translation>加权 τ</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>What came late or was lost of the assignment of</source>
        <translation>以下任务中迟到或失去的内容：</translation>
    </message>
    <message>
        <source>What does BM25 score document {document} for {title}?</source>
        <translation>对于 {title}，BM25 给文档 {document} 多少分？</translation>
    </message>
    <message>
        <source>What is assigned to</source>
        <translation>分配的内容，属于</translation>
    </message>
    <message>
        <source>What is in {where} cannot be a key: it has blanks or strange letters.</source>
        <translation>{where}中的内容不可能是密钥：含有空白或特殊字符。</translation>
    </message>
    <message>
        <source>What is said in its file of run</source>
        <translation>检索结果文件中的自述</translation>
    </message>
    <message>
        <source>What only the organiser knows of the assignment of</source>
        <translation>只有组织者知道的分配内容，属于</translation>
    </message>
    <message>
        <source>What was answered</source>
        <translation>回答情况</translation>
    </message>
    <message>
        <source>What was drawn for topic {topic} is not judged yet; judge it first.</source>
        <translation>主题 {topic} 抽出的文档还没有评判完；请先评判它们。</translation>
    </message>
    <message>
        <source>What was handed out is back. See which run is preferred.</source>
        <translation>分发的都已收回。看看哪个检索结果更受偏好。</translation>
    </message>
    <message>
        <source>What was left of it had been given to others; what came back all the same is kept.</source>
        <translation>其剩余部分已交给他人；仍然交回的内容予以保留。</translation>
    </message>
    <message>
        <source>Which difference more or fewer topics would find, by a paired t-test of every two runs and an analysis of variance of all.</source>
        <translation>更多或更少的主题能发现多大的差异：每两个运行用配对 t 检验，全部运行用方差分析。</translation>
    </message>
    <message>
        <source>Wilcoxon signed-rank test</source>
        <translation>Wilcoxon 符号秩检验</translation>
    </message>
    <message>
        <source>With page images: {files} of {size} MB at most.</source>
        <translation>附页面图片：{files}，最大 {size} MB。</translation>
    </message>
    <message>
        <source>Without a grade, left out: {left_out}.</source>
        <translation>没有等级而略去：{left_out}。</translation>
    </message>
    <message>
        <source>Without it an answer is not a good one.</source>
        <translation>没有它就不是好的回答。</translation>
    </message>
    <message>
        <source>Work saved over sampling</source>
        <translation>相比抽样节省的工作量</translation>
    </message>
    <message>
        <source>Worth having, but not needed.</source>
        <translation>有则更好，但并非必需。</translation>
    </message>
    <message>
        <source>Worthless: it agrees with people hardly more than chance does.</source>
        <translation>没有价值：它与人的一致程度几乎不高于随机。</translation>
    </message>
    <message>
        <source>Writing prompts</source>
        <translation>正在写入提示词</translation>
    </message>
    <message>
        <source>Writing tasks</source>
        <translation>正在写出任务</translation>
    </message>
    <message>
        <source>Writing {file}</source>
        <translation>正在写出 {file}</translation>
    </message>
    <message>
        <source>Writing {value}</source>
        <translation>正在写出 {value}</translation>
    </message>
    <message>
        <source>Wrote {path}. Rows in: {went_in} {rows}; read back equal: {came_back}.</source>
        <translation>已写出 {path}。写入行数：{went_in} {rows}；读回一致：{came_back}。</translation>
    </message>
    <message>
        <source>Yet another average precision</source>
        <translation>又一种平均精确率</translation>
    </message>
    <message>
        <source>a JSON object</source>
        <translation>一个 JSON 对象</translation>
    </message>
    <message>
        <source>a PDF file</source>
        <translation>一个 PDF 文件</translation>
    </message>
    <message>
        <source>a Quepid book</source>
        <translation>Quepid 判断册</translation>
    </message>
    <message>
        <source>a Quepid book as a table</source>
        <translation>表格形式的 Quepid 判断册</translation>
    </message>
    <message>
        <source>a Quepid case</source>
        <translation>Quepid 案例</translation>
    </message>
    <message>
        <source>a Quepid snapshot</source>
        <translation>Quepid 快照</translation>
    </message>
    <message>
        <source>a column holds what cannot be read, expected ids as text or whole numbers, and grades as whole numbers</source>
        <translation>某一列含有无法读取的内容，编号应为文本或整数，等级应为整数</translation>
    </message>
    <message>
        <source>a column holds what cannot be read, expected ids as text or whole numbers, and numbers</source>
        <translation>某一列含有无法读取的内容，编号应为文本或整数，其余应为数字</translation>
    </message>
    <message>
        <source>a compressed file</source>
        <translation>一个压缩文件</translation>
    </message>
    <message>
        <source>a database of another program</source>
        <translation>另一个程序的数据库</translation>
    </message>
    <message>
        <source>a file of another kind</source>
        <translation>另一种文件</translation>
    </message>
    <message>
        <source>a grade changes the ideal ranking too, so that it may raise or lower the value; the exact way known here tries how many documents get each grade, which is too much for long lists</source>
        <translation>等级也会改变理想排序，因此可能使值升高或降低；此处已知的精确方法要逐一尝试各等级各有多少文档，对长列表过于费时</translation>
    </message>
    <message>
        <source>a line longer than {longest_line} bytes; this is not a file of columns</source>
        <translation>有一行超过 {longest_line} 字节；这不是按列排列的文件</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a list of objects</source>
        <translation>对象的列表</translation>
    </message>
    <message>
        <source>a list of submissions and no answers; `irjudge import PROJECT --panel FILE` frees what was returned or timed out</source>
        <translation>这是提交记录的列表，没有答案；`irjudge import PROJECT --panel FILE` 会释放退回或超时的提交</translation>
    </message>
    <message>
        <source>a measure is written as Name(parameter=value)@cutoff</source>
        <translation>指标的写法是 名称(参数=值)@截断</translation>
    </message>
    <message>
        <source>a nugget has no text, {expected}</source>
        <translation>一个要点没有文字，{expected}</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a page does not say what stands on it</source>
        <translation>有一页没有说明上面有什么</translation>
    </message>
    <message>
        <source>a probability is no number</source>
        <translation>某个概率不是数</translation>
    </message>
    <message>
        <source>a query and its relevant documents on each line</source>
        <translation>每行一个查询及其相关文档</translation>
    </message>
    <message>
        <source>a query, a count, and that many relevant documents</source>
        <translation>一个查询、一个数目和同样多的相关文档</translation>
    </message>
    <message>
        <source>a rank_eval answer</source>
        <translation>rank_eval 的回答</translation>
    </message>
    <message>
        <source>a rank_eval request</source>
        <translation>rank_eval 请求</translation>
    </message>
    <message>
        <source>a ranker is written as name or name(parameter=value)</source>
        <translation>排序方法写作 名称 或 名称(参数=值)</translation>
    </message>
    <message>
        <source>a rating, a number</source>
        <translation>评分（一个数）</translation>
    </message>
    <message>
        <source>a ratio takes labels of 0 or more</source>
        <translation>比率尺度需要 0 或以上的标签</translation>
    </message>
    <message>
        <source>a reader is a FormOfFiles, found {found}</source>
        <translation>读取程序应为 FormOfFiles，实际为 {found}</translation>
    </message>
    <message>
        <source>a record has a header of more than {megabytes}</source>
        <translation>有一条记录的头部超过 {megabytes}</translation>
    </message>
    <message>
        <source>a record is longer than {megabytes}</source>
        <translation>有一条记录长于 {megabytes}</translation>
    </message>
    <message>
        <source>a record of the web archive has no length, expected Content-Length</source>
        <translation>网页存档中有一条记录没有长度，应有 Content-Length</translation>
    </message>
    <message>
        <source>a score, a number</source>
        <translation>分数（一个数）</translation>
    </message>
    <message>
        <source>a sentence has no text, {expected}</source>
        <translation>有一句话没有文字，{expected}</translation>
    </message>
    <message>
        <source>a statistic is written as name, name(parameter=value) or name@cutoff</source>
        <translation>统计量的写法是 名称、名称(参数=值) 或 名称@截断</translation>
    </message>
    <message>
        <source>a strategy is written as name or name(parameter=value)</source>
        <translation>策略的写法是 名称 或 名称(参数=值)</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>a table (CSV)</source>
        <translation>表格 (CSV)</translation>
    </message>
    <message>
        <source>a table with a header: {needed}</source>
        <translation>带表头的表格：{needed}</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>一段文字</translation>
    </message>
    <message>
        <source>a text that begins with “{words}”</source>
        <translation>以“{words}”开头的文本</translation>
    </message>
    <message>
        <source>a topic has more than {most_elements} elements, or they stand inside each other more than {deepest} deep</source>
        <translation>有一个主题的元素超过 {most_elements} 个，或嵌套超过 {deepest} 层</translation>
    </message>
    <message>
        <source>a value of {run} is not a finite number</source>
        <translation>{run} 的一个值不是有限数</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a writer is a RatingsWriter, found {found}</source>
        <translation>写入程序应为 RatingsWriter，实际为 {found}</translation>
    </message>
    <message>
        <source>a zero byte; this is not a text file</source>
        <translation>有零字节；这不是文本文件</translation>
    </message>
    <message>
        <source>a zero byte; this is not a text file in UTF-8</source>
        <translation>有零字节；这不是 UTF-8 文本文件</translation>
    </message>
    <message>
        <source>about equal</source>
        <translation>差不多</translation>
    </message>
    <message>
        <source>all items; those a ranking lacks are tied after its last</source>
        <translation>全部项；一个排序中没有的项在其末位之后同分</translation>
    </message>
    <message>
        <source>all judged documents</source>
        <translation>全部已判断文档</translation>
    </message>
    <message>
        <source>all labels are the same, so chance explains all agreement</source>
        <translation>所有标签都相同，因此一致性完全可由随机解释</translation>
    </message>
    <message>
        <source>all topics of the qrels; one the run lacks scores 0</source>
        <translation>qrels 的全部主题；检索结果缺少的主题计 0</translation>
    </message>
    <message>
        <source>all words of the topic</source>
        <translation>主题的全部词</translation>
    </message>
    <message>
        <source>all {runs} runs</source>
        <translation>全部 {runs} 个运行</translation>
    </message>
    <message>
        <source>alpha and power must be between 0 and 1, got {alpha} and {power}.</source>
        <translation>alpha 和检验功效应在 0 和 1 之间，现为 {alpha} 和 {power}。</translation>
    </message>
    <message>
        <source>an OpenSearch query set</source>
        <translation>OpenSearch 查询集</translation>
    </message>
    <message>
        <source>an XML file</source>
        <translation>XML 文件</translation>
    </message>
    <message>
        <source>an action before it is missing</source>
        <translation>缺少它之前的一个操作</translation>
    </message>
    <message>
        <source>an archive or an office document</source>
        <translation>一个归档文件或办公文档</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>一个空文件</translation>
    </message>
    <message>
        <source>an id, a tab and the text; or id, title and text; or a first line that names the columns</source>
        <translation>编号、制表符和文本；或编号、标题和文本；或首行写明各列名称</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>an object with &quot;{name}&quot;</source>
        <translation>含有 &quot;{name}&quot; 的对象</translation>
    </message>
    <message>
        <source>another action has its number in the project already</source>
        <translation>项目中已有另一个操作使用它的编号</translation>
    </message>
    <message>
        <source>another action has this number already</source>
        <translation>这个编号已属于另一个操作</translation>
    </message>
    <message>
        <source>another program holds the file</source>
        <translation>文件被另一个程序占用</translation>
    </message>
    <message>
        <source>anova: one-way analysis of variance of all {runs} runs; the difference is that of the best and the worst (Sakai 2016).</source>
        <translation>anova：对全部 {runs} 个运行的单因素方差分析；差异指最好与最差之间的差异（Sakai 2016）。</translation>
    </message>
    <message>
        <source>answers of Algolia</source>
        <translation>Algolia 的应答</translation>
    </message>
    <message>
        <source>answers of Elasticsearch or OpenSearch</source>
        <translation>Elasticsearch 或 OpenSearch 的应答</translation>
    </message>
    <message>
        <source>answers of Meilisearch</source>
        <translation>Meilisearch 的应答</translation>
    </message>
    <message>
        <source>answers of Solr</source>
        <translation>Solr 的应答</translation>
    </message>
    <message>
        <source>answers of Typesense</source>
        <translation>Typesense 的应答</translation>
    </message>
    <message>
        <source>answers of Vespa</source>
        <translation>Vespa 的应答</translation>
    </message>
    <message>
        <source>answers of an engine</source>
        <translation>搜索引擎的应答</translation>
    </message>
    <message>
        <source>answers with citations</source>
        <translation>带引用的回答</translation>
    </message>
    <message>
        <source>any document that has no grade can be relevant, retrieved or not</source>
        <translation>任何没有等级的文档都可能相关，不论是否检出</translation>
    </message>
    <message>
        <source>as NIST&apos;s script sample_eval computes it: smoothed with 3ε</source>
        <translation>按 NIST 的脚本 sample_eval 计算：以 3ε 平滑</translation>
    </message>
    <message>
        <source>as NIST&apos;s script: a judged document stands for those of its stratum that were retrieved</source>
        <translation>按 NIST 的脚本：一篇已判断文档代表同层中被检出的文档</translation>
    </message>
    <message>
        <source>as asked for</source>
        <translation>按要求</translation>
    </message>
    <message>
        <source>as it declares</source>
        <translation>按其声明</translation>
    </message>
    <message>
        <source>as many as in the first</source>
        <translation>与首行相同的列数</translation>
    </message>
    <message>
        <source>as people</source>
        <translation>与人相同</translation>
    </message>
    <message>
        <source>as trec_eval 10.0: recall level x reached with x·R documents, rounded; rbp with p = 0.9 and grades divided by the topic&apos;s highest</source>
        <translation>同 trec_eval 10.0：查全率水平 x 在 x·R 篇文档处达到（四舍五入）；rbp 取 p = 0.9，等级除以该主题的最高等级</translation>
    </message>
    <message>
        <source>as trec_eval 9.0.8: scores compared in single precision, recall level x reached with floor(x·R + 0.9) documents</source>
        <translation>同 trec_eval 9.0.8：得分按单精度比较，查全率水平 x 在 floor(x·R + 0.9) 篇文档处达到</translation>
    </message>
    <message>
        <source>as was said</source>
        <translation>按指定</translation>
    </message>
    <message>
        <source>assessor {name}</source>
        <translation>评判员 {name}</translation>
    </message>
    <message>
        <source>at a time that cannot be read</source>
        <translation>时间无法读取</translation>
    </message>
    <message>
        <source>average over {topics_said}</source>
        <translation>{topics_said}的平均</translation>
    </message>
    <message>
        <source>average precision, as the Million Query tracks estimate it from probabilities</source>
        <translation>平均精度，按 Million Query 评测由概率估计</translation>
    </message>
    <message>
        <source>average precision, each document weighted by 1 / its probability</source>
        <translation>平均精度，每篇文档以 1 / 其概率加权</translation>
    </message>
    <message>
        <source>average precision, from a stratified sample</source>
        <translation>平均精度，由分层样本估计</translation>
    </message>
    <message>
        <source>average: {average} ({average_means})</source>
        <translation>平均：{average}（{average_means}）</translation>
    </message>
    <message>
        <source>a·TP + b·FP + c·FN + d·TN: relevant retrieved, others retrieved, relevant missed, all others of the universe</source>
        <translation>a·TP + b·FP + c·FN + d·TN：检出的相关文档、检出的其他文档、漏检的相关文档、全集中的其余文档</translation>
    </message>
    <message>
        <source>beats every other</source>
        <translation>胜过其他各项</translation>
    </message>
    <message>
        <source>behind the last page</source>
        <translation>在最后一页之后</translation>
    </message>
    <message>
        <source>best passage</source>
        <translation>最佳段落</translation>
    </message>
    <message>
        <source>better order</source>
        <translation>排序更好</translation>
    </message>
    <message>
        <source>between {low} and {high}</source>
        <translation>{low} 到 {high} 之间</translation>
    </message>
    <message>
        <source>bootstrap {method}, {count} samples, seed {seed}</source>
        <translation>自助法 {method}，{count} 个样本，随机种子 {seed}</translation>
    </message>
    <message>
        <source>bootstrap, from one quantile of the drawn means to the other</source>
        <translation>自助法，取抽样均值的两个分位数之间</translation>
    </message>
    <message>
        <source>bootstrap, the quantiles corrected for bias and skewness</source>
        <translation>自助法，分位数按偏差和偏度校正</translation>
    </message>
    <message>
        <source>by Student&apos;s distribution</source>
        <translation>按学生 t 分布</translation>
    </message>
    <message>
        <source>by its mark</source>
        <translation>按其标记</translation>
    </message>
    <message>
        <source>by scanning the raw bytes</source>
        <translation>通过扫描原始字节</translation>
    </message>
    <message>
        <source>byte {column} of the line (0x{raw}) is not UTF-8, expected UTF-8</source>
        <translation>该行第 {column} 个字节（0x{raw}）不是 UTF-8，应为 UTF-8</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>cannot be judged ({payload})</source>
        <translation>无法判断（{payload}）</translation>
    </message>
    <message>
        <source>cannot be read ({fault})</source>
        <translation>无法读取（{fault}）</translation>
    </message>
    <message>
        <source>cannot be read ({reason})</source>
        <translation>无法读取（{reason}）</translation>
    </message>
    <message>
        <source>cannot be read ({value})</source>
        <translation>无法读取（{value}）</translation>
    </message>
    <message>
        <source>cannot be read to its end ({fault})</source>
        <translation>无法读到末尾（{fault}）</translation>
    </message>
    <message>
        <source>chance drew these topics out of a known number, and documents of them: two stages</source>
        <translation>先从已知数目的主题中随机抽取这些主题，再抽取其文档：两阶段</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>circular triads</source>
        <translation>三者循环</translation>
    </message>
    <message>
        <source>clearer</source>
        <translation>更清楚</translation>
    </message>
    <message>
        <source>column {place}</source>
        <translation>第 {place} 列</translation>
    </message>
    <message>
        <source>columns 3 and 4 are 0 in every line, so the document may be column 2 or 3; say with --columns {choice}</source>
        <translation>每行的第 3、4 列都是 0，因此文档可能在第 2 列或第 3 列；请用 --columns 说明：{choice}</translation>
    </message>
    <message>
        <source>conversation {number} has no list of turns</source>
        <translation>对话 {number} 没有轮次列表</translation>
    </message>
    <message>
        <source>davidson tie</source>
        <translation>Davidson 平局参数</translation>
    </message>
    <message>
        <source>decided by an adjudicator</source>
        <translation>由裁定者决定</translation>
    </message>
    <message>
        <source>did you mean {near}?</source>
        <translation>是否指 {near}？</translation>
    </message>
    <message>
        <source>did you mean {near}? {rest}</source>
        <translation>是否指 {near}？{rest}</translation>
    </message>
    <message>
        <source>disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>divided by</source>
        <translation>除以</translation>
    </message>
    <message>
        <source>document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>documents an assessor did not judge are unjudged, so that what was judged moves the order too</source>
        <translation>评判员没有判断的文档按未判断计，因此判断了哪些文档也会改变顺序</translation>
    </message>
    <message>
        <source>documents an assessor did not judge keep the majority of the others, so that grades alone move the order</source>
        <translation>评判员没有判断的文档取其他人的多数意见，因此只有等级会改变顺序</translation>
    </message>
    <message>
        <source>documents in the top k, or in the whole list without k</source>
        <translation>前 k 位的文档数，没有 k 时为整个列表的文档数</translation>
    </message>
    <message>
        <source>documents of a topic</source>
        <translation>某个主题的文档</translation>
    </message>
    <message>
        <source>documents that were drawn with equal chances within strata of known size</source>
        <translation>在大小已知的各层内以相等概率抽取的文档</translation>
    </message>
    <message>
        <source>drawn at random</source>
        <translation>随机抽取</translation>
    </message>
    <message>
        <source>each assessor has a column here ({judges}), expected a row for each judgment, with the columns assessor and grade</source>
        <translation>这里每位评估者占一列（{judges}），应为每个判定一行，并有 assessor 和 grade 两列</translation>
    </message>
    <message>
        <source>each gain divided by log2(rank + 1)</source>
        <translation>每个增益除以 log2(名次 + 1)</translation>
    </message>
    <message>
        <source>each judgment that is still to come puts one document more into the ranking</source>
        <translation>每个尚未作出的判断都会使排序中多一篇文档</translation>
    </message>
    <message>
        <source>each question needs an id of its own and words, {expected}</source>
        <translation>每个问题都需要自己的标识和文字，{expected}</translation>
    </message>
    <message>
        <source>elements stand inside each other more than {deepest_around} deep, and none of them is a topic</source>
        <translation>元素嵌套超过 {deepest_around} 层，其中没有一个是主题</translation>
    </message>
    <message>
        <source>event {sequence}</source>
        <translation>事件 {sequence}</translation>
    </message>
    <message>
        <source>event {sequence}{rest}</source>
        <translation>事件 {sequence}{rest}</translation>
    </message>
    <message>
        <source>exact binomial, ties dropped</source>
        <translation>精确二项检验，平局不计</translation>
    </message>
    <message>
        <source>exercise {name}</source>
        <translation>练习 {name}</translation>
    </message>
    <message>
        <source>exercise {name} is there twice, expected each once</source>
        <translation>练习 {name} 出现了两次，应各出现一次</translation>
    </message>
    <message>
        <source>expected &quot;query&quot; and &quot;response&quot;, or an answer as the others are</source>
        <translation>应为 &quot;query&quot; 和 &quot;response&quot;，或与其他行相同的应答</translation>
    </message>
    <message>
        <source>expected &lt;topic&gt; elements, each with a number</source>
        <translation>应为 &lt;topic&gt; 元素，每个带有编号</translation>
    </message>
    <message>
        <source>expected JSON like {{&quot;before&quot;: [{{&quot;id&quot;: &quot;often&quot;, &quot;question&quot;: &quot;How often do you search?&quot;, &quot;choices&quot;: [&quot;daily&quot;, &quot;rarely&quot;]}}]}}</source>
        <translation>应为这样的 JSON：{{&quot;before&quot;: [{{&quot;id&quot;: &quot;often&quot;, &quot;question&quot;: &quot;How often do you search?&quot;, &quot;choices&quot;: [&quot;daily&quot;, &quot;rarely&quot;]}}]}}</translation>
    </message>
    <message>
        <source>expected JSON lines like {{&quot;qid&quot;: &quot;7&quot;, &quot;nuggets&quot;: [{{&quot;text&quot;: &quot;…&quot;, &quot;importance&quot;: &quot;vital&quot;}}]}}</source>
        <translation>应为这样的 JSON 行：{{&quot;qid&quot;: &quot;7&quot;, &quot;nuggets&quot;: [{{&quot;text&quot;: &quot;…&quot;, &quot;importance&quot;: &quot;vital&quot;}}]}}</translation>
    </message>
    <message>
        <source>expected JSON lines of answers, each with a topic, references, and sentences that have a text and citations</source>
        <translation>应为每行一个回答的 JSON，各有主题、参考文献以及带文字和引用的句子</translation>
    </message>
    <message>
        <source>expected TREC (&lt;DOC&gt;), SMART (.I 1), JSON objects with an id and text, lines with an id, a tab and the text, CSV with a header, or a folder or archive of .txt, .md, .html, .pdf, .docx, .odt or image files</source>
        <translation>应为 TREC（&lt;DOC&gt;）、SMART（.I 1）、含编号和文本的 JSON 对象、“编号+制表符+文本”的行、有表头的 CSV，或含 .txt、.md、.html、.pdf、.docx、.odt 或图像文件的文件夹或归档</translation>
    </message>
    <message>
        <source>expected TREC topics (&lt;top&gt;), XML, SMART queries (.I), JSON objects with an id and a title or text, or lines with an id, a tab and the query</source>
        <translation>应为 TREC 主题 (&lt;top&gt;)、XML、SMART 查询 (.I)、带编号和标题或文本的 JSON 对象，或由编号、制表符和查询组成的行</translation>
    </message>
    <message>
        <source>expected a kept evaluation as JSON ({fault})</source>
        <translation>应为 JSON 形式的已保留评测（{fault}）</translation>
    </message>
    <message>
        <source>expected a list, got {text}</source>
        <translation>应为列表，得到 {text}</translation>
    </message>
    <message>
        <source>expected a setting that there is, got {wrong}</source>
        <translation>应为现有的设置，实际为 {wrong}</translation>
    </message>
    <message>
        <source>expected a value for each measure and topic of {run}</source>
        <translation>{run} 的每个指标和主题都应有一个值</translation>
    </message>
    <message>
        <source>expected a whole number as Doc Position, got {cell}</source>
        <translation>Doc Position 应为整数，得到的是 {cell}</translation>
    </message>
    <message>
        <source>expected a whole number, got {value}</source>
        <translation>应为整数，实际为 {value}</translation>
    </message>
    <message>
        <source>expected a {kind}, got {fact}</source>
        <translation>应为 {kind}，现为 {fact}</translation>
    </message>
    <message>
        <source>expected an action, one of {names}</source>
        <translation>应为以下操作之一：{names}</translation>
    </message>
    <message>
        <source>expected an object a line</source>
        <translation>应为每行一个对象</translation>
    </message>
    <message>
        <source>expected each column of a snapshot once: {names}</source>
        <translation>快照的每一列应各有一个：{names}</translation>
    </message>
    <message>
        <source>expected form {form} of a kept evaluation</source>
        <translation>应为格式 {form} 的已保留评测</translation>
    </message>
    <message>
        <source>expected kept evaluations, a line of JSON each; it holds none</source>
        <translation>应为已保留的评测，每个一行 JSON；其中没有</translation>
    </message>
    <message>
        <source>expected kept evaluations, a line of JSON each; it is no text in UTF-8</source>
        <translation>应为已保留的评测，每个一行 JSON；它不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>expected lines of run, measure, topic and value, of which some have the topic `all`</source>
        <translation>应为由检索结果、指标、主题和值组成的行，其中一些行的主题为 `all`</translation>
    </message>
    <message>
        <source>expected numbers of what {run} rests on</source>
        <translation>应有 {run} 所依据的各项数字</translation>
    </message>
    <message>
        <source>expected objects</source>
        <translation>应为对象</translation>
    </message>
    <message>
        <source>expected one such as 12.5</source>
        <translation>应为 12.5 这样的数字</translation>
    </message>
    <message>
        <source>expected qrels, run or side, got {kind}</source>
        <translation>应为 qrels、run 或 side，实际为 {kind}</translation>
    </message>
    <message>
        <source>expected topics with documents and their {value}s, like {{&quot;1&quot;: {{&quot;d7&quot;: 2}}}}</source>
        <translation>应为主题及其文档和 {value}，如 {{&quot;1&quot;: {{&quot;d7&quot;: 2}}}}</translation>
    </message>
    <message>
        <source>expected words, got {text}</source>
        <translation>应为文字，实际为 {text}</translation>
    </message>
    <message>
        <source>expected {count} columns, got {cells}</source>
        <translation>应有 {count} 列，得到 {cells} 列</translation>
    </message>
    <message>
        <source>feedback is written as rm3 or rm3(parameter=value)</source>
        <translation>反馈写作 rm3 或 rm3(参数=值)</translation>
    </message>
    <message>
        <source>fewer than half of the words</source>
        <translation>不到一半的词</translation>
    </message>
    <message>
        <source>fewer than {needed} columns</source>
        <translation>少于 {needed} 列</translation>
    </message>
    <message>
        <source>fields not read</source>
        <translation>没有读取的字段</translation>
    </message>
    <message>
        <source>find in document</source>
        <translation>在文档中查找</translation>
    </message>
    <message>
        <source>find next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>find previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>first quartile</source>
        <translation>第一四分位数</translation>
    </message>
    <message>
        <source>first stood left, least balanced pair</source>
        <translation>最不均衡的一对：第一项在左侧</translation>
    </message>
    <message>
        <source>first: rows, second: columns</source>
        <translation>第一人：行，第二人：列</translation>
    </message>
    <message>
        <source>floor({reached} + 0.9), where the sum is {sum}</source>
        <translation>floor({reached} + 0.9)，其中总和为 {sum}</translation>
    </message>
    <message>
        <source>floor({recall}·{relevant} + 0.9), rounded once</source>
        <translation>floor({recall}·{relevant} + 0.9)，只舍入一次</translation>
    </message>
    <message>
        <source>found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>found {cells} column(s), expected {count} separated by tabs: {columns}</source>
        <translation>有 {cells} 列，应为用制表符分隔的 {count} 列：{columns}</translation>
    </message>
    <message>
        <source>found {cells} column(s), expected {count}: {names}</source>
        <translation>有 {cells} 列，应为 {count}：{names}</translation>
    </message>
    <message>
        <source>found {columns} columns separated by tabs, expected two, an id and the query, or a first line that names the columns</source>
        <translation>有 {columns} 个用制表符分隔的列，应为两列，即编号和查询，或首行写明各列名称</translation>
    </message>
    <message>
        <source>found {found} column(s), expected {expected}; {listed}</source>
        <translation>有 {found} 列，应为{expected}；{listed}</translation>
    </message>
    <message>
        <source>found {found}, expected &quot;{mark}&quot; in the JSON list</source>
        <translation>读到 {found}，JSON 列表中应为“{mark}”</translation>
    </message>
    <message>
        <source>found {kind}, expected a JSON object with an id</source>
        <translation>读到{kind}，应为带编号的 JSON 对象</translation>
    </message>
    <message>
        <source>found “{beginning}”, {expected}</source>
        <translation>读到“{beginning}”，{expected}</translation>
    </message>
    <message>
        <source>found “{line}”, expected a number, a colon and the query</source>
        <translation>发现“{line}”，应为编号、冒号和查询</translation>
    </message>
    <message>
        <source>found “{line}”, expected the path of a heading, as enwiki:Title/Heading</source>
        <translation>发现“{line}”，应为标题的路径，如 enwiki:Title/Heading</translation>
    </message>
    <message>
        <source>found “{text}”, expected a rating, qid:QUERY, and # with the document</source>
        <translation>发现“{text}”，应为评分、qid:查询，以及带文档的 #</translation>
    </message>
    <message>
        <source>found “{text}”, expected the numbers of documents</source>
        <translation>发现“{text}”，应为文档编号</translation>
    </message>
    <message>
        <source>found “{text}”, expected {width} columns with a grade such as L2</source>
        <translation>发现“{text}”，应为 {width} 列，其中有 L2 这样的等级</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>增益</translation>
    </message>
    <message>
        <source>gain = 2^grade − 1</source>
        <translation>增益 = 2^等级 − 1</translation>
    </message>
    <message>
        <source>gain = grade</source>
        <translation>增益 = 等级</translation>
    </message>
    <message>
        <source>gain of grades {gain}, else gain = grade</source>
        <translation>等级的增益为 {gain}，其余增益 = 等级</translation>
    </message>
    <message>
        <source>gamma · (intents found in the top k / intents with a relevant document) + (1 − gamma) · D-nDCG</source>
        <translation>gamma · (前 k 位覆盖的意图数 / 有相关文档的意图数) + (1 − gamma) · D-nDCG</translation>
    </message>
    <message>
        <source>geometric mean over the topics of max(AP, eps)</source>
        <translation>各主题 max(AP, eps) 的几何平均</translation>
    </message>
    <message>
        <source>geometric mean over the topics of max(Bpref, eps)</source>
        <translation>各主题 max(Bpref, eps) 的几何平均</translation>
    </message>
    <message>
        <source>grade</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>grade / {divisor}</source>
        <translation>等级 / {divisor}</translation>
    </message>
    <message>
        <source>grade {grade} is not on the scale {there}</source>
        <translation>等级 {grade} 不在量表 {there} 上</translation>
    </message>
    <message>
        <source>grade {grade} is too large, expected one that a scale can have</source>
        <translation>等级 {grade} 过大，应为等级范围可容纳的等级</translation>
    </message>
    <message>
        <source>grade {texts} is not a whole number</source>
        <translation>等级 {texts} 不是整数</translation>
    </message>
    <message>
        <source>grades are as they were, as was said</source>
        <translation>按指定，等级保持原样</translation>
    </message>
    <message>
        <source>grades are {grades}, expected whole numbers</source>
        <translation>grades 为 {grades}，应为整数</translation>
    </message>
    <message>
        <source>grades were turned as was said: {parts}</source>
        <translation>等级已按指定改变：{parts}</translation>
    </message>
    <message>
        <source>grades {texts} are not whole numbers</source>
        <translation>等级 {texts} 不是整数</translation>
    </message>
    <message>
        <source>half of the words or more</source>
        <translation>一半或更多的词</translation>
    </message>
    <message>
        <source>hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>headings of outlines</source>
        <translation>提纲的标题</translation>
    </message>
    <message>
        <source>higher</source>
        <translation>高</translation>
    </message>
    <message>
        <source>highest precision where recall is x or more (rule=window: at recall x, else up to x + 0.1, else the next level&apos;s; rule=trec9: from the document floor(x·R + 0.9) on; rule=trec10: from x·R, rounded)</source>
        <translation>召回率不低于 x 处的最高精确率（rule=window：召回率为 x 处，否则到 x + 0.1，否则取下一级的；rule=trec9：从第 floor(x·R + 0.9) 篇起；rule=trec10：从四舍五入的 x·R 起）</translation>
    </message>
    <message>
        <source>highlight a word</source>
        <translation>高亮一个词</translation>
    </message>
    <message>
        <source>ideal CG</source>
        <translation>理想 CG</translation>
    </message>
    <message>
        <source>ideal of {line}</source>
        <translation>{line} 的理想值</translation>
    </message>
    <message>
        <source>imported {stored}</source>
        <translation>导入的 {stored}</translation>
    </message>
    <message>
        <source>in chains of overflow pages</source>
        <translation>在溢出页链中</translation>
    </message>
    <message>
        <source>in the set and not relevant (universe=judged: judged and not relevant)</source>
        <translation>在集合中且不相关（universe=judged：已判断且不相关）</translation>
    </message>
    <message>
        <source>intents</source>
        <translation>意图</translation>
    </message>
    <message>
        <source>interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>为空</translation>
    </message>
    <message>
        <source>is not a number</source>
        <translation>不是数字</translation>
    </message>
    <message>
        <source>it begins neither as Parquet nor as Arrow IPC does</source>
        <translation>它的开头既不是 Parquet，也不是 Arrow IPC</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>it cannot be read, or is larger than an event can be</source>
        <translation>无法读取，或超过事件的大小上限</translation>
    </message>
    <message>
        <source>it cannot be split into columns ({fault})</source>
        <translation>无法将其分成各列（{fault}）</translation>
    </message>
    <message>
        <source>it does not fit its hash, so it was changed</source>
        <translation>它与其哈希值不符，说明被改动过</translation>
    </message>
    <message>
        <source>it does not read as a panel, expected a JSON object with {known}</source>
        <translation>无法作为参与者平台读取，应为含有 {known} 的 JSON 对象</translation>
    </message>
    <message>
        <source>it does not read as a survey, {expected}</source>
        <translation>无法读作问卷，{expected}</translation>
    </message>
    <message>
        <source>it does not read as an action</source>
        <translation>读起来不像一个操作</translation>
    </message>
    <message>
        <source>it does not read as an event</source>
        <translation>无法作为事件读出</translation>
    </message>
    <message>
        <source>it does not say how much better the side is</source>
        <translation>没有说明该侧好多少</translation>
    </message>
    <message>
        <source>it does not say what was looked at</source>
        <translation>没有说明查看了什么</translation>
    </message>
    <message>
        <source>it does not say what was shown</source>
        <translation>没有说明显示了什么</translation>
    </message>
    <message>
        <source>it does not say which side is better, but {winner}</source>
        <translation>没有说明哪一侧更好，而是 {winner}</translation>
    </message>
    <message>
        <source>it expands to more than irjudge reads of one document; save it as text</source>
        <translation>它展开后超过 irjudge 对单篇文档的读取上限；请存为纯文本</translation>
    </message>
    <message>
        <source>it expands to more than {megabytes} and is not read further</source>
        <translation>展开后超过 {megabytes}，不再继续读取</translation>
    </message>
    <message>
        <source>it follows one that cannot be used</source>
        <translation>它之前的一个无法使用</translation>
    </message>
    <message>
        <source>it has a field that is not known: {name}</source>
        <translation>它有一个未知的字段：{name}</translation>
    </message>
    <message>
        <source>it has no hash, so something else than irjudge wrote it</source>
        <translation>它没有哈希值，说明不是 irjudge 写入的</translation>
    </message>
    <message>
        <source>it has no {kind} {name}</source>
        <translation>其中没有 {kind} {name}</translation>
    </message>
    <message>
        <source>it has none.</source>
        <translation>它没有参数。</translation>
    </message>
    <message>
        <source>it has {names}.</source>
        <translation>可用的有 {names}。</translation>
    </message>
    <message>
        <source>it holds a value of another kind than its table keeps</source>
        <translation>其中有一个值的类型与所在表不符</translation>
    </message>
    <message>
        <source>it holds a view or virtual table</source>
        <translation>其中有视图或虚拟表</translation>
    </message>
    <message>
        <source>it holds another {kind}, called {name}</source>
        <translation>其中有另外的 {kind}，名为 {name}</translation>
    </message>
    <message>
        <source>it holds answers to exercises, and those are never written over</source>
        <translation>其中有练习的答案，练习答案永远不会被覆盖</translation>
    </message>
    <message>
        <source>it holds no answers of an engine, expected qrels or a run</source>
        <translation>其中没有搜索引擎的应答；应为 qrels 或检索结果</translation>
    </message>
    <message>
        <source>it holds several snapshots ({listed}), expected one in a file</source>
        <translation>其中有多个快照（{listed}）；每个文件应只有一个</translation>
    </message>
    <message>
        <source>it holds {count} different numbers with fractions, such as {first}, as scores and values are; expected grades</source>
        <translation>其中有 {count} 个不同的小数，例如 {first}，像是分数或数值；应为等级</translation>
    </message>
    <message>
        <source>it is a database, and those are never written over</source>
        <translation>它是数据库，数据库永远不会被覆盖</translation>
    </message>
    <message>
        <source>it is a folder without answers of an engine; expected one file of a run</source>
        <translation>这是一个没有搜索引擎应答的文件夹；应为一个检索结果文件</translation>
    </message>
    <message>
        <source>it is a folder without {first}, expected a file, or a folder as BEIR has them</source>
        <translation>这是没有 {first} 的文件夹，应为文件，或 BEIR 形式的文件夹</translation>
    </message>
    <message>
        <source>it is a folder, expected a file</source>
        <translation>它是文件夹，应为文件</translation>
    </message>
    <message>
        <source>it is a pipe or a device, expected a file or a folder</source>
        <translation>它是管道或设备，应为文件或文件夹</translation>
    </message>
    <message>
        <source>it is a project or an assignment, and those are never written over</source>
        <translation>它是项目或任务文件，这类文件永远不会被覆盖</translation>
    </message>
    <message>
        <source>it is a spreadsheet ({form}), from which nothing like this is read; save its sheet as CSV and read that</source>
        <translation>这是电子表格（{form}），不能从中读取这类内容；请把其中的工作表另存为 CSV 后再读取</translation>
    </message>
    <message>
        <source>it is a spreadsheet, from which no documents are read; save its sheet as CSV and read that</source>
        <translation>它是电子表格，无法从中读取文档；请将其工作表另存为 CSV 后读取</translation>
    </message>
    <message>
        <source>it is a {form} file, of which documents are read and nothing else; save it as text and read that</source>
        <translation>它是 {form} 文件，只能作为文档读取；请存为纯文本再读取</translation>
    </message>
    <message>
        <source>it is a {form} file, which is not read yet; save it as text or HTML and read that</source>
        <translation>这是 {form} 文件，目前还不能读取；请另存为文本或 HTML 后再读取</translation>
    </message>
    <message>
        <source>it is about other sides than were assigned there</source>
        <translation>所涉及的两侧与分配的不同</translation>
    </message>
    <message>
        <source>it is about something that was not assigned there</source>
        <translation>所涉及的内容不在该分配中</translation>
    </message>
    <message>
        <source>it is about something that was not given to you</source>
        <translation>它涉及没有分给你的内容</translation>
    </message>
    <message>
        <source>it is an archive, expected one file, plain or packed with gzip, bzip2 or xz</source>
        <translation>它是压缩包，应为单个文件，不压缩或用 gzip、bzip2 或 xz 压缩</translation>
    </message>
    <message>
        <source>it is by another assessor than {assessor}, whose file it is</source>
        <translation>这是 {assessor} 的文件，而它出自另一位评判员</translation>
    </message>
    <message>
        <source>it is by somebody who was erased from the project</source>
        <translation>它出自一个已从项目中抹去的人</translation>
    </message>
    <message>
        <source>it is damaged, or no such file; open it in its program and save it anew, or as text</source>
        <translation>它已损坏，或不是这种文件；请在其程序中打开并重新保存，或存为纯文本</translation>
    </message>
    <message>
        <source>it is empty, expected instructions in Markdown</source>
        <translation>文件为空，应为 Markdown 写的说明</translation>
    </message>
    <message>
        <source>it is itself an estimate of what the unjudged documents will make of AP, which has bounds</source>
        <translation>它本身就是对未判文档将使 AP 变为多少的估计，而 AP 有上下界</translation>
    </message>
    <message>
        <source>it is larger than an action can be</source>
        <translation>它超出了一个操作的大小上限</translation>
    </message>
    <message>
        <source>it is larger than {megabytes}, too large to be read in one piece</source>
        <translation>大于 {megabytes}，过大而无法一次读取</translation>
    </message>
    <message>
        <source>it is locked with a password; save it without one</source>
        <translation>它有密码保护；请去掉密码后保存</translation>
    </message>
    <message>
        <source>it is locked with a password; unpack it and read the files</source>
        <translation>它有密码；请解压后读取其中的文件</translation>
    </message>
    <message>
        <source>it is missing</source>
        <translation>它缺失了</translation>
    </message>
    <message>
        <source>it is nested more than {most} deep</source>
        <translation>它的嵌套超过 {most} 层</translation>
    </message>
    <message>
        <source>it is no {kind}</source>
        <translation>它不是 {kind}</translation>
    </message>
    <message>
        <source>it is not a file, expected qrels or a run</source>
        <translation>它不是文件，应为 qrels 或检索结果</translation>
    </message>
    <message>
        <source>it is not well-formed XML ({reason}), {expected}</source>
        <translation>不是格式正确的 XML（{reason}），{expected}</translation>
    </message>
    <message>
        <source>it is one of the files that this is made from</source>
        <translation>它是本文件所依据的文件之一</translation>
    </message>
    <message>
        <source>it is open in another program, or you may not write there</source>
        <translation>文件正在另一个程序中打开，或没有写入权限</translation>
    </message>
    <message>
        <source>it is packed in a way that is not known ({error}); unpack it and read the files</source>
        <translation>压缩方式未知（{error}）；请解压后读取其中的文件</translation>
    </message>
    <message>
        <source>it is packed with {other}, expected gzip, bzip2, xz, zip or tar; unpack it and read the files</source>
        <translation>它用 {other} 压缩，应为 gzip、bzip2、xz、zip 或 tar；请解压后读取其中的文件</translation>
    </message>
    <message>
        <source>it is the result of somebody&apos;s judging, and those are never written over</source>
        <translation>它是某人的判断结果，判断结果永远不会被覆盖</translation>
    </message>
    <message>
        <source>it was graded on another scale</source>
        <translation>是按另一个等级范围评级的</translation>
    </message>
    <message>
        <source>items all called relevant / items any called relevant; |A∩B|/|A∪B| for two</source>
        <translation>所有人判为相关的项 / 任一人判为相关的项；两人时为 |A∩B|/|A∪B|</translation>
    </message>
    <message>
        <source>items have {min} to {max} labels, and it takes the same number each; alpha takes any</source>
        <translation>各条目有 {min} 到 {max} 个标签，而此统计量要求数量相同；alpha 不限数量</translation>
    </message>
    <message>
        <source>its bytes do not fit its hash, so it was changed after it was written</source>
        <translation>其字节与散列值不符，写入后被改动过</translation>
    </message>
    <message>
        <source>its bytes were damaged</source>
        <translation>其字节已损坏</translation>
    </message>
    <message>
        <source>its checksum does not fit: it was changed, or the one before it is missing</source>
        <translation>校验和不符：它被改动过，或者缺少它之前的一个</translation>
    </message>
    <message>
        <source>its column run names {count} runs ({listed}), expected one; keep each in a folder run=NAME</source>
        <translation>其 run 列含有 {count} 个运行（{listed}），应为一个；请把每个运行各放在一个 run=NAME 文件夹中</translation>
    </message>
    <message>
        <source>its columns are not those of {first}</source>
        <translation>它的列与 {first} 的列不同</translation>
    </message>
    <message>
        <source>its columns do not fit its bytes</source>
        <translation>其各列与字节不符</translation>
    </message>
    <message>
        <source>its cutoff</source>
        <translation>截断位置</translation>
    </message>
    <message>
        <source>its documents are coded and those of other parts are not, or otherwise</source>
        <translation>它的文档是编码的而其他部分的不是，或编码方式不同</translation>
    </message>
    <message>
        <source>its documents are no list</source>
        <translation>其文档不是列表</translation>
    </message>
    <message>
        <source>its end is missing</source>
        <translation>缺少结尾</translation>
    </message>
    <message>
        <source>its grades give no table of which kappa is known</source>
        <translation>它的等级得不出可以算 κ 的表</translation>
    </message>
    <message>
        <source>its header was changed</source>
        <translation>其文件头被改动</translation>
    </message>
    <message>
        <source>its multiple of R</source>
        <translation>R 的倍数</translation>
    </message>
    <message>
        <source>its number is not the next of its client</source>
        <translation>它的编号不是该客户端的下一个编号</translation>
    </message>
    <message>
        <source>its reasons cannot be read</source>
        <translation>无法读取其理由</translation>
    </message>
    <message>
        <source>its recall level</source>
        <translation>召回率级别</translation>
    </message>
    <message>
        <source>its round is closed for all, and what was said in it stands</source>
        <translation>它所在的轮次已对所有人关闭，其中的判断不再更改</translation>
    </message>
    <message>
        <source>its table {name} has other columns</source>
        <translation>其中的表 {name} 有不同的列</translation>
    </message>
    <message>
        <source>its tables are other ones</source>
        <translation>其中的表不同</translation>
    </message>
    <message>
        <source>its time is none</source>
        <translation>其时间无效</translation>
    </message>
    <message>
        <source>judged and not relevant in the top k, or in the whole list without k</source>
        <translation>前 k 位中已判断且不相关的篇数，没有 k 时取整个列表</translation>
    </message>
    <message>
        <source>judged documents in the top k, or in the whole list without k</source>
        <translation>前 k 位中已判断的篇数，没有 k 时取整个列表</translation>
    </message>
    <message>
        <source>judged here</source>
        <translation>在此判断</translation>
    </message>
    <message>
        <source>judged in the top k / min(k, n), where n documents were retrieved; without k in the whole list / n</source>
        <translation>前 k 位中已判断的篇数 / min(k, n)，共检索到 n 篇；没有 k 时为整个列表中的篇数 / n</translation>
    </message>
    <message>
        <source>judged_only: {count} unjudged documents leave the ranking, and ranks are counted anew.</source>
        <translation>judged_only：{count} 篇未判断的文档退出排序，名次重新计数。</translation>
    </message>
    <message>
        <source>k = {cutoff}: ranks 1 to {cutoff} are looked at</source>
        <translation>k = {cutoff}：查看第 1 到 {cutoff} 位</translation>
    </message>
    <message>
        <source>kappa against people is {kappa} on {count} pairs, as if the scale ran backwards; say --backwards or --not-backwards</source>
        <translation>与人相比，在 {count} 对上 κ 为 {kappa}，好像量表反了；请用 --backwards 或 --not-backwards 说明</translation>
    </message>
    <message>
        <source>keep selection as reason</source>
        <translation>将所选文字记为理由</translation>
    </message>
    <message>
        <source>kind is {text}, expected person or model</source>
        <translation>kind 为 {text}，应为 person 或 model</translation>
    </message>
    <message>
        <source>known answer</source>
        <translation>已知答案</translation>
    </message>
    <message>
        <source>labels of rel or more / labels</source>
        <translation>不低于 rel 的标签数 / 标签数</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>learning to rank (text)</source>
        <translation>排序学习（文本）</translation>
    </message>
    <message>
        <source>left better</source>
        <translation>左侧较好</translation>
    </message>
    <message>
        <source>left chosen</source>
        <translation>选择左侧</translation>
    </message>
    <message>
        <source>left much better</source>
        <translation>左侧好得多</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>less repetition</source>
        <translation>重复更少</translation>
    </message>
    <message>
        <source>line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>line {line} ({topic} {document})</source>
        <translation>第 {line} 行（{topic} {document}）</translation>
    </message>
    <message>
        <source>line {line} ({why})</source>
        <translation>第 {line} 行（{why}）</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>lines of _bulk</source>
        <translation>_bulk 行</translation>
    </message>
    <message>
        <source>ln((1 + S) / (1 + R − S)), with S = Σ of P@r over the ranks r of relevant documents</source>
        <translation>ln((1 + S) / (1 + R − S))，S 为相关文档名次 r 上 P@r 之和</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>低</translation>
    </message>
    <message>
        <source>max(AP, eps) = max({average}, {least}) = {larger}</source>
        <translation>取较大者：max(AP, eps) = max({average}, {least}) = {larger}</translation>
    </message>
    <message>
        <source>mean of nDCG@k over the last ranks k of each gain in the ideal ranking, and of nDCG@n where n &gt; R + 1 (R documents gain)</source>
        <translation>理想排序中各增益最后名次 k 上 nDCG@k 的平均，n &gt; R + 1 时再加 nDCG@n（R 篇文档有增益）</translation>
    </message>
    <message>
        <source>mean of the interpolated precisions at the levels of recall</source>
        <translation>各召回率级别上插值精确率的平均</translation>
    </message>
    <message>
        <source>mean over items of equal pairs of labels / pairs of labels</source>
        <translation>各项的 相同标签对数 / 标签对数 的平均</translation>
    </message>
    <message>
        <source>mean over the subtopics of (relevant for the subtopic in the top k) / k</source>
        <translation>各子主题的（前 k 位中与该子主题相关的篇数）/ k 的平均</translation>
    </message>
    <message>
        <source>mean over the subtopics of their average precision: Σ of (relevant for the subtopic so far) / r over its relevant ranks r &lt;= k, / its relevant documents</source>
        <translation>各子主题平均精确率的平均：其相关名次 r &lt;= k 上（到此为止与该子主题相关的篇数）/ r 之和，再除以其相关文档数</translation>
    </message>
    <message>
        <source>mean over the subtopics of Σ over relevant ranks r &lt;= k of (1 − alpha)^(times seen before) / r, over the most that any ranking could have: Σ over r = 1 … k of (1 − alpha)^(r − 1) / r</source>
        <translation>各子主题的相关名次 r &lt;= k 上 (1 − alpha)^(此前见过的次数) / r 之和的平均，除以任何排序所能达到的最大值：r = 1 … k 上 (1 − alpha)^(r − 1) / r 之和</translation>
    </message>
    <message>
        <source>median seconds</source>
        <translation>用时中位数（秒）</translation>
    </message>
    <message>
        <source>min(R, k)</source>
        <translation>R 与 k 中的较小者</translation>
    </message>
    <message>
        <source>model {name}</source>
        <translation>模型 {name}</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>more answers (share={share})</source>
        <translation>还需的回答数 (share={share})</translation>
    </message>
    <message>
        <source>more complete</source>
        <translation>更完整</translation>
    </message>
    <message>
        <source>more relevant</source>
        <translation>更相关</translation>
    </message>
    <message>
        <source>more than {most_rows} rows, expected a sheet that a spreadsheet program can show</source>
        <translation>超过 {most_rows} 行，应为电子表格程序能显示的工作表</translation>
    </message>
    <message>
        <source>more than {most_topics} topics, expected as many as somebody could look at</source>
        <translation>超过 {most_topics} 个主题，应为人能看完的数量</translation>
    </message>
    <message>
        <source>more than {most} bytes, which is too large for JSON</source>
        <translation>超过 {most} 字节，对 JSON 来说太大</translation>
    </message>
    <message>
        <source>more than {show}</source>
        <translation>大于 {show}</translation>
    </message>
    <message>
        <source>more trustworthy</source>
        <translation>更可信</translation>
    </message>
    <message>
        <source>more was written than one person may write for what they were given</source>
        <translation>就所分到的内容而言，已超出一人可写的量</translation>
    </message>
    <message>
        <source>moves without a target; moves are counted where a ranking is to reach one</source>
        <translation>有移动次数而没有目标；只有排序要达到目标时才计移动次数</translation>
    </message>
    <message>
        <source>much better</source>
        <translation>好得多</translation>
    </message>
    <message>
        <source>n = {count} documents were retrieved, and all are looked at.</source>
        <translation>检出了 n = {count} 篇文档，全部查看。</translation>
    </message>
    <message>
        <source>nDCG averaged over levels of gain</source>
        <translation>按增益级别平均的 nDCG</translation>
    </message>
    <message>
        <source>nDCG averaged over relevant documents</source>
        <translation>按相关文档平均的 nDCG</translation>
    </message>
    <message>
        <source>nDCG, from a stratified sample</source>
        <translation>nDCG，由分层样本估计</translation>
    </message>
    <message>
        <source>neither in the set nor relevant: U − TP − FP − FN, with U documents in the universe</source>
        <translation>既不在集合中也不相关：U − TP − FP − FN，全集有 U 篇文档</translation>
    </message>
    <message>
        <source>net preference</source>
        <translation>净偏好</translation>
    </message>
    <message>
        <source>next document on the page</source>
        <translation>页面上的下一篇文档</translation>
    </message>
    <message>
        <source>next highlighted place</source>
        <translation>下一处高亮</translation>
    </message>
    <message>
        <source>no answer has its hits and ids where --paths says</source>
        <translation>没有一个应答在 --paths 所说的位置有结果和编号</translation>
    </message>
    <message>
        <source>no answer is in the file, expected rows below the header</source>
        <translation>文件中没有答案，应在表头下有数据行</translation>
    </message>
    <message>
        <source>no answer was found, {expected}</source>
        <translation>没有找到回答，{expected}</translation>
    </message>
    <message>
        <source>no column is called {column}, and {name} may be it; expected {form}</source>
        <translation>没有名为 {column} 的列，而 {name} 可能就是它；应为 {form}</translation>
    </message>
    <message>
        <source>no column is the {part}, expected one of {expecteds}; {unknown_columns}</source>
        <translation>没有 {part} 列，应有 {expecteds} 之一；{unknown_columns}</translation>
    </message>
    <message>
        <source>no column is understood as the grade, and column {name} holds something; say which is with --columns &quot;{choice}&quot;</source>
        <translation>没有一列能认作等级，而第 {name} 列有内容；请用 --columns &quot;{choice}&quot; 说明哪一列是</translation>
    </message>
    <message>
        <source>no column is understood as the grade; {rest}</source>
        <translation>没有一列能认作等级；{rest}</translation>
    </message>
    <message>
        <source>no column is understood as the score or the rank, and column {name} may be; say with --columns {choice}</source>
        <translation>没有一列能认作得分或名次，而第 {name} 列可能是；请用 --columns {choice} 说明</translation>
    </message>
    <message>
        <source>no column is understood as the score or the rank, and {names} may be; say with --columns {choice}</source>
        <translation>没有一列能认作得分或名次，而 {names} 可能是；请用 --columns {choice} 说明</translation>
    </message>
    <message>
        <source>no column is understood as the score or the rank; the columns are {names}</source>
        <translation>没有一列可以看作分数或名次；各列为 {names}</translation>
    </message>
    <message>
        <source>no column {first}, expected {neededs} as `irjudge pool -o FILE.csv` writes them</source>
        <translation>没有列 {first}，应有 `irjudge pool -o FILE.csv` 写出的 {neededs}</translation>
    </message>
    <message>
        <source>no discount</source>
        <translation>没有折损</translation>
    </message>
    <message>
        <source>no document stands behind #, and features alone do not say which it is</source>
        <translation># 后面没有文档，仅凭特征无法知道是哪一篇</translation>
    </message>
    <message>
        <source>no document was found, {expected}</source>
        <translation>没有找到文档，{expected}</translation>
    </message>
    <message>
        <source>no document was found; {removesuffix}</source>
        <translation>没有找到文档；{removesuffix}</translation>
    </message>
    <message>
        <source>no end of the record within {megabytes}</source>
        <translation>在 {megabytes} 之内没有找到记录的结尾</translation>
    </message>
    <message>
        <source>no exercise is in the file, expected rows below the header</source>
        <translation>文件中没有练习，表头之下应有若干行</translation>
    </message>
    <message>
        <source>no grade</source>
        <translation>没有等级</translation>
    </message>
    <message>
        <source>no hit was found, expected {form}</source>
        <translation>没有找到任何结果，应为{form}</translation>
    </message>
    <message>
        <source>no item has labels of two assessors</source>
        <translation>没有条目有两位评判员的标签</translation>
    </message>
    <message>
        <source>no judgment was found, expected {form}</source>
        <translation>没有找到判定，应为{form}</translation>
    </message>
    <message>
        <source>no label</source>
        <translation>没有标签</translation>
    </message>
    <message>
        <source>no label is relevant</source>
        <translation>没有相关的标签</translation>
    </message>
    <message>
        <source>no leaderboard was found, {expected}</source>
        <translation>未找到排行榜，{expected}</translation>
    </message>
    <message>
        <source>no measure has enough steps</source>
        <translation>没有指标有足够多的步骤</translation>
    </message>
    <message>
        <source>no move raises {measure} to a value of its own</source>
        <translation>没有移动能把 {measure} 提高到一个独有的值</translation>
    </message>
    <message>
        <source>no nugget was found, {expected}</source>
        <translation>没有找到要点，{expected}</translation>
    </message>
    <message>
        <source>no query was found, expected {form}</source>
        <translation>没有找到查询，应为{form}</translation>
    </message>
    <message>
        <source>no ranking was found, expected {form}</source>
        <translation>没有找到排序，应为{form}</translation>
    </message>
    <message>
        <source>no rating was found, expected {form}</source>
        <translation>没有找到评分，应为{form}</translation>
    </message>
    <message>
        <source>no reply within {seconds} seconds</source>
        <translation>{seconds} 秒内没有答复</translation>
    </message>
    <message>
        <source>no topic has {said}; {unknown_columns}</source>
        <translation>没有主题含有 {said}；{unknown_columns}</translation>
    </message>
    <message>
        <source>no topic was found, {expected}</source>
        <translation>没有找到主题，{expected}</translation>
    </message>
    <message>
        <source>no two runs differ by any measure</source>
        <translation>没有两个检索结果在任何指标上不同</translation>
    </message>
    <message>
        <source>no value of all topics was found, {expected}</source>
        <translation>未找到全部主题的值，{expected}</translation>
    </message>
    <message>
        <source>nominal</source>
        <translation>名义</translation>
    </message>
    <message>
        <source>non-relevant above</source>
        <translation>其上不相关数</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none of {names} holds whole numbers; where each pair is relevant, leave them out</source>
        <translation>{names} 中没有一列全是整数；如果每一对都相关，请去掉这些列</translation>
    </message>
    <message>
        <source>not CSV ({fault})</source>
        <translation>不是 CSV（{fault}）</translation>
    </message>
    <message>
        <source>not JSON ({msg})</source>
        <translation>不是 JSON（{msg}）</translation>
    </message>
    <message>
        <source>not JSON ({msg}), {expected}</source>
        <translation>不是 JSON（{msg}），{expected}</translation>
    </message>
    <message>
        <source>not JSON ({msg}, column {colno}), expected one JSON object on each line</source>
        <translation>不是 JSON（{msg}，第 {colno} 列），每行应为一个 JSON 对象</translation>
    </message>
    <message>
        <source>not JSON ({msg}, column {colno}), expected {expected}</source>
        <translation>不是 JSON（{msg}，第 {colno} 列），应为{expected}</translation>
    </message>
    <message>
        <source>not an export of Label Studio, expected a list of tasks with their annotations</source>
        <translation>不是 Label Studio 的导出文件，应为带有标注的任务列表</translation>
    </message>
    <message>
        <source>not corrected</source>
        <translation>未校正</translation>
    </message>
    <message>
        <source>not relevant</source>
        <translation>不相关</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚未</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>notes or flags on documents without a judgment</source>
        <translation>没有判断的文档的备注或标记</translation>
    </message>
    <message>
        <source>nothing is in the file, expected {form}</source>
        <translation>文件是空的，应为 {form}</translation>
    </message>
    <message>
        <source>nothing of its log can be read</source>
        <translation>其日志无法读取任何内容</translation>
    </message>
    <message>
        <source>numbered queries</source>
        <translation>带编号的查询</translation>
    </message>
    <message>
        <source>numbers as 0.25/0.5, each</source>
        <translation>如 0.25/0.5 的数字，每个</translation>
    </message>
    <message>
        <source>of query j of a session: DCG / (1 + log_bq j); of a run: the mean over the sessions of the sums over their queries</source>
        <translation>会话中第 j 个查询：DCG / (1 + log_bq j)；一个检索结果：各会话中其查询之和的平均</translation>
    </message>
    <message>
        <source>of the project&apos;s scale</source>
        <translation>属于项目的等级表</translation>
    </message>
    <message>
        <source>on free pages</source>
        <translation>在空闲页上</translation>
    </message>
    <message>
        <source>one relevant document more can move the window, and so raise the value or lower it</source>
        <translation>多一篇相关文档就可能移动窗口，从而使值升高或降低</translation>
    </message>
    <message>
        <source>only documents that the qrels name can be relevant</source>
        <translation>只有 qrels 中列出的文档可能相关</translation>
    </message>
    <message>
        <source>only items that both rankings hold</source>
        <translation>只计两个排序都有的项</translation>
    </message>
    <message>
        <source>only the organiser decides between assessors</source>
        <translation>只有组织者可在评判员之间裁定</translation>
    </message>
    <message>
        <source>only the top {depth} of each ranking</source>
        <translation>只取每个排序的前 {depth} 位</translation>
    </message>
    <message>
        <source>only topics {only}</source>
        <translation>仅主题 {only}</translation>
    </message>
    <message>
        <source>open the result</source>
        <translation>打开该结果</translation>
    </message>
    <message>
        <source>opened</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>opened for writing</source>
        <translation>打开来写入</translation>
    </message>
    <message>
        <source>ordinal</source>
        <translation>序数</translation>
    </message>
    <message>
        <source>other actions</source>
        <translation>其他操作</translation>
    </message>
    <message>
        <source>p = {show}; g is {means}; the weight of rank r is p^(r−1).</source>
        <translation>p = {show}；g 为{means}；第 r 位的权重为 p^(r−1)。</translation>
    </message>
    <message>
        <source>p of wins: exact sign test; of net preference: trinomial test. Both take answers as independent; topics won does not.</source>
        <translation>胜的 p：精确符号检验；净偏好的 p：三项检验。两者都假定各回答相互独立；胜出主题的 p 则不假定。</translation>
    </message>
    <message>
        <source>p-values know nothing of missing judgments: up to {words} % of a run&apos;s top 10 is unjudged.</source>
        <translation>p 值没有考虑缺少的判断：检索结果的前 10 位中最多有 {words} % 未判断。</translation>
    </message>
    <message>
        <source>page {code} stands in line {first} already; nothing was entered</source>
        <translation>第 {code} 页已出现在第 {first} 行；未录入任何内容</translation>
    </message>
    <message>
        <source>pairs of relevant labels / pairs with a relevant label, the latter by halves; 2|A∩B|/(|A|+|B|) for two</source>
        <translation>都为相关的标签对 / 含相关标签的对（后者按半计）；两人时为 2|A∩B|/(|A|+|B|)</translation>
    </message>
    <message>
        <source>plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>pool</source>
        <translation>评判池</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精确率</translation>
    </message>
    <message>
        <source>precision at 10, each document weighted by 1 / its probability</source>
        <translation>前 10 位的精度，每篇文档以 1 / 其概率加权</translation>
    </message>
    <message>
        <source>preferences between panels</source>
        <translation>面板之间的偏好</translation>
    </message>
    <message>
        <source>previous document on the page</source>
        <translation>页面上的上一篇文档</translation>
    </message>
    <message>
        <source>previous highlighted place</source>
        <translation>上一处高亮</translation>
    </message>
    <message>
        <source>probability {probability}, expected a number above 0, at most 1</source>
        <translation>概率 {probability}，应为大于 0 且不大于 1 的数</translation>
    </message>
    <message>
        <source>profile: {profile} ({meaning})</source>
        <translation>口径：{profile}（{meaning}）</translation>
    </message>
    <message>
        <source>quadratic</source>
        <translation>二次</translation>
    </message>
    <message>
        <source>query {topic} lists fewer documents than it says; the end is missing</source>
        <translation>查询 {topic} 列出的文档少于它声明的数目；缺少结尾</translation>
    </message>
    <message>
        <source>query {topic} says {expected} and lists {found}</source>
        <translation>查询 {topic} 声明 {expected} 个，列出 {found} 个</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>rank at which recall x is reached; N where it never is (norm=share: / N)</source>
        <translation>达到召回率 x 的名次；从未达到则为 N（norm=share：除以 N）</translation>
    </message>
    <message>
        <source>rank of the last relevant document that was retrieved; N where none was (norm=share: / N)</source>
        <translation>检索到的最后一篇相关文档的名次；没有则为 N（norm=share：除以 N）</translation>
    </message>
    <message>
        <source>rank {rank}, {column}</source>
        <translation>名次 {rank}，{column}</translation>
    </message>
    <message>
        <source>rank_eval request of Elasticsearch and OpenSearch (JSON)</source>
        <translation>Elasticsearch 和 OpenSearch 的 rank_eval 请求 (JSON)</translation>
    </message>
    <message>
        <source>ratings are fractions, such as {first}, and a grade is a whole number (ratings: {shown}); say with --grades &quot;{example}&quot; what each becomes</source>
        <translation>评分是小数，例如 {first}，而等级是整数（评分：{shown}）；请用 --grades &quot;{example}&quot; 说明各自变成什么</translation>
    </message>
    <message>
        <source>ratings for learning to rank</source>
        <translation>排序学习用的评分</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比率</translation>
    </message>
    <message>
        <source>rbo: p must be more than 0 and less than 1, got {p}.</source>
        <translation>rbo：p 应大于 0 且小于 1，现为 {p}。</translation>
    </message>
    <message>
        <source>reaches</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>reading it takes too long</source>
        <translation>读取用时过长</translation>
    </message>
    <message>
        <source>reading it takes too long; save it as text</source>
        <translation>读取耗时过长；请存为纯文本</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>rejoin is {rejoin}, expected ask or continue</source>
        <translation>rejoin 为 {rejoin}，应为 ask 或 continue</translation>
    </message>
    <message>
        <source>relevant</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>relevant and not in the set</source>
        <translation>相关而不在集合中</translation>
    </message>
    <message>
        <source>relevant documents, retrieved or not</source>
        <translation>相关文档数，无论是否检出</translation>
    </message>
    <message>
        <source>relevant in the set</source>
        <translation>集合中的相关文档数</translation>
    </message>
    <message>
        <source>relevant in the top R / R, where R documents are relevant</source>
        <translation>前 R 位中的相关篇数 / R，共有 R 篇相关文档</translation>
    </message>
    <message>
        <source>relevant in the top k / R, the number of relevant documents</source>
        <translation>前 k 位中的相关篇数 / 相关文档数 R</translation>
    </message>
    <message>
        <source>relevant in the top k / k</source>
        <translation>前 k 位中的相关篇数 / k</translation>
    </message>
    <message>
        <source>relevant in the top k / k, with k = floor(x·R + 0.9), where R documents are relevant (rule=trec9 and trec10: in doubles)</source>
        <translation>前 k 位中的相关篇数 / k，k = floor(x·R + 0.9)，共有 R 篇相关文档（rule=trec9 与 trec10：按双精度）</translation>
    </message>
    <message>
        <source>relevant in the top k / min(k, R), the most that there could be</source>
        <translation>前 k 位中的相关篇数 / 可能的最大数 min(k, R)</translation>
    </message>
    <message>
        <source>relevant in the top k, or in the whole list without k</source>
        <translation>前 k 位中的相关篇数，没有 k 时取整个列表</translation>
    </message>
    <message>
        <source>relevant retrieved / min(n, R), the most that n retrieved documents could have</source>
        <translation>检出的相关篇数 / 检出 n 篇时可能的最大数 min(n, R)</translation>
    </message>
    <message>
        <source>relevant retrieved / relevant</source>
        <translation>检出的相关篇数 / 相关篇数</translation>
    </message>
    <message>
        <source>relevant retrieved / retrieved</source>
        <translation>检出的相关篇数 / 检出篇数</translation>
    </message>
    <message>
        <source>relevant: grade {show} or more</source>
        <translation>相关：{show} 级或以上</translation>
    </message>
    <message>
        <source>retrieved and unjudged in the top k / k</source>
        <translation>前 k 位中检出而未判断的篇数 / k</translation>
    </message>
    <message>
        <source>right</source>
        <translation>答对</translation>
    </message>
    <message>
        <source>right at answer {number}</source>
        <translation>第 {number} 次答对</translation>
    </message>
    <message>
        <source>right better</source>
        <translation>右侧较好</translation>
    </message>
    <message>
        <source>right much better</source>
        <translation>右侧好得多</translation>
    </message>
    <message>
        <source>round {number} of the assignments</source>
        <translation>第 {number} 轮任务</translation>
    </message>
    <message>
        <source>row group {group}</source>
        <translation>第 {group} 个行组</translation>
    </message>
    <message>
        <source>row group {group}, row {row}</source>
        <translation>第 {group} 个行组第 {row} 行</translation>
    </message>
    <message>
        <source>row {row}</source>
        <translation>第 {row} 行</translation>
    </message>
    <message>
        <source>run_a is better, whatever the rest is</source>
        <translation>run_a 更好，不论其余如何</translation>
    </message>
    <message>
        <source>run_b is better, whatever the rest is</source>
        <translation>run_b 更好，不论其余如何</translation>
    </message>
    <message>
        <source>same answer</source>
        <translation>回答相同</translation>
    </message>
    <message>
        <source>same answer, sides swapped</source>
        <translation>两侧对调，回答相同</translation>
    </message>
    <message>
        <source>same side, sides swapped</source>
        <translation>两侧对调，所选一侧相同</translation>
    </message>
    <message>
        <source>satisfied</source>
        <translation>满足</translation>
    </message>
    <message>
        <source>save result</source>
        <translation>保存结果</translation>
    </message>
    <message>
        <source>say which is with --columns {choice}</source>
        <translation>请用 --columns {choice} 说明哪一列是</translation>
    </message>
    <message>
        <source>say with --negative what they mean ({negatives}), or turn grades into others with --grades{example}</source>
        <translation>请用 --negative 说明其含义（{negatives}），或用 --grades 将等级改为其他等级{example}</translation>
    </message>
    <message>
        <source>score descending, then document id ascending</source>
        <translation>得分从高到低，再按文档编号从小到大</translation>
    </message>
    <message>
        <source>score descending, then document id descending</source>
        <translation>得分从高到低，再按文档编号从大到小</translation>
    </message>
    <message>
        <source>score {text} is not a number, {any_number}</source>
        <translation>得分 {text} 不是数字，{any_number}</translation>
    </message>
    <message>
        <source>scroll together or not</source>
        <translation>同步滚动或分别滚动</translation>
    </message>
    <message>
        <source>search in the collection</source>
        <translation>在文档集中搜索</translation>
    </message>
    <message>
        <source>search while judging</source>
        <translation>评判时搜索</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>set aside by the organiser</source>
        <translation>由组织者排除</translation>
    </message>
    <message>
        <source>several documents on a page</source>
        <translation>一页显示多篇文档</translation>
    </message>
    <message>
        <source>share of the row</source>
        <translation>占该行的份额</translation>
    </message>
    <message>
        <source>share of wins</source>
        <translation>获胜比例</translation>
    </message>
    <message>
        <source>shift method, {count} samples, seed {seed}</source>
        <translation>平移法，{count} 个样本，随机种子 {seed}</translation>
    </message>
    <message>
        <source>show pages as pictures</source>
        <translation>以图片显示页面</translation>
    </message>
    <message>
        <source>showing is {showing}, expected 1 or more</source>
        <translation>showing 为 {showing}，应为 1 或以上</translation>
    </message>
    <message>
        <source>skip for now</source>
        <translation>暂时跳过</translation>
    </message>
    <message>
        <source>something else</source>
        <translation>其他内容</translation>
    </message>
    <message>
        <source>something follows the end of the JSON list</source>
        <translation>JSON 列表结束后还有内容</translation>
    </message>
    <message>
        <source>status {status}</source>
        <translation>状态码 {status}</translation>
    </message>
    <message>
        <source>stratum {stratum}, expected a whole number from 0 to 999</source>
        <translation>层 {stratum}，应为 0 到 999 的整数</translation>
    </message>
    <message>
        <source>student</source>
        <translation>学生</translation>
    </message>
    <message>
        <source>studentized range of {systems} systems, {words} degrees of freedom; corrects itself</source>
        <translation>{systems} 个系统的学生化极差，自由度 {words}；自带校正</translation>
    </message>
    <message>
        <source>subtopics</source>
        <translation>子主题</translation>
    </message>
    <message>
        <source>subtopics that a document in the top k is relevant for / subtopics with a relevant document</source>
        <translation>前 k 位文档所相关的子主题数 / 有相关文档的子主题数</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>累计</translation>
    </message>
    <message>
        <source>systems</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>tar archive</source>
        <translation>tar 压缩包</translation>
    </message>
    <message>
        <source>target {text} is no value, expected one such as 0.79, &gt;= 0.79 or &lt;= 0.5</source>
        <translation>目标 {text} 不是值，应类似 0.79、&gt;= 0.79 或 &lt;= 0.5</translation>
    </message>
    <message>
        <source>term</source>
        <translation>项</translation>
    </message>
    <message>
        <source>the JSON cannot be read ({fault})</source>
        <translation>无法读取该 JSON（{fault}）</translation>
    </message>
    <message>
        <source>the JSON holds no pair, {expected}</source>
        <translation>JSON 中没有任何一对，{expected}</translation>
    </message>
    <message>
        <source>the JSON is nested too deeply, expected an object with an id and text</source>
        <translation>JSON 嵌套过深，应为带编号和文本的对象</translation>
    </message>
    <message>
        <source>the JSON is no object, {expected}</source>
        <translation>该 JSON 不是对象，{expected}</translation>
    </message>
    <message>
        <source>the JSON nests too deeply or holds too long a number</source>
        <translation>JSON 嵌套过深或含有过长的数</translation>
    </message>
    <message>
        <source>the JSON nests too deeply or holds too long a number, {expected}</source>
        <translation>JSON 嵌套过深或含有过长的数字，{expected}</translation>
    </message>
    <message>
        <source>the XML cannot be read ({fault})</source>
        <translation>无法读取 XML（{fault}）</translation>
    </message>
    <message>
        <source>the XML declares entities or asks for another file, which is not read; replace them by what they stand for</source>
        <translation>XML 中声明了实体或要求读取其他文件，irjudge 不读取；请换成它们所代表的内容</translation>
    </message>
    <message>
        <source>the XML holds no topic, {expected}</source>
        <translation>XML 中没有主题，{expected}</translation>
    </message>
    <message>
        <source>the action has no &quot;_id&quot;, so its document could not be found again</source>
        <translation>该操作没有 &quot;_id&quot;，其文档将无法再找到</translation>
    </message>
    <message>
        <source>the action has no source on the next line</source>
        <translation>该操作的下一行没有内容</translation>
    </message>
    <message>
        <source>the answer could not be read (result_status)</source>
        <translation>回答无法读懂（result_status）</translation>
    </message>
    <message>
        <source>the answer gives several grades</source>
        <translation>回答给出了多个等级</translation>
    </message>
    <message>
        <source>the answer has no JSON with a grade</source>
        <translation>回答中没有带等级的 JSON</translation>
    </message>
    <message>
        <source>the answer has no list of sentences, {expected}</source>
        <translation>回答没有句子列表，{expected}</translation>
    </message>
    <message>
        <source>the answer is empty</source>
        <translation>回答为空</translation>
    </message>
    <message>
        <source>the archive has a header of {size} bytes, expected {longest_header} at most</source>
        <translation>压缩包的文件头有 {size} 字节，最多应为 {longest_header}</translation>
    </message>
    <message>
        <source>the archive is cut off inside a file</source>
        <translation>压缩包在某个文件中间断开</translation>
    </message>
    <message>
        <source>the archive is damaged (a member of {size} bytes)</source>
        <translation>压缩包已损坏（有一个 {size} 字节的成员）</translation>
    </message>
    <message>
        <source>the archive is damaged ({error})</source>
        <translation>压缩包已损坏（{error}）</translation>
    </message>
    <message>
        <source>the balance of {file}</source>
        <translation>{file} 的清单</translation>
    </message>
    <message>
        <source>the catalogue of measures lists all.</source>
        <translation>指标目录列出全部指标。</translation>
    </message>
    <message>
        <source>the chance of any false finding is held (Bonferroni)</source>
        <translation>控制出现任何错误发现的概率（Bonferroni）</translation>
    </message>
    <message>
        <source>the chance of any false finding is held, step by step (Holm)</source>
        <translation>逐步控制出现任何错误发现的概率（Holm）</translation>
    </message>
    <message>
        <source>the chance of each document that was drawn</source>
        <translation>每篇已抽取文档的抽取概率</translation>
    </message>
    <message>
        <source>the column {name} holds {kind}, expected text or numbers</source>
        <translation>列 {name} 含有 {kind}，应为文字或数字</translation>
    </message>
    <message>
        <source>the column {name} is there {count} times; say with --columns {choice}</source>
        <translation>列 {name} 出现了 {count} 次；请用 --columns {choice} 说明</translation>
    </message>
    <message>
        <source>the columns are no tasks&apos;, expected {columns}</source>
        <translation>各列与任务文件不符，应为 {columns}</translation>
    </message>
    <message>
        <source>the connection failed ({fault})</source>
        <translation>连接失败（{fault}）</translation>
    </message>
    <message>
        <source>the counts of all topics added up, then the measure computed once</source>
        <translation>先将各主题的计数相加，再计算一次指标</translation>
    </message>
    <message>
        <source>the definitions</source>
        <translation>按定义</translation>
    </message>
    <message>
        <source>the disk did not take the data</source>
        <translation>磁盘没有写入数据</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>the disk that holds {folder} is full</source>
        <translation>{folder} 所在的磁盘已满</translation>
    </message>
    <message>
        <source>the document has no id, expected &lt;DOCNO&gt; in each &lt;DOC&gt;</source>
        <translation>文档没有编号，每个 &lt;DOC&gt; 中应有 &lt;DOCNO&gt;</translation>
    </message>
    <message>
        <source>the document judged before</source>
        <translation>上一篇判断过的文档</translation>
    </message>
    <message>
        <source>the end of the file</source>
        <translation>文件结尾</translation>
    </message>
    <message>
        <source>the environment variable {name}</source>
        <translation>环境变量 {name}</translation>
    </message>
    <message>
        <source>the event before it ({parent}) is missing</source>
        <translation>缺少前一个事件（{parent}）</translation>
    </message>
    <message>
        <source>the event it speaks of ({target}) is missing</source>
        <translation>缺少所指的事件（{target}）</translation>
    </message>
    <message>
        <source>the field</source>
        <translation>输入框</translation>
    </message>
    <message>
        <source>the field &quot;{base64}&quot; holds something else than bytes in base64</source>
        <translation>字段“{base64}”的内容不是 base64 编码的字节</translation>
    </message>
    <message>
        <source>the field &quot;{name}&quot; holds {kind}, expected text</source>
        <translation>字段“{name}”的内容是{kind}，应为文本</translation>
    </message>
    <message>
        <source>the field &quot;{name}&quot; is missing or no list of objects</source>
        <translation>字段“{name}”缺失或不是对象列表</translation>
    </message>
    <message>
        <source>the fields of a panel are texts</source>
        <translation>参与者平台的各字段都是文本</translation>
    </message>
    <message>
        <source>the file cannot be opened ({value})</source>
        <translation>无法打开文件（{value}）</translation>
    </message>
    <message>
        <source>the file cannot be read</source>
        <translation>无法读取该文件</translation>
    </message>
    <message>
        <source>the file does not say what was asked, expected what --write-prompts wrote</source>
        <translation>该文件没有说明问了什么，应为 --write-prompts 写出的内容</translation>
    </message>
    <message>
        <source>the file has no lines to read</source>
        <translation>文件中没有可读的行</translation>
    </message>
    <message>
        <source>the file holds no label, expected lines of topic, 0, document and grade</source>
        <translation>文件中没有标注，应为主题、0、文档和等级的行</translation>
    </message>
    <message>
        <source>the file is UTF-16, expected UTF-8; save it as UTF-8 and read it again</source>
        <translation>文件是 UTF-16，应为 UTF-8；请存为 UTF-8 后再读取</translation>
    </message>
    <message>
        <source>the file is a list of JSON, which is no form that is known here; expected lines or a table</source>
        <translation>文件是 JSON 列表，不是这里认得的格式；应为逐行文本或表格</translation>
    </message>
    <message>
        <source>the file is damaged and cannot be read to its end ({value})</source>
        <translation>文件已损坏，无法读到末尾（{value}）</translation>
    </message>
    <message>
        <source>the file is empty, {expected}</source>
        <translation>文件为空，{expected}</translation>
    </message>
    <message>
        <source>the file is read-only</source>
        <translation>文件为只读</translation>
    </message>
    <message>
        <source>the file or its folder cannot be written</source>
        <translation>文件或其文件夹无法写入</translation>
    </message>
    <message>
        <source>the first line names neither topic nor document; {listed}</source>
        <translation>第一行既没有主题也没有文档的列名；{listed}</translation>
    </message>
    <message>
        <source>the first wrong step</source>
        <translation>第一个错的步骤</translation>
    </message>
    <message>
        <source>the folder cannot be opened ({strerror})</source>
        <translation>无法打开文件夹（{strerror}）</translation>
    </message>
    <message>
        <source>the geometric mean over the topics, of 0.00001 where a value is less</source>
        <translation>各主题的几何平均，值更小时取 0.00001</translation>
    </message>
    <message>
        <source>the grade {grade} is none of {there}</source>
        <translation>等级 {grade} 不在 {there} 之中</translation>
    </message>
    <message>
        <source>the grade {grade} is not on the scale</source>
        <translation>等级 {grade} 不在量表上</translation>
    </message>
    <message>
        <source>the grades are {founds} and none is 0; they are kept, so that {found} is the best</source>
        <translation>等级为 {founds}，其中没有 0；它们保持不变，因此 {found} 最好</translation>
    </message>
    <message>
        <source>the header has no grade, nor probability_0 and more</source>
        <translation>表头没有等级，也没有 probability_0 等列</translation>
    </message>
    <message>
        <source>the header has no item, nor topic and document; {unknown_columns}</source>
        <translation>表头中没有 item，也没有 topic 和 document；{unknown_columns}</translation>
    </message>
    <message>
        <source>the header has no name, expected the columns name and, where wanted, email, topics and most</source>
        <translation>表头中没有 name，应有列 name，需要时还可有 email、topics 和 most</translation>
    </message>
    <message>
        <source>the header has no {first}: nothing is in the file, expected a header and rows below it</source>
        <translation>表头中没有 {first}：文件中没有内容，应有表头及其下的各行</translation>
    </message>
    <message>
        <source>the header has no {lacking}, nor an item; {columns}</source>
        <translation>表头中没有 {lacking}，也没有 item；{columns}</translation>
    </message>
    <message>
        <source>the header has no {part}; {listed}</source>
        <translation>表头中没有 {part}；{listed}</translation>
    </message>
    <message>
        <source>the higher grade, which keeps what is called relevant complete</source>
        <translation>较高的等级，使判为相关的更完整</translation>
    </message>
    <message>
        <source>the highest in the qrels</source>
        <translation>qrels 中最高的</translation>
    </message>
    <message>
        <source>the id &quot;{name}…&quot; has {length} characters, expected {longest_id} at most</source>
        <translation>编号“{name}…”有 {length} 个字符，最多应为 {longest_id} 个</translation>
    </message>
    <message>
        <source>the id is empty, expected some text</source>
        <translation>编号为空，应有文字</translation>
    </message>
    <message>
        <source>the id {name} holds white space or nothing; TREC {form} cannot say it</source>
        <translation>编号 {name} 含空白或为空；TREC {form} 无法表示</translation>
    </message>
    <message>
        <source>the ideal sum</source>
        <translation>理想和</translation>
    </message>
    <message>
        <source>the ids of the queries do not count from 1 to {ids}; say with --topic-ids which to use: {choice}</source>
        <translation>查询的编号不是 1 到 {ids}；请用 --topic-ids 说明使用哪种：{choice}</translation>
    </message>
    <message>
        <source>the item {item} stands for no document, expected one of a file that `irjudge export --tasks` wrote of this project</source>
        <translation>条目 {item} 不代表任何文档，应为 `irjudge export --tasks` 从本项目写出的文件中的条目</translation>
    </message>
    <message>
        <source>the keyring, for irjudge and {host}</source>
        <translation>密钥环（irjudge，{host}）</translation>
    </message>
    <message>
        <source>the labels are words, which have no order</source>
        <translation>标签是文字，没有顺序</translation>
    </message>
    <message>
        <source>the last is number {highest}, but {given} were given</source>
        <translation>最后一个编号是 {highest}，但已分配 {given} 个</translation>
    </message>
    <message>
        <source>the line cannot be split into columns ({fault})</source>
        <translation>无法将该行分成各列（{fault}）</translation>
    </message>
    <message>
        <source>the line has {first} columns, and --columns says {columns}</source>
        <translation>该行有 {first} 列，而 --columns 写的是 {columns}</translation>
    </message>
    <message>
        <source>the line is longer than {megabytes}</source>
        <translation>该行超过 {megabytes}</translation>
    </message>
    <message>
        <source>the line is no answer that irjudge kept</source>
        <translation>该行不是 irjudge 保存的回答</translation>
    </message>
    <message>
        <source>the line is no answer, expected JSON with custom_id, and response or answer</source>
        <translation>该行不是回答，应为含有 custom_id 以及 response 或 answer 的 JSON</translation>
    </message>
    <message>
        <source>the lines have no grades, and each pair counts as grade 1</source>
        <translation>各行没有等级，每对按等级 1 计</translation>
    </message>
    <message>
        <source>the lines have no header, so that columns are said by number; {listed}</source>
        <translation>各行没有表头，因此用数字指明各列；{listed}</translation>
    </message>
    <message>
        <source>the longest third</source>
        <translation>最长的三分之一</translation>
    </message>
    <message>
        <source>the lower grade, which keeps what is called relevant sure</source>
        <translation>较低的等级，使判为相关的更可靠</translation>
    </message>
    <message>
        <source>the mean of {votes}</source>
        <translation>平均，取自 {votes}</translation>
    </message>
    <message>
        <source>the mean over the topics</source>
        <translation>各主题的平均</translation>
    </message>
    <message>
        <source>the mean over {defined} of {tables} pairs of assessors, weighted by the items they share</source>
        <translation>{tables} 对评判员中 {defined} 对的平均，按共有的条目数加权</translation>
    </message>
    <message>
        <source>the mean that people gave where the model gave this grade, of the other folds</source>
        <translation>其他折中模型给出同一等级处人所给的平均值</translation>
    </message>
    <message>
        <source>the median of the topics</source>
        <translation>各主题的中位数</translation>
    </message>
    <message>
        <source>the middle third</source>
        <translation>中间的三分之一</translation>
    </message>
    <message>
        <source>the model refused</source>
        <translation>模型拒绝回答</translation>
    </message>
    <message>
        <source>the model&apos;s own value, times one factor between 0 and 1</source>
        <translation>模型自己的值乘以一个 0 到 1 之间的系数</translation>
    </message>
    <message>
        <source>the move that reaches a value</source>
        <translation>达到某个值的移动</translation>
    </message>
    <message>
        <source>the name is empty</source>
        <translation>名称为空</translation>
    </message>
    <message>
        <source>the number looked at</source>
        <translation>查看的篇数</translation>
    </message>
    <message>
        <source>the number of citations</source>
        <translation>引用数</translation>
    </message>
    <message>
        <source>the number of intents with a relevant document</source>
        <translation>有相关文档的意图数</translation>
    </message>
    <message>
        <source>the number of nuggets</source>
        <translation>要点数</translation>
    </message>
    <message>
        <source>the number of relevant documents</source>
        <translation>相关文档数</translation>
    </message>
    <message>
        <source>the number of relevant documents found</source>
        <translation>找到的相关文档数</translation>
    </message>
    <message>
        <source>the number of sentences</source>
        <translation>句子数</translation>
    </message>
    <message>
        <source>the number retrieved</source>
        <translation>检出文档数</translation>
    </message>
    <message>
        <source>the object has no {lacking}, expected {form}</source>
        <translation>该对象没有 {lacking}，应为 {form}</translation>
    </message>
    <message>
        <source>the order of lines</source>
        <translation>按行的先后</translation>
    </message>
    <message>
        <source>the parameter {each}</source>
        <translation>参数 {each}</translation>
    </message>
    <message>
        <source>the passage {id} has no text, expected one of {names}</source>
        <translation>段落 {id} 没有文字，应有 {names} 之一</translation>
    </message>
    <message>
        <source>the priority of each query</source>
        <translation>每个查询的优先级</translation>
    </message>
    <message>
        <source>the probabilities are no parts of 1</source>
        <translation>各概率之和不为 1</translation>
    </message>
    <message>
        <source>the project holds another text of the document now</source>
        <translation>项目中该文档的文本现已不同</translation>
    </message>
    <message>
        <source>the prompt has a place {name}, expected one of {known}</source>
        <translation>提示词中有占位符 {name}，应为 {known} 之一</translation>
    </message>
    <message>
        <source>the prompt has no place for the document, or none for the topic</source>
        <translation>提示词中没有文档的占位符，或没有主题的占位符</translation>
    </message>
    <message>
        <source>the prompt has no version, expected lines such as `version: 1` that end with `---`</source>
        <translation>提示词没有版本，开头应有 `version: 1` 之类的行，并以 `---` 结束</translation>
    </message>
    <message>
        <source>the prompt is no text in UTF-8</source>
        <translation>提示词不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>the qrels have {value}{words}.</source>
        <translation>qrels 中有 {value}{words}。</translation>
    </message>
    <message>
        <source>the query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>the query is empty, expected its text</source>
        <translation>查询为空，应为其文字</translation>
    </message>
    <message>
        <source>the rank column</source>
        <translation>按名次列</translation>
    </message>
    <message>
        <source>the rating is “{text}”, expected a number</source>
        <translation>评分是“{text}”，应为一个数</translation>
    </message>
    <message>
        <source>the reader of {form} failed: {said}</source>
        <translation>读取 {form} 的程序失败：{said}</translation>
    </message>
    <message>
        <source>the recall at which interpolated precision equals it: highest of min(precision, recall) over the ranks of relevant documents</source>
        <translation>插值精确率与召回率相等处的召回率：相关文档名次上 min(精确率，召回率) 的最大值</translation>
    </message>
    <message>
        <source>the record has no id, expected one of {names}</source>
        <translation>记录没有编号，应有 {names} 之一</translation>
    </message>
    <message>
        <source>the record has no id, expected one of {names}; --topic-ids order calls the topics 1, 2, 3 … by their places</source>
        <translation>记录没有编号，应有 {names} 之一；--topic-ids order 按位置把主题称为 1、2、3 …</translation>
    </message>
    <message>
        <source>the record has no {part}, expected one of {names}; {unknown_columns}</source>
        <translation>记录没有 {part}，应有 {names} 之一；{unknown_columns}</translation>
    </message>
    <message>
        <source>the record names no topic and document, expected qid and docid, or query and passage</source>
        <translation>记录没有给出主题和文档，应有 qid 和 docid，或 query 和 passage</translation>
    </message>
    <message>
        <source>the reply has no message</source>
        <translation>答复中没有消息</translation>
    </message>
    <message>
        <source>the reply is larger than {size} bytes</source>
        <translation>答复超过 {size} 字节</translation>
    </message>
    <message>
        <source>the reply is no JSON</source>
        <translation>答复不是 JSON</translation>
    </message>
    <message>
        <source>the retrieved documents</source>
        <translation>检出的文档</translation>
    </message>
    <message>
        <source>the row that begins here cannot be split into columns ({fault})</source>
        <translation>无法将从这里开始的行分成各列（{fault}）</translation>
    </message>
    <message>
        <source>the scale has no grade {found}; it has {values}. Say with --grades what each grade becomes</source>
        <translation>量表中没有等级 {found}；它有 {values}。请用 --grades 说明每个等级改为什么</translation>
    </message>
    <message>
        <source>the scale has no such grade</source>
        <translation>等级范围中没有这个等级</translation>
    </message>
    <message>
        <source>the scale has no such grade now</source>
        <translation>等级范围中现在没有这个等级</translation>
    </message>
    <message>
        <source>the scale has one grade only</source>
        <translation>等级范围只有一个等级</translation>
    </message>
    <message>
        <source>the score of a candidate is not a number</source>
        <translation>某个候选文档的得分不是数</translation>
    </message>
    <message>
        <source>the share of false findings is held (false discovery rate, Benjamini and Hochberg)</source>
        <translation>控制错误发现的比例（错误发现率，Benjamini 与 Hochberg）</translation>
    </message>
    <message>
        <source>the shortest third</source>
        <translation>最短的三分之一</translation>
    </message>
    <message>
        <source>the sign can still change</source>
        <translation>正负仍可能改变</translation>
    </message>
    <message>
        <source>the spreadsheet has no sheet with cells</source>
        <translation>电子表格中没有带单元格的工作表</translation>
    </message>
    <message>
        <source>the spreadsheet is damaged and cannot be read ({reason})</source>
        <translation>电子表格已损坏，无法读取（{reason}）</translation>
    </message>
    <message>
        <source>the sum of the ideal ranking</source>
        <translation>理想排序之和</translation>
    </message>
    <message>
        <source>the table has a header and no rows, expected documents below it</source>
        <translation>表格有表头而没有行，其下应有文档</translation>
    </message>
    <message>
        <source>the table has a header and no rows, expected judgments below it</source>
        <translation>表格有表头而没有行，其下应有判断</translation>
    </message>
    <message>
        <source>the text is UTF-16, expected UTF-8</source>
        <translation>文本是 UTF-16，应为 UTF-8</translation>
    </message>
    <message>
        <source>the text of a query</source>
        <translation>查询的文字</translation>
    </message>
    <message>
        <source>the third column may be the rank or the score: it is whole and does not rise in each topic; say with --columns {choice}</source>
        <translation>第三列可能是名次或得分：它是整数，且在每个主题中不递增；请用 --columns 说明：{choice}</translation>
    </message>
    <message>
        <source>the topic has no &lt;num&gt;, expected a number in each &lt;top&gt;</source>
        <translation>主题没有 &lt;num&gt;，每个 &lt;top&gt; 中应有编号</translation>
    </message>
    <message>
        <source>the topic has no text, expected one of {expected}; {strange}</source>
        <translation>该主题没有文字，应有 {expected} 之一；{strange}</translation>
    </message>
    <message>
        <source>the topic {topic} would begin a comment or mark the file; TREC {form} cannot say it</source>
        <translation>主题 {topic} 会被当作注释的开头或文件标记；TREC {form} 无法表示</translation>
    </message>
    <message>
        <source>the two stay equal, whatever the rest is</source>
        <translation>两者保持相等，不论其余如何</translation>
    </message>
    <message>
        <source>the web archive is cut off inside a record</source>
        <translation>网页存档在一条记录中间被截断</translation>
    </message>
    <message>
        <source>the web archive is damaged: nothing but empty lines where a record should begin</source>
        <translation>网页存档已损坏：应为记录开头之处只有空行</translation>
    </message>
    <message>
        <source>the web archive is damaged: “{found}” where a record should begin</source>
        <translation>网页存档已损坏：应为记录开头之处是“{found}”</translation>
    </message>
    <message>
        <source>the worker is empty</source>
        <translation>没有写明标注者 (worker)</translation>
    </message>
    <message>
        <source>the {column} is empty</source>
        <translation>{column} 为空</translation>
    </message>
    <message>
        <source>the {form} file cannot be read ({reason})</source>
        <translation>无法读取 {form} 文件（{reason}）</translation>
    </message>
    <message>
        <source>the {part} is empty</source>
        <translation>{part} 为空</translation>
    </message>
    <message>
        <source>the {part} is empty{why}</source>
        <translation>{part} 为空{why}</translation>
    </message>
    <message>
        <source>the {rest}median of {votes}</source>
        <translation>{rest}中位数，取自 {votes}</translation>
    </message>
    <message>
        <source>the {what} are {listed}; say which is which with --columns, for example &quot;{example}&quot;</source>
        <translation>{what} 为 {listed}；请用 --columns 说明各是什么，例如 &quot;{example}&quot;</translation>
    </message>
    <message>
        <source>their numbers are the ids; &quot;id=place&quot; with --columns takes their places</source>
        <translation>以编号为标识；用 --columns 的“id=place”则取位置</translation>
    </message>
    <message>
        <source>their places in this file are the ids, which are those of the judgments only before the first record that is missing</source>
        <translation>以在此文件中的位置为标识，只在第一条缺失的记录之前与判定一致</translation>
    </message>
    <message>
        <source>there are no {what}</source>
        <translation>没有 {what}</translation>
    </message>
    <message>
        <source>there are {names}.</source>
        <translation>可用的有 {names}。</translation>
    </message>
    <message>
        <source>there is no label in it, expected rows below the header</source>
        <translation>其中没有标签，表头之下应有各行</translation>
    </message>
    <message>
        <source>these topics are what is asked about, and chance drew documents alone</source>
        <translation>所问的就是这些主题，随机抽取的只是文档</translation>
    </message>
    <message>
        <source>these topics stand for all topics like them</source>
        <translation>这些主题代表所有类似的主题</translation>
    </message>
    <message>
        <source>third quartile</source>
        <translation>第三四分位数</translation>
    </message>
    <message>
        <source>this is no JSON ({fault}), expected an object a line</source>
        <translation>这不是 JSON（{fault}），应为每行一个对象</translation>
    </message>
    <message>
        <source>this is no file of answers, expected {header}; nothing was written</source>
        <translation>这不是答案文件，应为 {header}；什么也没有写入</translation>
    </message>
    <message>
        <source>this is no ordinary file, expected one of answers; nothing was written</source>
        <translation>这不是普通文件，应为答案文件；没有写入任何内容</translation>
    </message>
    <message>
        <source>this is no side file that is known; expected one of {kinds}</source>
        <translation>这不是已知的附加文件；应为以下之一：{kinds}</translation>
    </message>
    <message>
        <source>this is not a scale, expected {{&quot;name&quot;: …, &quot;grades&quot;: [{{&quot;value&quot;: 0, &quot;label&quot;: …}}, …]}} ({fault})</source>
        <translation>这不是等级范围，应为 {{&quot;name&quot;: …, &quot;grades&quot;: [{{&quot;value&quot;: 0, &quot;label&quot;: …}}, …]}}（{fault}）</translation>
    </message>
    <message>
        <source>this is {what}, which cannot be read; {expected}</source>
        <translation>这是{what}，无法读取；{expected}</translation>
    </message>
    <message>
        <source>topic and document; {no_grades}</source>
        <translation>主题和文档；{no_grades}</translation>
    </message>
    <message>
        <source>topic {as_py}, document {example}</source>
        <translation>主题 {as_py}，文档 {example}</translation>
    </message>
    <message>
        <source>topic {topic}</source>
        <translation>主题 {topic}</translation>
    </message>
    <message>
        <source>topic {topic} has document {document} twice</source>
        <translation>主题 {topic} 中文档 {document} 出现两次</translation>
    </message>
    <message>
        <source>topic {topic} has no list of nuggets, {expected}</source>
        <translation>主题 {topic} 没有要点列表，{expected}</translation>
    </message>
    <message>
        <source>topic {topic} holds no documents, {expected}</source>
        <translation>主题 {topic} 中没有文档，{expected}</translation>
    </message>
    <message>
        <source>topic {topic} is there twice, expected each once</source>
        <translation>主题 {topic} 出现两次，每个应只出现一次</translation>
    </message>
    <message>
        <source>topic {topic}, document {document}: a zero byte, which a table cannot hold</source>
        <translation>主题 {topic}，文档 {document}：有零字节，表格无法容纳</translation>
    </message>
    <message>
        <source>topic {topic}, document {document}: grade {value} is too large, expected less than {most}</source>
        <translation>主题 {topic}，文档 {document}：等级 {value} 太大，应小于 {most}</translation>
    </message>
    <message>
        <source>topic {topic}, document {document}: the scale has no grade {grade}; it has {scales}</source>
        <translation>主题 {topic}，文档 {document}：等级范围中没有等级 {grade}；只有 {scales}</translation>
    </message>
    <message>
        <source>topic {topic}, document {document}: the {value} is not a number, {expected}</source>
        <translation>主题 {topic}，文档 {document}：{value} 不是数字，{expected}</translation>
    </message>
    <message>
        <source>topic {topic}, document {document}: {kept}, then {grade}</source>
        <translation>主题 {topic}，文档 {document}：先 {kept}，后 {grade}</translation>
    </message>
    <message>
        <source>topic {topic}: {score} at rank {rank}, {next_score} at rank {next_rank}</source>
        <translation>主题 {topic}：名次 {rank} 为 {score}，名次 {next_rank} 为 {next_score}</translation>
    </message>
    <message>
        <source>topic, document</source>
        <translation>主题、文档</translation>
    </message>
    <message>
        <source>topic, document, grade</source>
        <translation>主题、文档、等级</translation>
    </message>
    <message>
        <source>topics in qrels and run</source>
        <translation>qrels 与检索结果共有的主题</translation>
    </message>
    <message>
        <source>topics of the qrels with a relevant document; one the run lacks scores 0</source>
        <translation>qrels 中有相关文档的主题；检索结果缺少的主题计 0</translation>
    </message>
    <message>
        <source>topics of {run}</source>
        <translation>{run} 的主题</translation>
    </message>
    <message>
        <source>topics won</source>
        <translation>胜出的主题</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>try again to save</source>
        <translation>再次尝试保存</translation>
    </message>
    <message>
        <source>turns of conversations</source>
        <translation>对话轮次</translation>
    </message>
    <message>
        <source>two answers to the query {text}, expected one</source>
        <translation>查询 {text} 有两个应答，应只有一个</translation>
    </message>
    <message>
        <source>two runs have one name</source>
        <translation>两个检索结果同名</translation>
    </message>
    <message>
        <source>unable to open</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>无定义</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>unjudgeable</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>unjudged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>unsure is {text}, expected yes or nothing</source>
        <translation>unsure 为 {text}，应为 yes 或留空</translation>
    </message>
    <message>
        <source>value {text} is not a number, {any_number}</source>
        <translation>值 {text} 不是数字，{any_number}</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>what can be read of its log is used</source>
        <translation>使用其日志中能读取的部分</translation>
    </message>
    <message>
        <source>what it takes back or brings back is missing</source>
        <translation>缺少它要撤销或恢复的操作</translation>
    </message>
    <message>
        <source>what was lost before</source>
        <translation>此前丢失的内容</translation>
    </message>
    <message>
        <source>where the same documents stand</source>
        <translation>相同文档所在的位置</translation>
    </message>
    <message>
        <source>which grades give its ends depends on what was judged between the documents; the exact way known here tries every outcome, which is too much for long lists</source>
        <translation>哪些等级给出两端取决于这些文档之间已有的判断；此处已知的精确方法要尝试每一种结果，对长列表过于费时</translation>
    </message>
    <message>
        <source>which of two runs is better, and by what</source>
        <translation>两个检索结果哪个更好，按什么指标</translation>
    </message>
    <message>
        <source>wins, ties dropped</source>
        <translation>胜，平局不计</translation>
    </message>
    <message>
        <source>wins, ties half</source>
        <translation>胜，平局算半</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词数</translation>
    </message>
    <message>
        <source>words of the topic</source>
        <translation>主题的词</translation>
    </message>
    <message>
        <source>wrong language</source>
        <translation>语言不符</translation>
    </message>
    <message>
        <source>zeros dropped; exact up to {exact_up_to} differences, else normal</source>
        <translation>零差值不计；差值不超过 {exact_up_to} 个时精确计算，否则用正态近似</translation>
    </message>
    <message>
        <source>zip archive</source>
        <translation>zip 压缩包</translation>
    </message>
    <message>
        <source>{actions} are there</source>
        <translation>实际有 {actions} 个</translation>
    </message>
    <message>
        <source>{added} events were added</source>
        <translation>新增了 {added} 个事件</translation>
    </message>
    <message>
        <source>{address} cannot be reached: {reason}.</source>
        <translation>无法访问 {address}：{reason}。</translation>
    </message>
    <message>
        <source>{address} is read through fsspec, which is not installed; install it with `pip install irjudge[cluster]`.</source>
        <translation>{address} 要通过 fsspec 读取，但它尚未安装；请用 `pip install irjudge[cluster]` 安装。</translation>
    </message>
    <message>
        <source>{alike}{count} {what}.{rests} {policy}</source>
        <translation>{alike}{count} 个{what}。{rests}{policy}</translation>
    </message>
    <message>
        <source>{assessor} gets nothing: there is less to judge than there are assessors.</source>
        <translation>{assessor} 没有分到内容：要判断的比评判员还少。</translation>
    </message>
    <message>
        <source>{assessor} handed in a log that ends with event {head}, and that event is missing.</source>
        <translation>{assessor} 提交的日志以事件 {head} 结尾，而该事件缺失。</translation>
    </message>
    <message>
        <source>{assessor} handed in {number}, and the log has {there}.</source>
        <translation>{assessor} 提交时有 {number}，而日志中有 {there}。</translation>
    </message>
    <message>
        <source>{assessor} has no assignment that could be given to others.</source>
        <translation>{assessor} 没有可交给他人的分配。</translation>
    </message>
    <message>
        <source>{assessor} has nothing left to judge.</source>
        <translation>{assessor} 没有要判断的了。</translation>
    </message>
    <message>
        <source>{assessor} judged {found} differently in two copies: {named}{more}.</source>
        <translation>{assessor} 在两个副本中对 {found} 的评判不同：{named}{more}。</translation>
    </message>
    <message>
        <source>{assessor} worked on {branches} copies separately. All of it is kept; the later judgment of a document counts.</source>
        <translation>{assessor} 分别在 {branches} 个副本上工作。全部予以保留；同一文档以较晚的判断为准。</translation>
    </message>
    <message>
        <source>{average}: {meaning}</source>
        <translation>{average}：{meaning}</translation>
    </message>
    <message>
        <source>{by}: {wanted} is reached with {first} relevant documents: {how}.</source>
        <translation>{by}：{wanted} 在有 {first} 篇相关文档时达到：{how}。</translation>
    </message>
    <message>
        <source>{cells} columns, expected {header} as in the header</source>
        <translation>有 {cells} 列，应与表头一样为 {header} 列</translation>
    </message>
    <message>
        <source>{cells} columns, expected {width} or more as in the header</source>
        <translation>有 {cells} 列，按表头应有 {width} 列或更多</translation>
    </message>
    <message>
        <source>{cell} is no time in seconds</source>
        <translation>{cell} 不是以秒计的时间</translation>
    </message>
    <message>
        <source>{choices} or a whole number, {range}</source>
        <translation>{choices} 或整数，{range}</translation>
    </message>
    <message>
        <source>{choices} or gains of grades as 1:3/2:9</source>
        <translation>{choices} 或各等级的增益，如 1:3/2:9</translation>
    </message>
    <message>
        <source>{chosen} (pairs: {rows})</source>
        <translation>{chosen}（{rows} 对）</translation>
    </message>
    <message>
        <source>{chosen} (pairs: {rows}, rule: {rule})</source>
        <translation>{chosen}（{rows} 对，规则：{rule}）</translation>
    </message>
    <message>
        <source>{citation} in line {line}</source>
        <translation>第 {line} 行的 {citation}</translation>
    </message>
    <message>
        <source>{clash} exists already. Choose another name; nothing was overwritten.</source>
        <translation>{clash} 已存在。请换一个名称；没有覆盖任何文件。</translation>
    </message>
    <message>
        <source>{code} is no code of a page, expected digits such as {example}.</source>
        <translation>{code} 不是页的编码，应为 {example} 这样的数字。</translation>
    </message>
    <message>
        <source>{column} in row {number}</source>
        <translation>第 {number} 行的 {column}</translation>
    </message>
    <message>
        <source>{column} {shown} is not UTF-8</source>
        <translation>{column} {shown} 不是 UTF-8</translation>
    </message>
    <message>
        <source>{column} {shown} is not a number, {any_number}</source>
        <translation>{column} {shown} 不是数字，{any_number}</translation>
    </message>
    <message>
        <source>{column} {shown} is not a whole number</source>
        <translation>{column} {shown} 不是整数</translation>
    </message>
    <message>
        <source>{column} {shown} is too large, expected less than {words}</source>
        <translation>{column} {shown} 过大，应小于 {words}</translation>
    </message>
    <message>
        <source>{column} {text}, expected a number of 0 or more</source>
        <translation>{column} {text}，应为不小于 0 的数</translation>
    </message>
    <message>
        <source>{column} {text}, expected {words}</source>
        <translation>{column} {text}，应为 {words}</translation>
    </message>
    <message>
        <source>{connection} does not say in a readable way which events are lost.</source>
        <translation>{connection} 中丢失了哪些事件，已无法读出。</translation>
    </message>
    <message>
        <source>{connection} holds {count} events ({size} bytes); no assessor makes so many.</source>
        <translation>{connection} 有 {count} 个事件（{size} 字节）；评判员不会产生这么多。</translation>
    </message>
    <message>
        <source>{connection} is damaged: event {bad} of {events} does not fit its hash.</source>
        <translation>{connection} 已损坏：{events} 的事件 {bad} 与其散列值不符。</translation>
    </message>
    <message>
        <source>{connection} is damaged: its pages do not fit together ({splitlines}).</source>
        <translation>{connection} 已损坏：其页面不相符（{splitlines}）。</translation>
    </message>
    <message>
        <source>{connection} is damaged: its setting {first} does not read as one.</source>
        <translation>{connection} 已损坏：其设置 {first} 无法读出。</translation>
    </message>
    <message>
        <source>{connection} is damaged: what it says about its qrels or pools does not read as such.</source>
        <translation>{connection} 已损坏：其中的 qrels 或文档池无法读出。</translation>
    </message>
    <message>
        <source>{connection} is damaged: {fault}</source>
        <translation>{connection} 已损坏：{fault}</translation>
    </message>
    <message>
        <source>{connection} is damaged: {first}</source>
        <translation>{connection} 已损坏：{first}</translation>
    </message>
    <message>
        <source>{connection} is damaged: {problem}.</source>
        <translation>{connection} 已损坏：{problem}。</translation>
    </message>
    <message>
        <source>{connection} is not as irjudge writes it: it has no table {table}.</source>
        <translation>{connection} 与 irjudge 写出的不符：没有表 {table}。</translation>
    </message>
    <message>
        <source>{connection} is not as irjudge writes it: it holds a view or virtual table. Nothing of it was read.</source>
        <translation>{connection} 与 irjudge 写出的不符：其中有视图或虚拟表。没有读取任何内容。</translation>
    </message>
    <message>
        <source>{connection} is not as irjudge writes it: its table {table} has other columns.</source>
        <translation>{connection} 与 irjudge 写出的不符：表 {table} 的列不同。</translation>
    </message>
    <message>
        <source>{counts}; mean difference {mean}. {policy_words}</source>
        <translation>{counts}；平均差异 {mean}。{policy_words}</translation>
    </message>
    <message>
        <source>{count} PDF, DOCX or ODT files were left out, of which no text can be read; save them anew, or as text, beginning with {first}.</source>
        <translation>略去 {count} 个无法读出文本的 PDF、DOCX 或 ODT 文件；请重新保存，或存为纯文本，首个为 {first}。</translation>
    </message>
    <message>
        <source>{count} actions</source>
        <translation>{count} 个操作</translation>
    </message>
    <message>
        <source>{count} archives have no end mark and may have been cut off, beginning with {first}.</source>
        <translation>{count} 个压缩包没有结束标记，可能不完整，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} archives inside were not opened; unpack them and read the files, beginning with {first}.</source>
        <translation>其中有 {count} 个压缩包没有打开；请解压后读取其中的文件，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} bytes are not {encoding} and show as �, first in {first}.</source>
        <translation>有 {count} 个字节不是 {encoding}，显示为 �，首先出现在 {first}。</translation>
    </message>
    <message>
        <source>{count} cells begin as formulas do, the first {first}. An apostrophe stands before each; irjudge reads them without it.</source>
        <translation>有 {count} 个单元格的开头像公式，第一个是 {first}。每个前面都加了一个撇号；irjudge 读取时会去掉。</translation>
    </message>
    <message>
        <source>{count} cells have an apostrophe before what a spreadsheet would calculate with, the first {first}; they were read without it.</source>
        <translation>有 {count} 个单元格在电子表格会拿去计算的内容前有撇号，第一个是 {first}；读取时已去掉。</translation>
    </message>
    <message>
        <source>{count} citations name no reference and were left out, beginning with {first}.</source>
        <translation>{count} 处引用未指向任何参考文献，已略去，第一处是 {first}。</translation>
    </message>
    <message>
        <source>{count} columns, expected 4: topic, 0, document and grade</source>
        <translation>有 {count} 列，应为 4 列：主题、0、文档和等级</translation>
    </message>
    <message>
        <source>{count} columns, {expected}</source>
        <translation>{count} 列，{expected}</translation>
    </message>
    <message>
        <source>{count} column{words}, expected {expected}</source>
        <translation>有 {count} 列，应为 {expected}</translation>
    </message>
    <message>
        <source>{count} documents have SMART&apos;s marks (.A, .B, .W) in their text, left there by a conversion and shown as they stand, beginning with {first}.</source>
        <translation>{count} 篇文档的文本中有 SMART 的标记（.A、.B、.W），是转换时留下的，现原样显示，首篇是 {first}。</translation>
    </message>
    <message>
        <source>{count} documents have a title and no text, and are kept, beginning with {first}.</source>
        <translation>{count} 篇文档只有标题而没有文本，仍予保留，首篇是 {first}。</translation>
    </message>
    <message>
        <source>{count} documents have an id that was there before; the first ones are kept and these left out, beginning with {first}.</source>
        <translation>{count} 篇文档的编号前面已有；保留先出现的，略去这些，首篇是 {first}。</translation>
    </message>
    <message>
        <source>{count} documents have no id and were left out, beginning with {first}.</source>
        <translation>{count} 篇文档没有编号，已略去，首篇是 {first}。</translation>
    </message>
    <message>
        <source>{count} documents have no text and are kept, beginning with {first}.</source>
        <translation>{count} 篇文档没有文本，仍予保留，首篇是 {first}。</translation>
    </message>
    <message>
        <source>{count} documents of the pool have no words to show, images or no text, and are no tasks, beginning with {first}.</source>
        <translation>池中有 {count} 篇文档没有可显示的文字（图片或无文本），不作为任务，首篇是 {first}。</translation>
    </message>
    <message>
        <source>{count} documents stand below a count without a query, and were left out, beginning with {first}.</source>
        <translation>{count} 个文档位于没有查询的计数之下，已略去，第一处是 {first}。</translation>
    </message>
    <message>
        <source>{count} documents that were asked for are not there, for example {first}.</source>
        <translation>指定的文档中有 {count} 篇找不到，例如 {first}。</translation>
    </message>
    <message>
        <source>{count} fields are too long, or their documents have too many, and were left out, beginning with {first}.</source>
        <translation>有 {count} 个字段过长，或其文档字段过多，已略去，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} files are of an office program or e-books, which are not read yet; save them as text or HTML and read those, beginning with {first}.</source>
        <translation>{count} 个文件来自办公软件或为电子书，尚不能读取；请存为纯文本或 HTML 再读取，首个为 {first}。</translation>
    </message>
    <message>
        <source>{count} files are of no form that can be read and were left out, beginning with {first}.</source>
        <translation>{count} 个文件的格式无法读取，已略去，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} files have bytes that are not UTF-8, shown as �; name their encoding with --encoding, beginning with {first}.</source>
        <translation>{count} 个文件中有不是 UTF-8 的字节，显示为 �；请用 --encoding 指定编码，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} files have the name of another before them; their paths are their ids, beginning with {first}.</source>
        <translation>{count} 个文件与前面的文件同名；用其路径作为编号，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} files of a BEIR collection hold topics or qrels, not documents, and were left out, beginning with {first}.</source>
        <translation>BEIR 文档集中有 {count} 个文件是主题或 qrels，不是文档，已略去，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} files were read as {encoding} ({how}), beginning with {first}{other}.</source>
        <translation>{count} 个文件按 {encoding} 读取（{how}），从 {first} 开始{other}。</translation>
    </message>
    <message>
        <source>{count} grades are {grade}; say what negative grades mean: {negatives}</source>
        <translation>{count} 个等级为 {grade}；请说明负等级的含义：{negatives}</translation>
    </message>
    <message>
        <source>{count} grades are {value}, and --grades does not say what {value} becomes; expected a pair for each of {values}</source>
        <translation>有 {count} 个等级为 {value}，而 --grades 没有说明 {value} 变成什么；应为下列每个等级各给一对：{values}</translation>
    </message>
    <message>
        <source>{count} ids have a blank inside, which TREC files cannot hold, beginning with {first}.</source>
        <translation>{count} 个编号中有空格，TREC 文件无法容纳，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} judged documents</source>
        <translation> {count} 篇已判断文档</translation>
    </message>
    <message>
        <source>{count} labels are of texts that the project does not hold, and were left out, beginning with {first}.</source>
        <translation>有 {count} 个标注的文本不在项目中，已略去，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} labels are of topics or documents that the project does not know, and were left out, beginning with {first}.</source>
        <translation>有 {count} 个标注的主题或文档不为项目所知，已略去，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} lines have no valid grade and are unjudged, never 0, beginning with {first}.</source>
        <translation>有 {count} 行没有有效等级，记为未判断，绝不记为 0，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} lines name</source>
        <translation>{count} 行中</translation>
    </message>
    <message>
        <source>{count} links or special files were not followed, beginning with {first}.</source>
        <translation>{count} 个链接或特殊文件没有读取，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} of grade {value}</source>
        <translation>等级 {value} 的 {count} 条</translation>
    </message>
    <message>
        <source>{count} of grade {value} count as {meaning}</source>
        <translation>等级 {value} 的 {count} 条按 {meaning} 计</translation>
    </message>
    <message>
        <source>{count} of the sample cannot be judged; the claim does not speak of such.</source>
        <translation>样本中有 {count} 篇无法评判；结论不涉及这类文档。</translation>
    </message>
    <message>
        <source>{count} of {given} are there</source>
        <translation>{given} 个中有 {count} 个</translation>
    </message>
    <message>
        <source>{count} of {old} became {to}</source>
        <translation>{old} 的 {count} 条改为 {to}</translation>
    </message>
    <message>
        <source>{count} pages of web archives are neither text nor HTML nor images and were left out, beginning with {first}.</source>
        <translation>网页存档中有 {count} 个页面既不是文本或 HTML 也不是图片，已略去，第一个是 {first}。</translation>
    </message>
    <message>
        <source>{count} pairs were answered more than once; their last answers count, and all are kept, beginning with {first}.</source>
        <translation>有 {count} 对被回答了不止一次；以最后一次为准，全部保留，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} pictures do not lie beside the file that names them, so their names are shown, beginning with {first}.</source>
        <translation>有 {count} 张图片不在指明它们的文件旁边，因此只显示其名称，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} pictures have more than 1 MB or are none, and were left out, beginning with {first}.</source>
        <translation>有 {count} 张图片超过 1 MB 或不是图片，已略去，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} qualification documents are wanted, and there are {pairs} with a known answer.</source>
        <translation>需要 {count} 篇资格测试文档，而有已知答案的有 {pairs} 篇。</translation>
    </message>
    <message>
        <source>{count} queries say another number of relevant documents than they list, and keep those that are listed, beginning with {first}.</source>
        <translation>{count} 个查询声明的相关文档数与所列不符，保留所列的文档，第一个是 {first}。</translation>
    </message>
    <message>
        <source>{count} random shuffles, seed {seed}</source>
        <translation>{count} 次随机重排，随机种子 {seed}</translation>
    </message>
    <message>
        <source>{count} random sign patterns, seed {seed}</source>
        <translation>{count} 种随机符号组合，随机种子 {seed}</translation>
    </message>
    <message>
        <source>{count} records have half a character (a lone surrogate), shown as �, beginning with {first}.</source>
        <translation>{count} 条记录中有半个字符（单独的代理项），显示为 �，首条是 {first}。</translation>
    </message>
    <message>
        <source>{count} records of web archives are no pages (requests, metadata) and were left out, beginning with {first}.</source>
        <translation>网页存档中有 {count} 条记录不是页面（请求、元数据），已略去，第一条是 {first}。</translation>
    </message>
    <message>
        <source>{count} rows have label -1, which is not judged, and were left out, beginning with {first}.</source>
        <translation>{count} 行的标签为 -1，即未判断，已略去，首行是 {first}。</translation>
    </message>
    <message>
        <source>{count} rows have no document or no grade, which is not judged, and were left out, beginning with {first}.</source>
        <translation>有 {count} 行没有文档或没有等级，即未判定，已略去，从 {first} 起。</translation>
    </message>
    <message>
        <source>{count} rows have no label and were left out, beginning with {first}.</source>
        <translation>{count} 行没有标签，已略去，首行是 {first}。</translation>
    </message>
    <message>
        <source>{count} rows name another topic or document than their items stand for, and the items were taken, beginning with {first}.</source>
        <translation>{count} 行写的主题或文档与其条目所指不同，以条目为准，首行是 {first}。</translation>
    </message>
    <message>
        <source>{count} rows were rejected on the platform and were left out, beginning with {first}.</source>
        <translation>有 {count} 行在平台上被拒绝，已略去，从 {first} 开始。</translation>
    </message>
    <message>
        <source>{count} rows were skipped or left unfinished on the platform and were left out, beginning with {first}.</source>
        <translation>有 {count} 行在平台上被跳过或未完成，已略去，从 {first} 起。</translation>
    </message>
    <message>
        <source>{count} spreadsheets were left out, beginning with {first}; save their sheets as CSV files and read those by themselves.</source>
        <translation>略去了 {count} 个电子表格，第一个是 {first}；请把其中的工作表另存为 CSV 文件，单独读取。</translation>
    </message>
    <message>
        <source>{count} topics</source>
        <translation>{count} 个主题</translation>
    </message>
    <message>
        <source>{count} topics have an id that was there before; the first ones are kept and these left out, beginning with {first}.</source>
        <translation>{count} 个主题的编号前面已有；保留先出现的，略去这些，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} topics have no text, beginning with {first}; what is not read: {unread}; say which holds the title with --columns &quot;title=NAME&quot;.</source>
        <translation>{count} 个主题没有文字，第一个是 {first}；没有读取的有：{unread}；请用 --columns &quot;title=名称&quot; 指明哪一项是标题。</translation>
    </message>
    <message>
        <source>{count} topics have no title, beginning with {first}.</source>
        <translation>{count} 个主题没有标题，首个是 {first}。</translation>
    </message>
    <message>
        <source>{count} {rest} left out: {why}.</source>
        <translation>{count} {rest} 已略去：{why}。</translation>
    </message>
    <message>
        <source>{db} is damaged: an assigned item cannot be read ({fault}).</source>
        <translation>{db} 已损坏：有一个分配的条目无法读取（{fault}）。</translation>
    </message>
    <message>
        <source>{declaration} has no parameter {name}; {hint}</source>
        <translation>{declaration} 没有参数 {name}；{hint}</translation>
    </message>
    <message>
        <source>{declared}: a measure&apos;s parameter is an int, a float, floats or a Literal, got {hint}</source>
        <translation>{declared}：指标的参数应为 int、float、多个 float 或 Literal，现为 {hint}</translation>
    </message>
    <message>
        <source>{depth} levels do not end</source>
        <translation>有 {depth} 层没有结束</translation>
    </message>
    <message>
        <source>{entry}, line {line}</source>
        <translation>{entry} 第 {line} 行</translation>
    </message>
    <message>
        <source>{entry}, record {number}</source>
        <translation>{entry}，第 {number} 条记录</translation>
    </message>
    <message>
        <source>{filename} in the spreadsheet has {size}, expected {most} at most</source>
        <translation>电子表格中的 {filename} 有 {size}，最多应为 {most}</translation>
    </message>
    <message>
        <source>{file} asks for the grade {grade}, which is not on the scale {scale}.</source>
        <translation>{file} 要求等级 {grade}，但它不在量表 {scale} 上。</translation>
    </message>
    <message>
        <source>{file} cannot be handed in, since its log does not fit together. {faults}</source>
        <translation>{file} 无法提交，因为其日志前后不符。{faults}</translation>
    </message>
    <message>
        <source>{file} cannot be read ({fault}).</source>
        <translation>无法读取 {file}（{fault}）。</translation>
    </message>
    <message>
        <source>{file} cannot be read ({value}).</source>
        <translation>无法读取 {file}（{value}）。</translation>
    </message>
    <message>
        <source>{file} cannot be read: {in_words}.</source>
        <translation>无法读取 {file}：{in_words}。</translation>
    </message>
    <message>
        <source>{file} cannot be used ({fault}).</source>
        <translation>无法使用 {file}（{fault}）。</translation>
    </message>
    <message>
        <source>{file} cannot be written ({fault}).</source>
        <translation>无法写入 {file}（{fault}）。</translation>
    </message>
    <message>
        <source>{file} cannot be written ({value}).</source>
        <translation>无法写入 {file}（{value}）。</translation>
    </message>
    <message>
        <source>{file} cannot be written: {in_words}.</source>
        <translation>无法写入 {file}：{in_words}。</translation>
    </message>
    <message>
        <source>{file} could not be written: it is a folder, expected the name of a file.</source>
        <translation>无法写入 {file}：它是文件夹，应为文件名。</translation>
    </message>
    <message>
        <source>{file} could not be written: it is no ordinary file.</source>
        <translation>无法写入 {file}：它不是普通文件。</translation>
    </message>
    <message>
        <source>{file} could not be written: it is read-only.{unchanged}</source>
        <translation>无法写入 {file}：文件为只读。{unchanged}</translation>
    </message>
    <message>
        <source>{file} could not be written: the folder {parent} does not exist.</source>
        <translation>无法写入 {file}：文件夹 {parent} 不存在。</translation>
    </message>
    <message>
        <source>{file} could not be written: {reason}.{unchanged}</source>
        <translation>无法写入 {file}：{reason}。{unchanged}</translation>
    </message>
    <message>
        <source>{file} could not be written: {what}. Choose another name.{unchanged}</source>
        <translation>无法写入 {file}：{what}。请另选一个名称。{unchanged}</translation>
    </message>
    <message>
        <source>{file} does not allow to ask models; `irjudge ask PROJECT --allow` does.</source>
        <translation>{file} 不允许询问模型；可用 `irjudge ask PROJECT --allow` 允许。</translation>
    </message>
    <message>
        <source>{file} does not exist or is no ordinary file.</source>
        <translation>{file} 不存在或不是普通文件。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way on which scale it was judged.</source>
        <translation>从 {file} 中无法读出是按哪个等级范围判断的。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way what it keeps.</source>
        <translation>{file} 没有以可读的方式说明它保留了什么。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way what its side files hold.</source>
        <translation>{file} 中的附加文件内容无法读取。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way what was drawn at random ({fault}).</source>
        <translation>{file} 中随机抽取的记录无法读取（{fault}）。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way what was imported.</source>
        <translation>{file} 没有以可读的方式说明导入过什么。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way which columns were named before.</source>
        <translation>{file} 中此前指定了哪些列，已无法读出。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way which events were erased.</source>
        <translation>{file} 没有以可读的方式说明哪些事件已被抹去。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way which fields are shown.</source>
        <translation>{file} 没有以可读的方式说明显示哪些字段。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way which grades of models were shown ({fault}).</source>
        <translation>{file} 中记录的已显示模型等级无法读取（{fault}）。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way which ids are those of one person.</source>
        <translation>{file} 没有以可读的方式说明哪些编号属于同一个人。</translation>
    </message>
    <message>
        <source>{file} does not say in a readable way who completed a submission.</source>
        <translation>{file} 中关于谁完成了提交的记录无法读取。</translation>
    </message>
    <message>
        <source>{file} does not say which form of a result it has, or which assignment it belongs to.</source>
        <translation>{file} 没有说明它是哪种形式的结果，或者属于哪项任务。</translation>
    </message>
    <message>
        <source>{file} exists already. Choose another name; nothing was overwritten.</source>
        <translation>{file} 已存在。请换一个名称；没有覆盖任何文件。</translation>
    </message>
    <message>
        <source>{file} has no assignments, so no file can belong to it. Assign something first.</source>
        <translation>{file} 没有分配，因此没有文件属于它。请先分配。</translation>
    </message>
    <message>
        <source>{file} has no pool; build one first.</source>
        <translation>{file} 没有文档池；请先构建一个。</translation>
    </message>
    <message>
        <source>{file} has no {rows} to write.</source>
        <translation>{file} 没有可写出的 {rows}。</translation>
    </message>
    <message>
        <source>{file} has {size} bytes; no file for an assessor has more than {most_bytes}.</source>
        <translation>{file} 有 {size} 字节；评判员的文件都不超过 {most_bytes} 字节。</translation>
    </message>
    <message>
        <source>{file} has {size} bytes; no result has more than {most_bytes}.</source>
        <translation>{file} 有 {size} 字节；结果文件不会超过 {most_bytes} 字节。</translation>
    </message>
    <message>
        <source>{file} is a folder, expected a file of an assessor.</source>
        <translation>{file} 是文件夹，应为评判员的文件。</translation>
    </message>
    <message>
        <source>{file} is a page to judge in, not the work. Press Save result in it, and merge the file that makes.</source>
        <translation>{file} 是用来评判的网页，不是评判结果。请在网页中按“保存结果”，再合并生成的文件。</translation>
    </message>
    <message>
        <source>{file} is a project of its own, expected a file that was made for an assessor (.irtask).</source>
        <translation>{file} 是一个独立的项目，而这里需要为评估者制作的文件（.irtask）。</translation>
    </message>
    <message>
        <source>{file} is a zip archive. Unpack it and merge the file that is in it.</source>
        <translation>{file} 是 zip 压缩包。请解压后合并其中的文件。</translation>
    </message>
    <message>
        <source>{file} is cut off: {there} of {expected} bytes are there. Ask for it again.</source>
        <translation>{file} 不完整：只有 {expected} 字节中的 {there} 字节。请让对方重新发送。</translation>
    </message>
    <message>
        <source>{file} is damaged, and no copy of it could be made to mend ({value}).</source>
        <translation>{file} 已损坏，并且无法制作副本来修复（{value}）。</translation>
    </message>
    <message>
        <source>{file} is damaged: an event of {assessor} is missing, and what follows it waits.</source>
        <translation>{file} 已损坏：{assessor} 的一个事件缺失，其后的内容在等待。</translation>
    </message>
    <message>
        <source>{file} is damaged: an item that came too late cannot be read.</source>
        <translation>{file} 已损坏：无法读取一个过晚到达的项目。</translation>
    </message>
    <message>
        <source>{file} is damaged: document {id} has no text any more.</source>
        <translation>{file} 已损坏：文档 {id} 已没有文本。</translation>
    </message>
    <message>
        <source>{file} is damaged: it holds values of another kind than an irjudge file does.</source>
        <translation>{file} 已损坏：其中有的值与 irjudge 文件的类型不符。</translation>
    </message>
    <message>
        <source>{file} is damaged: it names documents that it does not hold.</source>
        <translation>{file} 已损坏：其中提到的文档并不在文件里。</translation>
    </message>
    <message>
        <source>{file} is damaged: its beginning, which says what it is, was changed.</source>
        <translation>{file} 已损坏：说明文件类型的开头部分被改动了。</translation>
    </message>
    <message>
        <source>{file} is damaged: the terms of a session cannot be read.</source>
        <translation>{file} 已损坏：无法读取一次共同评判的约定。</translation>
    </message>
    <message>
        <source>{file} is damaged: {fact} cannot be read.</source>
        <translation>{file} 已损坏：无法读取 {fact}。</translation>
    </message>
    <message>
        <source>{file} is damaged; {used}.</source>
        <translation>{file} 已损坏；{used}。</translation>
    </message>
    <message>
        <source>{file} is empty. Ask for it again.</source>
        <translation>{file} 为空。请让对方重新发送。</translation>
    </message>
    <message>
        <source>{file} is in use: a model is being asked about this project.</source>
        <translation>{file} 正在使用：正在就本项目询问模型。</translation>
    </message>
    <message>
        <source>{file} is not a result of a page, or its beginning is damaged. Ask for it again.</source>
        <translation>{file} 不是网页的结果文件，或者开头已损坏。请重新索取该文件。</translation>
    </message>
    <message>
        <source>{file} is not an irjudge file.</source>
        <translation>{file} 不是 irjudge 文件。</translation>
    </message>
    <message>
        <source>{file} is not an irjudge project. It is {what}; expected is a file that irjudge made.</source>
        <translation>{file} 不是 irjudge 项目，而是{what}；应为 irjudge 生成的文件。</translation>
    </message>
    <message>
        <source>{file} is not as a page saves a result: it is not laid out in lines. Nothing of it was read.</source>
        <translation>{file} 与网页保存的结果不同：没有按行排列。没有读取其中任何内容。</translation>
    </message>
    <message>
        <source>{file} is of an older form, and no copy of it could be made ({value}).</source>
        <translation>{file} 是旧格式，且无法为其制作副本（{value}）。</translation>
    </message>
    <message>
        <source>{file} knows no assessor called {name}; it knows {value}.</source>
        <translation>{file} 中没有名为 {name} 的评判员；现有 {value}。</translation>
    </message>
    <message>
        <source>{file} says in a way nobody can read that it was handed in ({fault}).</source>
        <translation>{file} 记有提交信息，但无法读出（{fault}）。</translation>
    </message>
    <message>
        <source>{file} was changed: its receipt is one of {says}, and {there}.</source>
        <translation>{file} 被改动过：回执写的是 {says}，而{there}。</translation>
    </message>
    <message>
        <source>{file} was changed: what it says of its assignment, before the first action, does not fit its checksum.</source>
        <translation>{file} 被改动过：第一个操作之前关于任务的内容与校验和不符。</translation>
    </message>
    <message>
        <source>{file} was judged with the grades {theirs}; the project&apos;s are {ours}.</source>
        <translation>{file} 是用等级 {theirs} 判断的；项目的等级为 {ours}。</translation>
    </message>
    <message>
        <source>{file} was not written: of {run} lines {back} came back, or others than went in.</source>
        <translation>{file} 没有写出：{run} 行中读回 {back} 行，或读回的与写入的不同。</translation>
    </message>
    <message>
        <source>{file} was written by a newer irjudge (form {version}; this one reads {form}). Install the newer irjudge.</source>
        <translation>{file} 由更新版本的 irjudge 写成（格式 {version}；本版本可读 {form}）。请安装更新版本的 irjudge。</translation>
    </message>
    <message>
        <source>{file} was written by a newer irjudge (form {version}; this one reads {schema_version}). Install the newer irjudge.</source>
        <translation>{file} 由更新版本的 irjudge 写成（格式 {version}；本版本可读 {schema_version}）。请安装更新版本的 irjudge。</translation>
    </message>
    <message>
        <source>{file}, action {sequence}: {problem}.</source>
        <translation>{file}，第 {sequence} 个操作：{problem}。</translation>
    </message>
    <message>
        <source>{file}, line {line}: {fault} Nothing was entered.</source>
        <translation>{file} 第 {line} 行：{fault}未录入任何内容。</translation>
    </message>
    <message>
        <source>{file}: ids are written without zeros in front, as SMART&apos;s records are numbered ({changeds}).</source>
        <translation>{file}：编号前面的零已去掉，与 SMART 记录的编号一致（{changeds}）。</translation>
    </message>
    <message>
        <source>{file}: it takes the place of the file of the same kind that the project had.</source>
        <translation>{file}：它取代项目中原有的同类文件。</translation>
    </message>
    <message>
        <source>{file}: it takes the place of the instructions the project had.</source>
        <translation>{file}：取代了项目原有的说明。</translation>
    </message>
    <message>
        <source>{file}: its block of ir_metadata has no end before the ranking begins; it is not kept.</source>
        <translation>{file}：其 ir_metadata 块在排序开始前没有结束标记，未予保留。</translation>
    </message>
    <message>
        <source>{file}: its block of ir_metadata is not UTF-8; it is not kept.</source>
        <translation>{file}：其 ir_metadata 块不是 UTF-8，未予保留。</translation>
    </message>
    <message>
        <source>{file}: judgments that stood in the project already: {known}.</source>
        <translation>{file}：已在项目中的判断：{known} 条。</translation>
    </message>
    <message>
        <source>{file}: judgments: {qrels}; topics: {topics} ({grades})</source>
        <translation>{file}：判断 {qrels} 条；主题 {topics} 个（{grades}）</translation>
    </message>
    <message>
        <source>{file}: judgments: {rows}; assessors: {value} ({reading})</source>
        <translation>{file}：判断：{rows} 条；评判员：{value} 位（{reading}）</translation>
    </message>
    <message>
        <source>{file}: labels that stood in the project already: {known}.</source>
        <translation>{file}：项目中已有的标注：{known} 个。</translation>
    </message>
    <message>
        <source>{file}: lines with more than 6 columns, of which the first 6 were read: {longer}.</source>
        <translation>{file}：多于 6 列、只读取了前 6 列的行：{longer} 行。</translation>
    </message>
    <message>
        <source>{file}: lines without a grade, left out: {rows}.</source>
        <translation>{file}：没有等级而略去的行：{rows} 行。</translation>
    </message>
    <message>
        <source>{file}: lines: {lines}</source>
        <translation>{file}：共 {lines} 行</translation>
    </message>
    <message>
        <source>{file}: read as JSON of topics, documents and grades.</source>
        <translation>{file}：读作含主题、文档和等级的 JSON。</translation>
    </message>
    <message>
        <source>{file}: read as JSON of topics, documents and scores.</source>
        <translation>{file}：读作含主题、文档和得分的 JSON。</translation>
    </message>
    <message>
        <source>{file}: read as the file before with the same header: {reading}.</source>
        <translation>{file}：按表头相同的前一个文件读取：{reading}。</translation>
    </message>
    <message>
        <source>{file}: read as was said: {columns}{grades_missing}.</source>
        <translation>{file}：按指定方式读取：{columns}{grades_missing}。</translation>
    </message>
    <message>
        <source>{file}: read as {form}.</source>
        <translation>{file}：按{form}读取。</translation>
    </message>
    <message>
        <source>{file}: read as {form}. Queries: {queries}; documents with fields: {documents}.</source>
        <translation>{file}：按{form}读取。查询：{queries}；带字段的文档：{documents}。</translation>
    </message>
    <message>
        <source>{file}: read as {form}: {reading}{ranking}.</source>
        <translation>{file}：读作 {form}：{reading}{ranking}。</translation>
    </message>
    <message>
        <source>{file}: read as {form}: {reading}{rest}.</source>
        <translation>{file}：读作 {form}：{reading}{rest}。</translation>
    </message>
    <message>
        <source>{file}: read as {form}; a query is known by its text.</source>
        <translation>{file}：按{form}读取；以文字识别查询。</translation>
    </message>
    <message>
        <source>{file}: read as {form}{order}.</source>
        <translation>{file}：按{form}读取{order}。</translation>
    </message>
    <message>
        <source>{file}: read as {read}{ranking}.</source>
        <translation>{file}：读作 {read}{ranking}。</translation>
    </message>
    <message>
        <source>{file}: read as {said}.</source>
        <translation>{file}：读作 {said}。</translation>
    </message>
    <message>
        <source>{file}: read in the order of SMART: topic, document, and 0 twice in every line; {no_grades}.</source>
        <translation>{file}：按 SMART 的顺序读取：主题、文档，每行另有两个 0；{no_grades}。</translation>
    </message>
    <message>
        <source>{file}: the lines have no rank; it is not needed, since the score orders a ranking.</source>
        <translation>{file}：各行没有名次；不需要名次，排序由得分决定。</translation>
    </message>
    <message>
        <source>{file}: the ranks contradict the scores in {which} (for example {example}); the scores order the ranking.</source>
        <translation>{file}：{which}中名次与得分矛盾（例如{example}）；排序按得分。</translation>
    </message>
    <message>
        <source>{file}: the scores count 1, 2, 3 … as ranks do, so the ranking is read upside down. Are rank and score swapped?</source>
        <translation>{file}：得分像名次一样是 1、2、3……，因此排序被倒着读取。名次与得分是否写反了？</translation>
    </message>
    <message>
        <source>{file}: topics that were in the project already and stay as they were: {known}.</source>
        <translation>{file}：已在项目中并保持原样的主题：{known} 个。</translation>
    </message>
    <message>
        <source>{file}: without a rating, left out: {left}.</source>
        <translation>{file}：没有评分而略去：{left}。</translation>
    </message>
    <message>
        <source>{file}: {count} different tags ({first}, {second} …); it was read as one run.</source>
        <translation>{file}：有 {count} 个不同的标签（{first}、{second} ……）；已作为一个检索结果读取。</translation>
    </message>
    <message>
        <source>{file}: {count} no text in the project and will not be shown (for example {first}).</source>
        <translation>{file}：{count}在项目中没有文本，不会显示（例如 {first}）。</translation>
    </message>
    <message>
        <source>{file}: {done}.</source>
        <translation>{file}：{done}。</translation>
    </message>
    <message>
        <source>{file}: {each}</source>
        <translation>{file}：{each}</translation>
    </message>
    <message>
        <source>{file}: {form}</source>
        <translation>{file}：{form}</translation>
    </message>
    <message>
        <source>{file}: {form}; documents: {documents}</source>
        <translation>{file}：{form}；文档：{documents} 篇</translation>
    </message>
    <message>
        <source>{file}: {form}; files: {files}</source>
        <translation>{file}：{form}；文件：{files} 个</translation>
    </message>
    <message>
        <source>{file}: {form}; queries, known by their text: {queries}</source>
        <translation>{file}：{form}；以文本识别的查询：{queries}</translation>
    </message>
    <message>
        <source>{file}: {form}; queries, known by their text: {queries}; documents with text: {documents}</source>
        <translation>{file}：{form}；以文本识别的查询：{queries}；带文本的文档：{documents}</translation>
    </message>
    <message>
        <source>{file}: {form}; topics: {topics}</source>
        <translation>{file}：{form}；主题：{topics} 个</translation>
    </message>
    <message>
        <source>{file}: {kept}. Where {first} is the best, turn them round with --grades &quot;{turning}&quot;.</source>
        <translation>{file}：{kept}。如果 {first} 最好，请用 --grades &quot;{turning}&quot; 将等级反转。</translation>
    </message>
    <message>
        <source>{file}: {lines} a topic and document that stood before; the first was kept (for example {first}).</source>
        <translation>{file}：{lines}的主题和文档前面已有；保留了先出现的（例如 {first}）。</translation>
    </message>
    <message>
        <source>{file}: {others} of these contradict the grade that was kept (for example {example}).</source>
        <translation>{file}：其中 {others} 与保留的等级相矛盾（例如 {example}）。</translation>
    </message>
    <message>
        <source>{file}: {parts}.</source>
        <translation>{file}：{parts}。</translation>
    </message>
    <message>
        <source>{file}: {said}</source>
        <translation>{file}：{said}</translation>
    </message>
    <message>
        <source>{file}: {sentence}</source>
        <translation>{file}：{sentence}</translation>
    </message>
    <message>
        <source>{file}: {title}; rows: {rows}</source>
        <translation>{file}：{title}；行数：{rows}</translation>
    </message>
    <message>
        <source>{first} (1 to {ids}, as relevance files of SMART count them) or {topic_ids} ({listed})</source>
        <translation>{first}（1 到 {ids}，SMART 的相关性文件如此计数）或 {topic_ids}（{listed}）</translation>
    </message>
    <message>
        <source>{first} and {second}</source>
        <translation>{first} 和 {second}</translation>
    </message>
    <message>
        <source>{first} and {second} have no topic in common, so nothing can be compared.</source>
        <translation>{first} 与 {second} 没有共同的主题，因此无法比较。</translation>
    </message>
    <message>
        <source>{first} as in the first line</source>
        <translation>{first} 列，与首行相同</translation>
    </message>
    <message>
        <source>{first} has no text; what is not read: {unread}; say which holds the title with --columns &quot;title=NAME&quot;.</source>
        <translation>{first} 没有文字；没有读取的有：{unread}；请用 --columns &quot;title=名称&quot; 指明哪一项是标题。</translation>
    </message>
    <message>
        <source>{first} or {second}</source>
        <translation>{first} 或 {second}</translation>
    </message>
    <message>
        <source>{first}, {second}</source>
        <translation>{first}，{second}</translation>
    </message>
    <message>
        <source>{first}: read as {encoding} ({how}){other}.</source>
        <translation>{first}：按 {encoding} 读取（{how}）{other}。</translation>
    </message>
    <message>
        <source>{first}; {second}</source>
        <translation>{first}；{second}</translation>
    </message>
    <message>
        <source>{folder} cannot be used ({fault}).</source>
        <translation>无法使用 {folder}（{fault}）。</translation>
    </message>
    <message>
        <source>{folder} did not take what was read ({value}).</source>
        <translation>{folder} 没能存下读取的内容（{value}）。</translation>
    </message>
    <message>
        <source>{folder} exists already. Choose another name; nothing was overwritten.</source>
        <translation>{folder} 已经存在。请换一个名字；没有覆盖任何东西。</translation>
    </message>
    <message>
        <source>{folder} has no prompts of irjudge; --write-prompts writes them.</source>
        <translation>{folder} 中没有 irjudge 的提示词；可用 --write-prompts 写出。</translation>
    </message>
    <message>
        <source>{folder}: answers to no question of it: {count}.</source>
        <translation>{folder}：不对应其中任何问题的回答：{count} 个。</translation>
    </message>
    <message>
        <source>{form} (by {package})</source>
        <translation>{form}（由 {package} 提供）</translation>
    </message>
    <message>
        <source>{form}, in which {count} assessors judged; make one grade of theirs: irjudge consensus {file} --method majority -o QRELS</source>
        <translation>{form}，其中有 {count} 位评判者；请先合成一个等级：irjudge consensus {file} --method majority -o QRELS</translation>
    </message>
    <message>
        <source>{found} columns, expected {width} as in the header</source>
        <translation>{found} 列，应与表头一样为 {width} 列</translation>
    </message>
    <message>
        <source>{found} was read for another order of ties than {ties}, or of scores.</source>
        <translation>{found} 是按不同于 {ties} 的同分顺序或得分读取的。</translation>
    </message>
    <message>
        <source>{given} does not exist.</source>
        <translation>{given} 不存在。</translation>
    </message>
    <message>
        <source>{given} is no panel, expected {names}, or a JSON file of one.</source>
        <translation>{given} 不是参与者平台，应为 {names}，或描述它的 JSON 文件。</translation>
    </message>
    <message>
        <source>{gold} known answers and {shared} documents that others graded too do not tell these answers from chance.</source>
        <translation>{gold} 个已知答案和 {shared} 篇他人也评过的文档，不足以区分这些回答与随机作答。</translation>
    </message>
    <message>
        <source>{host} answers with status {status}: {said}</source>
        <translation>{host} 返回状态码 {status}：{said}</translation>
    </message>
    <message>
        <source>{host} asks to wait {seconds} seconds; ask again then.</source>
        <translation>{host} 要求等待 {seconds} 秒；请到时再问。</translation>
    </message>
    <message>
        <source>{host} did not answer {count} questions in a row ({why}).</source>
        <translation>{host} 连续 {count} 个问题没有答复（{why}）。</translation>
    </message>
    <message>
        <source>{how} {rests_on}. {policy}</source>
        <translation>{how}{rests_on}。{policy}</translation>
    </message>
    <message>
        <source>{how}; corrects itself</source>
        <translation>{how}；自带校正</translation>
    </message>
    <message>
        <source>{how}; {ids}</source>
        <translation>{how}；{ids}</translation>
    </message>
    <message>
        <source>{how}; {said}</source>
        <translation>{how}；{said}</translation>
    </message>
    <message>
        <source>{id} in {entry}</source>
        <translation>{entry} 中的 {id}</translation>
    </message>
    <message>
        <source>{items} has the known answer {answer} and had {known} before</source>
        <translation>{items} 的已知答案为 {answer}，此前为 {known}</translation>
    </message>
    <message>
        <source>{items} pairs of assessors share documents</source>
        <translation>{items} 对评判员有共同文档</translation>
    </message>
    <message>
        <source>{judges}; say whose count with --columns {choice}</source>
        <translation>{judges}；请用 --columns {choice} 说明采用谁的</translation>
    </message>
    <message>
        <source>{judge} has {gold} gold documents instead of {number}: there are no more for their topics.</source>
        <translation>{judge} 有 {gold} 篇已知答案的文档，而不是 {number} 篇：其主题中没有更多。</translation>
    </message>
    <message>
        <source>{judge} has {repeated} repeats instead of {repeats}: their topics are too short.</source>
        <translation>{judge} 有 {repeated} 次重复，而不是 {repeats} 次：其主题太短。</translation>
    </message>
    <message>
        <source>{kind} by {assessor} on {topic}, {documents} ({digest})</source>
        <translation>{kind}，由 {assessor} 对 {topic} 作出，{documents}（{digest}）</translation>
    </message>
    <message>
        <source>{letter} is no choice of this exercise, expected one of {known}.</source>
        <translation>{letter} 不是这道练习的选项，应为下列之一：{known}。</translation>
    </message>
    <message>
        <source>{line} is none of {head}</source>
        <translation>{line} 不在 {head} 之中</translation>
    </message>
    <message>
        <source>{line}, binormal</source>
        <translation>{line}，双正态</translation>
    </message>
    <message>
        <source>{line}, interpolated</source>
        <translation>{line}，插值</translation>
    </message>
    <message>
        <source>{low} to {high} topics</source>
        <translation>{low} 到 {high} 个主题</translation>
    </message>
    <message>
        <source>{means}, added up over the intents of a document.</source>
        <translation>{means}，对文档的各意图求和。</translation>
    </message>
    <message>
        <source>{measure} = {value} is right.</source>
        <translation>{measure} = {value} 正确。</translation>
    </message>
    <message>
        <source>{measure} by run and topic</source>
        <translation>各检索结果和主题的 {measure}</translation>
    </message>
    <message>
        <source>{measure} by topic, {one} less {other}</source>
        <translation>各主题的 {measure}，{one} 减 {other}</translation>
    </message>
    <message>
        <source>{measure} has no geometric mean, since its values may be below 0.</source>
        <translation>{measure} 没有几何平均，因为其值可能小于 0。</translation>
    </message>
    <message>
        <source>{measure} has no micro average, since it is not made of counts; these have one: {pooled}.</source>
        <translation>{measure} 没有微平均，因为它不由计数组成；有微平均的是：{pooled}。</translation>
    </message>
    <message>
        <source>{measure} is not {value}.</source>
        <translation>{measure} 不是 {value}。</translation>
    </message>
    <message>
        <source>{measure} is {before}. Which move makes it {target}? 3&gt;1 moves the document at rank 3 to rank 1.</source>
        <translation>{measure} 是 {before}。哪个移动使它成为 {target}？3&gt;1 把第 3 名的文档移到第 1 名。</translation>
    </message>
    <message>
        <source>{measure} over topics, by run</source>
        <translation>{measure} 在各主题上的分布，按检索结果</translation>
    </message>
    <message>
        <source>{measure} under people</source>
        <translation>人之下的 {measure}</translation>
    </message>
    <message>
        <source>{measure} under the model</source>
        <translation>模型之下的 {measure}</translation>
    </message>
    <message>
        <source>{measure} under {model} against people</source>
        <translation>{model} 之下与人之下的 {measure}</translation>
    </message>
    <message>
        <source>{measure}: beta is {beta} here; ir_measures takes the number of SetF for beta², which is set_F.{beta} here.</source>
        <translation>{measure}：这里的 beta 为 {beta}；ir_measures 把 SetF 的数当作 beta²，在这里写作 set_F.{beta}。</translation>
    </message>
    <message>
        <source>{misfit}; a file of preferences or sampled judgments (prels) is not qrels</source>
        <translation>{misfit}；偏好判断或抽样判断（prels）的文件不是 qrels</translation>
    </message>
    <message>
        <source>{missing} judged documents have</source>
        <translation>{missing} 篇已判断的文档</translation>
    </message>
    <message>
        <source>{missing} of {looked_at} without a text in the project (for example {first})</source>
        <translation>{looked_at} 中有 {missing} 在项目中没有文本（例如 {first}）</translation>
    </message>
    <message>
        <source>{model} log-worth</source>
        <translation>{model} 对数强度</translation>
    </message>
    <message>
        <source>{most} is not a number of documents</source>
        <translation>{most} 不是文档数</translation>
    </message>
    <message>
        <source>{named}: the event before it is missing</source>
        <translation>{named}：缺少它之前的事件</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} 和另外 {count} 人</translation>
    </message>
    <message>
        <source>{names} hold grades, as where each assessor has a column</source>
        <translation>{names} 各含等级，像是每位评估者一列</translation>
    </message>
    <message>
        <source>{names}: an approximation without an interval, not linear in the labels.</source>
        <translation>{names}：没有区间的近似值，对标签不是线性的。</translation>
    </message>
    <message>
        <source>{names}: column 2 of the qrels ({groups}) is taken for subtopics, but no document of a topic stands under two of them. Rounds of judging look like this, and then the value means nothing; with 0 in column 2 each topic is one subtopic.</source>
        <translation>{names}：qrels 的第 2 列（{groups}）被当作子主题，但没有一个主题的文档同时属于其中两个。判断轮次看起来就是这样，那时该值没有意义；第 2 列为 0 时，每个主题是一个子主题。</translation>
    </message>
    <message>
        <source>{name} ({title}): {formula}</source>
        <translation>{name}（{title}）：{formula}</translation>
    </message>
    <message>
        <source>{name} = {number} / 0, which is taken as 0: {what} is 0</source>
        <translation>{name} = {number} / 0，按 0 计：{what} 为 0</translation>
    </message>
    <message>
        <source>{name} belongs to an assignment that this project does not know. Was the project set back to an older copy?</source>
        <translation>{name} 属于本项目中没有的分配。项目是否恢复成了较早的副本？</translation>
    </message>
    <message>
        <source>{name} belongs to another project ({facts}).</source>
        <translation>{name} 属于另一个项目（{facts}）。</translation>
    </message>
    <message>
        <source>{name} cannot be joined with the others: {first} stands in it.</source>
        <translation>{name} 无法与其他模块合并：其中含有 {first}。</translation>
    </message>
    <message>
        <source>{name} drawn again {samples} times, seed {seed}</source>
        <translation>{name} 重新抽取 {samples} 次，随机种子 {seed}</translation>
    </message>
    <message>
        <source>{name} has labels that were asked for otherwise; give it another with --name for this prompt, parameters and host.</source>
        <translation>{name} 已有以其他方式询问得到的标注；请用 --name 为这一提示词、参数和主机另取名称。</translation>
    </message>
    <message>
        <source>{name} has other measures: {names}.</source>
        <translation>{name} 的指标不同：{names}。</translation>
    </message>
    <message>
        <source>{name} has {size} MB; a browser takes seconds to open it. --split 10 puts at most ten topics into a file.</source>
        <translation>{name} 有 {size} MB；浏览器要几秒才能打开。--split 10 使每个文件最多含十个主题。</translation>
    </message>
    <message>
        <source>{name} holds {count} lines; no assessor makes so many actions.</source>
        <translation>{name} 有 {count} 行；没有评估者会做这么多操作。</translation>
    </message>
    <message>
        <source>{name} imports itself: {values}.</source>
        <translation>{name} 导入了自己：{values}。</translation>
    </message>
    <message>
        <source>{name} in {place}</source>
        <translation>{place} 中的 {name}</translation>
    </message>
    <message>
        <source>{name} is a model in the project, and here a person</source>
        <translation>{name} 在项目中是模型，在这里却是人</translation>
    </message>
    <message>
        <source>{name} is a person in one row and a model in another</source>
        <translation>{name} 在一行中是人，在另一行中是模型</translation>
    </message>
    <message>
        <source>{name} is a person in {file}; a model needs another name.</source>
        <translation>{name} 在 {file} 中是人；模型需要另一个名称。</translation>
    </message>
    <message>
        <source>{name} is a project of its own, expected a file that was made for an assessor.</source>
        <translation>{name} 本身是一个项目，应为发给评判员的文件。</translation>
    </message>
    <message>
        <source>{name} is cut off: its end is missing. What stands before is used. Ask for it again.</source>
        <translation>{name} 被截断：缺少结尾。前面的部分会被使用。请重新索取该文件。</translation>
    </message>
    <message>
        <source>{name} is no answer as the others are</source>
        <translation>{name} 不是与其他文件相同的应答</translation>
    </message>
    <message>
        <source>{name} is no field that can be shown, or is named twice; the fields of {file} are {known}.</source>
        <translation>{name} 不是可以显示的字段，或被指定了两次；{file} 的字段有：{known}。</translation>
    </message>
    <message>
        <source>{name} is no number</source>
        <translation>{name} 不是数字</translation>
    </message>
    <message>
        <source>{name} is so damaged that it does not say what it belongs to. Ask for it again.</source>
        <translation>{name} 损坏严重，无法看出属于哪里。请让对方重新发送。</translation>
    </message>
    <message>
        <source>{name} is {value}, expected a text.</source>
        <translation>{name} 是 {value}，应为文字。</translation>
    </message>
    <message>
        <source>{name} judged {count}. Set them aside first.</source>
        <translation>{name} 已评判 {count} 项。请先将其排除。</translation>
    </message>
    <message>
        <source>{name} may be the name of a model; say --as model {name} or --as person {name}, or give a column kind</source>
        <translation>{name} 可能是模型的名称；请用 --as model {name} 或 --as person {name} 说明，或给出 kind 列</translation>
    </message>
    <message>
        <source>{name} means {count} measures, expected one for an exercise.</source>
        <translation>{name} 表示 {count} 个指标，练习只能有一个。</translation>
    </message>
    <message>
        <source>{name} must be at least {low}{most}, got {value}</source>
        <translation>{name} 不得小于 {low}{most}，现为 {value}</translation>
    </message>
    <message>
        <source>{name} of {package} cannot be used: {said}.</source>
        <translation>无法使用 {package} 的 {name}：{said}。</translation>
    </message>
    <message>
        <source>{name} was made for {assessor} and says that it is {facts}&apos;s.</source>
        <translation>{name} 是为 {assessor} 制作的，文件中却写明属于 {facts}。</translation>
    </message>
    <message>
        <source>{name} {text} is not a whole number</source>
        <translation>{name} {text} 不是整数</translation>
    </message>
    <message>
        <source>{name} {text} is too large, expected {most_digits} digits at most</source>
        <translation>{name} {text} 过大，最多应为 {most_digits} 位数字</translation>
    </message>
    <message>
        <source>{name}, line {line}</source>
        <translation>{name} 第 {line} 行</translation>
    </message>
    <message>
        <source>{name}: documents of this pool were drawn with unequal chances.</source>
        <translation>{name}：此文档池的文档以不等概率抽取。</translation>
    </message>
    <message>
        <source>{name}{count} relevant documents</source>
        <translation>{name}{count} 篇相关文档</translation>
    </message>
    <message>
        <source>{name}{count} relevant documents; not retrieved: {shown}.</source>
        <translation>{name}{count} 篇相关文档；未检出：{shown}。</translation>
    </message>
    <message>
        <source>{number} not taken: {reason}.</source>
        <translation>{number}没有取入：{reason}。</translation>
    </message>
    <message>
        <source>{of}: grades and their gains must be 0 or more, got {piece}.</source>
        <translation>{of}：等级及其增益应为 0 或以上，现为 {piece}。</translation>
    </message>
    <message>
        <source>{of}: {parameter} is too large, got {show}.</source>
        <translation>{of}：{parameter} 过大，现为 {show}。</translation>
    </message>
    <message>
        <source>{of}: {parameter} must be {allowed}, got {piece}.</source>
        <translation>{of}：{parameter} 应为{allowed}，现为 {piece}。</translation>
    </message>
    <message>
        <source>{of}: {parameter} must be {allowed}, got {text}.</source>
        <translation>{of}：{parameter} 应为{allowed}，现为 {text}。</translation>
    </message>
    <message>
        <source>{of}: {parameter} must be {allowed}, got {value}.</source>
        <translation>{of}：{parameter} 应为{allowed}，现为 {value}。</translation>
    </message>
    <message>
        <source>{of}: {parameter} must be {range}, got {show}.</source>
        <translation>{of}：{parameter} 应为{range}，现为 {show}。</translation>
    </message>
    <message>
        <source>{of}: {parameter} names grade {grade} twice.</source>
        <translation>{of}：{parameter} 两次提到等级 {grade}。</translation>
    </message>
    <message>
        <source>{one} and {other} have no evaluated topic in common, so they cannot be compared.</source>
        <translation>{one} 与 {other} 没有共同的已评测主题，因此无法比较。</translation>
    </message>
    <message>
        <source>{one} and {other} share no topic.</source>
        <translation>{one} 与 {other} 没有共同的主题。</translation>
    </message>
    <message>
        <source>{one} is better on {wins} of {topics_said}, {other} on {losses}</source>
        <translation>{topics_said}中，{one} 在 {wins} 个上更好，{other} 在 {losses} 个上更好</translation>
    </message>
    <message>
        <source>{other} judged in another text than the project has now (for example {first})</source>
        <translation>{other}判断时的文本与项目现有的文本不同（例如 {first}）</translation>
    </message>
    <message>
        <source>{owners} and {module} both declare {name} at their top level; joined they would clash.</source>
        <translation>{owners} 和 {module} 都在顶层声明了 {name}；合并后会冲突。</translation>
    </message>
    <message>
        <source>{own} owns the project; an assessor needs another name, so that the owner&apos;s own judgments stay apart.</source>
        <translation>{own} 是项目的所有者；评判员须用另一个名称，使所有者自己的判断与之分开。</translation>
    </message>
    <message>
        <source>{part} is named twice, by {named} and {column}; expected one column.</source>
        <translation>{part} 指定了两次，为 {named} 和 {column}；应为一列。</translation>
    </message>
    <message>
        <source>{part} is {name}</source>
        <translation>{part} 是 {name}</translation>
    </message>
    <message>
        <source>{part} needs a new assignment, which nobody can forecast: {name}={wanted}, and it is {there}.</source>
        <translation>{part}需要新的分配，无法预测：{name}={wanted}，而现在是 {there}。</translation>
    </message>
    <message>
        <source>{path} cannot be opened: {value}.</source>
        <translation>无法打开 {path}：{value}。</translation>
    </message>
    <message>
        <source>{path} does not exist.</source>
        <translation>{path} 不存在。</translation>
    </message>
    <message>
        <source>{piece} is no move, expected one such as 3&gt;2: from rank 3 to rank 2.</source>
        <translation>{piece} 不是移动，应类似 3&gt;2：从名次 3 移到名次 2。</translation>
    </message>
    <message>
        <source>{piece}: the ranking has the ranks 1 to {count}.</source>
        <translation>{piece}：排序的名次为 1 到 {count}。</translation>
    </message>
    <message>
        <source>{place} records are here, with numbers from {first} to {last}</source>
        <translation>这里有 {place} 条记录，编号从 {first} 到 {last}</translation>
    </message>
    <message>
        <source>{problem}; --encoding names another, or utf-8 to read on</source>
        <translation>{problem}；可用 --encoding 指定其他编码，或用 utf-8 继续读取</translation>
    </message>
    <message>
        <source>{problem}; if it is an engine&apos;s answer, say with --paths where its hits are</source>
        <translation>{problem}；如果这是搜索引擎的应答，请用 --paths 说明其命中结果在哪里</translation>
    </message>
    <message>
        <source>{problem}; save the sheet as CSV and read that</source>
        <translation>{problem}；请将工作表另存为 CSV 后读取</translation>
    </message>
    <message>
        <source>{problem}; say with --columns, as in &quot;score=NAME&quot;</source>
        <translation>{problem}；请用 --columns 说明，例如 &quot;score=NAME&quot;</translation>
    </message>
    <message>
        <source>{problem}; {choice}</source>
        <translation>{problem}；{choice}</translation>
    </message>
    <message>
        <source>{profile}: {meaning}</source>
        <translation>{profile}：{meaning}</translation>
    </message>
    <message>
        <source>{project} cannot be opened for writing: {reason}. Copy it to a folder where you may write.</source>
        <translation>无法以写入方式打开 {project}：{reason}。请将它复制到可写的文件夹。</translation>
    </message>
    <message>
        <source>{project} cannot be read: {in_words}.</source>
        <translation>无法读取 {project}：{in_words}。</translation>
    </message>
    <message>
        <source>{project} cannot be {how} where it is: its last change was interrupted, and {journal} beside it, which takes that change back, cannot be used in a place that is read-only. All that was saved before is safe. Copy both files together to a folder where you may write, and open the copy.</source>
        <translation>{project} 在它现在的位置无法{how}：上一次更改被中断，旁边的 {journal} 可以撤销这次更改，但在只读的位置无法使用。此前保存的内容都是安全的。请把这两个文件一起复制到可以写入的文件夹，再打开副本。</translation>
    </message>
    <message>
        <source>{project} exists already. Choose another name; nothing was overwritten.</source>
        <translation>{project} 已存在。请换一个名称；没有覆盖任何文件。</translation>
    </message>
    <message>
        <source>{project} is not as irjudge writes it: {problem}. Nothing in it was run.</source>
        <translation>{project} 不是 irjudge 写成的样子：{problem}。其中的任何内容都没有被运行。</translation>
    </message>
    <message>
        <source>{project} is of an older form. Open it for writing once, and it is brought up to date.</source>
        <translation>{project} 是旧格式。以写入方式打开一次即可更新。</translation>
    </message>
    <message>
        <source>{project} is open for judging in another irjudge. Close it there, or open it here for reading.</source>
        <translation>{project} 正在另一个 irjudge 中用于判断。请在那里关闭，或在这里以只读方式打开。</translation>
    </message>
    <message>
        <source>{project} is open for reading only; nothing was saved.</source>
        <translation>{project} 以只读方式打开；没有保存任何内容。</translation>
    </message>
    <message>
        <source>{project} was moved, deleted or replaced while it was open.</source>
        <translation>{project} 在打开期间被移动、删除或替换。</translation>
    </message>
    <message>
        <source>{reached}, rounded</source>
        <translation>{reached}，四舍五入</translation>
    </message>
    <message>
        <source>{refused} of {votes} said unjudgeable</source>
        <translation>{votes} 位中有 {refused} 位表示无法判断</translation>
    </message>
    <message>
        <source>{resolve} is a folder, expected a project file ({suffix}).</source>
        <translation>{resolve} 是文件夹，应为项目文件（{suffix}）。</translation>
    </message>
    <message>
        <source>{row} columns, expected {columns}</source>
        <translation>有 {row} 列，应为 {columns}</translation>
    </message>
    <message>
        <source>{runs} runs, {whose}. {policy}</source>
        <translation>检索结果 {runs} 个，{whose}。{policy}</translation>
    </message>
    <message>
        <source>{run} has no topic {topic} that was evaluated.</source>
        <translation>{run} 没有已评测的主题 {topic}。</translation>
    </message>
    <message>
        <source>{run} is better by {measure}</source>
        <translation>按 {measure}，{run} 更好</translation>
    </message>
    <message>
        <source>{run}, {measure}, {topic} stands twice, expected each once</source>
        <translation>{run}、{measure}、{topic} 出现了两次，应各出现一次</translation>
    </message>
    <message>
        <source>{run}: documents retrieved: {documents}; topics: {topics}</source>
        <translation>{run}：检出文档：{documents} 篇；主题：{topics} 个</translation>
    </message>
    <message>
        <source>{run}: topics: {topics}.</source>
        <translation>{run}：主题 {topics} 个。</translation>
    </message>
    <message>
        <source>{run}: {count} documents of its top were not in the plan and count as not relevant.</source>
        <translation>{run}：其前列有 {count} 篇不在计划中，算作不相关。</translation>
    </message>
    <message>
        <source>{said} stands there twice</source>
        <translation>{said} 出现两次</translation>
    </message>
    <message>
        <source>{said}, as many said {others}; ties go to the higher grade</source>
        <translation>{said}，给出 {others} 的同样多；平票时取较高等级</translation>
    </message>
    <message>
        <source>{said}, as many said {others}; ties go to the lower grade</source>
        <translation>{said}，给出 {others} 的同样多；平票时取较低等级</translation>
    </message>
    <message>
        <source>{said}; these judgments are kept apart.</source>
        <translation>{said}；这些判断单独保存。</translation>
    </message>
    <message>
        <source>{said}; {percent} % likely by the model</source>
        <translation>{said}；按模型可能性为 {percent} %</translation>
    </message>
    <message>
        <source>{seconds} s a judgment, as is usual</source>
        <translation>通常的每次判断 {seconds} 秒</translation>
    </message>
    <message>
        <source>{seconds} s a judgment, the mean of {judgments} here</source>
        <translation>每次判断 {seconds} 秒（本项目 {judgments} 次判断的平均值）</translation>
    </message>
    <message>
        <source>{second} against {first}, {what}</source>
        <translation>{second} 与 {first} 对照，{what}</translation>
    </message>
    <message>
        <source>{settled} that waited {rest}.</source>
        <translation>等待的 {settled} {rest}。</translation>
    </message>
    <message>
        <source>{shortened} (grade {grade})</source>
        <translation>{shortened}（等级 {grade}）</translation>
    </message>
    <message>
        <source>{show} or more</source>
        <translation>{show} 或以上</translation>
    </message>
    <message>
        <source>{size} documents</source>
        <translation> {size} 篇文档</translation>
    </message>
    <message>
        <source>{size} packed bytes expand to {megabytes}; it looks like a bomb and is not read</source>
        <translation>{size} 个压缩字节会展开到 {megabytes}；可能是压缩炸弹，没有读取</translation>
    </message>
    <message>
        <source>{source} holds no grade of 0 or more, so there is nothing to hold a model against.</source>
        <translation>{source} 没有 0 或更高的等级，因此没有可与模型对照的。</translation>
    </message>
    <message>
        <source>{source} is a model&apos;s; a model is held against people. Name a source of people.</source>
        <translation>{source} 来自模型；模型应与人对照。请指定人的来源。</translation>
    </message>
    <message>
        <source>{source} is damaged so much that nothing of it can be read.</source>
        <translation>{source} 损坏严重，已无法读出任何内容。</translation>
    </message>
    <message>
        <source>{source}, line {line}</source>
        <translation>{source} 第 {line} 行</translation>
    </message>
    <message>
        <source>{sum} grades are negative (grades: {founds}), which lines of three columns leave open</source>
        <translation>{sum} 个等级为负（等级：{founds}），三列的行没有说明其含义</translation>
    </message>
    <message>
        <source>{taken} packed bytes expand to more than {megabytes}; it looks like a bomb and is not read</source>
        <translation>{taken} 个压缩字节会展开到超过 {megabytes}；可能是压缩炸弹，没有读取</translation>
    </message>
    <message>
        <source>{test}: {title}, two-sided; {how}.</source>
        <translation>{test}：{title}，双侧；{how}。</translation>
    </message>
    <message>
        <source>{textless} calibration documents have</source>
        <translation>{textless} 篇校准文档</translation>
    </message>
    <message>
        <source>{text} is empty or has blanks around it, which a table cannot say</source>
        <translation>{text} 为空或前后有空格，表格无法表示</translation>
    </message>
    <message>
        <source>{text} is no number that can be read, expected one such as 0.56, 5/9 or (1/1 + 2/3)/3.</source>
        <translation>{text} 不是可以读取的数，应类似 0.56、5/9 或 (1/1 + 2/3)/3。</translation>
    </message>
    <message>
        <source>{text} is no whole number</source>
        <translation>{text} 不是整数</translation>
    </message>
    <message>
        <source>{text} needs {what}, for example {write}.</source>
        <translation>{text} 需要{what}，例如 {write}。</translation>
    </message>
    <message>
        <source>{text}: a bracket is not {rest}.</source>
        <translation>{text}：括号没有{rest}。</translation>
    </message>
    <message>
        <source>{text}: a parameter is written as name=value, got {piece}.</source>
        <translation>{text}：参数写作 名称=值，现为 {piece}。</translation>
    </message>
    <message>
        <source>{text}: there is more than one @; several cutoffs are written as P@5,10.</source>
        <translation>{text}：有不止一个 @；多个截断位置写作 P@5,10。</translation>
    </message>
    <message>
        <source>{text}: {alias} is followed by {parameters} numbers, {sets}; got {numbers}.</source>
        <translation>{text}：{alias} 后面应有 {parameters} 个数，{sets}；现为 {numbers}。</translation>
    </message>
    <message>
        <source>{text}: {alias} is followed by {suffix} and by @{at}; one of them is enough.</source>
        <translation>{text}：{alias} 后面既有 {suffix} 又有 @{at}；只需其一。</translation>
    </message>
    <message>
        <source>{text}: {declaration} takes no @.</source>
        <translation>{text}：{declaration} 不能带 @。</translation>
    </message>
    <message>
        <source>{text}: {declaration} takes no number after its name.</source>
        <translation>{text}：{declaration} 的名称后不能带数字。</translation>
    </message>
    <message>
        <source>{text}: {name} is given twice.</source>
        <translation>{text}：{name} 给出了两次。</translation>
    </message>
    <message>
        <source>{text}: {shape}.</source>
        <translation>{text}：{shape}。</translation>
    </message>
    <message>
        <source>{text}: {twice} is given twice.</source>
        <translation>{text}：{twice} 给出了两次。</translation>
    </message>
    <message>
        <source>{tick} is no grade, expected {values}, {broken} (cannot be judged) or {empty} (left empty).</source>
        <translation>{tick} 不是等级，应为 {values}、{broken}（无法判断）或 {empty}（留空）。</translation>
    </message>
    <message>
        <source>{title} (by {package})</source>
        <translation>{title}（由 {package} 提供）</translation>
    </message>
    <message>
        <source>{title} ({file}, rows: {rows})</source>
        <translation>{title}（{file}，行数：{rows}）</translation>
    </message>
    <message>
        <source>{title} are written to a file that ends in {endings}, got {file}.</source>
        <translation>{title} 须写入以 {endings} 结尾的文件，现为 {file}。</translation>
    </message>
    <message>
        <source>{title} must have every retrieved document, and {count} of run {run} are not there, for example {document}.</source>
        <translation>{title} 必须包含每篇检出的文档，而检索结果 {run} 中有 {count} 篇不在其中，例如 {document}。</translation>
    </message>
    <message>
        <source>{title} of the orders by average over {topics}.{truth} {policy_words}</source>
        <translation>{title}，顺序按 {topics}的平均排列。{truth} {policy_words}</translation>
    </message>
    <message>
        <source>{title}: read from {file}. Rows: {rows}.</source>
        <translation>{title}：已从 {file} 读取。行数：{rows}。</translation>
    </message>
    <message>
        <source>{title}: {value}.</source>
        <translation>{title}：{value}。</translation>
    </message>
    <message>
        <source>{together} is no statistic of two assessors; those are {having}.</source>
        <translation>{together} 不是两位评判员之间的统计量；可用的是 {having}。</translation>
    </message>
    <message>
        <source>{topics_mean}; ties: {ties} ({meaning}); relevant from grade {rel}</source>
        <translation>{topics_mean}；同分：{meaning}（{ties}）；{rel} 级起算相关</translation>
    </message>
    <message>
        <source>{topics_said}, by difference</source>
        <translation>{topics_said}，按差值排列</translation>
    </message>
    <message>
        <source>{topics_said}, easiest first</source>
        <translation>{topics_said}，最容易者在前</translation>
    </message>
    <message>
        <source>{topics} read otherwise than in the project (for example {first}).</source>
        <translation>{topics}与项目中的内容不同（例如 {first}）。</translation>
    </message>
    <message>
        <source>{topics} topics here</source>
        <translation>此处有 {topics} 个主题</translation>
    </message>
    <message>
        <source>{topic} {document} ({times} answers)</source>
        <translation>{topic} {document}（{times} 次回答）</translation>
    </message>
    <message>
        <source>{values_of} where the lines before have 0 (topic, document, 0, 0.0), expected 0</source>
        <translation>此处为 {values_of}，而前面各行为 0（主题、文档、0、0.0），应为 0</translation>
    </message>
    <message>
        <source>{value} ({low} to {high})</source>
        <translation>{value}（{low} 至 {high}）</translation>
    </message>
    <message>
        <source>{value} has more decimals than {form} keeps.</source>
        <translation>{value} 的小数位多于{form}所能保存的。</translation>
    </message>
    <message>
        <source>{value} is close: only the last digit is wrong. Round at the end, not on the way.</source>
        <translation>{value} 很接近：只有最后一位不对。请在最后才取整，不要在中途取整。</translation>
    </message>
    <message>
        <source>{value} is right as far as it goes: give {needed} decimals or more.</source>
        <translation>{value} 就其位数而言是对的：请给出 {needed} 位或更多小数。</translation>
    </message>
    <message>
        <source>{value} of {counts} said {scale}</source>
        <translation>{counts} 位中有 {value} 位给出 {scale}</translation>
    </message>
    <message>
        <source>{waiting} kept until the event before comes.</source>
        <translation>{waiting}已保留，等待前一个事件到来。</translation>
    </message>
    <message>
        <source>{wanted} is exactly relevant document {first}.</source>
        <translation>{wanted} 正好是第 {first} 篇相关文档。</translation>
    </message>
    <message>
        <source>{wanted} is {float} documents, so it holds from relevant document {first} on.</source>
        <translation>{wanted} 为 {float} 篇文档，因此从第 {first} 篇相关文档起成立。</translation>
    </message>
    <message>
        <source>{what} {name}, topic {topic}: it names a document that the project does not know.</source>
        <translation>{what} {name}，主题 {topic}：其中的一篇文档不在项目中。</translation>
    </message>
    <message>
        <source>{what} {name}, topic {topic}: its columns differ in length.</source>
        <translation>{what} {name}，主题 {topic}：各列长度不一。</translation>
    </message>
    <message>
        <source>{what}: run {run} lacks topic {topic}</source>
        <translation>{what}：检索结果 {run} 没有主题 {topic}</translation>
    </message>
    <message>
        <source>{what}: there are no qrels of topic {topic}{hint}</source>
        <translation>{what}：没有主题 {topic} 的 qrels{hint}</translation>
    </message>
    <message>
        <source>{what}: there is no run {run}{hint}</source>
        <translation>{what}：没有检索结果 {run}{hint}</translation>
    </message>
    <message>
        <source>{what}: {fault}</source>
        <translation>{what}：{fault}</translation>
    </message>
    <message>
        <source>{what}: {wrong} more do not fit their hashes.</source>
        <translation>{what}：另有 {wrong} 项与其哈希值不符。</translation>
    </message>
    <message>
        <source>{when}; {count} since, so the receipt of then no longer fits</source>
        <translation>{when}；此后{count}，当时的回执已不相符</translation>
    </message>
    <message>
        <source>{where} Gold there cannot tell an assessor who calls everything relevant; import qrels with documents that are not.</source>
        <translation>{where} 那里的已知答案无法识别把一切都称为相关的评判员；请导入含有不相关文档的 qrels。</translation>
    </message>
    <message>
        <source>{where} names no assessor.</source>
        <translation>{where} 没有写明任何评判员。</translation>
    </message>
    <message>
        <source>{where} names {name} twice; names tell assessors apart.</source>
        <translation>{where} 中 {name} 出现两次；评判员要靠名称区分。</translation>
    </message>
    <message>
        <source>{where}, line {first}, “{beginning}”</source>
        <translation>{where} 第 {first} 行，“{beginning}”</translation>
    </message>
    <message>
        <source>{where}: </source>
        <translation>{where}：</translation>
    </message>
    <message>
        <source>{where}: found {shown}, expected {expected}</source>
        <translation>{where}：发现 {shown}，应为{expected}</translation>
    </message>
    <message>
        <source>{where}: the {name} {words}</source>
        <translation>{where}：{name} {words}</translation>
    </message>
    <message>
        <source>{where}: {name} cannot be a name; it may have {longest} letters, all of them visible.</source>
        <translation>{where}：{name} 不能作为名称；名称最多 {longest} 个字符，且须全部可见。</translation>
    </message>
    <message>
        <source>{where}: {owner} is what a project calls who judges in it without a name. Choose another name.</source>
        <translation>{where}：{owner} 是项目对未留名的判断者的称呼。请换一个名称。</translation>
    </message>
    <message>
        <source>{where}: {problem}.</source>
        <translation>{where}：{problem}。</translation>
    </message>
    <message>
        <source>{where}cannot be read ({reason})</source>
        <translation>{where}无法读取（{reason}）</translation>
    </message>
    <message>
        <source>{who}: topics that are not among the project&apos;s: {strangers} (for example {first}).</source>
        <translation>{who}：不在本项目中的主题：{strangers} 个（例如 {first}）。</translation>
    </message>
    <message>
        <source>{who}: {count} no text in the project (for example {first}).</source>
        <translation>{who}：{count}在项目中没有文本（例如 {first}）。</translation>
    </message>
    <message>
        <source>{wish} cannot be asked of a session, expected one of {wishes}.</source>
        <translation>不能向会话要求 {wish}，应为以下之一：{wishes}。</translation>
    </message>
    <message>
        <source>{wish} is not known; give assessors=+1, overlap=2 or depth=10 with a number of 1 or more.</source>
        <translation>无法识别 {wish}；请给出 assessors=+1、overlap=2 或 depth=10，数字应为 1 或以上。</translation>
    </message>
    <message>
        <source>{words} Overdue: {late}.</source>
        <translation>{words}逾期：{late}。</translation>
    </message>
    <message>
        <source>{wrong} more lines near it do</source>
        <translation>附近另有 {wrong} 行</translation>
    </message>
    <message>
        <source>Σ of P@r over the ranks r &lt;= k of relevant documents, / R (norm=retrieved: / those found; norm=cutoff: / min(R, k))</source>
        <translation>相关文档名次 r &lt;= k 上 P@r 之和，除以 R（norm=retrieved：除以检出的篇数；norm=cutoff：除以 min(R, k)）</translation>
    </message>
    <message>
        <source>Σ of W_r·g_r over ranks r &lt;= depth, where the user goes on from rank r with probability ((r + 2t − G_r − 1) / (r + 2t − G_r))²; g = grade / highest grade of the scale, G_r = Σ of g up to r</source>
        <translation>名次 r &lt;= depth 上 W_r·g_r 之和，用户从名次 r 继续的概率为 ((r + 2t − G_r − 1) / (r + 2t − G_r))²；g = 等级 / 量表最高等级，G_r 为到 r 为止 g 之和</translation>
    </message>
    <message>
        <source>Σ of W_r·g_r over ranks r &lt;= depth, with W_r proportional to 1 / (r + 2t − 1)² and g = grade / highest grade of the scale</source>
        <translation>名次 r &lt;= depth 上 W_r·g_r 之和，W_r 与 1 / (r + 2t − 1)² 成正比，g = 等级 / 量表最高等级</translation>
    </message>
    <message>
        <source>Σ of gain / log_base(r + 1) over ranks r &lt;= k; gain = grade (gain=exp2: 2^grade − 1; gain=1:3/2:9: as given); discount=jk: gain where r &lt; base, else gain / log_base(r)</source>
        <translation>名次 r &lt;= k 上 增益 / log_base(r + 1) 之和；增益 = 等级（gain=exp2：2^等级 − 1；gain=1:3/2:9：按给定）；discount=jk：r &lt; base 时为增益，否则为 增益 / log_base(r)</translation>
    </message>
    <message>
        <source>Σ of gain over ranks 1 to k; gain = grade (gain=exp2: 2^grade − 1; gain=1:3/2:9: as given)</source>
        <translation>名次 1 到 k 上增益之和；增益 = 等级（gain=exp2：2^等级 − 1；gain=1:3/2:9：按给定）</translation>
    </message>
    <message>
        <source>Σ over citations of 1 where the document supports the sentence, partial where it does so partly, / citations</source>
        <translation>各引用之和（文档支持该句为 1，部分支持为 partial），除以引用数</translation>
    </message>
    <message>
        <source>Σ over nuggets of 1 where the answer supports it, .5 where it does so partly (credit=strict: 0), / nuggets</source>
        <translation>各要点之和（回答支持为 1，部分支持为 .5（credit=strict：0）），除以要点数</translation>
    </message>
    <message>
        <source>Σ over ranks r &lt;= k of (1/r)·R_r·Π over i &lt; r of (1 − R_i), R = (2^grade − 1) / 2^G, G the scale&apos;s highest grade</source>
        <translation>名次 r &lt;= k 上 (1/r)·R_r·Π(i &lt; r)(1 − R_i) 之和，R = (2^等级 − 1) / 2^G，G 为量表最高等级</translation>
    </message>
    <message>
        <source>Σ over ranks r &lt;= k of (Σ over intents of what r gains for it) / log2(r + 1), over that of the documents in the order of this gain</source>
        <translation>名次 r &lt;= k 上（r 对各意图增益之和）/ log2(r + 1) 之和，除以文档按此增益排序时的该值</translation>
    </message>
    <message>
        <source>Σ over ranks r &lt;= k of Σ over subtopics that r is relevant for of (1 − alpha)^(times seen before) / log2(r + 1), over that of the greedy ideal ranking</source>
        <translation>名次 r &lt;= k 上、r 所相关的子主题上 (1 − alpha)^(此前见过的次数) / log2(r + 1) 之和，除以贪心理想排序的该值</translation>
    </message>
    <message>
        <source>Σ over ranks r &lt;= k of Σ over subtopics that r is relevant for of (1 − alpha)^(times seen before) / log2(r + 1); norm=most: over N · Σ over r = 1 … k of (1 − alpha)^(r − 1) / log2(r + 1)</source>
        <translation>名次 r &lt;= k 上、r 所相关的子主题上 (1 − alpha)^(此前见过的次数) / log2(r + 1) 之和；norm=most：除以 N 乘以 r = 1 … k 上 (1 − alpha)^(r − 1) / log2(r + 1) 之和</translation>
    </message>
    <message>
        <source>Σ over ranks r of gain / log2(2 + Σ of max(ideal gain, 1) − Σ of gain, both over ranks 1 to r), over the sum of all gains</source>
        <translation>名次 r 上 增益 / log2(2 + max(理想增益，1) 之和 − 增益之和，两者都取名次 1 到 r) 之和，除以全部增益之和</translation>
    </message>
    <message>
        <source>Σ over relevant ranks k of .64·.77 · 2^(−T(k) / h); T(k) = Σ over m &lt; k of 4.4 + (.018·words of m + 7.8) · (.64 where m is relevant, else .39)</source>
        <translation>相关名次 k 上 .64·.77 · 2^(−T(k) / h) 之和；T(k) 为 m &lt; k 上 4.4 + (.018·m 的词数 + 7.8) ·（m 相关为 .64，否则 .39）之和</translation>
    </message>
    <message>
        <source>Σ over sentences of what the best of their citations is worth: 1, partial or 0, / sentences</source>
        <translation>各句最佳引用的价值（1、partial 或 0）之和，除以句数</translation>
    </message>
    <message>
        <source>Σ over subtopics and their relevant ranks r &lt;= k of (1 − alpha)^(times seen before) / r, over that of the greedy ideal ranking</source>
        <translation>各子主题及其相关名次 r &lt;= k 上 (1 − alpha)^(此前见过的次数) / r 之和，除以贪心理想排序的该值</translation>
    </message>
    <message>
        <source>… ({left_out} more terms) …</source>
        <translation>……（另有 {left_out} 项）……</translation>
    </message>
</context>
<context>
    <name>EstimatesPanel</name>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>估计</translation>
    </message>
    <message>
        <source>Estimates</source>
        <translation>估计值</translation>
    </message>
    <message>
        <source>Estimates of the runs</source>
        <translation>各检索结果的估计值</translation>
    </message>
    <message>
        <source>Intervals: 95 % of the mean, the topics drawn anew.</source>
        <translation>区间：均值的 95 % 区间，由重抽主题得出。</translation>
    </message>
    <message>
        <source>Not of this pool: %1. They need %2.</source>
        <translation>不适用于此文档池：%1。它们需要%2。</translation>
    </message>
</context>
<context>
    <name>EvaluateView</name>
    <message>
        <source>%1 by topic</source>
        <translation>各主题的 %1</translation>
    </message>
    <message>
        <source>Averaged topics without a relevant document; they score 0</source>
        <translation>参与平均而没有相关文档的主题；它们计 0</translation>
    </message>
    <message>
        <source>By %1: after the runs that are significantly better, and before those significantly worse (paired t-test, Holm)</source>
        <translation>按 %1：排在显著更好的检索结果之后，显著更差的之前（配对 t 检验，Holm）</translation>
    </message>
    <message>
        <source>Documents that share their score with another of the run</source>
        <translation>与同一检索结果中的其他文档同分的文档</translation>
    </message>
    <message>
        <source>Enter or a double click goes to the topics of a number</source>
        <translation>按 Enter 或双击可查看数值对应的各主题</translation>
    </message>
    <message>
        <source>Estimates</source>
        <translation>估计值</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>Names or groups with spaces between, for example: AP P@10 nDCG@10 official</source>
        <translation>各名称或指标组之间用空格隔开，例如：AP P@10 nDCG@10 official</translation>
    </message>
    <message>
        <source>None relevant</source>
        <translation>无相关文档</translation>
    </message>
    <message>
        <source>Not in qrels</source>
        <translation>不在 qrels 中</translation>
    </message>
    <message>
        <source>Places left</source>
        <translation>可能名次</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Share of the top 10 that nobody judged; it counts as not relevant here</source>
        <translation>前 10 位中未判断的比例；这里按不相关计算</translation>
    </message>
    <message>
        <source>There are no qrels yet. Judge some documents, or import qrels on the collection page.</source>
        <translation>还没有 qrels。请先判断一些文档，或在文档集页面导入 qrels。</translation>
    </message>
    <message>
        <source>There are no runs to evaluate. Add some on the collection page.</source>
        <translation>没有可评测的检索结果。请在文档集页面添加。</translation>
    </message>
    <message>
        <source>Tied</source>
        <translation>同分</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics averaged</source>
        <translation>参与平均的主题</translation>
    </message>
    <message>
        <source>Topics of the qrels that the run lacks</source>
        <translation>检索结果缺少的 qrels 主题</translation>
    </message>
    <message>
        <source>Topics of the run that the qrels lack</source>
        <translation>qrels 缺少的检索结果主题</translation>
    </message>
    <message>
        <source>Unjudged@10</source>
        <translation>未判断@10</translation>
    </message>
    <message>
        <source>Values by topic</source>
        <translation>各主题的值</translation>
    </message>
</context>
<context>
    <name>ExerciseDialog</name>
    <message>
        <source>Next exercise</source>
        <translation>下一个练习</translation>
    </message>
    <message>
        <source>Show the calculation</source>
        <translation>显示计算过程</translation>
    </message>
</context>
<context>
    <name>ExercisePanel</name>
    <message>
        <source>%1 of grade %2</source>
        <translation>等级 %2 的 %1 篇</translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source>Answers (*.csv);;All files (*)</source>
        <translation>答案 (*.csv);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Answers are checked and not kept.</source>
        <translation>答案只检查，不保存。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Compute the value</source>
        <translation>计算值</translation>
    </message>
    <message>
        <source>Each answer is added to %1; nothing in it is ever changed.</source>
        <translation>每个答案都添加到 %1；其中已有的内容从不改动。</translation>
    </message>
    <message>
        <source>Exercise</source>
        <translation>练习</translation>
    </message>
    <message>
        <source>Exercises with choices …</source>
        <translation>选择题练习…</translation>
    </message>
    <message>
        <source>Judged, retrieved or not: %1.</source>
        <translation>已判断的（无论是否检索到）：%1。</translation>
    </message>
    <message>
        <source>Keep answers in a file</source>
        <translation>把答案保存到文件</translation>
    </message>
    <message>
        <source>Keep answers in a file …</source>
        <translation>把答案保存到文件……</translation>
    </message>
    <message>
        <source>Move documents until %1 is %2 or less.</source>
        <translation>移动文档，使 %1 为 %2 或以下。</translation>
    </message>
    <message>
        <source>Move documents until %1 is %2 or more.</source>
        <translation>移动文档，使 %1 为 %2 或以上。</translation>
    </message>
    <message>
        <source>Move documents until %1 is %2.</source>
        <translation>移动文档，使 %1 为 %2。</translation>
    </message>
    <message>
        <source>Moves: %1 at most.</source>
        <translation>最多移动 %1 次。</translation>
    </message>
    <message>
        <source>Next exercise</source>
        <translation>下一个练习</translation>
    </message>
    <message>
        <source>Open answers</source>
        <translation>打开答案</translation>
    </message>
    <message>
        <source>Open exercises</source>
        <translation>打开练习</translation>
    </message>
    <message>
        <source>Open exercises …</source>
        <translation>打开练习……</translation>
    </message>
    <message>
        <source>Reach a target</source>
        <translation>达到目标</translation>
    </message>
    <message>
        <source>Results of the class …</source>
        <translation>全班成绩…</translation>
    </message>
    <message>
        <source>Show the calculation</source>
        <translation>显示计算过程</translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.txt *.xlsx);;All files (*)</source>
        <translation>表格 (*.csv *.tsv *.txt *.xlsx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>The answer is kept in %1.</source>
        <translation>答案已保存到 %1。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What is %1 of topic %2?</source>
        <translation>主题 %2 的 %1 是多少？</translation>
    </message>
    <message>
        <source>With %1 decimals or more, or as a calculation.</source>
        <translation>请给出 %1 位或更多小数，或写成算式。</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>你的姓名</translation>
    </message>
    <message>
        <source>as chosen above</source>
        <translation>以上所选</translation>
    </message>
</context>
<context>
    <name>ExplainView</name>
    <message>
        <source>Choose one, or type any name, for example: DCG(discount=jk)@10</source>
        <translation>选择一个，或输入任意名称，例如：DCG(discount=jk)@10</translation>
    </message>
    <message>
        <source>End the exercise</source>
        <translation>结束练习</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>The last step is taken back.</source>
        <translation>已撤销上一步。</translation>
    </message>
    <message>
        <source>The qrels have no topic of this run.</source>
        <translation>qrels 中没有这个检索结果的主题。</translation>
    </message>
    <message>
        <source>The ranking and its grades are as the project has them.</source>
        <translation>排序及其等级与项目中一致。</translation>
    </message>
    <message>
        <source>There are no qrels yet. Judge some documents, or import qrels on the collection page.</source>
        <translation>还没有 qrels。请先判断一些文档，或在文档集页面导入 qrels。</translation>
    </message>
    <message>
        <source>There are no runs to explain. Add some on the collection page.</source>
        <translation>没有可解释的检索结果。请在文档集页面添加。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topic %1</source>
        <translation>主题 %1</translation>
    </message>
    <message>
        <source>Where a number comes from</source>
        <translation>数值的由来</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose file and write</source>
        <translation>选择文件并写出</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Which</source>
        <translation>哪一个</translation>
    </message>
    <message>
        <source>With pooled documents that wait for a judgment, as -1</source>
        <translation>包括待判断的入池文档，记为 -1</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>A list of ids, for Prolific</source>
        <translation>编号列表，用于 Prolific</translation>
    </message>
    <message>
        <source>All documents with their texts as JSON lines.</source>
        <translation>全部文档及其文本，JSON Lines 格式。</translation>
    </message>
    <message>
        <source>All topics as JSON lines.</source>
        <translation>全部主题，JSON Lines 格式。</translation>
    </message>
    <message>
        <source>Answers before and after</source>
        <translation>工作前后的回答</translation>
    </message>
    <message>
        <source>Approvals for a panel</source>
        <translation>面板的批准名单</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV 表格</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>Grades in TREC form, for every evaluation program, or as a search team&apos;s tool has them.</source>
        <translation>等级，以 TREC 格式供各种评测程序使用，或采用搜索团队工具的格式。</translation>
    </message>
    <message>
        <source>HTML, for MTurk</source>
        <translation>HTML，用于 MTurk</translation>
    </message>
    <message>
        <source>How the tasks look where people judge: it goes with the tasks to the platform.</source>
        <translation>任务在评判平台上的样子：与任务一起交给平台。</translation>
    </message>
    <message>
        <source>JSON, for Label Studio</source>
        <translation>JSON，用于 Label Studio</translation>
    </message>
    <message>
        <source>Judgments</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Layout for a crowd platform</source>
        <translation>众包平台的版式</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>文档池</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>相关性判断 (qrels)</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>TREC (unjudgeable documents are -2)</source>
        <translation>TREC（无法评判的文档为 -2）</translation>
    </message>
    <message>
        <source>TSV, for Toloka</source>
        <translation>TSV，用于 Toloka</translation>
    </message>
    <message>
        <source>Tasks for a crowd platform</source>
        <translation>众包平台的任务</translation>
    </message>
    <message>
        <source>The documents to judge, with order, stratum, probability, rank and runs.</source>
        <translation>待判断的文档，附顺序、层、概率、名次和检索结果。</translation>
    </message>
    <message>
        <source>The pool for a crowd platform: topic and document a row. Labels come back by the column “item” with Import judgments.</source>
        <translation>供众包平台使用的文档池：每行一个主题和文档。标签通过“item”列用“导入判断”取回。</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>What each assessor said of each document, with notes, times, flags and seconds.</source>
        <translation>每位评判员对每篇文档的判断，附备注、时间、标记和用时秒数。</translation>
    </message>
    <message>
        <source>What one system retrieved, in TREC form.</source>
        <translation>一个系统检出的结果，TREC 格式。</translation>
    </message>
    <message>
        <source>What people answered before and after their work: person, question and answer a row.</source>
        <translation>人们在工作前后的回答：每行为人、问题和回答。</translation>
    </message>
    <message>
        <source>Who of a panel is to be paid, for the platform that sent them; rejections with the reason.</source>
        <translation>面板中应获报酬的人，交给派来他们的平台；拒绝附有原因。</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写出 %1</translation>
    </message>
    <message>
        <source>Wrote %1. It was read back and compared. Rows in: %2; rows out: %3.</source>
        <translation>已写出 %1。已读回并核对。写入行数：%2；读回行数：%3。</translation>
    </message>
    <message>
        <source>XML, for Label Studio</source>
        <translation>XML，用于 Label Studio</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>Judgments written: %1, to %2.</source>
        <translation>已写出判断：%1 条，写入 %2。</translation>
    </message>
    <message>
        <source>Writing the judgments</source>
        <translation>正在写入判断</translation>
    </message>
    <message>
        <source>Writing the report</source>
        <translation>正在写出报告</translation>
    </message>
    <message>
        <source>Writing the workbook</source>
        <translation>正在写出工作簿</translation>
    </message>
    <message>
        <source>Wrote %1.</source>
        <translation>已写出 %1。</translation>
    </message>
    <message>
        <source>Wrote %1: %2.</source>
        <translation>已写出 %1：%2。</translation>
    </message>
</context>
<context>
    <name>FieldsTable</name>
    <message>
        <source>Picture of the document</source>
        <translation>文档的图片</translation>
    </message>
</context>
<context>
    <name>FigureChoices</name>
    <message>
        <source>Average</source>
        <translation>平均方式</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>How ratios are averaged</source>
        <translation>比值如何平均</translation>
    </message>
    <message>
        <source>Last rank</source>
        <translation>最后名次</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Levels of recall</source>
        <translation>召回率级别</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Measures of the figure</source>
        <translation>图形中的指标</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model of the figure</source>
        <translation>图中的模型</translation>
    </message>
    <message>
        <source>Names with spaces between, for example: AP nDCG@10</source>
        <translation>各名称之间用空格隔开，例如：AP nDCG@10</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点</translation>
    </message>
    <message>
        <source>Ranks to</source>
        <translation>名次至</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Run that stands out</source>
        <translation>突出显示的检索结果</translation>
    </message>
    <message>
        <source>Second run that stands out</source>
        <translation>第二个突出显示的检索结果</translation>
    </message>
    <message>
        <source>Smooth curve</source>
        <translation>平滑曲线</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topic of the figure</source>
        <translation>图形的主题</translation>
    </message>
    <message>
        <source>What the points are</source>
        <translation>点表示什么</translation>
    </message>
    <message>
        <source>a point a run</source>
        <translation>每个检索结果一个点</translation>
    </message>
    <message>
        <source>a point a topic</source>
        <translation>每个主题一个点</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>and</source>
        <translation>与</translation>
    </message>
    <message>
        <source>binormal, with its area</source>
        <translation>双正态及其面积</translation>
    </message>
    <message>
        <source>mean of ratios</source>
        <translation>比值的平均</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>ratio of means</source>
        <translation>平均的比值</translation>
    </message>
    <message>
        <source>the first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>the usual</source>
        <translation>常用</translation>
    </message>
</context>
<context>
    <name>FigureStage</name>
    <message>
        <source>Figure</source>
        <translation>图形</translation>
    </message>
    <message>
        <source>Values of the figure</source>
        <translation>图形的数值</translation>
    </message>
</context>
<context>
    <name>FiguresView</name>
    <message>
        <source>%1 more values stand in the table.</source>
        <translation>表中还有 %1 个数值。</translation>
    </message>
    <message>
        <source>Drawing …</source>
        <translation>正在绘制……</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>图形</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>已保存 %1。</translation>
    </message>
    <message>
        <source>The figure is on the clipboard.</source>
        <translation>图形已复制到剪贴板。</translation>
    </message>
    <message>
        <source>There are no qrels yet. Judge some documents, or import qrels on the collection page.</source>
        <translation>还没有 qrels。请先判断一些文档，或在文档集页面导入 qrels。</translation>
    </message>
    <message>
        <source>There are no runs to draw. Add some on the collection page.</source>
        <translation>没有可绘制的检索结果。请在文档集页面添加。</translation>
    </message>
    <message>
        <source>This figure takes the judgments of two assessors or more.</source>
        <translation>这种图需要两位或更多评判员的判断。</translation>
    </message>
    <message>
        <source>This figure takes the labels of a model. Bring some in, or ask one, on the pages about models.</source>
        <translation>此图需要模型的标注。请在有关模型的页面导入标注，或询问模型。</translation>
    </message>
</context>
<context>
    <name>FileRow</name>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择一个文件</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose files</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>How to read them</source>
        <translation>如何读取</translation>
    </message>
    <message>
        <source>Leave out what cannot be read</source>
        <translation>略去无法读取的部分</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取……</translation>
    </message>
    <message>
        <source>Take out %1</source>
        <translation>去掉 %1</translation>
    </message>
    <message>
        <source>Take out %1: %2</source>
        <translation>去掉 %1：%2</translation>
    </message>
</context>
<context>
    <name>FilesView</name>
    <message>
        <source>Add files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose qrels and runs</source>
        <translation>选择 qrels 和检索结果</translation>
    </message>
    <message>
        <source>Drop qrels and runs on the window, or choose them together. They are told apart by what they hold; no project is needed.</source>
        <translation>把 qrels 和检索结果拖到窗口上，或一起选择。程序按内容区分它们；不需要项目。</translation>
    </message>
    <message>
        <source>Evaluate files</source>
        <translation>评测文件</translation>
    </message>
    <message>
        <source>Evaluated files</source>
        <translation>已评测的文件</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>New project with these files</source>
        <translation>用这些文件新建项目</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>qrels</translation>
    </message>
    <message>
        <source>Qrels are there: %1. Add the runs to evaluate.</source>
        <translation>已有 qrels：%1。请添加要评测的检索结果。</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取……</translation>
    </message>
    <message>
        <source>Runs are there: %1. Add the qrels they are evaluated with.</source>
        <translation>已有检索结果：%1。请添加用于评测的 qrels。</translation>
    </message>
    <message>
        <source>Save as project</source>
        <translation>存为项目</translation>
    </message>
    <message>
        <source>These are neither qrels nor runs. A project holds topics and documents.</source>
        <translation>这些既不是 qrels 也不是检索结果。主题和文档放在项目中。</translation>
    </message>
    <message>
        <source>Where to keep the project</source>
        <translation>项目的保存位置</translation>
    </message>
</context>
<context>
    <name>FilterLine</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter: %1</source>
        <translation>筛选：%1</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>%1 matches</source>
        <translation>%1 处匹配</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 处，共 %2 处</translation>
    </message>
    <message>
        <source>%1 of more than %2</source>
        <translation>第 %1 处，共超过 %2 处</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 处匹配</translation>
    </message>
    <message>
        <source>Close find</source>
        <translation>关闭查找</translation>
    </message>
    <message>
        <source>Close find (Esc)</source>
        <translation>关闭查找 (Esc)</translation>
    </message>
    <message>
        <source>Find in document</source>
        <translation>在文档中查找</translation>
    </message>
    <message>
        <source>Looking …</source>
        <translation>正在查找……</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>More than %1 matches</source>
        <translation>超过 %1 处匹配</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>Not in this document</source>
        <translation>本文档中没有</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一处匹配</translation>
    </message>
</context>
<context>
    <name>ForecastCard</name>
    <message>
        <source>At the pace so far done on %1 (%2 to %3).</source>
        <translation>按目前速度将于 %1 完成（%2 至 %3）。</translation>
    </message>
    <message>
        <source>Hours of work: %1 (95 %: %2 to %3).</source>
        <translation>工作小时数：%1（95 %：%2 至 %3）。</translation>
    </message>
    <message>
        <source>How long they take is known once somebody has judged.</source>
        <translation>有人判断之后才知道需要多久。</translation>
    </message>
    <message>
        <source>Judgments left: %1.</source>
        <translation>剩余判断：%1。</translation>
    </message>
    <message>
        <source>Judgments of a document at most; 0 for as planned</source>
        <translation>每篇文档最多的判断数；0 表示按计划</translation>
    </message>
    <message>
        <source>More assessors</source>
        <translation>增加的评判员</translation>
    </message>
    <message>
        <source>Nothing is left to judge.</source>
        <translation>没有要判断的了。</translation>
    </message>
    <message>
        <source>Only documents down to this rank; 0 for all</source>
        <translation>只判断到这一名次；0 表示全部</translation>
    </message>
    <message>
        <source>Then: %1</source>
        <translation>那样的话：%1</translation>
    </message>
    <message>
        <source>What if (0: as it is)</source>
        <translation>假如（0：保持现状）</translation>
    </message>
    <message>
        <source>judgments a document</source>
        <translation>次判断（每篇文档）</translation>
    </message>
    <message>
        <source>more assessors</source>
        <translation>位评判员（增加）</translation>
    </message>
    <message>
        <source>ranks deep</source>
        <translation>位深度</translation>
    </message>
</context>
<context>
    <name>FormBox</name>
    <message>
        <source>Form</source>
        <translation>格式</translation>
    </message>
</context>
<context>
    <name>FoundView</name>
    <message>
        <source>After %1 documents %2 are relevant.</source>
        <translation>评判 %1 篇文档后，有 %2 篇相关。</translation>
    </message>
    <message>
        <source>All looks that were planned are taken: one more would claim too much.</source>
        <translation>计划的查看次数都已用完：再看一次就会断言过多。</translation>
    </message>
    <message>
        <source>An honest stop</source>
        <translation>诚实地停止</translation>
    </message>
    <message>
        <source>Documents are drawn at random from all that nobody judged, and judged like others. Then it is known how much was found at least, with 95 %. Who draws again to look once more says beforehand how often: the level is split over the looks.</source>
        <translation>从无人评判的所有文档中随机抽取，像其他文档一样评判。之后便能以 95 % 的置信水平知道至少发现了多少。若要再次抽样查看，须事先说明总次数：置信水平会分摊到各次查看。</translation>
    </message>
    <message>
        <source>Documents judged</source>
        <translation>已评判的文档</translation>
    </message>
    <message>
        <source>Documents to draw</source>
        <translation>抽取的文档数</translation>
    </message>
    <message>
        <source>Draw the sample</source>
        <translation>抽取样本</translation>
    </message>
    <message>
        <source>Drawn</source>
        <translation>抽取</translation>
    </message>
    <message>
        <source>Finds</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>查全情况</translation>
    </message>
    <message>
        <source>Hints are no claims: nobody knows what was missed. A claim rests on a random sample.</source>
        <translation>提示不是结论：谁也不知道遗漏了什么。结论要以随机样本为依据。</translation>
    </message>
    <message>
        <source>If none of %1 drawn is relevant: recall at least %2, and at most %3 missed.</source>
        <translation>若抽取的 %1 篇都不相关：查全率至少 %2，至多遗漏 %3 篇。</translation>
    </message>
    <message>
        <source>If none of the sample is relevant</source>
        <translation>若样本中没有相关文档</translation>
    </message>
    <message>
        <source>If one is relevant</source>
        <translation>若有一篇相关</translation>
    </message>
    <message>
        <source>Judge the sample</source>
        <translation>评判样本</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Looks in all</source>
        <translation>查看总次数</translation>
    </message>
    <message>
        <source>Missed at most</source>
        <translation>至多遗漏</translation>
    </message>
    <message>
        <source>No sample was drawn for this topic: nothing can be claimed.</source>
        <translation>该主题没有抽取样本：无法下任何结论。</translation>
    </message>
    <message>
        <source>Nothing is judged for this topic yet.</source>
        <translation>该主题尚未评判任何文档。</translation>
    </message>
    <message>
        <source>Nothing to find yet</source>
        <translation>还没有可查找的内容</translation>
    </message>
    <message>
        <source>Of all relevant documents that are known</source>
        <translation>占全部已知相关文档的比例</translation>
    </message>
    <message>
        <source>Recall at least</source>
        <translation>查全率至少</translation>
    </message>
    <message>
        <source>Recall at least, if one of the sample is relevant</source>
        <translation>若样本中有一篇相关，查全率至少</translation>
    </message>
    <message>
        <source>Relevant</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>Relevant documents found, over documents judged</source>
        <translation>随评判文档数增加而发现的相关文档</translation>
    </message>
    <message>
        <source>Relevant from grade</source>
        <translation>从哪一级起算相关</translation>
    </message>
    <message>
        <source>Relevant: %1 of %2 judged; documents: %3</source>
        <translation>相关：已评判 %2 篇中的 %1 篇；文档总数：%3</translation>
    </message>
    <message>
        <source>See the collection</source>
        <translation>查看文档集</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>That is weak.</source>
        <translation>这很弱。</translation>
    </message>
    <message>
        <source>This is weak: less than half of the relevant documents may be found. A larger sample says more.</source>
        <translation>这个结论很弱：可能只发现了不到一半的相关文档。更大的样本能说明更多。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>What a sample would say, before anybody judges it</source>
        <translation>样本在评判之前能说明什么</translation>
    </message>
    <message>
        <source>What samples would say</source>
        <translation>样本能说明什么</translation>
    </message>
    <message>
        <source>What was found, and what may be missing, is told of topics and documents. Add them to the collection.</source>
        <translation>这里说明针对各主题发现了什么、可能遗漏什么。请先把主题和文档加入文档集。</translation>
    </message>
    <message>
        <source>Where relevant documents came from</source>
        <translation>相关文档的来源</translation>
    </message>
    <message>
        <source>found</source>
        <translation>已找到</translation>
    </message>
</context>
<context>
    <name>GradeBar</name>
    <message>
        <source>Grades given</source>
        <translation>给出的等级</translation>
    </message>
</context>
<context>
    <name>GradeButton</name>
    <message>
        <source>Grade %1: %2</source>
        <translation>等级 %1：%2</translation>
    </message>
    <message>
        <source>given</source>
        <translation>已给出</translation>
    </message>
</context>
<context>
    <name>GradePanel</name>
    <message>
        <source>%1 of %2, in all %3 of %4</source>
        <translation>%1 / %2，总计 %3 / %4</translation>
    </message>
    <message>
        <source>All topics</source>
        <translation>全部主题</translation>
    </message>
    <message>
        <source>Grade %1_: type the second digit.</source>
        <translation>等级 %1_：请输入第二位数字。</translation>
    </message>
    <message>
        <source>Hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Hand in again</source>
        <translation>再次提交</translation>
    </message>
    <message>
        <source>How relevant is this document?</source>
        <translation>这篇文档有多相关？</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Last action</source>
        <translation>上一步操作</translation>
    </message>
    <message>
        <source>One document on the page</source>
        <translation>一页一篇文档</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation>保存副本</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Several on a page</source>
        <translation>一页多篇</translation>
    </message>
    <message>
        <source>The scale has no grade %1.</source>
        <translation>评分表中没有等级 %1。</translation>
    </message>
    <message>
        <source>This topic</source>
        <translation>本主题</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>about %1 left at your pace</source>
        <translation>按目前速度还需约 %1</translation>
    </message>
</context>
<context>
    <name>Guides</name>
    <message>
        <source>Changes</source>
        <translation>更新记录</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Differences from trec_eval</source>
        <translation>与 trec_eval 的差异</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>For assessors</source>
        <translation>评判员指南</translation>
    </message>
    <message>
        <source>For organisers</source>
        <translation>组织者指南</translation>
    </message>
    <message>
        <source>For teachers</source>
        <translation>教师指南</translation>
    </message>
    <message>
        <source>Judges that are models</source>
        <translation>由模型充当的评判者</translation>
    </message>
    <message>
        <source>Judging by a crowd</source>
        <translation>众包评判</translation>
    </message>
    <message>
        <source>Judging together</source>
        <translation>共同评判</translation>
    </message>
    <message>
        <source>Large evaluations</source>
        <translation>大规模评价</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>Search logs</source>
        <translation>检索日志</translation>
    </message>
    <message>
        <source>Searching and finding</source>
        <translation>检索与查找</translation>
    </message>
    <message>
        <source>Security</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>What irjudge promises</source>
        <translation>irjudge 的承诺</translation>
    </message>
    <message>
        <source>You come from Label Studio</source>
        <translation>从 Label Studio 转来</translation>
    </message>
    <message>
        <source>You come from OpenSearch or Elasticsearch</source>
        <translation>从 OpenSearch 或 Elasticsearch 转来</translation>
    </message>
    <message>
        <source>You come from Quepid</source>
        <translation>从 Quepid 转来</translation>
    </message>
    <message>
        <source>You come from trec_eval or ir_measures</source>
        <translation>从 trec_eval 或 ir_measures 转来</translation>
    </message>
</context>
<context>
    <name>GuidesView</name>
    <message>
        <source>Find in all guides</source>
        <translation>在所有指南中查找</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Guides</source>
        <translation>指南</translation>
    </message>
</context>
<context>
    <name>HandInDialog</name>
    <message>
        <source>All topics</source>
        <translation>全部主题</translation>
    </message>
    <message>
        <source>Documents not judged yet: %1.</source>
        <translation>尚未判断的文档：%1 篇。</translation>
    </message>
    <message>
        <source>Documents of %1</source>
        <translation>%1 的文档</translation>
    </message>
    <message>
        <source>Everything is judged. The file is checked, and you get a receipt to compare with whoever asked you.</source>
        <translation>已全部判断。程序会检查文件并给出回执，供与委托人核对。</translation>
    </message>
    <message>
        <source>Further topics: %1. The list of a topic&apos;s documents leads to every other topic.</source>
        <translation>其他主题：%1 个。在主题的文档列表中可以转到任何主题。</translation>
    </message>
    <message>
        <source>Go on judging</source>
        <translation>继续判断</translation>
    </message>
    <message>
        <source>Hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Hand in your work</source>
        <translation>提交工作</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>Notes not kept</source>
        <translation>未保存的备注</translation>
    </message>
    <message>
        <source>Notes typed and not kept: %1.</source>
        <translation>已输入但未保存的备注：%1 条。</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>You can hand in all the same and go on later.</source>
        <translation>仍可以现在提交，之后再继续。</translation>
    </message>
</context>
<context>
    <name>HighlightsCard</name>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 处，共 %2 处</translation>
    </message>
    <message>
        <source>%1 of %2 places marked</source>
        <translation>%2 处中已标记 %1 处</translation>
    </message>
    <message>
        <source>%1 of more than %2</source>
        <translation>第 %1 处，共超过 %2 处</translation>
    </message>
    <message>
        <source>%1 of more than %2 places marked</source>
        <translation>超过 %2 处中已标记 %1 处</translation>
    </message>
    <message>
        <source>Add a word</source>
        <translation>添加一个词</translation>
    </message>
    <message>
        <source>Add a word to highlight</source>
        <translation>添加要高亮的词</translation>
    </message>
    <message>
        <source>Added by you</source>
        <translation>自己添加的词</translation>
    </message>
    <message>
        <source>Highlighted</source>
        <translation>高亮</translation>
    </message>
    <message>
        <source>Next highlighted place</source>
        <translation>下一处高亮</translation>
    </message>
    <message>
        <source>Previous highlighted place</source>
        <translation>上一处高亮</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
</context>
<context>
    <name>HistoryView</name>
    <message>
        <source>95 % from</source>
        <translation>95 % 自</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Kept evaluations</source>
        <translation>保留的评测</translation>
    </message>
    <message>
        <source>Kept: %1.</source>
        <translation>已保留：%1。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Nothing is kept yet. Keep the values of now, and see next time what became of them.</source>
        <translation>还没有保留任何数值。现在保留，下次就能看到有什么变化。</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Over the topics of both times. Paired t-test, two-sided, p corrected by Holm for the number of runs.</source>
        <translation>按两次共有的主题计算。配对 t 检验，双侧，p 值按检索结果数用 Holm 法校正。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Since %1, by %2: higher %3, lower %4, not told apart %5.</source>
        <translation>自 %1 以来，按 %2：升高 %3 个，降低 %4 个，无法区分 %5 个。</translation>
    </message>
    <message>
        <source>The same inputs and settings as the time before.</source>
        <translation>输入和设置与上一次相同。</translation>
    </message>
    <message>
        <source>There are no runs to evaluate. Add some on the collection page.</source>
        <translation>没有可评测的检索结果。请在文档集页面添加。</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Trend</source>
        <translation>趋势</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>有何变化</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
</context>
<context>
    <name>HitList</name>
    <message>
        <source>Found in the guides</source>
        <translation>在指南中找到</translation>
    </message>
    <message>
        <source>Found: %1, in guides: %2</source>
        <translation>找到 %1 处，涉及 %2 份指南</translation>
    </message>
    <message>
        <source>In no guide</source>
        <translation>所有指南中都没有</translation>
    </message>
</context>
<context>
    <name>HomeView</name>
    <message>
        <source>160 documents in many languages, 12 topics, 5 runs, 3 assessors</source>
        <translation>160 篇多语言文档、12 个主题、5 个检索结果、3 位评判员</translation>
    </message>
    <message>
        <source>40 short documents, 6 topics, 4 runs: for judging</source>
        <translation>40 篇短文档、6 个主题、4 个检索结果：用于判断</translation>
    </message>
    <message>
        <source>A small collection with topics, runs and judgments. It is copied to a project of your own.</source>
        <translation>一个小文档集，带有主题、检索结果和判断。打开时会复制成自己的项目。</translation>
    </message>
    <message>
        <source>Copy its path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Do you have qrels and runs? Drop them here: no project is needed. Topics and documents become a project.</source>
        <translation>有 qrels 和检索结果？拖到这里即可，不需要项目。主题和文档会成为一个项目。</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>Evaluate files</source>
        <translation>评测文件</translation>
    </message>
    <message>
        <source>Go on with %1 (%2 of %3)</source>
        <translation>继续 %1（%2 / %3）</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Judge search results, and see what a ranking is worth. Everything stays on this machine.</source>
        <translation>判断检索结果，看排序有多好。一切数据都留在本机。</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>再次打开</translation>
    </message>
    <message>
        <source>Open project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>显示所在文件夹</translation>
    </message>
    <message>
        <source>Take off this list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Try a sample</source>
        <translation>试用示例</translation>
    </message>
    <message>
        <source>Were you sent a file to judge (.irtask)? Choose Open project, or drop it here.</source>
        <translation>收到了要评判的文件（.irtask）？请点“打开项目”，或把文件拖到这里。</translation>
    </message>
    <message>
        <source>the worked examples of the textbooks: for measures</source>
        <translation>教科书中的计算例题：用于了解指标</translation>
    </message>
</context>
<context>
    <name>InstructionsDialog</name>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Grades</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
</context>
<context>
    <name>JudgeView</name>
    <message>
        <source>%1 more of this topic</source>
        <translation>该主题再评 %1 篇</translation>
    </message>
    <message>
        <source>Brought back: %1. %2 takes it back.</source>
        <translation>已重做：%1。按 %2 撤销。</translation>
    </message>
    <message>
        <source>Key ignored: the document had only just appeared.</source>
        <translation>按键未生效：文档刚刚出现。</translation>
    </message>
    <message>
        <source>One document stands on the page.</source>
        <translation>页面上只有一篇文档。</translation>
    </message>
    <message>
        <source>Saved: %1, %2. %3 takes it back.</source>
        <translation>已保存：%1，%2。按 %3 撤销。</translation>
    </message>
    <message>
        <source>Saved: %1, grade %2. %3 takes it back.</source>
        <translation>已保存：%1，等级 %2。%3 可撤回。</translation>
    </message>
    <message>
        <source>Saved: grade %1 for %2 more. %3 takes back one after another.</source>
        <translation>已保存：另有 %2 篇得等级 %1。%3 可逐一撤回。</translation>
    </message>
    <message>
        <source>Taken back: %1. %2 brings it back.</source>
        <translation>已撤销：%1。按 %2 重做。</translation>
    </message>
    <message>
        <source>There is no more on this page.</source>
        <translation>这一页上没有更多文档了。</translation>
    </message>
    <message>
        <source>cannot be judged (%1)</source>
        <translation>无法判断（%1）</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
    <message>
        <source>skipped for now</source>
        <translation>暂时跳过</translation>
    </message>
</context>
<context>
    <name>JudgeWords</name>
    <message>
        <source>%1 cannot be judged.</source>
        <translation>无法判断 %1 篇。</translation>
    </message>
    <message>
        <source>%1 unsure.</source>
        <translation>不确定 %1 篇。</translation>
    </message>
    <message>
        <source>%1, grade %2</source>
        <translation>%1，等级 %2</translation>
    </message>
    <message>
        <source>A pool is the list of documents to judge for each topic. It is built from the runs.</source>
        <translation>文档池是每个主题待判断文档的清单，由检索结果建立。</translation>
    </message>
    <message>
        <source>Add documents</source>
        <translation>添加文档</translation>
    </message>
    <message>
        <source>Agreed grade of %1: %2 %3</source>
        <translation>%1 的商定等级：%2 %3</translation>
    </message>
    <message>
        <source>Agreed grade of %1: %2; yours: %3</source>
        <translation>%1 的商定等级：%2；您的等级：%3</translation>
    </message>
    <message>
        <source>All done</source>
        <translation>全部完成</translation>
    </message>
    <message>
        <source>Build a pool</source>
        <translation>建立文档池</translation>
    </message>
    <message>
        <source>Changed since it was handed in; hand in again for a new receipt.</source>
        <translation>提交后又有改动；再次提交可得到新的回执。</translation>
    </message>
    <message>
        <source>Documents judged: %1, in %2, half of them within %3 s.</source>
        <translation>已判断文档：%1，用时 %2，其中一半不超过 %3 秒。</translation>
    </message>
    <message>
        <source>Documents judged: %1, in %2.</source>
        <translation>已判断文档：%1，用时 %2。</translation>
    </message>
    <message>
        <source>Documents left: %1; topics: %2.</source>
        <translation>剩余文档：%1；主题：%2。</translation>
    </message>
    <message>
        <source>Documents of this topic</source>
        <translation>本主题的文档</translation>
    </message>
    <message>
        <source>Evaluate the runs</source>
        <translation>评测检索结果</translation>
    </message>
    <message>
        <source>Every judgment is on disk. Documents judged: %1; topics: %2.</source>
        <translation>每条判断都已写入磁盘。已判断文档：%1；主题：%2。</translation>
    </message>
    <message>
        <source>Export qrels</source>
        <translation>导出 qrels</translation>
    </message>
    <message>
        <source>Hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Hand in again</source>
        <translation>再次提交</translation>
    </message>
    <message>
        <source>Handed in %1</source>
        <translation>已于 %1 提交</translation>
    </message>
    <message>
        <source>Judge without runs</source>
        <translation>不用检索结果直接评判</translation>
    </message>
    <message>
        <source>Judging needs the texts of the documents. Runs are evaluated with qrels all the same.</source>
        <translation>判断需要文档的文本。检索结果仍可用 qrels 评测。</translation>
    </message>
    <message>
        <source>Look through the documents</source>
        <translation>查看文档</translation>
    </message>
    <message>
        <source>Next topic</source>
        <translation>下一个主题</translation>
    </message>
    <message>
        <source>No documents yet</source>
        <translation>还没有文档</translation>
    </message>
    <message>
        <source>None of the pooled documents has a text in this project, for example %1. Do the ids of runs and documents fit?</source>
        <translation>入池文档在本项目中都没有文本，例如 %1。检索结果与文档的编号是否一致？</translation>
    </message>
    <message>
        <source>Nothing can be judged</source>
        <translation>没有可以判断的文档</translation>
    </message>
    <message>
        <source>Nothing to judge yet</source>
        <translation>还没有要判断的文档</translation>
    </message>
    <message>
        <source>Numbers and exports work all the same.</source>
        <translation>查看数值和导出不受影响。</translation>
    </message>
    <message>
        <source>Pooled documents left out, since the project has no text of them: %1.</source>
        <translation>因项目中没有文本而略去的池内文档：%1。</translation>
    </message>
    <message>
        <source>See the collection</source>
        <translation>查看文档集</translation>
    </message>
    <message>
        <source>Take back the last judgment</source>
        <translation>撤回最后一次判断</translation>
    </message>
    <message>
        <source>That is about %1 at your pace.</source>
        <translation>按目前速度约需 %1。</translation>
    </message>
    <message>
        <source>This project is open for reading</source>
        <translation>项目以只读方式打开</translation>
    </message>
    <message>
        <source>Topic done: %1</source>
        <translation>主题完成：%1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Without runs, learning from your grades finds what to judge.</source>
        <translation>没有检索结果时，可从您的评分中学习，找出该评判的文档。</translation>
    </message>
    <message>
        <source>a note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>a reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>内容损坏</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>due %1</source>
        <translation>截止 %1</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>overdue since %1</source>
        <translation>已于 %1 逾期</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>spam</source>
        <translation>垃圾内容</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>wrong language</source>
        <translation>语言不符</translation>
    </message>
</context>
<context>
    <name>JudgmentsDialog</name>
    <message>
        <source>A table needs an item of a task file, or topic and document; who judged; and the grade, as a number or in the words of the scale. What you say about columns is remembered for the next file with the same header.</source>
        <translation>表格需要任务文件中的条目，或主题和文档；判断者；以及等级（数字或量表中的文字）。您对列的说明会记住，用于下一个表头相同的文件。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation>正在读取……</translation>
    </message>
</context>
<context>
    <name>JudgmentsImport</name>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
</context>
<context>
    <name>JumpDialog</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents of this topic</source>
        <translation>本主题的文档</translation>
    </message>
    <message>
        <source>Enter opens a document. Press a digit there to give it another grade.</source>
        <translation>按 Enter 打开文档。在文档中按数字键可改变其等级。</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>Which documents are listed</source>
        <translation>列出哪些文档</translation>
    </message>
</context>
<context>
    <name>KeysTable</name>
    <message>
        <source>%1 cannot be the key of a grade: expected one key alone that neither moves the page nor presses buttons.</source>
        <translation>%1 不能作为等级的按键：应为单个按键，且不用于翻动页面或按下按钮。</translation>
    </message>
    <message>
        <source>%1 is the key of “%2” already. Nothing was changed.</source>
        <translation>%1 已是“%2”的按键。没有做任何更改。</translation>
    </message>
    <message>
        <source>%1 moves the page or the focus, presses buttons or edits text: expected another key.</source>
        <translation>%1 用于翻动页面、移动焦点、按下按钮或编辑文字：请换一个按键。</translation>
    </message>
    <message>
        <source>Back to its default</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Change the key of %1</source>
        <translation>更改“%1”的按键</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>所有页面</translation>
    </message>
    <message>
        <source>Give %1 its default key</source>
        <translation>将“%1”恢复为默认按键</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Keys of grades and actions</source>
        <translation>等级和操作的按键</translation>
    </message>
    <message>
        <source>Press a key</source>
        <translation>请按键</translation>
    </message>
    <message>
        <source>Press the new key of “%1”. Escape leaves it as it is.</source>
        <translation>请按“%1”的新按键。按 Esc 保持不变。</translation>
    </message>
    <message>
        <source>What they do</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>LastSeen</name>
    <message>
        <source>%1 of %2 judged</source>
        <translation>已判断 %1 / %2</translation>
    </message>
    <message>
        <source>changed after it was handed in</source>
        <translation>提交后又有改动</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>属于 %1</translation>
    </message>
    <message>
        <source>handed in %1</source>
        <translation>已于 %1 提交</translation>
    </message>
    <message>
        <source>opened %1</source>
        <translation>上次打开：%1</translation>
    </message>
</context>
<context>
    <name>Leaderboard</name>
    <message>
        <source>All runs</source>
        <translation>全部检索结果</translation>
    </message>
    <message>
        <source>Bold: the best. ≈: not significantly worse (paired t-test, Holm).</source>
        <translation>粗体：最好。≈：与最好的没有显著差异（配对 t 检验，Holm 校正）。</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖率</translation>
    </message>
    <message>
        <source>Highest grade of the scale: %1 (%2).</source>
        <translation>等级表的最高等级：%1（%2）。</translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Only these runs</source>
        <translation>只看这些检索结果</translation>
    </message>
    <message>
        <source>Runs and measures</source>
        <translation>检索结果与指标</translation>
    </message>
    <message>
        <source>Runs with the same places cannot be told apart from the best of them by %1 (paired t-test, Holm, pairs: %2).</source>
        <translation>名次相同的检索结果按 %1 无法与其中最好的区分（配对 t 检验，Holm，对数：%2）。</translation>
    </message>
    <message>
        <source>Show only the chosen runs, and compare them alone; several are chosen with Ctrl or Shift</source>
        <translation>只显示所选的检索结果，并只比较它们；按住 Ctrl 或 Shift 可选多个</translation>
    </message>
    <message>
        <source>Topics averaged: %1 · %2.</source>
        <translation>参与平均的主题：%1 个 · %2。</translation>
    </message>
</context>
<context>
    <name>LearningOnDesk</name>
    <message>
        <source>%1 comes from the pool; which runs brought it is not told.</source>
        <translation>%1 来自评判池；不透露由哪些检索结果带来。</translation>
    </message>
    <message>
        <source>%1 was drawn at random, to say how much was missed.</source>
        <translation>%1 是随机抽取的，用来说明遗漏了多少。</translation>
    </message>
    <message>
        <source>%1 was found by a search.</source>
        <translation>%1 是通过搜索找到的。</translation>
    </message>
    <message>
        <source>%1 was shown because it fits the words of the topic; nothing was learnt yet.</source>
        <translation>%1 出现是因为它与主题的词语相符；当时还没有学到什么。</translation>
    </message>
    <message>
        <source>%1 was shown because: %2</source>
        <translation>%1 出现的原因：%2</translation>
    </message>
    <message>
        <source>By learning; relevant from grade %1</source>
        <translation>按学习排序；从等级 %1 起为相关</translation>
    </message>
    <message>
        <source>Getting ready to learn</source>
        <translation>正在为学习做准备</translation>
    </message>
    <message>
        <source>Relevant: %1 of %2.</source>
        <translation>相关：%2 篇中的 %1 篇。</translation>
    </message>
    <message>
        <source>The words of all documents are indexed. This is done once.</source>
        <translation>正在为所有文档的词语建立索引，只需一次。</translation>
    </message>
</context>
<context>
    <name>LinePlot</name>
    <message>
        <source>%1 others</source>
        <translation>其他 %1 个</translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>It begins a letter.</source>
        <translation>它会开始写一封邮件。</translation>
    </message>
    <message>
        <source>It leads to %1.</source>
        <translation>它指向 %1。</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Open this link?</source>
        <translation>打开这个链接？</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留在这里</translation>
    </message>
    <message>
        <source>What you open may tell others that you read this.</source>
        <translation>打开链接可能会让他人知道您读过这些内容。</translation>
    </message>
</context>
<context>
    <name>ListPapers</name>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
</context>
<context>
    <name>LiveView</name>
    <message>
        <source>%1 against the others by %2</source>
        <translation>%1 与其他检索结果相比（按 %2）</translation>
    </message>
    <message>
        <source>%1 of %2 orderings can still change.</source>
        <translation>%2 个次序中有 %1 个仍可能改变。</translation>
    </message>
    <message>
        <source>%1 of %2 values can still change.</source>
        <translation>%2 个数值中有 %1 个仍可能改变。</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2 / %3</translation>
    </message>
    <message>
        <source>= stays equal</source>
        <translation>= 保持相等</translation>
    </message>
    <message>
        <source>A pool is the list of documents to judge. What is unjudged in it keeps values and orderings open.</source>
        <translation>文档池是待判断文档的清单。其中未判断的文档使数值和次序尚未确定。</translation>
    </message>
    <message>
        <source>A second run is needed to compare with.</source>
        <translation>还需要第二个检索结果才能比较。</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>Assessors still owe %1 judgments more.</source>
        <translation>评判员还要再交 %1 条判断。</translation>
    </message>
    <message>
        <source>Assessors still owe %1 judgments.</source>
        <translation>评判员还要交 %1 条判断。</translation>
    </message>
    <message>
        <source>Assessors still owe one judgment more.</source>
        <translation>评判员还要再交一条判断。</translation>
    </message>
    <message>
        <source>Assessors still owe one judgment.</source>
        <translation>评判员还要交一条判断。</translation>
    </message>
    <message>
        <source>Build a pool</source>
        <translation>建立文档池</translation>
    </message>
    <message>
        <source>Could be relevant</source>
        <translation>可能相关</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents with a judgment</source>
        <translation>已有判断的文档</translation>
    </message>
    <message>
        <source>Each document has a judgment.</source>
        <translation>每篇文档都有判断。</translation>
    </message>
    <message>
        <source>How far its judgment can move the difference of the two runs on its topic</source>
        <translation>它的判断最多能使两个检索结果在其主题上的差值改变多少</translation>
    </message>
    <message>
        <source>Intervals hold where %1.</source>
        <translation>区间成立的前提是：%1。</translation>
    </message>
    <message>
        <source>Intervals say what runs can still reach while documents wait for a judgment. Add runs first.</source>
        <translation>区间说明在文档等待判断期间检索结果还能达到什么数值。请先添加检索结果。</translation>
    </message>
    <message>
        <source>Judge next</source>
        <translation>接着判断</translation>
    </message>
    <message>
        <source>Live evaluation</source>
        <translation>实时评测</translation>
    </message>
    <message>
        <source>Means: %1.</source>
        <translation>平均值：%1。</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Moves by</source>
        <translation>变动幅度</translation>
    </message>
    <message>
        <source>Names with spaces between, for example: AP P@10 nDCG@10 RR</source>
        <translation>各名称之间用空格隔开，例如：AP P@10 nDCG@10 RR</translation>
    </message>
    <message>
        <source>No pool yet</source>
        <translation>还没有文档池</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>还没有检索结果</translation>
    </message>
    <message>
        <source>No value can change any more: these are final.</source>
        <translation>任何数值都不会再变：这些是最终值。</translation>
    </message>
    <message>
        <source>Nothing that is unjudged moves this difference.</source>
        <translation>未判断的文档都不会改变这个差值。</translation>
    </message>
    <message>
        <source>Ordering</source>
        <translation>次序</translation>
    </message>
    <message>
        <source>Orderings</source>
        <translation>次序</translation>
    </message>
    <message>
        <source>Orderings by</source>
        <translation>次序依据</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>相关性判断 (qrels)</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Runs with their intervals</source>
        <translation>检索结果及其区间</translation>
    </message>
    <message>
        <source>The run that is the better for it if the document is relevant</source>
        <translation>若该文档相关则受益的检索结果</translation>
    </message>
    <message>
        <source>Then values are final.</source>
        <translation>之后数值才是最终的。</translation>
    </message>
    <message>
        <source>These documents can move the difference of %1 and %2 most.</source>
        <translation>这些文档最能改变 %1 与 %2 的差值。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topic %1</source>
        <translation>主题 %1</translation>
    </message>
    <message>
        <source>What the chosen run is above the other now, and between which ends that will be</source>
        <translation>所选检索结果现在比另一个高多少，以及最终会在哪两端之间</translation>
    </message>
    <message>
        <source>Would help</source>
        <translation>有利于</translation>
    </message>
    <message>
        <source>any document</source>
        <translation>任何文档</translation>
    </message>
    <message>
        <source>final</source>
        <translation>最终</translation>
    </message>
    <message>
        <source>pooled documents</source>
        <translation>入池文档</translation>
    </message>
    <message>
        <source>provisional</source>
        <translation>暂定</translation>
    </message>
    <message>
        <source>▲ stays better</source>
        <translation>▲ 保持较好</translation>
    </message>
    <message>
        <source>▼ stays worse</source>
        <translation>▼ 保持较差</translation>
    </message>
    <message>
        <source>◇ can still change</source>
        <translation>◇ 仍可能改变</translation>
    </message>
</context>
<context>
    <name>MakeRunDialog</name>
    <message>
        <source>%1 runs can be tried together, but one is kept: leave one value of each parameter.</source>
        <translation>可以一起试 %1 个检索结果，但只保留一个：请让每个参数只留一个值。</translation>
    </message>
    <message>
        <source>%1. Several values with blanks between them, such as 0.4 0.9 1.2, are tried beside each other.</source>
        <translation>%1。用空格隔开的几个值（例如 0.4 0.9 1.2）会并排试用。</translation>
    </message>
    <message>
        <source>A score by hand …</source>
        <translation>手算得分…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Documents of each topic</source>
        <translation>每个主题的文档数</translation>
    </message>
    <message>
        <source>Documents that nobody judged count as not relevant: a run made after the pool may be better than this says.</source>
        <translation>无人判断的文档算作不相关：在建池之后生成的检索结果，实际可能比这里显示的更好。</translation>
    </message>
    <message>
        <source>Keep the run</source>
        <translation>保留检索结果</translation>
    </message>
    <message>
        <source>Make a run</source>
        <translation>生成检索结果</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>检索结果的名称</translation>
    </message>
    <message>
        <source>Nothing is judged yet. The last column says how much the new run shares with the others.</source>
        <translation>尚无任何判断。最后一列显示新检索结果与其他检索结果的重合程度。</translation>
    </message>
    <message>
        <source>RM3: the 10 terms that weigh most in the first 10 documents join the query, as its half.</source>
        <translation>RM3：将排在最前的 10 篇文档中权重最高的 10 个词加入查询，占一半权重。</translation>
    </message>
    <message>
        <source>Ranker</source>
        <translation>排序方法</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果</translation>
    </message>
    <message>
        <source>Search again with terms of what is found first</source>
        <translation>用首次找到的文档中的词再检索一次</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>正在检索……</translation>
    </message>
    <message>
        <source>Share of the new run&apos;s top %1 that is in the top %1 of this one</source>
        <translation>新检索结果前 %1 名中，也在此检索结果前 %1 名之内的比例</translation>
    </message>
    <message>
        <source>Shared top %1</source>
        <translation>前 %1 名重合</translation>
    </message>
    <message>
        <source>The query is</source>
        <translation>查询内容</translation>
    </message>
    <message>
        <source>The title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Title and description</source>
        <translation>标题和描述</translation>
    </message>
    <message>
        <source>Title, description and narrative</source>
        <translation>标题、描述和说明</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试一试</translation>
    </message>
</context>
<context>
    <name>Marking</name>
    <message>
        <source>This reason is kept already.</source>
        <translation>这条理由已经保存。</translation>
    </message>
    <message>
        <source>a note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>a reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
</context>
<context>
    <name>MarksCard</name>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Reasons kept: %1</source>
        <translation>已保存的理由：%1 条</translation>
    </message>
    <message>
        <source>The note is not kept yet; Enter keeps it.</source>
        <translation>备注尚未保存；按 Enter 保存。</translation>
    </message>
    <message>
        <source>⚑ unsure</source>
        <translation>⚑ 不确定</translation>
    </message>
</context>
<context>
    <name>MeasureChooser</name>
    <message>
        <source>%1 measures, a group of trec_eval</source>
        <translation>%1 个指标，trec_eval 的一组</translation>
    </message>
    <message>
        <source>About this measure</source>
        <translation>关于此指标</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Also called</source>
        <translation>又称</translation>
    </message>
    <message>
        <source>Bounds</source>
        <translation>取值范围</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>Chosen measures</source>
        <translation>已选指标</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter, for example: gain discount</source>
        <translation>筛选，例如：gain discount</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Measures and groups</source>
        <translation>指标与分组</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the measure</source>
        <translation>指标名称</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>文献</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Use these</source>
        <translation>使用这些</translation>
    </message>
</context>
<context>
    <name>Meter</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>%1: ±%2</source>
        <translation>%1：±%2</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 区间</translation>
    </message>
    <message>
        <source>A model is held against people. Judge some documents, or import qrels of people.</source>
        <translation>模型要与人对照。请先判断一些文档，或导入人的 qrels。</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>相差</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>Higher</source>
        <translation>偏高</translation>
    </message>
    <message>
        <source>Its place</source>
        <translation>模型名次</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Judgments of people and how far %1 reaches then: %2.</source>
        <translation>人的判断数与届时 %1 的区间半宽：%2。</translation>
    </message>
    <message>
        <source>Lower</source>
        <translation>偏低</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model&apos;s mean</source>
        <translation>模型平均</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Nobody has judged yet</source>
        <translation>还没有人判断过</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>People</source>
        <translation>人</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>The grade that people gave</source>
        <translation>人给出的等级</translation>
    </message>
    <message>
        <source>The newest pool is no judge plan. Draw one: then people&apos;s judgments of it give values with intervals.</source>
        <translation>最新的文档池不是评判计划。请抽取一个：人对它的判断会给出带区间的数值。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Under people</source>
        <translation>按人的判断</translation>
    </message>
    <message>
        <source>Under the model</source>
        <translation>按模型的标注</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
</context>
<context>
    <name>ModelsView</name>
    <message>
        <source>Assessors work on the pool of now. A judge plan takes its place; what it adds can be handed out afterwards.</source>
        <translation>评判员正在评判现在的文档池。评判计划会取代它；它新增的部分之后可以再分发。</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算 …</translation>
    </message>
    <message>
        <source>Documents for people</source>
        <translation>由人评判的文档数</translation>
    </message>
    <message>
        <source>Draw a judge plan</source>
        <translation>抽取评判计划</translation>
    </message>
    <message>
        <source>Draw a judge plan?</source>
        <translation>抽取评判计划？</translation>
    </message>
    <message>
        <source>Drawing a judge plan</source>
        <translation>正在抽取评判计划</translation>
    </message>
    <message>
        <source>Drawn by the model&apos;s grades, with known chances; whoever judges it sees nothing of the model.</source>
        <translation>按模型的等级以已知概率抽取；评判的人看不到模型的任何东西。</translation>
    </message>
    <message>
        <source>Drawn for people to judge: %1.</source>
        <translation>已抽出由人评判的文档：%1。</translation>
    </message>
    <message>
        <source>Estimates from few judgments</source>
        <translation>由少量判断得到的估计</translation>
    </message>
    <message>
        <source>Estimates with intervals</source>
        <translation>带区间的估计</translation>
    </message>
    <message>
        <source>Give the name of the model first: its labels stand under it, and under no person&apos;s.</source>
        <translation>请先给出模型的名称：它的标注记在该名称之下，而不记在任何人名下。</translation>
    </message>
    <message>
        <source>Grades</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Grades of people and of the model</source>
        <translation>人的等级与模型的等级</translation>
    </message>
    <message>
        <source>Held against: %1.</source>
        <translation>对照：%1。</translation>
    </message>
    <message>
        <source>How often the model gave each grade where people gave the one at the left.</source>
        <translation>在人给出左侧等级之处，模型给出各等级的次数。</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>Largest conflicts</source>
        <translation>最大的分歧</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>保持原样</translation>
    </message>
    <message>
        <source>Leniency</source>
        <translation>宽松程度</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Name of a model</source>
        <translation>模型名称</translation>
    </message>
    <message>
        <source>Name of the model whose labels are brought in</source>
        <translation>要导入其标注的模型的名称</translation>
    </message>
    <message>
        <source>No model has judged here. Bring in labels that a model gave: give its name, then choose the file. Or ask one.</source>
        <translation>这里还没有模型评判过。请导入模型给出的标注：先填名称，再选文件。也可以询问一个模型。</translation>
    </message>
    <message>
        <source>People may look at these again: sometimes the model is right. Enter opens the document.</source>
        <translation>人可以再看一看这些：有时模型是对的。按 Enter 打开文档。</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Systems by</source>
        <translation>系统按</translation>
    </message>
    <message>
        <source>Systems under people and under the model</source>
        <translation>人与模型之下的系统</translation>
    </message>
    <message>
        <source>Table of grades</source>
        <translation>等级表</translation>
    </message>
    <message>
        <source>Topic %1</source>
        <translation>主题 %1</translation>
    </message>
    <message>
        <source>What the model says of each grade of people</source>
        <translation>模型对人的每个等级怎么说</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>Wrote %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>people</source>
        <translation>人</translation>
    </message>
</context>
<context>
    <name>NewProjectView</name>
    <message>
        <source>All forms that can be read</source>
        <translation>可以读取的所有格式</translation>
    </message>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Choose files: topics and documents to judge, or qrels and runs to evaluate.</source>
        <translation>请选择文件：要判断的主题和文档，或要评测的 qrels 和检索结果。</translation>
    </message>
    <message>
        <source>Choose place</source>
        <translation>选择位置</translation>
    </message>
    <message>
        <source>Choose runs or qrels: without them nobody would see a document.</source>
        <translation>请选择检索结果或 qrels：没有它们，谁也看不到任何文档。</translation>
    </message>
    <message>
        <source>Choose where to keep the project.</source>
        <translation>请选择项目的保存位置。</translation>
    </message>
    <message>
        <source>Create project</source>
        <translation>创建项目</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Grades</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Instructions, calibration, side files, who is to judge, which documents are read</source>
        <translation>说明、校准、附加文件、由谁判断、读取哪些文档</translation>
    </message>
    <message>
        <source>JSON, CSV, TREC, WARC, SMART, BEIR and others; or PDF, DOCX, ODT, HTML, Markdown, text and images: files, a folder or an archive of them</source>
        <translation>JSON、CSV、TREC、WARC、SMART、BEIR 等；或 PDF、DOCX、ODT、HTML、Markdown、文本和图像：文件、文件夹或归档文件</translation>
    </message>
    <message>
        <source>Judgments you have already: TREC, Quepid, OpenSearch, RRE, rank_eval, learning to rank, spreadsheets; may stay empty</source>
        <translation>您已有的判定：TREC、Quepid、OpenSearch、RRE、rank_eval、排序学习或电子表格；可以留空</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
    </message>
    <message>
        <source>Only documents that are needed</source>
        <translation>只读取需要的文档</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Project file</source>
        <translation>项目文件</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>相关性判断 (qrels)</translation>
    </message>
    <message>
        <source>Qrels: documents of known grades that a topic opens with</source>
        <translation>qrels：主题开始时显示的已知等级的文档</translation>
    </message>
    <message>
        <source>Read those that somebody will see, which runs retrieved or qrels name. All others stay outside the project.</source>
        <translation>只读取有人会看到的文档，即检索结果检出或 qrels 提到的文档。其余留在项目之外。</translation>
    </message>
    <message>
        <source>Reading the files.</source>
        <translation>正在读取文件。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Side files</source>
        <translation>附加文件</translation>
    </message>
    <message>
        <source>TREC, NTCIR, SMART, XML, BEIR, CSV or JSON, turns of conversations and others</source>
        <translation>TREC、NTCIR、SMART、XML、BEIR、CSV 或 JSON、对话轮次等</translation>
    </message>
    <message>
        <source>These cannot be read as they are; say how, or leave them out: %1.</source>
        <translation>这些文件无法照原样读取；请说明如何读取，或将其略去：%1。</translation>
    </message>
    <message>
        <source>This file exists already; choose another name.</source>
        <translation>文件已存在，请换一个名称。</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>What assessors are to do, in Markdown</source>
        <translation>评判员应做什么（Markdown 格式）</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>还缺什么</translation>
    </message>
    <message>
        <source>What some measures need: lengths of documents, sessions, groups, nuggets, citations</source>
        <translation>某些指标所需：文档长度、会话、群组、要点、引用</translation>
    </message>
    <message>
        <source>What systems retrieved: TREC, MS MARCO, answers of a search engine, a spreadsheet, CSV or JSON</source>
        <translation>各系统检索到的结果：TREC、MS MARCO、搜索引擎的返回、电子表格、CSV 或 JSON</translation>
    </message>
    <message>
        <source>Where to keep the project</source>
        <translation>项目的保存位置</translation>
    </message>
    <message>
        <source>Who is to judge in it</source>
        <translation>由谁在其中判断</translation>
    </message>
    <message>
        <source>Without documents nothing can be judged. They can be added later, on Collection.</source>
        <translation>没有文档就无法判断。以后可以在“文档集”页添加。</translation>
    </message>
    <message>
        <source>Without topics nothing can be judged. They can be added later, on Collection.</source>
        <translation>没有主题就无法判断。以后可以在“文档集”页添加。</translation>
    </message>
    <message>
        <source>a name; may stay empty</source>
        <translation>一个姓名；可以留空</translation>
    </message>
    <message>
        <source>where to keep it</source>
        <translation>保存在哪里</translation>
    </message>
</context>
<context>
    <name>OpenedResult</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Left, result %1</source>
        <translation>左侧，第 %1 个结果</translation>
    </message>
    <message>
        <source>Right, result %1</source>
        <translation>右侧，第 %1 个结果</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source>%1 belongs to %2. Whatever is judged in it counts as theirs.</source>
        <translation>%1 属于 %2。其中的判断都算作此人所做。</translation>
    </message>
    <message>
        <source>I am %1</source>
        <translation>我是 %1</translation>
    </message>
    <message>
        <source>Is this your file?</source>
        <translation>这是自己的文件吗？</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>不打开</translation>
    </message>
    <message>
        <source>Not my file</source>
        <translation>不是我的文件</translation>
    </message>
    <message>
        <source>Nothing is missing.</source>
        <translation>没有缺失。</translation>
    </message>
    <message>
        <source>Only read it</source>
        <translation>只读打开</translation>
    </message>
    <message>
        <source>Opening the project</source>
        <translation>正在打开项目</translation>
    </message>
    <message>
        <source>Reading what is left</source>
        <translation>正在读取剩余内容</translation>
    </message>
    <message>
        <source>Save what can be read</source>
        <translation>保存可读内容</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Saving what can be read</source>
        <translation>正在保存可读内容</translation>
    </message>
    <message>
        <source>This file belongs to %1.</source>
        <translation>此文件属于 %1。</translation>
    </message>
    <message>
        <source>This file is damaged</source>
        <translation>文件已损坏</translation>
    </message>
    <message>
        <source>What can be read can be looked at, or saved as a new project. The damaged file stays as it is.</source>
        <translation>可以查看能读出的内容，或另存为新项目。损坏的文件保持原样。</translation>
    </message>
</context>
<context>
    <name>OrderDialog</name>
    <message>
        <source>After each grade comes the document that is most likely to be relevant, learnt from all grades so far. No runs and no pool are needed. When a topic has its documents, you can go on with more of it. A pool that was found by learning favours systems like the learner; reports tell what it brought.</source>
        <translation>每次评分后，出现的是根据迄今所有评分学到的最可能相关的文档。不需要检索结果，也不需要评判池。一个主题评完设定的篇数后，可以继续评更多。靠学习找到的评判池有利于与学习器相似的系统；报告会说明它带来了什么。</translation>
    </message>
    <message>
        <source>By lot, the documents of the pool</source>
        <translation>随机顺序，评判池中的文档</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Documents of each topic</source>
        <translation>每个主题的文档数</translation>
    </message>
    <message>
        <source>Judge in this order</source>
        <translation>按此顺序评判</translation>
    </message>
    <message>
        <source>Learning, from the whole collection</source>
        <translation>学习，针对整个文档集</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Order of judging</source>
        <translation>评判顺序</translation>
    </message>
    <message>
        <source>Relevant from grade</source>
        <translation>从哪一级起算相关</translation>
    </message>
    <message>
        <source>The documents of the pool come topic by topic, in an order drawn once that tells nothing of ranks.</source>
        <translation>评判池中的文档逐个主题出现，顺序只抽取一次，不透露任何排名。</translation>
    </message>
</context>
<context>
    <name>PagesDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Drawing page %1 …</source>
        <translation>正在绘制第 %1 页……</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>The project has no pages of %1.</source>
        <translation>项目中没有 %1 的页面。</translation>
    </message>
</context>
<context>
    <name>PairPapers</name>
    <message>
        <source>Document: %1</source>
        <translation>文档：%1</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
</context>
<context>
    <name>PanelFoot</name>
    <message>
        <source>%1 of %2 compared</source>
        <translation>已比较 %1 / %2</translation>
    </message>
    <message>
        <source>%1, about %2 left</source>
        <translation>%1，大约还需 %2</translation>
    </message>
    <message>
        <source>Last action</source>
        <translation>上一步操作</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation>保存副本</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Which side answers the topic better?</source>
        <translation>哪一侧更好地回答了主题？</translation>
    </message>
</context>
<context>
    <name>PanelForm</name>
    <message>
        <source>Begin comparing</source>
        <translation>开始比较</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>Both sides must be viewed first</source>
        <translation>必须先查看两侧</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compare side by side</source>
        <translation>并排比较</translation>
    </message>
    <message>
        <source>Comparing takes two runs. Add them on the collection page.</source>
        <translation>比较需要两个检索结果。请在文档集页面添加。</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Designing the comparison</source>
        <translation>正在设计比较</translation>
    </message>
    <message>
        <source>Documents, every pair</source>
        <translation>文档，每一对</translation>
    </message>
    <message>
        <source>Documents, to find the best</source>
        <translation>文档，找出最好的</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>第一个检索结果</translation>
    </message>
    <message>
        <source>How many are shown again, with the sides swapped</source>
        <translation>有多少会左右互换后再次显示</translation>
    </message>
    <message>
        <source>How many best documents</source>
        <translation>最好的文档数量</translation>
    </message>
    <message>
        <source>How many results of each list</source>
        <translation>每个列表的结果数</translation>
    </message>
    <message>
        <source>How many topics</source>
        <translation>主题数量</translation>
    </message>
    <message>
        <source>Opened results may be graded</source>
        <translation>打开的结果可以评级</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Result lists</source>
        <translation>结果列表</translation>
    </message>
    <message>
        <source>Scrolled to their end, or a result of each opened</source>
        <translation>滚动到底，或各打开一个结果</translation>
    </message>
    <message>
        <source>Second run</source>
        <translation>第二个检索结果</translation>
    </message>
    <message>
        <source>To have several people compare, choose it on the page Assessors, under They.</source>
        <translation>要让多人比较，请在“评判员”页面的“任务”中选择。</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Two documents stand side by side, and you say which one answers the topic better.</source>
        <translation>两篇文档并排显示，由您判断哪一篇更好地回答了主题。</translation>
    </message>
    <message>
        <source>Two lists of results stand side by side, and you say which one is better, without knowing which run is which.</source>
        <translation>两个结果列表并排显示，您在不知道各自来自哪个检索结果的情况下，判断哪个更好。</translation>
    </message>
    <message>
        <source>documents of a topic to find</source>
        <translation>篇文档（每个主题要找出的）</translation>
    </message>
    <message>
        <source>results of each list</source>
        <translation>个结果（每个列表）</translation>
    </message>
    <message>
        <source>shown again, sides swapped</source>
        <translation>项再次出示，左右对调</translation>
    </message>
    <message>
        <source>✕ Choose two runs that are not the same.</source>
        <translation>✕ 请选择两个不同的检索结果。</translation>
    </message>
</context>
<context>
    <name>PanelList</name>
    <message>
        <source>%1, result %2: %3</source>
        <translation>%1，第 %2 个结果：%3</translation>
    </message>
    <message>
        <source>No results.</source>
        <translation>没有结果。</translation>
    </message>
    <message>
        <source>Results: %1</source>
        <translation>结果：%1</translation>
    </message>
</context>
<context>
    <name>PanelWords</name>
    <message>
        <source>All compared</source>
        <translation>全部比较完毕</translation>
    </message>
    <message>
        <source>Compare more</source>
        <translation>继续比较</translation>
    </message>
    <message>
        <source>Documents without a text, whose comparisons are left out: %1.</source>
        <translation>没有文本、因而略去比较的文档：%1。</translation>
    </message>
    <message>
        <source>Every comparison is on disk. Made: %1; topics: %2.</source>
        <translation>每次比较都已写入磁盘。已做：%1；主题：%2。</translation>
    </message>
    <message>
        <source>Recorded as identical and not shown: %1.</source>
        <translation>记为相同而未显示：%1。</translation>
    </message>
    <message>
        <source>Scroll both sides to their end, or open a result of each, first.</source>
        <translation>请先将两侧滚动到底，或各打开一个结果。</translation>
    </message>
    <message>
        <source>Scroll the left side to its end, or open a result of it, first.</source>
        <translation>请先将左侧滚动到底，或打开其中一个结果。</translation>
    </message>
    <message>
        <source>Scroll the right side to its end, or open a result of it, first.</source>
        <translation>请先将右侧滚动到底，或打开其中一个结果。</translation>
    </message>
    <message>
        <source>about equal</source>
        <translation>差不多</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
    <message>
        <source>left better</source>
        <translation>左侧较好</translation>
    </message>
    <message>
        <source>left much better</source>
        <translation>左侧好得多</translation>
    </message>
    <message>
        <source>right better</source>
        <translation>右侧较好</translation>
    </message>
    <message>
        <source>right much better</source>
        <translation>右侧好得多</translation>
    </message>
    <message>
        <source>skipped for now</source>
        <translation>暂时跳过</translation>
    </message>
</context>
<context>
    <name>PanelsView</name>
    <message>
        <source>Both sides scroll together.</source>
        <translation>两侧一起滚动。</translation>
    </message>
    <message>
        <source>Brought back: %1. %2 takes it back.</source>
        <translation>已重做：%1。按 %2 撤销。</translation>
    </message>
    <message>
        <source>Close the opened result first.</source>
        <translation>请先关闭打开的结果。</translation>
    </message>
    <message>
        <source>Documents in both lists say nothing.</source>
        <translation>不标出两个列表共有的文档。</translation>
    </message>
    <message>
        <source>Documents in both lists say where.</source>
        <translation>标出两个列表共有的文档的位置。</translation>
    </message>
    <message>
        <source>Each side scrolls by itself.</source>
        <translation>两侧各自滚动。</translation>
    </message>
    <message>
        <source>It is open here for reading.</source>
        <translation>在此处以只读方式打开。</translation>
    </message>
    <message>
        <source>Key ignored: the two sides had only just appeared.</source>
        <translation>按键已忽略：两侧刚刚出现。</translation>
    </message>
    <message>
        <source>Nothing can be compared</source>
        <translation>没有可以比较的内容</translation>
    </message>
    <message>
        <source>Saved: %1. %2 takes it back.</source>
        <translation>已保存：%1。按 %2 撤销。</translation>
    </message>
    <message>
        <source>Taken back: %1. %2 brings it back.</source>
        <translation>已撤销：%1。按 %2 重做。</translation>
    </message>
    <message>
        <source>Which document answers the topic better?</source>
        <translation>哪篇文档更好地回答了主题？</translation>
    </message>
    <message>
        <source>Which side answers the topic better?</source>
        <translation>哪一侧更好地回答了主题？</translation>
    </message>
</context>
<context>
    <name>PaperEntryDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Code of the page</source>
        <translation>页的编码</translation>
    </message>
    <message>
        <source>Enter from paper</source>
        <translation>录入纸质判断</translation>
    </message>
    <message>
        <source>Type the code, then a digit for each document: x where it cannot be judged, - where nothing is ticked. The page is saved with its last key.</source>
        <translation>先键入编码，再为每个文档键入一个数字：无法判断键入 x，未勾选键入 -。键入最后一个后，该页即保存。</translation>
    </message>
    <message>
        <source>What was said of it</source>
        <translation>相关说明</translation>
    </message>
    <message>
        <source>✓ Page %1 of %2 is saved. Judgments: %3 new, %4 known, %5 left empty.</source>
        <translation>✓ %2 的第 %1 页已保存。判断：新 %3 个，已知 %4 个，留空 %5 个。</translation>
    </message>
</context>
<context>
    <name>PaperTicks</name>
    <message>
        <source>What was ticked</source>
        <translation>勾选的内容</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>left empty</source>
        <translation>留空</translation>
    </message>
</context>
<context>
    <name>PlacesModel</name>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>with a note or reasons</source>
        <translation>有备注或理由</translation>
    </message>
</context>
<context>
    <name>Policy</name>
    <message>
        <source>Qrels: %1.</source>
        <translation>依据的相关性判断：%1。</translation>
    </message>
    <message>
        <source>both</source>
        <translation>两者共有</translation>
    </message>
    <message>
        <source>definitions</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>docno</source>
        <translation>编号正序</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件顺序</translation>
    </message>
    <message>
        <source>geometric mean</source>
        <translation>几何平均</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>pooled counts</source>
        <translation>合并计数</translation>
    </message>
    <message>
        <source>qrels</source>
        <translation>qrels 全部</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>relevant</source>
        <translation>有相关文档</translation>
    </message>
    <message>
        <source>trec</source>
        <translation>编号倒序</translation>
    </message>
</context>
<context>
    <name>PolicyBar</name>
    <message>
        <source>Average</source>
        <translation>平均方式</translation>
    </message>
    <message>
        <source>Average over the topics</source>
        <translation>对各主题的平均方式</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Change the policy</source>
        <translation>更改评测方式</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Depth: how many of the top of each ranking count; 0 takes all</source>
        <translation>深度：每个排序的前几位参与计算；0 表示全部</translation>
    </message>
    <message>
        <source>Only so many of the top of each ranking count; 0 takes all</source>
        <translation>每个排序只有前这么多位参与计算；0 表示全部</translation>
    </message>
    <message>
        <source>Order of ties</source>
        <translation>同分时的顺序</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>相关性判断 (qrels)</translation>
    </message>
    <message>
        <source>Relevant from</source>
        <translation>相关等级从</translation>
    </message>
    <message>
        <source>Relevant from grade</source>
        <translation>从哪一级起算相关</translation>
    </message>
    <message>
        <source>Ties</source>
        <translation>同分</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics averaged</source>
        <translation>参与平均的主题</translation>
    </message>
    <message>
        <source>Whose rules hold</source>
        <translation>采用谁的规则</translation>
    </message>
    <message>
        <source>average: %1</source>
        <translation>平均：%1</translation>
    </message>
    <message>
        <source>only the top %1</source>
        <translation>仅前 %1 名</translation>
    </message>
    <message>
        <source>relevant from grade %1</source>
        <translation>%1 级起算相关</translation>
    </message>
    <message>
        <source>rules: %1</source>
        <translation>规则：%1</translation>
    </message>
    <message>
        <source>ties: %1</source>
        <translation>同分：%1</translation>
    </message>
    <message>
        <source>topics: %1</source>
        <translation>主题：%1</translation>
    </message>
</context>
<context>
    <name>PoolWishes</name>
    <message>
        <source>At most for each topic; 0 for all</source>
        <translation>每个主题最多；0 表示全部</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Ids with commas between them; 401-405 stands for all from one to the other. Empty: all.</source>
        <translation>用逗号分隔的编号；401-405 表示从前者到后者的全部。留空：全部。</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>每个检索结果取前</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics to pool</source>
        <translation>要入池的主题</translation>
    </message>
    <message>
        <source>What the pool is for</source>
        <translation>文档池的用途</translation>
    </message>
    <message>
        <source>a topic (0: all)</source>
        <translation>篇（每个主题；0：全部）</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>of each run</source>
        <translation>位</translation>
    </message>
</context>
<context>
    <name>PreferencesView</name>
    <message>
        <source>%1 beats %2</source>
        <translation>%1 胜 %2</translation>
    </message>
    <message>
        <source>%1 beats every other, by most of their answers.</source>
        <translation>按多数回答，%1 胜过其他所有。</translation>
    </message>
    <message>
        <source>%1 is preferred to %2, beyond what chance explains.</source>
        <translation>相比 %2，人们更偏好 %1，超出偶然所能解释的程度。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 won %2 of the decided answers, 95 % interval from %3; sign test p %4, with the ties p %5.</source>
        <translation>%1 赢得有胜负回答的 %2，95 % 置信区间从 %3；符号检验 p %4，计入平局 p %5。</translation>
    </message>
    <message>
        <source>0 is the mean; whoever is 0.7 above another wins two of three decided answers against it.</source>
        <translation>0 是平均；比另一个高 0.7 者，在两者有胜负的回答中三次赢两次。</translation>
    </message>
    <message>
        <source>= neither</source>
        <translation>= 都不</translation>
    </message>
    <message>
        <source>A liking for a side does not show.</source>
        <translation>没有显示出对某一侧的偏爱。</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answers for %1 less those for %2, over all</source>
        <translation>支持 %1 的回答减去支持 %2 的回答，除以全部</translation>
    </message>
    <message>
        <source>Answers for %1: %2. For %3: %4. Ties: %5.</source>
        <translation>选 %1 的回答：%2。选 %3：%4。平局：%5。</translation>
    </message>
    <message>
        <source>Answers: %1; ties: %2; much better: %3.</source>
        <translation>%1 个回答：平局 %2，好得多 %3。</translation>
    </message>
    <message>
        <source>Asked again</source>
        <translation>再次询问</translation>
    </message>
    <message>
        <source>Asked again, people gave the same answer %1 of %2 times: %3, 95 % interval from %4.</source>
        <translation>再次询问时，%2 次中有 %1 次给出相同回答：%3，95 % 置信区间从 %4。</translation>
    </message>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Balanced sides keep results fair, but part of the answers says nothing of the systems.</source>
        <translation>左右均衡使结果公平，但部分回答并不反映系统。</translation>
    </message>
    <message>
        <source>Bradley and Terry&apos;s model; there are no ties.</source>
        <translation>Bradley–Terry 模型；没有平局。</translation>
    </message>
    <message>
        <source>Circles of three: %1. No order of these agrees with all majorities.</source>
        <translation>三者循环：%1。没有一种次序与所有多数一致。</translation>
    </message>
    <message>
        <source>Compare side by side</source>
        <translation>并排比较</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Compatibility</source>
        <translation>相容度</translation>
    </message>
    <message>
        <source>Conclusion</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Contradictions</source>
        <translation>矛盾</translation>
    </message>
    <message>
        <source>Davidson&apos;s model, ties counted.</source>
        <translation>Davidson 模型，计入平局。</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Half of them took %1 seconds or less.</source>
        <translation>其中一半用时不超过 %1 秒。</translation>
    </message>
    <message>
        <source>Here stands which run people prefer, how surely, and how far their answers can be trusted. It takes answers of a comparison side by side.</source>
        <translation>这里说明人们偏好哪个检索结果、有多大把握，以及他们的回答有多可信。需要并排比较的回答。</translation>
    </message>
    <message>
        <source>How many more answers it takes is not known while no answer is decided.</source>
        <translation>在没有任何有胜负的回答时，无法知道还需要多少回答。</translation>
    </message>
    <message>
        <source>How near the ranking is to the nearest one that has the preferred documents first: 1 where it is that one</source>
        <translation>该排序与把较受偏好的文档排在最前的最近排序有多接近：相同时为 1</translation>
    </message>
    <message>
        <source>In the least balanced pair the first stood left %1 of %2 times.</source>
        <translation>在最不均衡的一对中，前者有 %1 / %2 次在左侧。</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Left choices by assessor</source>
        <translation>各评判员选择左侧的次数</translation>
    </message>
    <message>
        <source>Left choices of the decided answers</source>
        <translation>分出胜负的回答中选择左侧的次数</translation>
    </message>
    <message>
        <source>Left or right</source>
        <translation>左或右</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>负</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Measures that point the same way</source>
        <translation>方向一致的指标</translation>
    </message>
    <message>
        <source>Net</source>
        <translation>净值</translation>
    </message>
    <message>
        <source>Net preference</source>
        <translation>净偏好</translation>
    </message>
    <message>
        <source>Net preference %1, 95 % bootstrap interval from %2 to %3.</source>
        <translation>净偏好 %1，95 % 自助法区间从 %2 到 %3。</translation>
    </message>
    <message>
        <source>Net preference %1; these answers are too few or too alike for an interval.</source>
        <translation>净偏好 %1；这些回答太少或太相似，无法给出区间。</translation>
    </message>
    <message>
        <source>No answer chose a side yet.</source>
        <translation>还没有回答选出一侧。</translation>
    </message>
    <message>
        <source>No circle of three: the majorities can be put in an order.</source>
        <translation>没有三者循环：多数意见可以排成一个次序。</translation>
    </message>
    <message>
        <source>No conclusion: these answers do not tell %1 and %2 apart.</source>
        <translation>没有结论：这些回答无法区分 %1 和 %2。</translation>
    </message>
    <message>
        <source>No preferences yet</source>
        <translation>还没有偏好</translation>
    </message>
    <message>
        <source>No question was asked twice, so it is not known whether the same person answers the same again.</source>
        <translation>没有问题被问过两次，因此不知道同一个人是否会再次给出相同回答。</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>总数</translation>
    </message>
    <message>
        <source>One</source>
        <translation>一方</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>对</translation>
    </message>
    <message>
        <source>Percent of wins to notice</source>
        <translation>要察觉的获胜百分比</translation>
    </message>
    <message>
        <source>Plan for a share of wins, in percent</source>
        <translation>为某一获胜百分比做计划</translation>
    </message>
    <message>
        <source>Preferred</source>
        <translation>更受偏好</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果</translation>
    </message>
    <message>
        <source>Same way</source>
        <translation>同向</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>Sign test over topics, or over answers where topics are not known; adjusted for the number of pairs</source>
        <translation>按主题的符号检验，主题未知时按回答；已按对数校正</translation>
    </message>
    <message>
        <source>Sign test, two-sided</source>
        <translation>符号检验，双侧</translation>
    </message>
    <message>
        <source>Strengths</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>That no preference was found does not show that there is none: more answers may find one.</source>
        <translation>没有发现偏好并不表明没有偏好：更多回答或许能发现。</translation>
    </message>
    <message>
        <source>The left side was chosen in %1 of %2 decided answers: %3, 95 % interval from %4, p %5.</source>
        <translation>%2 个有胜负的回答中有 %1 个选择左侧：%3，95 % 置信区间从 %4，p %5。</translation>
    </message>
    <message>
        <source>The sign test takes answers as independent of each other; adjusted for the number of pairs p %1.</source>
        <translation>符号检验假定回答彼此独立；按对数校正后 p %1。</translation>
    </message>
    <message>
        <source>There are answers enough to notice, four times of five, that one of them wins %1 %.</source>
        <translation>回答已足够多，五次中有四次能察觉其中一个赢得 %1 %。</translation>
    </message>
    <message>
        <source>This pair by assessor</source>
        <translation>这一对，按评判员</translation>
    </message>
    <message>
        <source>This pair by topic</source>
        <translation>这一对，按主题</translation>
    </message>
    <message>
        <source>Ties</source>
        <translation>平局</translation>
    </message>
    <message>
        <source>To notice, four times of five, that one of them wins %1 % it takes %2 more answers: %3 in all.</source>
        <translation>要在五次中有四次察觉其中一个赢得 %1 %，还需要 %2 个回答：共 %3 个。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics on which measure and preferences are for the same run</source>
        <translation>指标与偏好支持同一检索结果的主题</translation>
    </message>
    <message>
        <source>Topics that both of them decide</source>
        <translation>双方都分出胜负的主题</translation>
    </message>
    <message>
        <source>Topics won by most of their answers: %1 %2, %3 %4; sign test over topics p %5, adjusted for the number of pairs %6.</source>
        <translation>按多数回答赢得的主题：%1 %2，%3 %4；主题间符号检验 p %5，按对数校正 %6。</translation>
    </message>
    <message>
        <source>What preferences prove</source>
        <translation>偏好能证明什么</translation>
    </message>
    <message>
        <source>Wins</source>
        <translation>胜</translation>
    </message>
    <message>
        <source>Wins less losses, over all answers, and its 95 % bootstrap interval</source>
        <translation>（胜减负）除以全部回答，以及其 95% 自助法区间</translation>
    </message>
    <message>
        <source>With the sides swapped: %1 of %2 times; %3 of %2 times they chose the same side, and so the other thing.</source>
        <translation>左右互换后：%2 次中 %1 次相同；%2 次中有 %3 次选了同一侧，也就是另一个对象。</translation>
    </message>
    <message>
        <source>against</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p 值</translation>
    </message>
    <message>
        <source>p adjusted</source>
        <translation>校正 p 值</translation>
    </message>
    <message>
        <source>▲ preferred</source>
        <translation>▲ 更受偏好</translation>
    </message>
    <message>
        <source>▼ less preferred</source>
        <translation>▼ 较不受偏好</translation>
    </message>
    <message>
        <source>◇ open</source>
        <translation>◇ 未定</translation>
    </message>
    <message>
        <source>⚠ Never compared with each other, not even by way of a third: %1. Strengths hold within each group.</source>
        <translation>⚠ 彼此从未比较过，也没有通过第三者比较：%1。强度只在各组之内成立。</translation>
    </message>
    <message>
        <source>⚠ People lean to the left, whatever stands there.</source>
        <translation>⚠ 无论左侧是什么，人们都偏向左侧。</translation>
    </message>
    <message>
        <source>⚠ People lean to the right, whatever stands there.</source>
        <translation>⚠ 无论右侧是什么，人们都偏向右侧。</translation>
    </message>
    <message>
        <source>⚠ Somebody only won or only lost, so half a win each way was added to every pair.</source>
        <translation>⚠ 有的只赢或只输，因此给每一对双方各加了半次胜利。</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>What it would take</source>
        <translation>将需要多少工作</translation>
    </message>
</context>
<context>
    <name>PricesDialog</name>
    <message>
        <source>A judgment</source>
        <translation>每次判断</translation>
    </message>
    <message>
        <source>An hour</source>
        <translation>每小时</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>货币</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>What judging costs stands in the previews before a pool is built and files are written. Empty: no price.</source>
        <translation>建立文档池和写出文件之前的预览中会显示判断的费用。留空：不计价格。</translation>
    </message>
</context>
<context>
    <name>Quality</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>As others</source>
        <translation>与他人一致</translation>
    </message>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>是否计入</translation>
    </message>
    <message>
        <source>Documents shown a second time</source>
        <translation>第二次显示的文档</translation>
    </message>
    <message>
        <source>Expected cost of an answer once its bias is undone (Ipeirotis): 0 is perfect</source>
        <translation>消除偏差后一个回答的期望代价（Ipeirotis）：0 为完美</translation>
    </message>
    <message>
        <source>Hand out the pool</source>
        <translation>分发文档池</translation>
    </message>
    <message>
        <source>Here stands what is known of each assessor&apos;s work: known answers met, agreement with the others, repeats, speed. Hand the pool out with some gold documents to learn most.</source>
        <translation>这里说明每位评判员工作的已知情况：答对的已知答案、与他人的一致性、重复、速度。分发文档池时加入一些已知答案的文档，可以了解得最多。</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Judgments, planted repeats too</source>
        <translation>判断数，含安排的重复</translation>
    </message>
    <message>
        <source>Mean grade above or below the reference: above 0 is lenient, below 0 strict</source>
        <translation>平均等级高于或低于参照：大于 0 为宽松，小于 0 为严格</translation>
    </message>
    <message>
        <source>Mean share of the other assessors of a document who gave the same grade</source>
        <translation>同一文档的其他评判员中给出相同等级者的平均比例</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Median time of an answer</source>
        <translation>一个回答用时的中位数</translation>
    </message>
    <message>
        <source>Nobody has judged yet</source>
        <translation>还没有人判断</translation>
    </message>
    <message>
        <source>Nothing stands out.</source>
        <translation>没有异常。</translation>
    </message>
    <message>
        <source>Of %1 documents shown again, %2 got the same grade.</source>
        <translation>再次显示的 %1 篇文档中，%2 篇得到相同等级。</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Right on gold</source>
        <translation>已知答案正确率</translation>
    </message>
    <message>
        <source>Said of %1 documents that they cannot be judged.</source>
        <translation>称 %1 篇文档无法判断。</translation>
    </message>
    <message>
        <source>Set aside: %1.</source>
        <translation>已排除：%1。</translation>
    </message>
    <message>
        <source>Share of the known answers that was met, with its 95 % interval</source>
        <translation>答对的已知答案比例及其 95 % 置信区间</translation>
    </message>
    <message>
        <source>Share of the timed answers that came before the first 40 words of the document can be skimmed</source>
        <translation>有计时的回答中，快到来不及扫读文档前 40 个词的所占比例</translation>
    </message>
    <message>
        <source>Something stands out.</source>
        <translation>有值得注意之处。</translation>
    </message>
    <message>
        <source>Too fast</source>
        <translation>过快</translation>
    </message>
    <message>
        <source>Too little to tell.</source>
        <translation>信息太少，无法判断。</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>What stands out is told below the table, with its evidence; nobody is called good or bad by it</source>
        <translation>值得注意之处及其依据见表格下方；这并不评定任何人的好坏</translation>
    </message>
    <message>
        <source>Whether their judgments count</source>
        <translation>其判断是否计入</translation>
    </message>
    <message>
        <source>nothing stands out</source>
        <translation>没有异常</translation>
    </message>
    <message>
        <source>too little to tell</source>
        <translation>信息太少</translation>
    </message>
    <message>
        <source>◆ stands out</source>
        <translation>◆ 值得注意</translation>
    </message>
    <message>
        <source>✓ counts</source>
        <translation>✓ 计入</translation>
    </message>
    <message>
        <source>✕ set aside</source>
        <translation>✕ 已排除</translation>
    </message>
</context>
<context>
    <name>QualityView</name>
    <message>
        <source>Agreement with the others over time</source>
        <translation>与他人一致性随时间的变化</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Assessors who count: %1; set aside: %2. Agreement and bias are against those who count.</source>
        <translation>计入的评判员：%1 位；排除：%2 位。一致性和偏差均相对于计入者。</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>Count again</source>
        <translation>重新计入</translation>
    </message>
    <message>
        <source>Done: %1.</source>
        <translation>完成：%1。</translation>
    </message>
    <message>
        <source>How often each grade was given where most of the others said the one at the left.</source>
        <translation>在其他人多数给出左侧等级时，各等级被给出的次数。</translation>
    </message>
    <message>
        <source>How often each grade was given where the known answer is the one at the left.</source>
        <translation>在已知答案为左侧等级时，各等级被给出的次数。</translation>
    </message>
    <message>
        <source>Of an assessor who is set aside everything stays in the project; consensus and agreement leave it out.</source>
        <translation>被排除的评判员的一切都保留在项目中；共识和一致性不计入。</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>随时间变化</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>质量</translation>
    </message>
    <message>
        <source>Quality of the assessors</source>
        <translation>评判员的质量</translation>
    </message>
    <message>
        <source>Set aside</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Table of answers</source>
        <translation>回答表</translation>
    </message>
    <message>
        <source>Taken back.</source>
        <translation>已撤销。</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Why the assessor is set aside</source>
        <translation>排除该评判员的原因</translation>
    </message>
    <message>
        <source>all assessors</source>
        <translation>所有评判员</translation>
    </message>
    <message>
        <source>first third</source>
        <translation>前三分之一</translation>
    </message>
    <message>
        <source>given</source>
        <translation>给出的</translation>
    </message>
    <message>
        <source>known answer</source>
        <translation>已知答案</translation>
    </message>
    <message>
        <source>last third</source>
        <translation>后三分之一</translation>
    </message>
    <message>
        <source>most others</source>
        <translation>其他人多数</translation>
    </message>
    <message>
        <source>second third</source>
        <translation>中间三分之一</translation>
    </message>
</context>
<context>
    <name>QuestionRow</name>
    <message>
        <source>Choices with commas; empty: own words</source>
        <translation>选项用逗号分隔；留空则自由作答</translation>
    </message>
    <message>
        <source>One choice is none: write two or more, or leave them out.</source>
        <translation>只有一个选项等于没有：请写两个或更多，或留空。</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Take the question out</source>
        <translation>去掉该问题</translation>
    </message>
    <message>
        <source>When</source>
        <translation>何时</translation>
    </message>
    <message>
        <source>Write the question.</source>
        <translation>请写出问题。</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
</context>
<context>
    <name>RankedModel</name>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>only in this run</source>
        <translation>仅在此检索结果中</translation>
    </message>
    <message>
        <source>rank %1 in the other run</source>
        <translation>在另一个检索结果中排第 %1</translation>
    </message>
</context>
<context>
    <name>RatingsCard</name>
    <message>
        <source>%1: ratings that came: %2; judged anew: %3; judged otherwise by somebody: %4.</source>
        <translation>%1：带来的评级：%2；重新判断的：%3；有人判断不同的：%4。</translation>
    </message>
    <message>
        <source>Agreement beyond chance: 0 is what chance gives, 1 is full</source>
        <translation>超出偶然的一致性：0 为偶然水平，1 为完全一致</translation>
    </message>
    <message>
        <source>Agreement with the ratings that came</source>
        <translation>与带来的评级的一致性</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>相差</translation>
    </message>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Called unjudgeable, which is in no number: %1.</source>
        <translation>被称为无法判断、不计入任何数字的：%1。</translation>
    </message>
    <message>
        <source>Came</source>
        <translation>带来的</translation>
    </message>
    <message>
        <source>Compared with the ratings that came</source>
        <translation>与带来的评级比较</translation>
    </message>
    <message>
        <source>Consensus of all</source>
        <translation>全体的共识</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Everything was judged as it came.</source>
        <translation>所有判断都与带来的相同。</translation>
    </message>
    <message>
        <source>Grades that came and grades that were given</source>
        <translation>带来的等级与给出的等级</translation>
    </message>
    <message>
        <source>Higher</source>
        <translation>偏高</translation>
    </message>
    <message>
        <source>How many were given the grade that came</source>
        <translation>有多少得到了与带来的相同的等级</translation>
    </message>
    <message>
        <source>How often each grade was given where the one at the left had come.</source>
        <translation>左侧等级为带来的等级时，各等级被给出的次数。</translation>
    </message>
    <message>
        <source>Judged otherwise than it came</source>
        <translation>与带来的评级不同的判断</translation>
    </message>
    <message>
        <source>Krippendorff&apos;s alpha of grades in order</source>
        <translation>有序等级的 Krippendorff alpha</translation>
    </message>
    <message>
        <source>Left out, as the scale has no such grade: %1.</source>
        <translation>因量表没有这样的等级而略去的：%1。</translation>
    </message>
    <message>
        <source>Leniency</source>
        <translation>宽松程度</translation>
    </message>
    <message>
        <source>Lower</source>
        <translation>偏低</translation>
    </message>
    <message>
        <source>Mean given</source>
        <translation>给出的均值</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Pairs that were judged otherwise</source>
        <translation>判断不同的文档对</translation>
    </message>
    <message>
        <source>Pairs: %1, the farthest apart first. Enter opens the document.</source>
        <translation>文档对：%1，相差最大的在前。按 Enter 打开文档。</translation>
    </message>
    <message>
        <source>Quadratic kappa</source>
        <translation>二次加权 κ</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Same grade</source>
        <translation>等级相同</translation>
    </message>
    <message>
        <source>Statistic</source>
        <translation>统计量</translation>
    </message>
    <message>
        <source>The grade that came</source>
        <translation>带来的等级</translation>
    </message>
    <message>
        <source>The mean given less the mean that came: above 0 is more lenient</source>
        <translation>给出的均值减去带来的均值：大于 0 表示更宽松</translation>
    </message>
    <message>
        <source>The ratings that came</source>
        <translation>带来的评级</translation>
    </message>
    <message>
        <source>The same, where grades that are near count as nearly the same</source>
        <translation>同上，但相近的等级算作几乎相同</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What was given to each grade that came</source>
        <translation>对每个带来的等级给出了什么</translation>
    </message>
    <message>
        <source>Who said what</source>
        <translation>谁给了什么</translation>
    </message>
    <message>
        <source>With its 95 % interval, of samples of topics</source>
        <translation>附 95% 区间，来自对主题的抽样</translation>
    </message>
    <message>
        <source>came</source>
        <translation>带来的</translation>
    </message>
    <message>
        <source>given</source>
        <translation>已给出</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>无定义</translation>
    </message>
</context>
<context>
    <name>Reading</name>
    <message>
        <source>Highlighted: %1.</source>
        <translation>已高亮：%1。</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>Select a word in the document first.</source>
        <translation>请先在文档中选中一个词。</translation>
    </message>
    <message>
        <source>Select fewer words: at most %1 letters can be highlighted.</source>
        <translation>请少选一些文字：最多可高亮 %1 个字符。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全文</translation>
    </message>
    <message>
        <source>Shown from the best passage.</source>
        <translation>从最佳段落开始显示。</translation>
    </message>
</context>
<context>
    <name>ReasonMenu</name>
    <message>
        <source>Why can it not be judged?</source>
        <translation>为什么无法判断？</translation>
    </message>
</context>
<context>
    <name>ReceiptDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Code of the receipt</source>
        <translation>回执码</translation>
    </message>
    <message>
        <source>Copy receipt</source>
        <translation>复制回执</translation>
    </message>
    <message>
        <source>Handed in</source>
        <translation>已提交</translation>
    </message>
    <message>
        <source>Keep the code. Whoever gets the file compares it, and sees whether anything was lost on the way.</source>
        <translation>请保留此代码。收到文件的人对照它，就能看出途中有没有丢失内容。</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>回执</translation>
    </message>
    <message>
        <source>Save receipt</source>
        <translation>保存回执</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Send this file back: %1</source>
        <translation>请将此文件发回：%1</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>显示所在文件夹</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>A value a line, for other programs.</source>
        <translation>每行一个值，供其他程序使用。</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV 文件</translation>
    </message>
    <message>
        <source>Every value, with formulas that compute anew.</source>
        <translation>所有的值，带有可重新计算的公式。</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>LaTeX</source>
        <translation>LaTeX 文件</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown 文件</translation>
    </message>
    <message>
        <source>One file to read and to send, with figures.</source>
        <translation>一个便于阅读和发送的文件，带图。</translation>
    </message>
    <message>
        <source>Print</source>
        <translation>打印</translation>
    </message>
    <message>
        <source>Report, qrels and hashes, to be checked and made again.</source>
        <translation>报告、qrels 和哈希值，可以核对并重新算出。</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>研究包</translation>
    </message>
    <message>
        <source>Tables for a paper.</source>
        <translation>论文用的表格。</translation>
    </message>
    <message>
        <source>Tables for a repository or a wiki.</source>
        <translation>代码库或维基用的表格。</translation>
    </message>
    <message>
        <source>The tables on paper; those by topic where they have room.</source>
        <translation>把各表打印在纸上；按主题的表放得下时也打印。</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>网页</translation>
    </message>
</context>
<context>
    <name>RoundsCard</name>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 至 %3）</translation>
    </message>
    <message>
        <source>%1 met %2 of %3</source>
        <translation>%1 答对 %2/%3</translation>
    </message>
    <message>
        <source>%1, before %2</source>
        <translation>%1，之前 %2</translation>
    </message>
    <message>
        <source>A last round: it is counted how many answers each person meets, known ones or what most others said.</source>
        <translation>最后一轮：统计每个人与多少答案相符，答案是已知的，或是其他多数人的判断。</translation>
    </message>
    <message>
        <source>Agreement (α)</source>
        <translation>一致性（α）</translation>
    </message>
    <message>
        <source>Answers:</source>
        <translation>答对情况：</translation>
    </message>
    <message>
        <source>Close the round for all</source>
        <translation>对所有人关闭本轮</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents of a round</source>
        <translation>一轮的文档数</translation>
    </message>
    <message>
        <source>Documents of which no answer has more than two thirds of the judgments</source>
        <translation>没有任何一种判断超过三分之二的文档</translation>
    </message>
    <message>
        <source>Everybody judges the same documents, each for themselves. Then look at them together, and judge again.</source>
        <translation>每个人各自判断相同的文档，然后一起查看，再判断一次。</translation>
    </message>
    <message>
        <source>How it was judged</source>
        <translation>判断结果</translation>
    </message>
    <message>
        <source>Judge the rest of the pool</source>
        <translation>判断池中其余文档</translation>
    </message>
    <message>
        <source>Krippendorff&apos;s alpha, ordinal, with its 95 % interval: 1 is full agreement, 0 is chance</source>
        <translation>克里彭多夫 α（有序），附 95 % 区间：1 为完全一致，0 为随机水平</translation>
    </message>
    <message>
        <source>Next document</source>
        <translation>下一篇文档</translation>
    </message>
    <message>
        <source>Norming rounds</source>
        <translation>校准轮次</translation>
    </message>
    <message>
        <source>Open a round</source>
        <translation>开始一轮</translation>
    </message>
    <message>
        <source>People</source>
        <translation>人数</translation>
    </message>
    <message>
        <source>Previous document</source>
        <translation>上一篇文档</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Round %1 is closed for all.</source>
        <translation>第 %1 轮已对所有人关闭。</translation>
    </message>
    <message>
        <source>Round %1 is open: %2 of %3 judgments.</source>
        <translation>第 %1 轮进行中：判断 %2/%3。</translation>
    </message>
    <message>
        <source>Round %1, by grade (α):</source>
        <translation>第 %1 轮，各等级（α）：</translation>
    </message>
    <message>
        <source>Round %1, split:</source>
        <translation>第 %1 轮，意见分歧：</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Show nothing</source>
        <translation>不显示文档</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分歧</translation>
    </message>
    <message>
        <source>The mean of Cohen&apos;s kappa over all pairs of people, with its 95 % interval</source>
        <translation>所有两人组合的科恩 κ 平均值，附 95 % 区间</translation>
    </message>
    <message>
        <source>The rounds are over; the rest of the pool is judged.</source>
        <translation>轮次已结束；正在判断池中其余文档。</translation>
    </message>
    <message>
        <source>The same again</source>
        <translation>同样的文档再来一轮</translation>
    </message>
    <message>
        <source>Those still split</source>
        <translation>仍有分歧的文档</translation>
    </message>
    <message>
        <source>all said the same</source>
        <translation>大家的说法完全一致</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>says who is ready</source>
        <translation>用于确定谁已准备好</translation>
    </message>
</context>
<context>
    <name>RulePanel</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>%1 more pairs</source>
        <translation>另外 %1 对</translation>
    </message>
    <message>
        <source>%1: in force.</source>
        <translation>%1：当前采用。</translation>
    </message>
    <message>
        <source>%1: other grades: %2.</source>
        <translation>%1：等级不同的有 %2 个。</translation>
    </message>
    <message>
        <source>%1: would change nothing.</source>
        <translation>%1：不会改变任何结果。</translation>
    </message>
    <message>
        <source>Change places by %1: %2.</source>
        <translation>按 %1 互换名次的：%2。</translation>
    </message>
    <message>
        <source>Looking at what each rule would change …</source>
        <translation>正在查看每条规则会改变什么……</translation>
    </message>
    <message>
        <source>No two runs change places by %1.</source>
        <translation>按 %1 没有两个检索结果互换名次。</translation>
    </message>
    <message>
        <source>Rule of consensus</source>
        <translation>共识规则</translation>
    </message>
</context>
<context>
    <name>RunComparisonView</name>
    <message>
        <source>%1 of %2 less that of %3</source>
        <translation>%2 的 %1 减去 %3 的</translation>
    </message>
    <message>
        <source>Add runs</source>
        <translation>添加检索结果</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Documents in both runs and in one</source>
        <translation>两者共有和仅一方有的文档</translation>
    </message>
    <message>
        <source>Grade %1.</source>
        <translation>等级 %1。</translation>
    </message>
    <message>
        <source>In both: %1. Only in %2: %3. Only in %4: %5.</source>
        <translation>共有：%1。仅 %2 有：%3。仅 %4 有：%5。</translation>
    </message>
    <message>
        <source>Jaccard@%1 %2, rank-biased overlap %3.</source>
        <translation>Jaccard@%1 %2，等级偏置重叠 %3。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Measures of this topic</source>
        <translation>本主题的指标</translation>
    </message>
    <message>
        <source>Not judged.</source>
        <translation>未判断。</translation>
    </message>
    <message>
        <source>RBO</source>
        <translation>RBO 重叠</translation>
    </message>
    <message>
        <source>Rank %1 in %2.</source>
        <translation>在 %2 中排第 %1。</translation>
    </message>
    <message>
        <source>Rank-biased overlap with p = 0.9: 1 where both rankings are the same, 0 where they share nothing</source>
        <translation>p = 0.9 的等级偏置重叠：两个排序相同时为 1，毫无共同之处时为 0</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>The same documents stand in the same order.</source>
        <translation>相同的文档以相同的顺序排列。</translation>
    </message>
    <message>
        <source>This page lays two rankings of a topic side by side and joins what stands in both. It takes two runs.</source>
        <translation>本页将一个主题的两个排序并排放置，并连接两者共有的文档。需要两个检索结果。</translation>
    </message>
    <message>
        <source>This topic in numbers</source>
        <translation>本主题的数字</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics that only %1 has: %2.</source>
        <translation>仅 %1 有的主题：%2。</translation>
    </message>
    <message>
        <source>Topics, the least alike first</source>
        <translation>主题，差异最大者在前</translation>
    </message>
    <message>
        <source>Two rankings</source>
        <translation>两个排序</translation>
    </message>
    <message>
        <source>beside</source>
        <translation>旁边</translation>
    </message>
    <message>
        <source>● in both   ◇ only in this run   hatched: not judged   Enter opens a document</source>
        <translation>● 两者共有   ◇ 仅此检索结果   斜线：未判断   按 Enter 打开文档</translation>
    </message>
</context>
<context>
    <name>SaidByRun</name>
    <message>
        <source>%1 says of itself (ir_metadata):</source>
        <translation>%1 的自述（ir_metadata）：</translation>
    </message>
    <message>
        <source>Choose a run to read what it says of itself (ir_metadata).</source>
        <translation>选择一个检索结果 (run)，即可查看它的自述（ir_metadata）。</translation>
    </message>
</context>
<context>
    <name>Saving</name>
    <message>
        <source>Saving a copy</source>
        <translation>正在保存副本</translation>
    </message>
    <message>
        <source>The document stays, and so does what you did: %1 tries again.</source>
        <translation>文档和所做的操作都还在：按 %1 再试一次。</translation>
    </message>
</context>
<context>
    <name>ScaleChoice</name>
    <message>
        <source>Choose a file</source>
        <translation>选择一个文件</translation>
    </message>
    <message>
        <source>Choose a file of a scale</source>
        <translation>选择量表文件</translation>
    </message>
    <message>
        <source>Grades must be binary, 0-1 to 0-%1, or a file.</source>
        <translation>等级必须是 binary、0-1 至 0-%1，或一个文件。</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>量表</translation>
    </message>
    <message>
        <source>binary</source>
        <translation>二元</translation>
    </message>
</context>
<context>
    <name>ScoreByHand</name>
    <message>
        <source>A BM25 score by hand</source>
        <translation>手算 BM25 得分</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>In the query</source>
        <translation>查询中</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>词项</translation>
    </message>
    <message>
        <source>The score, with %1 decimals or more</source>
        <translation>得分（至少 %1 位小数）</translation>
    </message>
    <message>
        <source>Topic %1: %2</source>
        <translation>主题 %1：%2</translation>
    </message>
    <message>
        <source>n: documents with it</source>
        <translation>n：含有它的文档数</translation>
    </message>
</context>
<context>
    <name>ScoreModel</name>
    <message>
        <source>not significantly different from the best</source>
        <translation>与最好者没有显著差异</translation>
    </message>
</context>
<context>
    <name>SearchDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents that fit</source>
        <translation>匹配的文档</translation>
    </message>
    <message>
        <source>Documents that fit, the best first: %1.</source>
        <translation>匹配的文档（最佳在前）：%1。</translation>
    </message>
    <message>
        <source>For topic: %1</source>
        <translation>主题：%1</translation>
    </message>
    <message>
        <source>Indexing the words of all documents …</source>
        <translation>正在为所有文档的词语建立索引…</translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation>没有匹配的文档。</translation>
    </message>
    <message>
        <source>Put on the desk</source>
        <translation>放到评判页</translation>
    </message>
    <message>
        <source>Search in the collection</source>
        <translation>在文档集中搜索</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Text of the chosen document</source>
        <translation>所选文档的正文</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Words to search for</source>
        <translation>要搜索的词语</translation>
    </message>
    <message>
        <source>Words, or the beginning of an id</source>
        <translation>词语，或编号的开头</translation>
    </message>
    <message>
        <source>Your grade</source>
        <translation>您的等级</translation>
    </message>
</context>
<context>
    <name>SessionForm</name>
    <message>
        <source>A document shown again every</source>
        <translation>每隔多少篇重复显示一篇</translation>
    </message>
    <message>
        <source>A known answer every</source>
        <translation>每隔多少篇放一个已知答案</translation>
    </message>
    <message>
        <source>Address of this machine</source>
        <translation>本机地址</translation>
    </message>
    <message>
        <source>All judge the same documents blind, and then talk about them.</source>
        <translation>大家先盲评同样的文档，然后讨论。</translation>
    </message>
    <message>
        <source>Anyone with the code</source>
        <translation>知道代码的人</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Documents of each topic</source>
        <translation>每个主题的文档数</translation>
    </message>
    <message>
        <source>Documents shown</source>
        <translation>显示的文档</translation>
    </message>
    <message>
        <source>Documents with a known answer that open the work</source>
        <translation>开始时评判的有已知答案的文档</translation>
    </message>
    <message>
        <source>For more judgments of the same pairs.</source>
        <translation>让同样的文档对得到更多判断。</translation>
    </message>
    <message>
        <source>For short texts and products: those of a topic stand below each other.</source>
        <translation>适合短文本和商品：同一主题的文档上下排列。</translation>
    </message>
    <message>
        <source>How many results of each list</source>
        <translation>每个列表的结果数</translation>
    </message>
    <message>
        <source>Ids with commas between them; 401-405 stands for all from one to the other. Empty: all.</source>
        <translation>用逗号分隔的编号；401-405 表示从前者到后者的全部。留空：全部。</translation>
    </message>
    <message>
        <source>Judgments of each</source>
        <translation>每项的判断数</translation>
    </message>
    <message>
        <source>Judgments of each document</source>
        <translation>每篇文档的评判数</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>Names in the talk</source>
        <translation>讨论中的姓名</translation>
    </message>
    <message>
        <source>Names on a list</source>
        <translation>名单上的人</translation>
    </message>
    <message>
        <source>Names stand with reasons where everybody agrees.</source>
        <translation>所有人同意时，姓名写在理由旁。</translation>
    </message>
    <message>
        <source>Norming</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>One link each</source>
        <translation>每人一个链接</translation>
    </message>
    <message>
        <source>One shown again every</source>
        <translation>重复出示：每隔</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>Qualification</source>
        <translation>资格测试</translation>
    </message>
    <message>
        <source>Relevant from grade</source>
        <translation>从哪一级起算相关</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>They</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>They search the collection, and judge what they find.</source>
        <translation>他们查找文档集，并判断找到的文档。</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>What is handed out</source>
        <translation>已分发的</translation>
    </message>
    <message>
        <source>Who may join</source>
        <translation>谁可以加入</translation>
    </message>
    <message>
        <source>Write who may join, with commas between the names, or name a file.</source>
        <translation>请写明谁可以加入，姓名之间用逗号，或指定一个文件。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>ann, bob, cleo, or a file</source>
        <translation>ann, bob, cleo，或一个文件</translation>
    </message>
    <message>
        <source>ask for consent</source>
        <translation>征求同意</translation>
    </message>
    <message>
        <source>blind rounds first</source>
        <translation>先进行盲评轮次</translation>
    </message>
    <message>
        <source>compare documents in pairs</source>
        <translation>两两比较文档</translation>
    </message>
    <message>
        <source>compare result lists</source>
        <translation>比较结果列表</translation>
    </message>
    <message>
        <source>document or comparison</source>
        <translation>每篇文档或每次比较</translation>
    </message>
    <message>
        <source>documents; 0 for none</source>
        <translation>篇；0 表示不放</translation>
    </message>
    <message>
        <source>give out once more</source>
        <translation>再发一次</translation>
    </message>
    <message>
        <source>grade documents</source>
        <translation>给文档评级</translation>
    </message>
    <message>
        <source>known answers first</source>
        <translation>个已知答案，最先评判</translation>
    </message>
    <message>
        <source>learning, from the whole collection</source>
        <translation>学习，针对整个文档集</translation>
    </message>
    <message>
        <source>of them; 0 for none</source>
        <translation>项一次；0 表示没有</translation>
    </message>
    <message>
        <source>people may search</source>
        <translation>人们可以查找</translation>
    </message>
    <message>
        <source>relevant from grade</source>
        <translation>从此等级起相关：</translation>
    </message>
    <message>
        <source>results of each list</source>
        <translation>每个列表的结果数</translation>
    </message>
    <message>
        <source>several on a page</source>
        <translation>一页多篇</translation>
    </message>
    <message>
        <source>topic by topic, by lot</source>
        <translation>逐个主题，顺序随机</translation>
    </message>
    <message>
        <source>what tells runs apart first</source>
        <translation>先判最能区分各次运行的</translation>
    </message>
</context>
<context>
    <name>SessionView</name>
    <message>
        <source>%1 joined twice? Both count as one from now on: no document comes twice. No judgment is changed.</source>
        <translation>%1 加入了两次？从现在起两者算作同一个人：文档不会重复出现。任何判断都不会改变。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, failed checks</source>
        <translation>%1，未通过注意力检查</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: nothing stands out.</source>
        <translation>%1：没有异常。</translation>
    </message>
    <message>
        <source>A full screen to show to all: how to join, and the progress. No judgments stand on it. Key: %1</source>
        <translation>给所有人看的全屏画面：如何加入以及进度。上面没有任何判断。按键：%1</translation>
    </message>
    <message>
        <source>A session has not ended</source>
        <translation>有一次共同评判尚未结束</translation>
    </message>
    <message>
        <source>Agreement so far: α %1 (%2 to %3); 1 is full agreement, 0 is chance.</source>
        <translation>目前的一致程度：α %1（%2 至 %3）；1 表示完全一致，0 相当于随机。</translation>
    </message>
    <message>
        <source>Agreement so far: α %1; 1 is full agreement, 0 is chance.</source>
        <translation>目前的一致程度：α %1；1 表示完全一致，0 相当于随机。</translation>
    </message>
    <message>
        <source>All that was judged is in the project. What pages have not sent yet is lost to it.</source>
        <translation>所有评判都已在项目中。网页上尚未发送的内容不会进入项目。</translation>
    </message>
    <message>
        <source>Beginning the session</source>
        <translation>正在开始共同评判</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a person to see why</source>
        <translation>选中一人可查看原因</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Code to scan</source>
        <translation>可扫描的二维码</translation>
    </message>
    <message>
        <source>Comparing takes two runs or more.</source>
        <translation>比较需要两个或更多检索结果。</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Copied: a name and a link a line, %1 in all. Who is here already keeps the link they have.</source>
        <translation>已复制：每行一个姓名和一个链接，共 %1 行。已经在场的人继续使用原来的链接。</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Copy links</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Count again</source>
        <translation>重新计入</translation>
    </message>
    <message>
        <source>Count as one</source>
        <translation>算作一人</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents of the topic times the judgments that each gets</source>
        <translation>该主题的文档数乘以每篇所需的判断数</translation>
    </message>
    <message>
        <source>Documents that this person was given and has not judged go to others at once. What they judged stays.</source>
        <translation>分给此人而尚未评判的文档会立即分给其他人。已评判的保留。</translation>
    </message>
    <message>
        <source>Documents this person judged in time</source>
        <translation>此人及时评判的文档数</translation>
    </message>
    <message>
        <source>Documents this person was given and has not judged yet. Nobody else gets them meanwhile</source>
        <translation>已分给此人而尚未评判的文档数。在此期间不会分给别人</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>每次</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>End the session?</source>
        <translation>结束共同评判吗？</translation>
    </message>
    <message>
        <source>Everybody has a link of their own. Copy the links and send them.</source>
        <translation>每个人都有自己的链接。请复制这些链接并发送给他们。</translation>
    </message>
    <message>
        <source>Everybody opens the link in a browser and judges. It needs no internet; all devices must be in one network.</source>
        <translation>每个人用浏览器打开链接即可评判。不需要互联网；所有设备须在同一网络中。</translation>
    </message>
    <message>
        <source>Free empty seats</source>
        <translation>释放空位</translation>
    </message>
    <message>
        <source>Free the seat</source>
        <translation>释放席位</translation>
    </message>
    <message>
        <source>Give back what is held</source>
        <translation>收回占用的文档</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Here: the page is open and was heard of in the last half minute. Set aside: nothing counts</source>
        <translation>在场：页面开着，且在最近半分钟内有消息。排除：都不计入</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>How far they agree cannot be told yet.</source>
        <translation>目前还看不出一致程度。</translation>
    </message>
    <message>
        <source>It has ended; the pages are being told.</source>
        <translation>已结束；正在通知各网页。</translation>
    </message>
    <message>
        <source>It rests on the documents that two or more have judged: %1.</source>
        <translation>依据两人或更多人判断过的文档：%1 篇。</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>Judge together</source>
        <translation>共同评判</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已评判</translation>
    </message>
    <message>
        <source>Judgments</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Judgments that came too late</source>
        <translation>来得太迟的评判</translation>
    </message>
    <message>
        <source>Judgments that came when others had judged the document often enough. They are listed below</source>
        <translation>其他人的判断已经足够之后才到的判断数。列在下面</translation>
    </message>
    <message>
        <source>Known answers</source>
        <translation>已知答案</translation>
    </message>
    <message>
        <source>Known answers that were met, of those that were asked</source>
        <translation>答对的已知答案数 / 已问的已知答案数</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>迟到</translation>
    </message>
    <message>
        <source>Learning takes documents and topics.</source>
        <translation>学习需要文档和主题。</translation>
    </message>
    <message>
        <source>Leave this person out: nothing they judged counts, and others get the documents. Nothing is lost.</source>
        <translation>排除此人：其判断都不计入，文档分给其他人。不会丢失任何内容。</translation>
    </message>
    <message>
        <source>Let in again</source>
        <translation>重新放行</translation>
    </message>
    <message>
        <source>Let it count</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>Let it go on</source>
        <translation>不结束</translation>
    </message>
    <message>
        <source>Let nobody in any more by the link or the browser that this person has. What they judged stays.</source>
        <translation>此人现有的链接和浏览器不再能进入。其评判保留。</translation>
    </message>
    <message>
        <source>Let others join by the names of all who did nothing and are away.</source>
        <translation>凡什么都没做且已离开的人，其名字可由他人使用。</translation>
    </message>
    <message>
        <source>Let this judgment count, though others have judged the document often enough by now.</source>
        <translation>计入这条判断，尽管其他人对该文档的判断已经足够。</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>链接</translation>
    </message>
    <message>
        <source>Make a new link for somebody who lost theirs. The one before lets nobody in any more.</source>
        <translation>为丢失链接的人生成新链接。旧链接不再有效。</translation>
    </message>
    <message>
        <source>Median of the last 50 judgments</source>
        <translation>最近 50 个判断的中位数</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>No other device came yet. Try it with a phone: a firewall or a guest network may be in the way.</source>
        <translation>还没有其他设备连接。请用手机试试：可能有防火墙或访客网络阻挡。</translation>
    </message>
    <message>
        <source>Nobody is here yet. Show the big screen, or send the link.</source>
        <translation>还没有人加入。请打开大屏幕，或发送链接。</translation>
    </message>
    <message>
        <source>Nobody judges any more. All that was judged is in the project.</source>
        <translation>不再有人评判。已评判的内容都在项目中。</translation>
    </message>
    <message>
        <source>Nothing is left to give out: all %1 pairs are handed out already. Ask for more judgments of them.</source>
        <translation>没有剩下可分发的：全部 %1 对都已分发。可以要求对它们作更多判断。</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Only this machine reaches %1. For others, end the session and choose another address.</source>
        <translation>只有本机能访问 %1。要让其他人加入，请结束会话并选择另一个地址。</translation>
    </message>
    <message>
        <source>Other devices reach this one.</source>
        <translation>其他设备可以连接到本机。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>People</source>
        <translation>人员</translation>
    </message>
    <message>
        <source>Print cards</source>
        <translation>打印卡片</translation>
    </message>
    <message>
        <source>Print cards …</source>
        <translation>打印卡片…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Progress by topic</source>
        <translation>各主题的进度</translation>
    </message>
    <message>
        <source>Revoke the link</source>
        <translation>撤销链接</translation>
    </message>
    <message>
        <source>Same as …</source>
        <translation>与…相同</translation>
    </message>
    <message>
        <source>Same person</source>
        <translation>同一个人</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>共同评判</translation>
    </message>
    <message>
        <source>Set aside</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Somebody else took this name: let another join by it. It needs that nothing they judged counts.</source>
        <translation>名字被别人占用时，让他人可以用此名加入。前提是其评判均不计入。</translation>
    </message>
    <message>
        <source>Somebody joined twice, such as with another device: let both names count as one person.</source>
        <translation>有人加入了两次，例如换了设备：把两个名字算作同一个人。</translation>
    </message>
    <message>
        <source>Start a session</source>
        <translation>开始共同评判</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>The project is open for reading only, so nobody can judge in it.</source>
        <translation>项目以只读方式打开，因此无法评判。</translation>
    </message>
    <message>
        <source>The same as</source>
        <translation>等同于</translation>
    </message>
    <message>
        <source>The same person</source>
        <translation>同一个人</translation>
    </message>
    <message>
        <source>There is no pool yet. It is the list of documents to judge: the top of every run.</source>
        <translation>还没有文档池。它是要判断的文档清单：每个检索结果的前几位。</translation>
    </message>
    <message>
        <source>This link lets the person in; it was copied. The one before lets nobody in any more.</source>
        <translation>此链接可让这个人加入；已复制。之前的链接不再有效。</translation>
    </message>
    <message>
        <source>Those who took part go on with what they had.</source>
        <translation>参加过的人可以接着做。</translation>
    </message>
    <message>
        <source>Too late to count</source>
        <translation>太迟而未计入</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Wanted</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>When the page led the way to the completion of the panel. It stays, whatever is taken back</source>
        <translation>页面何时给出了参与者平台的完成入口。无论之后撤回什么，此记录都保留</translation>
    </message>
    <message>
        <source>While it pauses nothing new is given out; what people have on the screen they can still judge.</source>
        <translation>暂停时不再分发新的文档；屏幕上已有的文档仍可评判。</translation>
    </message>
    <message>
        <source>away</source>
        <translation>不在</translation>
    </message>
    <message>
        <source>here</source>
        <translation>在场</translation>
    </message>
    <message>
        <source>set aside</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>⚠ Paused: nothing new is given out.</source>
        <translation>⚠ 已暂停：不再发出新的文档。</translation>
    </message>
    <message>
        <source>⚠ Stand out: %1. Choose one to see why.</source>
        <translation>⚠ 异常：%1。选中一人可查看原因。</translation>
    </message>
    <message>
        <source>⚠ stands out</source>
        <translation>⚠ 异常</translation>
    </message>
</context>
<context>
    <name>Setting</name>
    <message>
        <source>A document opens where most of the topic&apos;s words stand, not at its beginning.</source>
        <translation>打开文档时显示主题词最集中的地方，而不是开头。</translation>
    </message>
    <message>
        <source>A grade key that comes sooner after a document appears is ignored: it was meant for the one before.</source>
        <translation>文档出现后这段时间内的等级按键不生效：那是按给上一篇的。</translation>
    </message>
    <message>
        <source>A longer pause does not count as time spent on a document.</source>
        <translation>更长的停顿不计入阅读文档的时间。</translation>
    </message>
    <message>
        <source>Amber</source>
        <translation>琥珀色</translation>
    </message>
    <message>
        <source>As the desktop has it</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>As the task asks</source>
        <translation>按任务的要求</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Both hands</source>
        <translation>双手</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Colours of the whole window. High contrast has black, white and strong lines.</source>
        <translation>整个窗口的颜色。高对比度使用黑、白和粗线条。</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Decimals</source>
        <translation>小数位数</translation>
    </message>
    <message>
        <source>Document font</source>
        <translation>文档字体</translation>
    </message>
    <message>
        <source>Documents on a page</source>
        <translation>一页的文档数</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>For documents alone; all else keeps the font of the system.</source>
        <translation>只用于文档；其他文字使用系统字体。</translation>
    </message>
    <message>
        <source>For short texts and products several stand below each other; keys judge the one with the line.</source>
        <translation>短文本和商品可以几篇上下排列；按键判断的是带边框的那一篇。</translation>
    </message>
    <message>
        <source>Grade keys</source>
        <translation>等级按键</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Guard time in milliseconds</source>
        <translation>防误按时间（毫秒）</translation>
    </message>
    <message>
        <source>Hand</source>
        <translation>用手</translation>
    </message>
    <message>
        <source>High contrast, dark</source>
        <translation>高对比度，深色</translation>
    </message>
    <message>
        <source>High contrast, light</source>
        <translation>高对比度，浅色</translation>
    </message>
    <message>
        <source>Highlight</source>
        <translation>高亮</translation>
    </message>
    <message>
        <source>How a topic&apos;s words are marked in documents.</source>
        <translation>主题词在文档中如何标出。</translation>
    </message>
    <message>
        <source>How many decimals numbers show.</source>
        <translation>数值显示几位小数。</translation>
    </message>
    <message>
        <source>Idle after seconds</source>
        <translation>停顿上限（秒）</translation>
    </message>
    <message>
        <source>Judging</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Keys of actions</source>
        <translation>操作按键</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Left hand alone</source>
        <translation>仅左手</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Monospaced</source>
        <translation>等宽</translation>
    </message>
    <message>
        <source>One at a time</source>
        <translation>一次一篇</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>粉色</translation>
    </message>
    <message>
        <source>Sans serif</source>
        <translation>无衬线</translation>
    </message>
    <message>
        <source>Serif</source>
        <translation>衬线</translation>
    </message>
    <message>
        <source>Several</source>
        <translation>多篇</translation>
    </message>
    <message>
        <source>Size of all text; 1.0 is the normal size.</source>
        <translation>所有文字的大小；1.0 为正常大小。</translation>
    </message>
    <message>
        <source>Start at the best passage</source>
        <translation>从最佳段落开始</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>The actions that have another key: action=key.</source>
        <translation>换了按键的操作：操作=按键。</translation>
    </message>
    <message>
        <source>The digits of grades that have another key: digit=key.</source>
        <translation>换了按键的等级数字：数字=按键。</translation>
    </message>
    <message>
        <source>The language of the window. Documents and topics stay as they are.</source>
        <translation>窗口的语言。文档和主题保持原样。</translation>
    </message>
    <message>
        <source>The left hand alone: all keys of the judging page stand in the left half of the keyboard.</source>
        <translation>仅左手：判断页面的按键都在键盘左半边。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题配色</translation>
    </message>
    <message>
        <source>Underline only</source>
        <translation>仅下划线</translation>
    </message>
    <message>
        <source>What the evaluation page computes first in a new project; names with spaces between.</source>
        <translation>新项目在评测页面最先计算的指标；名称之间用空格隔开。</translation>
    </message>
    <message>
        <source>Who evaluates, compares and correlates: local for all cores of this machine, or the address of a Dask scheduler such as tcp://host:8786. Empty for this program alone. The same numbers.</source>
        <translation>由谁来评测、比较和计算相关：local 表示这台机器的全部核，或 Dask 调度器的地址，如 tcp://host:8786。留空则只用本程序。数值相同。</translation>
    </message>
</context>
<context>
    <name>SettingsView</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 does not fit; expected %3 to %4.</source>
        <translation>%1：%2 不合适；应在 %3 到 %4 之间。</translation>
    </message>
    <message>
        <source>Back to the defaults</source>
        <translation>恢复默认设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>SeveralDocuments</name>
    <message>
        <source>Documents on this page</source>
        <translation>这一页的文档</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>All shortcuts</source>
        <translation>全部快捷键</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>所有页面</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>give the grade 0 … 9 and show the next document</source>
        <translation>给出等级 0 … 9 并显示下一篇文档</translation>
    </message>
</context>
<context>
    <name>ShownFieldsDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Fields of documents</source>
        <translation>文档的字段</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Show these</source>
        <translation>显示这些</translation>
    </message>
    <message>
        <source>Shown fields</source>
        <translation>显示的字段</translation>
    </message>
    <message>
        <source>Ticked fields stand under the title of each document, for everybody who judges. Others stay in the project.</source>
        <translation>勾选的字段显示在每篇文档的标题下，评判者都能看到。其余字段只留在项目中。</translation>
    </message>
    <message>
        <source>What whoever judges will see</source>
        <translation>评判者将看到的内容</translation>
    </message>
</context>
<context>
    <name>Soundness</name>
    <message>
        <source>Judging goes on. irjudge rescue makes a sound project of what can be read, and a backup may hold more.</source>
        <translation>评判可以继续。用 irjudge rescue 可以把能读出的内容存成完好的项目，备份里也许保存得更多。</translation>
    </message>
    <message>
        <source>What of this file does not fit</source>
        <translation>此文件中不相符的内容</translation>
    </message>
</context>
<context>
    <name>StartPageDialog</name>
    <message>
        <source>0: nothing is said of it</source>
        <translation>0：不说明</translation>
    </message>
    <message>
        <source>Add a question</source>
        <translation>添加问题</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Consent</source>
        <translation>知情同意</translation>
    </message>
    <message>
        <source>Consent and questions</source>
        <translation>知情同意与问题</translation>
    </message>
    <message>
        <source>Empty: nothing is asked.</source>
        <translation>留空：什么也不问。</translation>
    </message>
    <message>
        <source>Expected minutes</source>
        <translation>预计分钟数</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What people agree to before they begin, as Markdown: who asks and what for, what is kept and for how long, and whom to write to. Who does not agree, or withdraws later, counts no more. What was answered is written with Export.</source>
        <translation>参与者在开始之前要同意的内容（Markdown）：谁在请求、用途是什么、保存哪些数据、保存多久、可以联系谁。不同意或之后退出的人不再计入。回答随“导出”一起写出。</translation>
    </message>
</context>
<context>
    <name>StepBar</name>
    <message>
        <source>%1 %2 of %3</source>
        <translation>%1 %2/%3</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>一致性</translation>
    </message>
    <message>
        <source>Decide</source>
        <translation>裁定</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>Hand out</source>
        <translation>分发</translation>
    </message>
    <message>
        <source>How far the project is</source>
        <translation>项目进度</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Judge together</source>
        <translation>共同评判</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>文档池</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>偏好</translation>
    </message>
    <message>
        <source>Qrels</source>
        <translation>相关性判断 (qrels)</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3</source>
        <translation>第 %1 步（共 %2 步）：%3</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>还缺什么</translation>
    </message>
</context>
<context>
    <name>TargetPart</name>
    <message>
        <source>Draw %1 more</source>
        <translation>再抽取 %1 篇</translation>
    </message>
    <message>
        <source>Draw the first %1</source>
        <translation>先抽取 %1 篇</translation>
    </message>
    <message>
        <source>Go on judging</source>
        <translation>继续评判</translation>
    </message>
    <message>
        <source>It begins with ten relevant documents that are drawn at random, which is not affordable here.</source>
        <translation>它从随机抽出十篇相关文档开始，在这里代价过高。</translation>
    </message>
    <message>
        <source>Judge at random until %1 are relevant, about %2 documents if %3 of the rest are. Then search anew, without them, until all %1 are found again: recall is at least %4 with 95 %.</source>
        <translation>随机评判直到有 %1 篇相关；若其余文档中有 %3 篇相关，约需评判 %2 篇。然后撇开它们重新查找，直到这 %1 篇全部再次找到：查全率以 95 % 的置信水平至少为 %4。</translation>
    </message>
    <message>
        <source>Judge what was drawn</source>
        <translation>评判抽出的文档</translation>
    </message>
    <message>
        <source>Search anew without them</source>
        <translation>撇开它们重新查找</translation>
    </message>
    <message>
        <source>The target way</source>
        <translation>目标法</translation>
    </message>
</context>
<context>
    <name>Team</name>
    <message>
        <source>Starting workers</source>
        <translation>正在启动工作进程</translation>
    </message>
</context>
<context>
    <name>TermButton</name>
    <message>
        <source>%1 places</source>
        <translation>%1 处</translation>
    </message>
    <message>
        <source>%1 places or more</source>
        <translation>%1 处或更多</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 处</translation>
    </message>
    <message>
        <source>looking</source>
        <translation>正在查找</translation>
    </message>
</context>
<context>
    <name>TopicDrill</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>By topic</source>
        <translation>按主题</translation>
    </message>
    <message>
        <source>Enter or a double click shows where a number comes from</source>
        <translation>按 Enter 或双击可查看数值的来历</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <source>Median of %1 runs</source>
        <translation>%1 个检索结果的中位数</translation>
    </message>
    <message>
        <source>Values by topic</source>
        <translation>各主题的值</translation>
    </message>
</context>
<context>
    <name>TopicPanel</name>
    <message>
        <source>%1 · calibration</source>
        <translation>%1 · 校准</translation>
    </message>
    <message>
        <source>Hide narrative</source>
        <translation>隐藏详细说明</translation>
    </message>
    <message>
        <source>Show narrative</source>
        <translation>显示详细说明</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topic %1 of %2</source>
        <translation>第 %1 个主题，共 %2 个</translation>
    </message>
    <message>
        <source>Topic %1, %2 of %3</source>
        <translation>主题 %1，第 %2 个，共 %3 个</translation>
    </message>
    <message>
        <source>You are told the agreed grade after yours.</source>
        <translation>您评分之后会告知商定等级。</translation>
    </message>
</context>
<context>
    <name>TopicPlot</name>
    <message>
        <source>Runs: %1; topics: %2</source>
        <translation>检索结果：%1；主题：%2</translation>
    </message>
    <message>
        <source>│ all %1 runs, – their median</source>
        <translation>│ 全部 %1 个检索结果，– 为中位数</translation>
    </message>
</context>
<context>
    <name>TrialModel</name>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Grade</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
    <message>
        <source>unjudged</source>
        <translation>未判断</translation>
    </message>
</context>
<context>
    <name>TroubleDialog</name>
    <message>
        <source>A fault in irjudge</source>
        <translation>irjudge 出错</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Save details</source>
        <translation>保存详细信息</translation>
    </message>
    <message>
        <source>Something went wrong inside irjudge</source>
        <translation>irjudge 内部出错</translation>
    </message>
    <message>
        <source>This is a fault of the program, not yours. Every judgment that was acknowledged is on disk. You can go on.</source>
        <translation>这是程序的错误，与操作无关。已确认的每条判断都在磁盘上。可以继续工作。</translation>
    </message>
</context>
<context>
    <name>Turns</name>
    <message>
        <source>Given up: it was not saved.</source>
        <translation>已放弃：没有保存。</translation>
    </message>
</context>
<context>
    <name>Uncounted</name>
    <message>
        <source>Judgments that do not count</source>
        <translation>不计入的判断</translation>
    </message>
    <message>
        <source>The same of assessors beside them: %1.</source>
        <translation>另有 %1 名评审员情况相同。</translation>
    </message>
</context>
<context>
    <name>VotesPanel</name>
    <message>
        <source>Assessor %1</source>
        <translation>评判员 %1</translation>
    </message>
    <message>
        <source>Votes</source>
        <translation>票</translation>
    </message>
    <message>
        <source>Votes in short</source>
        <translation>投票概览</translation>
    </message>
    <message>
        <source>What the assessors said</source>
        <translation>评判员的意见</translation>
    </message>
    <message>
        <source>What the rules make of it</source>
        <translation>各规则的结果</translation>
    </message>
    <message>
        <source>Why it is listed</source>
        <translation>列入的原因</translation>
    </message>
    <message>
        <source>⚑ unsure</source>
        <translation>⚑ 不确定</translation>
    </message>
</context>
<context>
    <name>Web</name>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 至 %3）</translation>
    </message>
    <message>
        <source>%1 belongs to another task: it was made for %2.</source>
        <translation>%1 属于另一项任务：它是为 %2 制作的。</translation>
    </message>
    <message>
        <source>%1 cannot be judged.</source>
        <translation>无法判断 %1 篇。</translation>
    </message>
    <message>
        <source>%1 cannot join by this name. Write it as the list has it, take another, or ask whoever leads.</source>
        <translation>不能以 %1 这个名字加入。请按名单上的写法填写，换一个名字，或询问主持人。</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分钟</translation>
    </message>
    <message>
        <source>%1 is no result file of irjudge. Choose a file whose name ends in .result.json.</source>
        <translation>%1 不是 irjudge 的结果文件。请选择名称以 .result.json 结尾的文件。</translation>
    </message>
    <message>
        <source>%1 met %2 of %3</source>
        <translation>%1 答对 %2/%3</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 more judgments, also of what is handed out or done.</source>
        <translation>再增加 %1 次评判，已分发或已完成的也包括在内。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2, in all %3 of %4</source>
        <translation>%1 / %2，总计 %3 / %4</translation>
    </message>
    <message>
        <source>%1 unsure.</source>
        <translation>不确定 %1 篇。</translation>
    </message>
    <message>
        <source>%1 was cut or changed.</source>
        <translation>%1 被截断或改动过。</translation>
    </message>
    <message>
        <source>%1 was saved by a newer page. Open it with the task file it came from.</source>
        <translation>%1 是由更新的网页保存的。请用它原来的任务文件打开。</translation>
    </message>
    <message>
        <source>%1, before %2</source>
        <translation>%1，之前 %2</translation>
    </message>
    <message>
        <source>%1, found %2 times</source>
        <translation>%1，找到 %2 次</translation>
    </message>
    <message>
        <source>= %1</source>
        <translation>= %1</translation>
    </message>
    <message>
        <source>A digit gives the grade; so does the number pad.</source>
        <translation>数字键给出等级；小键盘也一样。</translation>
    </message>
    <message>
        <source>A fault of this page</source>
        <translation>本网页的故障</translation>
    </message>
    <message>
        <source>A few last questions</source>
        <translation>最后几个问题</translation>
    </message>
    <message>
        <source>A judgment came after its document was given to somebody else. It is kept, and does not count.</source>
        <translation>有一次评判到达时，文档已交给别人。它会保留，但不计入。</translation>
    </message>
    <message>
        <source>A preview shows some documents as participants see them. Nothing of it is kept.</source>
        <translation>预览按参与者看到的样子显示几篇文档，不保留任何内容。</translation>
    </message>
    <message>
        <source>About %1 left at their pace.</source>
        <translation>按他们的速度约还需 %1。</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Actions for %1</source>
        <translation>对 %1 的操作</translation>
    </message>
    <message>
        <source>Add a word</source>
        <translation>添加一个词</translation>
    </message>
    <message>
        <source>Add a word to highlight</source>
        <translation>添加要高亮的词</translation>
    </message>
    <message>
        <source>Agreed grade of %1: %2 %3</source>
        <translation>%1 的商定等级：%2 %3</translation>
    </message>
    <message>
        <source>Agreement (α)</source>
        <translation>一致性（α）</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All compared</source>
        <translation>全部比较完毕</translation>
    </message>
    <message>
        <source>All done</source>
        <translation>全部完成</translation>
    </message>
    <message>
        <source>All in a file</source>
        <translation>已全部存入文件</translation>
    </message>
    <message>
        <source>All sent</source>
        <translation>已全部发送</translation>
    </message>
    <message>
        <source>All shortcuts</source>
        <translation>全部快捷键</translation>
    </message>
    <message>
        <source>All that is in this file is here already.</source>
        <translation>此文件中的内容这里都已经有了。</translation>
    </message>
    <message>
        <source>All that was judged is kept.</source>
        <translation>所有判断都已保留。</translation>
    </message>
    <message>
        <source>All topics</source>
        <translation>全部主题</translation>
    </message>
    <message>
        <source>All you did is sent.</source>
        <translation>你的工作已全部发送。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answers:</source>
        <translation>答对情况：</translation>
    </message>
    <message>
        <source>As most others</source>
        <translation>与多数人一致</translation>
    </message>
    <message>
        <source>Ask for them</source>
        <translation>要求增加</translation>
    </message>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Before you begin</source>
        <translation>开始之前</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Both sides scroll together.</source>
        <translation>两侧一起滚动。</translation>
    </message>
    <message>
        <source>Brought back: %1. %2 takes it back.</source>
        <translation>已重做：%1。按 %2 撤销。</translation>
    </message>
    <message>
        <source>Browsers may throw such work away, and private windows always do.</source>
        <translation>浏览器可能会丢弃这样的工作，无痕窗口则一定会丢弃。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Change keys</source>
        <translation>更改按键</translation>
    </message>
    <message>
        <source>Change the key of: %1</source>
        <translation>更改按键：%1</translation>
    </message>
    <message>
        <source>Changed: %1.</source>
        <translation>已更改：%1。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the opened result first.</source>
        <translation>请先关闭打开的结果。</translation>
    </message>
    <message>
        <source>Close the round for all</source>
        <translation>对所有人关闭本轮</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Code:</source>
        <translation>代码：</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Comparisons made: %1; topics: %2.</source>
        <translation>已完成的比较：%1；主题：%2。</translation>
    </message>
    <message>
        <source>Complete the submission</source>
        <translation>完成提交</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Copy receipt</source>
        <translation>复制回执</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Copy the link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>Count again</source>
        <translation>重新计入</translation>
    </message>
    <message>
        <source>Count it</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>Count it: %1</source>
        <translation>计入：%1</translation>
    </message>
    <message>
        <source>Digits tick reasons; arrows up and down scroll.</source>
        <translation>数字键勾选理由；上下箭头滚动。</translation>
    </message>
    <message>
        <source>Document: %1</source>
        <translation>文档：%1</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents in both lists say nothing.</source>
        <translation>不标出两个列表共有的文档。</translation>
    </message>
    <message>
        <source>Documents in both lists say where.</source>
        <translation>标出两个列表共有的文档的位置。</translation>
    </message>
    <message>
        <source>Documents judged: %1, in %2.</source>
        <translation>已判断文档：%1，用时 %2。</translation>
    </message>
    <message>
        <source>Documents judged: %1; topics: %2.</source>
        <translation>已评判的文档：%1；主题：%2。</translation>
    </message>
    <message>
        <source>Documents left: %1; topics: %2.</source>
        <translation>剩余文档：%1；主题：%2。</translation>
    </message>
    <message>
        <source>Documents of this topic</source>
        <translation>本主题的文档</translation>
    </message>
    <message>
        <source>Documents on this page</source>
        <translation>这一页的文档</translation>
    </message>
    <message>
        <source>Documents that fit</source>
        <translation>匹配的文档</translation>
    </message>
    <message>
        <source>Documents that fit, the best first: %1.</source>
        <translation>匹配的文档（最佳在前）：%1。</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完成。</translation>
    </message>
    <message>
        <source>Each document or comparison gets %1 judgments now.</source>
        <translation>现在每篇文档或每次比较获得 %1 个判断。</translation>
    </message>
    <message>
        <source>Each side scrolls by itself.</source>
        <translation>两侧各自滚动。</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>End of the preview</source>
        <translation>预览结束</translation>
    </message>
    <message>
        <source>End the session?</source>
        <translation>结束会话？</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Enter opens a document. Press a digit there to give it another grade.</source>
        <translation>按 Enter 打开文档。在文档中按数字键可改变其等级。</translation>
    </message>
    <message>
        <source>Every judgment is kept in this browser before the next document is shown.</source>
        <translation>每个评判都会先保存在此浏览器中，然后才显示下一篇文档。</translation>
    </message>
    <message>
        <source>Everybody</source>
        <translation>全体</translation>
    </message>
    <message>
        <source>Everybody judges the same documents, each for themselves. Then look at them together, and judge again.</source>
        <translation>每个人各自判断相同的文档，然后一起查看，再判断一次。</translation>
    </message>
    <message>
        <source>Everybody will judge the same documents, each for themselves. This page begins by itself.</source>
        <translation>每个人将各自判断相同的文档。本页会自动开始。</translation>
    </message>
    <message>
        <source>Everything has its judgments.</source>
        <translation>全部都已有判断。</translation>
    </message>
    <message>
        <source>Everything is judged. You get a file to send back, and a receipt to compare with whoever asked you.</source>
        <translation>全部评判完毕。您会得到一个要寄回的文件，以及一份可与委托者核对的回执。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find a person</source>
        <translation>查找人员</translation>
    </message>
    <message>
        <source>Find in document</source>
        <translation>在文档中查找</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>For this person alone: whoever has the link is taken for them.</source>
        <translation>仅供此人使用：持有该链接的人都会被当作他。</translation>
    </message>
    <message>
        <source>For topic: %1</source>
        <translation>主题：%1</translation>
    </message>
    <message>
        <source>Free empty seats</source>
        <translation>释放空座位</translation>
    </message>
    <message>
        <source>Free the seat</source>
        <translation>释放座位</translation>
    </message>
    <message>
        <source>From now on it is written by itself.</source>
        <translation>从现在起会自动写入。</translation>
    </message>
    <message>
        <source>Give a name of 1 to 80 letters that can be seen.</source>
        <translation>请填写 1 到 80 个可见字符的名字。</translation>
    </message>
    <message>
        <source>Give back what is held</source>
        <translation>归还持有的文档</translation>
    </message>
    <message>
        <source>Given back: %1.</source>
        <translation>已归还：%1。</translation>
    </message>
    <message>
        <source>Given up: it was not saved.</source>
        <translation>已放弃：没有保存。</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Go on judging</source>
        <translation>继续判断</translation>
    </message>
    <message>
        <source>Go on with what is here</source>
        <translation>继续这里的工作</translation>
    </message>
    <message>
        <source>Grade</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Grade %1_: type the second digit.</source>
        <translation>等级 %1_：请输入第二位数字。</translation>
    </message>
    <message>
        <source>Grades</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Hand in to make the file that goes back.</source>
        <translation>请提交，以生成要寄回的文件。</translation>
    </message>
    <message>
        <source>Hand in your work</source>
        <translation>提交工作</translation>
    </message>
    <message>
        <source>Handed in</source>
        <translation>已提交</translation>
    </message>
    <message>
        <source>Handed in %1</source>
        <translation>已于 %1 提交</translation>
    </message>
    <message>
        <source>Here now: %1.</source>
        <translation>现在在场：%1。</translation>
    </message>
    <message>
        <source>Hide narrative</source>
        <translation>隐藏详细说明</translation>
    </message>
    <message>
        <source>Highlighted</source>
        <translation>高亮</translation>
    </message>
    <message>
        <source>Highlighted words</source>
        <translation>高亮的词</translation>
    </message>
    <message>
        <source>Highlighted: %1.</source>
        <translation>已高亮：%1。</translation>
    </message>
    <message>
        <source>How it was judged</source>
        <translation>判断结果</translation>
    </message>
    <message>
        <source>How relevant is this document?</source>
        <translation>这篇文档有多相关？</translation>
    </message>
    <message>
        <source>I agree and begin</source>
        <translation>同意并开始</translation>
    </message>
    <message>
        <source>I do not take part</source>
        <translation>我不参加</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Is the same</source>
        <translation>是同一人</translation>
    </message>
    <message>
        <source>It counts now.</source>
        <translation>现在计入了。</translation>
    </message>
    <message>
        <source>It goes on.</source>
        <translation>继续进行。</translation>
    </message>
    <message>
        <source>It lies among your downloads.</source>
        <translation>它在您的下载文件夹中。</translation>
    </message>
    <message>
        <source>It says: %1</source>
        <translation>它说：%1</translation>
    </message>
    <message>
        <source>It stands on every page now.</source>
        <translation>现在每个页面上都显示它。</translation>
    </message>
    <message>
        <source>It takes about %1 minutes.</source>
        <translation>大约需要 %1 分钟。</translation>
    </message>
    <message>
        <source>Items: %1.</source>
        <translation>项目数：%1。</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>Joining</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>Judge here</source>
        <translation>在这里评判</translation>
    </message>
    <message>
        <source>Judge the rest of the pool</source>
        <translation>判断池中其余文档</translation>
    </message>
    <message>
        <source>Judge together</source>
        <translation>共同评判</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Judgments</source>
        <translation>评判</translation>
    </message>
    <message>
        <source>Judgments of each document or comparison</source>
        <translation>每篇文档或每次比较的判断数</translation>
    </message>
    <message>
        <source>Judgments taken over: %1. You can go on.</source>
        <translation>已接收的评判：%1。您可以继续。</translation>
    </message>
    <message>
        <source>Keep as reason</source>
        <translation>留作理由</translation>
    </message>
    <message>
        <source>Key ignored: the document had only just appeared.</source>
        <translation>按键未生效：文档刚刚出现。</translation>
    </message>
    <message>
        <source>Key ignored: the judgment before is still being saved.</source>
        <translation>按键被忽略：前一个评判仍在保存。</translation>
    </message>
    <message>
        <source>Key ignored: the two sides had only just appeared.</source>
        <translation>按键已忽略：两侧刚刚出现。</translation>
    </message>
    <message>
        <source>Key ignored: there is nothing to judge here.</source>
        <translation>已忽略按键：这里没有可评判的内容。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Keys for</source>
        <translation>按键适用于</translation>
    </message>
    <message>
        <source>Keys of one letter, digit or sign act</source>
        <translation>单个字母、数字或符号键起作用</translation>
    </message>
    <message>
        <source>Known answers met</source>
        <translation>符合已知答案</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Last checksum</source>
        <translation>最后的校验和</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>迟到</translation>
    </message>
    <message>
        <source>Lead the session</source>
        <translation>主持会话</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Left, result %1</source>
        <translation>左侧，第 %1 个结果</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Let in again, by a new link</source>
        <translation>用新链接重新放行</translation>
    </message>
    <message>
        <source>Look through the documents</source>
        <translation>查看文档</translation>
    </message>
    <message>
        <source>Made for %1: %2.</source>
        <translation>为 %1 制作：%2。</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Matches: %1</source>
        <translation>匹配：%1</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More judgments</source>
        <translation>更多评判</translation>
    </message>
    <message>
        <source>My name may stand with my reasons. Names are shown only where everybody agrees to that.</source>
        <translation>我的姓名可以显示在我的理由旁。只有所有人都同意时才显示姓名。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>Next document</source>
        <translation>下一篇文档</translation>
    </message>
    <message>
        <source>Next highlighted place</source>
        <translation>下一处高亮</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Next topic</source>
        <translation>下一个主题</translation>
    </message>
    <message>
        <source>No connection</source>
        <translation>没有连接</translation>
    </message>
    <message>
        <source>No connection. You can go on; what you do is kept here and sent later. Not sent: %1.</source>
        <translation>没有连接。你可以继续；你的工作保存在这里，稍后发送。未发送：%1。</translation>
    </message>
    <message>
        <source>No document was judged before this one.</source>
        <translation>在此之前没有评判过文档。</translation>
    </message>
    <message>
        <source>No page shows a message any more.</source>
        <translation>页面上不再显示消息。</translation>
    </message>
    <message>
        <source>No results.</source>
        <translation>没有结果。</translation>
    </message>
    <message>
        <source>Nobody can judge in it any more. All of it is kept; what is under way is still taken.</source>
        <translation>之后无人能再评判。一切都会保留；途中的内容仍会收下。</translation>
    </message>
    <message>
        <source>None of the words stands in this document.</source>
        <translation>此文档中没有这些词。</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>正常文字大小</translation>
    </message>
    <message>
        <source>Norming rounds</source>
        <translation>校准轮次</translation>
    </message>
    <message>
        <source>Not in a file: %1</source>
        <translation>尚未存入文件：%1</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>Not judged yet: %1.</source>
        <translation>尚未评判：%1。</translation>
    </message>
    <message>
        <source>Not let in any more</source>
        <translation>不再获准进入</translation>
    </message>
    <message>
        <source>Not saved: the browser&apos;s storage refuses.</source>
        <translation>未保存：浏览器拒绝存储。</translation>
    </message>
    <message>
        <source>Not saved: the disk or the browser&apos;s storage is full.</source>
        <translation>未保存：磁盘或浏览器的存储空间已满。</translation>
    </message>
    <message>
        <source>Not saved: this task was worked on in another tab. Reload this page.</source>
        <translation>未保存：此任务已在另一个标签页中进行。请重新载入本网页。</translation>
    </message>
    <message>
        <source>Not sent yet: %1. Leave this page open.</source>
        <translation>尚未发送：%1。请不要关闭本页。</translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation>未发送：%1</translation>
    </message>
    <message>
        <source>Not taken: %1.</source>
        <translation>未被接受：%1。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Note and marks</source>
        <translation>备注和标记</translation>
    </message>
    <message>
        <source>Noted: %1, %2.</source>
        <translation>已记下：%1，%2。</translation>
    </message>
    <message>
        <source>Noted: %1, %2. %3 takes it back.</source>
        <translation>已记下：%1，%2。按 %3 撤销。</translation>
    </message>
    <message>
        <source>Noted: %1.</source>
        <translation>已记下：%1。</translation>
    </message>
    <message>
        <source>Noted: %1. %2 takes it back.</source>
        <translation>已记下：%1。%2 可撤销。</translation>
    </message>
    <message>
        <source>Notes not kept</source>
        <translation>未保存的备注</translation>
    </message>
    <message>
        <source>Notes typed and not kept: %1.</source>
        <translation>已输入但未保存的备注：%1 条。</translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation>没有匹配的文档。</translation>
    </message>
    <message>
        <source>Nothing is kept</source>
        <translation>不保留任何内容</translation>
    </message>
    <message>
        <source>Nothing to judge just now</source>
        <translation>现在没有可评判的文档</translation>
    </message>
    <message>
        <source>Nothing you did here counts. If a panel sent you, return the submission there.</source>
        <translation>你在这里所做的都不计入。如果你来自众包平台，请在那里退回任务。</translation>
    </message>
    <message>
        <source>Nothing you judged will count, and nothing more is given to you. This cannot be taken back here.</source>
        <translation>你的评判都不再计入，也不会再给你新内容。这一步无法在这里撤回。</translation>
    </message>
    <message>
        <source>Now %1. They can become more, not fewer.</source>
        <translation>现在是 %1。只能增加，不能减少。</translation>
    </message>
    <message>
        <source>Now: %1</source>
        <translation>现在：%1</translation>
    </message>
    <message>
        <source>On every page: %1</source>
        <translation>每个页面上：%1</translation>
    </message>
    <message>
        <source>On phones a task file is often shown without running. Ask for a link then.</source>
        <translation>在手机上，任务文件常常只被显示而不运行。这时请索取链接。</translation>
    </message>
    <message>
        <source>One document stands on the page.</source>
        <translation>页面上只有一篇文档。</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>请稍候</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Open a result file to go on from</source>
        <translation>打开结果文件以继续</translation>
    </message>
    <message>
        <source>Open a round</source>
        <translation>开始一轮</translation>
    </message>
    <message>
        <source>Open documents at their best passage</source>
        <translation>打开文档时显示最佳段落</translation>
    </message>
    <message>
        <source>Open in a new tab</source>
        <translation>在新标签页中打开</translation>
    </message>
    <message>
        <source>Open this address?</source>
        <translation>打开这个地址？</translation>
    </message>
    <message>
        <source>Open this page by the link of the panel.</source>
        <translation>请通过参与者平台给出的链接打开本页。</translation>
    </message>
    <message>
        <source>Others are still at it. Nothing of it is shown to anybody before the round is closed for all.</source>
        <translation>其他人仍在判断。本轮对所有人关闭之前，不会向任何人显示任何结果。</translation>
    </message>
    <message>
        <source>Others hold the last ones. You get the next one that comes free; this page goes on by itself.</source>
        <translation>最后几项在别人手里。一有空出的就会给您；本页会自动继续。</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Paused: nothing new is given out, and every page says so.</source>
        <translation>已暂停：不再分发新内容，每个页面都会说明。</translation>
    </message>
    <message>
        <source>People</source>
        <translation>人员</translation>
    </message>
    <message>
        <source>People judge more of the same. Nothing of what you did here was kept or sent.</source>
        <translation>参与者会评判更多类似内容。你在这里所做的没有保留，也没有发送。</translation>
    </message>
    <message>
        <source>People: %1</source>
        <translation>人员：%1</translation>
    </message>
    <message>
        <source>Press the new key. Esc leaves it as it is.</source>
        <translation>请按新的按键。Esc 保持不变。</translation>
    </message>
    <message>
        <source>Preview as a participant</source>
        <translation>以参与者身份预览</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一篇</translation>
    </message>
    <message>
        <source>Previous highlighted place</source>
        <translation>上一处高亮</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Put on the desk</source>
        <translation>放到评判页</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Reasons kept: %1</source>
        <translation>已保存的理由：%1 条</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>回执</translation>
    </message>
    <message>
        <source>Receipt %1</source>
        <translation>回执 %1</translation>
    </message>
    <message>
        <source>Recorded as identical and not shown: %1.</source>
        <translation>记为相同而未显示：%1。</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Result file</source>
        <translation>结果文件</translation>
    </message>
    <message>
        <source>Revoke the link</source>
        <translation>撤销链接</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Right, result %1</source>
        <translation>右侧，第 %1 个结果</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Round %1 is closed</source>
        <translation>第 %1 轮已关闭</translation>
    </message>
    <message>
        <source>Round %1 is closed for all.</source>
        <translation>第 %1 轮已对所有人关闭。</translation>
    </message>
    <message>
        <source>Round %1 is closed. Its first document is on every page.</source>
        <translation>第 %1 轮已关闭。其第一篇文档显示在每个页面上。</translation>
    </message>
    <message>
        <source>Round %1 is open: %2 documents.</source>
        <translation>第 %1 轮开始：%2 篇文档。</translation>
    </message>
    <message>
        <source>Round %1 is open: %2 of %3 judgments.</source>
        <translation>第 %1 轮进行中：判断 %2/%3。</translation>
    </message>
    <message>
        <source>Round %1, by grade (α):</source>
        <translation>第 %1 轮，各等级（α）：</translation>
    </message>
    <message>
        <source>Round %1, document %2 of %3</source>
        <translation>第 %1 轮，第 %2 篇文档（共 %3 篇）</translation>
    </message>
    <message>
        <source>Round %1, split:</source>
        <translation>第 %1 轮，意见分歧：</translation>
    </message>
    <message>
        <source>Save details</source>
        <translation>保存详细信息</translation>
    </message>
    <message>
        <source>Save often, and open the result file here to go on. Or use another browser.</source>
        <translation>请经常保存，并在这里打开结果文件继续。或者换一个浏览器。</translation>
    </message>
    <message>
        <source>Save receipt</source>
        <translation>保存回执</translation>
    </message>
    <message>
        <source>Save result</source>
        <translation>保存结果</translation>
    </message>
    <message>
        <source>Save the result now and then (%1), and send the file back at the end.</source>
        <translation>请不时保存结果（%1），最后把文件寄回。</translation>
    </message>
    <message>
        <source>Save what is here in a file</source>
        <translation>把此处的内容保存为文件</translation>
    </message>
    <message>
        <source>Save what is here, then take the file</source>
        <translation>先保存这里的内容，再采用该文件</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Saved: %1, %2.</source>
        <translation>已保存：%1，%2。</translation>
    </message>
    <message>
        <source>Saved: %1, %2. %3 takes it back.</source>
        <translation>已保存：%1，%2。按 %3 撤销。</translation>
    </message>
    <message>
        <source>Saved: %1.</source>
        <translation>已保存：%1。</translation>
    </message>
    <message>
        <source>Saved: %1. %2 takes it back.</source>
        <translation>已保存：%1。按 %2 撤销。</translation>
    </message>
    <message>
        <source>Say to all</source>
        <translation>告诉所有人</translation>
    </message>
    <message>
        <source>Scroll both sides to their end, or open a result of each, first.</source>
        <translation>请先将两侧滚动到底，或各打开一个结果。</translation>
    </message>
    <message>
        <source>Scroll the left side to its end, or open a result of it, first.</source>
        <translation>请先将左侧滚动到底，或打开其中一个结果。</translation>
    </message>
    <message>
        <source>Scroll the right side to its end, or open a result of it, first.</source>
        <translation>请先将右侧滚动到底，或打开其中一个结果。</translation>
    </message>
    <message>
        <source>Search in the collection</source>
        <translation>在文档集中搜索</translation>
    </message>
    <message>
        <source>Seats free now: %1.</source>
        <translation>已释放座位：%1。</translation>
    </message>
    <message>
        <source>Seconds each</source>
        <translation>每个秒数</translation>
    </message>
    <message>
        <source>Select a word in the document first.</source>
        <translation>请先在文档中选中一个词。</translation>
    </message>
    <message>
        <source>Select fewer words: at most %1 letters can be highlighted.</source>
        <translation>请少选一些文字：最多可高亮 %1 个字符。</translation>
    </message>
    <message>
        <source>Select the words that are the reason first.</source>
        <translation>请先选中作为理由的文字。</translation>
    </message>
    <message>
        <source>Send the answers</source>
        <translation>发送回答</translation>
    </message>
    <message>
        <source>Send this file back: %1</source>
        <translation>请将此文件发回：%1</translation>
    </message>
    <message>
        <source>Set aside</source>
        <translation>已搁置</translation>
    </message>
    <message>
        <source>Set aside: nothing counts, others get the documents</source>
        <translation>搁置：都不计入，文档交给别人</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Several documents of a topic on one page</source>
        <translation>一页显示同一主题的多篇文档</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全文</translation>
    </message>
    <message>
        <source>Show narrative</source>
        <translation>显示详细说明</translation>
    </message>
    <message>
        <source>Show nothing</source>
        <translation>不显示文档</translation>
    </message>
    <message>
        <source>Show pages as pictures</source>
        <translation>以图片显示页面</translation>
    </message>
    <message>
        <source>Shown from the best passage.</source>
        <translation>从最佳段落开始显示。</translation>
    </message>
    <message>
        <source>Size of the text</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Somebody else judges here</source>
        <translation>换一个人在这里评判</translation>
    </message>
    <message>
        <source>Something went wrong in this page. What was said to be saved is saved.</source>
        <translation>本网页出了错。已显示为保存的内容都已保存。</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分歧</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Stay here</source>
        <translation>留在这里</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>收回</translation>
    </message>
    <message>
        <source>Taken back: %1.</source>
        <translation>已撤销：%1。</translation>
    </message>
    <message>
        <source>Taken back: %1. %2 brings it back.</source>
        <translation>已撤销：%1。按 %2 重做。</translation>
    </message>
    <message>
        <source>Talk about it. The next round begins by itself here.</source>
        <translation>请讨论。下一轮会在这里自动开始。</translation>
    </message>
    <message>
        <source>Talk about it: why this grade? Nobody is asked to give way.</source>
        <translation>请讨论：为什么给这个等级？不要求任何人让步。</translation>
    </message>
    <message>
        <source>Thank you</source>
        <translation>谢谢</translation>
    </message>
    <message>
        <source>Thank you.</source>
        <translation>谢谢。</translation>
    </message>
    <message>
        <source>That is about %1 at your pace.</source>
        <translation>按目前速度约需 %1。</translation>
    </message>
    <message>
        <source>That was all.</source>
        <translation>全部完成。</translation>
    </message>
    <message>
        <source>The chosen file is written by itself.</source>
        <translation>所选文件会自动写入。</translation>
    </message>
    <message>
        <source>The code is not right. Compare it with the one that is shown.</source>
        <translation>代码不对。请与显示的代码核对。</translation>
    </message>
    <message>
        <source>The code shows what was lost or changed by accident, not a log that somebody wrote anew.</source>
        <translation>回执码能显示意外丢失或改动的内容，但不能识别重新写成的日志。</translation>
    </message>
    <message>
        <source>The collection can be searched in sessions that allow it.</source>
        <translation>只有允许搜索的评判会话才能搜索文档集。</translation>
    </message>
    <message>
        <source>The first %1 actions are sound.</source>
        <translation>前 %1 个操作完好。</translation>
    </message>
    <message>
        <source>The first ones are on their way.</source>
        <translation>第一批正在送来。</translation>
    </message>
    <message>
        <source>The first round has not begun</source>
        <translation>第一轮尚未开始</translation>
    </message>
    <message>
        <source>The line says how many it were in the round before.</source>
        <translation>虚线表示上一轮的数量。</translation>
    </message>
    <message>
        <source>The link as a code to scan</source>
        <translation>链接的二维码</translation>
    </message>
    <message>
        <source>The link before lets nobody in any more.</source>
        <translation>之前的链接不再有效。</translation>
    </message>
    <message>
        <source>The note is not kept yet; Enter keeps it.</source>
        <translation>备注尚未保存；按 Enter 保存。</translation>
    </message>
    <message>
        <source>The result file could not be written: %1</source>
        <translation>无法写入结果文件：%1</translation>
    </message>
    <message>
        <source>The rounds are over.</source>
        <translation>轮次已结束。</translation>
    </message>
    <message>
        <source>The rounds are over; the rest of the pool is judged.</source>
        <translation>轮次已结束；正在判断池中其余文档。</translation>
    </message>
    <message>
        <source>The same again</source>
        <translation>同样的文档再来一轮</translation>
    </message>
    <message>
        <source>The same person as</source>
        <translation>与谁是同一人</translation>
    </message>
    <message>
        <source>The scale has no grade %1.</source>
        <translation>评分表中没有等级 %1。</translation>
    </message>
    <message>
        <source>The screen stays, and so does what you did: %1 tries again.</source>
        <translation>画面不变，您做的也还在：%1 再试一次。</translation>
    </message>
    <message>
        <source>The server does not answer. Is this device in the right network?</source>
        <translation>服务器没有回应。这台设备连的是正确的网络吗？</translation>
    </message>
    <message>
        <source>The server does not answer. This page tries again by itself.</source>
        <translation>服务器没有响应。此页面会自动重试。</translation>
    </message>
    <message>
        <source>The server does not answer. Try again in a moment.</source>
        <translation>服务器没有应答。请稍后再试。</translation>
    </message>
    <message>
        <source>The server does not answer. Try again.</source>
        <translation>服务器没有回应。请再试一次。</translation>
    </message>
    <message>
        <source>The server does not answer. What you did is kept in this browser.</source>
        <translation>服务器没有回应。你的工作保存在这个浏览器里。</translation>
    </message>
    <message>
        <source>The server has much to do just now. What you did is kept in this browser, and this page tries again by itself.</source>
        <translation>服务器正忙。你的工作保存在这个浏览器里，本页会自动再试。</translation>
    </message>
    <message>
        <source>The server has much to do just now. You can go on; what you do is kept here and sent later. Not sent: %1.</source>
        <translation>服务器正忙。你可以继续；你的工作保存在这里，稍后发送。未发送：%1。</translation>
    </message>
    <message>
        <source>The server is another one now. Reload this page; nothing is lost by that.</source>
        <translation>服务器已换成另一个版本。请重新载入本页；不会丢失任何内容。</translation>
    </message>
    <message>
        <source>The server says: %1</source>
        <translation>服务器说：%1</translation>
    </message>
    <message>
        <source>The session has ended</source>
        <translation>评判已结束</translation>
    </message>
    <message>
        <source>The session has ended.</source>
        <translation>评判已结束。</translation>
    </message>
    <message>
        <source>The session is full.</source>
        <translation>人数已满。</translation>
    </message>
    <message>
        <source>There is no more on this page.</source>
        <translation>这一页上没有更多文档了。</translation>
    </message>
    <message>
        <source>There is nothing to hand in yet: nothing is judged.</source>
        <translation>还没有可提交的内容：尚无判断。</translation>
    </message>
    <message>
        <source>They are one person now. No judgment was changed.</source>
        <translation>现在他们算作一人。没有改动任何评判。</translation>
    </message>
    <message>
        <source>This browser does not let a page copy. Select the words and copy them.</source>
        <translation>此浏览器不允许页面复制。请选中文字自行复制。</translation>
    </message>
    <message>
        <source>This browser holds work that is not in %1, and the file holds work that is not here. Go on with one of them; send both back.</source>
        <translation>此浏览器中有 %1 里没有的工作，而该文件中也有这里没有的工作。请用其中一个继续；两个都寄回。</translation>
    </message>
    <message>
        <source>This browser keeps nothing.</source>
        <translation>此浏览器不保存任何内容。</translation>
    </message>
    <message>
        <source>This document has all the judgments it needs, or cannot be judged now.</source>
        <translation>这篇文档已有足够的评判，或现在不能评判。</translation>
    </message>
    <message>
        <source>This document has no pages as pictures.</source>
        <translation>此文档没有页面图片。</translation>
    </message>
    <message>
        <source>This file has the first %1 of them.</source>
        <translation>此文件只有其中的前 %1 页。</translation>
    </message>
    <message>
        <source>This is a preview: nothing is kept, and nothing is sent.</source>
        <translation>这是预览：不保留，也不发送任何内容。</translation>
    </message>
    <message>
        <source>This key is taken: %1.</source>
        <translation>此按键已被占用：%1。</translation>
    </message>
    <message>
        <source>This key moves or edits; choose another.</source>
        <translation>此按键用于移动或编辑；请选择别的按键。</translation>
    </message>
    <message>
        <source>This link does not lead the session. Take the one that the server printed.</source>
        <translation>此链接不能主持会话。请使用服务器打印的链接。</translation>
    </message>
    <message>
        <source>This link leads out of the page. Whoever runs that address can see that you came.</source>
        <translation>此链接通向网页之外。该地址的运营者会看到您的访问。</translation>
    </message>
    <message>
        <source>This page is not encrypted: others in this network could read along.</source>
        <translation>本页未加密：同一网络中的其他人可能会看到内容。</translation>
    </message>
    <message>
        <source>This reason is kept already.</source>
        <translation>这条理由已经保存。</translation>
    </message>
    <message>
        <source>This session is joined by personal links. Open yours.</source>
        <translation>本次评判须用个人链接加入。请打开你自己的链接。</translation>
    </message>
    <message>
        <source>This tab only reads.</source>
        <translation>此标签页只能阅读。</translation>
    </message>
    <message>
        <source>This task is open in another tab. This one only reads.</source>
        <translation>此任务已在另一个标签页中打开。这个标签页只能阅读。</translation>
    </message>
    <message>
        <source>This topic</source>
        <translation>本主题</translation>
    </message>
    <message>
        <source>Those still split</source>
        <translation>仍有分歧的文档</translation>
    </message>
    <message>
        <source>Too late to count</source>
        <translation>过迟未计入</translation>
    </message>
    <message>
        <source>Too many people join from this network at once. Wait a minute, then try again.</source>
        <translation>同时从这个网络加入的人太多。请等一分钟再试。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topic %1 of %2</source>
        <translation>第 %1 个主题，共 %2 个</translation>
    </message>
    <message>
        <source>Topic %1, %2 of %3</source>
        <translation>主题 %1，第 %2 个，共 %3 个</translation>
    </message>
    <message>
        <source>Topic done: %1</source>
        <translation>主题完成：%1</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Two different works</source>
        <translation>两份不同的工作</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Usual key of: %1</source>
        <translation>默认按键：%1</translation>
    </message>
    <message>
        <source>Wanted until %1.</source>
        <translation>截止日期：%1。</translation>
    </message>
    <message>
        <source>What you did is kept in this browser and sent when the connection is back.</source>
        <translation>你的工作保存在这个浏览器里，恢复连接后发送。</translation>
    </message>
    <message>
        <source>What you do is sent at once. It is saved when the count says that all is sent.</source>
        <translation>你的工作会立即发送。显示“已全部发送”时即已保存。</translation>
    </message>
    <message>
        <source>What you judged is kept and does not count.</source>
        <translation>你的评判会保留，但不计入。</translation>
    </message>
    <message>
        <source>Which document answers the topic better?</source>
        <translation>哪篇文档更好地回答了主题？</translation>
    </message>
    <message>
        <source>Which documents are listed</source>
        <translation>列出哪些文档</translation>
    </message>
    <message>
        <source>Which side answers the topic better?</source>
        <translation>哪一侧更好地回答了主题？</translation>
    </message>
    <message>
        <source>Whoever leads paused the session. This page goes on by itself.</source>
        <translation>主持人已暂停评判。本页会自动继续。</translation>
    </message>
    <message>
        <source>Whoever leads says: %1</source>
        <translation>主持人说：%1</translation>
    </message>
    <message>
        <source>Whoever leads sees your name. In the judgments stands a code in its place.</source>
        <translation>主持人能看到你的姓名。评判记录里只有一个代号。</translation>
    </message>
    <message>
        <source>Whoever leads the session sees it; others do not.</source>
        <translation>只有主持人能看到，别人看不到。</translation>
    </message>
    <message>
        <source>Whoever leads took you out, or your submission was returned or ran out of time. Nothing more is given to you here.</source>
        <translation>主持人将你移出，或者你的任务已退回或超时。这里不会再给你新内容。</translation>
    </message>
    <message>
        <source>Why can it not be judged?</source>
        <translation>为什么无法判断？</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Withdraw?</source>
        <translation>确定退出？</translation>
    </message>
    <message>
        <source>Without a connection it is kept in this browser, and sent when the connection is back.</source>
        <translation>没有连接时，工作保存在这个浏览器里，恢复连接后发送。</translation>
    </message>
    <message>
        <source>Words to search for</source>
        <translation>要搜索的词语</translation>
    </message>
    <message>
        <source>Words, or the beginning of an id</source>
        <translation>词语，或编号的开头</translation>
    </message>
    <message>
        <source>Write your name as it stands on the list.</source>
        <translation>请按名单上的写法填写姓名。</translation>
    </message>
    <message>
        <source>You are here already, in another browser: %1 judged. Go on there, or ask whoever leads to let you in here.</source>
        <translation>你已在另一个浏览器中参与：已评判 %1 项。请在那里继续，或请主持人让您在这里进入。</translation>
    </message>
    <message>
        <source>You are not let in any more: your link was replaced or revoked. Ask whoever leads.</source>
        <translation>你不能再进入：你的链接已被更换或撤销。请询问主持人。</translation>
    </message>
    <message>
        <source>You are through with round %1</source>
        <translation>您已完成第 %1 轮</translation>
    </message>
    <message>
        <source>You can hand in all the same and go on later.</source>
        <translation>仍可以现在提交，之后再继续。</translation>
    </message>
    <message>
        <source>You do not take part</source>
        <translation>你未参加</translation>
    </message>
    <message>
        <source>You work in another window too. Reload this page to see all of it.</source>
        <translation>你也在另一个窗口里工作。重新载入本页即可看到全部。</translation>
    </message>
    <message>
        <source>Your answers are sent. Thank you.</source>
        <translation>你的回答已发送。谢谢。</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>你的姓名</translation>
    </message>
    <message>
        <source>Your work</source>
        <translation>您的工作</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>你的</translation>
    </message>
    <message>
        <source>Yours: %1</source>
        <translation>您的：%1</translation>
    </message>
    <message>
        <source>Yours: %1 of %2</source>
        <translation>你的：%1 / %2</translation>
    </message>
    <message>
        <source>Yours: %1, everybody: %2 of %3</source>
        <translation>你的：%1，全体：%2/%3</translation>
    </message>
    <message>
        <source>a note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>a reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>about %1 left at your pace</source>
        <translation>按目前速度还需约 %1</translation>
    </message>
    <message>
        <source>about equal</source>
        <translation>差不多</translation>
    </message>
    <message>
        <source>all said the same</source>
        <translation>大家的说法完全一致</translation>
    </message>
    <message>
        <source>as the browser</source>
        <translation>跟随浏览器</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>away</source>
        <translation>离开</translation>
    </message>
    <message>
        <source>both hands</source>
        <translation>双手</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>cannot be judged (%1)</source>
        <translation>无法判断（%1）</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>failed checks</source>
        <translation>未通过检查</translation>
    </message>
    <message>
        <source>grade %1</source>
        <translation>等级 %1</translation>
    </message>
    <message>
        <source>has a note</source>
        <translation>有备注</translation>
    </message>
    <message>
        <source>here</source>
        <translation>在场</translation>
    </message>
    <message>
        <source>in the round before: %1</source>
        <translation>上一轮：%1</translation>
    </message>
    <message>
        <source>irjudge export PROJECT --approvals -o PAID.csv lists whom to approve and whom to reject, with the reasons.</source>
        <translation>irjudge export PROJECT --approvals -o PAID.csv 列出应批准和应拒绝的人，并附理由。</translation>
    </message>
    <message>
        <source>keys judge this one</source>
        <translation>按键判断这一篇</translation>
    </message>
    <message>
        <source>left better</source>
        <translation>左侧较好</translation>
    </message>
    <message>
        <source>left much better</source>
        <translation>左侧好得多</translation>
    </message>
    <message>
        <source>light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>right better</source>
        <translation>右侧较好</translation>
    </message>
    <message>
        <source>right much better</source>
        <translation>右侧好得多</translation>
    </message>
    <message>
        <source>says who is ready</source>
        <translation>用于确定谁已准备好</translation>
    </message>
    <message>
        <source>set aside</source>
        <translation>已搁置</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>skipped for now</source>
        <translation>暂时跳过</translation>
    </message>
    <message>
        <source>the left hand alone</source>
        <translation>仅用左手</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>you</source>
        <translation>您</translation>
    </message>
    <message>
        <source>your grade: %1</source>
        <translation>您的等级：%1</translation>
    </message>
    <message>
        <source>⚑ unsure</source>
        <translation>⚑ 不确定</translation>
    </message>
    <message>
        <source>⚠ Changed since it was handed in; hand in again for a new receipt.</source>
        <translation>⚠ 提交后有改动；请再次提交以获得新的回执。</translation>
    </message>
    <message>
        <source>⚠ This browser keeps nothing for local pages: what is not in a saved result file is gone when this page is closed.</source>
        <translation>⚠ 此浏览器不为本地网页保存任何内容：没有存入结果文件的内容在关闭本网页后就会丢失。</translation>
    </message>
    <message>
        <source>⚠ This browser keeps nothing: without a connection, leave this page open.</source>
        <translation>⚠ 这个浏览器不保存任何内容：没有连接时，请不要关闭本页。</translation>
    </message>
    <message>
        <source>⚠ Too late to count: %1. Others had judged those by then; yours are kept.</source>
        <translation>⚠ 过迟未计入：%1。那时别人已评判过；你的会保留。</translation>
    </message>
</context>
<context>
    <name>WhatIf</name>
    <message>
        <source>All judged documents of grade 1 or more, best first. The ranking has them all.</source>
        <translation>所有 1 级或以上的已判断文档，最好者在前。排序中全都有。</translation>
    </message>
    <message>
        <source>All judged documents of grade 1 or more, best first. The ranking lacks %1.</source>
        <translation>所有 1 级或以上的已判断文档，最好者在前。排序中缺少 %1。</translation>
    </message>
    <message>
        <source>Drag a document, or move it with Alt ↑ ↓.</source>
        <translation>拖动文档，或用 Alt ↑ ↓ 移动。</translation>
    </message>
    <message>
        <source>Drag a document, or move it with Alt ↑ ↓. A digit grades it, Delete makes it unjudged, Enter opens it.</source>
        <translation>拖动文档，或用 Alt ↑ ↓ 移动。数字键给出等级，Delete 键使其成为未判断，回车键打开。</translation>
    </message>
    <message>
        <source>Ideal ranking</source>
        <translation>理想排序</translation>
    </message>
    <message>
        <source>No document gains anything.</source>
        <translation>没有文档带来增益。</translation>
    </message>
    <message>
        <source>Nothing here changes the project.</source>
        <translation>这里的任何操作都不会改变项目。</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Type the steps into the blanks, as many as you like; the check finds the first that is wrong.</source>
        <translation>请在空格中填写步骤，多少随意；检查会找出第一个错误。</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>(read-only)</source>
        <translation>（只读）</translation>
    </message>
    <message>
        <source>A session is running</source>
        <translation>共同评判正在进行</translation>
    </message>
    <message>
        <source>Browsers judge in it. All that was sent is saved, and it can go on when the project is opened again.</source>
        <translation>有人正在浏览器中评判。已发送的都已保存，再次打开项目后可以继续。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close and lose it</source>
        <translation>关闭并放弃</translation>
    </message>
    <message>
        <source>Closing stops it: what is not written whole is not there.</source>
        <translation>关闭会使其中止：没有写完的不会保留。</translation>
    </message>
    <message>
        <source>It is open here for reading.</source>
        <translation>这里以只读方式打开。</translation>
    </message>
    <message>
        <source>Making the project</source>
        <translation>正在创建项目</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Not everything is saved</source>
        <translation>尚未全部保存</translation>
    </message>
    <message>
        <source>Something is being written.</source>
        <translation>正在写入。</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
    <message>
        <source>Stop it and close</source>
        <translation>中止并关闭</translation>
    </message>
    <message>
        <source>Under way: %1. Closing stops it: what is not written whole is not there.</source>
        <translation>进行中：%1。关闭会使其中止：没有写完的不会保留。</translation>
    </message>
    <message>
        <source>What you did last is not on disk. Stay, and try again once there is room or the file is back.</source>
        <translation>最后的操作还没有写入磁盘。请留下，等磁盘有空间或文件恢复后再试。</translation>
    </message>
    <message>
        <source>Work is under way</source>
        <translation>工作正在进行</translation>
    </message>
</context>
<context>
    <name>WorkSign</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compute again</source>
        <translation>重新计算</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>Stopped: the page is not whole.</source>
        <translation>已停止：本页不完整。</translation>
    </message>
    <message>
        <source>The page is being made</source>
        <translation>正在生成本页</translation>
    </message>
</context>
<context>
    <name>WrittenFile</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>显示所在文件夹</translation>
    </message>
</context>
<context>
    <name>_DocumentCard</name>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 篇，共 %2 篇</translation>
    </message>
    <message>
        <source>cannot be judged (%1)</source>
        <translation>无法判断（%1）</translation>
    </message>
    <message>
        <source>goes on below</source>
        <translation>下面还有</translation>
    </message>
    <message>
        <source>keys judge this one</source>
        <translation>按键判断这一篇</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>未判断</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
</context>
</TS>
