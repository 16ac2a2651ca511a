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
        <source>All shortcuts</source>
        <translation>全部快捷键</translation>
    </message>
    <message>
        <source>Build pool</source>
        <translation>建立文档池</translation>
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
        <source>Evaluate</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>Export qrels</source>
        <translation>导出 qrels</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
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
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
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
        <source>Quit</source>
        <translation>退出</translation>
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
        <source>Settings</source>
        <translation>设置</translation>
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
        <source>Undo the last change</source>
        <translation>撤销上一次更改</translation>
    </message>
    <message>
        <source>Write workbook</source>
        <translation>写出工作簿</translation>
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
        <source>highlight a word</source>
        <translation>高亮一个词</translation>
    </message>
    <message>
        <source>keep selection as reason</source>
        <translation>将所选文字记为理由</translation>
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
        <source>previous highlighted place</source>
        <translation>上一处高亮</translation>
    </message>
    <message>
        <source>redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>save a copy</source>
        <translation>保存副本</translation>
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
    <name>Closing</name>
    <message>
        <source>Checking the file</source>
        <translation>正在检查文件</translation>
    </message>
</context>
<context>
    <name>CollectionView</name>
    <message>
        <source>%1 documents from the top %2 of %3 runs; %4 judged.</source>
        <translation>%1 篇文档，取自 %3 个检索结果的前 %2 位；已判断 %4 篇。</translation>
    </message>
    <message>
        <source>%1 documents · %2 topics · %3 runs</source>
        <translation>%1 篇文档 · %2 个主题 · %3 个检索结果</translation>
    </message>
    <message>
        <source>%1: %2 pairs</source>
        <translation>%1：%2 对</translation>
    </message>
    <message>
        <source>Building the pool</source>
        <translation>正在建立文档池</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Documents to judge</source>
        <translation>待判断的文档</translation>
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
        <source>Top</source>
        <translation>每个检索结果取前</translation>
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
        <source>of each run</source>
        <translation>位</translation>
    </message>
</context>
<context>
    <name>Command</name>
    <message>
        <source>add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>build pool of %1 documents</source>
        <translation>建立 %1 篇文档的文档池</translation>
    </message>
    <message>
        <source>remove run %1</source>
        <translation>移除检索结果 %1</translation>
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
        <source> The file that is there is unchanged.</source>
        <translation>原有文件没有改变。</translation>
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
        <source>%1 %2 is too large, expected less than %3</source>
        <translation>%1 %2 过大，应小于 %3</translation>
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
        <source>%1 (%2 pairs)</source>
        <translation>%1（%2 对）</translation>
    </message>
    <message>
        <source>%1 archives have no end mark and may have been cut off, beginning with %2.</source>
        <translation>%1 个压缩包没有结束标记，可能不完整，首个是 %2。</translation>
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
        <source>%1 documents have an id that was there before; the first ones are kept and these left out, beginning with %2.</source>
        <translation>%1 篇文档的编号前面已有；保留先出现的，略去这些，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 documents have no text and are kept, beginning with %2.</source>
        <translation>%1 篇文档没有文本，仍予保留，首篇是 %2。</translation>
    </message>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>%1 does not say in a readable way which events are lost.</source>
        <translation>%1 中丢失了哪些事件，已无法读出。</translation>
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
        <source>%1 files are not UTF-8 and were read as Latin-1, so that no byte is lost; some letters may look wrong, beginning with %2.</source>
        <translation>%1 个文件不是 UTF-8，已按 Latin-1 读取，没有丢失字节；个别字符可能显示不对，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 files are of no form that can be read and were left out, beginning with %2.</source>
        <translation>%1 个文件的格式无法读取，已略去，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 grades are %2; say what negative grades mean: %3</source>
        <translation>%1 个等级为 %2；请说明负等级的含义：%3</translation>
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
        <source>%1 ids have a blank inside, which TREC files cannot hold, beginning with %2.</source>
        <translation>%1 个编号中有空格，TREC 文件无法容纳，首个是 %2。</translation>
    </message>
    <message>
        <source>%1 is a folder, expected a project file (%2).</source>
        <translation>%1 是文件夹，应为项目文件（%2）。</translation>
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
        <source>%1 is damaged: %2.</source>
        <translation>%1 已损坏：%2。</translation>
    </message>
    <message>
        <source>%1 is damaged: event %2 of %3 does not fit its hash.</source>
        <translation>%1 已损坏：%3 的事件 %2 与其散列值不符。</translation>
    </message>
    <message>
        <source>%1 is damaged: it names documents that it does not hold.</source>
        <translation>%1 已损坏：其中提到的文档并不在文件里。</translation>
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
        <source>%1 is not an irjudge project.</source>
        <translation>%1 不是 irjudge 项目。</translation>
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
        <source>%1 lines</source>
        <translation>%1 行</translation>
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
        <source>%1 more lines near it do</source>
        <translation>附近另有 %1 行</translation>
    </message>
    <message>
        <source>%1 needs %2, for example %3.</source>
        <translation>%1 需要%2，例如 %3。</translation>
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
        <source>%1 packed bytes expand to more than %2; it looks like a bomb and is not read</source>
        <translation>%1 个压缩字节会展开到超过 %2；可能是压缩炸弹，没有读取</translation>
    </message>
    <message>
        <source>%1 records have half a character (a lone surrogate), shown as �, beginning with %2.</source>
        <translation>%1 条记录中有半个字符（单独的代理项），显示为 �，首条是 %2。</translation>
    </message>
    <message>
        <source>%1 says in a way nobody can read that it was handed in (%2).</source>
        <translation>%1 记有提交信息，但无法读出（%2）。</translation>
    </message>
    <message>
        <source>%1 topics are</source>
        <translation>%1 个主题</translation>
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
        <source>%1 was moved, deleted or replaced while it was open.</source>
        <translation>%1 在打开期间被移动、删除或替换。</translation>
    </message>
    <message>
        <source>%1 was written by a newer irjudge (form %2; this one reads %3). Install the newer irjudge.</source>
        <translation>%1 由更新版本的 irjudge 写成（格式 %2；本版本可读 %3）。请安装更新版本的 irjudge。</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1 第 %2 行</translation>
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
        <source>%1: %2 different tags (%3, %4 …); it was read as one run.</source>
        <translation>%1：有 %2 个不同的标签（%3、%4 ……）；已作为一个检索结果读取。</translation>
    </message>
    <message>
        <source>%1: %2 documents for %3 topics</source>
        <translation>%1：%3 个主题的 %2 篇文档</translation>
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
        <source>%1: %2 judgments for %3 topics (%4)</source>
        <translation>%1：%3 个主题的 %2 条判断（%4）</translation>
    </message>
    <message>
        <source>%1: %2 lines have more than 6 columns; the first 6 were read.</source>
        <translation>%1：%2 行多于 6 列；只读取了前 6 列。</translation>
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
        <source>%1: %2 no text in the project and will not be shown (for example %3).</source>
        <translation>%1：%2在项目中没有文本，不会显示（例如 %3）。</translation>
    </message>
    <message>
        <source>%1: %2 not among the project&apos;s (for example %3).</source>
        <translation>%1：%2不在本项目中（例如 %3）。</translation>
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
        <source>%1: %2 topics, %3</source>
        <translation>%1：%2 个主题，%3</translation>
    </message>
    <message>
        <source>%1: %2 without a grade left out.</source>
        <translation>%1：%2没有等级，已略去。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
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
        <source>%1: grades and their gains must be 0 or more, got %2.</source>
        <translation>%1：等级及其增益应为 0 或以上，现为 %2。</translation>
    </message>
    <message>
        <source>%1: it takes the place of the instructions the project had.</source>
        <translation>%1：取代了项目原有的说明。</translation>
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
        <source>%1: topics that were in the project already and stay as they were: %2.</source>
        <translation>%1：已在项目中并保持原样的主题：%2 个。</translation>
    </message>
    <message>
        <source>%1; %2 since, so the receipt of then no longer fits</source>
        <translation>%1；此后%2，当时的回执已不相符</translation>
    </message>
    <message>
        <source>%1; a file of preferences or sampled judgments (prels) is not qrels</source>
        <translation>%1；偏好判断或抽样判断（prels）的文件不是 qrels</translation>
    </message>
    <message>
        <source>%1; ties: %2 (%3); relevant from grade %4</source>
        <translation>%1；同分：%3（%2）；%4 级起算相关</translation>
    </message>
    <message>
        <source>, packed with gzip</source>
        <translation>，用 gzip 压缩</translation>
    </message>
    <message>
        <source>1 archive has no end mark and may have been cut off: %1.</source>
        <translation>1 个压缩包没有结束标记，可能不完整：%1。</translation>
    </message>
    <message>
        <source>1 calibration document has</source>
        <translation>1 篇校准文档</translation>
    </message>
    <message>
        <source>1 document has an id that was there before; the first one is kept and this one left out: %1.</source>
        <translation>1 篇文档的编号前面已有；保留先出现的，略去这一篇：%1。</translation>
    </message>
    <message>
        <source>1 document has no text and is kept: %1.</source>
        <translation>1 篇文档没有文本，仍予保留：%1。</translation>
    </message>
    <message>
        <source>1 event was added</source>
        <translation>新增了 1 个事件</translation>
    </message>
    <message>
        <source>1 file is not UTF-8 and was read as Latin-1, so that no byte is lost; some letters may look wrong: %1.</source>
        <translation>1 个文件不是 UTF-8，已按 Latin-1 读取，没有丢失字节；个别字符可能显示不对：%1。</translation>
    </message>
    <message>
        <source>1 file is of no form that can be read and was left out: %1.</source>
        <translation>1 个文件的格式无法读取，已略去：%1。</translation>
    </message>
    <message>
        <source>1 id has a blank inside, which TREC files cannot hold: %1.</source>
        <translation>1 个编号中有空格，TREC 文件无法容纳：%1。</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
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
        <source>1 topic has an id that was there before; the first one is kept and this one left out: %1.</source>
        <translation>1 个主题的编号前面已有；保留先出现的，略去这一个：%1。</translation>
    </message>
    <message>
        <source>1 topic has no title: %1.</source>
        <translation>1 个主题没有标题：%1。</translation>
    </message>
    <message>
        <source>1 topic is</source>
        <translation>1 个主题</translation>
    </message>
    <message>
        <source>4 (topic, iteration, document, grade)</source>
        <translation>4 列（主题、轮次、文档、等级）</translation>
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
        <source>6 (topic, Q0, document, rank, score, tag)</source>
        <translation>6 列（主题、Q0、文档、名次、得分、标签）</translation>
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
        <source>&lt;%1&gt; is never closed, expected &lt;/%2&gt;</source>
        <translation>&lt;%1&gt; 没有结束，应有 &lt;/%2&gt;</translation>
    </message>
    <message>
        <source>&lt;DOC&gt; is not closed before the next one, expected &lt;/DOC&gt;</source>
        <translation>&lt;DOC&gt; 在下一个之前没有结束，应有 &lt;/DOC&gt;</translation>
    </message>
    <message>
        <source>A pool needs one run or more, got none.</source>
        <translation>文档池至少需要一个检索结果，现在没有。</translation>
    </message>
    <message>
        <source>A scale needs two or more different grades between 0 and %1, lowest first; got %2.</source>
        <translation>等级范围需要 0 到 %1 之间两个或更多不同的等级，从低到高；现为 %2。</translation>
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
        <source>Documents that were in the project already and stay as they were: %1.</source>
        <translation>已在项目中并保持原样的文档：%1 篇。</translation>
    </message>
    <message>
        <source>Documents: %1 read from %2.</source>
        <translation>文档：从 %2 读取了 %1 篇。</translation>
    </message>
    <message>
        <source>Evaluated %1</source>
        <translation>已评测 %1</translation>
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
        <source>Fairly relevant</source>
        <translation>比较相关</translation>
    </message>
    <message>
        <source>Fields that are not read: %1%2.</source>
        <translation>没有读取的字段：%1%2。</translation>
    </message>
    <message>
        <source>Highly relevant</source>
        <translation>高度相关</translation>
    </message>
    <message>
        <source>I/O error</source>
        <translation>输入输出错误</translation>
    </message>
    <message>
        <source>Instructions: read from %1. Lines: %2.</source>
        <translation>说明：已从 %1 读取。共 %2 行。</translation>
    </message>
    <message>
        <source>It can be opened for reading; `irjudge rescue` makes a sound project of what can be read. A backup may hold more.</source>
        <translation>可以只读方式打开；`irjudge rescue` 可将能读出的内容做成完好的项目。备份中可能内容更多。</translation>
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
        <source>Lost from the log: %1.</source>
        <translation>日志中丢失：%1。</translation>
    </message>
    <message>
        <source>Marginally relevant</source>
        <translation>略微相关</translation>
    </message>
    <message>
        <source>Measure %1 is not known; %2`irjudge measures` lists all.</source>
        <translation>没有名为 %1 的指标；%2`irjudge measures` 列出全部指标。</translation>
    </message>
    <message>
        <source>Name one measure or more, for example AP or nDCG@10; `irjudge measures` lists all.</source>
        <translation>请写出一个或多个指标，例如 AP 或 nDCG@10；`irjudge measures` 列出全部指标。</translation>
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
        <source>Of the %1 nothing can be read.</source>
        <translation>%1 已无法读出。</translation>
    </message>
    <message>
        <source>Partly relevant</source>
        <translation>部分相关</translation>
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
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Receipt %1</source>
        <translation>回执 %1</translation>
    </message>
    <message>
        <source>Relevant</source>
        <translation>相关</translation>
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
        <source>Scale %1 is not known; give binary, 0-1 to 0-%2, or a JSON file.</source>
        <translation>没有名为 %1 的等级范围；请给出 binary、0-1 到 0-%2，或 JSON 文件。</translation>
    </message>
    <message>
        <source>Select the words that are the reason first.</source>
        <translation>请先选中作为理由的文字。</translation>
    </message>
    <message>
        <source>TREC documents as topics</source>
        <translation>TREC 文档形式的主题</translation>
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
        <source>The calibration documents of %1 cannot be read (%2).</source>
        <translation>无法读取 %1 的校准文档（%2）。</translation>
    </message>
    <message>
        <source>The code shows what was lost or changed by accident, not a log that somebody wrote anew.</source>
        <translation>回执码能显示意外丢失或改动的内容，但不能识别重新写成的日志。</translation>
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
        <source>The file is damaged: %1.</source>
        <translation>文件已损坏：%1。</translation>
    </message>
    <message>
        <source>The file is damaged: it holds a value of another kind than its table keeps.</source>
        <translation>文件已损坏：其中有一个值与所在表的类型不符。</translation>
    </message>
    <message>
        <source>The folder %1 does not exist.</source>
        <translation>文件夹 %1 不存在。</translation>
    </message>
    <message>
        <source>The name of a measure is empty; `irjudge measures` lists all.</source>
        <translation>指标名称为空；`irjudge measures` 列出全部指标。</translation>
    </message>
    <message>
        <source>The owner&apos;s name is lost.</source>
        <translation>所有者的名称已丢失。</translation>
    </message>
    <message>
        <source>The project has a run called %1 already. Rename the file, or remove the old run first.</source>
        <translation>项目中已有名为 %1 的检索结果。请给文件改名，或先移除原有的检索结果。</translation>
    </message>
    <message>
        <source>The project has no qrels called %1.</source>
        <translation>项目中没有名为 %1 的 qrels。</translation>
    </message>
    <message>
        <source>The project has no run called %1.</source>
        <translation>项目中没有名为 %1 的检索结果。</translation>
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
        <source>The reason %1 is not known; choose %2.</source>
        <translation>没有名为 %1 的原因；请选择 %2。</translation>
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
        <source>The title is lost; the file&apos;s name stands in its place.</source>
        <translation>标题已丢失；用文件名代替。</translation>
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
        <source>There is no sample collection called %1; there are %2.</source>
        <translation>没有名为 %1 的示例文档集；现有 %2。</translation>
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
        <source>This installation of irjudge lacks its folder %1. Install it again.</source>
        <translation>本机安装的 irjudge 缺少文件夹 %1。请重新安装。</translation>
    </message>
    <message>
        <source>Topic %1 has no documents to judge.</source>
        <translation>主题 %1 没有待判断的文档。</translation>
    </message>
    <message>
        <source>Topics: %1 read from %2 (%3).</source>
        <translation>主题：从 %2 读取了 %1 个（%3）。</translation>
    </message>
    <message>
        <source>Two runs are called %1; a pool tells runs apart by name.</source>
        <translation>有两个检索结果都名为 %1；文档池按名称区分检索结果。</translation>
    </message>
    <message>
        <source>Two runs are called %1; their values could not be told apart.</source>
        <translation>有两个检索结果都名为 %1；无法区分各自的值。</translation>
    </message>
    <message>
        <source>a TRECWEB file</source>
        <translation>TRECWEB 文件</translation>
    </message>
    <message>
        <source>a file of XML topics</source>
        <translation>XML 主题文件</translation>
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
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a zero byte; this is not a text file in UTF-8</source>
        <translation>有零字节；这不是 UTF-8 文本文件</translation>
    </message>
    <message>
        <source>all topics of the qrels; one the run lacks scores 0</source>
        <translation>qrels 的全部主题；检索结果缺少的主题计 0</translation>
    </message>
    <message>
        <source>an XML file</source>
        <translation>XML 文件</translation>
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
        <source>average: %1 (%2)</source>
        <translation>平均：%1（%2）</translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation>%1 到 %2 之间</translation>
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
        <source>did you mean %1?</source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>did you mean %1? </source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>event %1</source>
        <translation>事件 %1</translation>
    </message>
    <message>
        <source>expected TREC (&lt;DOC&gt;), JSON objects with an id and text, lines with an id, a tab and the text, or a folder or archive of .txt, .md, .html or image files</source>
        <translation>应为 TREC (&lt;DOC&gt;)、带编号和文本的 JSON 对象、由编号、制表符和文本组成的行，或含 .txt、.md、.html 或图片文件的文件夹或压缩包</translation>
    </message>
    <message>
        <source>expected TREC topics (&lt;top&gt;), JSON objects with an id and a title or text, or lines with an id, a tab and the query</source>
        <translation>应为 TREC 主题 (&lt;top&gt;)、带编号和标题或文本的 JSON 对象，或由编号、制表符和查询组成的行</translation>
    </message>
    <message>
        <source>found %1 column(s), expected %2 separated by tabs: %3</source>
        <translation>有 %1 列，应为用制表符分隔的 %2 列：%3</translation>
    </message>
    <message>
        <source>found %1 column(s), expected an id, a tab and the text; or id, title and text; or a first line that names the columns</source>
        <translation>有 %1 列，应为编号、制表符和文本；或编号、标题和文本；或首行写明各列名称</translation>
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
        <source>found “%1”, %2</source>
        <translation>读到“%1”，%2</translation>
    </message>
    <message>
        <source>image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>it expands to more than %1 and is not read further</source>
        <translation>展开后超过 %1，不再继续读取</translation>
    </message>
    <message>
        <source>it has %1.</source>
        <translation>可用的有 %1。</translation>
    </message>
    <message>
        <source>it has none.</source>
        <translation>它没有参数。</translation>
    </message>
    <message>
        <source>it is a folder, expected a file</source>
        <translation>它是文件夹，应为文件</translation>
    </message>
    <message>
        <source>it is an archive, expected one file, plain or packed with gzip</source>
        <translation>它是压缩包，应为单个文件，不压缩或用 gzip 压缩</translation>
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
        <source>it is open in another program, or you may not write there</source>
        <translation>文件正在另一个程序中打开，或没有写入权限</translation>
    </message>
    <message>
        <source>it is packed with %1, expected gzip, zip or tar; unpack it and read the files</source>
        <translation>它用 %1 压缩，应为 gzip、zip 或 tar；请解压后读取其中的文件</translation>
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
        <source>its multiple of R</source>
        <translation>R 的倍数</translation>
    </message>
    <message>
        <source>its recall level</source>
        <translation>召回率级别</translation>
    </message>
    <message>
        <source>judged here</source>
        <translation>在此判断</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>大于 %1</translation>
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
        <source>no topic was found, %1</source>
        <translation>没有找到主题，%1</translation>
    </message>
    <message>
        <source>not JSON (%1, column %2), expected a list of objects</source>
        <translation>不是 JSON（%1，第 %2 列），应为对象的列表</translation>
    </message>
    <message>
        <source>not JSON (%1, column %2), expected one JSON object on each line</source>
        <translation>不是 JSON（%1，第 %2 列），每行应为一个 JSON 对象</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚未</translation>
    </message>
    <message>
        <source>numbers as 0.25/0.5, each</source>
        <translation>如 0.25/0.5 的数字，每个</translation>
    </message>
    <message>
        <source>only the top %1 of each ranking</source>
        <translation>只取每个排序的前 %1 位</translation>
    </message>
    <message>
        <source>plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>profile: %1 (%2)</source>
        <translation>口径：%1（%2）</translation>
    </message>
    <message>
        <source>relevant: grade %1 or more</source>
        <translation>相关：%1 级或以上</translation>
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
        <source>something else</source>
        <translation>其他内容</translation>
    </message>
    <message>
        <source>something follows the end of the JSON list</source>
        <translation>JSON 列表结束后还有内容</translation>
    </message>
    <message>
        <source>tar archive</source>
        <translation>tar 压缩包</translation>
    </message>
    <message>
        <source>the JSON is nested too deeply, expected an object with an id and text</source>
        <translation>JSON 嵌套过深，应为带编号和文本的对象</translation>
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
        <source>the counts of all topics added up, then the measure computed once</source>
        <translation>先将各主题的计数相加，再计算一次指标</translation>
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
        <source>the event it speaks of (%1) is missing</source>
        <translation>缺少所指的事件（%1）</translation>
    </message>
    <message>
        <source>the field &quot;%1&quot; holds %2, expected text</source>
        <translation>字段“%1”的内容是%2，应为文本</translation>
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
        <source>the id &quot;%1…&quot; has %2 characters, expected %3 at most</source>
        <translation>编号“%1…”有 %2 个字符，最多应为 %3 个</translation>
    </message>
    <message>
        <source>the id %1 holds white space or nothing; TREC qrels cannot say it</source>
        <translation>编号 %1 含空白或为空；TREC qrels 无法表示</translation>
    </message>
    <message>
        <source>the id is empty, expected some text</source>
        <translation>编号为空，应有文字</translation>
    </message>
    <message>
        <source>the line is longer than %1</source>
        <translation>该行超过 %1</translation>
    </message>
    <message>
        <source>the log was changed</source>
        <translation>日志有改动</translation>
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
        <source>the order of lines</source>
        <translation>按行的先后</translation>
    </message>
    <message>
        <source>the packed file is damaged (%1)</source>
        <translation>压缩文件已损坏（%1）</translation>
    </message>
    <message>
        <source>the parameter %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>the rank column</source>
        <translation>按名次列</translation>
    </message>
    <message>
        <source>the record has no id, expected one of %1</source>
        <translation>记录没有编号，应有 %1 之一</translation>
    </message>
    <message>
        <source>the record has no text, expected one of %1</source>
        <translation>记录没有文本，应有 %1 之一</translation>
    </message>
    <message>
        <source>the text is UTF-16, expected UTF-8</source>
        <translation>文本是 UTF-16，应为 UTF-8</translation>
    </message>
    <message>
        <source>the topic %1 would begin a comment; TREC qrels cannot say it</source>
        <translation>主题 %1 会被当作注释的开头；TREC qrels 无法表示</translation>
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
        <source>this is %1, which cannot be read; %2</source>
        <translation>这是%1，无法读取；%2</translation>
    </message>
    <message>
        <source>this is a TRECWEB file, which irjudge does not read; expected TREC, JSON lines or TSV</source>
        <translation>这是 TRECWEB 文件，irjudge 不读取；应为 TREC、JSON lines 或 TSV</translation>
    </message>
    <message>
        <source>this is not a scale, expected {&quot;name&quot;: …, &quot;grades&quot;: [{&quot;value&quot;: 0, &quot;label&quot;: …}, …]} (%1)</source>
        <translation>这不是等级范围，应为 {&quot;name&quot;: …, &quot;grades&quot;: [{&quot;value&quot;: 0, &quot;label&quot;: …}, …]}（%1）</translation>
    </message>
    <message>
        <source>topic %1, document %2</source>
        <translation>主题 %1，文档 %2</translation>
    </message>
    <message>
        <source>topic %1, document %2: the scale has no grade %3; it has %4</source>
        <translation>主题 %1，文档 %2：等级范围中没有等级 %3；只有 %4</translation>
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
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>unable to open</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>wrong language</source>
        <translation>语言不符</translation>
    </message>
    <message>
        <source>zip archive</source>
        <translation>zip 压缩包</translation>
    </message>
</context>
<context>
    <name>EvaluateView</name>
    <message>
        <source>%1 by topic</source>
        <translation>各主题的 %1</translation>
    </message>
    <message>
        <source>By topic</source>
        <translation>按主题</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>Means over %1 topics · %2.</source>
        <translation>%1 个主题的平均值 · %2。</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Names with spaces between, for example: AP P@10 nDCG@10 RR</source>
        <translation>各名称之间用空格隔开，例如：AP P@10 nDCG@10 RR</translation>
    </message>
    <message>
        <source>Order of ties</source>
        <translation>同分时的顺序</translation>
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
        <source>Ties</source>
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
        <source>Unjudged@10</source>
        <translation>未判断@10</translation>
    </message>
    <message>
        <source>Values by topic</source>
        <translation>各主题的值</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>Writing the workbook</source>
        <translation>正在写出工作簿</translation>
    </message>
    <message>
        <source>Wrote %1 judgments to %2.</source>
        <translation>已将 %1 条判断写入 %2。</translation>
    </message>
    <message>
        <source>Wrote %1: %2.</source>
        <translation>已写出 %1：%2。</translation>
    </message>
</context>
<context>
    <name>FileRow</name>
    <message>
        <source>Choose a folder of documents</source>
        <translation>选择文档所在的文件夹</translation>
    </message>
    <message>
        <source>Choose files</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose files: %1</source>
        <translation>选择文件：%1</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose folder: %1</source>
        <translation>选择文件夹：%1</translation>
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
        <source>%1 documents judged in %2, half of them within %3 s.</source>
        <translation>用 %2判断了 %1 篇文档，其中一半用时不超过 %3 秒。</translation>
    </message>
    <message>
        <source>%1 documents judged in %2.</source>
        <translation>用 %2判断了 %1 篇文档。</translation>
    </message>
    <message>
        <source>%1 documents over %2 topics are judged, and every judgment is on disk.</source>
        <translation>%2 个主题的 %1 篇文档都已判断，每条判断都已写入磁盘。</translation>
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
        <source>Documents of this topic</source>
        <translation>本主题的文档</translation>
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
        <source>Hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Handed in %1</source>
        <translation>已于 %1 提交</translation>
    </message>
    <message>
        <source>Left: %1 documents in %2 topics.</source>
        <translation>还剩 %2 个主题的 %1 篇文档。</translation>
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
    <name>Meter</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>NewProjectView</name>
    <message>
        <source>Choose documents and topics.</source>
        <translation>请选择文档和主题。</translation>
    </message>
    <message>
        <source>Choose place</source>
        <translation>选择位置</translation>
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
        <source>JSON lines, TSV, TREC, or a folder or archive of text, Markdown or HTML</source>
        <translation>JSON lines、TSV、TREC，或含文本、Markdown、HTML 的文件夹或压缩包</translation>
    </message>
    <message>
        <source>Judgments you have already; may stay empty</source>
        <translation>已有的判断；可以留空</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>新建项目</translation>
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
        <source>Reading the files.</source>
        <translation>正在读取文件。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>检索结果 (run)</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>等级范围</translation>
    </message>
    <message>
        <source>TREC topics, TSV or JSON lines</source>
        <translation>TREC 主题、TSV 或 JSON lines</translation>
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
        <source>What each system retrieved, in TREC form</source>
        <translation>每个系统检出的结果，TREC 格式</translation>
    </message>
    <message>
        <source>Where to keep the project</source>
        <translation>项目的保存位置</translation>
    </message>
    <message>
        <source>binary</source>
        <translation>二元</translation>
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
        <source>docno</source>
        <translation>编号正序</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件顺序</translation>
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
        <source>%1 runs, %2 topics</source>
        <translation>%1 个检索结果，%2 个主题</translation>
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
