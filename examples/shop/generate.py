"""Makes shown.csv and actions.csv, the log of the tutorial: six hours of a shop with two rankers."""

import datetime
import random

random.seed(11)
start = datetime.datetime(2026, 3, 2, 9, 0, 0)
visitors = [f"v{n:03}" for n in range(320)]
busy = [1 / (n + 1) ** 0.8 for n in range(len(visitors))]  # a few come back again and again
tastes = {v: random.gauss(0, 0.9) for v in visitors}
favourites = {v: random.sample(range(120), 12) for v in visitors}
ranker_of = {v: random.choice(["old", "new"]) for v in visitors}


def text(seconds):
    return (start + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


shown, actions = [], []
for number in range(1500):
    visitor = random.choices(visitors, busy)[0]
    at = random.uniform(0, 6 * 3600)
    good = random.sample(favourites[visitor], 2)
    rest = random.sample([p for p in range(120) if p not in good], 3)
    is_first = ranker_of[visitor] == "new" or random.random() < 0.55
    items = good + rest if is_first else rest[:2] + good + rest[2:]
    shown.append((at, visitor, f"s{number:04}", items))
    for rank, item in enumerate(items):
        like = 0.22 if item in favourites[visitor] else 0.03
        if random.random() < like * 2.718 ** (0.6 * tastes[visitor]) * 0.85**rank:
            clicked = at + random.expovariate(1 / 240)
            actions.append((clicked, visitor, "click", item, ""))
            if random.random() < 0.25:  # looks at it once more
                actions.append((clicked + random.uniform(2, 60), visitor, "click", item, ""))
            if random.random() < 0.12:
                ordered = clicked + random.expovariate(1 / 1500)
                actions.append((ordered, visitor, "order", item, f"{random.uniform(5, 80):.2f}"))

with open("shown.csv", "w") as out:
    out.write("shown_at,visitor,search,products,ranker\n")
    for at, visitor, search, items in sorted(shown):
        products = "|".join(f"p{i:03}" for i in items)
        out.write(f"{text(at)},{visitor},{search},{products},{ranker_of[visitor]}\n")
with open("actions.csv", "w") as out:
    out.write("at,visitor,action,product,amount\n")
    for at, visitor, action, item, amount in sorted(actions):
        out.write(f"{text(at)},{visitor},{action},p{item:03},{amount}\n")
