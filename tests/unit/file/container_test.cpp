// A file is read as the format that most of its first records fit; its name comes first. [I3.22].
#include "recmeter/file/container.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "recmeter/file/open_file.h"
#include "unit/file/packed.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

std::string times(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

const std::string object = R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})"
                           "\n";
const std::string cut_object = R"("u","items":["a","b"]})"
                               "\n";
const std::string row = "1700000000000,u,a\n";
const std::string pretty = "{\n  \"type\": \"click\",\n  \"items\": [\n    {\"id\": 1}\n  ]\n}";

struct Case {
  const char* name;
  std::string file;
  std::string log;
  std::string format;
  std::string why;
};

const Case cases[] = {
    {"lines", "log", times(object, 3), "JSON lines", "3 of its first 3 lines are JSON objects"},
    {"lines_beyond_a_hundred", "log", times(object, 300), "JSON lines", "100 of its first 100 lines are JSON objects"},
    {"one_line_without_its_end", "log", object.substr(0, object.size() - 1), "JSON lines",
     "1 of its first 1 lines are JSON objects"},
    {"two_lines_of_which_the_last_has_no_end", "log", object + cut_object.substr(0, 4), "JSON lines", "no format fits"},
    {"lines_after_a_cut_one", "log", cut_object + times(object, 9), "JSON lines", "9 of its first 10 lines are"},
    {"lines_after_the_end_of_an_array", "log",
     R"(["a","b"]})"
     "\n" +
         times(object, 9),
     "JSON lines", "9 of its first 10"},
    {"lines_after_the_end_of_an_array_of_objects", "log",
     R"([{"id":"a"},{"id":"b"}]})"
     "\n" +
         times(object, 9),
     "JSON lines", "9 of its first 10"},
    {"lines_after_a_cut_object", "log", "{\"type\":\"cli\n" + times(object, 9), "JSON lines", "9 of its first 10"},
    {"lines_after_a_comment", "log", "# exported, on Monday, by hand\n" + times(object, 9), "JSON lines",
     "9 of its first 10"},
    {"lines_after_an_empty_one", "log", "\n\r\n" + times(object, 9), "JSON lines", "9 of its first 9"},
    {"lines_after_a_mark", "log", "\xEF\xBB\xBF" + times(object, 9), "JSON lines", "9 of its first 9"},
    {"lines_of_which_half_are_foreign", "log", times("warning: retried\n", 5) + times(object, 5), "JSON lines", "no format"},
    {"lines_called_csv", "log.csv", times(object, 9), "JSON lines", "9 of its first 9"},
    {"lines_called_tsv", "log.tsv", times(object, 9), "JSON lines", "9 of its first 9"},
    {"lines_called_json", "log.json", times(object, 9), "JSON lines", "9 of its first 9"},
    {"lines_longer_than_what_is_looked_at", "log", "{\"x\":\"" + std::string(2 * file::container_bytes, 'x') + "\"}\n",
     "JSON lines", "1 of its first 1"},
    {"lines_in_single_quotes", "log", times("{'type': 'click', 'ts': 1}\n", 9), "JSON lines", "9 of its first 9"},
    {"objects_in_a_line", "log", times(object.substr(0, object.size() - 1), 9), "JSON objects one behind the other",
     "1 of its first 1 lines are several JSON objects"},
    {"objects_in_a_line_longer_than_what_is_looked_at", "log.csv", times("{\"a\":\"}{\",\"b\":[{}]} ", 9000),
     "JSON objects one behind the other", "1 of its first 1 lines are several"},
    {"objects_several_a_line", "log.jsonl", times("{\"a\":1}{\"a\":2}\n", 9) + object, "JSON objects one behind the other",
     "9 of its first 10 lines are several"},
    {"objects_over_several_lines", "log", times(pretty + "\n", 9), "JSON objects one behind the other",
     "goes on in the next line, and another one follows"},
    {"lines_of_which_two_ran_together", "log", times(object, 9) + object.substr(0, object.size() - 1) + object, "JSON lines",
     "10 of its first 10"},
    {"lines_with_brackets_in_texts", "log", times("{\"a\":\"}{\\\"}{\"}\n", 9), "JSON lines", "9 of its first 9"},
    {"array", "log", "[\n" + times(object.substr(0, object.size() - 1) + ",\n", 9) + object + "]\n", "a JSON array",
     "it begins with `[`"},
    {"array_in_one_line", "log", "[{\"a\":1},{\"a\":2}]", "a JSON array", "it begins with `[`"},
    {"array_that_is_empty", "log", "[]\n", "a JSON array", "it begins with `[`"},
    {"array_that_is_pretty", "log.csv", "[\n" + times(pretty + ",\n", 9) + pretty + "\n]\n", "a JSON array",
     "it begins with `[`"},
    {"array_called_jsonl", "log.jsonl", "[\n" + times(pretty + ",\n", 9) + pretty + "\n]\n", "a JSON array",
     "it begins with `[`"},
    {"array_of_arrays", "log", "[\n  [\"a\", 1],\n  [\"b\", 2]\n]\n", "a JSON array", "it begins with `[`"},
    {"array_of_texts", "log.csv", "[\n  \"a\",\n  \"b\",\n  \"c\"\n]\n", "a JSON array", "it begins with `[`"},
    {"arrays_a_line_each", "log", times("[1,2]\n", 9), "a JSON array", "it begins with `[`"},
    {"document", "log", "{\n  \"hits\": [\n" + times(pretty + ",\n", 9) + pretty + "\n]}\n", "a JSON array",
     "it begins with an object that goes on in the next line"},
    {"document_after_an_empty_line", "log", "\n{\"took\": 3,\n \"hits\": [\n  1]}\n", "a JSON array",
     "it begins with an object"},
    {"rows", "log", "time,user,item\n" + times(row, 9), "CSV", "`,` cuts 10 of its first 10 lines into 3 columns"},
    {"rows_with_names_in_braces", "log", "{time},{user},{item}\n" + times(row, 9), "CSV", "`,` cuts 10 of"},
    {"rows_with_names_in_brackets", "log", "[time],[user],[item]\n" + times(row, 9), "CSV", "`,` cuts 9 of its first 10"},
    {"rows_with_quoted_names_in_brackets", "log", "[\"time\"],[\"user\"],[\"item\"]\n" + times(row, 9), "CSV",
     "`,` cuts 9 of"},
    {"rows_with_a_name_in_braces_over_quoted_times", "log", "{time},user\n" + times("\"2026-03-02\",u\n", 9), "CSV",
     "`,` cuts 10 of"},
    {"rows_after_a_banner", "log", "sep=;\n" + times("1700000000000;u;a,b\n", 9), "CSV with `;`",
     "`;` cuts 9 of its first 10"},
    {"rows_after_a_cut_one", "log", "000,u\n" + times(row, 9), "CSV", "`,` cuts 9 of its first 10 lines into 3 columns"},
    {"rows_with_json_in_cells", "log", "time,what\n" + times("1700000000000,\"{\"\"a\"\":1,\"\"b\"\":2}\"\n", 9), "CSV",
     "into 2 columns"},
    {"rows_of_one_column", "log.csv", "item\na\nb\n", "CSV", "its name has .csv, and no format fits"},
    {"rows_of_one_column_of_objects", "log.csv", times("\"{\"\"a\"\":1}\"\n", 9), "CSV", "its name has .csv"},
    {"one_column_without_a_name", "log", "item\na\nb\n", "JSON lines", "no format fits most of its first lines"},
    {"one_column_called_jsonl", "log.jsonl", "item\na\nb\n", "JSON lines", "its name has .jsonl"},
    {"tabs", "log", times("1\tu\ta\n", 9), "TSV", "a tab cuts 9 of its first 9 lines into 3 columns"},
    {"tabs_called_tsv_with_commas_in_cells", "log.TSV", times("1\tu\ta,b,c,d,e,f\n", 9), "TSV", "a tab cuts 9"},
    {"tabs_between_texts_in_braces", "log", times("{a,b}\tu\t{c,d}\n", 9), "TSV", "a tab cuts 9"},
    {"tabs_called_tsv_between_objects", "log.tsv", times("{\"a\":1}\tu\t{\"b\":2}\n", 9), "TSV", "a tab cuts 9"},
    {"nothing", "log.csv", "", "CSV", "its name has .csv"},
};

class Recognised : public testing::TestWithParam<Case> {};

file::FoundContainer found_in(const Scratch& scratch, const std::string& name, const std::string& bytes,
                              const file::ContainerForm& form = {}) {
  const auto opened = file::open_log(scratch.put(name, bytes), form, {});
  return opened ? opened->found : file::FoundContainer{.why = opened.error().context};
}

TEST_P(Recognised, is_what_most_of_the_first_records_fit) {
  const Case& each = GetParam();
  const Scratch scratch;
  for (const auto& [suffix, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"", each.log}, {".gz", gzip(each.log)}, {".zst", zstd(each.log)}, {".1", each.log}}) {
    const auto found = found_in(scratch, each.file + suffix, bytes);
    EXPECT_EQ(file::format_text(found), each.format) << suffix << "; " << found.why;
    EXPECT_NE(found.why.find(each.why), std::string::npos) << suffix << "; " << found.why;
  }
}

INSTANTIATE_TEST_SUITE_P(Format, Recognised, testing::ValuesIn(cases), [](const auto& param) { return param.param.name; });

TEST(RecogniseContainer, counts_from_both_sides_of_half) {
  const std::string foreign = "a line of a program\n";
  EXPECT_EQ(file::recognise_container(times(foreign, 49) + times(object, 51), "", {}).why,
            "51 of its first 100 lines are JSON objects");
  EXPECT_EQ(file::recognise_container(times(foreign, 50) + times(object, 50), "", {}).why,
            "no format fits most of its first lines");
  EXPECT_EQ(file::recognise_container(times(foreign, 49) + times(row, 51), "", {}).container, file::Container::rows);
  EXPECT_EQ(file::recognise_container(times(foreign, 50) + times(row, 50), "", {}).container, file::Container::lines);
}

TEST(RecogniseContainer, looks_at_no_more_than_it_says) {
  const std::string banner = "# " + std::string(1000, '-') + "\n";
  const std::size_t many = file::container_bytes / banner.size() + 1;
  // All that is looked at is foreign, whatever comes behind.
  const std::string log = times(banner, many) + times(object, 1000);
  EXPECT_EQ(file::recognise_container(log.substr(0, file::container_bytes), "", {}).why,
            "no format fits most of its first lines");
  // A line that is cut there is not judged.
  const std::string wide = R"({"x":")" + std::string(file::container_bytes / 2, 'x') + "\"}\n";
  EXPECT_EQ(file::recognise_container((wide + wide).substr(0, file::container_bytes), "", {}).why,
            "1 of its first 1 lines are JSON objects");
}

TEST(RecogniseContainer, follows_what_is_said) {
  const Scratch scratch;
  const std::string answer = "{\"took\":3,\"hits\":{\"hits\":[{\"a\":1}]}}\n";
  EXPECT_EQ(found_in(scratch, "log", answer).container, file::Container::lines);
  EXPECT_EQ(found_in(scratch, "log", answer, {.records = {"hits", "hits"}}).why, "`records` names an array in it");
  EXPECT_EQ(found_in(scratch, "log", "1:u:a,b\n1:u:a,b\n", {.delimiter = ':'}).why,
            "`:` cuts 2 of its first 2 lines into 3 columns");
  EXPECT_EQ(found_in(scratch, "log.csv", object, {.container = file::Container::rows}).why, "");
  EXPECT_EQ(file::format_text(found_in(scratch, "log", "1;u;a\n2;u;b\n", {.container = file::Container::rows})),
            "CSV with `;`");
}

using Columns = std::vector<std::string>;

TEST(RecogniseContainer, names_the_columns_of_a_header) {
  const Scratch scratch;
  const std::string log = "\xEF\xBB\xBFtime,\"user, or visitor\",item\r\n" + times(row, 9);
  const Columns columns{"time", "user, or visitor", "item"};
  EXPECT_EQ(found_in(scratch, "log.csv", log).columns, columns);
  EXPECT_EQ(found_in(scratch, "log.csv.gz", gzip(log)).columns, columns);
  EXPECT_EQ(found_in(scratch, "said", log, {.container = file::Container::rows, .delimiter = ','}).columns, columns);
  EXPECT_EQ(found_in(scratch, "tabs.tsv", "a\tb\n1\t2\n").columns, (Columns{"a", "b"}));
  EXPECT_EQ(found_in(scratch, "head.csv", "# by a program\n" + log.substr(3), {.comment = '#'}).columns, columns);
  EXPECT_EQ(found_in(scratch, "bare.csv", times(row, 9), {.has_header = false}).columns, Columns{});
  EXPECT_EQ(found_in(scratch, "log.jsonl", times(object, 9)).columns, Columns{});
  EXPECT_EQ(found_in(scratch, "empty.csv", "").columns, Columns{});
}

}  // namespace
}  // namespace recmeter::test
