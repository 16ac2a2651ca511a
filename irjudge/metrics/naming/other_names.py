"""Spellings of ir_measures and ranx that mean something else here, or nothing: read as their owners mean them, or refused in words."""

import re

from irjudge.errors import MeasureError

DCG = {"log2": "linear", "exp-log2": "exp2"}
# Measures of theirs under a name that invites another one of ours, as they are spelt.
OTHERS = {
    "Accuracy": "Accuracy in ir_measures is the share of pairs that are in the right order, which is not here; "
    "the share of documents decided rightly is ACC.",
    "Compat": "Compat in ir_measures is the rank-biased overlap with the best ranking, which is not here; "
    "how compatible a run is with preferences is what `irjudge preferences --documents --run` says.",
    "SDCG": "SDCG in ir_measures is DCG over that of k documents of the highest grade, which is not here; "
    "nDCG goes by the documents that are judged, and the DCG of a session is written sDCG.",
    **dict.fromkeys(
        ("NERR8", "NERR9", "NERR10", "NERR11"),
        "NERR in ir_measures is the nearly expected reciprocal rank, which is not here; ERR over that of the ideal ranking is nERR.",
    ),
}
ANY_CASE = {name.lower(): name for name in OTHERS if name != "SDCG"}  # sdcg is ours
WHOLE = {"precision": "SetP", "recall": "SetR", "f1": "SetF"}  # of ranx, where no cutoff follows
_RBP = re.compile(r"(?:(?i:rbp)\.|rbp@)(?P<digits>[0-9]+)(?:-l[0-9]+)?")
_LEVEL = re.compile(r"(?P<measure>[^()]+)-l(?P<level>[0-9]+)", re.IGNORECASE)


def as_meant(text: str) -> str:
    """Return a name of ir_measures or ranx in words of ours; any other as it is.

    Raises
    ------
    MeasureError
        When the spelling means what is not here.

    Examples
    --------
    >>> as_meant("nDCG(dcg='exp-log2')@10"), as_meant("nDCG(gains={0:0,1:3,2:9})"), as_meant("ERR(max_rel=4)@20")
    ('nDCG(gain=exp2)@10', 'nDCG(gain=0:0/1:3/2:9)', 'ERR(highest=4)@20')
    >>> as_meant("map@5-l2"), as_meant("ndcg@5-l3"), as_meant("f1"), as_meant("SetP(relative=True)"), as_meant("NumRet(rel=2)")
    ('map(rel=2)@5', 'ndcg(gain=1:0/2:0)@5', 'SetF', 'SetRelP', 'NumRelRet(rel=2)')
    """
    _check_others(text)
    text = _of_whole_list(_of_level(text))
    text = re.sub(r",?\s*\b(judged_only|relative)\s*=\s*false\b", "", text, flags=re.IGNORECASE).replace("(,", "(").replace("()", "")
    text = re.sub(r"\bgains\s*=\s*\{([^}]*)\}", lambda found: "gain=" + re.sub(r"\s*,\s*", "/", found[1].strip()), text)
    text = re.sub(r"\bdcg\s*=\s*['\"]?([\w-]+)['\"]?", _dcg, text)
    return re.sub(r"\bmax_rel(?=\s*=)", "highest", _other_measure(text))


def _check_others(text: str) -> None:
    """Refuse measures of theirs that are not here."""
    head = _head(text)
    name = head if head in OTHERS else ANY_CASE.get(head.lower())
    if name is not None:
        raise MeasureError(f"{text}: {OTHERS[name]}")
    if head.lower() == "rbp" and re.search(r"\bmax_rel\b", text):
        raise MeasureError(f"{text}: max_rel is RBP(gain=graded) here, with the highest grade as --highest.")
    if found := _RBP.fullmatch(text):
        p = f"p=0.{found['digits']}"
        raise MeasureError(
            f"{text}: rbp in ranx multiplies the grade itself, which is not here; RBP({p}) counts relevant documents, "
            f"RBP({p},gain=graded) grades over the highest."
        )


def _head(text: str) -> str:
    return re.split(r"[(@]", text, maxsplit=1)[0].strip()


def _of_level(text: str) -> str:
    """Return what ranx means by `-l2` behind a name: from grade 2 on documents are relevant, and those below gain nothing."""
    found = _LEVEL.fullmatch(text)
    if not found:
        return text
    head, at, cutoff = found["measure"].partition("@")
    level = int(found["level"])
    of_gains = head.lower().endswith(("dcg", "dcg_burges"))
    if of_gains and level > 1 and head.lower().endswith("_burges"):
        write = f"{head.lower().removesuffix('_burges').replace('dcg', 'DCG')}(gain=1:0/2:3/3:7){at}{cutoff}"
        raise MeasureError(f"{text}: write the gain of each grade, 2^grade − 1 or 0 below {level}, such as {write}.")
    if of_gains and level <= 1:
        return f"{head}{at}{cutoff}"
    said = "gain=" + "/".join(f"{grade}:0" for grade in range(1, level)) if of_gains else f"rel={level}"
    return f"{head}({said}){at}{cutoff}"


def _of_whole_list(text: str) -> str:
    """Return the name of the measure of all that was retrieved where ranx gives no cutoff."""
    head = _head(text)
    cut = "@" in text or "cutoff" in text
    return WHOLE[head.lower()] + text[len(head) :] if head.lower() in WHOLE and not cut else text


def _other_measure(text: str) -> str:
    """Return the name of the measure that a parameter makes of SetP and NumRet."""
    head = _head(text).lower().replace("_", "")
    if head == "setp" and (found := re.search(r"\brelative\s*=\s*true\b\s*,?\s*", text, re.IGNORECASE)):
        rest = (text[: found.start()] + text[found.end() :]).partition("(")[2]
        return "SetRelP" + f"({rest}".replace(",)", ")").replace("()", "")
    if head == "numret" and re.search(r"\brel\s*=", text):
        return "NumRelRet" + text[len(_head(text)) :]
    return text


def _dcg(found: re.Match[str]) -> str:
    if found[1] not in DCG:
        raise MeasureError(f"dcg must be {' or '.join(DCG)}, got {found[1]!r}.")
    return f"gain={DCG[found[1]]}"
