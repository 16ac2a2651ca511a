"""What the engine says is said in the language of the window, part by part; what nobody translated stays English."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from irjudge.errors import Cancelled, FormatError
from irjudge_ui.engine_words import in_language
from irjudge_ui.language import Language
from irjudge_ui.settings import Settings


@pytest.fixture
def chinese(settings: Settings, qapp: QApplication) -> Iterator[None]:
    settings.set("language", "zh_CN")
    language = Language(qapp, settings)
    yield
    settings.set("language", "en")
    language.deleteLater()


COLUMNS = "5 columns, expected 6 (topic, Q0, document, rank, score, tag)"
SAID = {
    str(Cancelled()): "已取消。没有做任何更改。",
    str(FormatError("a/b.run", f"{COLUMNS}; 3 more lines near it do not fit either", 3)): (
        "b.run 第 3 行：有 5 列，应为 6 列（主题、Q0、文档、名次、得分、标签）；附近另有 3 行也不相符。"
    ),
    str(FormatError("topics.txt", "the file is empty, nothing more")): "topics.txt：文件为空，nothing more。",
    "Not saved: /home/a b/p.irjudge (the disk is full).": "未保存：/home/a b/p.irjudge（磁盘已满）。",
    "Not saved: the disk that holds /home/a b is full (p.irjudge).": "未保存：/home/a b 所在的磁盘已满（p.irjudge）。",
    "Run bm25: topics that are not among the project's: 1 (for example 17).": "检索结果 bm25：不在本项目中的主题：1 个（例如 17）。",
    "q: judgments: 60; topics: 6 (40 of grade 0, 20 of grade 1)": "q：判断 60 条；主题 6 个（等级 0 的 40 条，等级 1 的 20 条）",
    "documents.jsonl: JSON lines": "documents.jsonl：JSON Lines 格式",
    "a.zip: plain text in a zip archive": "a.zip：纯文本，zip 压缩包内",
    "plain text in a zip archive": "纯文本，zip 压缩包内",
    "out.xlsx could not be written: it is read-only. The file that is there is unchanged.": (
        "无法写入 out.xlsx：文件为只读。原有文件没有改变。"
    ),
    "Highly relevant": "高度相关",
    "Fields that are not read: url, %1 and more.": "没有读取的字段：url, %1等。",
    "The scale is lost; 0 to 3 stands in its place. Nobody said this. The owner's name is lost.": (
        "等级范围已丢失；用 0 到 3 代替。Nobody said this. 所有者的名称已丢失。"
    ),
}


@pytest.mark.parametrize("sentence", SAID, ids=lambda sentence: sentence[:30])
def test_a_sentence_of_the_engine_is_said_in_chinese(chinese: None, sentence: str) -> None:
    assert in_language(sentence) == SAID[sentence]


@pytest.mark.parametrize("sentence", ["", "Nothing of the kind.", "d1: x.", "a. b. c", "(.*", "x" * 5000])
def test_what_is_not_known_stays_as_it_is(chinese: None, sentence: str) -> None:
    assert in_language(sentence) == sentence


@pytest.mark.parametrize("sentence", SAID, ids=lambda sentence: sentence[:30])
def test_in_english_a_sentence_stays_as_it_is(sentence: str) -> None:
    assert in_language(sentence) == sentence
