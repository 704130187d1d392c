"""Which metrics order recommenders alike: rank correlations, and classes of metrics by them."""

import math

ALIKE = 0.8  # mean rank correlation from which two groups of metrics become one class


def ranks(values):
    """From 1; equal values share their average rank."""
    order = sorted(range(len(values)), key=values.__getitem__)
    out = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            out[place] = (first + last) / 2 + 1
        first = last + 1
    return out


def correlation(a, b):
    """Pearson's; None without variance."""
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    aa = math.fsum((x - mean_a) ** 2 for x in a)
    bb = math.fsum((y - mean_b) ** 2 for y in b)
    ab = math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    return ab / math.sqrt(aa * bb) if aa > 0 and bb > 0 else None


def rank_correlation(a, b):
    """Spearman's, over the places where both have a value; None below three, or where one does not vary."""
    both = [(x, y) for x, y in zip(a, b) if x is not None and y is not None]
    return correlation(ranks([x for x, _ in both]), ranks([y for _, y in both])) if len(both) > 2 else None


def correlations(columns):
    """Of each with each; columns are such that more is better."""
    names = list(columns)
    out = {(name, name): 1.0 for name in names}
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            out[one, other] = out[other, one] = rank_correlation(columns[one], columns[other])
    return out


def mean_between(table, group, other):
    """Over the pairs of a member of each that have one; within a group over its pairs. None without any."""
    pairs = [table[a, b] for a in group for b in other if a != b]
    known = [value for value in pairs if value is not None]
    return math.fsum(known) / len(known) if known else None


def merges(names, table):
    """Average linkage: (mean correlation, one group, the other), the most alike first; groups are tuples of names."""
    groups, steps = [(name,) for name in names], []
    while len(groups) > 1:
        best = max(
            ((mean_between(table, a, b), i, j) for i, a in enumerate(groups) for j, b in enumerate(groups) if i < j),
            key=lambda one: (-2 if one[0] is None else one[0], -one[1], -one[2]),
        )
        alike, i, j = best
        steps.append((alike, groups[i], groups[j]))
        groups = groups[:i] + [groups[i] + groups[j]] + groups[i + 1 : j] + groups[j + 1 :]
    return steps


def classes(names, steps):
    """The groups that are left when only those that are ALIKE have become one."""
    groups = [(name,) for name in names]
    for alike, one, other in steps:
        if alike is not None and alike >= ALIKE and one in groups and other in groups:
            groups[groups.index(one)] = one + other
            groups.remove(other)
    return groups


def middle(group, table):
    """The member most like the others."""
    return max(group, key=lambda name: -2 if (mean := mean_between(table, [name], group)) is None else mean)


def farthest(group, table, name):
    """The member least like `name`."""
    others = [other for other in group if other != name]
    return min(others, key=lambda other: 2 if table[name, other] is None else table[name, other])
