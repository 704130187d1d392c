// Rows that are written otherwise than RFC 4180 says are the same rows. [I3.22].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "shapes/decoded.h"
#include "support/dice.h"
#include "support/effort.h"
#include "unit/file/packed.h"

namespace recmeter::test {
namespace {

std::string yaml_with(std::string_view csv) {
  return fmt::format(
      "inputs:\n  - {{format: csv, csv: {{{}}}, fields: {{ts: t, user_id: u, item_id: i, value: v}}, events: [{{type: "
      "click}}]}}\n",
      csv);
}
std::string click(std::string_view user, std::string_view item, std::string_view value = "") {
  return fmt::format(R"({{"type":"click","ts":1700000000000,"user_id":"{}","item_id":"{}"{}}})", user, item,
                     value.empty() ? "" : fmt::format(R"(,"value":{})", value));
}

TEST(RowDialect, an_escape_makes_the_next_character_literal) {
  const std::string yaml = yaml_with(R"(escape: "\\")");
  const auto of = [&yaml](const std::string& row) { return told(yaml, "t,u,i\n1700000000000," + row + "\n"); };
  EXPECT_EQ(of(R"("12\" pan, red",a)"), click(R"(12\" pan, red)", "a"));
  EXPECT_EQ(of(R"("12\"",a)"), click(R"(12\")", "a"));
  EXPECT_EQ(of(R"("say ""no""",a)"), click(R"(say \"no\")", "a"));
  EXPECT_EQ(of(R"(x\,y,a)"), click("x,y", "a"));
  EXPECT_EQ(of(R"(\"x,a)"), click(R"(\"x)", "a"));
  EXPECT_EQ(of("x\\\ny,a"), click(R"(x\ny)", "a"));
  EXPECT_EQ(of(R"(x\ny\tz\r,a)"), click(R"(x\ny\tz\r)", "a"));
  EXPECT_EQ(of(R"(x\\n,a)"), click(R"(x\\n)", "a"));
  EXPECT_EQ(of("x,a\\"), click("x", R"(a\n)"));
  EXPECT_EQ(told(yaml, "t,u,i\n1700000000000,x,a\\"), click("x", R"(a\\)"));
  EXPECT_EQ(of(R"("x"y,a)"), "invalid:not_a_row");
  EXPECT_NE(of(R"("x\",a)").find("ends within quotes"), std::string::npos) << of(R"("x\",a)");
}

TEST(RowDialect, another_escape_has_no_letters) {
  EXPECT_EQ(told(yaml_with("escape: '^'"), "t,u,i\n1700000000000,\"a^\"^n^^\",a\n"), click(R"(a\"n^)", "a"));
}

TEST(RowDialect, an_escaped_N_is_what_absent_says) {
  const std::string log = "t,u,i,v\n1700000000000,u,a,\\N\n";
  const std::string yaml = yaml_with(R"(escape: "\\")");
  EXPECT_EQ(told(yaml, log), "invalid:wrong_type");
  EXPECT_EQ(told(yaml.substr(0, yaml.find("fields")) + R"(absent: ["\\N"], )" + yaml.substr(yaml.find("fields")), log),
            click("u", "a"));
}

TEST(RowDialect, tabs_have_escapes_without_quotes) {
  const std::string yaml =
      "inputs:\n  - {format: tsv, csv: {escape: \"\\\\\"}, fields: {ts: t, user_id: u, item_id: i}, events: [{type: "
      "click}]}\n";
  EXPECT_EQ(told(yaml, "t\tu\ti\n1700000000000\t\"x\\\ty\tline\\nend\n"), click(R"(\"x\ty)", R"(line\nend)"));
}

TEST(RowDialect, comments_are_no_rows_and_stand_outside_of_quotes) {
  EXPECT_EQ(told(yaml_with("comment: '#'"),
                 "# it's \"not\" closed: \"\n#\nt,u,i\n# \"\n1700000000000,\"u\n#1\",a\n1700000000000,#u,b\n#1,2,3"),
            click(R"(u\n#1)", "a") + "\n" + click("#u", "b"));
}

TEST(RowDialect, lines_that_are_skipped_are_not_read) {
  const std::string rows = "t;u;i\n1700000000000;u;a\n";
  EXPECT_EQ(told(yaml_with("skip: 1"), "sep=;\n" + rows), click("u", "a"));
  EXPECT_EQ(told(yaml_with("skip: 3"), "\xEF\xBB\xBF\"Clicks\n\nof, today, \"all\"\r\n" + rows), click("u", "a"));
  EXPECT_EQ(told(yaml_with("skip: 9"), "sep=;\n" + rows), "");
}

TEST(RowDialect, what_is_skipped_or_a_comment_does_not_say_what_a_file_is) {
  const std::string yaml =
      "inputs:\n  - {csv: {skip: 2, comment: '#'}, fields: {ts: t, user_id: u, item_id: i}, events: [{type: click}]}\n";
  std::string log = "{\n{\n";
  for (int i = 0; i < 200; ++i) log += "# {\"a\":1}\n";
  EXPECT_EQ(told(yaml, log + "t;u;i\n1700000000000;u;a\n"), click("u", "a"));
}

TEST(RowDialect, a_long_line_that_is_no_row_is_passed_over) {
  const std::string yaml = yaml_with("skip: 1, comment: '#'") + "limits: {message_bytes: 1KiB}\n";
  const std::string text(5000, 'x');
  for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 16}) {
    EXPECT_EQ(decoded(yaml, text + "\n#" + text + "\nt,u,i\n#" + text + "\n1700000000000,u,a\n", block),
              std::vector{click("u", "a")});
  }
}

TEST(RowDialect, numbers_and_times_may_have_a_decimal_comma) {
  const std::string yaml = yaml_with("decimal: ','");
  const auto of = [&yaml](const std::string& value) { return told(yaml, "t;u;i;v\n1700000000000;u;a;" + value + "\n"); };
  EXPECT_EQ(of("2,5"), click("u", "a", "2.5"));
  EXPECT_EQ(of("-0,5"), click("u", "a", "-0.5"));
  EXPECT_EQ(of("3"), click("u", "a", "3"));
  EXPECT_EQ(of("1.234"), "invalid:wrong_type");
  EXPECT_EQ(of("1.234,5"), "invalid:wrong_type");
  EXPECT_EQ(of("1,2,3"), "invalid:wrong_type");
  const auto at = [&yaml](std::string_view unit, const std::string& time) {
    const std::string with_unit =
        yaml.substr(0, yaml.find("fields")) + fmt::format("unit: {}, zone: UTC, ", unit) + yaml.substr(yaml.find("fields"));
    return told(with_unit, "t;u;i\n" + time + ";u;a\n");
  };
  EXPECT_EQ(at("fractional_s", "1700000000,0"), click("u", "a"));
  EXPECT_EQ(at("ms", "1700000000000,0"), click("u", "a"));
  EXPECT_EQ(at("ms", "1700000000.000"), "invalid:wrong_type");
  EXPECT_EQ(at("iso", "2023-11-14 22:13:20,000"), click("u", "a"));
  EXPECT_EQ(at("iso", "2023-11-14 22:13:20.000"), click("u", "a"));
  EXPECT_EQ(at("rfc3339", "2023-11-14T22:13:20,000Z"), click("u", "a"));
  EXPECT_EQ(at("{pattern: '%d.%m.%Y %H:%M:%S,%f'}", "14.11.2023 22:13:20,000"), click("u", "a"));
  EXPECT_EQ(at("excel", "45244,925925926"), click("u", "a"));
}

TEST(RowDialect, a_decimal_comma_is_that_of_lists_and_products) {
  EXPECT_EQ(
      told("inputs:\n  - {format: csv, csv: {decimal: ','}, fields: {ts: t, user_id: u, item_id: i, value: {product: [p, "
           "n]}}, events: [{type: click}]}\n",
           "t;u;i;p;n\n1700000000000;u;a;2,5;3\n"),
      click("u", "a", "7.5"));
  EXPECT_EQ(told("inputs:\n  - {format: csv, csv: {decimal: ','}, fields: {ts: t, user_id: u, list_id: l, items: {at: i, "
                 "split: '|'}, "
                 "scores: {at: s, split: '|'}}, events: [{type: impression}]}\n",
                 "t;u;l;i;s\n1700000000000;u;l;a|b;0,5|0,25\n"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["a","b"],"scores":[0.5,0.25]})");
}

// How rows are written, by chance.
struct Dialect {
  char delimiter;
  char quote;  // '\0': none
  char escape;
  bool has_comments;
  std::size_t skip;
  bool has_commas;
  std::string line_end;

  static Dialect thrown(support::Dice& dice) {
    return {.delimiter = dice.pick(std::vector{',', ';', '\t', '|'}),
            .quote = dice.pick(std::vector{'"', '\'', '\0'}),
            .escape = dice.pick(std::vector{'\\', '^'}),
            .has_comments = dice.percent(50),
            .skip = dice.below(3),
            .has_commas = dice.percent(50),
            .line_end = dice.percent(50) ? "\n" : "\r\n"};
  }
  [[nodiscard]] std::string csv() const {
    return fmt::format("delimiter: {}, quote: {}, escape: '{}', skip: {}{}{}",
                       delimiter == '\t' ? "tab" : fmt::format("'{}'", delimiter),
                       quote == '\0'  ? "none"
                       : quote == '"' ? "'\"'"
                                      : "\"'\"",
                       escape, skip, has_comments ? ", comment: '#'" : "", commas() ? ", decimal: ','" : "");
  }
  [[nodiscard]] bool commas() const { return has_commas && delimiter != ','; }
  [[nodiscard]] std::string number(std::size_t cents) const {
    return fmt::format("{}{}{:02}", cents / 100, commas() ? ',' : '.', cents % 100);
  }
};

std::string plain(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

std::string written(std::string_view text, const Dialect& as, support::Dice& dice) {
  const bool is_quoted = as.quote != '\0' && dice.percent(50);
  std::string cell = is_quoted ? std::string(1, as.quote) : "";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_first = i == 0 && (c == as.quote || c == '#');
    const bool must = c == as.escape || (is_quoted ? c == as.quote : is_first || c == as.delimiter || c == '\n' || c == '\r');
    const char letter = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : '\0';
    const bool is_mark = std::ispunct(static_cast<unsigned char>(c)) != 0;
    if (is_quoted && c == as.quote && dice.percent(30)) {
      cell += c;  // doubled
    } else if (as.escape == '\\' && letter != '\0' && (must || dice.percent(30))) {
      cell += as.escape;
      cell += letter;
      continue;
    } else if (must || (is_mark && dice.percent(10))) {
      cell += as.escape;
    }
    cell += c;
  }
  if (is_quoted) cell += as.quote;
  return cell;
}

struct TwoLogs {
  std::string plain = "u,i,t,v\n";
  std::string written;
};

TwoLogs thrown_logs(const Dialect& as, support::Dice& dice) {
  const std::vector<std::string> letters{"a",  "b",  "\"", "'", ",", ";",      "|", "\t",
                                         "\n", "\r", "\\", "^", "#", "\u00e9", "N", "n"};
  const auto text = [&] {
    std::string made;
    for (std::size_t i = 0; i <= dice.below(8); ++i) made += dice.pick(letters);
    return made;
  };
  TwoLogs logs;
  for (std::size_t i = 0; i < as.skip; ++i) logs.written += "banner \"" + as.line_end;
  const auto add_comment = [&] {
    if (as.has_comments && dice.percent(30)) logs.written += "# \"' \\" + as.line_end;
  };
  add_comment();
  logs.written += fmt::format("u{0}i{0}t{0}v{1}", as.delimiter, as.line_end);
  for (std::size_t row = 0; row < 30; ++row) {
    const std::string user = text(), item = text();
    const std::size_t time = 1'700'000'000'000 + dice.below(100'000), cents = dice.below(10'000);
    logs.plain += fmt::format("{},{},{},{}.{:02}\n", plain(user), plain(item), time, cents / 100, cents % 100);
    add_comment();
    logs.written += fmt::format("{0}{4}{1}{4}{2}{4}{3}{5}", written(user, as, dice), written(item, as, dice), time,
                                as.number(cents), as.delimiter, as.line_end);
  }
  return logs;
}

TEST(RowDialectLaw, rows_are_the_same_however_they_are_written) {
  support::for_each_seed(60, 2000, [](std::uint64_t seed) {
    support::Dice dice(seed);
    const Dialect as = Dialect::thrown(dice);
    const TwoLogs logs = thrown_logs(as, dice);
    const std::string yaml = yaml_with(as.csv());
    const auto meant = decoded(yaml_with("delimiter: ','"), logs.plain);
    ASSERT_EQ(meant.size(), 30U);
    ASSERT_TRUE(std::ranges::all_of(meant, [](const std::string& event) { return event.starts_with('{'); })) << meant.front();
    for (const std::size_t block : {std::size_t{1}, std::size_t{5}, std::size_t{1} << 16}) {
      ASSERT_EQ(decoded(yaml, logs.written, block), meant) << yaml << logs.written;
    }
    ASSERT_EQ(decoded(yaml, gzip(logs.written), 3), meant) << yaml << logs.written;
    ASSERT_EQ(decoded(yaml, zstd(logs.written), 3), meant) << yaml << logs.written;
    ASSERT_EQ(decoded_sorted(yaml, logs.written), decoded_sorted(yaml_with("delimiter: ','"), logs.plain))
        << yaml << logs.written;
  });
}

}  // namespace
}  // namespace recmeter::test
