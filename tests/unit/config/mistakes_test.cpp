// Every mistake gets one fault: at its line, with its path, saying what is wrong and what to do.
#include <gtest/gtest.h>

#include "loading.h"

namespace recmeter::testing {
namespace {

struct Mistake {
  const char* name;
  const char* yaml;
  int line;
  const char* path;
  const char* message;  // words that the message holds
  const char* remedy;   // words that the remedy holds
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, has_one_fault_with_place_and_remedy) {
  const Mistake& mistake = GetParam();
  const auto config = load(mistake.yaml);
  ASSERT_FALSE(config.has_value());
  ASSERT_EQ(config.error().size(), 1U) << all_text(config.error());
  const ConfigFault& fault = config.error()[0];
  EXPECT_EQ(fault.file, "test.yaml");
  EXPECT_EQ(fault.line, mistake.line) << to_text(fault);
  EXPECT_GE(fault.column, 1);
  EXPECT_EQ(fault.path, mistake.path) << to_text(fault);
  EXPECT_NE(fault.message.find(mistake.message), std::string::npos) << to_text(fault);
  EXPECT_NE(fault.remedy.find(mistake.remedy), std::string::npos) << to_text(fault);
  EXPECT_FALSE(fault.remedy.empty());
  EXPECT_FALSE(fault.message.ends_with('.')) << fault.message;
  EXPECT_EQ(to_text(fault).find('\n'), std::string::npos);
  EXPECT_EQ(to_text(fault).find("hunter2"), std::string::npos) << "a secret is shown";
}

std::string case_name(const ::testing::TestParamInfo<Mistake>& test) {
  return test.param.name;
}

const Mistake form[] = {
    {"root_is_a_list", "- a\n- b\n", 1, "", "is a list", "key: value"},
    {"root_is_a_scalar", "just words\n", 1, "", "no keys", "recmeter init"},
    {"two_documents", "threads: 1\n---\nthreads: 2\n", 1, "", "more than one YAML document", "---"},
    {"broken_flow", "threads: 1\nwindows: [{name: a, size: 1m}\n", 3, "", "not valid YAML", "brackets"},
    {"open_double_quote", "threads: 1\nname: \"abc\\\"\nstate: {}\n", 2, "", "quote is not closed", "close it"},
    {"open_single_quote", "state: {dir: 'abc''\n", 1, "", "quote is not closed", "close it"},
    {"bad_indentation", "join:\n  skew: 0s\n credit: last_touch\n", 3, "", "not valid YAML", "indentation"},
    {"tab_indentation", "join:\n\tskew: 0s\n", 2, "", "not valid YAML", "spaces, not with tabs"},
    {"variable_in_braces", "kafka: {group: ${NOWHERE}}\n", 1, "", "not valid YAML", "in quotes"},
    {"anchor", "join: &j\n  skew: 0s\n", 1, "", "anchors", "write the value out"},
    {"alias", "name: &n a\nstate: {dir: *n}\n", 1, "", "anchors", "write the value out"},
    {"tag", "threads: !!int 3\n", 1, "", "tags", "remove the tag"},
    {"merge_key", "join:\n  <<: {skew: 1s}\n", 2, "join.<<", "not a key", "merge keys"},
    {"list_as_key", "[a, b]: 1\n", 1, "", "a key is a list", "quote"},
    {"control_character", "threads: 1\nname: a\x01z\n", 2, "", "control character", "UTF-8"},
    {"not_utf8", "threads: 1\n\nname: \xff\n", 3, "", "not UTF-8", "UTF-8"},
    {"duplicate_key", "threads: 1\nname: a\nthreads: 2\n", 3, "threads", "twice", "line 1"},
    {"duplicate_key_below", "join:\n  skew: 0s\n  credit: last_touch\n  skew: 1s\n", 4, "join.skew", "twice", "line 2"},
    {"duplicate_key_in_list", "windows:\n  - {name: a, size: 1m, size: 1h}\n", 2, "windows[0].size", "twice", "line 2"},
    {"unknown_key", "thread: 1\n", 1, "thread", "not a key", "`threads`"},
    {"unknown_key_below", "join:\n  credits: last_touch\n", 2, "join.credits", "not a key", "`credit`"},
    {"key_of_another_section", "cutoffs: [10]\n", 1, "cutoffs", "not a key", "belongs to `metrics`"},
    {"key_of_the_top_level", "join:\n  windows: []\n", 2, "join.windows", "not a key", "top level"},
    {"key_near_none", "state:\n  xyzzy: 1\n", 2, "state.xyzzy", "not a key", "`dir`"},
    {"section_is_a_scalar", "join: fast\n", 1, "join", "single value", "horizons"},
    {"section_is_a_list", "limits: [1, 2]\n", 1, "limits", "is a list", "list_items"},
    {"key_without_value", "threads:\n", 1, "threads", "has no value", "remove the line"},
    {"null_value", "name: ~\n", 1, "name", "has no value", "default"},
    {"scalar_is_a_list", "threads: [1]\n", 1, "threads", "is a list", "whole number from 0 to 1024"},
};
INSTANTIATE_TEST_SUITE_P(Form, Mistakes, ::testing::ValuesIn(form), case_name);

const Mistake scalars[] = {
    {"threads_word", "threads: many\n", 1, "threads", "`many` is not a whole number", "0 to 1024"},
    {"threads_negative", "threads: -1\n", 1, "threads", "too small", "0 to 1024"},
    {"threads_large", "threads: 4096\n", 1, "threads", "too large", "0 to 1024"},
    {"threads_fraction", "threads: 1.5\n", 1, "threads", "not a whole number", "0 to 1024"},
    {"threads_hexadecimal", "threads: 0x10\n", 1, "threads", "not a whole number", "0 to 1024"},
    {"threads_overflow", "threads: 99999999999999999999\n", 1, "threads", "too large", "0 to 1024"},
    {"name_empty", "name: \"\"\n", 1, "name", "is empty", "at least one character"},
    {"name_with_space", "name: my shop\n", 1, "name", "no name", "letters, digits"},
    {"name_too_long",
     "name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 1,
     "name", "longer than 100 bytes", "shorten"},
    {"duration_without_unit", "join:\n  skew: 10\n", 2, "join.skew", "`10` has no unit", "30s"},
    {"duration_zero_without_unit", "join:\n  skew: 0\n", 2, "join.skew", "no unit", "30s"},
    {"duration_in_minutes", "time:\n  allowed_lateness: 10min\n", 2, "time.allowed_lateness", "unit", "`10m`"},
    {"duration_combined", "join: {horizons: [1h30m]}\n", 1, "join.horizons[0]", "more than one unit", "90m"},
    {"duration_fraction", "join: {horizons: [1.5h]}\n", 1, "join.horizons[0]", "fraction", "smaller unit"},
    {"duration_negative", "join: {skew: -5s}\n", 1, "join.skew", "negative", "30s"},
    {"duration_word", "join: {same_list: long}\n", 1, "join.same_list", "not a duration", "30s"},
    {"window_too_long", "windows: [{name: w, size: 400d}]\n", 1, "windows[0].size", "`400d` is too long",
     "size: all for the whole log"},
    {"duration_too_long", "join: {horizons: [400d]}\n", 1, "join.horizons[0]", "too long", "365d"},
    {"duration_overflow", "join: {horizons: [99999999999999999d]}\n", 1, "join.horizons[0]", "too long", "10000d"},
    {"horizon_of_zero", "join: {horizons: [0s]}\n", 1, "join.horizons[0]", "too short", "1ms"},
    {"size_without_unit", "limits: {message_bytes: 1048576}\n", 1, "limits.message_bytes", "no unit", "64MiB"},
    {"size_in_megabytes", "kafka: {memory: 256MB}\n", 1, "kafka.memory", "unit", "`256MiB`"},
    {"size_too_small", "state: {memory: 1B}\n", 1, "state.memory", "too small", "16MiB"},
    {"boolean_yes", "publish: {file: {provisional: yes}}\n", 1, "publish.file.provisional", "`yes`", "`true` or `false`"},
    {"rank_share_zero", "metrics: {names: [{name: latency, p: 0}]}\n", 1, "metrics.names[0].p", "not above 0", "0.99"},
    {"rank_share_above_one", "metrics: {names: [{name: latency, p: 99}]}\n", 1, "metrics.names[0].p", "too large", "to 1"},
    {"slower_than_nothing", "metrics: {names: [{name: latency, slower_than: 0}]}\n", 1, "metrics.names[0].slower_than",
     "too small", "from 1"},
    {"slower_than_a_day", "metrics: {names: [{name: latency, slower_than: 86400000}]}\n", 1, "metrics.names[0].slower_than",
     "too large", "43200000"},
    {"slower_than_of_a_rank", "metrics: {names: [{name: latency, p: 0.99, slower_than: 500}]}\n", 1, "metrics.names[0].p",
     "of a rank, or of a bound", "remove `p`"},
    {"slower_than_of_mrr", "metrics: {names: [{name: mrr, slower_than: 5}]}\n", 1, "metrics.names[0].slower_than",
     "does not change `mrr`", "remove it"},
    {"persistence_one", "metrics: {names: [{name: rbp, p: 1}]}\n", 1, "metrics.names[0].p", "not between 0 and 1", "0.8"},
    {"p_of_another", "metrics: {names: [{name: mrr, p: 0.5}]}\n", 1, "metrics.names[0].p", "does not change `mrr`",
     "remove it"},
    {"number_infinite", "metrics: {beta: .inf}\n", 1, "metrics.beta", "not a number", "0 to 1000"},
    {"number_nan", "limits: {lost_share: nan}\n", 1, "limits.lost_share", "not a finite number", "0 to 1"},
    {"enumeration_misspelt", "join: {credit: last_toch}\n", 1, "join.credit", "not a choice", "`last_touch`"},
    {"enumeration_in_capitals", "metrics: {gain: Linear}\n", 1, "metrics.gain", "not a choice", "did you mean `linear`"},
    {"enumeration_unknown", "kafka: {on_gap: explode}\n", 1, "kafka.on_gap", "not a choice", "`stop`"},
    {"variable_unset", "name: ${NOWHERE}\n", 1, "name", "NOWHERE is not set", "${NOWHERE:-...}"},
    {"variable_with_message", "state:\n  dir: ${STATE_DIR:?where to keep it}\n", 2, "state.dir", "where to keep it",
     "set STATE_DIR"},
    {"variable_open", "name: ${NOWHERE\n", 1, "name", "not closed", "$$"},
    {"variable_without_name", "name: ${}\n", 1, "name", "does not name a variable", "${NAME}"},
    {"variable_with_other_operation", "name: \"${A:+b}\"\n", 1, "name", "neither a default", ":-default"},
    {"variable_in_a_list", "join: {not_users: [a, \"${NOWHERE}\"]}\n", 1, "join.not_users[1]", "NOWHERE", "environment"},
    {"variable_of_wrong_type", "threads: ${SECRET}\n", 1, "threads", "`${SECRET}` is not a whole number", "0 to 1024"},
    {"variable_of_wrong_form", "join: {skew: \"${THREADS}x\"}\n", 1, "join.skew", "`${THREADS}x` is not a duration",
     "whole number"},
};
INSTANTIATE_TEST_SUITE_P(Scalars, Mistakes, ::testing::ValuesIn(scalars), case_name);

const Mistake inputs[] = {
    {"inputs_is_a_mapping", "inputs: {topic: a}\n", 1, "inputs", "not a list", "[{topic"},
    {"input_is_a_list", "inputs:\n  - [a, b]\n", 2, "inputs[0]", "is a list", "{topic: impressions}"},
    {"topic_and_file", "inputs:\n  - topic: a\n    file: b\n", 2, "inputs[0]", "both", "two entries"},
    {"neither_topic_nor_file", "inputs:\n  - topic: a\n  - format: jsonl\n", 3, "inputs[1]", "neither", "first entry"},
    {"topic_with_slash", "inputs: [{topic: a/b}]\n", 1, "inputs[0].topic", "no name of a topic", "file:"},
    {"topic_twice", "inputs:\n  - topic: a\n  - topic: a\n", 3, "inputs[1].topic", "read already", "remove one"},
    {"file_twice", "inputs:\n  - file: [x.jsonl, x.jsonl]\n", 2, "inputs[0].file[1]", "read already", "remove one"},
    {"empty_list_of_files", "inputs:\n  - file: []\n", 2, "inputs[0].file", "empty list", "at least one"},
    {"format_unknown", "inputs:\n  - {file: a.csv, format: jso}\n", 2, "inputs[0].format", "`jso`", "`json`"},
    {"kcat_topic", "inputs:\n  - {topic: a, format: kcat}\n", 2, "inputs[0].format", "dumps in files", "jsonl"},
    {"unit_unknown", "inputs:\n  - {topic: a, unit: millis}\n", 2, "inputs[0].unit", "`millis`", "`ms`"},
    {"position_base_two", "inputs:\n  - {topic: a, position_base: 2}\n", 2, "inputs[0].position_base", "too large", "0 to 1"},
    {"field_unknown", "inputs:\n  - topic: a\n    fields: {itemid: sku}\n", 3, "inputs[0].fields.itemid", "not a key",
     "`item_id`"},
    {"field_path_into_a_list", "inputs:\n  - fields: {item_id: \"items[].item_id\"}\n", 2, "inputs[0].fields.item_id",
     "all entries of a list", "`items.item_id`"},
    {"field_path_open_bracket", "inputs:\n  - fields: {user_id: \"ids[0\"}\n", 2, "inputs[0].fields.user_id",
     "a bracket that is not `[0]`", "joined by single dots"},
    {"field_path_from_a_root", "inputs:\n  - fields: {user_id: $.user.id}\n", 2, "inputs[0].fields.user_id", "begins at `$`",
     "leave `$.` out"},
    {"field_path_empty_part", "inputs:\n  - topic: a\n    fields: {item_id: a..b}\n", 3, "inputs[0].fields.item_id",
     "empty part", "user.id"},
    {"fields_at_one_path", "inputs:\n  - topic: a\n    fields: {item_id: sku, list_id: sku}\n", 3, "inputs[0].fields.item_id",
     "`list_id` stands, too", "path of its own"},
    {"field_at_default_of_another", "inputs:\n  - topic: a\n    fields:\n      item_id: value\n", 4,
     "inputs[0].fields.item_id", "`value` stands by default", "give `value` one"},
    {"field_within_field", "inputs:\n  - topic: a\n    fields: {user_id: user.id, segments: user}\n", 3,
     "inputs[0].fields.segments", "within each other", "path of its own"},
    {"entry_fields_at_one_path", "inputs:\n  - topic: a\n    fields: {items.value: item_id}\n", 3,
     "inputs[0].fields.items.value", "one place", "path of its own"},
    {"shape_unknown", "inputs: [{shape: ga3}]\n", 1, "inputs[0].shape", "is no shape", "did you mean `ga4`?"},
    {"events_of_no_action", "inputs:\n  - events: [{type: cart}]\n", 2, "inputs[0].events[0].type", "neither `impression`",
     "join.actions"},
    {"events_without_type", "inputs:\n  - events: [{when: {a: b}}]\n", 2, "inputs[0].events[0]", "has no `type`",
     "an action"},
    {"events_and_types", "inputs:\n  - {events: [{type: click}], types: {a: click}}\n", 2, "inputs[0].events",
     "and so do `types`", "`events` alone"},
    {"condition_is_a_mapping", "inputs:\n  - events: [{type: click, when: {a: {b: c}}}]\n", 2, "inputs[0].events[0].when.a",
     "no value to compare", "a list of these"},
    {"source_of_two_kinds", "inputs:\n  - fields: {user_id: {is: a, join: [b]}}\n", 2, "inputs[0].fields.user_id",
     "not one of `is`", "{is: text}"},
    {"split_without_separator", "inputs:\n  - fields: {items: {at: a}}\n", 2, "inputs[0].fields.items",
     "`at`, `split` or `list` alone", "write both"},
    {"split_and_list", "inputs:\n  - fields: {items: {at: a, split: \",\", list: \",\"}}\n", 2, "inputs[0].fields.items.list",
     "stands beside `split`", "keep one"},
    {"zip_of_no_items", "inputs:\n  - fields: {user_id: {zip: [a, b]}}\n", 2, "inputs[0].fields.user_id",
     "is a list of entries, and `user_id` is none", "for `items`"},
    {"zip_of_one_list", "inputs:\n  - fields: {items: {zip: [a]}}\n", 2, "inputs[0].fields.items.zip", "is of one list",
     "[items, clicked]"},
    {"zip_with_a_text", "inputs:\n  - fields: {items: {zip: [a, {is: b}]}}\n", 2, "inputs[0].fields.items.zip",
     "has a part that is no list", "name lists"},
    {"zone_unknown", "inputs: [{zone: Europe/Berln}]\n", 1, "inputs[0].zone", "no time zone", "Europe/Berlin"},
    {"pattern_of_unknown_letter", "inputs: [{unit: {pattern: \"%Y %j\"}, zone: UTC}]\n", 1, "inputs[0].unit.pattern", "`%j`",
     "%Y"},
    {"excel_without_zone", "inputs: [{unit: excel}]\n", 1, "inputs[0].unit", "local time", "`zone`"},
    {"pattern_without_zone", "inputs: [{unit: {pattern: \"%Y\"}}]\n", 1, "inputs[0].unit.pattern", "no offset", "`zone`"},
    {"delimiter_of_two_characters", "inputs: [{csv: {delimiter: ab}}]\n", 1, "inputs[0].csv.delimiter", "not one character",
     "tab"},
    {"escape_of_two_characters", "inputs: [{csv: {escape: '\\\\'}}]\n", 1, "inputs[0].csv.escape", "not one character",
     "write one"},
    {"escape_that_is_the_quote", "inputs: [{csv: {escape: '\"'}}]\n", 1, "inputs[0].csv.escape", "is the quote, too",
     "remove"},
    {"comment_that_is_the_escape", "inputs: [{csv: {escape: '#', comment: '#'}}]\n", 1, "inputs[0].csv.comment",
     "is the escape, too", "another character"},
    {"comment_that_is_the_delimiter", "inputs: [{csv: {delimiter: '|', comment: '|'}}]\n", 1, "inputs[0].csv.comment",
     "is the delimiter, too", "another character"},
    {"decimal_mark_unknown", "inputs: [{csv: {decimal: ':'}}]\n", 1, "inputs[0].csv.decimal", "no decimal mark",
     "`,` or `.`"},
    {"decimal_mark_that_is_the_delimiter", "inputs: [{csv: {delimiter: ',', decimal: ','}}]\n", 1, "inputs[0].csv.decimal",
     "is the delimiter, too", "the delimiter that the rows have"},
    {"skip_too_many", "inputs: [{csv: {skip: 1001}}]\n", 1, "inputs[0].csv.skip", "too large", "1000"},
    {"skip_of_a_topic", "inputs: [{topic: a, format: csv, csv: {header: false, skip: 1}}]\n", 1, "inputs[0].csv",
     "`skip` is of files", "remove"},
    {"comment_of_a_topic", "inputs: [{topic: a, format: csv, csv: {header: false, comment: '#'}}]\n", 1, "inputs[0].csv",
     "`comment` is of files", "remove"},
    {"columns_and_header", "inputs: [{csv: {columns: [a]}}]\n", 1, "inputs[0].csv.columns", "`header`", "`header: false`"},
    {"csv_of_another_format", "inputs: [{format: jsonl, csv: {header: false}}]\n", 1, "inputs[0].csv",
     "the format is another", "`format: csv`"},
    {"records_of_another_format", "inputs: [{format: csv, records: a.b}]\n", 1, "inputs[0].records", "the format is another",
     "`format: json`"},
    {"records_of_a_topic", "inputs: [{topic: a, format: json, records: a.b}]\n", 1, "inputs[0].records", "one record",
     "remove"},
    {"protobuf_in_a_file", "inputs: [{file: a, format: protobuf}]\n", 1, "inputs[0].format", "where each ends", "`kcat -J`"},
    {"avro_without_a_schema", "inputs: [{topic: a, format: avro}]\n", 1, "inputs[0].format", "which schema", "registry"},
    {"schema_said_twice", "inputs: [{topic: a, format: avro, schema: s, registry: {url: 'http://r'}}]\n", 1,
     "inputs[0].schema", "said twice", "keep either"},
    {"registry_certificate_without_key",
     "inputs: [{topic: a, format: avro, registry: {url: 'https://r', certificate: c.pem}}]\n", 1,
     "inputs[0].registry.certificate", "with its key", "add `key`"},
    {"registry_ca_without_tls", "inputs: [{topic: a, format: avro, registry: {url: 'http://r', ca: c.pem}}]\n", 1,
     "inputs[0].registry.ca", "without", "https://"},
    {"registry_without_url", "inputs: [{topic: a, format: avro, registry: {user: u}}]\n", 1, "inputs[0].registry", "no `url`",
     "https://host:8081"},
    {"protobuf_without_message", "inputs: [{topic: a, format: protobuf, schema: s}]\n", 1, "inputs[0].schema",
     "which of its messages", "`message: package.Name`"},
    {"registry_of_json", "inputs: [{topic: a, registry: {url: 'http://r'}}]\n", 1, "inputs[0].registry", "Avro or Protobuf",
     "`format: avro`"},
    {"rows_of_a_topic", "inputs: [{topic: a, format: csv}]\n", 1, "inputs[0].format", "without a header", "`$1`"},
    {"type_of_no_action", "inputs:\n  - topic: a\n    types: {view: impresion}\n", 3, "inputs[0].types.view",
     "neither `impression`", "did you mean `impression`"},
    {"type_unconfigured", "inputs:\n  - topic: a\n    types: {cart: basket}\n", 3, "inputs[0].types.cart", "neither",
     "join.actions"},
    {"lateness_of_input", "inputs:\n  - {topic: a, allowed_lateness: x}\n", 2, "inputs[0].allowed_lateness", "not a duration",
     "30s"},
};
INSTANTIATE_TEST_SUITE_P(Inputs, Mistakes, ::testing::ValuesIn(inputs), case_name);

const Mistake join[] = {
    {"key_unknown", "join: {key: session}\n", 1, "join.key", "`session`", "`user` or `list`"},
    {"no_horizon", "join: {horizons: []}\n", 1, "join.horizons", "no horizon", "[30m]"},
    {"horizon_not_in_list", "join: {horizons: 30m}\n", 1, "join.horizons", "not a list", "[30m]"},
    {"horizon_twice", "join: {horizons: [60m, 1h]}\n", 1, "join.horizons[1]", "horizon already", "remove"},
    {"no_action", "join: {actions: {}}\n", 1, "join.actions", "no action", "click"},
    {"action_is_a_number", "join:\n  actions:\n    click: 3\n", 3, "join.actions.click", "single value", "{gain: 1}"},
    {"action_called_impression", "join:\n  actions:\n    impression: {}\n", 3, "join.actions.impression", "not an action",
     "types"},
    {"action_without_name", "join:\n  actions:\n    \"\": {}\n", 3, "join.actions.", "no name for an action", "1 to 256"},
    {"gain_negative", "join:\n  actions:\n    click: {gain: -1}\n", 3, "join.actions.click.gain", "too small",
     "0 to 1000000"},
    {"gain_huge", "join:\n  actions:\n    click: {gain: 1e7}\n", 3, "join.actions.click.gain", "too large", "0 to 1000000"},
    {"action_key_unknown", "join:\n  actions:\n    click: {gian: 1}\n", 3, "join.actions.click.gian", "not a key", "`gain`"},
    {"after_unknown", "join:\n  actions:\n    click: {}\n    buy: {after: clik}\n", 4, "join.actions.buy.after",
     "not one of the actions", "`click`"},
    {"after_itself", "join:\n  actions:\n    click: {after: click}\n", 3, "join.actions.click.after", "itself", "remove"},
    {"after_chained", "join:\n  actions:\n    a: {}\n    b: {after: a}\n    c: {after: b}\n", 5, "join.actions.c.after",
     "chained", "remove it from `b`"},
    {"undoes_unknown", "join:\n  actions:\n    buy: {}\n    return: {undoes: by}\n", 4, "join.actions.return.undoes",
     "not one of the actions", "`buy`"},
    {"undoes_itself", "join:\n  actions:\n    buy: {undoes: buy}\n", 3, "join.actions.buy.undoes", "cannot undo itself",
     "purchase"},
    {"undoes_with_a_gain", "join:\n  actions:\n    buy: {}\n    return: {undoes: buy, gain: 1}\n", 4,
     "join.actions.return.gain", "no gain", "remove"},
    {"undoes_with_an_after", "join:\n  actions:\n    buy: {}\n    return: {undoes: buy, after: buy}\n", 4,
     "join.actions.return.after", "comes after it", "remove"},
    {"undoes_what_undoes", "join:\n  actions:\n    a: {}\n    b: {undoes: a}\n    c: {undoes: b}\n", 5,
     "join.actions.c.undoes", "chained", "remove it from `b`"},
    {"on_something_else", "join:\n  actions:\n    thumb: {on: page}\n", 3, "join.actions.thumb.on",
     "`page` is nothing that an action is on", "write item or list"},
    {"on_a_list_with_a_gain", "join:\n  actions:\n    thumb: {on: list, gain: 1}\n", 3, "join.actions.thumb.gain",
     "`gain` is of items", "`on: list`"},
    {"on_a_list_as_a_rating", "join:\n  actions:\n    rating: {on: list}\n", 3, "join.actions.rating.on", "of an item",
     "call the action otherwise"},
    {"after_what_is_on_a_list", "join:\n  actions:\n    thumb: {on: list}\n    buy: {after: thumb}\n", 4,
     "join.actions.buy.after", "`thumb` is done to a whole list", "name another action"},
    {"on_a_list_by_items",
     "join:\n  actions:\n    click:\n    thumb: {on: list}\nmetrics:\n  names: [{name: mrr, action: thumb}]\n", 6,
     "metrics.names[0].action", "`mrr` looks at items", "action_rate or time_to"},
    {"once_by_something_else", "join:\n  actions:\n    buy: {once: order_id}\n", 3, "join.actions.buy.once",
     "`order_id` is nothing that an action counts once by", "write event_id"},
    {"once_of_what_undoes", "join:\n  actions:\n    buy: {}\n    return: {undoes: buy, once: event_id}\n", 4,
     "join.actions.return.once", "returned in parts", "the action that is undone"},
    {"once_of_no_user", "join:\n  key: list\n  actions:\n    buy: {once: event_id}\n", 4, "join.actions.buy.once",
     "with join.key: list nobody knows whose event_id it is", "remove it, or set join.key to user"},
    {"from_of_another_action", "join:\n  actions:\n    click: {from: 4}\n", 3, "join.actions.click.from", "only a rating",
     "call the action"},
    {"from_without_a_gain", "join:\n  actions:\n    rating: {gain: 0, from: 4}\n", 3, "join.actions.rating.from", "none is",
     "a gain above 0"},
    {"from_off_scale", "join:\n  actions:\n    rating: {from: 6}\n", 3, "join.actions.rating.from", "no rating from 1 to 5",
     "at most 5"},
    {"from_is_everything", "join:\n  actions:\n    rating: {from: 1}\n", 3, "join.actions.rating.from",
     "every rating from 1 to 5", "above 1"},
    {"from_no_number", "join:\n  actions:\n    rating: {from: mean}\n", 3, "join.actions.rating.from", "number", ""},
    {"from_mean_without_a_gain", "join:\n  actions:\n    rating: {gain: 0, from: user_mean}\n", 3, "join.actions.rating.from",
     "user_mean says", "above 0"},
    {"from_mean_of_no_user", "join:\n  key: list\n  actions:\n    rating: {from: user_mean}\n", 4, "join.actions.rating.from",
     "join.key is not user", "write a number"},
    {"from_mean_and_values_added_up",
     "join: {actions: {rating: {from: user_mean}}}\nmetrics: {names: [{name: income, action: rating}]}\n", 2, "metrics.names",
     "adds values up", "remove the `from`"},
    {"from_and_values_added_up", "join: {actions: {rating: {from: 4}}}\nmetrics: {names: [{name: income, action: rating}]}\n",
     2, "metrics.names", "adds values up", "remove the `from`"},
    {"after_what_undoes", "join:\n  actions:\n    a: {}\n    b: {undoes: a}\n    c: {after: b}\n", 5, "join.actions.c.after",
     "`undoes` of its own", "without `undoes`"},
    {"own_horizon_too_long", "join:\n  horizons: [30m]\n  actions:\n    click: {horizon: 1h}\n", 4,
     "join.actions.click.horizon", "longest horizon 30m", "add 1h"},
    {"skew_above_lateness", "join:\n  skew: 2m\n", 2, "join.skew", "smallest allowed lateness", "1m or less"},
    {"skew_above_lateness_of_input", "join: {skew: 30s}\ninputs:\n  - topic: a\n  - {topic: b, allowed_lateness: 10s}\n", 1,
     "join.skew", "inputs[1].allowed_lateness", "10s or less"},
    {"assemble_above_horizon", "join:\n  horizons: [1h, 5s]\n", 2, "join.horizons", "shortest horizon 5s", "5s or less"},
    {"assemble_above_same_list", "join:\n  assemble: 20s\n  same_list: 15s\n", 2, "join.assemble", "same_list 15s",
     "15s or less"},
    {"not_user_twice", "join: {not_users: [a, a]}\n", 1, "join.not_users[1]", "twice", "remove"},
    {"not_user_is_a_list", "join: {not_users: [[a]]}\n", 1, "join.not_users[0]", "is a list", "single value"},
    {"max_step_word", "time: {max_step: off}\n", 1, "time.max_step", "not a duration", "30s"},
};
INSTANTIATE_TEST_SUITE_P(Join, Mistakes, ::testing::ValuesIn(join), case_name);

const Mistake windows[] = {
    {"no_window", "windows: []\n", 1, "windows", "no window", "{name: hour"},
    {"slide_of_the_whole", "windows: [{name: a, size: all, slide: 1m}]\n", 1, "windows[0].slide", "`all`", "remove"},
    {"offset_of_the_whole", "windows: [{name: a, size: all, offset: 1m}]\n", 1, "windows[0].offset", "`all`", "remove"},
    {"window_is_a_word", "windows: [hour]\n", 1, "windows[0]", "single value", "{name: hour"},
    {"window_without_name", "windows:\n  - {size: 1m}\n", 2, "windows[0]", "no `name`", "name it"},
    {"window_without_size", "windows:\n  - {name: a}\n", 2, "windows[0]", "no `size`", "size: 1h"},
    {"window_name_twice", "windows:\n  - {name: a, size: 1m}\n  - {name: a, size: 1h}\n", 3, "windows[1].name",
     "another window", "name of its own"},
    {"window_key_unknown", "windows:\n  - {name: a, size: 1m, slid: 1s}\n", 2, "windows[0].slid", "not a key", "`slide`"},
    {"slide_does_not_divide", "windows:\n  - {name: a, size: 1m}\n  - {name: h, size: 1h, slide: 7m}\n", 3,
     "windows[1].slide", "7m does not divide the size 1h", "5m or 10m"},
    {"slide_above_size", "windows:\n  - {name: a, size: 1m, slide: 1h}\n", 2, "windows[0].slide", "longer than the size",
     "the size"},
    {"too_many_slides", "windows:\n  - {name: a, size: 30d, slide: 1s}\n", 2, "windows[0].slide", "2592000 windows",
     "at least"},
    {"offset_above_slide", "windows:\n  - {name: a, size: 1h, offset: 90m}\n", 2, "windows[0].offset", "not shorter",
     "write 30m"},
    {"segments_is_a_word", "segments: variant\n", 1, "segments", "not a list", "[[variant]]"},
    {"segment_is_a_word", "segments: [variant]\n", 1, "segments[0]", "not a list of keys", "[variant]"},
    {"segment_without_keys", "segments:\n  - {keep: [A]}\n", 2, "segments[0]", "no `keys`", "keys: [variant]"},
    {"segment_empty", "segments:\n  - []\n", 2, "segments[0]", "no key", "the whole"},
    {"segment_key_twice", "segments:\n  - [a, a]\n", 2, "segments[0][1]", "twice", "remove"},
    {"segments_of_the_same_keys", "segments:\n  - [a, b]\n  - [b, a]\n", 3, "segments[1]", "same keys", "remove"},
    {"keep_of_wrong_arity", "segments:\n  - {keys: [a, b], keep: [[x]]}\n", 2, "segments[0].keep[0]", "1 value for 2 keys",
     "[[A, home]]"},
    {"keep_of_one_key_in_pairs", "segments:\n  - {keys: [a], keep: [[x, y]]}\n", 2, "segments[0].keep[0]",
     "2 values for 1 key", "[A, B]"},
    {"keep_twice", "segments:\n  - {keys: [a], keep: [x, x]}\n", 2, "segments[0].keep[1]", "kept already", "remove"},
    {"keep_other", "segments:\n  - {keys: [a], keep: [(other)]}\n", 2, "segments[0].keep[0]", "`(other)`", "remove it"},
    {"keep_null", "segments:\n  - {keys: [a], keep: [~]}\n", 2, "segments[0].keep[0]", "no value", "(none)"},
    {"keep_in_no_form_of_rows", "segments:\n  - {keys: [a], keep: ['\\x']}\n", 2, "segments[0].keep[0]", "no row shows",
     "twice"},
    {"catalog_is_a_number", "catalog: 5\n", 1, "catalog", "single value", "size: 100000"},
    {"catalog_size_and_file", "catalog: {size: 5, file: items.txt}\n", 1, "catalog", "both", "keep one"},
    {"catalog_empty", "catalog: {}\n", 1, "catalog", "neither", "size: 100000"},
    {"catalog_of_nothing", "catalog: {size: 0}\n", 1, "catalog.size", "too small", "from 1"},
    {"catalog_file_missing", "catalog: {file: nowhere.txt}\n", 1, "catalog.file", "No such file", "path"},
};
INSTANTIATE_TEST_SUITE_P(Windows, Mistakes, ::testing::ValuesIn(windows), case_name);

const Mistake metrics[] = {
    {"no_cutoff", "metrics: {cutoffs: []}\n", 1, "metrics.cutoffs", "no cutoff", "[10]"},
    {"cutoff_zero", "metrics: {cutoffs: [0]}\n", 1, "metrics.cutoffs[0]", "too small", "1 to"},
    {"cutoff_twice", "metrics: {cutoffs: [5, 5]}\n", 1, "metrics.cutoffs[1]", "already", "remove"},
    {"cutoff_above_lists", "metrics: {cutoffs: [10, 2000]}\n", 1, "metrics.cutoffs[1]", "limits.list_items is 1000", "raise"},
    {"no_metric", "metrics: {names: []}\n", 1, "metrics.names", "no metric", "[precision]"},
    {"metric_unknown", "metrics: {names: [precison]}\n", 1, "metrics.names[0]", "not a metric", "`precision`"},
    {"metric_shortened", "metrics: {names: [ndcg]}\n", 1, "metrics.names[0]", "not a metric", "`ndcg_list`"},
    {"metric_of_no_kind", "metrics: {names: [quux]}\n", 1, "metrics.names[0]", "not a metric", "recmeter metrics"},
    {"metric_of_dashboards", "metrics: {names: [ctr]}\n", 1, "metrics.names[0]", "not a metric", "`action_rate` or"},
    {"metric_shortened_with_cutoff", "metrics: {names: [\"ndcg@10\"]}\n", 1, "metrics.names[0]", "not a metric",
     "`ndcg_user`? Cutoffs stand in metrics.cutoffs"},
    {"metric_with_cutoff", "metrics: {names: [precision@10]}\n", 1, "metrics.names[0]", "names a cutoff", "metrics.cutoffs"},
    {"metric_twice", "metrics: {names: [mrr, mrr]}\n", 1, "metrics.names[1]", "`mrr` is there already", "`as`"},
    {"metric_without_name", "metrics: {names: [{gain: exp2}]}\n", 1, "metrics.names[0]", "no `name`", "name: ndcg_list"},
    {"metric_key_unknown", "metrics: {names: [{name: mrr, cutoff: 3}]}\n", 1, "metrics.names[0].cutoff", "not a key",
     "remove"},
    {"metric_as_another", "metrics: {names: [{name: mrr, as: recall}]}\n", 1, "metrics.names[0].as", "another metric",
     "ndcg_exp"},
    {"metric_as_no_name", "metrics: {names: [{name: mrr, as: m@1}]}\n", 1, "metrics.names[0].as", "no name", "letters"},
    {"option_of_another_metric", "metrics: {names: [{name: mrr, gain: exp2}]}\n", 1, "metrics.names[0].gain",
     "does not change `mrr`", "remove"},
    {"action_unknown", "metrics: {names: [{name: mrr, action: clik}]}\n", 1, "metrics.names[0].action", "no action of",
     "`click`"},
    {"action_of_ratings", "join: {actions: {click: {}, rating: {}}}\nmetrics: {names: [{name: mae, action: click}]}\n", 2,
     "metrics.names[0].action", "does not change `mae`", "remove"},
    {"action_missing", "metrics: {names: [action_rate]}\n", 1, "metrics.names[0]", "of one action", "action: click"},
    {"action_missing_in_an_entry", "metrics: {names: [{name: time_to}]}\n", 1, "metrics.names[0].action", "of one action",
     "action: click"},
    {"income_of_every_touch", "join: {credit: every_touch}\nmetrics:\n  names:\n    - {name: income, action: click}\n", 4,
     "metrics.names[0].name", "every list", "last_touch"},
    {"grade_of_no_action", "metrics: {names: [{name: ndcg_list, grade: value}]}\n", 1, "metrics.names[0].grade",
     "of one action", "action: purchase"},
    {"grade_as_a_power", "metrics: {names: [{name: ndcg_list, action: click, grade: value, gain: exp2}]}\n", 1,
     "metrics.names[0].grade", "too large", "gain: linear"},
    {"grade_where_none_counts", "metrics: {names: [{name: mrr, action: click, grade: value}]}\n", 1, "metrics.names[0].grade",
     "does not change `mrr`", "remove"},
    {"cap_of_zero", "metrics: {names: [{name: income, action: click, cap: 0}]}\n", 1, "metrics.names[0].cap", "not above 0",
     "200"},
    {"users_of_lists", "join: {key: list}\nmetrics: {names: [lists_per_user]}\n", 2, "metrics.names[0]", "one by one",
     "join.key to user"},
    {"users_of_rolling_windows", "windows: [{name: a, size: 1h, slide: 1m}]\nmetrics: {names: [lists_per_user]}\n", 2,
     "metrics.names[0]", "window `a` slides", "`slide`"},
    {"action_that_nothing_is_missed_by",
     "join: {actions: {click: {}, buy: {after: click}}}\nmetrics: {names: [{name: recall, action: buy}]}\n", 2,
     "metrics.names[0].action", "after `click`", "map_list"},
    {"action_of_a_preset", "metrics: {names: [{name: ndcg, preset: ranx, action: click}]}\n", 1, "metrics.names[0].action",
     "ranx says", "preset: none"},
    {"action_of_odd_letters",
     "join: {actions: {\"add to cart\": {}}}\nmetrics: {names: [{name: mrr, action: add to cart}]}\n", 2,
     "metrics.names[0].as", "add to cart", "`as`"},
    {"unit_user_in_rolling_windows",
     "windows: [{name: w, size: 1h, slide: 5m}]\nmetrics: {names: [{name: mrr, unit: user}]}\n", 2, "metrics.names[0].unit",
     "window `w` slides", "`pooled`"},
    {"unit_user_of_a_fact", "metrics: {names: [{name: distinct_items, unit: user}]}\n", 1, "metrics.names[0].unit",
     "does not change", "remove"},
    {"unit_user_over_users", "metrics: {names: [{name: mrr, unit: user, over: user_relevant}]}\n", 1, "metrics.names[0].unit",
     "user_relevant", "another `over`"},
    {"unit_pooled", "metrics: {names: [{name: mrr, unit: pooled}]}\n", 1, "metrics.names[0].unit", "no sums", "`list`"},
    {"unit_unknown_of_metric", "metrics: {names: [{name: mrr, unit: users}]}\n", 1, "metrics.names[0].unit", "not a choice",
     "`user`"},
    {"over_users_by_list", "join: {key: list}\nmetrics: {names: [{name: mrr, over: user_relevant}]}\n", 2,
     "metrics.names[0].over", "join.key is list", "`relevant`"},
    {"cut_of_what_has_k", "metrics: {names: [{name: map_list, cut: none, ap_denominator: k}]}\n", 1, "metrics.names[0].cut",
     "no k", "`ap_denominator`"},
    {"ideal_without_k", "metrics: {names: [{name: ndcg_list, cut: none, ideal: ones}]}\n", 1, "metrics.names[0].cut", "no k",
     "`ideal`"},
    {"options_of_other_metrics", "metrics: {names: [{name: precision, recall_denominator: min}]}\n", 1,
     "metrics.names[0].recall_denominator", "does not change `precision`", "remove"},
    {"equal_keys_of_two_entries", "metrics: {names: [recall, {name: mrr, as: mrr}, {name: recall, over: nonempty}]}\n", 1,
     "metrics.names[2]", "`recall` is there already", "`as`"},
    {"estimate_without_policy", "metrics: {names: [snips]}\n", 1, "metrics.names[0]", "judges another policy",
     "off_policy: {propensities: marginal}"},
    {"ess_of_nothing", "off_policy: {}\nmetrics: {names: [ess]}\n", 2, "metrics.names[0]", "is of one estimator",
     "of: snips"},
    {"ess_of_nobody", "off_policy: {}\nmetrics: {names: [{name: ess, of: sips}]}\n", 2, "metrics.names[0].of", "`sips`",
     "snips"},
    {"rips_of_marginals", "off_policy: {}\nmetrics: {names: [rips]}\n", 2, "metrics.names[0]",
     "marginal propensities do not determine the probability of a prefix", "conditional if they are"},
    {"ess_of_marginals", "off_policy: {}\nmetrics: {names: [{name: ess, of: slate_ips}]}\n", 2, "metrics.names[0].name",
     "do not determine", "conditional if they are"},
    {"ips_of_conditionals", "off_policy: {propensities: conditional}\nmetrics: {names: [{name: ips, as: i}]}\n", 2,
     "metrics.names[0].name", "depend on the ranks above", "marginal if they are"},
    {"pseudo_inverse_of_anything", "off_policy: {}\nmetrics: {names: [pseudo_inverse]}\n", 2, "metrics.names[0]",
     "drawn for itself", "factored"},
    {"matches_of_anything", "off_policy: {}\nmetrics: {names: [matches]}\n", 2, "metrics.names[0]", "equally likely",
     "uniform"},
    {"values_of_no_action", "off_policy: {reward: value}\nmetrics: {names: [ips]}\n", 2, "metrics.names[0]", "which action",
     "action: purchase"},
    {"values_of_every_touch",
     "join: {credit: every_touch}\noff_policy: {reward: value}\nmetrics: {names: [{name: ips, action: purchase}]}\n", 3,
     "metrics.names[0].name", "on every list", "last_touch"},
    {"clip_of_ips", "off_policy: {}\nmetrics: {names: [{name: ips, clip: 5}]}\n", 2, "metrics.names[0].clip",
     "does not change `ips`", "remove"},
    {"clip_at_nothing", "off_policy: {}\nmetrics: {names: [{name: ips_clipped, clip: 0}]}\n", 2, "metrics.names[0].clip",
     "not above 0", "such as 10"},
    {"estimators_as_in_no_version", "off_policy: {estimators: [ips]}\nlanes: {names: [B]}\nmetrics: {names: [ips]}\n", 1,
     "off_policy.estimators", "", ""},
    {"off_policy_is_no_list", "off_policy: [ips]\n", 1, "off_policy", "", "propensities: marginal"},
    {"metric_of_ratings", "metrics: {names: [mae]}\n", 1, "metrics.names[0]", "is of ratings", "add the action `rating`"},
    {"metric_needs_catalog", "metrics: {names: [catalog_coverage]}\n", 1, "metrics.names[0]", "needs the catalogue",
     "size: 100000"},
    {"user_scope_by_list", "join: {key: list}\nmetrics: {names: [recall]}\n", 2, "metrics.names[0]", "join.key is list",
     "join.key to user"},
    {"popularity_by_list", "join: {key: list}\nmetrics: {names: [novelty]}\n", 2, "metrics.names[0]", "join.key is list",
     "join.key to user"},
    {"popularity_is_a_duration", "metrics: {popularity: 24h}\n", 1, "metrics.popularity", "single value", "period: 24h"},
    {"popularity_without_period", "metrics: {popularity: {period: 0s}}\n", 1, "metrics.popularity.period", "too s", "1s"},
    {"popularity_of_centuries", "metrics: {popularity: {period: 3000d}}\n", 1, "metrics.popularity.period", "too l", "365d"},
    {"popularity_step_in_milliseconds", "metrics: {popularity: {step: 1ms}}\n", 1, "metrics.popularity.step", "too s", "1s"},
    {"popularity_period_of_broken_steps", "metrics: {popularity: {period: 12m}}\n", 1, "metrics.popularity.period",
     "12m is not a multiple of the step 5m", "whole steps"},
    {"popularity_step_of_no_part", "metrics: {popularity: {step: 7m}}\n", 1, "metrics.popularity.step",
     "is not a multiple of the step 7m", "whole steps"},
    {"popularity_top_zero", "metrics: {popularity: {top: 0}}\n", 1, "metrics.popularity.top", "too s", "1"},
    {"examination_is_a_number", "metrics: {examination: 0.5}\n", 1, "metrics.examination", "single value", "by_rank: [1"},
    {"examination_without_first", "metrics: {examination: {by_rank: [1]}}\n", 1, "metrics.examination", "has no `first`",
     "recmeter examination"},
    {"examination_without_ranks", "metrics: {examination: {first: 0.1}}\n", 1, "metrics.examination", "has no `by_rank`",
     "recmeter examination"},
    {"examination_first_zero", "metrics: {examination: {first: 0, by_rank: [1]}}\n", 1, "metrics.examination.first",
     "not above 0", "such as 0.12"},
    {"examination_first_in_percent", "metrics: {examination: {first: 12, by_rank: [1]}}\n", 1, "metrics.examination.first",
     "too large", "to 1"},
    {"examination_of_no_rank", "metrics: {examination: {first: 0.1, by_rank: []}}\n", 1, "metrics.examination.by_rank",
     "has no rank", "[1]"},
    {"examination_by_rank_is_a_number", "metrics: {examination: {first: 0.1, by_rank: 1}}\n", 1,
     "metrics.examination.by_rank", "single value", "[1, 0.62, 0.45]"},
    {"examination_of_a_rank_nobody_sees", "metrics: {examination: {first: 0.1, by_rank: [1, 0.5, 0]}}\n", 1,
     "metrics.examination.by_rank[2]", "not above 0", "end the list before"},
    {"examination_of_nothing_at_first", "metrics: {examination: {first: 0.1, by_rank: [0, 0.5]}}\n", 1,
     "metrics.examination.by_rank[0]", "not above 0", "end the list before"},
    {"examination_in_click_rates", "metrics: {examination: {first: 0.1, by_rank: [0.1, 0.06]}}\n", 1,
     "metrics.examination.by_rank[0]", "is not 1", "divide all by it"},
    {"examination_of_more_clicks_than_lists", "metrics: {examination: {first: 0.4, by_rank: [1, 3]}}\n", 1,
     "metrics.examination.by_rank[1]", "above 1", "rates over that at rank 1"},
    {"examination_by_position", "metrics: {examination: {first: 0.4, by_position: [1], by_rank: [1]}}\n", 1,
     "metrics.examination.by_position", "not a key", "by_rank"},
    {"coec_without_examination", "metrics: {cutoffs: [1], names: [mrr, coec]}\n", 1, "metrics.names[1]",
     "metrics.examination does not say it", "recmeter examination"},
    {"coec_beyond_examination", "metrics: {names: [coec], cutoffs: [2, 3], examination: {first: 0.1, by_rank: [1, 0.5]}}\n",
     1, "metrics.names[0]", "k = 3, and metrics.examination.by_rank ends at rank 2", "at most 2"},
    {"beta_zero", "metrics: {beta: 0}\n", 1, "metrics.beta", "not above 0", "2"},
    {"confidence_one", "metrics: {confidence: 1}\n", 1, "metrics.confidence", "not between", "0.95"},
    {"confidence_in_percent", "metrics: {confidence: 95}\n", 1, "metrics.confidence", "too large", "0 to 1"},
    {"preset_unknown", "metrics: {preset: treceval}\n", 1, "metrics.preset", "not a preset", "`trec_eval`"},
    {"preset_says_gain", "metrics: {preset: ranx, gain: exp2}\n", 1, "metrics.gain", "ranx says", "preset: none"},
    {"preset_says_option", "metrics: {names: [{name: map_cut, preset: trec_eval, ap_denominator: k}]}\n", 1,
     "metrics.names[0].ap_denominator", "trec_eval says", "preset: none"},
    {"preset_cannot", "metrics: {preset: trec_eval, names: [bpref]}\n", 1, "metrics.names[0]",
     "cannot be reproduced as in trec_eval: it tells judged from unjudged", "remove"},
    {"preset_has_no_such", "metrics: {preset: ranx, names: [distinct_items]}\n", 1, "metrics.names[0]",
     "no counterpart in ranx", "{name: distinct_items, preset: none}"},
    {"preset_name_unknown", "metrics: {preset: rectools, names: [NDGC]}\n", 1, "metrics.names[0]", "not a metric of rectools",
     "`NDCG`"},
    {"preset_of_users_by_list", "join: {key: list}\nmetrics: {preset: trec_eval, names: [map_cut]}\n", 2, "metrics.names[0]",
     "join.key is list", "remove"},
    {"preset_of_whole_gains", "join: {actions: {look: {gain: 0.5}}}\nmetrics: {preset: ranx}\n", 1, "join.actions.look.gain",
     "not a whole number", "remove the preset"},
    {"name_of_another_tool", "metrics: {names: [recip_rank]}\n", 1, "metrics.names[0]", "not a metric", "preset: trec_eval"},
    {"exp2_gain_too_large", "metrics: {gain: exp2}\njoin:\n  actions:\n    buy: {gain: 31}\n", 4, "join.actions.buy.gain",
     "above 30", "linear"},
    {"exp2_of_one_metric", "join: {actions: {buy: {gain: 50}}}\nmetrics: {names: [{name: ndcg_list, as: n2, gain: exp2}]}\n",
     1, "join.actions.buy.gain", "`n2`", "linear"},
    {"rating_scale_backwards", "ratings: {min: 5, max: 1, extremes: [2, 4]}\n", 1, "ratings.max", "not below", "min: 1"},
    {"extremes_of_three", "ratings: {extremes: [2]}\n", 1, "ratings.extremes", "two bounds", "[2, 4]"},
    {"extremes_backwards", "ratings: {extremes: [4, 2]}\n", 1, "ratings.extremes", "above", "smaller bound first"},
    {"extremes_of_nothing", "ratings: {extremes: [1, 5]}\n", 1, "ratings.extremes", "no rating", "into the scale"},
    {"reversal_zero", "ratings: {reversal: 0}\n", 1, "ratings.reversal", "not a difference", "at most 4"},
    {"half_life_one", "ratings: {half_life: 1}\n", 1, "ratings.half_life", "not above 1", "5"},
    {"liked_off_scale", "ratings: {liked: 6}\n", 1, "ratings.liked", "wrong", "at most 5"},
    {"liked_from_off_scale", "join: {actions: {rating: {gain: 0}}}\nmetrics: {names: [mae, {name: rated_auc, from: 6}]}\n", 2,
     "metrics.names[1].from", "no rating", "at most 5"},
    {"liked_from_is_everything", "join: {actions: {rating: {gain: 0}}}\nmetrics: {names: [{name: rated_auc, from: 1}]}\n", 2,
     "metrics.names[0].from", "every rating", "above 1"},
    {"liked_from_of_another_metric", "join: {actions: {rating: {gain: 0}}}\nmetrics: {names: [{name: mae, from: 3}]}\n", 2,
     "metrics.names[0].from", "does not change", "remove"},
    {"unit_list_of_a_mean_of_maps", "metrics: {names: [{name: gmap, unit: list}]}\n", 1, "metrics.names[0].unit",
     "does not change", "remove"},
    {"liked_is_everything", "ratings: {liked: 1}\n", 1, "ratings.liked", "liked", "above 1"},
    {"default_vote_off_scale", "ratings: {default_vote: 9}\n", 1, "ratings.default_vote", "not on the scale", "1 to 5"},
    {"list_items_zero", "limits: {list_items: 0}\n", 1, "limits.list_items", "too small", "from 1"},
    {"windows_per_list", "windows: [{name: a, size: 1m, slide: 1ms}]\n", 1, "windows[0].slide",
     "a list would lie in 60000 windows", "at least 6ms, or raise that limit"},
    {"windows_per_list_as_limited", "limits: {windows_per_list: 10}\nwindows: [{name: a, size: 1m, slide: 5s}]\n", 2,
     "windows[0].slide", "limits.windows_per_list is 10", "at least 6s"},
    {"values_per_list", "limits:\n  values_per_list: 5\nwindows: [{name: a, size: 1h}]\n", 2, "limits.values_per_list",
     "into 21 values: 1 windows x 1 horizons x 1 combinations of segments x 21 values of a row", "above 5"},
    {"values_per_list_by_default",
     "join: {horizons: [1m,2m,3m,4m,5m,6m,7m,8m,9m,10m,11m,12m,13m,14m,15m,16m]}\n"
     "metrics: {cutoffs: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]}\n"
     "segments: [[a],[b],[c],[d],[e],[f],[g],[h],[i],[j],[k],[l],[m],[n],[o],[p]]\n"
     "windows: [{name: a, size: 1d}, {name: b, size: 2d}, {name: c, size: 3d}, {name: d, size: 4d}, {name: e, size: 5d},\n"
     "          {name: f, size: 6d}, {name: g, size: 7d}, {name: h, size: 8d}, {name: i, size: 9d}, {name: j, size: 10d},\n"
     "          {name: k, size: 11d}, {name: l, size: 12d}, {name: m, size: 13d}, {name: n, size: 14d}, {name: o, size: "
     "15d},\n"
     "          {name: p, size: 16d}, {name: q, size: 17d}, {name: r, size: 18d}, {name: s, size: 19d}, {name: t, size: "
     "20d}]\n",
     1, "limits.values_per_list", "20 windows x 16 horizons x 17 combinations", "above 1000000"},
    {"values_per_day", "windows: [{name: a, size: 10s, slide: 1ms}]\n", 1, "limits.values_per_day",
     "1,814,400,000 values in 86,400,000 rows", "longer slides"},
    {"reason_that_is_none", "limits: {tolerated_reasons: [no_typ]}\n", 1, "limits.tolerated_reasons[0]", "not a choice",
     "did you mean `no_type`?"},
    {"reason_twice", "limits: {tolerated_reasons: [no_type, no_type]}\n", 1, "limits.tolerated_reasons[1]", "there twice",
     "remove one"},
    {"share_in_percent", "limits: {invalid_share: 20}\n", 1, "limits.invalid_share", "too large", "0 to 1"},
};
INSTANTIATE_TEST_SUITE_P(Metrics, Mistakes, ::testing::ValuesIn(metrics), case_name);

const Mistake edges[] = {
    {"brokers_after_a_blank", "kafka: {brokers: \" a:9092\"}\n", 1, "kafka.brokers", "not a list of brokers", "host:port"},
    {"brokers_without_host", "kafka: {brokers: \":9092\"}\n", 1, "kafka.brokers", "not a list of brokers", "host:port"},
    {"brokers_with_bad_port", "kafka: {brokers: \"a:9092,b:x\"}\n", 1, "kafka.brokers", "not a list of brokers", "commas"},
    {"start_misspelt", "kafka: {start: earlyest}\n", 1, "kafka.start", "no place", "`earliest`"},
    {"start_without_offset", "kafka: {start: 2026-11-20T00:00:00}\n", 1, "kafka.start", "no place", "2026-11-20T00:00:00Z"},
    {"start_no_such_day", "kafka: {start: 2026-02-30T00:00:00Z}\n", 1, "kafka.start", "no place", "-3d"},
    {"property_owned", "kafka:\n  properties:\n    enable.auto.commit: true\n", 3, "kafka.properties.enable.auto.commit",
     "set by recmeter", "checkpoint"},
    {"property_of_group", "kafka:\n  properties: {group.id: x}\n", 2, "kafka.properties.group.id", "set by recmeter",
     "kafka.group"},
    {"property_of_the_session", "kafka:\n  properties: {session.timeout.ms: 6000}\n", 2,
     "kafka.properties.session.timeout.ms", "set by recmeter", "kafka.session"},
    {"session_too_short", "kafka: {session: 999ms}\n", 1, "kafka.session", "too short", "1s"},
    {"property_is_a_list", "kafka:\n  properties: {sasl.password: [a]}\n", 2, "kafka.properties.sasl.password",
     "not a single value", "one value"},
    {"property_no_name", "kafka:\n  properties: {Client-Id: a}\n", 2, "kafka.properties.Client-Id", "no name",
     "security.protocol"},
    {"secret_variable_unset", "kafka:\n  properties: {sasl.password: \"${SECRET}${NOWHERE}\"}\n", 2,
     "kafka.properties.sasl.password", "NOWHERE", "environment"},
    {"dead_letter_without_value", "dead_letter:\n", 1, "dead_letter", "no value", "remove the line"},
    {"dead_letter_twice", "dead_letter: {topic: a, file: b}\n", 1, "dead_letter", "both", "keep one"},
    {"fate_unknown", "dead_letter: {fates: [invalid, lost]}\n", 1, "dead_letter.fates[1]", "`lost`", "`late`"},
    {"no_fates", "dead_letter: {fates: []}\n", 1, "dead_letter.fates", "no fate", "at least one"},
    {"dead_letter_into_input", "inputs: [{topic: a}]\ndead_letter: {topic: a}\n", 2, "dead_letter.topic", "read as an input",
     "another"},
    {"rows_into_input", "inputs: [{topic: recmeter.windows}]\npublish:\n  kafka: {}\n", 3, "publish.kafka",
     "read as an input", "another"},
    {"durability_unknown", "state: {durability: disk}\n", 1, "state.durability", "`disk`", "`process`"},
    {"listen_at_a_name", "publish: {http: {listen: \"example.org:80\"}}\n", 1, "publish.http.listen", "not an address",
     "host:port"},
    {"listen_in_public", "publish: {http: {listen: \"0.0.0.0:80\"}}\n", 1, "publish.http.listen", "neither a token nor TLS",
     "token_file"},
    {"listen_in_public_v6", "publish: {http: {listen: \"[::]:80\"}}\n", 1, "publish.http.listen", "neither a token nor TLS",
     "token_file"},
    {"certificate_without_key", "publish: {http: {certificate: c.pem}}\n", 1, "publish.http.certificate", "a key", "`key`"},
    {"key_without_certificate", "publish: {http: {key: k.pem}}\n", 1, "publish.http.key", "a certificate", "`certificate`"},
    {"listen_without_port", "publish: {http: {listen: localhost}}\n", 1, "publish.http.listen", "not an address",
     "host:port"},
    {"listen_without_host", "publish: {http: {listen: \":8080\"}}\n", 1, "publish.http.listen", "not an address",
     "host:port"},
    {"listen_port_too_large", "publish: {http: {listen: \"a:70000\"}}\n", 1, "publish.http.listen", "not an address",
     "host:port"},
    {"listen_url", "publish: {http: {listen: \"http://a:80\"}}\n", 1, "publish.http.listen", "not an address", "host:port"},
    {"host_with_port", "publish: {http: {hosts: [\"a.example:80\"]}}\n", 1, "publish.http.hosts[0]", "no name of a host",
     "without scheme and port"},
    {"origin_is_a_name", "publish: {http: {embed: [grafana.example.org]}}\n", 1, "publish.http.embed[0]", "no origin",
     "https://"},
    {"origin_with_a_path", "publish: {http: {embed: [\"https://a.example/x\"]}}\n", 1, "publish.http.embed[0]", "no origin",
     "https://"},
    {"origin_with_a_directive", "publish: {http: {embed: [\"https://a; script-src *\"]}}\n", 1, "publish.http.embed[0]",
     "no origin", "https://"},
    {"host_is_empty", "publish: {http: {hosts: [\"\"]}}\n", 1, "publish.http.hosts[0]", "is empty", "at least one character"},
    {"probes_at_a_name", "publish: {http: {probes: \"example.org:80\"}}\n", 1, "publish.http.probes", "not an address",
     "host:port"},
    {"probes_where_nobody_listens", "publish: {http: {listen: off, probes: \"127.0.0.1:81\"}}\n", 1, "publish.http.probes",
     "listen: off", "remove either"},
    {"probes_where_all_else_is", "publish: {http: {listen: \"127.0.0.1:81\", probes: \"127.0.0.1:81\"}}\n", 1,
     "publish.http.probes", "address of `listen`", "another port"},
    {"http_limit_zero", "publish: {http: {limits: {connections_max: 0}}}\n", 1, "publish.http.limits.connections_max", "0",
     "1"},
    {"http_limit_too_small", "publish: {http: {limits: {stream_bytes_max: 1KiB}}}\n", 1,
     "publish.http.limits.stream_bytes_max", "1KiB", "16KiB"},
    {"http_limit_too_long", "publish: {http: {limits: {idle: 2h}}}\n", 1, "publish.http.limits.idle", "2h", "1h"},
    {"http_limit_unknown", "publish: {http: {limits: {headers: 1s}}}\n", 1, "publish.http.limits.headers", "not a key",
     "`header`"},
    {"publish_key_unknown", "publish: {files: {}}\n", 1, "publish.files", "not a key", "`file`"},
};
INSTANTIATE_TEST_SUITE_P(Edges, Mistakes, ::testing::ValuesIn(edges), case_name);

TEST(Faults, are_reported_together_and_in_the_order_of_the_text) {
  const auto config =
      load("windows:\n  - {name: a, size: 1h, slide: 7m}\nthreads: many\njoin:\n  skwe: 1s\n  credit: nobody\n");
  ASSERT_FALSE(config.has_value());
  ASSERT_EQ(config.error().size(), 4U) << all_text(config.error());
  EXPECT_EQ(config.error()[0].path, "windows[0].slide");
  EXPECT_EQ(config.error()[1].path, "threads");
  EXPECT_EQ(config.error()[2].path, "join.skwe");
  EXPECT_EQ(config.error()[3].path, "join.credit");
}

TEST(Faults, point_at_the_column_of_the_value) {
  const auto config = load("join: {skew: 0s, credit: nobody}\n");
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(to_text(config.error()[0]),
            "test.yaml:1:26: join.credit: `nobody` is not a choice here; write `last_touch`, `first_touch` or `every_touch`");
}

TEST(Faults, count_columns_in_characters) {
  const auto config = load("join: {not_users: [\"é€\"], credit: nobody}\n");
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(config.error()[0].column, 35);
}

TEST(Faults, are_json_as_well) {
  const std::vector<ConfigFault> faults{{"a \"b\".yaml", 1, 2, "join", "is\tbad", "mend it"}};
  EXPECT_EQ(to_json(faults),
            R"([{"file":"a \"b\".yaml","line":1,"column":2,"path":"join","message":"is\tbad","remedy":"mend it"}])");
}

TEST(Faults, are_json_even_of_a_file_whose_name_is_no_text) {
  const std::vector<ConfigFault> faults{{"a\x9b.yaml", 1, 1, "", "cannot be read", ""}};
  EXPECT_TRUE(to_json(faults).starts_with("[{\"file\":\"a\xef\xbf\xbd.yaml\",")) << to_json(faults);
}

TEST(Faults, of_too_many_things_name_the_bound) {  // [S4.28]
  std::string horizons = "join: {horizons: [", actions = "join:\n  actions:\n";
  for (int i = 1; i <= 32; ++i) horizons += std::to_string(i) + "h, ";
  for (int i = 1; i <= 64; ++i) actions += "    a" + std::to_string(i) + ":\n";
  const auto most_horizons = load(horizons + "]}\n"), most_actions = load(actions);
  ASSERT_TRUE(most_horizons.has_value()) << all_text(most_horizons.error());
  EXPECT_EQ(most_horizons->spec.join.horizons.size(), 32U);
  ASSERT_TRUE(most_actions.has_value()) << all_text(most_actions.error());
  EXPECT_EQ(most_actions->spec.join.actions.size(), 64U);
  horizons += "33h, ";
  actions += "    a65:\n";
  const auto many_horizons = load(horizons + "]}\n");
  ASSERT_FALSE(many_horizons.has_value());
  EXPECT_NE(all_text(many_horizons.error()).find("at most 32"), std::string::npos) << all_text(many_horizons.error());
  const auto many_actions = load(actions);
  ASSERT_FALSE(many_actions.has_value());
  EXPECT_NE(all_text(many_actions.error()).find("at most 64"), std::string::npos) << all_text(many_actions.error());
}

TEST(Faults, of_files_say_the_cause) {
  const auto missing = load_config_file("/no/such/file.yaml", test_context());
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(all_text(missing.error()).find("No such file"), std::string::npos);
  const auto directory = load_config_file("/tmp", test_context());
  ASSERT_FALSE(directory.has_value());
  EXPECT_NE(all_text(directory.error()).find("Is a directory"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::testing
