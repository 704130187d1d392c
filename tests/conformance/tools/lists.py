"""The lists that recmeter_chance made, in the forms that tools take."""

import dataclasses

SKIPPED = "skipped"  # in the place of a value: the tool cannot be given this list


@dataclasses.dataclass
class List:
    items: list  # by rank; an item that occurs again is given as another one, which nobody acted on
    grades: list  # by rank
    ratings: list  # by rank: None or (rating, score)
    missed: dict  # item -> grade
    distinct: list  # by rank: not shown at an earlier one

    @property
    def shown(self):
        """Relevant items of the list."""
        return {item: grade for item, grade in zip(self.items, self.grades) if grade > 0}

    @property
    def relevant(self):
        """Relevant items of the user."""
        return {**self.shown, **self.missed}


def read_list(entry):
    items, distinct = [], []
    for rank, item in enumerate(entry["items"], 1):
        distinct.append(item not in entry["items"][: rank - 1])
        items.append(item if distinct[-1] else 1000 + rank)
    return List(items, entry["grades"], entry["ratings"], dict(map(tuple, entry["missed"])), distinct)


@dataclasses.dataclass
class Series:
    """What a tool makes of the lists under one name.

    values: of each list a number, None where the tool leaves it out of its mean, SKIPPED, or, beyond the first lists, the
    string UNSEEN where the tool was asked for a mean alone.
    total: the sum of all that are neither None nor SKIPPED, where not all were seen.
    """

    values: list
    total: float | None = None
    tolerance: float = 1e-9

    def sum(self):
        return self.total if self.total is not None else sum(v for v in self.values if is_number(v))


UNSEEN = "unseen"


def is_number(value):
    return value is not None and not isinstance(value, str)
