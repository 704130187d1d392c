// The truth counted again from the log alone: fates by the rules of the evaluator in their plainest form, joins by list id.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/effort.h"
#include "unit/generate/collected_log.h"

namespace recmeter::generate {
namespace {

using Json = nlohmann::json;

struct Recount {
  struct List {
    std::int64_t ts = 0;
    std::size_t variant = 0;
    std::map<std::string, std::size_t> rank;  // of its known items
    std::map<std::size_t, double> grades;
    std::size_t length = 0;
  };
  ExpectedReport report;
  std::map<std::string, List> lists;
  std::vector<Json> feedback;
};

bool is_good(const Json& record) {
  return record.is_object() && record.contains("type") && record["type"].is_string() && record["type"] != "";
}

// Fates, in reading order per file.
void judge(const CollectedLog& log, const TrafficSpec& spec, Recount& out) {
  std::map<std::uint32_t, std::int64_t> newest;
  std::set<std::string> seen;
  for (const auto& line : log.lines) {
    ++out.report.read;
    const Json record = Json::parse(line.text, nullptr, false);
    ASSERT_TRUE(is_good(record));
    const std::int64_t ts = record["ts"];
    std::int64_t& m = newest[line.file];
    if (m != 0 && ts > m + 3'600'000) {
      ++out.report.future;
      continue;
    }
    if (ts < m - spec.lateness.ms) {
      ++out.report.late;
      continue;
    }
    m = std::max(m, ts);
    if (!seen.insert(line.text).second) {
      ++out.report.duplicate;
      continue;
    }
    if (record["type"] != "impression") {
      ++out.report.feedback;
      out.feedback.push_back(record);
      continue;
    }
    ++out.report.impressions;
    Recount::List& list = out.lists[record["list_id"]];
    list.ts = ts;
    list.variant = record["segments"]["variant"] == "A" ? 0 : 1;
    if (record.contains("items")) {
      for (const auto& item : record["items"]) list.rank[item] = ++list.length;
    } else {
      const std::size_t position = record["position"];
      list.rank[record["item_id"]] = position;
      list.length = std::max(list.length, position);
    }
  }
  out.report.lists = out.lists.size();
}

void join(const TrafficSpec& spec, Recount& out) {
  std::set<std::pair<std::string, std::string>> clicked;
  for (const char* type : {"click", "rating", "purchase"}) {
    for (const Json& record : out.feedback) {
      if (record["type"] != type) continue;
      if (!record.contains("list_id")) {
        ++out.report.organic;
        continue;
      }
      const std::string id = record["list_id"];
      const auto found = out.lists.find(id);
      const bool in_time = found != out.lists.end() && record["ts"].get<std::int64_t>() - found->second.ts < spec.horizon.ms;
      if (!in_time) {
        ++out.report.unmatched;
        continue;
      }
      const std::string item = record["item_id"];
      const auto rank = found->second.rank.find(item);
      if (rank == found->second.rank.end()) {
        ++out.report.not_in_list;
        continue;
      }
      const bool purchase = record["type"] == "purchase";
      if (purchase && !clicked.contains({id, item})) {
        ++out.report.unmatched;
        continue;
      }
      ++out.report.credited;
      if (record["type"] == "click") clicked.insert({id, item});
      if (record["type"] != "rating") found->second.grades[rank->second] = purchase ? purchase_gain : click_gain;
    }
  }
}

void expect_equal(const ExpectedReport& a, const ExpectedReport& b) {
  EXPECT_EQ(a.read, b.read);
  EXPECT_EQ(a.future, b.future);
  EXPECT_EQ(a.late, b.late);
  EXPECT_EQ(a.duplicate, b.duplicate);
  EXPECT_EQ(a.impressions, b.impressions);
  EXPECT_EQ(a.feedback, b.feedback);
  EXPECT_EQ(a.credited, b.credited);
  EXPECT_EQ(a.organic, b.organic);
  EXPECT_EQ(a.not_in_list, b.not_in_list);
  EXPECT_EQ(a.unmatched, b.unmatched);
  EXPECT_EQ(a.lists, b.lists);
}

TEST(Truth, is_what_a_plain_recount_of_the_log_finds) {
  for (const Split split : {Split::none, Split::kind, Split::hour}) {
    TrafficSpec spec = small_spec(support::effort(8000));
    spec.length_min = 2;
    spec.length_max = 15;
    spec.with_list_id = 1;
    spec.disorder = {20'000};
    spec.duplicates = spec.late = spec.wrong_clocks = 0.03;
    spec.rows = 0.3;
    spec.empty_lists = spec.placeholder_users = spec.heavy_user = 0.1;
    spec.purchases = spec.ratings = 0.2;
    spec.horizon = {60'000};
    spec.honest_end = spec.far_clock = true;
    const CollectedLog log = collect(spec, split);
    Recount recount;
    judge(log, spec, recount);
    join(spec, recount);
    expect_equal(recount.report, log.truth.report);

    std::array<VariantTruth, 2> variants;
    for (const auto& [id, list] : recount.lists) {
      std::vector<double> grades(list.length);
      for (const auto& [rank, grade] : list.grades) grades[rank - 1] = grade;
      variants[list.variant].add_list(metrics_of_list(grades));
    }
    for (std::size_t v = 0; v < 2; ++v) {
      EXPECT_EQ(variants[v].lists, log.truth.variants[v].lists);
      for (std::size_t m = 0; m < truth_metrics.size(); ++m) {
        for (std::size_t c = 0; c < truth_cutoffs.size(); ++c) {
          EXPECT_NEAR(variants[v].realised(m, c), log.truth.variants[v].realised(m, c), 1e-12);
        }
      }
    }
  }
}

}  // namespace
}  // namespace recmeter::generate
