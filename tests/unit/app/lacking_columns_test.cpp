// Columns that a configuration names and a header lacks.
#include "app/run/lacking_columns.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/load_config.h"

namespace recmeter {
namespace {

using Names = std::vector<std::string>;

Shape shape(const std::string& input) {
  const auto config = load_config("inputs: [{file: a.csv, " + input + "}]\n", "test.yaml", {});
  if (config) return shape_of(config->inputs.at(0).fields);
  ADD_FAILURE() << to_text(config.error().front());
  return {};
}

TEST(LackingColumns, are_those_that_the_configuration_names) {
  const Names columns{"at", "visitor", "products"};
  EXPECT_EQ(lacking_columns(shape("fields: {ts: at, user_id: visitor, items: products}"), columns), Names{});
  EXPECT_EQ(lacking_columns(shape("fields: {ts: when, user_id: visitor, items: products}"), columns), Names{"when"});
  EXPECT_EQ(lacking_columns(shape("fields: {ts: at, segments: {arm: ranker, page: page}}"), columns),
            (Names{"ranker", "page"}));
}

TEST(LackingColumns, are_not_our_own_names) {
  EXPECT_EQ(lacking_columns(shape("unit: s"), {"at"}), Names{});
  EXPECT_EQ(lacking_columns(shape("fields: {ts: at, user_id: user_id}"), {"at"}), Names{});
}

TEST(LackingColumns, are_not_those_that_need_not_be_there) {
  EXPECT_EQ(lacking_columns(shape("fields: {ts: at, user_id: [login, device]}"), {"at", "device"}), Names{});
  EXPECT_EQ(lacking_columns(shape("fields: {ts: at, user_id: [login, device]}"), {"at"}), (Names{"login", "device"}));
  EXPECT_EQ(lacking_columns(shape("fields: {ts: at, user_id: {join: [shop, login], with: '-'}}"), {"at", "shop"}),
            Names{"login"});
  EXPECT_EQ(lacking_columns(shape("csv: {header: false}, fields: {ts: $1, user_id: $2}"), {"at"}), Names{});
}

TEST(LackingColumns, of_a_rule_that_takes_no_record_are_its_conditions) {
  const std::string rules =
      "fields: {ts: at, user_id: visitor}, events: [{type: click, when: {action: click}, fields: {item_id: product}}]";
  EXPECT_EQ(lacking_columns(shape(rules), {"at", "visitor", "product"}), Names{"action"});
  EXPECT_EQ(lacking_columns(shape(rules), {"at", "visitor", "action"}), Names{"product"});
  EXPECT_EQ(lacking_columns(shape(rules), {"at", "visitor", "action", "product"}), Names{});
}

TEST(LackingColumns, are_told_with_those_that_are_there) {
  EXPECT_EQ(lacking_sentence("a.csv", shape("fields: {ts: at, user_id: visitorx}"), {"at", "visitor"}),
            "a.csv has no column `visitorx`, which the configuration reads; its columns are `at`, `visitor`");
  EXPECT_EQ(lacking_sentence("a.csv", shape("fields: {ts: at}"), {"at"}), "");
  Names many(25, "c");
  const std::string text = lacking_sentence("a.csv", shape("fields: {ts: when}"), many);
  EXPECT_NE(text.find("`c` and 5 more"), std::string::npos) << text;
}

}  // namespace
}  // namespace recmeter
