"""Words that say little about a topic: they are not highlighted, and they tell one language from another."""

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": "a an and are as at be been by can did do does for from has have how in is it its not of on or that the there "
        "this to was were what when where which who why will with",
        "german": "aber am an auf aus bei das dem den der des die ein eine einem einen einer es für hat im in ist man mit nach "
        "nicht oder sich sind über um und von warum was welche wer wie wo zu zum zur",
        "french": "a au aux avec ce ces comment dans de des du elle en est et il la le les leur ne ou où par pas pour pourquoi "
        "quand que quel quelle quelles quels qui se son sont sur un une",
        "spanish": "a al como cómo con cuál cuándo de del dónde el en entre es está esta fue ha hay la las lo los más no o para pero "
        "por qué que quién se son su sus un una y",
        "italian": "a al alla che chi come con cosa da dal degli dei del della delle di dove e è gli i il in la le lo nel nella non "
        "per perché più qual quali quando si sono su tra un una",
        "portuguese": "a ao as como com da das de do dos e é em entre foi há mais na não nas no nos o onde os ou para pela pelo por "
        "qual quais quando que quem se são um uma",
        "dutch": "aan als bij dat de den deze die dit door een en er het hoe in is met na naar niet of om onder ook op over te tot "
        "uit van voor waar waarom wat welke werd wie wordt worden zijn",
        "swedish": "att av de den det där efter eller en ett från för har hur hos i inte kan med men mellan mot när och om på som så "
        "till under vad var varför vem vid vilka vilken är över",
        "finnish": "ei että he hän ja jos joka jotka kanssa kun kuin koska kuka me mikä miksi millainen minkä missä mitkä mitä miten "
        "mukaan mutta ne niin nyt oli olla on ovat se sekä tai vai voi",
        "russian": "а без был была были было в во где для до же за и из или к как какая какие какой когда кто ли на не о об от по "
        "почему при с со у что чем это",
        "arabic": "أن أو أين إلى التي الذي ان او الى بين عن على عند في قد كان كانت كل كم كيف لا لم لماذا ما ماذا متى من منذ هذا هذه "
        "هل هو هي و وما",
        "persian": "از است آن این با برای بر به بود تا چرا چگونه چند چه چیست در را شد شده شود که کجا کدام کرد کی کیست می و هر هم یا یک",
        "hindi": "और इस उस एक ऐसा क्या क्यों कब कहाँ का कि किस की के को कौन कौनसा था थी थे द्वारा ने पर में यह या वह से हुआ हुई हुए है हैं हो कैसे तथा",
    }.items()
}

# Words that say as little, but not in which language: too many of them are words of another one too.
QUIET_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": "about above across after again against all almost along already also although always am among any anybody "
        "anyone anything around because become becomes before behind being below between both but cannot could doing "
        "don't done down during each either else ever every everyone everything few further get gets getting give given "
        "had having he hence her here hers herself him himself his however i if instead into i'm isn't it's itself just "
        "least less let like made make many maybe me more most much must my myself neither never nevertheless no nobody "
        "none nor nothing now off often once only other others otherwise our ours ourselves out over own per perhaps "
        "please quite rather really same shall she should since so some somebody someone something sometimes still such "
        "than that's their theirs them themselves then these they those though through thus together too toward towards "
        "under unless until up upon very we were what's whatever whenever where's wherever whether whichever while "
        "whoever whom who's whose within without would yet you your yours yourself yourselves",
        "german": "alle allem allen aller alles als also andere anderen anderer anderes auch bin bis bist da daher dann dass "
        "deine denen denn deren dessen dich dies diese diesem diesen dieser dieses dir doch dort du durch einige "
        "einiger einiges er etwas euch euer ganz gegen gibt habe haben hatte hatten her hier hin ich ihm ihn ihnen ihr "
        "ihre ihrem ihren ihrer ins ja jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner können "
        "konnte machen mehr mein meine mich mir muss müssen nach nein noch nun nur ob ohne sehr sein seine seinem "
        "seinen seiner sie so solche soll sollen sonst unser unsere unter vom vor war waren was weil welchem welchen "
        "welcher welches wenn werde werden wird wir wurde wurden während würde zwischen",
        "french": "ai alors après as aussi autre autres avait avant avez avoir avons car cela celle celles celui cette ceux "
        "chaque chez contre depuis donc dont elles entre être fait ils je jusque leurs lui ma mais même mes moi mon nos "
        "notre nous ont peut plus plusieurs quels sa sans selon ses si soi sous ta te tes toi ton tous tout toute "
        "toutes très tu une vers vos votre vous était étaient",
        "spanish": "algo algunas algunos ante antes aquel así aunque bajo cada casi contra cual cualquier cuando desde donde dos "
        "durante ella ellas ellos era eran eres esa esas ese eso esos estaba estado están estar estas este esto estos "
        "fueron haber había hacer hasta le les me mi mientras mis mismo mucho muchos muy nada ni nos nosotros otra "
        "otras otro otros poco porque puede pueden pues qué sea según ser si sido sin sobre solo también tan tanto te "
        "tiene tienen todo todos tu tus unas unos usted ya yo",
        "russian": "бы вам вас вот всё все всего всех вы да даже её ему если есть ещё её здесь из-за им их который которая которое "
        "которые которых лишь между меня мне может можно мой мы над надо нас наш нет него неё нее ней нём нет ни ним "
        "них но ну однако он она они оно очень перед под после потом потому почти разве сам себе себя сейчас так также "
        "такой там тебя тем теперь то тогда того тоже только том тот ту ты тут уже хотя чего чей чтобы эта эти этого "
        "этой этом этот я",
    }.items()
}

# Scripts without spaces: these end a word wherever they stand.
CHINESE = (
    "为什么 什么时候 有哪些 什么 时候 怎么样 怎么 怎样 如何 为何 哪些 哪个 哪里 哪儿 多少 是谁 是否 谁 哪 几 的 是 了 在 和 "
    "与 及 吗 呢 之 被 把 有"
).split()
JAPANESE = (
    "なぜですか について によって における とは という として ですか でしょうか ですが ました ます です でした される されて "
    "された している していた した して する から まで より なぜ どう いつ どこ どの どれ だれ 誰 何 の は が を に で と も "
    "へ や か"
).split()
THAI = ("อย่างไร เมื่อไหร่ เมื่อไร ที่ไหน เท่าไหร่ เท่าไร ทำไม อะไร ใคร หรือไม่ หรือ และ ของ คือ เป็น จาก").split()
# Words that contain one of these and are one all the same.
CHINESE_WORDS = (
    "目的 的士 存在 现在 正在 在线 了解 为了 和平 共和 温和 和谐 参与 与会 之间 之前 之后 几何 几乎 有机 有限 所有 拥有 有效 是非 及格"
).split()
KOREAN_ENDINGS = ("에서는 에서 에게 으로 까지 부터 이란 란 처럼 보다 은 는 이 가 을 를 의 에 로 와 과 도 만").split()
KOREAN = frozenset("왜 언제 어디 어디에서 어떻게 무엇 무엇인가 누구 누가 어떤 몇 그 이 저 및 등 수 것 있는 있나요 하는 무슨".split())
