"""Small Arabic project with Latin words and digits, for tests of right-to-left text."""

from pathlib import Path

from irjudge.judging import Session
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import create_project
from tests.pools import depth_pool

TOPICS = (
    Topic(
        "1",
        "طريقة تحضير القهوة العربية بالهيل في المنزل للضيوف الكرام",
        "ابحث عن نصوص تشرح كيف تُحضَّر القهوة العربية في المنزل، ومقدار البن والهيل لكل 4 فناجين.",
        "النص المهم جدا (3) يذكر الخطوات والمقادير معا. أما تاريخ القهوة، أو آلات espresso، فلا علاقة له بالموضوع.",
    ),
    Topic(
        "2",
        "أنواع التمر وحفظه طوال السنة",
        "ابحث عن نصوص تذكر أنواع التمر (مثل Medjool) وكيف يُحفظ عند 5 درجات.",
        "يكفي أن يذكر النص نوعا واحدا وطريقة حفظه.",
    ),
)
COFFEE = (
    "ضع 3 ملاعق من البن الخشن في لتر من الماء (نحو 1000 ml)، واتركه يغلي على نار هادئة مدة 12 دقيقة. "
    "ثم أضف ملعقة من الهيل المطحون، وارفع القهوة عن النار قبل أن تفور.\n\n"
    "تُصبّ القهوة في الدلة، وتُقدَّم مع التمر: 2 أو 3 حبات لكل ضيف. قال صاحب كتاب Coffee, 2nd edition إن القهوة الشقراء أخف طعما!\n\n"
)
DATES = (
    "يُحفظ تمر Medjool في علبة مغلقة عند 5°C مدة 6 أشهر، أما السكري فيؤكل طازجا. "
    "ومن الأنواع المعروفة: العجوة، والبرحي، والخلاص.\n\nلا تضع التمر قرب البصل؛ فهو يأخذ رائحته.\n\n"
)
TABLE = (
    "<h1>جدول المقادير</h1><table><tr><th>الفناجين</th><th>البن (g)</th><th>الهيل</th></tr>"
    "<tr><td>4</td><td>20</td><td>ملعقة</td></tr><tr><td>8</td><td>40</td><td>ملعقتان</td></tr></table>"
    "<p>المقادير من موقع example.org، سنة 2024.</p>"
)
DOCUMENTS = (
    Document(
        "ar-01",
        (COFFEE * 4).encode(),
        "القهوة العربية: المقادير والخطوات من أولها إلى آخرها، كما كانت جدتي تحضرها في الشتاء لضيوفها",
    ),
    Document("ar-02", TABLE.encode(), "جدول المقادير (2024)", "html"),
    Document("ar-03", COFFEE.encode(), "Arabic coffee في 12 دقيقة"),
    Document("ar-04", (DATES + COFFEE).encode(), "القهوة والتمر"),
    Document("ar-05", DATES.encode(), "أنواع التمر: Medjool، العجوة، السكري"),
    Document(
        "ar-06",
        ("## حفظ التمر\n\n" + DATES + "- العجوة\n- البرحي\n- `Medjool`\n").encode(),
        "حفظ التمر",
        "markdown",
    ),
    Document("ar-07", "رأيت في السوق تمرا كثيرا، ولم أشتر شيئا.".encode()),
    Document(
        "en-01",
        b"Arabic coffee is called \xd9\x82\xd9\x87\xd9\x88\xd8\xa9. It is served with dates.",
        "A word for coffee: قهوة",
    ),
)
RUNS = {
    "bm25": ("ar-01", "ar-03", "en-01", "ar-02", "ar-04", "ar-05", "ar-06", "ar-07"),
    "ql": ("ar-02", "ar-01", "ar-04", "ar-06", "ar-03", "ar-05", "ar-07", "en-01"),
}
# of the first documents of each topic
GRADES = {"ann": (3, 2, 2, 1, 0, 0), "bob": (3, 3, 0, 1, 1, 0), "cleo": (2, 2, 3, 1, 0, 0)}
NOTES = {"ann": "المقادير (20 g) هنا، لكن بلا خطوات.", "bob": "فيه كل شيء"}


def make_arabic(path: Path) -> Path:
    """Create the project, judged by three assessors, and return its path."""
    with create_project(path, scale=Scale.parse("0-3"), title="قهوة") as project:
        project.collection.add_topics(TOPICS)
        project.collection.add_documents(DOCUMENTS)
        for name, ids in RUNS.items():
            project.rankings.add_run(
                make_run(
                    name,
                    [
                        (topic.id, id, -float(rank))
                        for topic in TOPICS
                        for rank, id in enumerate(ids)
                    ],
                )
            )
        project.rankings.add_pool(
            depth_pool([project.rankings.run(name) for name in RUNS], len(DOCUMENTS))
        )
        for name, grades in GRADES.items():
            session = Session(project, name)
            for topic in TOPICS:
                for state, grade in zip(session.item_states(topic.id), grades, strict=False):
                    work = session.open_item(state.item)
                    session.grade(work, grade, active_ms=4000)
                    if name in NOTES and grade == GRADES[name][1]:
                        session.note(work, NOTES[name])
    return path
