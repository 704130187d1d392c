#include "config/catalog_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace recmeter {
namespace {

constexpr std::size_t id_bytes = 8;

std::string error_of(std::string_view text) {
  const auto catalog = parse_catalog(text, "items.txt", id_bytes);
  return catalog ? "no error" : catalog.error().context;
}

TEST(CatalogFile, has_an_id_on_each_line) {
  const auto catalog = parse_catalog(
      "\xEF\xBB\xBF"
      "b\r\n\na\n\xC3\xA9/c-1.0:x#2",
      "items.txt", 32);
  ASSERT_TRUE(catalog.has_value());
  EXPECT_EQ(catalog->size, 3U);
  EXPECT_TRUE(catalog->items.contains("a"));
  EXPECT_TRUE(catalog->items.contains("\xC3\xA9/c-1.0:x#2"));
}

TEST(CatalogFile, has_objects_with_an_item_id) {
  const auto catalog =
      parse_catalog("{\"item_id\":\"a\",\"price\":3}\n{\"item_id\": 7}\n{\"item_id\":18446744073709551615}", "x", 32);
  ASSERT_TRUE(catalog.has_value()) << catalog.error().context;
  EXPECT_EQ(catalog->size, 3U);
  EXPECT_TRUE(catalog->items.contains("7"));
  EXPECT_TRUE(catalog->items.contains("18446744073709551615"));
}

TEST(CatalogFile, gives_each_value_of_a_member_as_an_attribute) {
  const auto catalog = parse_catalog(
      R"({"item_id":"a","genre":["jazz","live","jazz"],"year":1959,"new":false}
{"item_id":"b","year":"1959","price":2.50,"genre":"live"}
{"item_id":"c","none":null,"more":{"genre":"jazz"},"all":[null,["jazz"]]}
{"item_id":"d"})",
      "x", id_bytes);
  ASSERT_TRUE(catalog.has_value());
  const auto a = catalog->attributes_of("a");
  const auto b = catalog->attributes_of("b");
  EXPECT_EQ(a.size(), 4U);
  EXPECT_EQ(b.size(), 3U);
  EXPECT_TRUE(std::is_sorted(b.begin(), b.end()));
  std::vector<std::uint32_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  EXPECT_EQ(common.size(), 2U);  // genre=live and year=1959
  for (const char* none : {"c", "d", "e"}) EXPECT_TRUE(catalog->attributes_of(none).empty()) << none;
}

// As in events, [S2.19]: what Python writes for a number that is not there is no value, a long integer is its digits.
TEST(CatalogFile, reads_numbers_that_json_or_our_types_do_not_have) {
  const auto catalog = parse_catalog(
      R"({"item_id":161052160414371749777,"price":NaN,"all":[Infinity,-Infinity,1e999,7],"ean":161052160414371749777}
{"item_id":"161052160414371749778","price":7e-999,"x":{"y":NaN},"ean":"161052160414371749777","all":[NaN]}
{"item_id":"NaN","price":NaN})",
      "x", 32);
  ASSERT_TRUE(catalog.has_value()) << catalog.error().context;
  EXPECT_EQ(catalog->size, 3U);
  EXPECT_TRUE(catalog->items.contains("161052160414371749777"));
  const auto a = catalog->attributes_of("161052160414371749777");
  const auto b = catalog->attributes_of("161052160414371749778");
  EXPECT_EQ(a.size(), 2U);  // all=7 and ean
  EXPECT_EQ(b.size(), 2U);  // price=0 and ean
  std::vector<std::uint32_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  EXPECT_EQ(common.size(), 1U);
  EXPECT_TRUE(catalog->attributes_of("NaN").empty());
  // As ids: an error of the line, as a fraction is; a long one has a length.
  for (const char* id : {"NaN", "Infinity", "-Infinity", "1e999"}) {
    EXPECT_EQ(error_of("{\"item_id\":\"a\"}\n{\"item_id\":" + std::string(id) + "}\n"),
              "line 2 of `items.txt` is not a JSON object with an `item_id`")
        << id;
  }
  EXPECT_EQ(error_of("{\"item_id\":161052160414371749777}\n"), "line 1 of `items.txt` has an id of more than 8 bytes");
  EXPECT_EQ(error_of("{\"item_id\":\"a\",\"price\":NAN}\n"), "line 1 of `items.txt` is not a JSON object with an `item_id`");
}

TEST(CatalogFile, hashes_the_attributes_apart_from_the_items) {
  const auto read = [](std::string_view text) { return *parse_catalog(text, "x", id_bytes); };
  const Catalog one = read(R"({"item_id":"a","g":["x","y"]}
{"item_id":"b","g":"x"})");
  const Catalog turned = read(R"({"item_id":"b","g":"x"}
{"item_id":"a","g":["y","x","y"]})");
  const Catalog moved = read(R"({"item_id":"a","g":"x"}
{"item_id":"b","g":["x","y"]})");
  EXPECT_EQ(one.attributes_hash, turned.attributes_hash);
  EXPECT_NE(one.attributes_hash, moved.attributes_hash);
  EXPECT_EQ(one.content_hash, moved.content_hash);
  EXPECT_EQ(read("a\nb").attributes_hash, 0U);
}

TEST(CatalogFile, hashes_the_items_whatever_their_order_and_form) {
  const auto lines = parse_catalog("a\nb\n", "x", id_bytes), turned = parse_catalog("b\n\na", "x", id_bytes),
             objects = parse_catalog("{\"item_id\":\"b\"}\n{\"item_id\":\"a\"}", "x", id_bytes),
             other = parse_catalog("a\nc\n", "x", id_bytes);
  EXPECT_EQ(lines->content_hash, turned->content_hash);
  EXPECT_EQ(lines->content_hash, objects->content_hash);
  EXPECT_NE(lines->content_hash, other->content_hash);
}

TEST(CatalogFile, names_the_line_of_a_mistake) {
  EXPECT_EQ(error_of("a\nb\na\n"), "line 3 of `items.txt` has an item that was there: `a`");
  EXPECT_EQ(error_of("a\n\n123456789\n"), "line 3 of `items.txt` has an id of more than 8 bytes");
  EXPECT_EQ(error_of("{\"item_id\":\"a\"}\nb\n"), "line 2 of `items.txt` is not a JSON object with an `item_id`");
  EXPECT_EQ(error_of("{\"id\":\"a\"}\n"), "line 1 of `items.txt` is not a JSON object with an `item_id`");
  EXPECT_EQ(error_of("{\"item_id\":\"\"}\n"), "line 1 of `items.txt` has an empty id");
  EXPECT_EQ(error_of("{\"item_id\":1.5}\n"), "line 1 of `items.txt` is not a JSON object with an `item_id`");
  EXPECT_EQ(error_of("\xff\n"), "line 1 of `items.txt` is not UTF-8");
}

// A file of another kind: where the line that says so stands, and what it may be instead.
TEST(CatalogFile, of_another_kind_is_not_taken_for_ids) {
  const std::string_view lines[] = {"two words",
                                    " a",
                                    "a ",
                                    "a\tb",
                                    "item_id,genre",
                                    "a;b",
                                    "\"a\"",
                                    "['a']",
                                    "<html>",
                                    "{\"item_id\":\"a\"}",
                                    "\x7f"
                                    "ELF\x02\x01",
                                    "a\x1b[31m",
                                    "key: 1",
                                    "f(x)",
                                    "a|b",
                                    "`a`",
                                    "- a",
                                    "it's",
                                    std::string_view("PK\0\3", 4)};
  for (const std::string_view line : lines) {
    EXPECT_EQ(error_of("good\n" + std::string(line) + "\n"),
              "line 2 of `items.txt` is not an id: write one with such characters as {\"item_id\": \"...\"}")
        << line;
  }
  const auto object = parse_catalog(R"({"item_id":"a, b"})", "x", id_bytes);
  ASSERT_TRUE(object.has_value());
  EXPECT_TRUE(object->items.contains("a, b"));
}

TEST(CatalogFile, without_items_is_an_error) {
  EXPECT_EQ(error_of(""), "`items.txt` names no item");
  EXPECT_EQ(error_of("\n \n"), "`items.txt` names no item");
  EXPECT_EQ(error_of("\x1F\x8B\x08"), "`items.txt` is compressed; unpack it");
}

TEST(CatalogFile, that_cannot_be_read_says_why) {
  const auto missing = load_catalog("/no/such/items.txt", id_bytes);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, Errc::input_missing);
  const auto directory = load_catalog("/tmp", id_bytes);
  ASSERT_FALSE(directory.has_value());
  EXPECT_EQ(directory.error().code, Errc::input_unreadable);
  EXPECT_EQ(directory.error().context, "`/tmp` cannot be read: Is a directory");
}

}  // namespace
}  // namespace recmeter
