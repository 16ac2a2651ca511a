"""Spellings of ir_measures and ranx that mean something else here, or nothing: read as their owners mean them, or refused in words."""

import re

from irjudge.errors import MeasureError

DCG = {"log2": "linear", "exp-log2": "exp2"}
# Measures of theirs under a name that invites another one of ours.
OTHERS = {
    "accuracy": "Accuracy in ir_measures is the share of pairs that are in the right order, which is not here; "
    "the share of documents decided rightly is ACC.",
}


def as_meant(text: str) -> str:
    """Return a name of ir_measures or ranx in words of ours; any other as it is.

    Raises
    ------
    MeasureError
        When the spelling means what is not here.

    Examples
    --------
    >>> as_meant("nDCG(dcg='exp-log2')@10"), as_meant("nDCG(gains={0:0,1:3,2:9})"), as_meant("ERR(max_rel=4)@20"), as_meant("rbp.95")
    ('nDCG(gain=exp2)@10', 'nDCG(gain=0:0/1:3/2:9)', 'ERR(highest=4)@20', 'rbp.0.95')
    """
    head = re.split(r"[(@]", text, maxsplit=1)[0].strip().lower()
    if head in OTHERS:
        raise MeasureError(f"{text}: {OTHERS[head]}")
    if head == "rbp" and re.search(r"\bmax_rel\b", text):
        raise MeasureError(f"{text}: max_rel is RBP(gain=graded) here, with the highest grade as --highest.")
    if found := re.fullmatch(r"(rbp)\.([0-9]+)", text, re.IGNORECASE):
        return f"{found[1]}.0.{found[2]}"
    text = re.sub(r",?\s*\bjudged_only\s*=\s*false\b", "", text, flags=re.IGNORECASE).replace("(,", "(")
    text = re.sub(r"\bgains\s*=\s*\{([^}]*)\}", lambda found: "gain=" + re.sub(r"\s*,\s*", "/", found[1].strip()), text)
    text = re.sub(r"\bdcg\s*=\s*['\"]?([\w-]+)['\"]?", _dcg, text)
    return re.sub(r"\bmax_rel(?=\s*=)", "highest", text)


def _dcg(found: re.Match[str]) -> str:
    if found[1] not in DCG:
        raise MeasureError(f"dcg must be {' or '.join(DCG)}, got {found[1]!r}.")
    return f"gain={DCG[found[1]]}"
