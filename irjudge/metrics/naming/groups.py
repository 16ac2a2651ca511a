"""Groups of measures, and trec_eval's words for measures in the order in which it prints them."""

from irjudge.metrics.naming.profiles import RULES, Profile

TREC_CUTOFFS = "5,10,15,20,30,100,200,500,1000"

# What each word means is said by the aliases of the measures.
TREC_WORDS = (
    "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P relstring recall infAP gm_bpref "
    "Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P set_relative_P set_recall "
    "set_map set_F num_nonrel_judged_ret yaap rbp rbp_resid unj"
).split()
# These measures are summaries over topics and have no lines of their own for each topic.
SUMMARIES = ("num_q", "gm_map", "gm_bpref")
# What stands for a word that alone needs a cutoff, or means something else.
WRITTEN = {
    "P": f"P.{TREC_CUTOFFS}",
    "recall": f"recall.{TREC_CUTOFFS}",
    "success": "success.1,5,10",
    "rbp": "RBP(p=0.9,gain=topic)",
}

# Words for text, which is no measure.
TEXT_WORDS = ("runid", "relstring")

OFFICIAL = TREC_WORDS[: TREC_WORDS.index("P") + 1]
ALL_TREC = [word for word in TREC_WORDS if word != "yaap"]
SET = "runid num_q num_ret num_rel num_rel_ret utility set_P set_relative_P set_recall set_map set_F".split()
WORDS: dict[str, list[str]] = {"official": OFFICIAL, "all_trec": ALL_TREC, "set": SET}


def members(group: str, profile: Profile = "irjudge") -> tuple[str, ...]:
    """Return the names of a group's measures, in trec_eval's order; empty for what is no group.

    Examples
    --------
    >>> members("official")[:3], members("official")[-1]
    (('num_q', 'num_ret', 'num_rel'), 'P.5,10,15,20,30,100,200,500,1000')
    """
    words = [word for word in WORDS.get(group.lower(), ()) if word not in TEXT_WORDS and word not in RULES[profile].lacks]
    return tuple(WRITTEN.get(word, word) for word in words)


GROUPS: dict[str, tuple[str, ...]] = {group: members(group) for group in WORDS}
