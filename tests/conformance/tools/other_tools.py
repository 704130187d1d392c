"""What other tools make of the lists, under the names of recmeter's presets (src/metric/presets.cpp).

Each function computes one preset with the tool itself, and returns {key: Series}, {key: value} for what is of all lists
together, and the tool's version. RecBole, whose
package cannot be had without PyTorch, is computed by its formulas (recbole/evaluator/metrics.py, 1.2.1).
"""

import functools
import importlib.metadata
import warnings

from lists import SKIPPED, UNSEEN, Series


def version_of(package):
    return f"{package} {importlib.metadata.version(package)}"


def persistence(one, p):
    """Rank-biased precision of lists whose grades are 1."""
    if any(grade > 1 for grade in one.relevant.values()):
        return SKIPPED
    return (1 - p) * sum(p**rank for rank, grade in enumerate(one.grades) if grade > 0)


def trec_eval(lists, cutoffs, _catalog):
    import pytrec_eval

    cuts = ",".join(map(str, cutoffs))
    # A run is a file of lines: a list without items is not in it.
    run = {
        str(i): {str(item): float(len(one.items) - rank) for rank, item in enumerate(one.items)}
        for i, one in enumerate(lists)
        if one.items
    }

    def evaluate(names, relevant):
        judged = {
            q: {**{doc: 0 for doc in docs}, **{str(item): int(grade) for item, grade in relevant(lists[int(q)]).items()}}
            for q, docs in run.items()
        }
        return pytrec_eval.RelevanceEvaluator(judged, names).evaluate(run)

    cut = {"P", "recall", "success", "map_cut", "ndcg_cut", "relative_P"}
    whole = {"set_recall", "recip_rank", "map", "ndcg", "set_P", "set_F"}
    of_user = evaluate({f"{name}.{cuts}" for name in cut} | whole | {"Rprec"}, lambda one: one.relevant)
    of_list = evaluate({f"{name}.{cuts}" for name in ("map_cut", "ndcg_cut")}, lambda one: one.shown)

    def series(results, name):
        return Series([results[str(i)][name] if one.items else None for i, one in enumerate(lists)])

    out = {f"trec_eval.{name}": series(of_user, name) for name in whole}
    out["trec_eval.Rprec@R"] = series(of_user, "Rprec")
    for k in cutoffs:
        out |= {f"trec_eval.{name}@{k}": series(of_user, f"{name}_{k}") for name in cut}
        out[f"trec_eval.map_list@{k}"] = series(of_list, f"map_cut_{k}")
        out[f"trec_eval.ndcg_list@{k}"] = series(of_list, f"ndcg_cut_{k}")
    # trec_eval 10 has it, which pytrec_eval has not: by the formula of its m_rbp.c, which scales grades above 1.
    out["trec_eval.rbp"] = Series([persistence(one, 0.9) if one.items else None for one in lists])
    return out, {}, version_of("pytrec-eval-terrier")


def ranx(lists, cutoffs, _catalog):
    import ranx as tool
    from ranx.metrics.interpolated_precision_at_recall import interpolated_precision_at_recall

    def fed(relevant):
        judged, run = {}, {}
        for i, one in enumerate(lists):
            run[f"{i:06}"] = {str(item): float(len(one.items) - rank) for rank, item in enumerate(one.items)}
            grades = {str(item): int(grade) for item, grade in relevant(one).items()}
            judged[f"{i:06}"] = grades or {"nothing": 0}
        return tool.Qrels(judged), tool.Run(run)

    def evaluate(names, relevant):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of types inside numba
            return tool.evaluate(*fed(relevant), names, return_mean=False)

    names = ["precision", "recall", "f1", "hit_rate", "mrr", "map", "ndcg", "ndcg_burges", "dcg", "dcg_burges", "hits"]
    of_user = evaluate([f"{name}@{k}" for name in names for k in cutoffs], lambda one: one.relevant)
    of_list = evaluate([f"{name}@{k}" for name in ("map", "ndcg") for k in cutoffs], lambda one: one.shown)
    out = {f"ranx.{name}": Series(values.tolist()) for name, values in of_user.items()}
    for name, values in of_list.items():
        out["ranx." + name.replace("@", "_list@")] = Series(values.tolist())
    persistent = evaluate(["rbp.8", "r-precision"], lambda one: one.relevant)
    graded = [any(grade > 1 for grade in one.relevant.values()) for one in lists]  # which it adds up
    values = persistent["rbp.8"].tolist()
    out["ranx.rbp"] = Series([SKIPPED if is_graded else value for is_graded, value in zip(graded, values)])
    out["ranx.r-precision@R"] = Series(persistent["r-precision"].tolist())
    # Its array of eleven: precision interpolated at recall 0, 0.1, ... 1.
    judged, run = fed(lambda one: one.relevant)
    interpolated = interpolated_precision_at_recall(judged.to_typed_list(), run.to_typed_list())
    for tenths in range(11):
        # 0.7 * 3 + 0.9 is below 3 in doubles: it asks for a hit too few there.
        exact = [int(tenths / 10 * len(one.relevant) + 0.9) == -(-tenths * len(one.relevant) // 10) for one in lists]
        out[f"ranx.interpolated_precision_at_recall_{tenths}"] = Series(
            [float(row[tenths]) if is_exact else SKIPPED for row, is_exact in zip(interpolated, exact)]
        )
    return out, {}, version_of("ranx")


def sklearn(lists, cutoffs, _catalog):
    import numpy as np
    from sklearn import metrics

    universe = 1100
    truth = np.zeros((universe, len(lists)), dtype=bool)  # a column a list: what sklearn calls a label
    for i, one in enumerate(lists):
        truth[list(one.relevant), i] = True

    out = {}
    for k in cutoffs:
        predicted = np.zeros_like(truth)
        for i, one in enumerate(lists):
            predicted[one.items[:k], i] = True
        options = {"average": None, "zero_division": 0}
        for name, values in {
            "precision_score": metrics.precision_score(truth, predicted, **options),
            "recall_score": metrics.recall_score(truth, predicted, **options),
            "f1_score": metrics.f1_score(truth, predicted, **options),
            "fbeta_score": metrics.fbeta_score(truth, predicted, beta=2, **options),
        }.items():
            out[f"sklearn.{name}@{k}"] = Series(values.tolist())

    def of_ranking(metric):
        @functools.cache
        def value(grades):
            # It takes no list of one item alone: an irrelevant one is put behind each, which changes no value.
            return float(metric([*grades, 0.0], [float(-rank) for rank in range(len(grades) + 1)]))

        return Series([value(tuple(one.grades)) if one.items else SKIPPED for one in lists])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "No positive class found in y_true": it says 0 then
        out["sklearn.average_precision_score"] = of_ranking(
            lambda grades, scores: metrics.average_precision_score([grade > 0 for grade in grades], scores)
        )
    for k in cutoffs:
        out[f"sklearn.dcg_score@{k}"] = of_ranking(lambda grades, scores: metrics.dcg_score([grades], [scores], k=k))
        out[f"sklearn.ndcg_score@{k}"] = of_ranking(lambda grades, scores: metrics.ndcg_score([grades], [scores], k=k))
    # Items of the list itself, each once.
    def of_pairs(metric, without):
        @functools.cache
        def value(hits):
            if len(set(hits)) < 2:
                return without
            return float(metric(hits, [float(-rank) for rank in range(len(hits))]))

        return Series(
            [value(tuple(grade > 0 for grade in one.grades)) if all(one.distinct) else SKIPPED for one in lists]
        )

    out["sklearn.roc_auc_score"] = of_pairs(metrics.roc_auc_score, None)
    out["sklearn.label_ranking_loss"] = of_pairs(lambda hits, scores: metrics.label_ranking_loss([hits], [scores]), 0.0)
    return out, {}, version_of("scikit-learn")


def recbole(lists, cutoffs, catalog):
    import numpy as np

    longest = max(cutoffs)
    users = [i for i, one in enumerate(lists) if one.relevant]
    # Shorter lists, which RecBole never makes, are filled with items that nobody acted on.
    hits = np.array([[float(grade > 0) for grade in (lists[i].grades + [0.0] * longest)[:longest]] for i in users])
    relevant = np.array([len(lists[i].relevant) for i in users])
    ranks = np.arange(1, longest + 1)
    best = np.minimum(relevant, longest)[:, None]
    discount = 1 / np.log2(ranks + 1)
    first = np.where(hits.any(axis=1), hits.argmax(axis=1), longest)[:, None]
    precision = hits.cumsum(axis=1) / ranks
    tables = {
        "hit": (hits.cumsum(axis=1) > 0).astype(float),
        "mrr": np.where(ranks > first, 1 / (first + 1), 0),
        "precision": precision,
        "recall": hits.cumsum(axis=1) / relevant[:, None],
        "map": (precision * hits).cumsum(axis=1) / np.minimum(ranks, best),
        "ndcg": (hits * discount).cumsum(axis=1) / np.where(ranks <= best, discount, 0).cumsum(axis=1),
    }

    def given_items(one, k):
        return [item for item, is_first in zip(one.items[:k], one.distinct) if is_first]

    out = {}
    for name, table in tables.items():
        for k in cutoffs:
            values = [None] * len(lists)
            for row, i in enumerate(users):
                values[i] = float(table[row, k - 1])
            out[f"recbole.{name}@{k}"] = Series(values)
    coverage = {
        f"recbole.itemcoverage@{k}": len(np.unique([item for one in lists for item in given_items(one, k)])) / catalog
        for k in cutoffs
    }
    return out, coverage, "recbole 1.2.1, its formulas"


def rectools(lists, cutoffs, _catalog):
    import pandas as pd
    from rectools import Columns, metrics

    shown = [(i, item, rank) for i, one in enumerate(lists) for rank, item in enumerate(one.items, 1)]
    reco = pd.DataFrame(shown, columns=[Columns.User, Columns.Item, Columns.Rank])
    acted = [(i, item) for i, one in enumerate(lists) for item in one.relevant]
    interactions = pd.DataFrame(acted, columns=[Columns.User, Columns.Item])
    out = {}
    for k in cutoffs:
        for name, metric in {
            "Precision": metrics.Precision(k=k),
            "Recall": metrics.Recall(k=k),
            "F1Beta": metrics.F1Beta(k=k),
            "fbeta": metrics.F1Beta(k=k, beta=2),
            "HitRate": metrics.HitRate(k=k),
            "MRR": metrics.MRR(k=k),
            "MAP": metrics.MAP(k=k),
            "MAP_divide_by_k": metrics.MAP(k=k, divide_by_k=True),
            "NDCG": metrics.NDCG(k=k),
            "NDCG_divide_by_achievable": metrics.NDCG(k=k, divide_by_achievable=True),
        }.items():
            values = metric.calc_per_user(reco, interactions)
            of_user = {user: float(value) for user, value in values.items()}
            out[f"rectools.{name}@{k}"] = Series([of_user.get(i) for i in range(len(lists))])
    return out, {}, version_of("rectools")


def evidently(lists, cutoffs, _catalog, seen=200):
    """Means only, and only of lists of one length that is at least k. The first lists are asked for one by one."""
    import pandas as pd
    from evidently.legacy.calculations.recommender_systems import collect_dataset
    from evidently.legacy.metrics.recsys.hit_rate_k import HitRateKMetric
    from evidently.legacy.metrics.recsys.mrr import MRRKMetric
    from evidently.legacy.metrics.recsys.ndcg_k import NDCGKMetric
    from evidently.legacy.metrics.recsys.precision_recall_k import PrecisionRecallCalculation
    from evidently.legacy.pipeline.column_mapping import RecomType

    names = ["PrecisionTopK", "MAP", "NDCG", "MRR", "HitRate", "RecallTopK"]
    out = {}

    def means(members, k):
        rows = [(i, rank, grade) for i in members for rank, grade in enumerate(lists[i].grades, 1)]
        frame = pd.DataFrame(rows, columns=["users", "preds", "target"])
        binary, graded = (
            collect_dataset(frame.users, frame.target, frame.preds, RecomType.RANK, None, False, bin_data)
            for bin_data in (True, False)
        )
        table = PrecisionRecallCalculation(max_k=k).get_precision_and_recall_dict(binary, k)
        return {
            "PrecisionTopK": table["precision"][k - 1],
            "MAP": table["map"][k - 1],
            "NDCG": NDCGKMetric(k=k).calculate_ndcg(graded, k)[k],
            "MRR": MRRKMetric(k=k).get_values(binary, k)[k],
            "HitRate": HitRateKMetric(k=k).get_values(binary, k).iloc[k - 1],
            "RecallTopK": table["recall"][k - 1],
        }

    for k in cutoffs:
        values = {name: [None if one.items else SKIPPED for one in lists] for name in names}
        totals = dict.fromkeys(names, 0.0)
        groups = {}
        for i, one in enumerate(lists):
            if len(one.items) < k:
                for name in names:
                    values[name][i] = SKIPPED
            elif one.shown:
                groups.setdefault(len(one.items) if i >= seen else (i,), []).append(i)
        for members in groups.values():
            for name, mean in means(members, k).items():
                totals[name] += float(mean) * len(members)
                for i in members:
                    values[name][i] = float(mean) if i < seen else UNSEEN
        out |= {f"evidently.{name}@{k}": Series(values[name], totals[name]) for name in names}
    return out, {}, version_of("evidently")


def torchmetrics(lists, cutoffs, _catalog):
    """In float32: to 1e-6."""
    import torch
    from torchmetrics.functional import retrieval

    functions = {
        "RetrievalPrecision": lambda p, hit, grade, k: retrieval.retrieval_precision(p, hit, top_k=k),
        "RetrievalPrecision_adaptive_k": lambda p, hit, grade, k: retrieval.retrieval_precision(
            p, hit, top_k=k, adaptive_k=True
        ),
        "RetrievalHitRate": lambda p, hit, grade, k: retrieval.retrieval_hit_rate(p, hit, top_k=k),
        "RetrievalMRR": lambda p, hit, grade, k: retrieval.retrieval_reciprocal_rank(p, hit, top_k=k),
        "RetrievalMAP": lambda p, hit, grade, k: retrieval.retrieval_average_precision(p, hit, top_k=k),
        "RetrievalNormalizedDCG": lambda p, hit, grade, k: retrieval.retrieval_normalized_dcg(p, grade, top_k=k),
        "RetrievalRecall": lambda p, hit, grade, k: retrieval.retrieval_recall(p, hit, top_k=k),
    }
    tensors = [
        (
            torch.arange(len(one.items), 0, -1, dtype=torch.float32),
            torch.tensor([grade > 0 for grade in one.grades]),
            torch.tensor([int(grade) for grade in one.grades]),
        )
        if one.items
        else None
        for one in lists
    ]
    out = {}
    for name, function in functions.items():
        for k in cutoffs:
            values = [None if t is None else float(function(*t, k)) for t in tensors]
            out[f"torchmetrics.{name}@{k}"] = Series(values, tolerance=1e-6)

    def of_each_once(function):
        pairs = zip(lists, tensors)
        values = [None if t is None else float(function(*t)) if all(one.distinct) else SKIPPED for one, t in pairs]
        return Series(values, tolerance=1e-6)

    out["torchmetrics.RetrievalRPrecision@R"] = Series(
        [None if t is None else float(retrieval.retrieval_r_precision(*t[:2])) for t in tensors], tolerance=1e-6
    )
    # Scores above 1 go through a sigmoid, where float32 has ties.
    out["torchmetrics.RetrievalAUROC"] = of_each_once(
        lambda p, hit, grade: retrieval.retrieval_auroc(p / (len(p) + 1), hit)
    )
    for k in cutoffs:
        out[f"torchmetrics.RetrievalFallOut@{k}"] = of_each_once(
            lambda p, hit, grade, k=k: retrieval.retrieval_fall_out(p, hit, top_k=k)
        )
    return out, {}, f"{version_of('torchmetrics')}, {version_of('torch')}"


TOOLS = {
    "trec_eval": trec_eval,
    "ranx": ranx,
    "sklearn": sklearn,
    "recbole": recbole,
    "rectools": rectools,
    "evidently": evidently,
    "torchmetrics": torchmetrics,
}
