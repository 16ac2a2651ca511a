<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Action</name>
    <message>
        <source>Add runs</source>
        <translation>添加检索结果</translation>
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
        <source>All shortcuts</source>
        <translation>全部快捷键</translation>
    </message>
    <message>
        <source>Assessors</source>
        <translation>评判员</translation>
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
        <source>Correlate</source>
        <translation>相关系数</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>评测</translation>
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
        <source>Find in the guide</source>
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
        <source>Give the rest to others</source>
        <translation>将剩余部分交给他人</translation>
    </message>
    <message>
        <source>Guides</source>
        <translation>指南</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Import judgments</source>
        <translation>导入判断</translation>
    </message>
    <message>
        <source>Import qrels</source>
        <translation>导入 qrels</translation>
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
        <source>Merge files</source>
        <translation>合并文件</translation>
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
        <source>Open project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Open the project anew</source>
        <translation>重新打开项目</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>偏好</translation>
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
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Save figure</source>
        <translation>保存图形</translation>
    </message>
    <message>
        <source>Set aside or count again</source>
        <translation>排除或重新计入</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
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
        <source>Write files</source>
        <translation>写出文件</translation>
    </message>
    <message>
        <source>Write workbook</source>
        <translation>写出工作簿</translation>
    </message>
    <message>
        <source>about equal</source>
        <translation>差不多</translation>
    </message>
    <message>
        <source>best passage</source>
        <translation>最佳段落</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>decide later</source>
        <translation>稍后裁定</translation>
    </message>
    <message>
        <source>documents of a topic</source>
        <translation>某个主题的文档</translation>
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
        <source>hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>hide or show names</source>
        <translation>隐藏或显示姓名</translation>
    </message>
    <message>
        <source>highlight a word</source>
        <translation>高亮一个词</translation>
    </message>
    <message>
        <source>keep selection as reason</source>
        <translation>将所选文字记为理由</translation>
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
        <source>next highlighted place</source>
        <translation>下一处高亮</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>open the result</source>
        <translation>打开该结果</translation>
    </message>
    <message>
        <source>previous highlighted place</source>
        <translation>上一处高亮</translation>
    </message>
    <message>
        <source>redo</source>
        <translation>重做</translation>
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
        <source>save a copy</source>
        <translation>保存副本</translation>
    </message>
    <message>
        <source>scroll together or not</source>
        <translation>同步滚动或分别滚动</translation>
    </message>
    <message>
        <source>skip for now</source>
        <translation>暂时跳过</translation>
    </message>
    <message>
        <source>the document judged before</source>
        <translation>上一篇判断过的文档</translation>
    </message>
    <message>
        <source>try again to save</source>
        <translation>再次尝试保存</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>unsure</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>where the same documents stand</source>
        <translation>相同文档所在的位置</translation>
    </message>
    <message>
        <source>write why</source>
        <translation>写明原因</translation>
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
        <source>All is decided, and every decision is on disk. The consensus follows them. Documents: %1.</source>
        <translation>已全部裁定，每条裁定都已写入磁盘。共识以裁定为准。文档：%1 篇。</translation>
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
        <source>Topic and document</source>
        <translation>主题与文档</translation>
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
        <source>Given up: it was not saved.</source>
        <translation>已放弃：没有保存。</translation>
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
        <source>Documents with two grades or more, of all: only they say something about agreement</source>
        <translation>带两个或更多等级的文档（占全部文档）：只有它们才能反映一致性</translation>
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
        <source>Grade</source>
        <translation>等级</translation>
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
        <source>The systems cannot be told apart by this measure, so that they have no order.</source>
        <translation>用该指标无法区分各系统，因此它们没有顺序。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
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
    <name>AssessorsView</name>
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
        <source>Assign the pool</source>
        <translation>分配文档池</translation>
    </message>
    <message>
        <source>Assigned</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Build a pool on the collection page first. Then name the assessors, and each gets a file.</source>
        <translation>请先在文档集页面建立文档池。然后写明评判员，每人会得到一个文件。</translation>
    </message>
    <message>
        <source>Copy of the project as it was before: %1.</source>
        <translation>项目此前的副本：%1。</translation>
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
        <source>Each assessor gets a file of their own. It comes back by mail or on a stick, and is merged here.</source>
        <translation>每位评判员得到一个自己的文件。文件通过邮件或 U 盘交回，在这里合并。</translation>
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
        <source>Handed in</source>
        <translation>已提交</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Known</source>
        <translation>已知</translation>
    </message>
    <message>
        <source>Last merge</source>
        <translation>上次合并</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Median active time of a judgment</source>
        <translation>一次判断的有效时间中位数</translation>
    </message>
    <message>
        <source>Merging</source>
        <translation>正在合并</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新增</translation>
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
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
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
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>What the last merge said</source>
        <translation>上次合并的说明</translation>
    </message>
    <message>
        <source>What the last merge took</source>
        <translation>上次合并取入的内容</translation>
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
        <source>Assessors</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>截止日期</translation>
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
        <source>Gold</source>
        <translation>已知答案</translation>
    </message>
    <message>
        <source>How many assessors judge a document</source>
        <translation>每篇文档由几位评判员判断</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
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
        <source>They</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>What assessors do</source>
        <translation>评判员做什么</translation>
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
        <source>grade documents</source>
        <translation>给文档评级</translation>
    </message>
    <message>
        <source>known answers first</source>
        <translation>个已知答案在先</translation>
    </message>
    <message>
        <source>shown twice</source>
        <translation>篇第二次显示</translation>
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
        <source>Documents to judge</source>
        <translation>待判断的文档</translation>
    </message>
    <message>
        <source>Documents: %1 · topics: %2 · runs: %3</source>
        <translation>文档：%1 篇 · 主题：%2 个 · 检索结果：%3 个</translation>
    </message>
    <message>
        <source>Documents: %1, by %5 from the top %2 of each run (runs: %3); judged: %4.</source>
        <translation>文档：%1 篇，用 %5 取自每个检索结果的前 %2 位（检索结果：%3 个）；已判断：%4 篇。</translation>
    </message>
    <message>
        <source>Documents: %1, from the top %2 of each run (runs: %3); judged: %4.</source>
        <translation>文档：%1 篇，取自每个检索结果的前 %2 位（检索结果：%3 个）；已判断：%4 篇。</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>Judged</source>
        <translation>已判断</translation>
    </message>
    <message>
        <source>Judged with grade 1 or more</source>
        <translation>判断为 1 级或以上</translation>
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
        <source>No pool yet. It is the list of documents to judge: the top of every run.</source>
        <translation>还没有文档池。文档池是待判断文档的清单，由每个检索结果的前几位组成。</translation>
    </message>
    <message>
        <source>None yet. Judge documents, or import a file.</source>
        <translation>还没有。请判断文档，或导入文件。</translation>
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
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>%1 is better than %2 by %3, beyond what chance explains.</source>
        <translation>按 %3，%1 优于 %2，差异超出随机所能解释的范围。</translation>
    </message>
    <message>
        <source>%2 is better than %1 by %3, beyond what chance explains.</source>
        <translation>按 %3，%2 优于 %1，差异超出随机所能解释的范围。</translation>
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
        <source>Its mean</source>
        <translation>对照平均</translation>
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
        <source>Pairs of runs</source>
        <translation>检索结果对</translation>
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
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>Document</source>
        <translation>文档</translation>
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
        <source> Averaged over %1.</source>
        <translation> 对 %1取平均。</translation>
    </message>
    <message>
        <source> Qrels: %1.</source>
        <translation> qrels：%1。</translation>
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
        <source> What follows it waits for a whole copy of the file.</source>
        <translation> 其后的内容等待文件的完整副本。</translation>
    </message>
    <message>
        <source> Where left and right are documents of a topic, say --documents.</source>
        <translation> 如果左右两侧是同一主题的文档，请写 --documents。</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 等，另有 %1 个</translation>
    </message>
    <message>
        <source> and at most %1</source>
        <translation> 且不大于 %1</translation>
    </message>
    <message>
        <source> and more</source>
        <translation>等</translation>
    </message>
    <message>
        <source> in a %1</source>
        <translation>，%1内</translation>
    </message>
    <message>
        <source> in a tar archive</source>
        <translation> 在 tar 压缩包内</translation>
    </message>
    <message>
        <source> in a zip archive</source>
        <translation>，zip 压缩包内</translation>
    </message>
    <message>
        <source> looked at</source>
        <translation> 已查看</translation>
    </message>
    <message>
        <source> … (%1 in all)</source>
        <translation> ……（共 %1 个）</translation>
    </message>
    <message>
        <source>&quot;%1&quot; names no column, expected pairs like %2=NAME with %3 in front.</source>
        <translation>“%1”没有指明列，应为 %2=列名 这样的配对，前面是 %3。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; turns no grade into another, expected pairs like 1:4, the grade in the file and what it becomes.</source>
        <translation>“%1”没有把等级改为另一等级，应为 1:4 这样的配对，即文件中的等级和改成的等级。</translation>
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
        <source>%1 %2 is not UTF-8</source>
        <translation>%1 %2 不是 UTF-8</translation>
    </message>
    <message>
        <source>%1 %2 is not a number</source>
        <translation>%1 %2 不是数字</translation>
    </message>
    <message>
        <source>%1 %2 is not a whole number</source>
        <translation>%1 %2 不是整数</translation>
    </message>
    <message>
        <source>%1 %2 is not known; %3 are %4.</source>
        <translation>没有名为 %2 的 %1；%3 %4。</translation>
    </message>
    <message>
        <source>%1 %2 is too large, expected %3 digits at most</source>
        <translation>%1 %2 过大，最多应为 %3 位数字</translation>
    </message>
    <message>
        <source>%1 %2 is too large, expected less than %3</source>
        <translation>%1 %2 过大，应小于 %3</translation>
    </message>
    <message>
        <source>%1 %2 left out: %3.</source>
        <translation>%1 %2 已略去：%3。</translation>
    </message>
    <message>
        <source>%1 %2, topic %3: it names a document that the project does not know.</source>
        <translation>%1 %2，主题 %3：其中的一篇文档不在项目中。</translation>
    </message>
    <message>
        <source>%1 %2, topic %3: its columns differ in length.</source>
        <translation>%1 %2，主题 %3：各列长度不一。</translation>
    </message>
    <message>
        <source>%1 (1 to %2, as relevance files of SMART count them) or %3 (%4)</source>
        <translation>%1（1 到 %2，SMART 的相关性文件如此计数）或 %3（%4）</translation>
    </message>
    <message>
        <source>%1 (grade %2)</source>
        <translation>%1（等级 %2）</translation>
    </message>
    <message>
        <source>%1 (pairs: %2)</source>
        <translation>%1（%2 对）</translation>
    </message>
    <message>
        <source>%1 = %2 / 0, which is taken as 0: %3 is 0</source>
        <translation>%1 = %2 / 0，按 0 计：%3 为 0</translation>
    </message>
    <message>
        <source>%1 Gold there cannot tell an assessor who calls everything relevant; import qrels with documents that are not.</source>
        <translation>%1 那里的已知答案无法识别把一切都称为相关的评判员；请导入含有不相关文档的 qrels。</translation>
    </message>
    <message>
        <source>%1 against %2, %3</source>
        <translation>%1 与 %2 对照，%3</translation>
    </message>
    <message>
        <source>%1 already names %2</source>
        <translation>%1 已是 %2 的名称</translation>
    </message>
    <message>
        <source>%1 and %2 have no evaluated topic in common, so they cannot be compared.</source>
        <translation>%1 与 %2 没有共同的已评测主题，因此无法比较。</translation>
    </message>
    <message>
        <source>%1 and %2 have no topic in common, so nothing can be compared.</source>
        <translation>%1 与 %2 没有共同的主题，因此无法比较。</translation>
    </message>
    <message>
        <source>%1 and %2 share no topic.</source>
        <translation>%1 与 %2 没有共同的主题。</translation>
    </message>
    <message>
        <source>%1 archives have no end mark and may have been cut off, beginning with %2.</source>
        <translation>%1 个压缩包没有结束标记，可能不完整，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 archives inside were not opened; unpack them and read the files, beginning with %2.</source>
        <translation>其中有 %1 个压缩包没有打开；请解压后读取其中的文件，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 are written to a file that ends in %2, got %3.</source>
        <translation>%1 须写入以 %2 结尾的文件，现为 %3。</translation>
    </message>
    <message>
        <source>%1 as in the first line</source>
        <translation>%1 列，与首行相同</translation>
    </message>
    <message>
        <source>%1 belongs to an assignment that this project does not know. Was the project set back to an older copy?</source>
        <translation>%1 属于本项目中没有的分配。项目是否恢复成了较早的副本？</translation>
    </message>
    <message>
        <source>%1 belongs to another project (%2).</source>
        <translation>%1 属于另一个项目（%2）。</translation>
    </message>
    <message>
        <source>%1 by run and topic</source>
        <translation>各检索结果和主题的 %1</translation>
    </message>
    <message>
        <source>%1 by topic, %2 less %3</source>
        <translation>各主题的 %1，%2 减 %3</translation>
    </message>
    <message>
        <source>%1 calibration documents have</source>
        <translation>%1 篇校准文档</translation>
    </message>
    <message>
        <source>%1 cannot be handed in, since its log does not fit together. %2</source>
        <translation>%1 无法提交，因为其日志前后不符。%2</translation>
    </message>
    <message>
        <source>%1 cannot be opened for writing: %2. Copy it to a folder where you may write.</source>
        <translation>无法以写入方式打开 %1：%2。请将它复制到可写的文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2.</source>
        <translation>无法打开 %1：%2。</translation>
    </message>
    <message>
        <source>%1 cannot be read (%2).</source>
        <translation>无法读取 %1（%2）。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>%1 column%2, expected %3</source>
        <translation>有 %1 列，应为 %3</translation>
    </message>
    <message>
        <source>%1 columns, expected %2</source>
        <translation>有 %1 列，应为 %2</translation>
    </message>
    <message>
        <source>%1 columns, expected %2 or more as in the header</source>
        <translation>有 %1 列，按表头应有 %2 列或更多</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.%3</source>
        <translation>无法写入 %1：%2。%3</translation>
    </message>
    <message>
        <source>%1 could not be written: it is a folder, expected the name of a file.</source>
        <translation>无法写入 %1：它是文件夹，应为文件名。</translation>
    </message>
    <message>
        <source>%1 could not be written: it is read-only.%2</source>
        <translation>无法写入 %1：文件为只读。%2</translation>
    </message>
    <message>
        <source>%1 could not be written: the folder %2 does not exist.</source>
        <translation>无法写入 %1：文件夹 %2 不存在。</translation>
    </message>
    <message>
        <source>%1 documents have SMART&apos;s marks (.A, .B, .W) in their text, left there by a conversion and shown as they stand, beginning with %2.</source>
        <translation>%1 篇文档的文本中有 SMART 的标记（.A、.B、.W），是转换时留下的，现原样显示，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 documents have a title and no text, and are kept, beginning with %2.</source>
        <translation>%1 篇文档只有标题而没有文本，仍予保留，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 documents have an id that was there before; the first ones are kept and these left out, beginning with %2.</source>
        <translation>%1 篇文档的编号前面已有；保留先出现的，略去这些，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 documents have no id and were left out, beginning with %2.</source>
        <translation>%1 篇文档没有编号，已略去，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 documents have no text and are kept, beginning with %2.</source>
        <translation>%1 篇文档没有文本，仍予保留，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 documents of the pool have no words to show, images or no text, and are no tasks, beginning with %2.</source>
        <translation>池中有 %1 篇文档没有可显示的文字（图片或无文本），不作为任务，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 documents that were asked for are not there, for example %2.</source>
        <translation>指定的文档中有 %1 篇找不到，例如 %2。</translation>
    </message>
    <message>
        <source>%1 does not exist or is no ordinary file.</source>
        <translation>%1 不存在或不是普通文件。</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>%1 does not say in a readable way on which scale it was judged.</source>
        <translation>从 %1 中无法读出是按哪个等级范围判断的。</translation>
    </message>
    <message>
        <source>%1 does not say in a readable way which columns were named before.</source>
        <translation>%1 中此前指定了哪些列，已无法读出。</translation>
    </message>
    <message>
        <source>%1 does not say in a readable way which events are lost.</source>
        <translation>%1 中丢失了哪些事件，已无法读出。</translation>
    </message>
    <message>
        <source>%1 drawn again %2 times, seed %3</source>
        <translation>%1 重新抽取 %2 次，随机种子 %3</translation>
    </message>
    <message>
        <source>%1 events were added</source>
        <translation>新增了 %1 个事件</translation>
    </message>
    <message>
        <source>%1 exists already. Choose another name; nothing was overwritten.</source>
        <translation>%1 已存在。请换一个名称；没有覆盖任何文件。</translation>
    </message>
    <message>
        <source>%1 files are of no form that can be read and were left out, beginning with %2.</source>
        <translation>%1 个文件的格式无法读取，已略去，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 files have bytes that are not UTF-8, shown as �; name their encoding with --encoding, beginning with %2.</source>
        <translation>%1 个文件中有不是 UTF-8 的字节，显示为 �；请用 --encoding 指定编码，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 files have the name of another before them; their paths are their ids, beginning with %2.</source>
        <translation>%1 个文件与前面的文件同名；用其路径作为编号，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 files of a BEIR collection hold topics or qrels, not documents, and were left out, beginning with %2.</source>
        <translation>BEIR 文档集中有 %1 个文件是主题或 qrels，不是文档，已略去，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 gets nothing: there is less to judge than there are assessors.</source>
        <translation>%1 没有分到内容：要判断的比评判员还少。</translation>
    </message>
    <message>
        <source>%1 grades are %2, and --grades does not say what %3 becomes; expected a pair for each of </source>
        <translation>%1 个等级为 %2，而 --grades 没有说明 %3 改为什么；应为每个等级给出一对，等级有 </translation>
    </message>
    <message>
        <source>%1 grades are %2; say what negative grades mean: %3</source>
        <translation>%1 个等级为 %2；请说明负等级的含义：%3</translation>
    </message>
    <message>
        <source>%1 grades are negative (grades: %2), which lines of three columns leave open</source>
        <translation>%1 个等级为负（等级：%2），三列的行没有说明其含义</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; no file for an assessor has more than %3.</source>
        <translation>%1 有 %2 字节；评判员的文件都不超过 %3 字节。</translation>
    </message>
    <message>
        <source>%1 has %2 gold documents instead of %3: there are no more for their topics.</source>
        <translation>%1 有 %2 篇已知答案的文档，而不是 %3 篇：其主题中没有更多。</translation>
    </message>
    <message>
        <source>%1 has %2 repeats instead of %3: their topics are too short.</source>
        <translation>%1 有 %2 次重复，而不是 %3 次：其主题太短。</translation>
    </message>
    <message>
        <source>%1 has no %2 to write.</source>
        <translation>%1 没有可写出的 %2。</translation>
    </message>
    <message>
        <source>%1 has no assignment that could be given to others.</source>
        <translation>%1 没有可交给他人的分配。</translation>
    </message>
    <message>
        <source>%1 has no assignments, so no file can belong to it. Assign something first.</source>
        <translation>%1 没有分配，因此没有文件属于它。请先分配。</translation>
    </message>
    <message>
        <source>%1 has no geometric mean, since its values may be below 0.</source>
        <translation>%1 没有几何平均，因为其值可能小于 0。</translation>
    </message>
    <message>
        <source>%1 has no micro average, since it is not made of counts; these have one: %2.</source>
        <translation>%1 没有微平均，因为它不由计数组成；有微平均的是：%2。</translation>
    </message>
    <message>
        <source>%1 has no parameter %2; %3</source>
        <translation>%1 没有参数 %2；%3</translation>
    </message>
    <message>
        <source>%1 has no pool; `irjudge pool` builds one.</source>
        <translation>%1 没有文档池；`irjudge pool` 可建立文档池。</translation>
    </message>
    <message>
        <source>%1 has no topic %2 that was evaluated.</source>
        <translation>%1 没有已评测的主题 %2。</translation>
    </message>
    <message>
        <source>%1 has nothing left to judge.</source>
        <translation>%1 没有要判断的了。</translation>
    </message>
    <message>
        <source>%1 has the known answer %2 and had %3 before</source>
        <translation>%1 的已知答案为 %2，此前为 %3</translation>
    </message>
    <message>
        <source>%1 holds %2 events (%3 bytes); no assessor makes so many.</source>
        <translation>%1 有 %2 个事件（%3 字节）；评判员不会产生这么多。</translation>
    </message>
    <message>
        <source>%1 ids have a blank inside, which TREC files cannot hold, beginning with %2.</source>
        <translation>%1 个编号中有空格，TREC 文件无法容纳，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 in row %2</source>
        <translation>第 %2 行的 %1</translation>
    </message>
    <message>
        <source>%1 in the spreadsheet has %2, expected %3 at most</source>
        <translation>电子表格中的 %1 有 %2，最多应为 %3</translation>
    </message>
    <message>
        <source>%1 is %2 documents, so it holds from relevant document %3 on.</source>
        <translation>%1 为 %2 篇文档，因此从第 %3 篇相关文档起成立。</translation>
    </message>
    <message>
        <source>%1 is a folder, expected a file of an assessor.</source>
        <translation>%1 是文件夹，应为评判员的文件。</translation>
    </message>
    <message>
        <source>%1 is a folder, expected a project file (%2).</source>
        <translation>%1 是文件夹，应为项目文件（%2）。</translation>
    </message>
    <message>
        <source>%1 is a project of its own, expected a file that was made for an assessor.</source>
        <translation>%1 本身是一个项目，应为发给评判员的文件。</translation>
    </message>
    <message>
        <source>%1 is a zip archive. Unpack it and merge the file that is in it.</source>
        <translation>%1 是 zip 压缩包。请解压后合并其中的文件。</translation>
    </message>
    <message>
        <source>%1 is better on %2 of %3, %4 on %5</source>
        <translation>%3中，%1 在 %2 个上更好，%4 在 %5 个上更好</translation>
    </message>
    <message>
        <source>%1 is cut off: %2 of %3 bytes are there. Ask for it again.</source>
        <translation>%1 不完整：只有 %3 字节中的 %2 字节。请让对方重新发送。</translation>
    </message>
    <message>
        <source>%1 is damaged so much that nothing of it can be read.</source>
        <translation>%1 损坏严重，已无法读出任何内容。</translation>
    </message>
    <message>
        <source>%1 is damaged: %2</source>
        <translation>%1 已损坏：%2</translation>
    </message>
    <message>
        <source>%1 is damaged: an assigned item cannot be read (%2).</source>
        <translation>%1 已损坏：有一个分配的条目无法读取（%2）。</translation>
    </message>
    <message>
        <source>%1 is damaged: document %2 has no text any more.</source>
        <translation>%1 已损坏：文档 %2 已没有文本。</translation>
    </message>
    <message>
        <source>%1 is damaged: event %2 of %3 does not fit its hash.</source>
        <translation>%1 已损坏：%3 的事件 %2 与其散列值不符。</translation>
    </message>
    <message>
        <source>%1 is damaged: it holds values of another kind than an irjudge file does.</source>
        <translation>%1 已损坏：其中有的值与 irjudge 文件的类型不符。</translation>
    </message>
    <message>
        <source>%1 is damaged: it names documents that it does not hold.</source>
        <translation>%1 已损坏：其中提到的文档并不在文件里。</translation>
    </message>
    <message>
        <source>%1 is damaged: its pages do not fit together (%2).</source>
        <translation>%1 已损坏：其页面不相符（%2）。</translation>
    </message>
    <message>
        <source>%1 is damaged: its setting %2 does not read as one.</source>
        <translation>%1 已损坏：其设置 %2 无法读出。</translation>
    </message>
    <message>
        <source>%1 is damaged: what it says about its qrels or pools does not read as such.</source>
        <translation>%1 已损坏：其中的 qrels 或文档池无法读出。</translation>
    </message>
    <message>
        <source>%1 is damaged; %2.</source>
        <translation>%1 已损坏；%2。</translation>
    </message>
    <message>
        <source>%1 is declared already</source>
        <translation>%1 已声明过</translation>
    </message>
    <message>
        <source>%1 is empty or has blanks around it, which a table cannot say</source>
        <translation>%1 为空或前后有空格，表格无法表示</translation>
    </message>
    <message>
        <source>%1 is empty. Ask for it again.</source>
        <translation>%1 为空。请让对方重新发送。</translation>
    </message>
    <message>
        <source>%1 is exactly relevant document %2.</source>
        <translation>%1 正好是第 %2 篇相关文档。</translation>
    </message>
    <message>
        <source>%1 is named twice, by %2 and %3; expected one column.</source>
        <translation>%1 指定了两次，为 %2 和 %3；应为一列。</translation>
    </message>
    <message>
        <source>%1 is no statistic of two assessors; those are %2.</source>
        <translation>%1 不是两位评判员之间的统计量；可用的是 %2。</translation>
    </message>
    <message>
        <source>%1 is no time in seconds</source>
        <translation>%1 不是以秒计的时间</translation>
    </message>
    <message>
        <source>%1 is not a number of documents</source>
        <translation>%1 不是文档数</translation>
    </message>
    <message>
        <source>%1 is not an irjudge file.</source>
        <translation>%1 不是 irjudge 文件。</translation>
    </message>
    <message>
        <source>%1 is not an irjudge project.</source>
        <translation>%1 不是 irjudge 项目。</translation>
    </message>
    <message>
        <source>%1 is not as irjudge writes it: it has no table %2.</source>
        <translation>%1 与 irjudge 写出的不符：没有表 %2。</translation>
    </message>
    <message>
        <source>%1 is not as irjudge writes it: it holds a view or virtual table. Nothing of it was read.</source>
        <translation>%1 与 irjudge 写出的不符：其中有视图或虚拟表。没有读取任何内容。</translation>
    </message>
    <message>
        <source>%1 is not as irjudge writes it: its table %2 has other columns.</source>
        <translation>%1 与 irjudge 写出的不符：表 %2 的列不同。</translation>
    </message>
    <message>
        <source>%1 is not known; give assessors=+1, overlap=2 or depth=10 with a number of 1 or more.</source>
        <translation>无法识别 %1；请给出 assessors=+1、overlap=2 或 depth=10，数字应为 1 或以上。</translation>
    </message>
    <message>
        <source>%1 is of an older form, and no copy of it could be made (%2).</source>
        <translation>%1 是旧格式，且无法为其制作副本（%2）。</translation>
    </message>
    <message>
        <source>%1 is of an older form. Open it for writing once, and it is brought up to date.</source>
        <translation>%1 是旧格式。以写入方式打开一次即可更新。</translation>
    </message>
    <message>
        <source>%1 is open for judging in another irjudge. Close it there, or open it here for reading.</source>
        <translation>%1 正在另一个 irjudge 中用于判断。请在那里关闭，或在这里以只读方式打开。</translation>
    </message>
    <message>
        <source>%1 is open for reading only; nothing was saved.</source>
        <translation>%1 以只读方式打开；没有保存任何内容。</translation>
    </message>
    <message>
        <source>%1 is so damaged that it does not say what it belongs to. Ask for it again.</source>
        <translation>%1 损坏严重，无法看出属于哪里。请让对方重新发送。</translation>
    </message>
    <message>
        <source>%1 judged documents have</source>
        <translation>%1 篇已判断的文档</translation>
    </message>
    <message>
        <source>%1 judged in another text than the project has now (for example %2)</source>
        <translation>%1判断时的文本与项目现有的文本不同（例如 %2）</translation>
    </message>
    <message>
        <source>%1 kept until the event before comes.</source>
        <translation>%1已保留，等待前一个事件到来。</translation>
    </message>
    <message>
        <source>%1 knows no assessor called %2; it knows %3.</source>
        <translation>%1 中没有名为 %2 的评判员；现有 %3。</translation>
    </message>
    <message>
        <source>%1 lines name</source>
        <translation>%1 行中</translation>
    </message>
    <message>
        <source>%1 links or special files were not followed, beginning with %2.</source>
        <translation>%1 个链接或特殊文件没有读取，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 log-worth</source>
        <translation>%1 对数强度</translation>
    </message>
    <message>
        <source>%1 more lines near it do</source>
        <translation>附近另有 %1 行</translation>
    </message>
    <message>
        <source>%1 names %2 twice; names tell assessors apart.</source>
        <translation>%1 中 %2 出现两次；评判员要靠名称区分。</translation>
    </message>
    <message>
        <source>%1 names no assessor.</source>
        <translation>%1 没有写明任何评判员。</translation>
    </message>
    <message>
        <source>%1 needs %2, for example %3.</source>
        <translation>%1 需要%2，例如 %3。</translation>
    </message>
    <message>
        <source>%1 needs a docstring: the help is made from it</source>
        <translation>%1 需要 docstring：帮助由它生成</translation>
    </message>
    <message>
        <source>%1 needs a new assignment, which nobody can forecast: %2=%3, and it is %4.</source>
        <translation>%1需要新的分配，无法预测：%2=%3，而现在是 %4。</translation>
    </message>
    <message>
        <source>%1 not taken: %2.</source>
        <translation>%1没有取入：%2。</translation>
    </message>
    <message>
        <source>%1 of %2 became %3</source>
        <translation>%2 的 %1 条改为 %3</translation>
    </message>
    <message>
        <source>%1 of %2 said %3</source>
        <translation>%2 位中有 %1 位给出 %3</translation>
    </message>
    <message>
        <source>%1 of %2 said unjudgeable</source>
        <translation>%2 位中有 %1 位表示无法判断</translation>
    </message>
    <message>
        <source>%1 of %2 without a text in the project (for example %3)</source>
        <translation>%2 中有 %1 在项目中没有文本（例如 %3）</translation>
    </message>
    <message>
        <source>%1 of grade %2</source>
        <translation>等级 %2 的 %1 条</translation>
    </message>
    <message>
        <source>%1 of grade %2 count as %3</source>
        <translation>等级 %2 的 %1 条按 %3 计</translation>
    </message>
    <message>
        <source>%1 of the orders by average over %2.%3 %4</source>
        <translation>%1，顺序按 %2的平均排列。%3 %4</translation>
    </message>
    <message>
        <source>%1 or a whole number, %2</source>
        <translation>%1 或整数，%2</translation>
    </message>
    <message>
        <source>%1 or gains of grades as 1:3/2:9</source>
        <translation>%1 或各等级的增益，如 1:3/2:9</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 或以上</translation>
    </message>
    <message>
        <source>%1 over topics, by run</source>
        <translation>%1 在各主题上的分布，按检索结果</translation>
    </message>
    <message>
        <source>%1 owns the project; an assessor needs another name, so that the owner&apos;s own judgments stay apart.</source>
        <translation>%1 是项目的所有者；评判员须用另一个名称，使所有者自己的判断与之分开。</translation>
    </message>
    <message>
        <source>%1 packed bytes expand to %2; it looks like a bomb and is not read</source>
        <translation>%1 个压缩字节会展开到 %2；可能是压缩炸弹，没有读取</translation>
    </message>
    <message>
        <source>%1 packed bytes expand to more than %2; it looks like a bomb and is not read</source>
        <translation>%1 个压缩字节会展开到超过 %2；可能是压缩炸弹，没有读取</translation>
    </message>
    <message>
        <source>%1 pairs of assessors share documents</source>
        <translation>%1 对评判员有共同文档</translation>
    </message>
    <message>
        <source>%1 qualification documents are wanted, and there are %2 with a known answer.</source>
        <translation>需要 %1 篇资格测试文档，而有已知答案的有 %2 篇。</translation>
    </message>
    <message>
        <source>%1 random shuffles, seed %2</source>
        <translation>%1 次随机重排，随机种子 %2</translation>
    </message>
    <message>
        <source>%1 random sign patterns, seed %2</source>
        <translation>%1 种随机符号组合，随机种子 %2</translation>
    </message>
    <message>
        <source>%1 read otherwise than in the project (for example %2).</source>
        <translation>%1与项目中的内容不同（例如 %2）。</translation>
    </message>
    <message>
        <source>%1 records have half a character (a lone surrogate), shown as �, beginning with %2.</source>
        <translation>%1 条记录中有半个字符（单独的代理项），显示为 �，首条是 %2。</translation>
    </message>
    <message>
        <source>%1 rows have label -1, which is not judged, and were left out, beginning with %2.</source>
        <translation>%1 行的标签为 -1，即未判断，已略去，首行是 %2。</translation>
    </message>
    <message>
        <source>%1 rows have no label and were left out, beginning with %2.</source>
        <translation>%1 行没有标签，已略去，首行是 %2。</translation>
    </message>
    <message>
        <source>%1 rows name another topic or document than their items stand for, and the items were taken, beginning with %2.</source>
        <translation>%1 行写的主题或文档与其条目所指不同，以条目为准，首行是 %2。</translation>
    </message>
    <message>
        <source>%1 says in a way nobody can read that it was handed in (%2).</source>
        <translation>%1 记有提交信息，但无法读出（%2）。</translation>
    </message>
    <message>
        <source>%1 that waited %2.</source>
        <translation>等待的 %1 %2。</translation>
    </message>
    <message>
        <source>%1 to %2 topics</source>
        <translation>%1 到 %2 个主题</translation>
    </message>
    <message>
        <source>%1 topics have an id that was there before; the first ones are kept and these left out, beginning with %2.</source>
        <translation>%1 个主题的编号前面已有；保留先出现的，略去这些，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 topics have no title, beginning with %2.</source>
        <translation>%1 个主题没有标题，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 was judged with the grades %2; the project&apos;s are %3.</source>
        <translation>%1 是用等级 %2 判断的；项目的等级为 %3。</translation>
    </message>
    <message>
        <source>%1 was made for %2 and says that it is %3&apos;s.</source>
        <translation>%1 是为 %2 制作的，文件中却写明属于 %3。</translation>
    </message>
    <message>
        <source>%1 was moved, deleted or replaced while it was open.</source>
        <translation>%1 在打开期间被移动、删除或替换。</translation>
    </message>
    <message>
        <source>%1 was not written: of %2 lines %3 came back, or others than went in.</source>
        <translation>%1 没有写出：%2 行中读回 %3 行，或读回的与写入的不同。</translation>
    </message>
    <message>
        <source>%1 was read for another order of ties than %2, or of scores.</source>
        <translation>%1 是按不同于 %2 的同分顺序或得分读取的。</translation>
    </message>
    <message>
        <source>%1 was written by a newer irjudge (form %2; this one reads %3). Install the newer irjudge.</source>
        <translation>%1 由更新版本的 irjudge 写成（格式 %2；本版本可读 %3）。请安装更新版本的 irjudge。</translation>
    </message>
    <message>
        <source>%1 where the lines before have 0 (topic, document, 0, 0.0), expected 0</source>
        <translation>此处为 %1，而前面各行为 0（主题、文档、0、0.0），应为 0</translation>
    </message>
    <message>
        <source>%1 worked on %2 copies separately. All of it is kept; the later judgment of a document counts.</source>
        <translation>%1 分别在 %2 个副本上工作。全部予以保留；同一文档以较晚的判断为准。</translation>
    </message>
    <message>
        <source>%1%2 relevant documents</source>
        <translation>%1%2 篇相关文档</translation>
    </message>
    <message>
        <source>%1%2 relevant documents; not retrieved: %3.</source>
        <translation>%1%2 篇相关文档；未检出：%3。</translation>
    </message>
    <message>
        <source>%1, as many said %2; ties go to the %3 grade</source>
        <translation>%1，给出 %2 的同样多；平票时取 %3 等级</translation>
    </message>
    <message>
        <source>%1, by difference</source>
        <translation>%1，按差值排列</translation>
    </message>
    <message>
        <source>%1, easiest first</source>
        <translation>%1，最容易者在前</translation>
    </message>
    <message>
        <source>%1, interpolated</source>
        <translation>%1，插值</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1 第 %2 行</translation>
    </message>
    <message>
        <source>%1, line %2, “%3”</source>
        <translation>%1 第 %2 行，“%3”</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 a topic and document that stood before; the first was kept (for example %3).</source>
        <translation>%1：%2的主题和文档前面已有；保留了先出现的（例如 %3）。</translation>
    </message>
    <message>
        <source>%1: %2 cannot be a name; it may have %3 letters, all of them visible.</source>
        <translation>%1：%2 不能作为名称；名称最多 %3 个字符，且须全部可见。</translation>
    </message>
    <message>
        <source>%1: %2 different tags (%3, %4 …); it was read as one run.</source>
        <translation>%1：有 %2 个不同的标签（%3、%4 ……）；已作为一个检索结果读取。</translation>
    </message>
    <message>
        <source>%1: %2 has no parameter %3; %4.</source>
        <translation>%1：%2 没有参数 %3；%4。</translation>
    </message>
    <message>
        <source>%1: %2 is followed by %3 and by @%4; one of them is enough.</source>
        <translation>%1：%2 后面既有 %3 又有 @%4；只需其一。</translation>
    </message>
    <message>
        <source>%1: %2 is followed by %3 numbers, %4; got %5.</source>
        <translation>%1：%2 后面应有 %3 个数，%4；现为 %5。</translation>
    </message>
    <message>
        <source>%1: %2 is given twice.</source>
        <translation>%1：%2 给出了两次。</translation>
    </message>
    <message>
        <source>%1: %2 is too large, got %3.</source>
        <translation>%1：%2 过大，现为 %3。</translation>
    </message>
    <message>
        <source>%1: %2 is what a project calls who judges in it without a name. Choose another name.</source>
        <translation>%1：%2 是项目对未留名的判断者的称呼。请换一个名称。</translation>
    </message>
    <message>
        <source>%1: %2 must be %3, got %4.</source>
        <translation>%1：%2 应为%3，现为 %4。</translation>
    </message>
    <message>
        <source>%1: %2 names grade %3 twice.</source>
        <translation>%1：%2 两次提到等级 %3。</translation>
    </message>
    <message>
        <source>%1: %2 no text in the project (for example %3).</source>
        <translation>%1：%2在项目中没有文本（例如 %3）。</translation>
    </message>
    <message>
        <source>%1: %2 no text in the project and will not be shown (for example %3).</source>
        <translation>%1：%2在项目中没有文本，不会显示（例如 %3）。</translation>
    </message>
    <message>
        <source>%1: %2 takes no @.</source>
        <translation>%1：%2 不能带 @。</translation>
    </message>
    <message>
        <source>%1: %2 takes no number after its name.</source>
        <translation>%1：%2 的名称后不能带数字。</translation>
    </message>
    <message>
        <source>%1: %2, two-sided; %3.</source>
        <translation>%1：%2，双侧；%3。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>%1: %2. Where %3 is the best, turn them round with --grades &quot;%4&quot;.</source>
        <translation>%1：%2。如果 %3 最好，请用 --grades &quot;%4&quot; 将等级反转。</translation>
    </message>
    <message>
        <source>%1: %2; documents: %3</source>
        <translation>%1：%2；文档：%3 篇</translation>
    </message>
    <message>
        <source>%1: %2; files: %3</source>
        <translation>%1：%2；文件：%3 个</translation>
    </message>
    <message>
        <source>%1: %2; topics: %3</source>
        <translation>%1：%2；主题：%3 个</translation>
    </message>
    <message>
        <source>%1: a bracket is not %2.</source>
        <translation>%1：括号没有%2。</translation>
    </message>
    <message>
        <source>%1: a measure is written as Name(parameter=value)@cutoff.</source>
        <translation>%1：指标写作 名称(参数=值)@截断位置。</translation>
    </message>
    <message>
        <source>%1: a measure&apos;s parameter is an int, a float, floats or a Literal, got %2</source>
        <translation>%1：指标的参数应为 int、float、多个 float 或 Literal，现为 %2</translation>
    </message>
    <message>
        <source>%1: a parameter is written as name=value, got %2.</source>
        <translation>%1：参数写作 名称=值，现为 %2。</translation>
    </message>
    <message>
        <source>%1: a statistic is written as name, name(parameter=value) or name@cutoff.</source>
        <translation>%1：统计量写作 名称、名称(参数=值) 或 名称@截断位置。</translation>
    </message>
    <message>
        <source>%1: a strategy is written as name or name(parameter=value).</source>
        <translation>%1：策略写作 名称 或 名称(参数=值)。</translation>
    </message>
    <message>
        <source>%1: documents retrieved: %2; topics: %3</source>
        <translation>%1：检出文档：%2 篇；主题：%3 个</translation>
    </message>
    <message>
        <source>%1: grades and their gains must be 0 or more, got %2.</source>
        <translation>%1：等级及其增益应为 0 或以上，现为 %2。</translation>
    </message>
    <message>
        <source>%1: ids are written without zeros in front, as SMART&apos;s records are numbered (%2).</source>
        <translation>%1：编号前面的零已去掉，与 SMART 记录的编号一致（%2）。</translation>
    </message>
    <message>
        <source>%1: it takes the place of the instructions the project had.</source>
        <translation>%1：取代了项目原有的说明。</translation>
    </message>
    <message>
        <source>%1: judgments that stood in the project already: %2.</source>
        <translation>%1：已在项目中的判断：%2 条。</translation>
    </message>
    <message>
        <source>%1: judgments: %2; assessors: %3 (%4)</source>
        <translation>%1：判断：%2 条；评判员：%3 位（%4）</translation>
    </message>
    <message>
        <source>%1: judgments: %2; topics: %3 (%4)</source>
        <translation>%1：判断 %2 条；主题 %3 个（%4）</translation>
    </message>
    <message>
        <source>%1: lines with more than 6 columns, of which the first 6 were read: %2.</source>
        <translation>%1：多于 6 列、只读取了前 6 列的行：%2 行。</translation>
    </message>
    <message>
        <source>%1: lines without a grade, left out: %2.</source>
        <translation>%1：没有等级而略去的行：%2 行。</translation>
    </message>
    <message>
        <source>%1: lines: %2</source>
        <translation>%1：共 %2 行</translation>
    </message>
    <message>
        <source>%1: read as %2%3.</source>
        <translation>%1：读作 %2%3。</translation>
    </message>
    <message>
        <source>%1: read as %2.</source>
        <translation>%1：读作 %2。</translation>
    </message>
    <message>
        <source>%1: read as %2: %3%4.</source>
        <translation>%1：读作 %2：%3%4。</translation>
    </message>
    <message>
        <source>%1: read as JSON of topics, documents and grades.</source>
        <translation>%1：读作含主题、文档和等级的 JSON。</translation>
    </message>
    <message>
        <source>%1: read as JSON of topics, documents and scores.</source>
        <translation>%1：读作含主题、文档和得分的 JSON。</translation>
    </message>
    <message>
        <source>%1: read as the file before with the same header: %2.</source>
        <translation>%1：按表头相同的前一个文件读取：%2。</translation>
    </message>
    <message>
        <source>%1: read as was said: %2%3.</source>
        <translation>%1：按指定方式读取：%2%3。</translation>
    </message>
    <message>
        <source>%1: read in the order of SMART: topic, document, and 0 twice in every line; %2.</source>
        <translation>%1：按 SMART 的顺序读取：主题、文档，每行另有两个 0；%2。</translation>
    </message>
    <message>
        <source>%1: the lines have no rank; it is not needed, since the score orders a ranking.</source>
        <translation>%1：各行没有名次；不需要名次，排序由得分决定。</translation>
    </message>
    <message>
        <source>%1: the scores count 1, 2, 3 … as ranks do, so the ranking is read upside down. Are rank and score swapped?</source>
        <translation>%1：得分像名次一样是 1、2、3……，因此排序被倒着读取。名次与得分是否写反了？</translation>
    </message>
    <message>
        <source>%1: there is more than one @; several cutoffs are written as P@5,10.</source>
        <translation>%1：有不止一个 @；多个截断位置写作 P@5,10。</translation>
    </message>
    <message>
        <source>%1: topics that are not among the project&apos;s: %2 (for example %3).</source>
        <translation>%1：不在本项目中的主题：%2 个（例如 %3）。</translation>
    </message>
    <message>
        <source>%1: topics that were in the project already and stay as they were: %2.</source>
        <translation>%1：已在项目中并保持原样的主题：%2 个。</translation>
    </message>
    <message>
        <source>%1; %2 % likely by the model</source>
        <translation>%1；按模型可能性为 %2 %</translation>
    </message>
    <message>
        <source>%1; %2 since, so the receipt of then no longer fits</source>
        <translation>%1；此后%2，当时的回执已不相符</translation>
    </message>
    <message>
        <source>%1; --encoding names another, or utf-8 to read on</source>
        <translation>%1；可用 --encoding 指定其他编码，或用 utf-8 继续读取</translation>
    </message>
    <message>
        <source>%1; a file of preferences or sampled judgments (prels) is not qrels</source>
        <translation>%1；偏好判断或抽样判断（prels）的文件不是 qrels</translation>
    </message>
    <message>
        <source>%1; corrects itself</source>
        <translation>%1；自带校正</translation>
    </message>
    <message>
        <source>%1; mean difference %2. %3</source>
        <translation>%1；平均差异 %2。%3</translation>
    </message>
    <message>
        <source>%1; save the sheet as CSV and read that</source>
        <translation>%1；请将工作表另存为 CSV 后读取</translation>
    </message>
    <message>
        <source>%1; these judgments are kept apart.</source>
        <translation>%1；这些判断单独保存。</translation>
    </message>
    <message>
        <source>%1; ties: %2 (%3); relevant from grade %4</source>
        <translation>%1；同分：%3（%2）；%4 级起算相关</translation>
    </message>
    <message>
        <source>(no name)</source>
        <translation>（无名称）</translation>
    </message>
    <message>
        <source>, %1 in the median.</source>
        <translation>，中位数为 %1 篇。</translation>
    </message>
    <message>
        <source>, all retrieved.</source>
        <translation>，已全部检出。</translation>
    </message>
    <message>
        <source>, half a win added</source>
        <translation>，各加半次胜</translation>
    </message>
    <message>
        <source>, of which only %1 are filled.</source>
        <translation>，其中只有 %1 位有文档。</translation>
    </message>
    <message>
        <source>, packed with %1</source>
        <translation>，用 %1 压缩</translation>
    </message>
    <message>
        <source>, such as &quot;%1%2&quot; where %3 is the best</source>
        <translation>，例如 &quot;%1%2&quot;（%3 为最好时）</translation>
    </message>
    <message>
        <source>, withdrawn</source>
        <translation>，已收回</translation>
    </message>
    <message>
        <source>--columns says %1, expected topic and document, and of these where they are there: %2</source>
        <translation>--columns 写的是 %1，应有主题和文档，另外若有则写：%2</translation>
    </message>
    <message>
        <source>--columns says where the %1 is, expected only %2</source>
        <translation>--columns 指明了 %1 的位置，只应有 %2</translation>
    </message>
    <message>
        <source>1 archive has no end mark and may have been cut off: %1.</source>
        <translation>1 个压缩包没有结束标记，可能不完整：%1。</translation>
    </message>
    <message>
        <source>1 archive inside was not opened; unpack it and read the files: %1.</source>
        <translation>其中有 1 个压缩包没有打开；请解压后读取其中的文件：%1。</translation>
    </message>
    <message>
        <source>1 byte is not %1 and shows as �, in {first}.</source>
        <translation>1 个字节不是 %1，显示为 �，在 {first} 中。</translation>
    </message>
    <message>
        <source>1 calibration document has</source>
        <translation>1 篇校准文档</translation>
    </message>
    <message>
        <source>1 document has SMART&apos;s marks (.A, .B, .W) in its text, left there by a conversion and shown as they stand: %1.</source>
        <translation>1 篇文档的文本中有 SMART 的标记（.A、.B、.W），是转换时留下的，现原样显示：%1。</translation>
    </message>
    <message>
        <source>1 document has a title and no text, and is kept: %1.</source>
        <translation>1 篇文档只有标题而没有文本，仍予保留：%1。</translation>
    </message>
    <message>
        <source>1 document has an id that was there before; the first one is kept and this one left out: %1.</source>
        <translation>1 篇文档的编号前面已有；保留先出现的，略去这一篇：%1。</translation>
    </message>
    <message>
        <source>1 document has no id and was left out: %1.</source>
        <translation>1 篇文档没有编号，已略去：%1。</translation>
    </message>
    <message>
        <source>1 document has no text and is kept: %1.</source>
        <translation>1 篇文档没有文本，仍予保留：%1。</translation>
    </message>
    <message>
        <source>1 document of the pool has no words to show, an image or no text, and is no task: %1.</source>
        <translation>池中有 1 篇文档没有可显示的文字（图片或无文本），不作为任务：%1。</translation>
    </message>
    <message>
        <source>1 document that was asked for is not there: %1.</source>
        <translation>指定的文档中有 1 篇找不到：%1。</translation>
    </message>
    <message>
        <source>1 event was added</source>
        <translation>新增了 1 个事件</translation>
    </message>
    <message>
        <source>1 file has bytes that are not UTF-8, shown as �; name its encoding with --encoding: %1.</source>
        <translation>1 个文件中有不是 UTF-8 的字节，显示为 �；请用 --encoding 指定编码：%1。</translation>
    </message>
    <message>
        <source>1 file has the name of another before it; its path is its id: %1.</source>
        <translation>1 个文件与前面的文件同名；用其路径作为编号：%1。</translation>
    </message>
    <message>
        <source>1 file is of no form that can be read and was left out: %1.</source>
        <translation>1 个文件的格式无法读取，已略去：%1。</translation>
    </message>
    <message>
        <source>1 file of a BEIR collection holds topics or qrels, not documents, and was left out: %1.</source>
        <translation>BEIR 文档集中有 1 个文件是主题或 qrels，不是文档，已略去：%1。</translation>
    </message>
    <message>
        <source>1 for a relevant document (grade %1 or more)</source>
        <translation>相关文档（%1 级或以上）为 1</translation>
    </message>
    <message>
        <source>1 id has a blank inside, which TREC files cannot hold: %1.</source>
        <translation>1 个编号中有空格，TREC 文件无法容纳：%1。</translation>
    </message>
    <message>
        <source>1 judged document has</source>
        <translation>1 篇已判断的文档</translation>
    </message>
    <message>
        <source>1 line names</source>
        <translation>1 行中</translation>
    </message>
    <message>
        <source>1 link or special file was not followed: %1.</source>
        <translation>1 个链接或特殊文件没有读取：%1。</translation>
    </message>
    <message>
        <source>1 more line near it does</source>
        <translation>附近另有 1 行</translation>
    </message>
    <message>
        <source>1 record has half a character (a lone surrogate), shown as �: %1.</source>
        <translation>1 条记录中有半个字符（单独的代理项），显示为 �：%1。</translation>
    </message>
    <message>
        <source>1 row has label -1, which is not judged, and was left out: %1.</source>
        <translation>1 行的标签为 -1，即未判断，已略去：%1。</translation>
    </message>
    <message>
        <source>1 row has no label and was left out: %1.</source>
        <translation>1 行没有标签，已略去：%1。</translation>
    </message>
    <message>
        <source>1 row names another topic or document than its item stands for, and the item was taken: %1.</source>
        <translation>1 行写的主题或文档与其条目所指不同，以条目为准：%1。</translation>
    </message>
    <message>
        <source>1 topic has an id that was there before; the first one is kept and this one left out: %1.</source>
        <translation>1 个主题的编号前面已有；保留先出现的，略去这一个：%1。</translation>
    </message>
    <message>
        <source>1 topic has no title: %1.</source>
        <translation>1 个主题没有标题：%1。</translation>
    </message>
    <message>
        <source>2 as in the first line (topic, document)</source>
        <translation>2 列，与首行相同（主题、文档）</translation>
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
        <source>5 columns, and the first is Q0 where the topic should be; expected %1</source>
        <translation>有 5 列，应为主题的首列是 Q0；应为 %1</translation>
    </message>
    <message>
        <source>6 (topic, Q0, document, rank, score, tag)</source>
        <translation>6 列（主题、Q0、文档、名次、得分、标签）</translation>
    </message>
    <message>
        <source>; %1 more said unjudgeable</source>
        <translation>；另有 %1 位表示无法判断</translation>
    </message>
    <message>
        <source>; %1 not fit either</source>
        <translation>；%1也不相符</translation>
    </message>
    <message>
        <source>; and %1 more</source>
        <translation>；另有 %1 个</translation>
    </message>
    <message>
        <source>; each pair counts as grade 1</source>
        <translation>；每对按等级 1 计</translation>
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
        <source>; the order in the file is the ranking</source>
        <translation>；排序按文件中的先后</translation>
    </message>
    <message>
        <source>; the score is the rank turned round</source>
        <translation>；得分由名次反转而来</translation>
    </message>
    <message>
        <source>&lt;%1&gt; is never closed, expected &lt;/%2&gt;</source>
        <translation>&lt;%1&gt; 没有结束，应有 &lt;/%2&gt;</translation>
    </message>
    <message>
        <source>&lt;DOC&gt; is not closed before the next one, expected &lt;/DOC&gt;</source>
        <translation>&lt;DOC&gt; 在下一个之前没有结束，应有 &lt;/DOC&gt;</translation>
    </message>
    <message>
        <source>A comparison needs two different runs; name them.</source>
        <translation>比较需要两个不同的检索结果；请指明。</translation>
    </message>
    <message>
        <source>A difference of %1 lies beyond the histogram&apos;s limit of %2.</source>
        <translation>差值 %1 超出直方图的界限 %2。</translation>
    </message>
    <message>
        <source>A histogram of differences has an even number of bins, half of them on each side of 0, got %1.</source>
        <translation>差值直方图的组数应为偶数，0 的两侧各占一半，现为 %1。</translation>
    </message>
    <message>
        <source>A journal lies beside %1: its last action was interrupted and may be missing.</source>
        <translation>%1 旁有一个日志文件 (journal)：其最后的操作被中断，可能缺失。</translation>
    </message>
    <message>
        <source>A point at each of the ranks 1 to %1: average recall and average precision there.</source>
        <translation>名次 1 到 %1 各有一点：该处的平均召回率和平均精确率。</translation>
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
        <source>A preference of %1 for topic %2 cannot be read: it is not about two sides.</source>
        <translation>无法读取 %1 对主题 %2 的一条偏好：它没有涉及两侧。</translation>
    </message>
    <message>
        <source>A preference of %1 for topic %2 cannot be read: its winner is %3.</source>
        <translation>无法读取 %1 对主题 %2 的一条偏好：其胜者为 %3。</translation>
    </message>
    <message>
        <source>A ranking holds %1 twice, at places %2 and %3.</source>
        <translation>有一个排序中 %1 出现两次，在第 %2 位和第 %3 位。</translation>
    </message>
    <message>
        <source>A run&apos;s value is the geometric mean over the topics: exp of the mean of the logarithms of these.</source>
        <translation>检索结果的值是各主题的几何平均：对这些值的对数取平均，再取 exp。</translation>
    </message>
    <message>
        <source>A scale needs two or more different grades between 0 and %1, lowest first; got %2.</source>
        <translation>等级范围需要 0 到 %1 之间两个或更多不同的等级，从低到高；现为 %2。</translation>
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
        <source>A spreadsheet would take %1 cells for formulas, the first %2; they stand unchanged. Open the file there as text.</source>
        <translation>电子表格会将 %1 个单元格当作公式，首个是 %2；它们保持原样。请在电子表格中以文本方式打开该文件。</translation>
    </message>
    <message>
        <source>A spreadsheet would take 1 cell for a formula, %1; it stands unchanged. Open the file there as text.</source>
        <translation>电子表格会将 1 个单元格当作公式：%1；它保持原样。请在电子表格中以文本方式打开该文件。</translation>
    </message>
    <message>
        <source>A test takes a row of scores for each system, all on the same topics.</source>
        <translation>检验需要每个系统各有一行得分，且都基于相同的主题。</translation>
    </message>
    <message>
        <source>AP = sum / %1</source>
        <translation>AP = 总和 / %1</translation>
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
        <source>Active sampling</source>
        <translation>主动抽样</translation>
    </message>
    <message>
        <source>Agreement of %1 assessors, %2</source>
        <translation>%1 位评判员的一致性，%2</translation>
    </message>
    <message>
        <source>Agreement of assessors</source>
        <translation>评判员的一致性</translation>
    </message>
    <message>
        <source>Agreement takes two assessors or more, got %1.</source>
        <translation>一致性需要两位或更多评判员，现为 %1。</translation>
    </message>
    <message>
        <source>All topics have the title “%1”.</source>
        <translation>所有主题的标题都是“%1”。</translation>
    </message>
    <message>
        <source>An answer needs two different items.</source>
        <translation>一个回答需要两个不同的项。</translation>
    </message>
    <message>
        <source>An effect of %1 needs more than a million topics.</source>
        <translation>效应量 %1 需要一百万个以上的主题。</translation>
    </message>
    <message>
        <source>An event cannot be read (%1).</source>
        <translation>有一个事件无法读取（%1）。</translation>
    </message>
    <message>
        <source>An event has version %1; this irjudge reads version %2. Install a newer irjudge.</source>
        <translation>有一个事件的版本为 %1；本 irjudge 可读版本 %2。请安装更新版本的 irjudge。</translation>
    </message>
    <message>
        <source>An event is not in its canonical form; its bytes were changed.</source>
        <translation>有一个事件不是规范格式；其字节被改动过。</translation>
    </message>
    <message>
        <source>An order takes two systems or more; %1 and %2 share %3.</source>
        <translation>顺序需要两个或更多系统；%1 与 %2 共有 %3 个。</translation>
    </message>
    <message>
        <source>Assignments need one assessor or more, got none.</source>
        <translation>分配需要一位或更多评判员，现在没有。</translation>
    </message>
    <message>
        <source>Bootstrap method %1 is not known; there are %2.</source>
        <translation>没有名为 %1 的自助法；现有 %2。</translation>
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
        <source>Bounds need a scale whose lowest grade is 0, got %1.</source>
        <translation>上下界需要最低等级为 0 的等级范围，现为 %1。</translation>
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
        <source>By average over %1; systems of equal value share the middle of their places. %2</source>
        <translation>按 %1的平均；值相等的系统取其名次的中间值。%2</translation>
    </message>
    <message>
        <source>By the rule of trec_eval 10: %1 is reached with %2 relevant documents: %3, rounded.</source>
        <translation>按 trec_eval 10 的规则：%1，由 %2 篇相关文档达到：%3，四舍五入。</translation>
    </message>
    <message>
        <source>By the rule of trec_eval 9: %1 is reached with %2 relevant documents: floor(%3 + 0.9).</source>
        <translation>按 trec_eval 9 的规则：%1，由 %2 篇相关文档达到：floor(%3 + 0.9)。</translation>
    </message>
    <message>
        <source>CSV with semicolons</source>
        <translation>分号分隔的 CSV</translation>
    </message>
    <message>
        <source>Calibration: read from %1. Documents of known grades: %2; topics: %3.</source>
        <translation>校准：已从 %1 读取。已知等级的文档：%2 篇；主题：%3 个。</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was changed.</source>
        <translation>已取消。没有做任何更改。</translation>
    </message>
    <message>
        <source>Cannot be read: %1.</source>
        <translation>无法读取：%1。</translation>
    </message>
    <message>
        <source>Checking %1</source>
        <translation>正在检查 %1</translation>
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
        <source>Checking the file</source>
        <translation>正在检查文件</translation>
    </message>
    <message>
        <source>Cohen&apos;s kappa</source>
        <translation>科恩 κ 系数</translation>
    </message>
    <message>
        <source>Comparing assessors</source>
        <translation>正在比较评判员</translation>
    </message>
    <message>
        <source>Comparing runs</source>
        <translation>正在比较检索结果</translation>
    </message>
    <message>
        <source>Comparing takes two runs or more, got %1.</source>
        <translation>比较需要两个或更多检索结果，现为 %1。</translation>
    </message>
    <message>
        <source>Comparing topics</source>
        <translation>正在比较主题</translation>
    </message>
    <message>
        <source>Compatibility: p must be more than 0 and less than 1 and depth 1 or more, got %1 and %2.</source>
        <translation>Compatibility：p 应大于 0 且小于 1，深度应为 1 或以上，现为 %1 和 %2。</translation>
    </message>
    <message>
        <source>Counted: %1</source>
        <translation>计数：%1</translation>
    </message>
    <message>
        <source>Cumulated gain</source>
        <translation>累积增益</translation>
    </message>
    <message>
        <source>DCG mass</source>
        <translation>DCG 权重和</translation>
    </message>
    <message>
        <source>Dawid-Skene model</source>
        <translation>Dawid-Skene 模型</translation>
    </message>
    <message>
        <source>Depth and overlap must be 1 or more, got %1 and %2.</source>
        <translation>深度和重叠应为 1 或以上，现为 %1 和 %2。</translation>
    </message>
    <message>
        <source>Depth k</source>
        <translation>深度 k</translation>
    </message>
    <message>
        <source>Difference in %1</source>
        <translation>%1 的差值</translation>
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
        <source>Document %1 has no text in %2 and cannot be assigned.</source>
        <translation>文档 %1 在 %2 中没有文本，无法分配。</translation>
    </message>
    <message>
        <source>Document %1 has no text in this project.</source>
        <translation>文档 %1 在本项目中没有文本。</translation>
    </message>
    <message>
        <source>Document %1 is not to be judged for topic %2.</source>
        <translation>文档 %1 不在主题 %2 的判断之列。</translation>
    </message>
    <message>
        <source>Document %1: its text does not fit its hash, so it was changed.</source>
        <translation>文档 %1：文本与其散列值不符，已被改动。</translation>
    </message>
    <message>
        <source>Document %1: its text is missing.</source>
        <translation>文档 %1：缺少文本。</translation>
    </message>
    <message>
        <source>Documents are compared within their topic.</source>
        <translation>文档在各自的主题内比较。</translation>
    </message>
    <message>
        <source>Documents left out of the lists, since they have no text: %1 (for example %2).</source>
        <translation>因没有文本而从列表中略去的文档：%1 篇（例如 %2）。</translation>
    </message>
    <message>
        <source>Documents that were in the project already and stay as they were: %1.</source>
        <translation>已在项目中并保持原样的文档：%1 篇。</translation>
    </message>
    <message>
        <source>Documents: %1 read from %2.</source>
        <translation>文档：从 %2 读取了 %1 篇。</translation>
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
        <source>Drawing topics</source>
        <translation>正在抽取主题</translation>
    </message>
    <message>
        <source>Drawing topics and assessors</source>
        <translation>正在抽取主题和评判员</translation>
    </message>
    <message>
        <source>ERR = sum of reaches·satisfied/r = %1 = %2</source>
        <translation>ERR = 到达概率·满意概率/r 之和 = %1 = %2</translation>
    </message>
    <message>
        <source>Each topic counts 1; a run&apos;s value is the number of topics evaluated.</source>
        <translation>每个主题计 1；检索结果的值是已评测的主题数。</translation>
    </message>
    <message>
        <source>Each two on the documents both judged, %1 scale; %2 Hatched: undefined, or the same assessor.</source>
        <translation>每两位评判员，按两人都判断的文档，%1 尺度；%2 斜线：未定义，或同一位评判员。</translation>
    </message>
    <message>
        <source>Evaluated %1</source>
        <translation>已评测 %1</translation>
    </message>
    <message>
        <source>Evaluating runs</source>
        <translation>正在评测检索结果</translation>
    </message>
    <message>
        <source>Evaluating with the judgments of %1</source>
        <translation>正在用 %1 的判断评测</translation>
    </message>
    <message>
        <source>Event %1 (%2, %3): %4.</source>
        <translation>事件 %1（%2，%3）：%4。</translation>
    </message>
    <message>
        <source>Event %1 does not fit its hash; its bytes were changed.</source>
        <translation>事件 %1 与其散列值不符；其字节被改动过。</translation>
    </message>
    <message>
        <source>Event %1: it cannot be read.</source>
        <translation>事件 %1：无法读取。</translation>
    </message>
    <message>
        <source>F = %1 = 0, since P and R are 0</source>
        <translation>F = %1 = 0，因为 P 和 R 都为 0</translation>
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
        <source>Fields that are not read: %1%2.</source>
        <translation>没有读取的字段：%1%2。</translation>
    </message>
    <message>
        <source>Find relevant documents</source>
        <translation>找出相关文档</translation>
    </message>
    <message>
        <source>Finding the %1</source>
        <translation>正在求 %1</translation>
    </message>
    <message>
        <source>Finding the best documents needs their number, 1 or more.</source>
        <translation>找出最好的文档需要指定其数量，应为 1 或以上。</translation>
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
        <source>For %1 there are too few assessors who may make them (for example topic %2, document %3; topics: %4).</source>
        <translation>有%1找不到足够的评判员来做（例如主题 %2，文档 %3；主题：%4 个）。</translation>
    </message>
    <message>
        <source>G = %1, the highest grade. Who comes to a document is satisfied with probability (2^grade − 1) / 2^G, and stops.</source>
        <translation>G = %1，为最高等级。读者看到一篇文档时，以概率 (2^等级 − 1) / 2^G 感到满意并停止。</translation>
    </message>
    <message>
        <source>Gain over rank</source>
        <translation>各名次的增益</translation>
    </message>
    <message>
        <source>Gold and qualification documents need known answers: import qrels that hold them first.</source>
        <translation>已知答案和资格测试的文档需要已知答案：请先导入含这些答案的 qrels。</translation>
    </message>
    <message>
        <source>Grade %1 becomes %2, expected a grade from 0 to %3, -1 for unjudged or -2 for unjudgeable.</source>
        <translation>等级 %1 改为 %2，应为 0 到 %3 的等级，-1 表示未判断，-2 表示无法判断。</translation>
    </message>
    <message>
        <source>Grade %1 becomes both %2 and %3, expected one of them.</source>
        <translation>等级 %1 既改为 %2 又改为 %3，应为其中之一。</translation>
    </message>
    <message>
        <source>Grades are gains; %1.%2 %3</source>
        <translation>等级即增益；%1。%2 %3</translation>
    </message>
    <message>
        <source>Gwet&apos;s AC1</source>
        <translation>Gwet AC1 系数</translation>
    </message>
    <message>
        <source>Highest precision there: the highest of %1 = %2</source>
        <translation>此处的最高精确率：%1 中最高的 = %2</translation>
    </message>
    <message>
        <source>Highly relevant</source>
        <translation>高度相关</translation>
    </message>
    <message>
        <source>How alike measures order systems</source>
        <translation>各指标给系统排序的相似程度</translation>
    </message>
    <message>
        <source>I/O error</source>
        <translation>输入输出错误</translation>
    </message>
    <message>
        <source>Ideal order of %1, gains: %2.</source>
        <translation>%1的理想顺序，增益：%2。</translation>
    </message>
    <message>
        <source>Instructions: read from %1. Lines: %2.</source>
        <translation>说明：已从 %1 读取。共 %2 行。</translation>
    </message>
    <message>
        <source>Interpolated at %1 levels of recall: the highest precision where recall is at least as high.</source>
        <translation>在 %1 个召回率级别上插值：取召回率不低于该级别处的最高精确率。</translation>
    </message>
    <message>
        <source>Interpolated precision</source>
        <translation>插值精确率</translation>
    </message>
    <message>
        <source>Interval of the difference: 95 %, %1.</source>
        <translation>差异的区间：95 %，%1。</translation>
    </message>
    <message>
        <source>Intervals of net preferences: %1.</source>
        <translation>净偏好的区间：%1。</translation>
    </message>
    <message>
        <source>It can be opened for reading; `irjudge rescue` makes a sound project of what can be read. A backup may hold more.</source>
        <translation>可以只读方式打开；`irjudge rescue` 可将能读出的内容做成完好的项目。备份中可能内容更多。</translation>
    </message>
    <message>
        <source>It was assigned from pool %1; the project is at pool %2 by now.</source>
        <translation>它从文档池 %1 分配；项目现在已是文档池 %2。</translation>
    </message>
    <message>
        <source>It was handed in on %1 with another log: the head of that receipt is not in the file.</source>
        <translation>它于 %1 提交时日志不同：该回执所指的最后一个事件不在文件中。</translation>
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
        <source>It was rescued from a damaged file, of which %1 %2 lost.</source>
        <translation>它是从损坏的文件中恢复的，其中 %1 %2丢失。</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON Lines 格式</translation>
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
        <source>Jaccard coefficient</source>
        <translation>Jaccard 系数</translation>
    </message>
    <message>
        <source>Joined %1</source>
        <translation>已关联 %1</translation>
    </message>
    <message>
        <source>Judge the top of the runs whole and a sample of the rest, for estimates by xinfAP; with a size, the sample is what is left of it.</source>
        <translation>完整判断各检索结果的前几位，其余抽样，供 xinfAP 估计使用；给定数量时，样本为其中剩下的部分。</translation>
    </message>
    <message>
        <source>Judged@%1 = judged / min(k, n)</source>
        <translation>Judged@%1 = 已判断数 / min(k, n)</translation>
    </message>
    <message>
        <source>Judgments that nobody can take over, since each of the others had the document before: %1.</source>
        <translation>没有人可以接手的判断，因为其他人此前都有过该文档：%1 条。</translation>
    </message>
    <message>
        <source>Judgments: %1 read from %2. Assessors: %3.</source>
        <translation>判断：从 %2 读取了 %1 条。评判员：%3 位。</translation>
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
        <source>Kendall&apos;s tau-b %1 over </source>
        <translation>肯德尔 τ-b 为 %1，共 </translation>
    </message>
    <message>
        <source>Krippendorff&apos;s alpha</source>
        <translation>克里彭多夫 α 系数</translation>
    </message>
    <message>
        <source>Label %1 is not on the scale %2.</source>
        <translation>标签 %1 不在等级范围 %2 中。</translation>
    </message>
    <message>
        <source>Liking for a side</source>
        <translation>偏向某一侧</translation>
    </message>
    <message>
        <source>Lists that are identical, recorded and not shown: %1 of %2.</source>
        <translation>相同而只记录、未显示的列表：%2 对中的 %1 对。</translation>
    </message>
    <message>
        <source>Lost from the log: %1.</source>
        <translation>日志中丢失：%1。</translation>
    </message>
    <message>
        <source>Lower median</source>
        <translation>下中位数</translation>
    </message>
    <message>
        <source>Marginally relevant</source>
        <translation>略微相关</translation>
    </message>
    <message>
        <source>MaxMean, not stationary</source>
        <translation>MaxMean，非平稳</translation>
    </message>
    <message>
        <source>Measure %1 is not known; %2`irjudge measures` lists all.</source>
        <translation>没有名为 %1 的指标；%2`irjudge measures` 列出全部指标。</translation>
    </message>
    <message>
        <source>Measures that point the same way</source>
        <translation>方向一致的指标</translation>
    </message>
    <message>
        <source>Method %1 is not known; %2 are %3.</source>
        <translation>没有名为 %1 的方法；%2 %3。</translation>
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
        <source>N = %1 documents judged not relevant; m = min(R, N) = %2. Unjudged documents are passed over.</source>
        <translation>N = %1 篇判为不相关的文档；m = min(R, N) = %2。跳过未判断的文档。</translation>
    </message>
    <message>
        <source>Name one measure or more, for example AP or nDCG@10; `irjudge measures` lists all.</source>
        <translation>请写出一个或多个指标，例如 AP 或 nDCG@10；`irjudge measures` 列出全部指标。</translation>
    </message>
    <message>
        <source>Name the run to write; there are %1.</source>
        <translation>请指明要写出的检索结果；现有 %1。</translation>
    </message>
    <message>
        <source>Name two different runs, not %1 twice.</source>
        <translation>请指明两个不同的检索结果，而不是两次 %1。</translation>
    </message>
    <message>
        <source>Neither %1 nor %2 has the topic %3.</source>
        <translation>%1 和 %2 都没有主题 %3。</translation>
    </message>
    <message>
        <source>No relevant document is there.</source>
        <translation>其中没有相关文档。</translation>
    </message>
    <message>
        <source>No run has a topic that was judged, so there is nothing to draw.</source>
        <translation>没有检索结果含已判断的主题，因此没有可绘制的内容。</translation>
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
        <source>None of the known answers is of an item that was labelled; their ids do not meet.</source>
        <translation>没有一个已知答案属于有标签的条目；它们的编号对不上。</translation>
    </message>
    <message>
        <source>None of these runs has the topic %1.</source>
        <translation>这些检索结果都没有主题 %1。</translation>
    </message>
    <message>
        <source>Normalised cumulated gain</source>
        <translation>归一化累积增益</translation>
    </message>
    <message>
        <source>Normalised discounted cumulated gain</source>
        <translation>归一化折损累积增益</translation>
    </message>
    <message>
        <source>Not all runs have the same topics: each pair is compared on those both have, so means can differ from those of `evaluate`.</source>
        <translation>各检索结果的主题不完全相同：每一对只比较两者共有的主题，因此平均值可能与 `evaluate` 的不同。</translation>
    </message>
    <message>
        <source>Not among the judgments: %1 (%2).</source>
        <translation>不在判断之列：%1（%2）。</translation>
    </message>
    <message>
        <source>Not relevant</source>
        <translation>不相关</translation>
    </message>
    <message>
        <source>Not saved: %1 (%2).</source>
        <translation>未保存：%1（%2）。</translation>
    </message>
    <message>
        <source>Not saved: %1 was moved, deleted or replaced while it was open.</source>
        <translation>未保存：%1 在打开期间被移动、删除或替换。</translation>
    </message>
    <message>
        <source>Numbers of gold, repeated and qualification documents must be 0 or more.</source>
        <translation>已知答案、重复和资格测试的文档数应为 0 或以上。</translation>
    </message>
    <message>
        <source>Of the %1 nothing can be read.</source>
        <translation>%1 已无法读出。</translation>
    </message>
    <message>
        <source>One-coin model</source>
        <translation>单硬币模型 (one-coin)</translation>
    </message>
    <message>
        <source>Only documents that the pool, runs or qrels need were read: %1 needed, %2 not found.</source>
        <translation>只读取了文档池、检索结果或 qrels 需要的文档：需要 %1 篇，未找到 %2 篇。</translation>
    </message>
    <message>
        <source>Orders are compared between two assessors or more, got %1.</source>
        <translation>比较顺序需要两位或更多评判员，现为 %1。</translation>
    </message>
    <message>
        <source>Orders of %1 systems by measure, %2</source>
        <translation>各指标下 %1 个系统的顺序，%2</translation>
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
        <source>P@%1 = relevant in the top %2 / %3</source>
        <translation>P@%1 = 前 %2 位中的相关文档数 / %3</translation>
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
        <source>Partly relevant</source>
        <translation>部分相关</translation>
    </message>
    <message>
        <source>Places of %1 systems by measure</source>
        <translation>各指标下 %1 个系统的名次</translation>
    </message>
    <message>
        <source>Places of systems by measure</source>
        <translation>各指标下系统的名次</translation>
    </message>
    <message>
        <source>Plain depth</source>
        <translation>按深度</translation>
    </message>
    <message>
        <source>Policy: %1.%2</source>
        <translation>评测设置：%1。%2</translation>
    </message>
    <message>
        <source>Pooled documents that have no text and are not assigned: %1 (for example %2).</source>
        <translation>没有文本而未分配的入池文档：%1 篇（例如 %2）。</translation>
    </message>
    <message>
        <source>Positive agreement</source>
        <translation>阳性一致率</translation>
    </message>
    <message>
        <source>Precision over recall</source>
        <translation>精确率–召回率曲线</translation>
    </message>
    <message>
        <source>Precision over recall, %1</source>
        <translation>精确率–召回率曲线，%1</translation>
    </message>
    <message>
        <source>Precision over recall, not interpolated</source>
        <translation>精确率–召回率曲线，未插值</translation>
    </message>
    <message>
        <source>Precision over recall, not interpolated, %1</source>
        <translation>精确率–召回率曲线，未插值，%1</translation>
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
        <source>Q = sum / R</source>
        <translation>Q = 总和 / R</translation>
    </message>
    <message>
        <source>Qrels %1</source>
        <translation>qrels %1</translation>
    </message>
    <message>
        <source>Qrels %1 are read. Judgments: %2; topics: %3.</source>
        <translation>已读取 qrels %1。判断：%2 条；主题：%3 个。</translation>
    </message>
    <message>
        <source>Qrels %1: topics without judgments: %2 (for example %3).</source>
        <translation>qrels %1：没有判断的主题：%2 个（例如 %3）。</translation>
    </message>
    <message>
        <source>Qrels take documents of topics; these labels name items. Give the columns topic and document.</source>
        <translation>qrels 需要主题的文档；这些标签写的是条目。请给出 topic 和 document 两列。</translation>
    </message>
    <message>
        <source>Qrels take whole grades of 0 or more; the %1 of these labels is none.</source>
        <translation>qrels 需要 0 或以上的整数等级；这些标签的 %1 不符合。</translation>
    </message>
    <message>
        <source>Qrels take whole grades, which the %1 does not give; choose %2.</source>
        <translation>qrels 需要整数等级，而%1不给出整数等级；请选择 %2。</translation>
    </message>
    <message>
        <source>Qrels: %1.</source>
        <translation>qrels：%1。</translation>
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
        <source>R@%1 = relevant in the top %2 / R</source>
        <translation>R@%1 = 前 %2 位中的相关文档数 / R</translation>
    </message>
    <message>
        <source>RBP = (1 − p)·sum = %1·%2 = %3</source>
        <translation>RBP = (1 − p)·总和 = %1·%2 = %3</translation>
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
        <source>RR = 1 / rank of the first relevant document = 1 / %1 = %2</source>
        <translation>RR = 1 / 首篇相关文档的名次 = 1 / %1 = %2</translation>
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
        <source>Raw agreement</source>
        <translation>原始一致率</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Reading judgments</source>
        <translation>正在读取判断</translation>
    </message>
    <message>
        <source>Reading the runs</source>
        <translation>正在读取检索结果</translation>
    </message>
    <message>
        <source>Recall %1 of R = %2</source>
        <translation>R = %2 时的召回率 %1</translation>
    </message>
    <message>
        <source>Recall above %1 up to %2 has the relevant documents %3 to %4 of %5.</source>
        <translation>召回率大于 %1 且不超过 %2 的，是 %5 篇相关文档中的第 %3 到 %4 篇。</translation>
    </message>
    <message>
        <source>Receipt %1</source>
        <translation>回执 %1</translation>
    </message>
    <message>
        <source>Reciprocal rank fusion</source>
        <translation>倒数排名融合</translation>
    </message>
    <message>
        <source>Relevant</source>
        <translation>相关</translation>
    </message>
    <message>
        <source>Relevant: grade %1 or more.</source>
        <translation>相关：%1 级或以上。</translation>
    </message>
    <message>
        <source>Rprec = relevant in the top %1 / R</source>
        <translation>Rprec = 前 %1 位中的相关文档数 / R</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>检索结果 %1</translation>
    </message>
    <message>
        <source>Run %1 has rows without a rank; choose another order of ties than rank.</source>
        <translation>检索结果 %1 中有的行没有名次；同分时请不要按 rank 排序。</translation>
    </message>
    <message>
        <source>Run %1 is read. Documents retrieved: %2; topics: %3.</source>
        <translation>已读取检索结果 %1。检出文档：%2 篇；主题：%3 个。</translation>
    </message>
    <message>
        <source>Run %1: %2. Do the document ids fit?</source>
        <translation>检索结果 %1：%2。文档编号是否一致？</translation>
    </message>
    <message>
        <source>Runs and topics</source>
        <translation>检索结果与主题</translation>
    </message>
    <message>
        <source>Runs and topics are ordered by their means; hatched: not evaluated. %1</source>
        <translation>检索结果和主题按平均值排列；斜线：未评测。%1</translation>
    </message>
    <message>
        <source>SMART queries</source>
        <translation>SMART 查询</translation>
    </message>
    <message>
        <source>Scale %1 is not known; give binary, 0-1 to 0-%2, or a JSON file.</source>
        <translation>没有名为 %1 的等级范围；请给出 binary、0-1 到 0-%2，或 JSON 文件。</translation>
    </message>
    <message>
        <source>Scott&apos;s pi</source>
        <translation>斯科特 π 系数</translation>
    </message>
    <message>
        <source>Select the words that are the reason first.</source>
        <translation>请先选中作为理由的文字。</translation>
    </message>
    <message>
        <source>Share of relevant labels</source>
        <translation>相关标签的比例</translation>
    </message>
    <message>
        <source>Sign test</source>
        <translation>符号检验</translation>
    </message>
    <message>
        <source>Some items only won or only lost: half a win each way was added to every pair to find strengths.</source>
        <translation>有些项只胜不负或只负不胜：为求强度，每一对的双方都各加了半次胜。</translation>
    </message>
    <message>
        <source>Some items were never compared with others, not even by way of a third: strengths hold within their groups.%1</source>
        <translation>有些项从未与其他项比较，也没有通过第三项间接比较：强度只在各自的组内有效。%1</translation>
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
        <source>Statistic %1 is not known; %2 are %3.</source>
        <translation>没有名为 %1 的统计量；%2 %3。</translation>
    </message>
    <message>
        <source>Strata that end at %1 rising ranks need %2 rates, got %3.</source>
        <translation>以 %1 个递增名次为界的分层需要 %2 个抽样率，现为 %3 个。</translation>
    </message>
    <message>
        <source>Strategy %1 draws by chance, so nothing can come first; use stratified.</source>
        <translation>策略 %1 随机抽取，因此不能指定排在最前的文档；请用 stratified。</translation>
    </message>
    <message>
        <source>Strategy %1 is not known; %2 %3.</source>
        <translation>没有名为 %1 的策略；%2 %3。</translation>
    </message>
    <message>
        <source>Strategy %1 learns from each judgment, so it needs known judgments (qrels) to go through.</source>
        <translation>策略 %1 从每条判断中学习，因此需要已知的判断 (qrels)。</translation>
    </message>
    <message>
        <source>Strategy %1 needs a %2.</source>
        <translation>策略 %1 需要 %2。</translation>
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
        <source>Student&apos;s t, %1 degrees of freedom</source>
        <translation>学生 t 分布，自由度 %1</translation>
    </message>
    <message>
        <source>Subtopic %1%2: %3</source>
        <translation>子主题 %1%2：%3</translation>
    </message>
    <message>
        <source>Subtopic%1: %2</source>
        <translation>子主题%1：%2</translation>
    </message>
    <message>
        <source>Sum of (found + beta·CG)/(r + beta·ideal CG) where a document gains: %1 = %2</source>
        <translation>有增益的文档处 (已找到数 + beta·CG)/(r + beta·理想 CG) 之和：%1 = %2</translation>
    </message>
    <message>
        <source>Sum of 1 − min(non-relevant above, m)/m at the relevant ranks: %1 = %2</source>
        <translation>相关文档所在名次处 1 − min(其上不相关数，m)/m 之和：%1 = %2</translation>
    </message>
    <message>
        <source>Sum of P@r at the relevant ranks: %1 = %2</source>
        <translation>相关文档所在名次处 P@r 之和：%1 = %2</translation>
    </message>
    <message>
        <source>Sum of g·p^(r−1): %1 = %2</source>
        <translation>g·p^(r−1) 之和：%1 = %2</translation>
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
        <source>Text outside of the records was left out in %1 places, beginning with %2.</source>
        <translation>有 %1 处记录以外的文字被略去，首处是 %2。</translation>
    </message>
    <message>
        <source>Text outside of the records was left out in 1 place: %1.</source>
        <translation>有 1 处记录以外的文字被略去：%1。</translation>
    </message>
    <message>
        <source>The %1 must be between 0 and 1, got %2.</source>
        <translation>%1 应在 0 和 1 之间，现为 %2。</translation>
    </message>
    <message>
        <source>The %1 of a pool must be %2 or more, got %3.</source>
        <translation>文档池的 %1 应为 %2 或以上，现为 %3。</translation>
    </message>
    <message>
        <source>The %1 takes labels that are numbers; %2 is none.</source>
        <translation>%1 需要数字标签；%2 不是数字。</translation>
    </message>
    <message>
        <source>The assessor %1 is named twice; names tell assessors apart.</source>
        <translation>评判员 %1 出现两次；评判员要靠名称区分。</translation>
    </message>
    <message>
        <source>The assignment %1 is in the project already.</source>
        <translation>分配 %1 已在项目中。</translation>
    </message>
    <message>
        <source>The baseline %1 is none of the runs; they are %2.</source>
        <translation>基线 %1 不是任何一个检索结果；现有 %2。</translation>
    </message>
    <message>
        <source>The calibration documents of %1 cannot be read (%2).</source>
        <translation>无法读取 %1 的校准文档（%2）。</translation>
    </message>
    <message>
        <source>The code shows what was lost or changed by accident, not a log that somebody wrote anew.</source>
        <translation>回执码能显示意外丢失或改动的内容，但不能识别重新写成的日志。</translation>
    </message>
    <message>
        <source>The confidence must be between 0 and 1, got %1.</source>
        <translation>置信水平应在 0 和 1 之间，现为 %1。</translation>
    </message>
    <message>
        <source>The depth must be 1 or more, got %1.</source>
        <translation>深度应为 1 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The depth of a pool must be 1 or more, got %1.</source>
        <translation>文档池的深度应为 1 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The event could not be stored (%1).</source>
        <translation>无法保存事件（%1）。</translation>
    </message>
    <message>
        <source>The file %1 is given twice; give each run once.</source>
        <translation>文件 %1 给了两次；每个检索结果只给一次。</translation>
    </message>
    <message>
        <source>The file is damaged: it holds a value of another kind than its table keeps.</source>
        <translation>文件已损坏：其中有一个值与所在表的类型不符。</translation>
    </message>
    <message>
        <source>The file is damaged: its pages do not fit together (%1).</source>
        <translation>文件已损坏：其页面不相符（%1）。</translation>
    </message>
    <message>
        <source>The first relevant document is at rank %1, so the topic succeeds.</source>
        <translation>首篇相关文档在第 %1 位，因此该主题成功。</translation>
    </message>
    <message>
        <source>The first sheet was read; %1 other sheets were left out, beginning with %2.</source>
        <translation>已读取首个工作表；其他 %1 个工作表已略去，首个是 %2。</translation>
    </message>
    <message>
        <source>The first sheet was read; 1 other sheet was left out: %1.</source>
        <translation>已读取首个工作表；其他 1 个工作表已略去：%1。</translation>
    </message>
    <message>
        <source>The first that does not fit is %1.%2</source>
        <translation>第一个不符的是 %1。%2</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>文件夹 %1 不存在。</translation>
    </message>
    <message>
        <source>The gain at rank r is divided by log%1(r + 1).</source>
        <translation>第 r 位的增益除以 log%1(r + 1)。</translation>
    </message>
    <message>
        <source>The gain at rank r is divided by log%1(r) from rank %2 on, and not before.</source>
        <translation>第 r 位的增益从第 %2 位起除以 log%1(r)，此前不除。</translation>
    </message>
    <message>
        <source>The gap before a question is asked again must be 1 or more, got %1.</source>
        <translation>问题再次提出前的间隔应为 1 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The gap is accepted: %1 missing; what follows is taken.</source>
        <translation>已接受空缺：缺少 %1；其后的内容已采纳。</translation>
    </message>
    <message>
        <source>The grades are the project&apos;s, but their words are not: labels or help were changed since.</source>
        <translation>等级与项目一致，但文字不同：标签或帮助此后有改动。</translation>
    </message>
    <message>
        <source>The known answer of %1 is %2, which is not on the scale %3.</source>
        <translation>%1 的已知答案为 %2，不在等级范围 %3 中。</translation>
    </message>
    <message>
        <source>The list of assessors</source>
        <translation>评判员名单</translation>
    </message>
    <message>
        <source>The name of a measure is empty; `irjudge measures` lists all.</source>
        <translation>指标名称为空；`irjudge measures` 列出全部指标。</translation>
    </message>
    <message>
        <source>The number of best items must be 1 or more, got %1.</source>
        <translation>最好的项的数量应为 1 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The number of pairs must be 1 or more, got %1.</source>
        <translation>对的数量应为 1 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The number of repeats must be 0 or more, got %1.</source>
        <translation>重复的数量应为 0 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The number of samples must be 1 or more, got %1.</source>
        <translation>样本数应为 1 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The overlap must be between 1 and the number of assessors (%1), got %2.</source>
        <translation>重叠应在 1 和评判员人数（%1）之间，现为 %2。</translation>
    </message>
    <message>
        <source>The owner&apos;s name is lost.</source>
        <translation>所有者的名称已丢失。</translation>
    </message>
    <message>
        <source>The profile %1 gives a topic that the run lacks %2.</source>
        <translation>口径 %1 给检索结果缺少的主题计 %2。</translation>
    </message>
    <message>
        <source>The project does not know which run the side %1 of a panel stands for.</source>
        <translation>项目中没有记录面板的 %1 侧代表哪个检索结果。</translation>
    </message>
    <message>
        <source>The project has a run called %1 already. Rename the file, or remove the old run first (`irjudge remove-run`).</source>
        <translation>项目中已有名为 %1 的检索结果。请重命名文件，或先移除旧的（`irjudge remove-run`）。</translation>
    </message>
    <message>
        <source>The project has no qrels called %1.</source>
        <translation>项目中没有名为 %1 的 qrels。</translation>
    </message>
    <message>
        <source>The project has no qrels called %1; it has %2.</source>
        <translation>项目中没有名为 %1 的 qrels；现有 %2。</translation>
    </message>
    <message>
        <source>The project has no run called %1.</source>
        <translation>项目中没有名为 %1 的检索结果。</translation>
    </message>
    <message>
        <source>The project has no run called %1; it has %2.</source>
        <translation>项目中没有名为 %1 的检索结果；现有 %2。</translation>
    </message>
    <message>
        <source>The project has qrels called %1 already.</source>
        <translation>项目中已有名为 %1 的 qrels。</translation>
    </message>
    <message>
        <source>The project is damaged: a column ends within a number.</source>
        <translation>项目已损坏：有一列在数字中间结束。</translation>
    </message>
    <message>
        <source>The ranks must be 1 or more, got %1.</source>
        <translation>名次应为 1 或以上，现为 %1。</translation>
    </message>
    <message>
        <source>The reason %1 is not among %2.</source>
        <translation>没有理由 %1；现有 %2。</translation>
    </message>
    <message>
        <source>The reason %1 is not known; choose %2.</source>
        <translation>没有名为 %1 的原因；请选择 %2。</translation>
    </message>
    <message>
        <source>The rules of the comparison in %1 cannot be read (%2).</source>
        <translation>无法读取 %1 中的比较规则（%2）。</translation>
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
        <source>The same question again</source>
        <translation>重复提出的同一问题</translation>
    </message>
    <message>
        <source>The scale has no grade %1; it has %2.</source>
        <translation>等级范围中没有等级 %1；只有 %2。</translation>
    </message>
    <message>
        <source>The scale is lost; 0 to 3 stands in its place.</source>
        <translation>等级范围已丢失；用 0 到 3 代替。</translation>
    </message>
    <message>
        <source>The seed is lost, so the documents come in a new order.</source>
        <translation>随机种子已丢失，文档将以新的顺序出现。</translation>
    </message>
    <message>
        <source>The seed must be a whole number from 0 to %1, got %2.</source>
        <translation>随机种子应为 0 到 %1 的整数，现为 %2。</translation>
    </message>
    <message>
        <source>The share of pairs with overlap must be above 0 and at most 1, got %1.</source>
        <translation>有重叠的对的比例应大于 0 且不大于 1，现为 %1。</translation>
    </message>
    <message>
        <source>The share of questions asked again must be between 0 and 1, got %1.</source>
        <translation>再次提出的问题的比例应在 0 和 1 之间，现为 %1。</translation>
    </message>
    <message>
        <source>The strength of a preference must be 1 or 2, got %1.</source>
        <translation>偏好的强度应为 1 或 2，现为 %1。</translation>
    </message>
    <message>
        <source>The strengths were not found in %1 steps.</source>
        <translation>%1 步之内没有求出强度。</translation>
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
        <source>The topics are called 1 to %1 by their order; in the file they are called %2.</source>
        <translation>主题按先后编为 1 到 %1；在文件中的编号为 %2。</translation>
    </message>
    <message>
        <source>The topics keep the ids of the file (%1), which do not count from 1 to %2.</source>
        <translation>主题保留文件中的编号（%1），它们不是 1 到 %2。</translation>
    </message>
    <message>
        <source>There are no preferences: no two were compared yet.</source>
        <translation>没有偏好：还没有比较过任何两项。</translation>
    </message>
    <message>
        <source>There are no qrels called %1; choose %2.</source>
        <translation>没有名为 %1 的 qrels；请选择 %2。</translation>
    </message>
    <message>
        <source>There are no qrels: nothing is judged yet and no qrels were imported.</source>
        <translation>没有 qrels：还没有判断，也没有导入 qrels。</translation>
    </message>
    <message>
        <source>There is no assessor %1 to leave out; there are %2.</source>
        <translation>没有可排除的评判员 %1；现有 %2。</translation>
    </message>
    <message>
        <source>There is no encoding &quot;%1&quot;, expected a name like utf-8, utf-16, cp1252, gb18030, big5 or shift-jis.</source>
        <translation>没有名为“%1”的编码，应为 utf-8、utf-16、cp1252、gb18030、big5 或 shift-jis 这样的名称。</translation>
    </message>
    <message>
        <source>There is no run %1 to show; there are %2.</source>
        <translation>没有可显示的检索结果 %1；现有 %2。</translation>
    </message>
    <message>
        <source>There is no run called %1; choose %2.</source>
        <translation>没有名为 %1 的检索结果；请选择 %2。</translation>
    </message>
    <message>
        <source>There is no sample collection called %1; there are %2.</source>
        <translation>没有名为 %1 的示例文档集；现有 %2。</translation>
    </message>
    <message>
        <source>There is no topic %1 that was evaluated.</source>
        <translation>没有已评测的主题 %1。</translation>
    </message>
    <message>
        <source>There is no topic %1 that was evaluated; there are %2.</source>
        <translation>没有已评测的主题 %1；现有 %2。</translation>
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
        <source>This comparison asks for no grades.</source>
        <translation>这项比较不要求给出等级。</translation>
    </message>
    <message>
        <source>This figure takes %1 or more, got %2.</source>
        <translation>这种图需要%1或更多，现为 %2。</translation>
    </message>
    <message>
        <source>This installation of irjudge lacks its folder %1. Install it again.</source>
        <translation>本机安装的 irjudge 缺少文件夹 %1。请重新安装。</translation>
    </message>
    <message>
        <source>This measure has no written working. Its formula stands above; the value is what the measure itself computes from this ranking.</source>
        <translation>这个指标没有写出计算过程。公式见上；该值由指标本身根据这个排序算出。</translation>
    </message>
    <message>
        <source>Thompson sampling</source>
        <translation>汤普森采样</translation>
    </message>
    <message>
        <source>Ties %1 is not known; choose %2.</source>
        <translation>没有名为 %1 的平票处理方式；请选择 %2。</translation>
    </message>
    <message>
        <source>Too fast is a time of 0 seconds or more, got %1.</source>
        <translation>“过快”应为 0 秒或以上的时间，现为 %1。</translation>
    </message>
    <message>
        <source>Topic %1 has %2 documents to compare in pairs; at most %3 can be. Lower the depth.</source>
        <translation>主题 %1 有 %2 篇文档要成对比较；最多可比较 %3 篇。请减小深度。</translation>
    </message>
    <message>
        <source>Topic %1 has no documents to judge.</source>
        <translation>主题 %1 没有待判断的文档。</translation>
    </message>
    <message>
        <source>Topic %1 has no relevant document, and --topics %2 leaves such topics out.</source>
        <translation>主题 %1 没有相关文档，而 --topics %2 不计这样的主题。</translation>
    </message>
    <message>
        <source>Topic %1 is neither in the qrels nor in run %2; %3</source>
        <translation>主题 %1 既不在 qrels 中，也不在检索结果 %2 中；%3</translation>
    </message>
    <message>
        <source>Topic %1 is not in run %2, so it is not evaluated; with --topics qrels it counts as an empty ranking.</source>
        <translation>主题 %1 不在检索结果 %2 中，因此没有评测；用 --topics qrels 时按空排序计。</translation>
    </message>
    <message>
        <source>Topic %1 of run %2 is not in the qrels, so nothing is known of its documents.</source>
        <translation>检索结果 %2 的主题 %1 不在 qrels 中，因此对其文档一无所知。</translation>
    </message>
    <message>
        <source>Topics of which every known answer is relevant: %1 (for example %2).</source>
        <translation>所有已知答案都相关的主题：%1（例如 %2）。</translation>
    </message>
    <message>
        <source>Topics: %1 read from %2 (%3).</source>
        <translation>主题：从 %2 读取了 %1 个（%3）。</translation>
    </message>
    <message>
        <source>Tukey&apos;s HSD of systems by topics</source>
        <translation>系统与主题的 Tukey HSD 检验</translation>
    </message>
    <message>
        <source>Two measures</source>
        <translation>两个指标</translation>
    </message>
    <message>
        <source>Two rankings of the same items need as many scores each, got %1 and %2.</source>
        <translation>相同各项的两个排序须有同样多的得分，现为 %1 和 %2 个。</translation>
    </message>
    <message>
        <source>Two runs are called %1; a pool tells runs apart by name.</source>
        <translation>有两个检索结果都名为 %1；文档池按名称区分检索结果。</translation>
    </message>
    <message>
        <source>Two runs are called %1; runs that are compared need names of their own.</source>
        <translation>有两个检索结果都名为 %1；要比较的检索结果须有不同的名称。</translation>
    </message>
    <message>
        <source>Two runs are called %1; their curves could not be told apart.</source>
        <translation>有两个检索结果都名为 %1；无法区分各自的曲线。</translation>
    </message>
    <message>
        <source>Two runs are called %1; their values could not be told apart.</source>
        <translation>有两个检索结果都名为 %1；无法区分各自的值。</translation>
    </message>
    <message>
        <source>Two runs by topic</source>
        <translation>两个检索结果，逐个主题</translation>
    </message>
    <message>
        <source>Two systems are compared on the same topics, got %1 and %2 scores.</source>
        <translation>两个系统须在相同的主题上比较，现为 %1 和 %2 个得分。</translation>
    </message>
    <message>
        <source>Unjudged@%1 = unjudged / k</source>
        <translation>Unjudged@%1 = 未判断数 / k</translation>
    </message>
    <message>
        <source>Weighted tau</source>
        <translation>加权 τ</translation>
    </message>
    <message>
        <source>What was answered</source>
        <translation>回答情况</translation>
    </message>
    <message>
        <source>What was left of it had been given to others; what came back all the same is kept.</source>
        <translation>其剩余部分已交给他人；仍然交回的内容予以保留。</translation>
    </message>
    <message>
        <source>Wilcoxon signed-rank test</source>
        <translation>Wilcoxon 符号秩检验</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写出 %1</translation>
    </message>
    <message>
        <source>Writing tasks</source>
        <translation>正在写出任务</translation>
    </message>
    <message>
        <source>Wrote %1. Rows in: %2 %3; read back equal: %4.</source>
        <translation>已写出 %1。写入行数：%2 %3；读回一致：%4。</translation>
    </message>
    <message>
        <source>a JSON object</source>
        <translation>一个 JSON 对象</translation>
    </message>
    <message>
        <source>a grade is not a whole number</source>
        <translation>有一个等级不是整数</translation>
    </message>
    <message>
        <source>a line longer than %1 bytes; this is not a file of columns</source>
        <translation>有一行超过 %1 字节；这不是按列排列的文件</translation>
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
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a ratio takes labels of 0 or more</source>
        <translation>比率尺度需要 0 或以上的标签</translation>
    </message>
    <message>
        <source>a topic has more than %1 elements, or they stand inside each other more than %2 deep</source>
        <translation>有一个主题的元素超过 %1 个，或嵌套超过 %2 层</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
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
        <source>alpha and power must be between 0 and 1, got %1 and %2.</source>
        <translation>alpha 和检验功效应在 0 和 1 之间，现为 %1 和 %2。</translation>
    </message>
    <message>
        <source>an XML file</source>
        <translation>XML 文件</translation>
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
        <source>another program holds the file</source>
        <translation>文件被另一个程序占用</translation>
    </message>
    <message>
        <source>any document that has no grade can be relevant, retrieved or not</source>
        <translation>任何没有等级的文档都可能相关，不论是否检出</translation>
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
        <source>assessor %1</source>
        <translation>评判员 %1</translation>
    </message>
    <message>
        <source>average gain over average ideal gain</source>
        <translation>平均增益除以平均理想增益</translation>
    </message>
    <message>
        <source>average over %1</source>
        <translation>%1的平均</translation>
    </message>
    <message>
        <source>average: %1 (%2)</source>
        <translation>平均：%1（%2）</translation>
    </message>
    <message>
        <source>beats every other</source>
        <translation>胜过其他各项</translation>
    </message>
    <message>
        <source>better order</source>
        <translation>排序更好</translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation>%1 到 %2 之间</translation>
    </message>
    <message>
        <source>bootstrap %1, %2 samples, seed %3</source>
        <translation>自助法 %1，%2 个样本，随机种子 %3</translation>
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
        <source>byte %1 of the line (0x%2) is not UTF-8, expected UTF-8</source>
        <translation>该行第 %1 个字节（0x%2）不是 UTF-8，应为 UTF-8</translation>
    </message>
    <message>
        <source>cannot be read (%1)</source>
        <translation>无法读取（%1）</translation>
    </message>
    <message>
        <source>cannot be read to its end (%1)</source>
        <translation>无法读到末尾（%1）</translation>
    </message>
    <message>
        <source>circular triads</source>
        <translation>三者循环</translation>
    </message>
    <message>
        <source>column %1</source>
        <translation>第 %1 列</translation>
    </message>
    <message>
        <source>columns 3 and 4 are 0 in every line, so the document may be column 2 or 3; say with --columns %1</source>
        <translation>每行的第 3、4 列都是 0，因此文档可能在第 2 列或第 3 列；请用 --columns 说明：%1</translation>
    </message>
    <message>
        <source>count now</source>
        <translation>现在计入</translation>
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
        <source>did you mean %1?</source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>did you mean %1? </source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>did you mean %1? Otherwise choose</source>
        <translation>是否指 %1？否则请选择</translation>
    </message>
    <message>
        <source>did you mean %1? There</source>
        <translation>是否指 %1？可用的有</translation>
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
        <source>documents an assessor did not judge are unjudged, so that what was judged moves the order too</source>
        <translation>评判员没有判断的文档按未判断计，因此判断了哪些文档也会改变顺序</translation>
    </message>
    <message>
        <source>documents an assessor did not judge keep the majority of the others, so that grades alone move the order</source>
        <translation>评判员没有判断的文档取其他人的多数意见，因此只有等级会改变顺序</translation>
    </message>
    <message>
        <source>each gain divided by log2(rank + 1)</source>
        <translation>每个增益除以 log2(名次 + 1)</translation>
    </message>
    <message>
        <source>elements stand inside each other more than %1 deep, and none of them is a topic</source>
        <translation>元素嵌套超过 %1 层，其中没有一个是主题</translation>
    </message>
    <message>
        <source>event %1</source>
        <translation>事件 %1</translation>
    </message>
    <message>
        <source>event %1%2: %3</source>
        <translation>事件 %1%2：%3</translation>
    </message>
    <message>
        <source>exact binomial, ties dropped</source>
        <translation>精确二项检验，平局不计</translation>
    </message>
    <message>
        <source>expected &lt;topic&gt; elements, each with a number</source>
        <translation>应为 &lt;topic&gt; 元素，每个带有编号</translation>
    </message>
    <message>
        <source>expected TREC (&lt;DOC&gt;), SMART (.I 1), JSON objects with an id and text, lines with an id, a tab and the text, CSV with a header, or a folder or archive of .txt, .md, .html or image files</source>
        <translation>应为 TREC (&lt;DOC&gt;)、SMART (.I 1)、带编号和文本的 JSON 对象、由编号、制表符和文本组成的行、带表头的 CSV，或含 .txt、.md、.html 或图片文件的文件夹或压缩包</translation>
    </message>
    <message>
        <source>expected TREC topics (&lt;top&gt;), XML, SMART queries (.I), JSON objects with an id and a title or text, or lines with an id, a tab and the query</source>
        <translation>应为 TREC 主题 (&lt;top&gt;)、XML、SMART 查询 (.I)、带编号和标题或文本的 JSON 对象，或由编号、制表符和查询组成的行</translation>
    </message>
    <message>
        <source>expected a list, got %1</source>
        <translation>应为列表，得到 %1</translation>
    </message>
    <message>
        <source>expected topics with documents and their %1s, like {&quot;1&quot;: {&quot;d7&quot;: 2}}</source>
        <translation>应为主题及其文档和 %1，如 {&quot;1&quot;: {&quot;d7&quot;: 2}}</translation>
    </message>
    <message>
        <source>fewer than %1 columns</source>
        <translation>少于 %1 列</translation>
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
        <source>found %1 column(s), expected %2 separated by tabs: %3</source>
        <translation>有 %1 列，应为用制表符分隔的 %2 列：%3</translation>
    </message>
    <message>
        <source>found %1 column(s), expected %2: %3</source>
        <translation>有 %1 列，应为 %2：%3</translation>
    </message>
    <message>
        <source>found %1 column(s), expected %2; %3</source>
        <translation>有 %1 列，应为%2；%3</translation>
    </message>
    <message>
        <source>found %1 columns separated by tabs, expected two, an id and the query, or a first line that names the columns</source>
        <translation>有 %1 个用制表符分隔的列，应为两列，即编号和查询，或首行写明各列名称</translation>
    </message>
    <message>
        <source>found %1, expected &quot;%2&quot; in the JSON list</source>
        <translation>读到 %1，JSON 列表中应为“%2”</translation>
    </message>
    <message>
        <source>found %1, expected a JSON object with an id</source>
        <translation>读到%1，应为带编号的 JSON 对象</translation>
    </message>
    <message>
        <source>found the one before and count now</source>
        <translation>找到了前一个事件，现在计入</translation>
    </message>
    <message>
        <source>found “%1”, %2</source>
        <translation>读到“%1”，%2</translation>
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
        <source>gain of grades %1, else gain = grade</source>
        <translation>等级的增益为 %1，其余增益 = 等级</translation>
    </message>
    <message>
        <source>grade %1 is too large, expected one that a scale can have</source>
        <translation>等级 %1 过大，应为等级范围可容纳的等级</translation>
    </message>
    <message>
        <source>grade / %1</source>
        <translation>等级 / %1</translation>
    </message>
    <message>
        <source>grades are as they were, as was said</source>
        <translation>按指定，等级保持原样</translation>
    </message>
    <message>
        <source>grades were turned as was said: %1</source>
        <translation>等级已按指定改变：%1</translation>
    </message>
    <message>
        <source>ideal CG</source>
        <translation>理想 CG</translation>
    </message>
    <message>
        <source>ideal of %1</source>
        <translation>%1 的理想值</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>imported %1</source>
        <translation>导入的 %1</translation>
    </message>
    <message>
        <source>it cannot be read, or is larger than an event can be</source>
        <translation>无法读取，或超过事件的大小上限</translation>
    </message>
    <message>
        <source>it cannot be split into columns (%1)</source>
        <translation>无法将其分成各列（%1）</translation>
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
        <source>it does not say which side is better, but %1</source>
        <translation>没有说明哪一侧更好，而是 %1</translation>
    </message>
    <message>
        <source>it expands to more than %1 and is not read further</source>
        <translation>展开后超过 %1，不再继续读取</translation>
    </message>
    <message>
        <source>it has %1</source>
        <translation>可用的有 %1</translation>
    </message>
    <message>
        <source>it has %1.</source>
        <translation>可用的有 %1。</translation>
    </message>
    <message>
        <source>it has none</source>
        <translation>它没有参数</translation>
    </message>
    <message>
        <source>it has none.</source>
        <translation>它没有参数。</translation>
    </message>
    <message>
        <source>it is a folder without %1, expected a file, or a folder as BEIR has them</source>
        <translation>这是没有 %1 的文件夹，应为文件，或 BEIR 形式的文件夹</translation>
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
        <source>it is a spreadsheet, from which no documents are read; save its sheet as CSV and read that</source>
        <translation>它是电子表格，无法从中读取文档；请将其工作表另存为 CSV 后读取</translation>
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
        <source>it is an archive, expected one file, plain or packed with gzip, bzip2 or xz</source>
        <translation>它是压缩包，应为单个文件，不压缩或用 gzip、bzip2 或 xz 压缩</translation>
    </message>
    <message>
        <source>it is by another assessor than %1, whose file it is</source>
        <translation>这是 %1 的文件，而它出自另一位评判员</translation>
    </message>
    <message>
        <source>it is empty, expected instructions in Markdown</source>
        <translation>文件为空，应为 Markdown 写的说明</translation>
    </message>
    <message>
        <source>it is larger than %1, too large to be read in one piece</source>
        <translation>大于 %1，过大而无法一次读取</translation>
    </message>
    <message>
        <source>it is locked with a password; unpack it and read the files</source>
        <translation>它有密码；请解压后读取其中的文件</translation>
    </message>
    <message>
        <source>it is not well-formed XML (%1), %2</source>
        <translation>不是格式正确的 XML（%1），%2</translation>
    </message>
    <message>
        <source>it is open in another program, or you may not write there</source>
        <translation>文件正在另一个程序中打开，或没有写入权限</translation>
    </message>
    <message>
        <source>it is packed in a way that is not known (%1); unpack it and read the files</source>
        <translation>压缩方式未知（%1）；请解压后读取其中的文件</translation>
    </message>
    <message>
        <source>it is packed with %1, expected gzip, bzip2, xz, zip or tar; unpack it and read the files</source>
        <translation>它用 %1 压缩，应为 gzip、bzip2、xz、zip 或 tar；请解压后读取其中的文件</translation>
    </message>
    <message>
        <source>it was graded on another scale</source>
        <translation>是按另一个等级范围评级的</translation>
    </message>
    <message>
        <source>items have %1 to %2 labels, and it takes the same number each; alpha takes any</source>
        <translation>各条目有 %1 到 %2 个标签，而此统计量要求数量相同；alpha 不限数量</translation>
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
        <source>its columns do not fit its bytes</source>
        <translation>其各列与字节不符</translation>
    </message>
    <message>
        <source>its cutoff</source>
        <translation>截断位置</translation>
    </message>
    <message>
        <source>its end is missing</source>
        <translation>缺少结尾</translation>
    </message>
    <message>
        <source>its multiple of R</source>
        <translation>R 的倍数</translation>
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
        <source>its time is none</source>
        <translation>其时间无效</translation>
    </message>
    <message>
        <source>judged here</source>
        <translation>在此判断</translation>
    </message>
    <message>
        <source>judged in all</source>
        <translation>已判断总数</translation>
    </message>
    <message>
        <source>judged not relevant there</source>
        <translation>其中判为不相关</translation>
    </message>
    <message>
        <source>k = %1: ranks 1 to %2 are looked at</source>
        <translation>k = %1：查看第 1 到 %2 位</translation>
    </message>
    <message>
        <source>known answer</source>
        <translation>已知答案</translation>
    </message>
    <message>
        <source>left chosen</source>
        <translation>选择左侧</translation>
    </message>
    <message>
        <source>less repetition</source>
        <translation>重复更少</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>max(AP, eps) = max(%1, %2) = %3</source>
        <translation>取较大者：max(AP, eps) = max(%1, %2) = %3</translation>
    </message>
    <message>
        <source>mean of the topics&apos; ratios</source>
        <translation>各主题比值的平均</translation>
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
        <source>more answers (share=%1)</source>
        <translation>还需的回答数 (share=%1)</translation>
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
        <source>more than %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>more than %1 rows, expected a sheet that a spreadsheet program can show</source>
        <translation>超过 %1 行，应为电子表格程序能显示的工作表</translation>
    </message>
    <message>
        <source>more than %1 topics, expected as many as somebody could look at</source>
        <translation>超过 %1 个主题，应为人能看完的数量</translation>
    </message>
    <message>
        <source>much better</source>
        <translation>好得多</translation>
    </message>
    <message>
        <source>n = %1 documents were retrieved, and all are looked at.</source>
        <translation>检出了 n = %1 篇文档，全部查看。</translation>
    </message>
    <message>
        <source>net preference</source>
        <translation>净偏好</translation>
    </message>
    <message>
        <source>no column %1, expected %2 as `irjudge pool -o FILE.csv` writes them</source>
        <translation>没有列 %1，应有 `irjudge pool -o FILE.csv` 写出的 %2</translation>
    </message>
    <message>
        <source>no column is the %1, expected one of %2; %3</source>
        <translation>没有 %1 列，应有 %2 之一；%3</translation>
    </message>
    <message>
        <source>no discount</source>
        <translation>没有折损</translation>
    </message>
    <message>
        <source>no document was found, %1</source>
        <translation>没有找到文档，%1</translation>
    </message>
    <message>
        <source>no end of the record within %1</source>
        <translation>在 %1 之内没有找到记录的结尾</translation>
    </message>
    <message>
        <source>no item has labels of two assessors</source>
        <translation>没有条目有两位评判员的标签</translation>
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
        <source>no topic was found, %1</source>
        <translation>没有找到主题，%1</translation>
    </message>
    <message>
        <source>non-relevant above</source>
        <translation>其上不相关数</translation>
    </message>
    <message>
        <source>none gains anything</source>
        <translation>都没有增益</translation>
    </message>
    <message>
        <source>not JSON (%1), %2</source>
        <translation>不是 JSON（%1），%2</translation>
    </message>
    <message>
        <source>not JSON (%1, column %2), expected %3</source>
        <translation>不是 JSON（%1，第 %2 列），应为%3</translation>
    </message>
    <message>
        <source>not JSON (%1, column %2), expected one JSON object on each line</source>
        <translation>不是 JSON（%1，第 %2 列），每行应为一个 JSON 对象</translation>
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
        <source>notes or flags on documents without a judgment</source>
        <translation>没有判断的文档的备注或标记</translation>
    </message>
    <message>
        <source>nothing of its log can be read</source>
        <translation>其日志无法读取任何内容</translation>
    </message>
    <message>
        <source>numbers as 0.25/0.5, each</source>
        <translation>如 0.25/0.5 的数字，每个</translation>
    </message>
    <message>
        <source>one (%1)</source>
        <translation>一个（%1）</translation>
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
        <source>only the top %1 of each ranking</source>
        <translation>只取每个排序的前 %1 位</translation>
    </message>
    <message>
        <source>over 99</source>
        <translation>超过 99</translation>
    </message>
    <message>
        <source>p = %1; g is %2; the weight of rank r is p^(r−1).</source>
        <translation>p = %1；g 为%2；第 r 位的权重为 p^(r−1)。</translation>
    </message>
    <message>
        <source>p of wins: exact sign test; of net preference: trinomial test. Both take answers as independent; topics won does not.</source>
        <translation>胜的 p：精确符号检验；净偏好的 p：三项检验。两者都假定各回答相互独立；胜出主题的 p 则不假定。</translation>
    </message>
    <message>
        <source>p-values know nothing of missing judgments: up to %1 % of a run&apos;s top 10 is unjudged.</source>
        <translation>p 值没有考虑缺少的判断：检索结果的前 10 位中最多有 %1 % 未判断。</translation>
    </message>
    <message>
        <source>p_adjusted: over all pairs of each measure and test (%1); %2.</source>
        <translation>p_adjusted：针对每个指标和检验的全部对（%1 对）校正；%2。</translation>
    </message>
    <message>
        <source>plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>preferences between panels</source>
        <translation>面板之间的偏好</translation>
    </message>
    <message>
        <source>probability %1, expected a number above 0, at most 1</source>
        <translation>概率 %1，应为大于 0 且不大于 1 的数</translation>
    </message>
    <message>
        <source>profile: %1 (%2)</source>
        <translation>口径：%1（%2）</translation>
    </message>
    <message>
        <source>rbo: p must be more than 0 and less than 1, got %1.</source>
        <translation>rbo：p 应大于 0 且小于 1，现为 %1。</translation>
    </message>
    <message>
        <source>reading it takes too long</source>
        <translation>读取用时过长</translation>
    </message>
    <message>
        <source>relevant in the ranks looked at</source>
        <translation>查看的名次中相关</translation>
    </message>
    <message>
        <source>relevant: grade %1 or more</source>
        <translation>相关：%1 级或以上</translation>
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
        <source>say with --negative what they mean (%1), or turn grades into others with --grades%2</source>
        <translation>请用 --negative 说明其含义（%1），或用 --grades 将等级改为其他等级%2</translation>
    </message>
    <message>
        <source>score %1 is not a number</source>
        <translation>得分 %1 不是数字</translation>
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
        <source>set aside by the organiser</source>
        <translation>由组织者排除</translation>
    </message>
    <message>
        <source>share of wins</source>
        <translation>获胜比例</translation>
    </message>
    <message>
        <source>shift method, %1 samples, seed %2</source>
        <translation>平移法，%1 个样本，随机种子 %2</translation>
    </message>
    <message>
        <source>showing is %1, expected 1 or more</source>
        <translation>showing 为 %1，应为 1 或以上</translation>
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
        <source>stratum %1, expected a whole number from 0 to 999</source>
        <translation>层 %1，应为 0 到 999 的整数</translation>
    </message>
    <message>
        <source>studentized range of %1 systems, %2 degrees of freedom; corrects itself</source>
        <translation>%1 个系统的学生化极差，自由度 %2；自带校正</translation>
    </message>
    <message>
        <source>tar archive</source>
        <translation>tar 压缩包</translation>
    </message>
    <message>
        <source>the %1 are %2; say which is which with --columns, for example &quot;%3&quot;</source>
        <translation>%1 为 %2；请用 --columns 说明各是什么，例如 &quot;%3&quot;</translation>
    </message>
    <message>
        <source>the %1 is empty</source>
        <translation>%1 为空</translation>
    </message>
    <message>
        <source>the %1 is empty%2</source>
        <translation>%1 为空%2</translation>
    </message>
    <message>
        <source>the %1median of %2</source>
        <translation>%1中位数，取自 %2</translation>
    </message>
    <message>
        <source>the JSON holds no pair, %1</source>
        <translation>JSON 中没有任何一对，%1</translation>
    </message>
    <message>
        <source>the JSON is nested too deeply, expected an object with an id and text</source>
        <translation>JSON 嵌套过深，应为带编号和文本的对象</translation>
    </message>
    <message>
        <source>the JSON is no object, %1</source>
        <translation>该 JSON 不是对象，%1</translation>
    </message>
    <message>
        <source>the JSON nests too deeply or holds too long a number, %1</source>
        <translation>JSON 嵌套过深或含有过长的数字，%1</translation>
    </message>
    <message>
        <source>the XML cannot be read (%1)</source>
        <translation>无法读取 XML（%1）</translation>
    </message>
    <message>
        <source>the XML declares entities or asks for another file, which is not read; replace them by what they stand for</source>
        <translation>XML 中声明了实体或要求读取其他文件，irjudge 不读取；请换成它们所代表的内容</translation>
    </message>
    <message>
        <source>the XML holds no topic, %1</source>
        <translation>XML 中没有主题，%1</translation>
    </message>
    <message>
        <source>the archive has a header of %1 bytes, expected %2 at most</source>
        <translation>压缩包的文件头有 %1 字节，最多应为 %2</translation>
    </message>
    <message>
        <source>the archive is cut off inside a file</source>
        <translation>压缩包在某个文件中间断开</translation>
    </message>
    <message>
        <source>the archive is damaged (%1)</source>
        <translation>压缩包已损坏（%1）</translation>
    </message>
    <message>
        <source>the archive is damaged (a member of %1 bytes)</source>
        <translation>压缩包已损坏（有一个 %1 字节的成员）</translation>
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
        <source>the columns are no tasks&apos;, expected %1</source>
        <translation>各列与任务文件不符，应为 %1</translation>
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
        <source>the disk that holds %1 is full</source>
        <translation>%1 所在的磁盘已满</translation>
    </message>
    <message>
        <source>the document has no id, expected &lt;DOCNO&gt; in each &lt;DOC&gt;</source>
        <translation>文档没有编号，每个 &lt;DOC&gt; 中应有 &lt;DOCNO&gt;</translation>
    </message>
    <message>
        <source>the end of the file</source>
        <translation>文件结尾</translation>
    </message>
    <message>
        <source>the event before it (%1) is missing</source>
        <translation>缺少前一个事件（%1）</translation>
    </message>
    <message>
        <source>the event before it is missing</source>
        <translation>缺少前一个事件</translation>
    </message>
    <message>
        <source>the event it speaks of (%1) is missing</source>
        <translation>缺少所指的事件（%1）</translation>
    </message>
    <message>
        <source>the field &quot;%1&quot; holds %2, expected text</source>
        <translation>字段“%1”的内容是%2，应为文本</translation>
    </message>
    <message>
        <source>the field &quot;%1&quot; holds something else than bytes in base64</source>
        <translation>字段“%1”的内容不是 base64 编码的字节</translation>
    </message>
    <message>
        <source>the file cannot be opened (%1)</source>
        <translation>无法打开文件（%1）</translation>
    </message>
    <message>
        <source>the file has no lines to read</source>
        <translation>文件中没有可读的行</translation>
    </message>
    <message>
        <source>the file is UTF-16, expected UTF-8; save it as UTF-8 and read it again</source>
        <translation>文件是 UTF-16，应为 UTF-8；请存为 UTF-8 后再读取</translation>
    </message>
    <message>
        <source>the file is damaged and cannot be read to its end (%1)</source>
        <translation>文件已损坏，无法读到末尾（%1）</translation>
    </message>
    <message>
        <source>the file is empty, %1</source>
        <translation>文件为空，%1</translation>
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
        <source>the folder cannot be opened (%1)</source>
        <translation>无法打开文件夹（%1）</translation>
    </message>
    <message>
        <source>the geometric mean over the topics, of 0.00001 where a value is less</source>
        <translation>各主题的几何平均，值更小时取 0.00001</translation>
    </message>
    <message>
        <source>the grades are %1 and none is 0; they are kept, so that %2 is the best</source>
        <translation>等级为 %1，其中没有 0；它们保持不变，因此 %2 最好</translation>
    </message>
    <message>
        <source>the header has no %1, nor an item; %2</source>
        <translation>表头中没有 %1，也没有 item；%2</translation>
    </message>
    <message>
        <source>the header has no %1: nothing is in the file, expected a header and rows below it</source>
        <translation>表头中没有 %1：文件中没有内容，应有表头及其下的各行</translation>
    </message>
    <message>
        <source>the header has no %1; %2</source>
        <translation>表头中没有 %1；%2</translation>
    </message>
    <message>
        <source>the header has no item, nor topic and document; %1</source>
        <translation>表头中没有 item，也没有 topic 和 document；%1</translation>
    </message>
    <message>
        <source>the header has no name, expected the columns name and, where wanted, email, topics and most</source>
        <translation>表头中没有 name，应有列 name，需要时还可有 email、topics 和 most</translation>
    </message>
    <message>
        <source>the higher grade, which keeps what is called relevant complete</source>
        <translation>较高的等级，使判为相关的更完整</translation>
    </message>
    <message>
        <source>the id &quot;%1…&quot; has %2 characters, expected %3 at most</source>
        <translation>编号“%1…”有 %2 个字符，最多应为 %3 个</translation>
    </message>
    <message>
        <source>the id %1 holds white space or nothing; TREC %2 cannot say it</source>
        <translation>编号 %1 含空白或为空；TREC %2 无法表示</translation>
    </message>
    <message>
        <source>the id is empty, expected some text</source>
        <translation>编号为空，应有文字</translation>
    </message>
    <message>
        <source>the ids of the queries do not count from 1 to %1; say with --topic-ids which to use: %2</source>
        <translation>查询的编号不是 1 到 %1；请用 --topic-ids 说明使用哪种：%2</translation>
    </message>
    <message>
        <source>the item %1 stands for no document, expected one of a file that `irjudge export --tasks` wrote of this project</source>
        <translation>条目 %1 不代表任何文档，应为 `irjudge export --tasks` 从本项目写出的文件中的条目</translation>
    </message>
    <message>
        <source>the labels are words, which have no order</source>
        <translation>标签是文字，没有顺序</translation>
    </message>
    <message>
        <source>the line cannot be split into columns (%1)</source>
        <translation>无法将该行分成各列（%1）</translation>
    </message>
    <message>
        <source>the line has %1 columns, and --columns says %2</source>
        <translation>该行有 %1 列，而 --columns 写的是 %2</translation>
    </message>
    <message>
        <source>the line is longer than %1</source>
        <translation>该行超过 %1</translation>
    </message>
    <message>
        <source>the lines have no grades, and each pair counts as grade 1</source>
        <translation>各行没有等级，每对按等级 1 计</translation>
    </message>
    <message>
        <source>the lines have no header, so that columns are said by number; %1</source>
        <translation>各行没有表头，因此用数字指明各列；%1</translation>
    </message>
    <message>
        <source>the log was changed</source>
        <translation>日志有改动</translation>
    </message>
    <message>
        <source>the lower grade, which keeps what is called relevant sure</source>
        <translation>较低的等级，使判为相关的更可靠</translation>
    </message>
    <message>
        <source>the mean of %1</source>
        <translation>平均，取自 %1</translation>
    </message>
    <message>
        <source>the mean over %1 of %2 pairs of assessors, weighted by the items they share</source>
        <translation>%2 对评判员中 %1 对的平均，按共有的条目数加权</translation>
    </message>
    <message>
        <source>the mean over the topics</source>
        <translation>各主题的平均</translation>
    </message>
    <message>
        <source>the median of the topics</source>
        <translation>各主题的中位数</translation>
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
        <source>the number of relevant documents</source>
        <translation>相关文档数</translation>
    </message>
    <message>
        <source>the number of relevant documents found</source>
        <translation>找到的相关文档数</translation>
    </message>
    <message>
        <source>the number retrieved</source>
        <translation>检出文档数</translation>
    </message>
    <message>
        <source>the order of lines</source>
        <translation>按行的先后</translation>
    </message>
    <message>
        <source>the parameter %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>the project holds another text of the document now</source>
        <translation>项目中该文档的文本现已不同</translation>
    </message>
    <message>
        <source>the qrels have %1%2.</source>
        <translation>qrels 中有 %1%2。</translation>
    </message>
    <message>
        <source>the rank column</source>
        <translation>按名次列</translation>
    </message>
    <message>
        <source>the reasons are no list</source>
        <translation>理由不是列表</translation>
    </message>
    <message>
        <source>the record has no %1, expected one of %2; %3</source>
        <translation>记录没有 %1，应有 %2 之一；%3</translation>
    </message>
    <message>
        <source>the record has no id, expected one of %1</source>
        <translation>记录没有编号，应有 %1 之一</translation>
    </message>
    <message>
        <source>the retrieved documents</source>
        <translation>检出的文档</translation>
    </message>
    <message>
        <source>the row that begins here cannot be split into columns (%1)</source>
        <translation>无法将从这里开始的行分成各列（%1）</translation>
    </message>
    <message>
        <source>the rules are no object</source>
        <translation>规则不是对象</translation>
    </message>
    <message>
        <source>the scale has no grade %1; it has %2</source>
        <translation>等级范围中没有等级 %1；只有 %2</translation>
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
        <source>the share of false findings is held (false discovery rate, Benjamini and Hochberg)</source>
        <translation>控制错误发现的比例（错误发现率，Benjamini 与 Hochberg）</translation>
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
        <source>the spreadsheet is damaged and cannot be read (%1)</source>
        <translation>电子表格已损坏，无法读取（%1）</translation>
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
        <source>the third column may be the rank or the score: it is whole and does not rise in each topic; say with --columns %1</source>
        <translation>第三列可能是名次或得分：它是整数，且在每个主题中不递增；请用 --columns 说明：%1</translation>
    </message>
    <message>
        <source>the topic %1 would begin a comment or mark the file; TREC %2 cannot say it</source>
        <translation>主题 %1 会被当作注释的开头或文件标记；TREC %2 无法表示</translation>
    </message>
    <message>
        <source>the topic has no &lt;num&gt;, expected a number in each &lt;top&gt;</source>
        <translation>主题没有 &lt;num&gt;，每个 &lt;top&gt; 中应有编号</translation>
    </message>
    <message>
        <source>the topic has no text, expected one of %1</source>
        <translation>主题没有文本，应有 %1 之一</translation>
    </message>
    <message>
        <source>the two stay equal, whatever the rest is</source>
        <translation>两者保持相等，不论其余如何</translation>
    </message>
    <message>
        <source>the worker is empty</source>
        <translation>没有写明标注者 (worker)</translation>
    </message>
    <message>
        <source>there are no %1</source>
        <translation>没有 %1</translation>
    </message>
    <message>
        <source>there is no label in it, expected rows below the header</source>
        <translation>其中没有标签，表头之下应有各行</translation>
    </message>
    <message>
        <source>third quartile</source>
        <translation>第三四分位数</translation>
    </message>
    <message>
        <source>this is %1, which cannot be read; %2</source>
        <translation>这是%1，无法读取；%2</translation>
    </message>
    <message>
        <source>this is not a scale, expected {&quot;name&quot;: …, &quot;grades&quot;: [{&quot;value&quot;: 0, &quot;label&quot;: …}, …]} (%1)</source>
        <translation>这不是等级范围，应为 {&quot;name&quot;: …, &quot;grades&quot;: [{&quot;value&quot;: 0, &quot;label&quot;: …}, …]}（%1）</translation>
    </message>
    <message>
        <source>topic %1</source>
        <translation>主题 %1</translation>
    </message>
    <message>
        <source>topic %1 has document %2 twice</source>
        <translation>主题 %1 中文档 %2 出现两次</translation>
    </message>
    <message>
        <source>topic %1 holds no documents, %2</source>
        <translation>主题 %1 中没有文档，%2</translation>
    </message>
    <message>
        <source>topic %1, document %2</source>
        <translation>主题 %1，文档 %2</translation>
    </message>
    <message>
        <source>topic %1, document %2: a zero byte, which a table cannot hold</source>
        <translation>主题 %1，文档 %2：有零字节，表格无法容纳</translation>
    </message>
    <message>
        <source>topic %1, document %2: grade %3 is not a whole number</source>
        <translation>主题 %1，文档 %2：等级 %3 不是整数</translation>
    </message>
    <message>
        <source>topic %1, document %2: the %3 is not a number, %4</source>
        <translation>主题 %1，文档 %2：%3 不是数字，%4</translation>
    </message>
    <message>
        <source>topic %1, document %2: the scale has no grade %3; it has %4</source>
        <translation>主题 %1，文档 %2：等级范围中没有等级 %3；只有 %4</translation>
    </message>
    <message>
        <source>topic and document; %1</source>
        <translation>主题和文档；%1</translation>
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
        <source>topics of %1</source>
        <translation>%1 的主题</translation>
    </message>
    <message>
        <source>topics of the qrels with a relevant document; one the run lacks scores 0</source>
        <translation>qrels 中有相关文档的主题；检索结果缺少的主题计 0</translation>
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
        <source>unable to open</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>unjudged there</source>
        <translation>其中未判断</translation>
    </message>
    <message>
        <source>unsure is %1, expected yes or nothing</source>
        <translation>unsure 为 %1，应为 yes 或留空</translation>
    </message>
    <message>
        <source>what can be read of its log is used</source>
        <translation>使用其日志中能读取的部分</translation>
    </message>
    <message>
        <source>what was lost before</source>
        <translation>此前丢失的内容</translation>
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
        <source>wrong language</source>
        <translation>语言不符</translation>
    </message>
    <message>
        <source>zeros dropped; exact up to %1 differences, else normal</source>
        <translation>零差值不计；差值不超过 %1 个时精确计算，否则用正态近似</translation>
    </message>
    <message>
        <source>zip archive</source>
        <translation>zip 压缩包</translation>
    </message>
    <message>
        <source>{count} bytes are not %1 and show as �, first in {first}.</source>
        <translation>{count} 个字节不是 %1，显示为 �，首个在 {first} 中。</translation>
    </message>
    <message>
        <source>{count} files were read as %1 (%2), beginning with {first}%3.</source>
        <translation>{count} 个文件按 %1 读取（%2），首个是 {first}%3。</translation>
    </message>
    <message>
        <source>{first}: read as %1 (%2)%3.</source>
        <translation>{first}：按 %1 读取（%2）%3。</translation>
    </message>
    <message>
        <source>… (%1 more terms) …</source>
        <translation>……（另有 %1 项）……</translation>
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
        <source>Documents that share their score with another of the run</source>
        <translation>与同一检索结果中的其他文档同分的文档</translation>
    </message>
    <message>
        <source>Enter or a double click goes to the topics of a number</source>
        <translation>按 Enter 或双击可查看数值对应的各主题</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation>区间</translation>
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
        <source>Run</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Runs and measures</source>
        <translation>检索结果与指标</translation>
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
        <source>Topics averaged: %1 · %2.</source>
        <translation>参与平均的主题：%1 个 · %2。</translation>
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
    <name>ExplainView</name>
    <message>
        <source>Choose one, or type any name, for example: DCG(discount=jk)@10</source>
        <translation>选择一个，或输入任意名称，例如：DCG(discount=jk)@10</translation>
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
        <source>All documents with their texts as JSON lines.</source>
        <translation>全部文档及其文本，JSON Lines 格式。</translation>
    </message>
    <message>
        <source>All topics as JSON lines.</source>
        <translation>全部主题，JSON Lines 格式。</translation>
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
        <source>Grades in TREC form, for every evaluation program. Unjudgeable documents are -2.</source>
        <translation>TREC 格式的等级，可用于各种评测程序。无法判断的文档记为 -2。</translation>
    </message>
    <message>
        <source>Judgments</source>
        <translation>判断</translation>
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
        <source>Writing %1</source>
        <translation>正在写出 %1</translation>
    </message>
    <message>
        <source>Wrote %1. It was read back and compared. Rows in: %2; rows out: %3.</source>
        <translation>已写出 %1。已读回并核对。写入行数：%2；读回行数：%3。</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>Judgments written: %1, to %2.</source>
        <translation>已写出判断：%1 条，写入 %2。</translation>
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
        <source>mean of ratios</source>
        <translation>比值的平均</translation>
    </message>
    <message>
        <source>ratio of means</source>
        <translation>平均的比值</translation>
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
</context>
<context>
    <name>FileRow</name>
    <message>
        <source>Choose a file</source>
        <translation>选择一个文件</translation>
    </message>
    <message>
        <source>Choose a folder of documents</source>
        <translation>选择文档所在的文件夹</translation>
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
        <source>Save a copy</source>
        <translation>保存副本</translation>
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
        <source>Differences from trec_eval</source>
        <translation>与 trec_eval 的差异</translation>
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
</context>
<context>
    <name>GuidesView</name>
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
        <source>Judge search results, and see what a ranking is worth. Everything stays on this machine.</source>
        <translation>判断检索结果，看排序有多好。一切数据都留在本机。</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
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
        <source>Try a sample</source>
        <translation>试用示例</translation>
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
        <source>Brought back: %1. %2 takes it back.</source>
        <translation>已重做：%1。按 %2 撤销。</translation>
    </message>
    <message>
        <source>Given up: it was not saved.</source>
        <translation>已放弃：没有保存。</translation>
    </message>
    <message>
        <source>Key ignored: the document had only just appeared.</source>
        <translation>按键未生效：文档刚刚出现。</translation>
    </message>
    <message>
        <source>Saved: %1, %2. %3 takes it back.</source>
        <translation>已保存：%1，%2。按 %3 撤销。</translation>
    </message>
    <message>
        <source>Taken back: %1. %2 brings it back.</source>
        <translation>已撤销：%1。按 %2 重做。</translation>
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
        <source>Agreed grade of %1: %2 %3</source>
        <translation>%1 的商定等级：%2 %3</translation>
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
        <source>Handed in %1</source>
        <translation>已于 %1 提交</translation>
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
        <source>other</source>
        <translation>其他</translation>
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
        <source>%1 judgments are outstanding.</source>
        <translation>有 %1 次判断尚未完成。</translation>
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
        <source>Judged</source>
        <translation>已判断</translation>
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
        <source>One judgment is outstanding.</source>
        <translation>有一次判断尚未完成。</translation>
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
        <source>These documents can move the difference of %1 and %2 most.</source>
        <translation>这些文档最能改变 %1 与 %2 的差值。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Values are final once the outstanding %1 judgments are in.</source>
        <translation>尚未完成的 %1 次判断收到后，数值即为最终值。</translation>
    </message>
    <message>
        <source>Values are final once the outstanding judgment is in.</source>
        <translation>尚未完成的那次判断收到后，数值即为最终值。</translation>
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
    <name>NewProjectView</name>
    <message>
        <source>Assessor</source>
        <translation>评判员</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Choose documents and topics.</source>
        <translation>请选择文档和主题。</translation>
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
        <source>Instructions, calibration, who is to judge, which documents are read</source>
        <translation>说明、校准、由谁判断、读取哪些文档</translation>
    </message>
    <message>
        <source>JSON, CSV, TREC, SMART, BEIR, or a folder or archive of text, Markdown, HTML or images</source>
        <translation>JSON、CSV、TREC、SMART、BEIR，或装有文本、Markdown、HTML 或图片的文件夹或压缩包</translation>
    </message>
    <message>
        <source>Judgments you have already: TREC, SMART, BEIR, or a spreadsheet; may stay empty</source>
        <translation>已有的判断：TREC、SMART、BEIR 或电子表格；可以留空</translation>
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
        <source>TREC, SMART, XML, BEIR, CSV or JSON lines</source>
        <translation>TREC、SMART、XML、BEIR、CSV 或 JSON 行</translation>
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
        <source>What each system retrieved: TREC form, MS MARCO, CSV or JSON</source>
        <translation>各系统检出的内容：TREC 格式、MS MARCO、CSV 或 JSON</translation>
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
        <source>Whose judgments these are; may stay empty</source>
        <translation>这些判断属于谁；可以留空</translation>
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
    <name>Page</name>
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
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Two lists of results stand side by side, and you say which one is better, without knowing which run is which. To have several people compare, use irjudge assign with --mode side-by-side.</source>
        <translation>两个结果列表并排显示，您说出哪个更好，而不知道哪个检索结果在哪一侧。要让多人比较，请使用 irjudge assign 和 --mode side-by-side。</translation>
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
        <source>Hand in</source>
        <translation>提交</translation>
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
        <source>Given up: it was not saved.</source>
        <translation>已放弃：没有保存。</translation>
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
        <source>Top</source>
        <translation>每个检索结果取前</translation>
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
        <source>%1 answers: %2 ties, %3 much better.</source>
        <translation>%1 个回答：平局 %2，好得多 %3。</translation>
    </message>
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
        <source>Answers for %1: %2. For %3: %4. Ties: %5.</source>
        <translation>选 %1 的回答：%2。选 %3：%4。平局：%5。</translation>
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
        <source>In the least balanced pair the first stood left %1 of %2 times.</source>
        <translation>在最不均衡的一对中，前者有 %1 / %2 次在左侧。</translation>
    </message>
    <message>
        <source>Left choices by assessor</source>
        <translation>各评判员选择左侧的次数</translation>
    </message>
    <message>
        <source>Left or right</source>
        <translation>左或右</translation>
    </message>
    <message>
        <source>Measures that point the same way</source>
        <translation>方向一致的指标</translation>
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
        <source>Runs</source>
        <translation>检索结果</translation>
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
        <source>To notice, four times of five, that one of them wins %1 % it takes %2 more answers: %3 in all.</source>
        <translation>要在五次中有四次察觉其中一个赢得 %1 %，还需要 %2 个回答：共 %3 个。</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
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
        <source>With the sides swapped: %1 of %2 times; %3 of %2 times they chose the same side, and so the other thing.</source>
        <translation>左右互换后：%2 次中 %1 次相同；%2 次中有 %3 次选了同一侧，也就是另一个对象。</translation>
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
    <name>Quality</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of the answers took less than %2 s.</source>
        <translation>%1 的回答用时不到 %2 秒。</translation>
    </message>
    <message>
        <source>%1 of the grades repeat the grade just before.</source>
        <translation>%1 的等级与前一个相同。</translation>
    </message>
    <message>
        <source>Agrees with the others in %1 of the cases; half of the assessors reach %2.</source>
        <translation>与其他人一致的比例为 %1；半数评判员达到 %2。</translation>
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
        <source>Share of the timed answers faster than a quarter of everybody&apos;s median</source>
        <translation>用时少于所有人中位数四分之一的回答比例</translation>
    </message>
    <message>
        <source>Too fast</source>
        <translation>过快</translation>
    </message>
    <message>
        <source>Whether their judgments count</source>
        <translation>其判断是否计入</translation>
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
    <name>Reading</name>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 处，共 %2 处</translation>
    </message>
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
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
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
        <source>Show folder</source>
        <translation>打开文件夹</translation>
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
        <source>The project has no text of %1.</source>
        <translation>项目中没有 %1 的文本。</translation>
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
    <name>ScoreModel</name>
    <message>
        <source>not significantly different from the best</source>
        <translation>与最好者没有显著差异</translation>
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
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Both hands</source>
        <translation>双手</translation>
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
        <source>Evaluation</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>For documents alone; all else keeps the font of the system.</source>
        <translation>只用于文档；其他文字使用系统字体。</translation>
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
    <name>TermButton</name>
    <message>
        <source>%1 places</source>
        <translation>%1 处</translation>
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
        <source>Drag a document, or move it with Alt ↑ ↓. A digit grades it, Delete makes it unjudged.</source>
        <translation>拖动文档，或用 Alt ↑ ↓ 移动。数字键评级，Delete 设为未判断。</translation>
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
</context>
<context>
    <name>Window</name>
    <message>
        <source>Close and lose it</source>
        <translation>关闭并放弃</translation>
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
        <source>Stay</source>
        <translation>留下</translation>
    </message>
    <message>
        <source>What you did last is not on disk. Stay, and try again once there is room or the file is back.</source>
        <translation>最后的操作还没有写入磁盘。请留下，等磁盘有空间或文件恢复后再试。</translation>
    </message>
</context>
</TS>
