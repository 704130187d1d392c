"""Ratings from a file or made up, and the log in which recmeter sees ten of each user's as one later moment."""

import json
import random

WITHHELD = 10  # ratings of each user
LIKED = 4  # this rating or a higher one says that the user likes the item
SCALE = (1, 5)

_MASK = 2**64 - 1
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c"
)


class Fault(Exception):
    """What is wrong, where, and what to do about it."""


def _word(data, at=0, size=8):
    return int.from_bytes(data[at : at + size], "little")


def _swapped(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def _rotated(value, by):
    return (value << by | value >> (64 - by)) & _MASK


def xxh3(data, seed):
    """XXH3-64 of 1 to 16 bytes: the hash by which recmeter breaks ties, so that other programs can withhold the same."""
    size = len(data)
    if not 1 <= size <= 16:
        raise ValueError(f"{size} bytes: only 1 to 16 can be hashed here")
    if size <= 3:
        mixed = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        value = mixed ^ ((_word(_SECRET, 0, 4) ^ _word(_SECRET, 4, 4)) + seed & _MASK)
        value = (value ^ value >> 33) * 0xC2B2AE3D27D4EB4F & _MASK
        value = (value ^ value >> 29) * 0x165667B19E3779F9 & _MASK
        return value ^ value >> 32
    if size <= 8:
        seed ^= _swapped(seed & 0xFFFFFFFF, 4) << 32
        flip = (_word(_SECRET, 8) ^ _word(_SECRET, 16)) - seed & _MASK
        value = (_word(data, size - 4, 4) + (_word(data, 0, 4) << 32)) ^ flip
        value = (value ^ _rotated(value, 49) ^ _rotated(value, 24)) * 0x9FB21C651E98DF25 & _MASK
        value = (value ^ (value >> 35) + size) * 0x9FB21C651E98DF25 & _MASK
        return value ^ value >> 28
    low = _word(data) ^ ((_word(_SECRET, 24) ^ _word(_SECRET, 32)) + seed & _MASK)
    high = _word(data, size - 8) ^ ((_word(_SECRET, 40) ^ _word(_SECRET, 48)) - seed & _MASK)
    product = low * high
    value = size + _swapped(low, 8) + high + (product & _MASK ^ product >> 64) & _MASK
    value = (value ^ value >> 37) * 0x165667919E3779F9 & _MASK
    return value ^ value >> 32


def read(path):
    """(user, item, rating, seconds) of each line of MovieLens 100K's u.data."""
    remedy = "Give it u.data of MovieLens 100K: user, item, rating and Unix seconds, separated by tabs"
    ratings, seen = [], {}
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                cells = line.rstrip("\r\n").split("\t")
                if len(cells) != 4:
                    raise Fault(f"{path}:{number}: has {len(cells)} columns, not 4. {remedy}")
                user, item = cells[:2]
                if not user or not item or len(f"{user} {item}".encode()) > 16:
                    raise Fault(f"{path}:{number}: user {user!r} and item {item!r} do not fit in 15 bytes. Number them")
                try:
                    rating, seconds = float(cells[2]), int(cells[3])
                except ValueError:
                    raise Fault(f"{path}:{number}: {cells[2]!r} and {cells[3]!r} are no rating and time. {remedy}") from None
                if not SCALE[0] <= rating <= SCALE[1]:
                    raise Fault(f"{path}:{number}: rating {cells[2]} is not from {SCALE[0]} to {SCALE[1]}. {remedy}")
                if (user, item) in seen:
                    raise Fault(f"{path}:{number}: user {user} rated item {item} in line {seen[user, item]} too. Keep one")
                seen[user, item] = number
                ratings.append((user, item, rating, seconds))
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(f"{path}: cannot be read: {error}. {remedy}") from None
    if not ratings:
        raise Fault(f"{path}: is empty. {remedy}")
    return ratings


def made_up(seed, users=150, items=120, each=45):
    """Ratings of users who like kinds of items, and are generous or not: a stand-in, of which nothing can be learned."""
    chance = random.Random(seed)

    def spread():
        return sum(chance.random() for _ in range(12)) - 6  # about normal

    kinds = 3
    traits = [[spread() for _ in range(kinds)] for _ in range(items)]
    quality = [0.5 * spread() for _ in range(items)]
    ratings = []
    for user in range(users):
        taste = [0.5 * spread() for _ in range(kinds)]
        generous = 3.5 + 0.4 * spread()
        wide = 0.4 + 0.8 * chance.random()
        popular = sorted(range(items), key=lambda item: chance.random() * (item + 10))
        for place, item in enumerate(popular[: each + user % 40 - 20]):
            liked = sum(a * b for a, b in zip(taste, traits[item])) + quality[item] + 0.6 * spread()
            rating = min(max(round(generous + wide * liked), SCALE[0]), SCALE[1])
            ratings.append((str(user + 1), str(item + 1), float(rating), 880_000_000 + 3600 * user + 60 * place))
    return ratings


def divide(ratings, seed):
    """What models learn, and what is withheld: of each user who has more, the ten of the smallest hashes."""
    of_users = {}
    for one in ratings:
        of_users.setdefault(one[0], []).append(one)
    learned, withheld = [], []
    for own in of_users.values():
        own.sort(key=lambda one: (xxh3(f"{one[0]}\0{one[1]}".encode(), seed), one[1]))
        count = WITHHELD if len(own) > WITHHELD else 0
        withheld += own[:count]
        learned += own[count:]
    if not withheld:
        raise Fault(f"no user has more than {WITHHELD} ratings, so none can be withheld. Give a log with more of each user")
    return learned, withheld


def write_log(path, learned, withheld, name_of=str):
    """What is withheld is rated a day after all else, all at once: nothing of it is known when any of it is predicted."""
    later = max(one[3] for one in learned + withheld) + 24 * 3600
    events = [(seconds, name_of(user), item, rating, False) for user, item, rating, seconds in learned]
    events += [(later, name_of(user), item, rating, rating >= LIKED) for user, item, rating, _ in withheld]
    with open(path, "w", encoding="utf-8") as file:
        for seconds, user, item, rating, liked in sorted(events):
            event = {"type": "rating", "ts": seconds * 1000, "user_id": user, "item_id": item, "value": rating}
            file.write(json.dumps(event) + "\n")
            if liked:
                file.write(json.dumps({"type": "like", "ts": seconds * 1000, "user_id": user, "item_id": item}) + "\n")
        # The log goes on a moment, so that rows are final: nobody asks for this one.
        file.write(json.dumps({"type": "like", "ts": (later + 1) * 1000, "user_id": "end", "item_id": "end"}) + "\n")
