"""Tests of every measure against a slow implementation of its definition, topic by topic."""

import math
from fractions import Fraction

import pytest

from irjudge.metrics import GainMap, list_measures


def ratio(a, b):
    return a / b if b else 0.0


def top(case, cutoff):
    return case.ranked if cutoff is None else case.ranked[:cutoff]


def relevant(grades, rel=1):
    return sum(grade is not None and grade >= rel for grade in grades)


def set_precision(case, rel, cutoff):
    return ratio(relevant(top(case, cutoff), rel), len(top(case, cutoff)))


def set_recall(case, rel, cutoff):
    return ratio(relevant(top(case, cutoff), rel), relevant(case.judged_grades, rel))


def judged_share(case, cutoff):
    return ratio(relevant(top(case, cutoff), 0), len(top(case, cutoff)))


def unjudged_share(case, cutoff):
    return sum(grade is None or grade < 0 for grade in top(case, cutoff)) / cutoff


def precision(case, rel, cutoff):
    return relevant(case.ranked[:cutoff], rel) / cutoff


def r_precision(case, rel):
    wanted = relevant(case.judged_grades, rel)
    return precision(case, rel, wanted) if wanted else 0.0


def points(case, rel):
    """Recall and precision at each relevant document."""
    wanted = relevant(case.judged_grades, rel)
    ranks = [rank for rank, grade in enumerate(case.ranked, 1) if relevant([grade], rel)]
    return [(Fraction(nth, wanted), nth / rank) for nth, rank in enumerate(ranks, 1)]


def multiply_add(level, count):
    """Return level·count + 0.9 of doubles, rounded once."""
    return float(Fraction(level) * count + Fraction(0.9))


def interpolated_precision(case, rel, rule, recall):
    level = Fraction(str(recall))
    if rule == "max":
        return max((value for reached, value in points(case, rel) if reached >= level), default=0.0)
    if rule.startswith("trec"):
        wanted = (
            multiply_add(recall, relevant(case.judged_grades, rel))
            if rule == "trec9fused"
            else recall * relevant(case.judged_grades, rel)
        )
        wanted += {"trec9": 0.9, "trec9fused": 0.0, "trec10": 0.5}[rule]
        return max(
            (
                value
                for nth, (_, value) in enumerate(points(case, rel), 1)
                if nth >= math.floor(wanted)
            ),
            default=0.0,
        )
    for reached, value in points(case, rel):
        if reached == level:
            return value
    while level <= 1:
        window = [
            value
            for reached, value in points(case, rel)
            if level < reached <= level + Fraction(1, 10)
        ]
        if window:
            return max(window)
        level += Fraction(1, 10)
    return 0.0


def bpref(case, rel):
    wanted = relevant(case.judged_grades, rel)
    unwanted = len(case.judged_grades) - wanted
    total = 0.0
    for index, grade in enumerate(case.ranked):
        if relevant([grade], rel):
            above = sum(other is not None and 0 <= other < rel for other in case.ranked[:index])
            total += 1 - ratio(min(above, wanted, unwanted), min(wanted, unwanted))
    return ratio(total, wanted)


def average_precision(case, rel, norm, cutoff):
    ranks = [rank for rank, grade in enumerate(top(case, cutoff), 1) if relevant([grade], rel)]
    total = sum(precision(case, rel, rank) for rank in ranks)
    wanted = relevant(case.judged_grades, rel)
    return ratio(
        total,
        {"relevant": wanted, "retrieved": len(ranks), "cutoff": min(wanted, cutoff or wanted)}[
            norm
        ],
    )


def reciprocal_rank(case, rel, cutoff):
    return next(
        (1 / rank for rank, grade in enumerate(top(case, cutoff), 1) if relevant([grade], rel)), 0.0
    )


def gain_of(grade, gain):
    if grade is None or grade < 0:
        return 0
    if isinstance(gain, GainMap):
        return dict(gain.pairs).get(grade, grade)
    return grade if gain == "linear" else 2**grade - 1


def discounted_gain(grades, gain, discount, base):
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        if discount == "log2p1":
            total += gain_of(grade, gain) / math.log(rank + 1, base)
        else:
            total += (
                gain_of(grade, gain) if rank < base else gain_of(grade, gain) / math.log(rank, base)
            )
    return total


def idcg(case, gain, discount, base, ideal, cutoff):
    best = (
        case.judged_grades
        if ideal == "judged"
        else [grade for grade in case.ranked if grade is not None]
    )
    best = sorted(best, key=lambda grade: gain_of(grade, gain), reverse=True)
    return discounted_gain(best[:cutoff], gain, discount, base)


def ndcg(case, gain, discount, base, ideal, cutoff, mean):
    del mean  # for the mean of a run; the value of a topic is the same
    return ratio(
        discounted_gain(top(case, cutoff), gain, discount, base),
        idcg(case, gain, discount, base, ideal, cutoff),
    )


def relative_precision(case, rel, cutoff):
    return ratio(
        relevant(case.ranked[:cutoff], rel), min(cutoff, relevant(case.judged_grades, rel))
    )


def set_relative_precision(case, rel, cutoff):
    return ratio(
        relevant(top(case, cutoff), rel),
        min(len(top(case, cutoff)), relevant(case.judged_grades, rel)),
    )


def utility(case, rel, a, b, c, d, universe):
    relevant_ranks = relevant(case.ranked, rel)
    return (
        a * relevant_ranks
        + b * (len(case.ranked) - relevant_ranks)
        + c * (relevant(case.judged_grades, rel) - relevant_ranks)
    )


def eleven_points(case, rel, rule, levels):
    return sum(interpolated_precision(case, rel, rule, level) for level in levels) / len(levels)


def precision_at_multiple(case, rel, rule, multiple):
    count = relevant(case.judged_grades, rel)
    wanted = {
        "exact": Fraction(str(multiple)) * count + Fraction(9, 10),
        "trec9": multiple * count + 0.9,
        "trec9fused": multiply_add(multiple, count),
        "trec10": multiple * count + 0.9,
    }
    cutoff = math.floor(wanted[rule])
    return precision(case, rel, cutoff) if cutoff else 0.0


def binary_g(case, rel):
    total = 0.0
    for index, grade in enumerate(case.ranked):
        if relevant([grade], rel):
            total += 1 / math.log2(2 + index - relevant(case.ranked[:index], rel))
    return ratio(total, relevant(case.judged_grades, rel))


def ideal_of(case, gain):
    return sorted(
        (gain_of(grade, gain) for grade in case.judged_grades if gain_of(grade, gain) > 0),
        reverse=True,
    )


def normalised_gain(case, gain):
    best, spent, reached, total = ideal_of(case, gain), 0.0, 0.0, 0.0
    for index, grade in enumerate(case.ranked):
        spent += max(best[index] if index < len(best) else 0, 1)
        reached += gain_of(grade, gain)
        total += gain_of(grade, gain) / math.log2(2 + spent - reached)
    return ratio(total, sum(best))


def dcg_of(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg_over_relevant(case, gain):
    best, gained = ideal_of(case, gain), [gain_of(grade, gain) for grade in case.ranked]
    ranks = [rank for rank, each in enumerate(gained, 1) if each > 0]
    seen = sum(dcg_of(gained[:rank]) / dcg_of(best[:rank]) for rank in ranks)
    return ratio(seen + (len(best) - len(ranks)) * ratio(dcg_of(gained), dcg_of(best)), len(best))


def ndcg_over_levels(case, gain):
    best, gained = ideal_of(case, gain), [gain_of(grade, gain) for grade in case.ranked]
    ends = [
        rank
        for rank in range(1, len(best) + 1)
        if rank == len(best) or best[rank] != best[rank - 1]
    ]
    values = [dcg_of(gained[:rank]) / dcg_of(best[:rank]) for rank in ends]
    if best and len(gained) > len(best) + 1:
        values.append(dcg_of(gained) / dcg_of(best))
    return ratio(sum(values), len(values))


def rank_biased(case, p, rel, gain, cutoff):
    highest = {"binary": 1, "graded": 3, "topic": max(case.judged_grades, default=0)}[gain]
    gained = [
        relevant([grade], rel) if gain == "binary" else max(grade or 0, 0)
        for grade in top(case, cutoff)
    ]
    return (1 - p) * sum(ratio(each, highest) * p**index for index, each in enumerate(gained))


def rank_biased_residual(case, p, rule, cutoff):
    unknown = [index for index, grade in enumerate(top(case, cutoff)) if grade is None or grade < 0]
    if rule == "trec10" and not unknown:
        return 0.0
    return (1 - p) * sum(p**position for position in unknown) + p ** len(top(case, cutoff))


def yaap(case, rel):
    total = average_precision(case, rel, "relevant", None) * relevant(case.judged_grades, rel)
    return math.log((1 + total) / (1 + relevant(case.judged_grades, rel) - total))


def inferred_average_precision(case, rel):
    total = 0.0
    for index, grade in enumerate(case.ranked):
        if relevant([grade], rel):
            above = case.ranked[:index]
            pooled = sum(each is not None for each in above)
            share = (relevant(above, rel) + 1e-5) / (relevant(above, 0) + 2e-5)
            total += 1 / (index + 1) + (
                index / (index + 1) * (pooled / index) * share if index else 0
            )
    return ratio(total, relevant(case.judged_grades, rel))


def cells(case, rel, universe=None, cutoff=None):
    shown = top(case, cutoff)
    true, missed = relevant(shown, rel), relevant(case.judged_grades, rel) - relevant(shown, rel)
    if universe == "judged":
        rest = [
            grade for grade in case.ranked[len(shown) :] if grade is not None and grade >= 0
        ] + list(case.missed)
        return true, relevant(shown, 0) - true, missed, len(rest) - relevant(rest, rel)
    size = {"collection": 50, None: 0}.get(universe, universe)
    return true, len(shown) - true, missed, size - len(shown) - missed


def correlation(case, rel, universe, cutoff):
    tp, fp, fn, tn = cells(case, rel, universe, cutoff)
    return ratio(tp * tn - fp * fn, math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


def balanced_accuracy(case, rel, universe, cutoff):
    tp, fp, fn, tn = cells(case, rel, universe, cutoff)
    return (ratio(tp, tp + fn) + ratio(tn, tn + fp)) / 2


def share(above, below):
    """Return a function that divides one sum of cells of the confusion matrix by another.

    The cells are 0 TP, 1 FP, 2 FN and 3 TN.
    """

    def opinion(case, rel, cutoff, universe=None):
        matrix = cells(case, rel, universe, cutoff)
        return ratio(sum(matrix[each] for each in above), sum(matrix[each] for each in below))

    return opinion


def weighted_mean(precision, recall, beta, alpha):
    weight = 1 / (1 + beta**2) if alpha is None else alpha
    if not precision or not recall:
        return 0.0
    return 1 / (weight / precision + (1 - weight) / recall)


def f_at_rank(case, rel, beta, alpha, cutoff):
    return weighted_mean(precision(case, rel, cutoff), set_recall(case, rel, cutoff), beta, alpha)


def set_f_or_alpha(case, rel, beta, alpha, cutoff):
    return weighted_mean(
        set_precision(case, rel, cutoff), set_recall(case, rel, cutoff), beta, alpha
    )


def break_even(case, rel):
    """Walk along the interpolated curve in small steps of recall until it is no longer above the diagonal."""
    result = points(case, rel)
    candidates = [float(reached) for reached, _ in result] + [value for _, value in result]
    curve = {
        level: max((value for reached, value in result if float(reached) >= level), default=0.0)
        for level in candidates
    }
    return max((level for level in candidates if curve[level] >= level), default=0.0)


def lowest_average_precision(case, rel, universe):
    wanted = relevant(case.judged_grades, rel)
    others = {"judged": len(case.judged_grades), "collection": 50}.get(universe, universe) - wanted
    return ratio(sum(nth / (nth + others) for nth in range(1, wanted + 1)), wanted)


def ncg(case, gain, ideal, cutoff):
    best = (
        case.judged_grades
        if ideal == "judged"
        else [grade for grade in case.ranked if grade is not None]
    )
    best = sorted((gain_of(grade, gain) for grade in best), reverse=True)
    return ratio(sum(gain_of(grade, gain) for grade in top(case, cutoff)), sum(best[:cutoff]))


def reciprocal_expected(grades, highest):
    total, arrives = 0.0, 1.0
    for rank, grade in enumerate(grades, 1):
        stops = (2 ** max(grade or 0, 0) - 1) / 2 ** (highest or 3)
        total += arrives * stops / rank
        arrives *= 1 - stops
    return total


def q_measure(case, gain, beta, norm, cutoff):
    best, gained = ideal_of(case, gain), [gain_of(grade, gain) for grade in top(case, cutoff)]
    total = 0.0
    for rank, each in enumerate(gained, 1):
        if each > 0:
            number = sum(other > 0 for other in gained[:rank])
            total += (number + beta * sum(gained[:rank])) / (rank + beta * sum(best[:rank]))
    return ratio(total, min(len(best), cutoff or len(best)) if norm == "cutoff" else len(best))


def of_a_user(goes_on):
    """Return a function: gain per document of a user who continues after a rank with `goes_on`."""

    def opinion(case, t, highest, depth, k=None):
        gains = ([max(grade or 0, 0) / (highest or 3) for grade in case.ranked] + [0.0] * depth)[
            :depth
        ]
        looks, total, gained = 1.0, 0.0, 0.0
        for rank, gain in enumerate(gains, 1):
            total, gained = total + looks, gained + looks * gain
            looks *= goes_on(rank, t, sum(gains[:rank]), k)
            if looks == 0:
                break
        return gained / total

    return opinion


def square(x):
    return ((x - 1) / x) ** 2


# By the highest grade: the subtopics for which a document is judged, with its grade there.
SUBTOPICS = {1: {0: 1}, 2: {1: 2}, 3: {0: 1, 1: 3, 2: 1}}


def relevant_for(grade, rel):
    return [
        subtopic for subtopic, its_grade in SUBTOPICS.get(grade, {}).items() if its_grade >= rel
    ]


def list_subtopics(case, rel):
    return {subtopic for grade in case.judged_grades for subtopic in relevant_for(grade, rel)}


def novelty(grades, rel, alpha, discount):
    seen, total = dict.fromkeys(range(3), 0), 0.0
    for rank, grade in enumerate(grades, 1):
        for subtopic in relevant_for(grade, rel):
            total += (1 - alpha) ** seen[subtopic] / discount(rank)
            seen[subtopic] += 1
    return total


def greedy_order(case, rel, alpha, cutoff):
    left, best = list(case.judged_grades), []
    while left and len(best) < (cutoff or math.inf):
        best.append(max(left, key=lambda grade: novelty([*best, grade], rel, alpha, lambda _: 1.0)))
        left.remove(best[-1])
    return best


def divided_by_greedy(discount):
    def value(case, alpha, rel, cutoff=None, beta=None):
        used = (lambda rank: divided_by(beta ** (rank - 1))) if beta is not None else discount
        return ratio(
            *(
                novelty(grades, rel, alpha, used)
                for grades in (case.ranked[:cutoff], greedy_order(case, rel, alpha, cutoff))
            )
        )

    return value


def divided_by(weight):
    return 1 / weight if weight else math.inf


def alpha_dcg(case, alpha, rel, norm, cutoff):
    gained = novelty(case.ranked[:cutoff], rel, alpha, lambda rank: math.log2(rank + 1))
    ideal = sum((1 - alpha) ** (rank - 1) / math.log2(rank + 1) for rank in range(1, cutoff + 1))
    return gained if norm == "none" else ratio(gained, ideal * len(list_subtopics(case, rel)))


def novelty_rank_biased(case, alpha, beta, rel):
    gained = novelty(case.ranked, rel, alpha, lambda rank: divided_by(beta ** (rank - 1)))
    return (1 - (1 - alpha) * beta) * ratio(gained, len(list_subtopics(case, rel)))


def intent_aware_ap(case, rel, cutoff):
    total = 0.0
    for subtopic in list_subtopics(case, rel):
        ranks = [
            rank
            for rank, grade in enumerate(top(case, cutoff), 1)
            if subtopic in relevant_for(grade, rel)
        ]
        wanted = sum(subtopic in relevant_for(grade, rel) for grade in case.judged_grades)
        total += sum(nth / rank for nth, rank in enumerate(ranks, 1)) / wanted
    return ratio(total, len(list_subtopics(case, rel)))


def d_ndcg(case, gain, cutoff):
    def worth(grade):
        # A document of grade 0 is judged for one subtopic, with 0.
        gains = {0: 0} if grade == 0 else SUBTOPICS.get(grade, {})
        return sum(gain_of(each, gain) for each in gains.values())

    ideal = sorted((worth(grade) for grade in case.judged_grades), reverse=True)[:cutoff]
    gains = [worth(grade) for grade in case.ranked[:cutoff]]
    return ratio(
        *(
            sum(each / math.log2(rank + 1) for rank, each in enumerate(gained, 1))
            for gained in (gains, ideal)
        )
    )


# Total-recall searches


def work(case, rel, rule, universe, recall):
    """Return the rank at which recall is reached (None if never) and N."""
    wanted = relevant(case.judged_grades, rel)
    needed = (
        round(recall * wanted)
        if rule == "rounded"
        else math.ceil(Fraction(recall).limit_denominator(10**9) * wanted)
    )
    ranks = [rank for rank, grade in enumerate(case.ranked, 1) if relevant([grade], rel)]
    reached = None if not wanted or needed > len(ranks) else ranks[needed - 1] if needed else 0
    return reached, universe_of(case, universe)


def universe_of(case, universe):
    return {None: max(len(case.judged_grades), len(case.ranked)), "collection": 50}.get(
        universe, universe
    )


def work_saved(case, rel, rule, universe, recall):
    reached, documents = work(case, rel, rule, universe, recall)
    return 0 if reached is None else (documents - reached) / documents - (1 - recall)


def effort(case, rel, rule, norm, universe, recall):
    reached, documents = work(case, rel, rule, universe, recall)
    looked = documents if reached is None and relevant(case.judged_grades, rel) else reached or 0
    return looked if norm == "count" else ratio(looked, documents)


def last_relevant(case, rel, norm, universe):
    last = max(
        (rank for rank, grade in enumerate(case.ranked, 1) if relevant([grade], rel)), default=None
    )
    documents = universe_of(case, universe)
    looked = last if last is not None else documents if relevant(case.judged_grades, rel) else 0
    return looked if norm == "count" else ratio(looked, documents)


# With auxiliary files, which describe grades of documents, and are the same for all topics


def nonnegative(grade):
    return max(grade or 0, 0)


def reading(case, l, snippet, share, gain, rel, norm):  # noqa: E741
    position, total = 0.0, 0.0
    for grade in case.ranked:
        position += snippet + share * (1 + 40 * nonnegative(grade)) * relevant([grade], rel)
        total += gain_of(grade, gain) * relevant([grade], rel) * max(0, 1 - position / l)
    return total / norm


def time_biased(case, h, rel):
    clock, total = 0.0, 0.0
    for grade in case.ranked:
        total += 0.64 * 0.77 * 2 ** (-clock / h) * relevant([grade], rel)
        clock += 4.4 + (0.018 * (1 + 40 * nonnegative(grade)) + 7.8) * (
            0.64 if relevant([grade], rel) else 0.39
        )
    return total


def fairness(case, target, discount, base, rel, cutoff):
    got, wanted = [0.0] * 3, [0.0] * 3
    for rank, grade in enumerate(top(case, cutoff), 1):
        below = (
            math.log(rank + 1, base)
            if discount == "log2p1"
            else max(1.0, math.log(max(rank, base), base))
        )
        got[nonnegative(grade) % 3] += (1 + 40 * nonnegative(grade)) / below
    for grade in case.judged_grades:
        wanted[grade % 3] += (1 + 40 * grade) * relevant([grade], rel)
    wanted = wanted if target == "relevant" else [1.0] * 3
    if not sum(got) or not sum(wanted):
        return 0.0
    pairs = [(one / sum(got), other / sum(wanted)) for one, other in zip(got, wanted, strict=True)]
    divergence = (
        sum(
            part * math.log2(part / ((one + other) / 2))
            for one, other in pairs
            for part in (one, other)
            if part
        )
        / 2
    )
    return 1 - math.sqrt(max(0.0, divergence))


def nuggets(_case, of, credit):
    # okay: none; vital: partly; okay: full; vital: none
    partly = 0.5 if credit == "partial" else 0
    return partly / 2 if of == "vital" else (1 + partly) / 4


def intent_aware_err(case, alpha, rel, cutoff):
    ideal = sum((1 - alpha) ** (rank - 1) / rank for rank in range(1, cutoff + 1))
    return ratio(
        novelty(case.ranked[:cutoff], rel, alpha, lambda rank: rank),
        ideal * len(list_subtopics(case, rel)),
    )


def intent_aware_precision(case, rel, cutoff):
    subtopics = list_subtopics(case, rel)
    return ratio(
        sum(
            sum(each in relevant_for(grade, rel) for grade in case.ranked[:cutoff]) / cutoff
            for each in subtopics
        ),
        len(subtopics),
    )


def subtopic_recall(case, rel, cutoff):
    return ratio(
        len({each for grade in case.ranked[:cutoff] for each in relevant_for(grade, rel)}),
        len(list_subtopics(case, rel)),
    )


OPINIONS = {
    "NumQ": lambda case: 1,
    "NumRet": lambda case, cutoff: len(top(case, cutoff)),
    "NumRel": lambda case, rel: relevant(case.judged_grades, rel),
    "NumRelRet": lambda case, rel, cutoff: relevant(top(case, cutoff), rel),
    "NumJudgedRet": lambda case, cutoff: relevant(top(case, cutoff), 0),
    "Judged": judged_share,
    "Unjudged": unjudged_share,
    "SetP": set_precision,
    "SetR": set_recall,
    "SetF": set_f_or_alpha,
    "P": precision,
    "R": set_recall,
    "Success": lambda case, rel, cutoff: float(relevant(case.ranked[:cutoff], rel) > 0),
    "Rprec": r_precision,
    "IPrec": interpolated_precision,
    "Bpref": bpref,
    "AP": average_precision,
    "RR": reciprocal_rank,
    "CG": lambda case, gain, cutoff: sum(gain_of(grade, gain) for grade in top(case, cutoff)),
    "DCG": lambda case, gain, discount, base, cutoff: discounted_gain(
        top(case, cutoff), gain, discount, base
    ),
    "IDCG": idcg,
    "nDCG": ndcg,
    "NumNonrelJudgedRet": lambda case, rel, cutoff: (
        relevant(top(case, cutoff), 0) - relevant(top(case, cutoff), rel)
    ),
    "RelP": relative_precision,
    "SetRelP": set_relative_precision,
    "SetAP": lambda case, rel, cutoff: (
        set_precision(case, rel, cutoff) * set_recall(case, rel, cutoff)
    ),
    "Utility": utility,
    "11ptAP": eleven_points,
    "RprecMult": precision_at_multiple,
    "BinG": binary_g,
    "G": normalised_gain,
    "nDCGrel": ndcg_over_relevant,
    "RnDCG": ndcg_over_levels,
    "RBP": rank_biased,
    "RBPResid": rank_biased_residual,
    "GMAP": lambda case, rel, eps: max(eps, average_precision(case, rel, "relevant", None)),
    "GMBpref": lambda case, rel, eps: max(eps, bpref(case, rel)),
    "YAAP": yaap,
    "infAP": inferred_average_precision,
    "TP": lambda case, rel, cutoff: cells(case, rel, None, cutoff)[0],
    "FP": lambda case, rel, universe, cutoff: cells(case, rel, universe, cutoff)[1],
    "FN": lambda case, rel, cutoff: cells(case, rel, None, cutoff)[2],
    "TN": lambda case, rel, universe, cutoff: cells(case, rel, universe, cutoff)[3],
    "ACC": share((0, 3), (0, 1, 2, 3)),
    "BACC": balanced_accuracy,
    "MCC": correlation,
    "TNR": share((3,), (3, 1)),
    "FPR": share((1,), (3, 1)),
    "NPV": share((3,), (3, 2)),
    "FOR": share((2,), (3, 2)),
    "FDR": share((1,), (0, 1)),
    "FNR": share((2,), (0, 2)),
    "SetE": lambda case, rel, beta, alpha, cutoff: (
        1 - set_f_or_alpha(case, rel, beta, alpha, cutoff)
    ),
    "SetMeanPR": lambda case, rel, cutoff: (
        (set_precision(case, rel, cutoff) + set_recall(case, rel, cutoff)) / 2
    ),
    "F": f_at_rank,
    "E": lambda case, rel, beta, alpha, cutoff: 1 - f_at_rank(case, rel, beta, alpha, cutoff),
    "BEP": break_even,
    "APmin": lowest_average_precision,
    "NCG": ncg,
    "ERR": lambda case, highest, cutoff: reciprocal_expected(top(case, cutoff), highest),
    "nERR": lambda case, highest, cutoff: ratio(
        reciprocal_expected(top(case, cutoff), highest),
        reciprocal_expected(case.judged_grades[:cutoff], highest),
    ),
    "Q": q_measure,
    "INSQ": of_a_user(lambda rank, t, *_: square(rank + 2 * t)),
    "INST": of_a_user(lambda rank, t, gained, _: square(rank + 2 * t - gained)),
    "BPM": of_a_user(lambda rank, t, gained, k: float(gained < t - 1e-9 and rank < k)),
    "alpha-nDCG": divided_by_greedy(lambda rank: math.log2(rank + 1)),
    "nERR-IA": divided_by_greedy(lambda rank: rank),
    "nNRBP": divided_by_greedy(None),
    "alpha-DCG": alpha_dcg,
    "NRBP": novelty_rank_biased,
    "MAP-IA": intent_aware_ap,
    "D-nDCG": d_ndcg,
    "D#-nDCG": lambda case, gamma, gain, rel, cutoff: (
        gamma * subtopic_recall(case, rel, cutoff) + (1 - gamma) * d_ndcg(case, gain, cutoff)
    ),
    "WSS": work_saved,
    "Effort": effort,
    "LastRel": last_relevant,
    "U": reading,
    "TBG": time_biased,
    "sDCG": lambda case, b, bq, gain, discount, cutoff: discounted_gain(
        top(case, cutoff), gain, discount, b
    ),
    "AWRF": fairness,
    "NuggetRecall": nuggets,
    # Of two sentences one cites a document without support, one a partly supporting one; the third
    # cites nothing. Three citations.
    "CitationPrecision": lambda case, partial: partial / 3,
    "CitationRecall": lambda case, partial: partial / 3,
    "ERR-IA": intent_aware_err,
    "P-IA": intent_aware_precision,
    "StRecall": subtopic_recall,
}


def test_every_measure_has_a_slow_implementation():
    assert [each.name for each in list_measures() if each.name not in OPINIONS] == []


@pytest.mark.parametrize("declaration", list_measures(), ids=lambda each: each.name)
def test_the_measure_agrees_with_its_definition(declaration, examples, build, variants):
    measures = variants(declaration)
    parts = 1 + len(measures) // 10  # each example tries one part of many variants
    for turn, cases in examples:
        for measure in measures[turn % parts :: parts]:
            expected = [OPINIONS[declaration.name](case, **measure.settings) for case in cases]
            assert measure.compute(build(cases)).tolist() == pytest.approx(
                expected, rel=0, abs=1e-12
            ), f"{measure} for {cases}"
