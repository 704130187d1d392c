#!/usr/bin/env python3
"""Each rule of scripts/style.py catches what it is there for, and a tidy tree passes."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import style  # noqa: E402
from cpp_text import code_only, functions  # noqa: E402

TABLE = """# Architecture

| layer | may include | beyond the standard library |
|---|---|---|
| base | – | expected |
| event | base | simdjson |
| app | base, event | fmt |

[the other page](other.md), [the rules](semantics.md)
"""
RULES = "# Semantics\n\n## 4. Join\n\n- **S4.1** One.\n- **S4.2** Two, see [S4.1].\n\n## 5. Metrics\n\n- **S5.1** Three.\n"
TIDY = {
    "docs/architecture.md": TABLE,
    "docs/other.md": "# Other\n\n[up](architecture.md#architecture)\n",
    "docs/semantics.md": RULES,
    "CMakeLists.txt": "add_subdirectory(src)\nadd_subdirectory(tests)\n",
    "src/CMakeLists.txt": "add_subdirectory(event)\nadd_subdirectory(app)\n",
    "src/event/CMakeLists.txt": "recmeter_library(recmeter_event SOURCES decoder.cpp PUBLIC recmeter_base)\n",
    "src/app/CMakeLists.txt": "add_executable(recmeter main.cpp)\n",
    "tests/CMakeLists.txt": "recmeter_test(configs LABEL unit SOURCES configs_test.cpp)\n",
    "tests/configs_test.cpp": 'TEST(Configs, load) { load("configs/demo.yaml"); }\n',
    "configs/demo.yaml": "threads: 1\n",
    "include/recmeter/base/error.h": "#pragma once\nstruct Error {};\n",
    "include/recmeter/event/decoder.h": '#pragma once\n#include "recmeter/base/error.h"\nint decode();\n',
    "src/event/decoder.cpp": '#include "recmeter/event/decoder.h"\n\n#include <simdjson.h>\n\nint decode() { return 1; }\n',
    "src/app/main.cpp": '#include <fmt/format.h>\n\n#include "recmeter/event/decoder.h"\nint main() { return decode(); }\n',
}


def function_of(lines, name="f", above=""):
    return f"{above}int {name}() {{\n" + "  step();\n" * lines + "}\n"


def with_event(code):
    return {"src/event/decoder.cpp": TIDY["src/event/decoder.cpp"] + code}


# name: (changes to the tidy tree; None removes a file), the beginning of the one finding expected)
CASES = {
    "a_layer_may_not_reach_up": (
        {"include/recmeter/base/error.h": '#pragma once\n#include "recmeter/event/decoder.h"\n'},
        "include/recmeter/base/error.h:2: [layers] base may not include event",
    ),
    "a_private_header_stays_private": (
        {
            "src/event/words.h": "#pragma once\n",
            "src/app/main.cpp": '#include "event/words.h"\nint main() {}\n',
            "src/event/decoder.cpp": '#include "event/words.h"\n#include "recmeter/event/decoder.h"\n',
        },
        "src/app/main.cpp:1: [layers] \"event/words.h\" is private to event",
    ),
    "a_contract_nobody_else_needs_is_private": (
        {"include/recmeter/event/words.h": "#pragma once\n", **with_event('#include "recmeter/event/words.h"\n')},
        "include/recmeter/event/words.h:1: [layers] only event needs it: move it to src/event"),
    "a_room_of_the_command_line_has_a_row": (
        {"src/app/top/frame.h": "#pragma once\n",
         "src/app/main.cpp": '#include "app/top/frame.h"\n#include "recmeter/event/decoder.h"\n'},
        "docs/architecture.md:1: [layers] the table of layers has no row for app/top"),
    "a_room_may_not_reach_another": (
        {"src/app/top/frame.h": '#pragma once\n#include "recmeter/event/decoder.h"\n',
         "src/app/main.cpp": '#include "app/top/frame.h"\nint main() {}\n',
         "docs/architecture.md":
             TABLE.replace("| app | base, event |", "| app/top | base | – |\n| app | app/top, base, event |")},
        "src/app/top/frame.h:2: [layers] app/top may not include event"),
    "nothing_lies_loose_beside_main": (
        {"src/app/pace.h": "#pragma once\n", "src/app/main.cpp": TIDY["src/app/main.cpp"] + '#include "app/pace.h"\n'},
        "src/app/pace.h:1: [room] lies loose at the root of src/app"),
    "a_path_from_nowhere_is_no_include": (
        {"src/app/main.cpp": '#include "main.h"\n#include "recmeter/event/decoder.h"\n'},
        "src/app/main.cpp:1: [layers] \"main.h\": write the path",
    ),
    "a_third_party_needs_leave": (
        with_event("#include <zlib.h>\n"), "src/event/decoder.cpp:6: [third-party] event may not use zlib"),
    "an_unknown_third_party_is_named": (
        with_event("#include <absl/x.h>\n"), "src/event/decoder.cpp:6: [third-party] <absl/x.h> is unknown"),
    "a_contract_has_no_third_party": (
        {"include/recmeter/event/decoder.h": '#pragma once\n#include <simdjson.h>\n#include "recmeter/base/error.h"\n'},
        "include/recmeter/event/decoder.h:2: [third-party] <simdjson.h> in a contract"),
    "a_new_folder_needs_a_row": (
        {"connectors/kafka/CMakeLists.txt": "add_library(k source.cpp)\n", "connectors/kafka/source.cpp": "int k;\n",
         "CMakeLists.txt": TIDY["CMakeLists.txt"] + "add_subdirectory(connectors/kafka)\n"},
        "docs/architecture.md:1: [layers] the table of layers has no row for connectors/kafka"),
    "a_row_needs_a_folder": (
        {"docs/architecture.md": TABLE.replace("| app |", "| join | base | – |\n| app |")},
        "docs/architecture.md:7: [layers] there is no layer join"),
    "a_layer_has_one_row": (
        {"docs/architecture.md": TABLE.replace("| app |", "| event | base | simdjson |\n| app |")},
        "docs/architecture.md:7: [layers] event has two rows"),
    "a_cycle_in_the_table_is_seen": (
        {"docs/architecture.md": TABLE.replace("| base | – |", "| base | app |")},
        "docs/architecture.md:5: [layers] the row of base forms a cycle"),
    "a_link_beyond_the_row_is_seen": (
        {"src/event/CMakeLists.txt": "recmeter_library(recmeter_event SOURCES decoder.cpp PUBLIC recmeter_app)\n"},
        "src/event/CMakeLists.txt:1: [layers] links recmeter_app"),
    "no_clock_in_the_core": (
        with_event("auto t = std::chrono::steady_clock::now();\n"), "src/event/decoder.cpp:6: [banned] `steady_clock::now`"),
    "no_chance_in_the_core": (with_event("std::random_device d;\n"), "src/event/decoder.cpp:6: [banned] `random_device`"),
    "no_output_in_the_core": (with_event('void p() { std::cout << 1; }\n'), "src/event/decoder.cpp:6: [banned] `std::cout`"),
    "no_printf_in_the_core": (with_event('void p() { printf("x"); }\n'), "src/event/decoder.cpp:6: [banned] `printf(`"),
    "no_sleep_in_the_core": (with_event("void s() { sleep(1); }\n"), "src/event/decoder.cpp:6: [banned] `sleep(`"),
    "no_sleep_in_a_test": (
        {"tests/configs_test.cpp": TIDY["tests/configs_test.cpp"] + "void s() { std::this_thread::sleep_for(1s); }\n"},
        "tests/configs_test.cpp:2: [banned] `sleep_for`"),
    "no_throw": (with_event("void t() { throw 1; }\n"), "src/event/decoder.cpp:6: [banned] `throw`"),
    "no_assert": (with_event("void t() { assert(true); }\n"), "src/event/decoder.cpp:6: [banned] `assert(`"),
    "no_locale": (with_event("double d = std::strtod(s, nullptr);\n"), "src/event/decoder.cpp:6: [banned] `strtod`"),
    "no_iostream_in_the_core": (
        with_event("#include <iostream>\n"), "src/event/decoder.cpp:6: [third-party] event may not use iostreams"),
    "no_manager_types": (with_event("class EventManager {};\n"), "src/event/decoder.cpp:6: [banned] `class EventManager`"),
    "no_junk_drawer_files": (
        {"src/event/time_utils.h": "#pragma once\n", **with_event('#include "event/time_utils.h"\n')},
        "src/event/time_utils.h:1: [name] a junk drawer"),
    "file_names_are_snake_case": (
        {"src/event/TimeText.h": "#pragma once\n", **with_event('#include "event/TimeText.h"\n')},
        "src/event/TimeText.h:1: [name] file names are snake_case"),
    "headers_say_once": (
        {"include/recmeter/base/error.h": "struct Error {};\n"},
        "include/recmeter/base/error.h:1: [header] has no #pragma once"),
    "a_result_is_looked_at": (
        {"include/recmeter/base/error.h": "#pragma once\nResult<int> f(int x);\n"},
        "include/recmeter/base/error.h:2: [header] a Result is looked at"),
    "a_nolint_has_a_reason": (with_event("int x = f();  // NOLINT\n"), "src/event/decoder.cpp:6: [nolint]"),
    "no_fast_math": (
        {"CMakeLists.txt": TIDY["CMakeLists.txt"] + "add_compile_options(-ffast-math)\n"},
        "CMakeLists.txt:3: [banned] -ffast-math"),
    "no_tabs": (with_event("\tint x;\n"), "src/event/decoder.cpp:6: [line] has a tab"),
    "no_trailing_blanks": (with_event("int x; \n"), "src/event/decoder.cpp:6: [line] ends in blanks"),
    "no_long_lines": (with_event("//" + "x" * 130 + "\n"), "src/event/decoder.cpp:6: [line] has 132 columns"),
    "a_last_newline": (with_event("int x;"), "src/event/decoder.cpp:6: [line] ends without a newline"),
    "an_open_end_has_an_issue": (with_event("// TODO: later\n"), "src/event/decoder.cpp:6: [todo]"),
    "no_long_functions": (with_event(function_of(71)), "src/event/decoder.cpp:6: [length] a function of 71 lines"),
    "no_long_files": (with_event("int x;\n" * 800), "src/event/decoder.cpp:1: [length] has 806 lines"),
    "the_median_header_is_short": (
        {"include/recmeter/base/error.h": "#pragma once\n" + "// more\n" * 300}, "include:1: [length] the median header"),
    "every_source_is_built": (
        {"src/event/lost.cpp": "int lost;\n"},
        "src/event/lost.cpp:1: [orphan] no CMakeLists.txt lists it"),
    "a_source_commented_out_is_not_built": (
        {"src/event/lost.cpp": "int lost;\n", "src/event/CMakeLists.txt": TIDY["src/event/CMakeLists.txt"] + "# lost.cpp\n"},
        "src/event/lost.cpp:1: [orphan] no CMakeLists.txt lists it"),
    "every_folder_is_entered": (
        {"src/CMakeLists.txt": "add_subdirectory(event)\n# add_subdirectory(app)\n"},
        "src/app/CMakeLists.txt:1: [orphan] no add_subdirectory() reaches it"),
    "every_header_is_included": (
        {"src/event/lost.h": "#pragma once\n"}, "src/event/lost.h:1: [orphan] nothing includes it"),
    "every_config_is_tested": ({"configs/lost.yaml": "threads: 1\n"}, "configs/lost.yaml:1: [orphan] no test loads it"),
    "every_page_is_linked": ({"docs/lost.md": "# Lost\n"}, "docs/lost.md:1: [orphan] neither README.md nor"),
    "links_lead_somewhere": (
        {"README.md": "# R\n\n[x](docs/nowhere.md)\n"},
        "README.md:3: [link] docs/nowhere.md leads nowhere"),
    "anchors_lead_somewhere": (
        {"README.md": "# R\n\n[x](docs/other.md#no-such)\n"},
        "README.md:3: [link] docs/other.md#no-such: docs/other.md has no"),
    "a_cited_rule_exists": (
        with_event("// Ties go to the latest [S4.3].\n"),
        "src/event/decoder.cpp:6: [rule] [S4.3] is no rule of docs/semantics.md"),
    "a_cited_section_exists": (
        {"tests/a.scenario": "# [S6]: the mean\n"}, "tests/a.scenario:1: [rule] [S6] is no rule of docs/semantics.md"),
    "a_rule_cited_by_a_page_exists": (
        {"README.md": "# R\n\nAs [I1.1] says.\n"}, "README.md:3: [rule] [I1.1] is no rule of docs/interfaces.md"),
    "a_rule_is_defined_once": (
        {"docs/semantics.md": RULES + "- **S5.1** Four.\n"}, "docs/semantics.md:11: [rule] S5.1 is defined twice"),
    "a_rule_stands_in_its_section": (
        {"docs/semantics.md": RULES + "- **S4.3** Four.\n"}, "docs/semantics.md:11: [rule] S4.3 stands in section S5"),
    "a_rule_of_another_page_is_no_rule_here": (
        {"docs/semantics.md": RULES + "- **I5.1** Four.\n"}, "docs/semantics.md:11: [rule] I5.1 stands in section S5"),
    "a_page_the_project_does_not_have_is_not_cited": (
        with_event("// SEMANTICS §4.\n"), "src/event/decoder.cpp:6: [rule] `SEMANTICS` is no page of the project"),
    "anchors_lead_to_one_place": (
        {"docs/other.md": TIDY["docs/other.md"] + "\n## Runs\n\n## Runs\n",
         "README.md": "# R\n\n[x](docs/other.md#runs)\n"},
        "README.md:3: [link] docs/other.md#runs: docs/other.md has two"),
    "a_page_that_is_cited_is_linked": (
        {"README.md": "# R\n\nThat of docs/other.md for differences.\n"},
        "README.md:3: [link] docs/other.md is named and not linked"),
    "a_page_beside_that_is_cited_is_linked": (
        {"docs/other.md": TIDY["docs/other.md"] + "\nas in architecture.md\n"},
        "docs/other.md:5: [link] architecture.md is named and not linked"),
    "a_decision_that_is_cited_is_linked": (
        {"README.md": "# R\n\nReasons: docs/decisions/0001.\n"},
        "README.md:3: [link] docs/decisions/0001 is named and not linked"),
    "a_page_that_code_cites_is_there": (
        with_event("// docs/gone.md says more.\n"), "src/event/decoder.cpp:6: [link] docs/gone.md is not there"),
    "a_heading_that_code_cites_is_there": (
        with_event("// docs/other.md#gone\n"), "src/event/decoder.cpp:6: [link] docs/other.md#gone: docs/other.md has no"),
    "a_rule_that_code_cites_is_there": (
        with_event("// docs/semantics.md, [S4.3]\n"),
        "src/event/decoder.cpp:6: [rule] [S4.3] is no rule of docs/semantics.md"),
    "a_rule_is_cited_in_brackets": (
        with_event("// docs/semantics.md, S4.1 to S4.2\n"),
        "src/event/decoder.cpp:6: [rule] `docs/semantics.md, S4.1` is no citation that is checked"),
}

# What looks like a fault and is none.
HARMLESS = {
    "words_in_comments_and_strings": with_event('// never throw\nconst char* s = "throw assert(x) sleep(1) std::cout";\n'),
    "members_named_like_calls": with_event("int a = event.time();\nint b = list.rand(2);\n"),
    "a_sleep_with_a_reason": with_event("// style: allowed because the pipe has to be slow\nvoid s() { sleep(1); }\n"),
    "an_override_of_a_marked_function": with_event("struct A : B {\n  Result<int> f(int x) override;\n};\n"),
    "a_result_marked_above": {"include/recmeter/base/error.h": "#pragma once\n[[nodiscard]]\nResult<int> f(int x);\n"},
    "static_assert": with_event("static_assert(true);\n"),
    "a_long_function_with_a_reason": with_event(function_of(90, above="// style: long because it is one table\n")),
    "a_function_of_seventy": with_event(function_of(70)),
    "a_long_raw_literal": with_event('auto s = R"(' + "x" * 140 + ')";\n'),
    "a_todo_with_an_issue": with_event("// TODO(#12): later\n"),
    "a_nolint_with_a_reason": with_event("int x = f();  // NOLINT(bugprone-x): the table is complete\n"),
    "any_third_party_where_the_table_says_so": {
        "docs/architecture.md": TABLE.replace("| simdjson |", "| any |"), **with_event("#include <zlib.h>\n")},
    "configs_loaded_by_a_loop": {
        "configs/other.yaml": "threads: 1\n",
        "tests/configs_test.cpp": 'auto all = std::filesystem::directory_iterator(SOURCE "/configs");\n'},
    "links_in_code_blocks": {"README.md": "# R\n\n```\n[x](nowhere.md)\n```\n\n`[y](nowhere.md)`\n"},
    "rules_and_sections_that_exist": with_event("// Ties [S4.2], as all of [S4].\n"),
    "the_command_line_may_print": {"src/app/main.cpp": TIDY["src/app/main.cpp"] + "void p() { std::puts(hello); }\n"},
}


def findings_in(changes):
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**TIDY, **changes}.items():
            if text is not None:
                (Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(root) / path).write_text(text, encoding="utf-8")
        return sorted(set(style.check(root).findings))


class Style(unittest.TestCase):
    def test_a_tidy_tree_passes(self):
        self.assertEqual(findings_in({}), [])

    def test_each_rule_catches_its_fault(self):
        for name, (changes, expected) in CASES.items():
            with self.subTest(name):
                found = findings_in(changes)
                self.assertTrue(any(line.startswith(expected) for line in found), f"expected {expected}\nfound {found}")
                self.assertEqual(len({line.split(" ")[0] for line in found}), len(found), found)

    def test_what_is_harmless_passes(self):
        for name, changes in HARMLESS.items():
            with self.subTest(name):
                self.assertEqual(findings_in(changes), [])


class CppText(unittest.TestCase):
    def test_comments_and_literals_are_blank_and_lines_stay(self):
        text = 'int a; // x {\nchar b = \'{\'; /* {\n{ */ auto c = "\\"{"; auto d = R"x(\n{)x";\nint n = 1\'000\'000;\n'
        code = code_only(text)
        self.assertNotIn("{", code)
        self.assertEqual(code.count("\n"), text.count("\n"))
        self.assertIn("1'000'000", code)

    def test_functions_are_found_by_their_parameter_list(self):
        body = "{\n  a();\n  b();\n}\n"
        for head in [
            "int f() ", "auto f() -> Result<int> ", "template <class T>\nvoid f(T t) ", "bool operator==(A a, A b) ",
            "A::A(int x) : x_(x), y_{x} ", "A::A(int x) noexcept : B{x} ", "TEST(Watermark, never_moves_back) ",
            "struct A f(int x) ", "class A {\n public:\n  explicit A(int x) : x_{x} ",
        ]:  # fmt: skip
            with self.subTest(head):
                self.assertEqual([f.length for f in functions("namespace n {\n" + head + body + "}\n")][:1], [2])

    def test_types_tables_and_namespaces_are_no_functions(self):
        for text in [
            "namespace n {\nint x;\n}\n", "struct A {\n  int x;\n};\n", "enum class E : int {\n  a,\n  b,\n};\n",
            "constexpr std::array<int, 2> t{\n  1,\n  2};\n", "template <class T>\nclass A : public B<T> {\n  int x;\n};\n",
        ]:  # fmt: skip
            with self.subTest(text):
                self.assertEqual(functions(text), [])

    def test_lambdas_and_blocks_count_towards_their_function(self):
        text = "void f() {\n  auto g = [](int x) {\n    return x;\n  };\n  if (g(1)) {\n    g(2);\n  }\n}\n"
        self.assertEqual([f.length for f in functions(text)], [6])


if __name__ == "__main__":
    unittest.main()
