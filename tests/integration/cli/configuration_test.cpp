// Configurations through the program: what `init` writes is good, and every kind of fault ends with 2, its place and remedy.
#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

struct Case {
  const char* name;
  std::string yaml;
  std::vector<std::string> says;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.yaml;
}

class FaultyConfiguration : public Workplace, public testing::WithParamInterface<Case> {};

// Every command that takes a configuration.
const char* const commands[] = {"validate c.yaml",
                                "validate --rate 10 c.yaml",
                                "replay -c c.yaml good.jsonl -o old.jsonl",
                                "replay -c c.yaml --listen 127.0.0.1:0 good.jsonl -o old.jsonl",
                                "explain -c c.yaml --list l1 good.jsonl",
#if RECMETER_IS_LIVE
                                "validate --connect c.yaml",
                                "attach -c c.yaml"
#endif
};

TEST_P(FaultyConfiguration, ends_with_2_and_one_verdict_in_every_command) {
  scratch().put("c.yaml", GetParam().yaml);
  const auto before = everything();
  const std::string verdict = run(commands[0]).err;
  for (const char* arguments : commands) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.err, verdict) << arguments;
    EXPECT_EQ(ended.code, 2) << arguments << ended.err;
    EXPECT_EQ(ended.out, "");
    expect_says(ended, GetParam().says);
    expect_says(ended, {"recmeter: c.yaml:"});
    expect_clean_messages(ended.err);
  }
  EXPECT_EQ(everything(), before);
}

const Case cases[] = {
    {"an_unknown_key", "windws: []\n", {"c.yaml:1:1: windws: is not a key here; did you mean `windows`?"}},
    {"a_key_of_another_section", "join:\n  idle_after: 5m\n", {"c.yaml:2:3: join.idle_after", "`time`"}},
    {"a_wrong_type", "threads: many\n", {"c.yaml:1:10: threads: "}},
    {"a_number_out_of_range", "threads: 5000\n", {"c.yaml:1:10: threads: ", "1024"}},
    {"a_duration_without_unit", "join: {horizons: [30]}\n", {"c.yaml:1:", "join.horizons"}},
    {"a_size_that_is_none", "limits: {message_bytes: large}\n", {"limits.message_bytes"}},
    {"a_contradiction", "windows: [{name: hour, size: 1h, slide: 7m}]\n", {"windows[0].slide", "7m"}},
    {"two_windows_of_a_name", "windows: [{name: a, size: 1m}, {name: a, size: 1h}]\n", {"windows[1]"}},
    {"an_unknown_metric", "metrics: {names: [presicion]}\n", {"metrics.names[0]", "precision"}},
    {"a_metric_without_its_catalogue", "metrics: {names: [fallout]}\n", {"metrics.names[0]", "catalog"}},
    {"a_cutoff_of_zero", "metrics: {cutoffs: [0]}\n", {"metrics.cutoffs[0]"}},
    {"an_action_after_an_unknown_one",
     "join: {actions: {click: {gain: 1}, buy: {gain: 3, after: clik}}}\n",
     {"join.actions.buy.after", "click"}},
    {"a_missing_catalogue", "catalog: {file: none.txt}\n", {"catalog.file", "none.txt"}},
    {"an_unset_variable", "name: ${RECMETER_NO_SUCH_VARIABLE}\n", {"c.yaml:1:7: name", "RECMETER_NO_SUCH_VARIABLE"}},
    {"broken_yaml", "windows: [{name: a\n", {"c.yaml:"}},
    {"a_tab_for_indentation", "join:\n\tkey: user\n", {"c.yaml:2:", "indent with spaces, not with tabs"}},
    {"a_key_twice", "threads: 1\nthreads: 2\n", {"c.yaml:2:1: threads"}},
    {"a_list_for_a_document", "- a\n- b\n", {"c.yaml:1:1", "write `key: value` lines"}},
    {"two_documents", "threads: 1\n---\nthreads: 2\n", {"c.yaml:"}},
    {"an_anchor", "join: &a {key: user}\n", {"c.yaml:1:"}},
    {"binary",
     std::string("\x7f"
                 "ELF\x02\x01\x01\0\0\0\xff\xfe",
                 12),
     {"c.yaml:1:"}},
    // What is right in each section and wrong together.
    {"an_action_beyond_the_longest_horizon",
     "join: {horizons: [30m], actions: {click: {horizon: 1h}}}\n",
     {"join.actions.click.horizon", "longest horizon 30m"}},
    {"rows_that_assemble_beyond_a_horizon", "join: {horizons: [1s]}\n", {"join.horizons", "join.assemble"}},
    {"a_skew_beyond_the_lateness", "join: {skew: 1h}\n", {"join.skew", "allowed lateness"}},
    {"an_exponential_gain",
     "join: {actions: {click: {gain: 40}}}\nmetrics: {gain: exp2}\n",
     {"join.actions.click.gain", "2^gain"}},
    {"a_cutoff_beyond_every_list", "metrics: {cutoffs: [2000]}\n", {"metrics.cutoffs[0]", "limits.list_items"}},
    {"ratings_without_a_rating", "metrics: {names: [mae]}\n", {"metrics.names[0]", "is of ratings", "join.actions"}},
    {"ranks_of_ratings_without_a_rating", "metrics: {names: [{name: spearman}]}\n", {"metrics.names[0]", "is of ratings"}},
    {"an_empty_scale",
     "ratings: {min: 5, max: 5}\njoin: {actions: {rating: {gain: 1}}}\n",
     {"ratings.max", "not below the largest"}},
    {"popularity_without_users",
     "join: {key: list}\nmetrics: {names: [novelty]}\n",
     {"metrics.names[0]", "join.key is list"}},
    {"users_of_rolling_windows",
     "windows: [{name: h, size: 1h, slide: 1m}]\nmetrics: {names: [{name: precision, unit: user}]}\n",
     {"metrics.names[0].unit", "slide"}},
    {"a_topic_that_is_read_and_written",
     "inputs: [{topic: a}]\npublish: {kafka: {topic: a}}\n",
     {"publish.kafka.topic", "is read as an input"}},
    {"a_public_address_without_a_token",
     "publish:\n  http: {listen: \"0.0.0.0:8080\"}\n",
     {"c.yaml:2:18: publish.http.listen", "neither a token nor TLS", "token_file"}},
    {"a_certificate_without_its_key", "publish: {http: {certificate: a.pem}}\n", {"publish.http.certificate", "add `key`"}},
    {"an_address_that_is_a_name", "publish: {http: {listen: \"example.org:80\"}}\n", {"publish.http.listen", "host:port"}},
    {"a_path_with_brackets",
     "inputs: [{fields: {item_id: \"items[].item_id\"}}]\n",
     {"inputs[0].fields.item_id", "goes into all entries of a list", "`items.item_id`"}},
    {"a_window_that_slides_by_a_millisecond",
     "windows: [{name: minute, size: 1m, slide: 1ms}]\n",
     {"windows[0].slide", "60000 windows", "limits.windows_per_list is 10000", "6ms"}},
    {"rows_beyond_what_a_day_may_have",
     "windows: [{name: s, size: 1s, slide: 1ms}]\n",
     {"limits.values_per_day", "86,400,000 rows", "raise it above 1000000000"}},
    {"values_beyond_what_a_list_may_have", "limits: {values_per_list: 10}\n", {"limits.values_per_list", "21 values"}},
#if RECMETER_IS_LIVE
    {"a_property_that_librdkafka_does_not_know",
     "kafka: {properties: {no.such.property: 1}}\n",
     {"kafka.properties", "no.such.property"}},
    {"a_property_with_a_bad_value",
     "kafka: {properties: {socket.timeout.ms: soon}}\n",
     {"kafka.properties", "socket.timeout.ms"}},
    {"labels_that_are_one_for_prometheus",
     "inputs: [{topic: a}]\nsegments: [[a.b], [a_b]]\n",
     {"segments", "label segment_a_b", "rename one"}},
    {"metrics_that_are_one_for_prometheus",
     "inputs: [{topic: a}]\nmetrics: {names: [precision, {name: mrr, as: precision_low}]}\n",
     {"metrics.names", "for Prometheus", "`as`"}},
#endif
    {"a_log_by_mistake", impression(1, 0), {"c.yaml:1:"}},
};
INSTANTIATE_TEST_SUITE_P(Every, FaultyConfiguration, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& of) { return of.param.name; });

using Configuration = Workplace;

TEST_F(Configuration, has_a_schema_that_is_printed_without_one) {
  const Ended ended = run("validate --schema");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(support::parsed_json(ended.out).at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  expect_says(run("validate"), {"no configuration is named"});
}

TEST_F(Configuration, all_faults_are_told_at_once_in_their_order) {
  scratch().put("c.yaml", "threads: many\nwindws: []\njoin: {key: item, horizons: [0s]}\nlimits: {lost_share: 2}\n");
  const Ended ended = run("validate c.yaml");
  EXPECT_EQ(ended.code, 2);
  const auto lines = lines_of(ended.err);
  ASSERT_EQ(lines.size(), 5U) << ended.err;
  for (std::size_t i = 0; i < 5; ++i) {
    const int line[] = {1, 2, 3, 3, 4};
    EXPECT_TRUE(lines[i].starts_with("recmeter: c.yaml:" + std::to_string(line[i]) + ":")) << lines[i];
  }
  const auto json = support::parsed_json(run("--json validate c.yaml").err);
  EXPECT_EQ(json["level"], "error");
  ASSERT_EQ(json["faults"].size(), 5U);
  for (const char* key : {"file", "line", "column", "path", "message", "remedy"})
    EXPECT_TRUE(json["faults"][0].contains(key));
}

TEST_F(Configuration, that_cannot_be_read_is_told_as_such) {
  for (const auto& [path, remedy] : {std::pair("none.yaml", "`recmeter init` writes a configuration"),
                                     std::pair("folder", "name a file that you may read")}) {
    for (const std::string& command : {std::string("validate "), std::string("replay good.jsonl -c ")}) {
      const Ended ended = run(command + path);
      EXPECT_EQ(ended.code, 2);
      expect_says(ended, {std::string(path) + ":1:1: cannot be read", remedy});
      expect_clean_messages(ended.err);
    }
  }
}

TEST_F(Configuration, that_is_empty_is_the_defaults) {
  EXPECT_EQ(run("validate empty.jsonl").code, 0);
  const Ended with = run("replay -c empty.jsonl good.jsonl");
  EXPECT_EQ(with.code, 0);
  EXPECT_EQ(with.out, run("replay good.jsonl").out);
}

TEST_F(Configuration, that_init_writes_is_valid) {
  for (const char* command : {"init", "init --live", "init --shape ga4", "init --shape snowplow"}) {
    const Ended starter = run(command);
    EXPECT_EQ(starter.code, 0);
    EXPECT_EQ(starter.err, "");
    scratch().put("starter.yaml", starter.out);
    const Ended text = run("validate starter.yaml");
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("precision@"), std::string::npos) << text.out;
    const Ended json = run("validate --json starter.yaml");
    EXPECT_EQ(json.code, 0);
    EXPECT_TRUE(support::parsed_json(json.out).is_object());
    EXPECT_EQ(lines_of(json.out).size(), 1U);
  }
}

TEST_F(Configuration, that_init_writes_for_a_live_run_names_topics) {
  scratch().put("live.yaml", run("init --live").out);
  const Ended summary = run("validate live.yaml");
  EXPECT_NE(summary.out.find("impressions"), std::string::npos) << summary.out;
  EXPECT_NE(summary.out.find("rows to the file windows.jsonl"), std::string::npos) << summary.out;
}

TEST_F(Configuration, names_the_inputs_of_a_replay) {
  scratch().put("c.yaml", "inputs: [{file: good.jsonl.gz}]\nwindows: [{name: all, size: all}]\n");
  const Ended ended = run("replay -c c.yaml");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(support::parsed_json(lines_of(ended.out).front())["lists"], 600);
}

// What infer writes for two files says how each is read; naming them again must not undo that. [I3.7]
TEST_F(Configuration, reads_a_named_file_as_the_entry_that_names_it_says) {
  const std::string seconds = std::to_string(start_ms / 1000);
  scratch().put("shown.csv", "when,who,list,what\n" + seconds + ",u1,l1,a|b\n");
  scratch().put("done.csv", "at,by,did,on\n" + seconds + ",u1,tap,b\n");
  scratch().put("c.yaml", R"(
inputs:
  - file: [shown.csv]
    unit: s
    fields: {ts: when, user_id: who, list_id: list}
    events: [{type: impression, fields: {items: {at: what, split: '|'}}}]
  - file: [done.csv]
    unit: s
    fields: {ts: at, user_id: by}
    events: [{type: click, when: {did: tap}, fields: {item_id: on}}]
join: {horizons: [30m], actions: {click: {gain: 1}}}
windows: [{name: all, size: all}]
)");
  const Ended configured = run("replay -c c.yaml");
  ASSERT_EQ(configured.code, 0) << configured.err;
  EXPECT_EQ(support::parsed_json(lines_of(configured.out).front())["feedback"]["click"]["credited"], 1);
  for (const std::string& files :
       {std::string("shown.csv done.csv"), std::string("done.csv shown.csv"), scratch().path("done.csv") + " ./shown.csv"}) {
    const Ended named = run("replay -c c.yaml " + files);
    EXPECT_EQ(named.code, 0) << files << ": " << named.err;
    EXPECT_EQ(named.out, configured.out) << files;
  }
}

}  // namespace
}  // namespace recmeter::test
