"""recmeter's own definitions, computed again: with a package where one has them, else from the formulas of docs/semantics.md
(sections 5, 6 and 8), in plain Python.

A list's value is None where the mean leaves the list out, or where the metric is null.
"""

import collections
import dataclasses
import functools
import math
import warnings

import numpy as np
import scipy.stats
from lists import Series
from sklearn import metrics

FLOOR = 1e-5
SCALE = (1.0, 5.0)
EXTREMES = (2.0, 4.0)
REVERSAL = 3.0
HALF_LIFE = 5.0
DEFAULT_VOTE = 3.0
LIKED = 4.0


def hits(one, k):
    return sum(grade > 0 for grade in one.grades[:k])


def quotient(a, b):
    return a / b if b else 0.0


def reciprocal_rank(one, k):
    return next((1 / rank for rank, grade in enumerate(one.grades[:k], 1) if grade > 0), 0.0)


def precision_sum(one, k):
    return sum(hits(one, rank) / rank for rank, grade in enumerate(one.grades[:k], 1) if grade > 0)


DISCOUNTS = {
    "log2": lambda rank: math.log2(rank + 1),
    "log2_max2": lambda rank: max(1.0, math.log2(rank)),
    "rank": lambda rank: rank,
    "none": lambda rank: 1,
}


def dcg(grades, gain=lambda grade: grade, discount="log2"):
    return sum(gain(grade) / DISCOUNTS[discount](rank) for rank, grade in enumerate(grades, 1))


def ndcg(one, relevant, k, gain=lambda grade: grade, ideal_ranks=None, discount="log2"):
    best = sorted(relevant.values(), reverse=True)[: k if ideal_ranks is None else ideal_ranks]
    return quotient(dcg(one.grades[:k], gain, discount), dcg(best, gain, discount))


def f_measure(one, k, beta):
    p, r = hits(one, k) / k, quotient(hits(one, k), len(one.relevant))
    return quotient((1 + beta**2) * p * r, beta**2 * p + r)


def expected_reciprocal_rank(one, k, largest=5):
    total, goes_on = 0.0, 1.0
    for rank, grade in enumerate(one.grades[:k], 1):
        satisfied = (2**grade - 1) / 2**largest
        total += goes_on * satisfied / rank
        goes_on *= 1 - satisfied
    return total


def half_life(one, k, alpha=5):
    def weight(rank):
        return 2 ** (-(rank - 1) / (alpha - 1))

    reached = sum(weight(rank) for rank, grade in enumerate(one.grades[:k], 1) if grade > 0)
    return quotient(reached, sum(weight(rank) for rank in range(1, min(len(one.shown), k) + 1)))


def interpolated(one, k, level, levels):
    """The largest precision at a rank whose recall reaches level / levels."""
    points = [(hits(one, rank), hits(one, rank) / rank) for rank in range(1, min(k, len(one.grades)) + 1)]
    return max((p for h, p in points if levels * h >= level * len(one.relevant)), default=0.0) if one.relevant else 0.0


def eleven_points(one, k):
    """At recall 0, 0.1, ... 1."""
    return sum(interpolated(one, k, level, 10) for level in range(11)) / 11


PLAIN = {
    "precision": lambda one, k: hits(one, k) / k,
    "hit_rate": lambda one, k: float(hits(one, k) > 0),
    "mrr": reciprocal_rank,
    "rbp": lambda one, k: 0.2 * sum(0.8 ** (rank - 1) for rank, g in enumerate(one.grades[:k], 1) if g > 0),
    "err": expected_reciprocal_rank,
    "half_life": half_life,
    "ap_11": eleven_points,
    "ap_11_level_0": lambda one, k: interpolated(one, k, 0, 1000),
    "ap_11_level_333": lambda one, k: interpolated(one, k, 333, 1000),
    "ap_11_level_1000": lambda one, k: interpolated(one, k, 1000, 1000),
    "map_list": lambda one, k: quotient(precision_sum(one, k), min(len(one.shown), k)),
    "map_user": lambda one, k: quotient(precision_sum(one, k), min(len(one.relevant), k)),
    "ndcg_list": lambda one, k: ndcg(one, one.shown, k),
    "ndcg_user": lambda one, k: ndcg(one, one.relevant, k),
    "ndcg_exp2": lambda one, k: ndcg(one, one.relevant, k, gain=lambda grade: 2**grade - 1),
    "ndcg_shown": lambda one, k: ndcg(one, one.relevant, k, ideal_ranks=min(k, len(one.items))),
    "ndcg_whole": lambda one, k: ndcg(one, one.relevant, k, ideal_ranks=len(one.relevant)),
    "dcg": lambda one, k: dcg(one.grades[:k]),
    "dcg_log2_max2": lambda one, k: dcg(one.grades[:k], discount="log2_max2"),
    "dcg_rank": lambda one, k: dcg(one.grades[:k], discount="rank"),
    "dcg_none": lambda one, k: dcg(one.grades[:k], discount="none"),
    "ndcg_log2_max2": lambda one, k: ndcg(one, one.relevant, k, discount="log2_max2"),
    "ndcg_rank": lambda one, k: ndcg(one, one.relevant, k, discount="rank"),
    "ndcg_none": lambda one, k: ndcg(one, one.relevant, k, discount="none"),
    "recall": lambda one, k: quotient(hits(one, k), len(one.relevant)),
    "recall_min": lambda one, k: quotient(hits(one, k), min(len(one.relevant), k)),
    "f1": lambda one, k: f_measure(one, k, 1),
    "fbeta": lambda one, k: f_measure(one, k, 2),
}


def shown_items(one, k):
    """Distinct items of the first k ranks: an item that is there again is no item of the universe."""
    return [item for item, first in zip(one.items[:k], one.distinct) if first]


@functools.cache
def mcc(tp, fp, fn, tn):
    truth = [1] * tp + [0] * fp + [1] * fn + [0] * tn
    called = [1] * (tp + fp) + [0] * (fn + tn)
    return float(metrics.matthews_corrcoef(truth, called))


def confusion_metrics(lists, catalog, k):
    """Of every item of the catalogue: is it relevant, is it among the first k? By scikit-learn, a column a list."""
    truth = np.zeros((catalog, len(lists)), dtype=bool)
    called = np.zeros_like(truth)
    for i, one in enumerate(lists):
        truth[list(one.relevant), i] = True
        called[shown_items(one, k), i] = True
    options = {"average": None, "zero_division": 0}
    recall = metrics.recall_score(truth, called, **options)
    inverse_recall = metrics.recall_score(~truth, ~called, **options)
    precision = metrics.precision_score(truth, called, **options)
    inverse_precision = metrics.precision_score(~truth, ~called, **options)
    both = truth.any(axis=0) & ~truth.all(axis=0)  # the evidence of informedness
    split = called.any(axis=0) & ~called.all(axis=0)  # of markedness
    counts = [(a & b).sum(axis=0).tolist() for a in (truth, ~truth) for b in (called, ~called)]
    return {
        "fallout": np.where(truth.all(axis=0), 0, 1 - inverse_recall),
        "miss_rate": np.where(truth.any(axis=0), 1 - recall, 0),
        "inverse_precision": inverse_precision,
        "inverse_recall": inverse_recall,
        "informedness": np.where(both, recall + inverse_recall - 1, 0),
        "markedness": np.where(split, precision + inverse_precision - 1, 0),
        "mcc": [mcc(tp, fp, fn, tn) for tp, fn, fp, tn in zip(*counts)],
    }


@functools.cache
def area(shown, relevant, catalog):
    """scikit-learn's, with all items that are not shown tied behind those that are. `shown`: by rank, whether relevant."""
    if relevant in (0, catalog):
        return None
    missed = relevant - sum(shown)
    truth = [*shown, *[True] * missed, *[False] * (catalog - len(shown) - missed)]
    scores = [-rank for rank in range(len(shown))] + [-1000] * (catalog - len(shown))
    return float(metrics.roc_auc_score(truth, scores))


def areas(lists, catalog, k):
    return [
        area(tuple(item in one.relevant for item in shown_items(one, k)), len(one.relevant), catalog) for one in lists
    ]


def alone(lists):
    """The lists where there is nothing but their own items."""
    return [dataclasses.replace(one, missed={}) for one in lists]


def at_r(one, value):
    return value(one, len(one.relevant)) if one.relevant else 0.0


# Cut at R, the user's relevant items.
AT_R = {
    "r_precision": lambda one, r: hits(one, r) / r,
    "ndcg_at_r": lambda one, r: ndcg(one, one.relevant, r),
    "map_at_r": lambda one, r: precision_sum(one, r) / r,
}


def own_items(one):
    return sum(one.distinct)


def of_list_alone(one, k):
    """What confusion_metrics has, of one list whose own items are the universe."""
    shown = [grade > 0 for grade, first in zip(one.grades[:k], one.distinct) if first]
    tp, fp = sum(shown), len(shown) - sum(shown)
    fn = len(one.relevant) - tp
    tn = own_items(one) - tp - fp - fn
    recall, inverse_recall = quotient(tp, tp + fn), quotient(tn, fp + tn)
    precision, inverse_precision = quotient(tp, tp + fp), quotient(tn, fn + tn)
    return {
        "fallout": quotient(fp, fp + tn),
        "miss_rate": quotient(fn, tp + fn),
        "inverse_precision": inverse_precision,
        "informedness": recall + inverse_recall - 1 if (tp + fn) * (fp + tn) else 0.0,
        "markedness": precision + inverse_precision - 1 if (tp + fp) * (fn + tn) else 0.0,
    }


def area_of_list_alone(one, k):
    """scikit-learn's over the list's own items, those below k tied."""
    if len(one.relevant) in (0, own_items(one)):
        return None
    firsts = [(rank, grade > 0) for rank, (grade, first) in enumerate(zip(one.grades, one.distinct)) if first]
    scores = [-rank if k is None or rank < k else -1000 for rank, _ in firsts]
    return float(metrics.roc_auc_score([hit for _, hit in firsts], scores))


def croc_area(lists, catalog, k):
    """The line through the shares of all items at ranks 1 .. k, by scikit-learn."""
    relevant = sum(len(one.relevant) for one in lists)
    irrelevant = catalog * len(lists) - relevant
    if 0 in (relevant, irrelevant):
        return None
    points = [(0.0, 0.0)]
    for rank in range(1, k + 1):
        shown = [item in one.relevant for one in lists for item in shown_items(one, rank)]
        points.append(((len(shown) - sum(shown)) / irrelevant, sum(shown) / relevant))
    return float(metrics.auc(*zip(*points, (1.0, 1.0))))


def pairs(one):
    """(score, rating)"""
    return [(rating[1], rating[0]) for rating in one.ratings if rating is not None]


def correlation(test, couples):
    if len({p for p, _ in couples}) < 2 or len({r for _, r in couples}) < 2:
        return None
    return float(test(*zip(*couples)).statistic)


def ndpm(couples):
    preferences = contradicted = tied = 0
    for i, (p, r) in enumerate(couples):
        for q, s in couples[:i]:
            preferences += r != s
            contradicted += (p - q) * (r - s) < 0
            tied += r != s and p == q
    return (2 * contradicted + tied) / (2 * preferences) if preferences else None


OF_RATED_LISTS = {
    "spearman": lambda couples: correlation(scipy.stats.spearmanr, couples),
    "kendall_tau_b": lambda couples: correlation(scipy.stats.kendalltau, couples),
    "ndpm": ndpm,
}


def of_pairs(function):
    def pooled(group, _k):
        couples = np.array([pair for one in group for pair in pairs(one)]).reshape(-1, 2)
        return function(couples[:, 0], couples[:, 1]) if len(couples) else None

    return pooled


def extremes(p, r):
    far = (r < EXTREMES[0]) | (r > EXTREMES[1])
    return float(np.abs(p - r)[far].mean()) if far.any() else None


def pearson(p, r):
    return float(scipy.stats.pearsonr(p, r).statistic) if len(set(p)) > 1 and len(set(r)) > 1 else None


def rated_auc(p, r):
    liked = r >= LIKED
    return float(metrics.roc_auc_score(liked, p)) if liked.any() and not liked.all() else None


def rated_auc_in_bins(p, r):
    scaled = np.floor((p - SCALE[0]) * 1024 / (SCALE[1] - SCALE[0]))
    return rated_auc(np.clip(scaled, 0, 1023), r)


def half_life_utility(group, _k):
    def utility(ratings_by_rank):
        return sum(
            max(rating - DEFAULT_VOTE, 0) / 2 ** ((rank - 1) / (HALF_LIFE - 1)) for rank, rating in ratings_by_rank
        )

    reached = ideal = 0.0
    for one in group:
        ratings = [(rank, rating[0]) for rank, rating in enumerate(one.ratings, 1) if rating is not None]
        reached += utility(ratings)
        ideal += utility(enumerate(sorted((rating for _, rating in ratings), reverse=True), 1))
    return 100 * reached / ideal if ideal else None


def error_rate(group, k):
    judged = wrong = 0
    for one in group:
        for grade, rating in list(zip(one.grades, one.ratings))[:k]:
            if rating is not None or grade > 0:
                judged += 1
                wrong += rating is not None and rating[0] < LIKED
    return wrong / judged if judged else None


def prediction_coverage(group, _k):
    judged = sum(rating is not None or grade > 0 for one in group for grade, rating in zip(one.grades, one.ratings))
    return sum(rating is not None for one in group for rating in one.ratings) / judged if judged else None


def mean_of_maps(scaled, unscaled, floor=FLOOR):
    def mean(group, k):
        return unscaled(math.fsum(scaled(max(PLAIN["map_list"](one, k), floor)) for one in group) / len(group))

    return mean


# Of a group of lists together.
POOLED = {
    "gmap": mean_of_maps(math.log, math.exp),
    "hmap": mean_of_maps(lambda value: 1 / value, lambda mean: 1 / mean),
    "qmap": mean_of_maps(lambda value: value**2, math.sqrt, floor=0),
    "error_rate": error_rate,
    "mae": of_pairs(lambda p, r: float(np.abs(p - r).mean())),
    "mse": of_pairs(lambda p, r: float(np.square(p - r).mean())),
    "rmse": of_pairs(lambda p, r: float(np.sqrt(np.square(p - r).mean()))),
    "nmae": of_pairs(lambda p, r: float(np.abs(p - r).mean() / (SCALE[1] - SCALE[0]))),
    "mae_extremes": of_pairs(extremes),
    "reversals": of_pairs(lambda p, r: float(np.mean(np.abs(p - r) >= REVERSAL))),
    "pearson": of_pairs(pearson),
    "half_life_utility": half_life_utility,
    "rated_auc": of_pairs(rated_auc_in_bins),
    "prediction_coverage": prediction_coverage,
}
# With `unit: list`: the mean of each list's own value.
OF_EACH_LIST = {"mae": POOLED["mae"], "rmse": POOLED["rmse"], "pearson": POOLED["pearson"], "rated_auc": of_pairs(rated_auc)}
WITH_CUTOFF = {"gmap", "hmap", "qmap", "error_rate"}
# Of one list alone the rounding to 2^-32 inside a root or a percentage is larger than 1e-9.
TOLERANCE = {"qmap": 1e-8, "half_life_utility": 1e-7}


def exposure(lists, catalog, k):
    """Of all lists together: what they show in their first k ranks."""
    counts = collections.Counter(item for one in lists for item in shown_items(one, k))
    shown = np.array(list(counts.values()), dtype=float)
    sorted_counts = np.sort(np.concatenate([shown, np.zeros(catalog - len(shown))]))
    ranks = np.arange(1, catalog + 1)
    total = int(shown.sum())
    return {
        "distinct_items": float(len(shown)),
        "catalog_coverage": len(shown) / catalog,
        "gini": float(((2 * ranks - catalog - 1) * sorted_counts).sum() / (catalog * total)),
        "entropy": float(scipy.stats.entropy(shown, base=2)),
        "rarefied_items": float(sum(1 - scipy.stats.hypergeom.pmf(0, total, int(x), 1000) for x in shown))
        if total >= 1000
        else None,
    }


def averages_at_hits(lists, at_ranks, k, name):
    """Of a confusion metric at the ranks of hits, over how many hits k ranks can hold."""
    sums = np.zeros(len(lists))
    for rank in range(1, k + 1):
        is_hit = [rank <= len(one.grades) and one.grades[rank - 1] > 0 for one in lists]
        sums += np.where(is_hit, np.asarray(at_ranks[rank][name]), 0)
    return [quotient(float(total), min(k, len(one.relevant))) for total, one in zip(sums, lists)]


def own(lists, cutoffs, catalog):
    """{key: Series}, and the values of all lists together where they are no mean: {key: value}."""
    out, whole = {}, {}
    at_ranks = {rank: confusion_metrics(lists, catalog, rank) for rank in range(1, max(cutoffs) + 1)}
    own_lists = alone(lists)
    for name, value in AT_R.items():
        out[f"own.{name}@R"] = Series([at_r(one, value) for one in lists])
    out["own.auc_of_list"] = Series([area_of_list_alone(one, None) for one in own_lists])
    for k in cutoffs:
        for name in ("recall", "f1", "ap_11"):
            out[f"own.{name}_of_list@{k}"] = Series([PLAIN[name](one, k) for one in own_lists])
        counts = [of_list_alone(one, k) for one in own_lists]
        for name in counts[0]:
            out[f"own.{name}_of_list@{k}"] = Series([values[name] for values in counts])
        out[f"own.lauc_of_list@{k}"] = Series([area_of_list_alone(one, k) for one in own_lists])
        for name in ("informedness", "markedness"):
            out[f"own.average_{name}@{k}"] = Series(averages_at_hits(lists, at_ranks, k, name))
        out |= {f"own.{name}@{k}": Series([value(one, k) for one in lists]) for name, value in PLAIN.items()}
        for name, values in at_ranks[k].items():
            out[f"own.{name}@{k}"] = Series([float(value) for value in values])
        area = areas(lists, catalog, k)
        out[f"own.lauc@{k}"] = Series(area)
        out[f"own.kendall_boolean@{k}"] = Series([None if a is None else 2 * a - 1 for a in area])
        out[f"own.croc_auc@{k}"] = Series([croc_area([one], catalog, k) for one in lists])
        whole[f"own.croc_auc@{k}"] = croc_area(lists, catalog, k)
        whole |= {f"own.{name}@{k}": value for name, value in exposure(lists, catalog, k).items()}
    whole_areas = areas(lists, catalog, None)
    out["own.auc"] = Series(whole_areas)
    out["own.ranking_loss"] = Series([None if a is None else 1 - a for a in whole_areas])
    couples = [pairs(one) for one in lists]
    for name, value in OF_RATED_LISTS.items():
        out[f"own.{name}"] = Series([value(each) for each in couples])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of correlations that are exactly 1
        for name, value in OF_EACH_LIST.items():
            out[f"own.{name}/list"] = Series([value([one], None) for one in lists])
        for name, value in POOLED.items():
            for k in cutoffs if name in WITH_CUTOFF else [None]:
                key = f"own.{name}" if k is None else f"own.{name}@{k}"
                out[key] = Series([value([one], k) for one in lists], tolerance=TOLERANCE.get(name, 1e-9))
                whole[key] = value(lists, k)
    return out, whole
