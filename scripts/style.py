#!/usr/bin/env python3
"""The rules of the house as a test: every one says what to do instead. Run by ctest (label style) and by scripts/test.

  scripts/style.py [--root DIR]    checks the tree; exit code 1 when a rule is broken
  scripts/style.py --self-test     checks that each rule catches what it is there for (tests/style)

Which layer may include which is read from the table in docs/architecture.md, so that page and rule are one.
A function that has to be long says so above its signature, `// style: long because ...`; a banned word that has to stay, on
its line or the one above, `// style: allowed because ...`.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path, PurePosixPath

from cpp_text import code_only, functions

LINE_COLUMNS_MAX = 126
FILE_LINES_MAX, FILE_LINES_NOTED = 800, 450
FUNCTION_LINES_MAX = 70
HEADER_LINES_MEDIAN_MAX = 100

CPP = {".h", ".cpp"}
SKIPPED_FOLDERS = {"build", ".git", ".cache", "__pycache__", "node_modules", "corpus", "golden"}
SCRIPTS_OF_STYLE = {"scripts/style.py", "scripts/cpp_text.py", "tests/style/style_test.py"}  # they name what they forbid

# Third-party headers by the name that docs/architecture.md uses for them; anything else in <> is the standard library.
THIRD_PARTY = {
    "simdjson": r"simdjson\.h", "fmt": r"fmt/", "spdlog": r"spdlog/", "yaml-cpp": r"yaml-cpp/", "CLI11": r"CLI/",
    "cctz": r"cctz/",
    "expected": r"tl/", "xxhash": r"xxhash\.h", "zlib": r"zlib\.h", "zstd": r"zstd\w*\.h", "boost": r"boost/",
    "nlohmann-json": r"nlohmann/", "gtest": r"g(test|mock)/", "librdkafka": r"librdkafka/", "rocksdb": r"rocksdb/",
    "openssl": r"openssl/",
    "snappy": r"snappy\.h", "libavro": r"avro\.h", "protobuf": r"google/protobuf/", "libcurl": r"curl/",
    "threads": r"(thread|mutex|shared_mutex|condition_variable|future|stop_token|barrier|latch|semaphore)$",
    "posix": r"((sys|arpa|netinet)/|[a-z]+\.h$)", "iostreams": r"(iostream|fstream|syncstream)$",
}  # fmt: skip

# What a compiler brings besides the standard library: the instructions of its target.
COMPILER_HEADERS = {"emmintrin.h"}

# Pages that define rules, by the letter of their ids: `- **S4.2** ...` under `## 4. ...`, cited as [S4.2] or, whole, as [S4].
RULE_PAGES = {"S": "docs/semantics.md", "I": "docs/interfaces.md"}
CITATION = re.compile(r"\[([SI])(\d+)(\.\d+)?\]")
OTHER_CITATION = re.compile(r"\bdocs/(semantics|interfaces)\.md,? [A-Z]\d+(\.\d+)?\b")
CITES = CPP | {".md", ".py", ".cmake", ".yaml", ".scenario", ".txt", ".in", ".sh", ".ts", ".mjs"}  # and what has no suffix

# What is banned where, and what to write instead. Core: include/ and src/ without src/app and src/config; ours: all but
# tests and bench/.
SLEEPS = r"\b(sleep_for|sleep_until|usleep|nanosleep)\b|(?<![\w.:>])sleep\s*\("
CORE, OURS, TESTS, ALL = "core", "ours", "tests", "all"
BANNED = [
    (CORE, r"(system|steady|high_resolution|utc)_clock\s*::\s*now|\b(gettimeofday|clock_gettime)\b|\bstd::time\b",
     "time is a parameter: take an EventTime or a Duration"),
    (CORE, r"\bstd::rand\b|(?<![\w.:>])s?rand\s*\(|random_device|\bmt19937|default_random_engine|_distribution\s*<",
     "chance is a parameter: take a seed or a source of numbers"),
    (CORE, r"std::(cout|cerr|clog)\b|\bprintf\s*\(|(?<![\w.:>])puts\s*\(", "return a value; only src/app talks to the user"),
    (CORE, SLEEPS, "wait for an event, not for the clock"),
    (TESTS, SLEEPS, "a test that sleeps is slow or flaky: wait for the event itself"),
    (OURS, r"\bthrow\b", "return an Error (recmeter/base/result.h); RECMETER_CHECK for mistakes of the program"),
    (OURS, r"\bassert\s*\(", "RECMETER_CHECK: it stays on in every build"),
    (ALL, r"\busing\s+namespace\s+std\s*;", "write std::"),
    (ALL, r"std::endl\b", "write '\\n'"),
    (OURS, r"\b(strtod|strtof|atof|atoi|atol|stod|stof|stoi|stol|stoll|stoull|setlocale)\b",
     "std::from_chars: it reports errors and does not depend on the locale"),
    (OURS, r"\b(class|struct|enum\s+class|using)\s+\w*(Manager|Utils?|Helpers?|Common|Data|Info)\b(?!\s*::)",
     "name it after what it is or does"),
]  # fmt: skip
RETURNS_RESULT = re.compile(r"^\s*((virtual|static|inline|constexpr)\s+)*Result<(?!.*override)")
BANNED_FILE_NAME = re.compile(r"(^|_)(utils?|helpers?|common|managers?|misc)(_|$)")
BANNED_FLAGS = re.compile(r"-ffast-math|-Ofast|-funsafe-math|-ffp-contract=fast")


class Tree:
    """The files of a checkout, read once."""

    def __init__(self, root):
        self.root = Path(root)
        self.findings, self.notes = [], []
        self.paths = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
            self.paths += [(Path(folder) / name).relative_to(self.root).as_posix() for name in sorted(names)]
        self._texts, self._codes = {}, {}

    def text(self, path):
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def code(self, path):
        if path not in self._codes:
            self._codes[path] = code_only(self.text(path))
        return self._codes[path]

    def cpp(self, *folders):
        return [p for p in self.paths if PurePosixPath(p).suffix in CPP and p.startswith(tuple(f + "/" for f in folders))]

    def named(self, pattern):
        return [p for p in self.paths if re.search(pattern, p)]

    def find(self, rule, path, line, message):
        self.findings.append(f"{path}:{line}: [{rule}] {message}")


def lines_matching(text, pattern):
    return [(number, m) for number, line in enumerate(text.split("\n"), 1) for m in [re.search(pattern, line)] if m]


# --- layers -----------------------------------------------------------------------------------------------------------------


def layer_of(path):
    """base ... live, app, app/console, connectors/file, state/memory; None for what has none (tests, benchmarks)."""
    parts = path.split("/")
    if parts[0] in ("connectors", "state") and len(parts) > 2:
        return "/".join(parts[:2])
    if parts[:2] == ["src", "app"] and len(parts) > 3:
        return "/".join(parts[1:3])
    if path.startswith("include/recmeter/") and len(parts) > 3:
        return parts[2]
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return None


def layer_of_include(name, edges):
    """The layer an #include "name" reaches into, and whether it is one of its contracts."""
    parts = name.split("/")
    if parts[0] == "recmeter" and len(parts) > 2:
        return edges.get(parts[1], parts[1]), True
    if parts[0] == "app" and len(parts) > 2:
        return "/".join(parts[:2]), False
    return edges.get(parts[0], parts[0]), False


def layer_table(tree):
    """{layer: (layers it may include, third parties it may include)} from the table in docs/architecture.md."""
    path = "docs/architecture.md"
    if path not in tree.paths:
        tree.find("layers", path, 1, "is missing: it holds the table of layers")
        return {}
    table, inside = {}, False
    for number, line in enumerate(tree.text(path).split("\n"), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "layer" and len(cells) == 3:
            inside = True
        elif inside and not line.startswith("|"):
            inside = False
        elif inside and not set(line) <= set("|-: "):
            words = [[w.strip(" `") for w in c.split(",") if w.strip(" `–-")] for c in cells]
            if words[0][0] in table:
                tree.find("layers", path, number, f"{words[0][0]} has two rows")
            table[words[0][0]] = (set(words[1]), set(words[2]), number)
    return table


def check_layers(tree):
    table = layer_table(tree)
    files = {p: layer_of(p) for p in tree.cpp("include", "src", "connectors", "state")}
    real = {layer for layer in files.values() if layer}
    for layer in sorted(real - set(table)):
        tree.find("layers", "docs/architecture.md", 1, f"the table of layers has no row for {layer}: say what it may include")
    for layer in sorted(set(table) - real):
        tree.find("layers", "docs/architecture.md", table[layer][2], f"there is no layer {layer}: remove its row")
    for layer in sorted(set(table) & real):
        for other in sorted((table[layer][0] - real) | ({layer} if reaches(table, layer, layer) else set())):
            why = "forms a cycle" if other == layer else f"names {other}, which does not exist"
            tree.find("layers", "docs/architecture.md", table[layer][2], f"the row of {layer} {why}")
    edges = {layer.split("/")[1]: layer for layer in real if re.match("(connectors|state)/", layer)}
    # What has contracts is entered by them alone.
    contracted = {layer for path, layer in files.items() if re.search("(^|/)include/recmeter/", path)}
    for path, layer in files.items():
        if layer in table:
            check_includes(tree, path, layer, table, edges, contracted)
    check_links(tree, table)
    check_contracts(tree, files)


def reaches(table, start, goal):
    seen, todo = set(), list(table[start][0])
    while todo:
        layer = todo.pop()
        if layer == goal:
            return True
        if layer in table and layer not in seen:
            seen.add(layer)
            todo += table[layer][0]
    return False


def check_includes(tree, path, layer, table, edges, contracted):
    allowed, third_parties, _ = table[layer]
    for number, m in lines_matching(tree.text(path), r'^\s*#\s*include\s*"([^"]+)"'):
        other, is_contract = layer_of_include(m[1], edges)
        if other == layer:
            continue
        if other not in table:
            tree.find("layers", path, number, f'"{m[1]}": write the path from include/ or src/: "recmeter/base/error.h"')
        elif other not in allowed:
            tree.find("layers", path, number, f"{layer} may not include {other}: move the code or turn the dependency round")
        elif not is_contract and other in contracted:
            tree.find("layers", path, number, f'"{m[1]}" is private to {other}: include its contract under recmeter/')
    for number, m in lines_matching(tree.text(path), r"^\s*#\s*include\s*<([^>]+)>"):
        if m[1] in COMPILER_HEADERS:
            continue
        party = next((name for name, pattern in THIRD_PARTY.items() if re.match(pattern, m[1])), None)
        if party is None:
            if "/" in m[1] or "." in m[1]:
                tree.find("third-party", path, number, f"<{m[1]}> is unknown: name its library in scripts/style.py")
        elif party not in third_parties and "any" not in third_parties:
            tree.find("third-party", path, number, f"{layer} may not use {party}: keep it at an edge, or behind a contract")
        elif path.startswith("include/") and path != "include/recmeter/base/result.h" and party != "threads":
            tree.find("third-party", path, number, f"<{m[1]}> in a contract: signatures use the standard library only")


def check_links(tree, table):
    """What a library links of ours is what its layer may include."""
    for path in tree.named(r"^src/.*CMakeLists\.txt$"):
        text = re.sub(r"#.*", "", tree.text(path))
        for call in re.finditer(r"recmeter_library\(\s*recmeter_(\w+)([^)]*)\)", text):
            layer = layer_of_library(call[1], table)
            for other in re.findall(r"\brecmeter_(\w+)", call[2]) if layer else []:
                linked = layer_of_library(other, table)
                if linked not in (None, layer) and linked not in table[layer][0]:
                    line = text[: call.start()].count("\n") + 1
                    tree.find("layers", path, line, f"links recmeter_{other}, which {layer} may not include")


def layer_of_library(name, table):
    """recmeter_event is the library of the layer event, recmeter_console that of app/console."""
    return next((layer for layer in (name, f"app/{name}") if layer in table), None)


def check_contracts(tree, files):
    """A header under include/ is there for others: another layer includes it, or a contract that one includes does."""
    includes = {p: {"include/" + m[1] for _, m in lines_matching(tree.text(p), r'^\s*#\s*include\s*"(recmeter/[^"]+)"')}
                for p in files}  # fmt: skip
    headers = {p for p in files if p.startswith("include/")}
    needed = {h for p, layer in files.items() for h in includes[p] & headers if files[h] != layer}
    todo = list(needed)
    while todo:
        for header in (includes[todo.pop()] & headers) - needed:
            needed.add(header)
            todo.append(header)
    for header in sorted(headers - needed):
        tree.find("layers", header, 1, f"only {files[header]} needs it: move it to src/{files[header]}")


# --- words ------------------------------------------------------------------------------------------------------------------


def allowed(tree, path, number):
    """Whether a line, or the one above it, gives a reason for breaking a rule."""
    lines = tree.text(path).split("\n")
    return any(re.search(r"// style: allowed because \w+", line) for line in lines[max(0, number - 2) : number])


def check_words(tree):
    ours = tree.cpp("include", "src", "connectors", "state")
    core = [p for p in ours if p.startswith(("include/", "src/")) and not p.startswith(("src/app/", "src/config/"))]
    everything = ours + tree.cpp("tests", "bench")
    files = {CORE: core, OURS: ours, TESTS: tree.cpp("tests"), ALL: everything}
    for where, pattern, instead in BANNED:
        for path in files[where]:
            for number, m in lines_matching(tree.code(path), pattern):
                if allowed(tree, path, number):
                    continue
                tree.find("banned", path, number, f"`{m[0].strip()}`: {instead}")
    for path in everything:
        name = PurePosixPath(path).stem
        if BANNED_FILE_NAME.search(name):
            tree.find("name", path, 1, "a junk drawer by name: name the file after the one thing in it")
        if not re.fullmatch(r"[a-z0-9_]+", name):
            tree.find("name", path, 1, "file names are snake_case")
        if path.endswith(".h") and "#pragma once" not in tree.text(path):
            tree.find("header", path, 1, "has no #pragma once")
        if path.endswith(".h") and path in ours:
            for number, m in lines_matching(tree.code(path), RETURNS_RESULT):
                if "(" in m.string and "[[nodiscard]]" not in tree.code(path).split("\n")[number - 2]:
                    tree.find("header", path, number, "a Result is looked at: write [[nodiscard]]")
        for number, m in lines_matching(tree.text(path), r"NOLINT(?!END)\w*(.*)"):
            if not re.match(r"(\([\w\-., ]+\))?\s*:?\s*\w+", m[1]):
                tree.find("nolint", path, number, "write NOLINT(the-check): and the reason")
    for path in tree.named(r"(CMakeLists\.txt|\.cmake|CMakePresets\.json)$"):
        for number, m in lines_matching(re.sub(r"#.*", "", tree.text(path)), BANNED_FLAGS):
            tree.find("banned", path, number, f"{m[0]}: results must not depend on how doubles are reordered")


def check_lines(tree):
    for path in tree.paths:
        suffix, script = PurePosixPath(path).suffix, re.match(r"(scripts|\.ci)/[^.]+$", path)
        if not (suffix in CPP | {".py", ".cmake", ".md", ".yaml", ".scenario"} or path.endswith("CMakeLists.txt") or script):
            continue
        text = tree.text(path)
        if text and not text.endswith("\n"):
            tree.find("line", path, text.count("\n") + 1, "ends without a newline")
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line:
                tree.find("line", path, number, "has a tab: write spaces, or \\t in a literal")
            if line != line.rstrip():
                tree.find("line", path, number, "ends in blanks")
            if len(line) > LINE_COLUMNS_MAX and suffix not in (".md", ".scenario") and 'R"' not in line:
                tree.find("line", path, number, f"has {len(line)} columns: break it at {LINE_COLUMNS_MAX}")
            if suffix != ".md" and path not in SCRIPTS_OF_STYLE:
                if re.search(r"\b(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))", line):
                    tree.find("todo", path, number, "open an issue and write TODO(#its number)")


def check_roots(tree):
    for path in tree.cpp("src"):
        if path.startswith("src/app/") and path.count("/") == 2 and path != "src/app/main.cpp":
            tree.find("room", path, 1, "lies loose at the root of src/app: put it into the room of the tool it is part of")


def check_lengths(tree):
    for path in tree.cpp("include", "src", "connectors", "state", "tests", "bench"):
        lines = tree.text(path).split("\n")
        if len(lines) > FILE_LINES_MAX:
            tree.find("length", path, 1, f"has {len(lines)} lines, over {FILE_LINES_MAX}: it is more than one thing")
        elif len(lines) > FILE_LINES_NOTED:
            tree.notes.append(f"{path}: {len(lines)} lines, over {FILE_LINES_NOTED}: is it still one thing?")
        for function in functions(tree.text(path)):
            if function.length > FUNCTION_LINES_MAX:
                above = lines[max(0, function.first_line - 4) : function.first_line]
                if not any(re.search(r"// style: long because \w+", line) for line in above):
                    tree.find("length", path, function.first_line, f"a function of {function.length} lines, over "
                              f"{FUNCTION_LINES_MAX}: divide it, or write `// style: long because ...` above it")  # fmt: skip
    sizes = [tree.text(p).count("\n") for p in tree.cpp("include", "connectors", "state") if p.endswith(".h")]
    if sizes and statistics.median(sizes) > HEADER_LINES_MEDIAN_MAX:
        tree.find("length", "include", 1, f"the median header has {statistics.median(sizes):.0f} lines, over "
                  f"{HEADER_LINES_MEDIAN_MAX}")  # fmt: skip


# --- orphans ----------------------------------------------------------------------------------------------------------------


def cmake_paths(tree, pattern):
    """Paths of the tree that CMake files name, by `pattern` (one group), variables of the project filled in."""
    named = set()
    for path in tree.named(r"(CMakeLists\.txt|\.cmake)$"):
        here = PurePosixPath(path).parent
        text = re.sub(r"(?m)(^|\s)#.*", "", tree.text(path))
        text = re.sub(r"\$\{(CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR)\}/", "", text)
        for m in re.finditer(pattern, text):
            name = m[1]
            absolute = name.startswith("${PROJECT_SOURCE_DIR}/")
            joined = PurePosixPath(name.removeprefix("${PROJECT_SOURCE_DIR}/")) if absolute else here / name
            named.add(PurePosixPath(os.path.normpath(joined)).as_posix())
    return named


def check_orphans(tree):
    built = cmake_paths(tree, r'([^\s"()]+\.cpp)\b')
    for path in tree.cpp("src", "connectors", "state", "tests", "bench"):
        if path.endswith(".cpp") and path not in built:
            tree.find("orphan", path, 1, "no CMakeLists.txt lists it: list it or delete it")
    entered = cmake_paths(tree, r'add_subdirectory\(\s*"?([^\s")]+)')
    for path in tree.named(r"/CMakeLists\.txt$"):
        folder = PurePosixPath(path).parent.as_posix()
        if folder.startswith("examples/"):  # a project of its own
            if not any(folder in tree.text(test) for test in tree.named(r"^tests/.*\.(py|cpp)$")):
                tree.find("orphan", path, 1, "no test builds it")
        elif folder not in entered:
            tree.find("orphan", path, 1, "no add_subdirectory() reaches it")
    includes = set()
    for path in tree.cpp("include", "src", "connectors", "state", "tests", "bench"):
        for _, m in lines_matching(tree.text(path), r'^\s*#\s*include\s*[<"]([^">]+)[">]'):
            includes.add(m[1])
    for path in tree.cpp("include", "src", "connectors", "state", "tests", "bench"):
        parts = path.split("/")
        if path.endswith(".h") and not any("/".join(parts[i:]) in includes for i in range(len(parts))):
            tree.find("orphan", path, 1, "nothing includes it: use it or delete it")
    tests = "\n".join(tree.text(p) for p in tree.cpp("tests"))
    loads_all = re.search(r'/configs"', tests) and "directory_iterator" in tests
    for path in tree.named(r"^configs/[^/]+\.yaml$"):
        if not loads_all and PurePosixPath(path).name not in tests:
            tree.find("orphan", path, 1, "no test loads it")


# --- documents --------------------------------------------------------------------------------------------------------------


def prose(text):
    """A page without its code, line for line."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"(?ms)^( *)(```|~~~).*?^\1\2[^\n]*$", _newlines_only, text))


def _newlines_only(match):
    return re.sub(r"[^\n]", "", match.group(0))


def links_of(tree, path):
    """(line, target as written, the path it leads to, anchor) of each relative link of a page."""
    for number, line in enumerate(prose(tree.text(path)).split("\n"), 1):
        for m in re.finditer(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", line):
            target = m[1] or m[2]
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            name, _, anchor = target.partition("#")
            leads = os.path.normpath(PurePosixPath(path).parent / name) if name else path
            yield number, target, leads, anchor


def anchors_of(text):
    """Of every heading, in their order: one that is there twice leads to the first of the two."""
    heads = re.findall(r"(?m)^#+\s+(.*?)\s*#*$", re.sub(r"(?ms)^```.*?^```", "", text))
    return [re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", head).lower()).strip().replace(" ", "-") for head in heads]


def check_citations(tree):
    """A page links the pages it names, so that their headings are checked. The log of changes names pages of its time."""
    for path in tree.named(r"\.md$"):
        unlinked = re.sub(r"\[[^\]]*\]\([^)]*\)", "", prose(tree.text(path)))
        for number, m in lines_matching(unlinked, r"\bdocs/(decisions/\d{4}|[\w/-]+\.md)|(?<![\w/])[\w-]+\.md\b"):
            is_page = m[0].startswith("docs/") or str(PurePosixPath(path).parent / m[0]) in tree.paths
            if is_page and path != "CHANGELOG.md":
                tree.find("link", path, number, f"{m[0]} is named and not linked: link it, with the heading that is meant")


def check_citations_in_code(tree):
    """Pages and headings that code, tests and configurations name are there; check_rules() looks at rules."""
    for path in tree.named(r"\.(h|cpp|in|py|yaml|yml|json|txt|mjs|js|ts|sh)$"):
        if path in SCRIPTS_OF_STYLE:
            continue
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            for m in re.finditer(r"\b(docs/[\w/-]+\.md)(?:#([\w-]+))?", line):
                if m[1] not in tree.paths:
                    tree.find("link", path, number, f"{m[1]} is not there")
                elif m[2] and m[2] not in anchors_of(tree.text(m[1])):
                    tree.find("link", path, number, f"{m[0]}: {m[1]} has no such heading")


def check_documents(tree):
    pages = tree.named(r"\.md$")
    linked = set()
    for path in pages:
        for number, target, leads, anchor in links_of(tree, path):
            if path in ("README.md", "docs/architecture.md", "docs/decisions/README.md"):
                linked.add(leads)
            if not (tree.root / leads).exists():
                tree.find("link", path, number, f"{target} leads nowhere")
            elif anchor and leads.endswith(".md") and anchor not in anchors_of(tree.text(leads)):
                tree.find("link", path, number, f"{target}: {leads} has no such heading")
            elif anchor and leads.endswith(".md") and anchors_of(tree.text(leads)).count(anchor) > 1:
                tree.find("link", path, number, f"{target}: {leads} has two such headings: give each a name of its own")
    for path in pages:
        if path.startswith("docs/") and path != "docs/architecture.md" and path not in linked:
            tree.find("orphan", path, 1, "neither README.md nor docs/architecture.md links it")


# --- rules ------------------------------------------------------------------------------------------------------------------


def rules_of(tree):
    """The ids that may be cited: S4 of a section, S4.2 of a rule."""
    ids = set()
    for letter, path in RULE_PAGES.items():
        section = None
        for number, line in enumerate(tree.text(path).split("\n") if path in tree.paths else [], 1):
            if m := re.match(r"## (\d+)\. ", line):
                section = letter + m[1]
                ids.add(section)
            elif m := re.match(r"- \*\*([A-Z]\d+)\.(\d+)\*\*", line):
                rule = f"{m[1]}.{m[2]}"
                if m[1] != section:
                    tree.find("rule", path, number, f"{rule} stands in section {section}: number it after its section")
                if rule in ids:
                    tree.find("rule", path, number, f"{rule} is defined twice: give one the next free number of its section")
                ids.add(rule)
    return ids


def check_rules(tree):
    """Every cited rule exists, is defined once and stands in its section."""
    ids = rules_of(tree)
    for path in tree.paths:
        if PurePosixPath(path).suffix not in CITES | {""} or path in SCRIPTS_OF_STYLE:
            continue
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            for m in CITATION.finditer(line):
                if m[0][1:-1] not in ids:
                    tree.find("rule", path, number, f"{m[0]} is no rule of {RULE_PAGES[m[1]]}: cite one that exists")
            if m := re.search(r"\b(SEMANTICS|INTERFACES)\b|\bARCHITECTURE §", line):
                tree.find("rule", path, number, f"`{m[0]}` is no page of the project: cite the rule, as [S4.2] or [I2.3]")
            for m in OTHER_CITATION.finditer(line):
                tree.find("rule", path, number, f"`{m[0]}` is no citation that is checked: cite the rule, as [S4.2]")


CHECKS = [check_layers, check_roots, check_words, check_lines, check_lengths, check_orphans, check_documents,
          check_citations, check_citations_in_code, check_rules]


def check(root):
    tree = Tree(root)
    for one in CHECKS:
        one(tree)
    return tree


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true", help="check the rules themselves")
    arguments = parser.parse_args()
    if arguments.self_test:
        return subprocess.call([sys.executable, Path(__file__).resolve().parent.parent / "tests/style/style_test.py"])
    tree = check(arguments.root)
    for line in tree.notes:
        print("note:", line)
    for line in sorted(set(tree.findings)):
        print(line)
    if tree.findings:
        print(f"style: {len(set(tree.findings))} findings. The rules and their reasons: CONTRIBUTING.md")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
