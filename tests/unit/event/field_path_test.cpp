#include "recmeter/event/field_path.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

struct Case {
  const char* text;
  FieldPath path;
};

using Kind = PathStep::Kind;

const Case paths[] = {
    {"a", {{.name = "a"}}},
    {"a.b", {{.name = "a"}, {.name = "b"}}},
    {"a[0]", {{.name = "a"}, {.kind = Kind::index, .index = 0}}},
    {"a[12].b", {{.name = "a"}, {.kind = Kind::index, .index = 12}, {.name = "b"}}},
    {"a[key=x].v", {{.name = "a"}, {.kind = Kind::match, .name = "key", .value = "x"}, {.name = "v"}}},
    {"a[key=]", {{.name = "a"}, {.kind = Kind::match, .name = "key", .value = ""}}},
    {"$3", {{.name = "$3"}}},
    {"a:json", {{.name = "a"}, {.kind = Kind::json}}},
    {"a:json.b[0]:json", {{.name = "a"}, {.kind = Kind::json}, {.name = "b"}, {.kind = Kind::index}, {.kind = Kind::json}}},
    {"a:jsonb", {{.name = "a:jsonb"}}},
    {"xdm:items", {{.name = "xdm:items"}}},
    {"a\\.b", {{.name = "a.b"}}},
    {"a\\[0\\]", {{.name = "a[0]"}}},
    {"a\\:json", {{.name = "a:json"}}},
    {"a\\\\", {{.name = "a\\"}}},
    {"\xC3\xA4 b", {{.name = "\xC3\xA4 b"}}},
};

TEST(FieldPath, is_read_as_its_steps) {
  for (const Case& c : paths) EXPECT_EQ(parse_path(c.text), c.path) << c.text;
}

TEST(FieldPath, is_written_so_that_it_is_read_as_itself) {
  for (const Case& c : paths) EXPECT_EQ(parse_path(path_text(c.path)), c.path) << path_text(c.path);
}

TEST(FieldPath, without_a_name_or_with_an_open_bracket_is_none) {
  for (const char* text : {"", ".", "a.", ".a", "a..b", "[0]", "a[", "a[]", "a[x]", "a[-1]", "a[0", "a[=x]", "a[0]b", ":json",
                           "a[99999999999999999999999]"}) {
    EXPECT_EQ(parse_path(text), std::nullopt) << text;
  }
}

TEST(FieldPath, has_at_most_16_steps) {
  std::string text = "a";
  for (int i = 0; i < 15; ++i) text += ".a";
  EXPECT_TRUE(parse_path(text).has_value());
  EXPECT_EQ(parse_path(text + ".a"), std::nullopt);
}

}  // namespace
}  // namespace recmeter
