// What `validate --rate` says that windows take, beside what a replay of as many lists a second says that they took.
#include <fstream>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

struct Traffic {
  const char* name;
  const char* config;
  double rate;  // lists a second
  const char* hours;
  int segment_values;
  friend std::ostream& operator<<(std::ostream& to, const Traffic& of) { return to << of.name; }
};

class Forecast : public Workplace, public testing::WithParamInterface<Traffic> {};

TEST_P(Forecast, of_windows_is_within_twice_what_they_take) {
  const Traffic& traffic = GetParam();
  std::ofstream(scratch().path("c.yaml")) << traffic.config << "publish: {http: {listen: off}}\n";
  const double lists = traffic.rate * 3600 * std::stod(traffic.hours);
  generate("--plain --lists " + std::to_string(static_cast<std::int64_t>(lists)) + " --hours " + traffic.hours +
           " --segment-values " + std::to_string(traffic.segment_values));
  const Ended replayed = run("replay --config c.yaml --output rows --format jsonl --report r.json log.jsonl");
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  const nlohmann::json report = json_in("r.json");
  const double measured = report["sums_bytes_max"].get<double>() + report["exposure_bytes_max"].get<double>();
  const Ended told = run("--json validate c.yaml --rate " + std::to_string(static_cast<int>(traffic.rate)));
  ASSERT_EQ(told.code, 0) << told.err;
  const double forecast = support::parsed_json(told.out)["forecast"]["sums_bytes"].get<double>();
  EXPECT_LE(forecast, 2 * measured);
  EXPECT_GE(forecast, measured / 2);
}

constexpr const char* two_windows = R"(
windows: [{name: minute, size: 1m}, {name: hour, size: 1h, slide: 5m}]
segments: [[variant]]
metrics: {cutoffs: [10], names: [precision, mrr, ndcg_list, distinct_items]}
)";
constexpr const char* forty_values = R"(
windows: [{name: minute, size: 1m}, {name: hour, size: 1h, slide: 5m}]
segments: [{keys: [variant], keep: [[v0], [v1], [v2], [v3], [v4], [v5], [v6], [v7], [v8], [v9], [v10], [v11], [v12],
  [v13], [v14], [v15], [v16], [v17], [v18], [v19], [v20], [v21], [v22], [v23], [v24], [v25], [v26], [v27], [v28], [v29],
  [v30], [v31], [v32], [v33], [v34], [v35], [v36], [v37], [v38], [v39]]}]
)";
constexpr const char* no_coverage = R"(
windows: [{name: hour, size: 1h, slide: 5m}]
segments: [[variant]]
join: {horizons: [5m, 30m]}
metrics: {cutoffs: [5, 10], names: [precision, mrr, ndcg_list]}
)";
constexpr const char* by_user = R"(
windows: [{name: hour, size: 1h}]
metrics: {cutoffs: [10], names: [{name: precision, unit: user}, {name: recall, unit: user}, user_coverage]}
)";

INSTANTIATE_TEST_SUITE_P(, Forecast,
                         testing::Values(Traffic{"few_segments_slowly", two_windows, 10, "1.5", 10},
                                         Traffic{"few_segments", two_windows, 50, "1.5", 10},
                                         Traffic{"many_segments", forty_values, 30, "1.2", 40},
                                         Traffic{"sums_alone", no_coverage, 30, "1.5", 10},
                                         Traffic{"sums_of_users", by_user, 30, "2", 2}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace recmeter::test
