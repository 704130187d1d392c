"""What came out, as text, as a table of all variants and as one HTML page without anything from elsewhere."""

import html as markup
import math

import classes

LETTERS = "ABCDEFGHIJKL"
MADE_UP = "The ratings were made up: nothing can be learned from these numbers."


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def joined(keys, names):
    """Pearson, Spearman (per user); MAE (overall)."""
    scopes = {}
    for key in sorted(keys, key=list(names).index):
        metric, scope = names[key].split(", ")
        scopes.setdefault(scope, []).append(metric)
    return "; ".join(f"{', '.join(metrics)} ({scope})" for scope, metrics in scopes.items())


def counted(count, word, words):
    return f"{count} {word if count == 1 else words}"


def in_order(found, names):
    """Metrics class by class."""
    return sorted(names, key=lambda key: (class_of(found, key), list(names).index(key)))


def class_of(found, key):
    return next(place for place, group in enumerate(found["classes"]) if key in group)


def best_and_worst(found, signs_of, key):
    """(place, value) of the best and the worst variant; None where none has a value."""
    values = found["values"][key]
    known = [(signs_of[key] * value, at) for at, value in enumerate(values) if value is not None]
    if not known:
        return None
    (_, best), (_, worst) = max(known), min(known)
    return (best, values[best]), (worst, values[worst])


def compared(found, names, paper):
    """How alike the paper's classes are here: a line for each of them and each pair."""
    lines = []
    table = found["all"]["table"]
    for place, group in enumerate(paper):
        here = sorted({LETTERS[class_of(found["all"], key)] for key in group})
        within = number(classes.mean_between(table, group, group))
        lines.append((f"class {place + 1} of the paper: {joined(group, names)}", within, "here in " + ", ".join(here)))
    for one, other in ((0, 1), (0, 2), (1, 2)):
        between = number(classes.mean_between(table, paper[one], paper[other]))
        lines.append((f"between its classes {one + 1} and {other + 1}", between, ""))
    return lines


def text_of_classes(title, grouping, names):
    groups, table = grouping["classes"], grouping["table"]
    lines = [f"{title}: {grouping['variants']} variants, {counted(len(groups), 'class', 'classes')}"]
    for letter, group in zip(LETTERS, groups):
        within = "alone" if len(group) == 1 else f"within {number(classes.mean_between(table, group, group))}"
        lines.append(f"  {letter}: {joined(group, names)}, {within}")
    for at, group in enumerate(groups):
        for beyond in range(at + 1, len(groups)):
            between = number(classes.mean_between(table, group, groups[beyond]))
            lines.append(f"  {LETTERS[at]} and {LETTERS[beyond]}: {between}")
    return lines


def text(found, names, paper):
    """For a terminal."""
    lines = [found["about"] + "."]
    if found["stand_in"]:
        lines.append(MADE_UP)
    lines += ["", f"Mean rank correlations between metrics, over variants; one class from {number(classes.ALIKE)} on", ""]
    lines += text_of_classes("all", found["all"], names)
    for title, grouping in found["others"]:
        lines += ["", *text_of_classes(title, grouping, names)]
    lines += ["", "The paper's classes here"]
    lines += [f"  {value:>5}  {title}{where and ', ' + where}" for title, value, where in compared(found, names, paper)]
    order = in_order(found["all"], names)
    lines += ["", "Rank correlations", " " * 22 + "".join(f"{place:6}" for place in range(1, len(order) + 1))]
    for place, one in enumerate(order, 1):
        cells = "".join(f"{number(found['all']['table'][one, other]):>6}" for other in order)
        lines.append(f"{place:2} {names[one]:19}{cells}")
    return "\n".join(lines) + "\n"


def variants_table(found, names):
    """Tab-separated, a line for each variant."""
    lines = ["\t".join(["variant", *found["options"][0], *names])]
    for at, (name, options) in enumerate(zip(found["rows"], found["options"])):
        values = ["" if found["values"][key][at] is None else repr(found["values"][key][at]) for key in names]
        lines.append("\t".join([name, *map(str, options.values()), *values]))
    return "\n".join(lines) + "\n"


def tree(grouping, names):
    """The classes as a tree: metrics that join further to the left order the variants more alike."""
    left, width, row, top = 140, 178, 19, 22
    known = [alike for alike, _, _ in grouping["steps"] if alike is not None]
    least = math.floor(min([0.0 if len(known) < len(grouping["steps"]) else 0.9, *known]) * 10) / 10

    def across(alike):
        return left + width * (1 - (least if alike is None else min(alike, 1))) / (1 - least)

    _, one, other = grouping["steps"][-1]
    leaves = one + other
    ends = {(key,): (left, top + row * at + row / 2) for at, key in enumerate(leaves)}
    bottom = top + row * len(leaves)
    cut = f"{across(classes.ALIKE):.1f}"
    parts = [f'<line class="cut" x1="{cut}" x2="{cut}" y1="{top - 4}" y2="{bottom}"/>']
    for alike in (1, classes.ALIKE, least):
        parts.append(f'<text x="{across(alike):.1f}" y="12" text-anchor="middle">{alike:g}</text>')
    for key in leaves:
        letter = LETTERS[class_of(grouping, key)]
        y = ends[key,][1] + 4
        parts.append(f'<text x="{left - 6}" y="{y:.1f}" text-anchor="end">{markup.escape(names[key])}</text>')
        parts.append(f'<text class="letter" x="2" y="{y:.1f}">{letter}</text>')
    for alike, one, other in grouping["steps"]:
        (x1, y1), (x2, y2) = ends[one], ends[other]
        x = max(across(alike), x1, x2)
        parts.append(f'<path class="tree" d="M{x1:.1f} {y1:.1f}H{x:.1f}V{y2:.1f}H{x2:.1f}"/>')
        ends[one + other] = (x, (y1 + y2) / 2)
    label = "Tree of metrics by rank correlation"
    return f'<svg viewBox="0 0 328 {bottom + 6}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def dots(found, names, signs, one, other):
    """Every variant by two metrics, better to the right and up, coloured by its threshold."""
    size, edge = 150, 8
    thresholds = sorted({options["threshold"] for options in found["options"]})
    points = []
    for x, y, options in zip(found["values"][one], found["values"][other], found["options"]):
        if x is not None and y is not None:
            points.append((signs[one] * x, signs[other] * y, thresholds.index(options["threshold"])))
    places = {at: [] for at in range(len(thresholds))}
    for x, y, threshold in points:
        right = edge + (size - 2 * edge) * share(x, [point[0] for point in points])
        down = size - edge - (size - 2 * edge) * share(y, [point[1] for point in points])
        places[threshold].append(f"M{right:.1f} {down:.1f}h0")
    paths = "".join(f'<path class="dots t{at}" d="{"".join(drawn)}"/>' for at, drawn in places.items() if drawn)
    rho = number(found["all"]["table"][one, other])
    title = f"{names[other]} (up) by {names[one]} (right): {rho}"
    return (
        f'<figure><svg viewBox="0 0 {size} {size}" role="img" aria-label="{markup.escape(title)}">'
        f'<rect class="frame" x="0.5" y="0.5" width="{size - 1}" height="{size - 1}"/>{paths}</svg>'
        f"<figcaption>↑ {markup.escape(names[other])}<br>→ {markup.escape(names[one])}<br><b>{rho}</b></figcaption></figure>"
    )


def share(value, values):
    least, most = min(values), max(values)
    return (value - least) / (most - least) if most > least else 0.5


def plots(found, names, signs):
    """Within each class the middle and what is least like it, then the middles of each two classes."""
    groups, table = found["all"]["classes"], found["all"]["table"]
    middles = [classes.middle(group, table) for group in groups]
    pairs = [(one, classes.farthest(group, table, one)) for one, group in zip(middles, groups) if len(group) > 1]
    pairs += [(one, other) for at, one in enumerate(middles) for other in middles[at + 1 :]]
    return "".join(dots(found, names, signs, one, other) for one, other in pairs[:12])


def matrix(found, names):
    """Correlations as a table, darker where higher."""
    order = in_order(found["all"], names)
    heads = "".join(f'<th scope="col">{place}</th>' for place in range(1, len(order) + 1))
    rows = []
    for place, one in enumerate(order, 1):
        cells = []
        for other in order:
            value = found["all"]["table"][one, other]
            tone = "var(--high)" if (value or 0) >= 0 else "var(--low)"
            much = round(60 * (value or 0) ** 2)
            cells.append(f'<td style="background:color-mix(in srgb,{tone} {much}%,transparent)">{number(value)}</td>')
        rows.append(f'<tr><th scope="row">{place} {markup.escape(names[one])}</th>{"".join(cells)}</tr>')
    return f'<table class="matrix"><thead><tr><th></th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def extremes(found, names, signs):
    rows = []
    variants = list(found["rows"])
    for key in in_order(found["all"], names):
        both = best_and_worst(found, signs, key)
        cells = [cell for at, value in both for cell in (variants[at], number(value, 4))] if both else ["-"] * 4
        cells = "".join(f"<td>{markup.escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{markup.escape(names[key])}</th>{cells}</tr>')
    heads = ("metric", "best variant", "its value", "worst variant", "its value")
    heads = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def sentences(title, grouping, names):
    lines = text_of_classes(title, grouping, names)
    items = "".join(f"<li>{markup.escape(line.strip())}</li>" for line in lines[1:])
    return f"<p>{markup.escape(lines[0][0].upper() + lines[0][1:])}</p><ul>{items}</ul>"


STYLE = """
:root{color-scheme:light dark;--ink:#1d2129;--soft:#5a6270;--line:#c9ced6;--paper:#fff;--high:#2a78d6;--low:#d9822b;
--t0:#1f6fce;--t1:#c7690d;--t2:#118258}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaee;--soft:#a4acb9;--line:#414853;--paper:#15181d;--t0:#6aa9f2;--t1:#f0a050;
--t2:#4cc394}}
*{box-sizing:border-box}
body{margin:0 auto;padding:16px;max-width:860px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.2;margin:.5em 0}h2{font-size:1.15rem;margin:2em 0 .5em}
ul{padding-left:1.2em}p,ul{max-width:68ch}.soft,figcaption{color:var(--soft)}figcaption{font-size:.8rem;line-height:1.35}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.8rem;font-variant-numeric:tabular-nums}
th,td{padding:3px 7px;text-align:left;white-space:nowrap;border-bottom:1px solid var(--line)}th{font-weight:600}
.matrix td,.matrix thead th{text-align:right;padding:3px 5px}.compared td{white-space:normal;vertical-align:top}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(140px,1fr));gap:16px}figure{margin:0}
svg{display:block;width:100%;height:auto}.one{max-width:560px}text{fill:var(--ink);font:11px system-ui,sans-serif}
.letter{font-weight:700}.tree{fill:none;stroke:var(--ink);stroke-width:1.3}.cut{stroke:var(--low);stroke-dasharray:4 3}
.key{white-space:nowrap;margin-right:.6em}
.frame{fill:none;stroke:var(--line)}.dots{fill:none;stroke-width:3;stroke-linecap:round;opacity:.75}
.t0{stroke:var(--t0);color:var(--t0)}.t1{stroke:var(--t1);color:var(--t1)}.t2{stroke:var(--t2);color:var(--t2)}
"""


def html(found, names, signs, paper):
    grouping = found["all"]
    thresholds = sorted({options["threshold"] for options in found["options"]})
    legend = " ".join(
        f'<span class="key"><span class="t{at}">●</span> threshold {value:g}</span>' for at, value in enumerate(thresholds)
    )
    made_up = f"<p><b>{MADE_UP}</b></p>" if found["stand_in"] else ""
    rows = "".join(
        f"<tr><td>{markup.escape(title)}</td><td>{value}</td><td>{where}</td></tr>"
        for title, value, where in compared(found, names, paper)
    )
    others = "".join(sentences(title, other, names) for title, other in found["others"])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Herlocker's experiment</title><style>{STYLE}</style></head><body>
<h1>Do metrics agree on which recommender is better?</h1>
<p>{markup.escape(found["about"])}. Two metrics are alike if they order the variants alike (Spearman's rank correlation).
After Herlocker, Konstan, Terveen and Riedl (2004), section 4.1.5.</p>{made_up}
<h2>Classes</h2>
{sentences("all", grouping, names)}
<div class="one">{tree(grouping, names)}</div>
<p class="soft">Lines that meet further to the left are more alike. Groups are one class if they meet before the dashed line,
at a mean correlation of {classes.ALIKE:g}. That bound is a choice; the tree shows what another would give.</p>
<h2>Every variant</h2>
<p>Better is to the right and up; each axis goes from the worst to the best variant. First the classes from within, then two
of them against each other. The number is the rank correlation.<br>{legend}</p>
<div class="grid">{plots(found, names, signs)}</div>
<h2>The paper's three classes</h2>
<p>Mean rank correlations here of the metrics that the paper found to be of one class, or of two.</p>
<div class="wide"><table class="compared"><tbody>{rows}</tbody></table></div>
<h2>The same by other rules</h2>
<p>How alike metrics are depends on which variants are compared, and on what counts for a user whose predictions are all
equal.</p>
{others}
<h2>All rank correlations</h2>
<div class="wide">{matrix(found, names)}</div>
<p class="soft">Less is better for NDPM and MAE, so they are turned round. Variants without a value are left out of its
pairs.</p>
<h2>Which variant is best</h2>
<div class="wide">{extremes(found, names, signs)}</div>
<p class="soft">Names say similarity, significance (s), neighbours (k), threshold (t) and normalisation. The best of
{len(found["options"])} by so few ratings is partly the luckiest.</p>
</body></html>
"""
