// Each disturbance alone: as much of it as asked, and of the kind promised.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "app/generate/malformed_record.h"
#include "recmeter/event/decoder.h"
#include "support/effort.h"
#include "unit/generate/collected_log.h"

namespace recmeter::generate {
namespace {

using Json = nlohmann::json;

struct ShareCase {
  const char* name;
  std::function<void(TrafficSpec&, double)> set;
  std::function<double(const Truth&)> count;
  std::function<double(const Truth&)> of;
};

double honest_records(const Truth& truth) {
  return static_cast<double>(truth.records.records - truth.disturbances.duplicates - truth.disturbances.malformed);
}
double lists(const Truth& truth) {
  return static_cast<double>(truth.spec.lists);
}
double actions_on_lists(const Truth& truth) {
  return static_cast<double>(truth.records.actions[0] + truth.records.actions[1] - truth.records.organic);
}

const std::vector<ShareCase>& share_cases() {
  static const std::vector<ShareCase> cases{
      {"duplicates", [](auto& s, double x) { s.duplicates = x; }, [](auto& t) { return t.disturbances.duplicates; },
       honest_records},
      {"late", [](auto& s, double x) { s.late = x; }, [](auto& t) { return t.disturbances.late; }, honest_records},
      {"wrong_clocks", [](auto& s, double x) { s.wrong_clocks = x; }, [](auto& t) { return t.disturbances.wrong_clocks; },
       honest_records},
      {"malformed", [](auto& s, double x) { s.malformed = x; }, [](auto& t) { return t.disturbances.malformed; },
       honest_records},
      {"placeholders", [](auto& s, double x) { s.placeholder_users = x; }, [](auto& t) { return t.placeholder_lists; },
       lists},
      {"heavy_user", [](auto& s, double x) { s.heavy_user = x * 0.999; }, [](auto& t) { return t.heavy_user_lists; }, lists},
      {"rows", [](auto& s, double x) { s.rows = x; }, [](auto& t) { return t.lists_in_rows; }, lists},
      {"empty_lists", [](auto& s, double x) { s.empty_lists = x; }, [](auto& t) { return t.empty_lists; }, lists},
      {"share_b",
       [](auto& s, double x) {
         s.share_b = x;
         s.users = 1'000'000;
       },
       [](auto& t) { return t.lists_shown[1]; }, lists},
      {"purchases", [](auto& s, double x) { s.purchases = x; }, [](auto& t) { return t.records.actions[1]; },
       [](auto& t) { return static_cast<double>(t.records.actions[0] - t.records.organic); }},
      {"organic", [](auto& s, double x) { s.organic = x; }, [](auto& t) { return t.records.organic; },
       [](auto& t) { return actions_on_lists(t) + static_cast<double>(t.records.organic); }},
  };
  return cases;
}

TEST(SpoiltLog, every_share_is_within_binomial_bounds) {
  for (const ShareCase& each : share_cases()) {
    for (const double share : {0.02, 0.15}) {
      TrafficSpec spec = small_spec(support::effort(40'000));
      spec.users = 1000;
      each.set(spec, share);
      const Truth truth = truth_of(spec);
      const double of = each.of(truth);
      EXPECT_NEAR(each.count(truth) / of, share, 4 * std::sqrt(share * (1 - share) / of) + 0.005 * share) << each.name;
    }
  }
}

TEST(SpoiltLog, disorder_stays_within_its_bound_and_comes_near_it) {
  TrafficSpec spec = small_spec();
  spec.disorder = {30'000};
  spec.duplicates = 0.05;
  std::int64_t newest = 0;
  std::int64_t furthest = 0;
  for (const auto& line : collect(spec).lines) {
    const std::int64_t ts = Json::parse(line.text)["ts"];
    furthest = std::max(furthest, newest - ts);
    newest = std::max(newest, ts);
  }
  EXPECT_LE(furthest, 30'000);
  EXPECT_GT(furthest, 24'000);
}

TEST(SpoiltLog, duplicates_are_equal_lines) {
  TrafficSpec spec = small_spec();
  spec.duplicates = 0.1;
  spec.disorder = {10'000};
  const CollectedLog log = collect(spec);
  std::set<std::string> seen;
  std::uint64_t repeated = 0;
  for (const auto& line : log.lines) repeated += seen.insert(line.text).second ? 0U : 1U;
  EXPECT_EQ(repeated, log.truth.disturbances.duplicates);
  EXPECT_GT(repeated, 300U);
}

TEST(SpoiltLog, late_records_are_late_in_their_file_under_every_split) {
  for (const Split split : {Split::none, Split::kind, Split::hour}) {
    for (const std::int64_t disorder : {0, 45'000}) {
      TrafficSpec spec = small_spec(support::effort(5000));
      spec.late = 0.05;
      spec.disorder = {disorder};
      const CollectedLog log = collect(spec, split);
      std::map<std::uint32_t, std::int64_t> newest;
      std::uint64_t late = 0;
      for (const auto& line : log.lines) {
        const std::int64_t ts = Json::parse(line.text)["ts"];
        std::int64_t& m = newest[line.file];
        if (ts < m - spec.lateness.ms) ++late;
        m = std::max(m, ts);
      }
      EXPECT_EQ(late, log.truth.disturbances.late);
      EXPECT_GT(late, spec.lists / 25);
    }
  }
}

TEST(SpoiltLog, places_never_fall_within_a_file_and_no_clock_moves_them) {
  for (const Split split : {Split::none, Split::kind, Split::hour}) {
    TrafficSpec spec = small_spec(support::effort(5000));
    spec.late = 0.02;
    spec.disorder = {20'000};
    spec.wrong_clocks = 0.02;
    spec.far_clock = true;
    std::map<std::uint32_t, EventTime> last;
    std::uint64_t ahead = 0;
    for (const auto& line : collect(spec, split).lines) {
      const EventTime ts{Json::parse(line.text)["ts"]};
      const auto [at, is_first] = last.try_emplace(line.file, line.place);
      EXPECT_GE(line.place, at->second) << line.text;
      at->second = line.place;
      ahead += ts > line.place + Duration{300'000} ? 1U : 0U;
      EXPECT_LE(line.place, spec.start + spec.span + spec.longest_delay + spec.longest_delay) << line.text;
    }
    EXPECT_GT(ahead, spec.lists / 100);
  }
}

TEST(SpoiltLog, wrong_clocks_are_two_hours_ahead) {
  TrafficSpec spec = small_spec();
  spec.wrong_clocks = 0.05;
  const CollectedLog log = collect(spec);
  std::int64_t newest = 0;
  std::uint64_t ahead = 0;
  for (const auto& line : log.lines) {
    const std::int64_t ts = Json::parse(line.text)["ts"];
    if (newest != 0 && ts > newest + 3'600'000) {
      ++ahead;
      EXPECT_LE(ts, newest + 7'200'000 + 600'000);
    } else {
      newest = std::max(newest, ts);
    }
  }
  EXPECT_EQ(ahead, log.truth.disturbances.wrong_clocks);
}

TEST(SpoiltLog, honest_end_keeps_wrong_clocks_from_the_end_of_every_file) {
  for (const Split split : {Split::none, Split::kind, Split::hour}) {
    TrafficSpec spec = small_spec(3000);
    spec.wrong_clocks = 0.2;
    spec.malformed = 0.2;
    spec.far_clock = true;
    spec.honest_end = true;
    const CollectedLog log = collect(spec, split);
    std::map<std::uint32_t, std::string> last;
    std::map<std::uint32_t, std::int64_t> honest;
    for (const auto& line : log.lines) {
      last[line.file] = line.text;
      const Json record = Json::parse(line.text, nullptr, false);
      if (!record.is_object() || !record.contains("ts") || !record["ts"].is_number_integer()) continue;
      const std::int64_t ts = record["ts"];
      std::int64_t& m = honest[line.file];
      if (ts < spec.start.ms || (m != 0 && ts > m + 3'600'000)) continue;
      m = std::max(m, ts);
    }
    for (const auto& [file, text] : last) {
      const Json record = Json::parse(text);  // never malformed
      EXPECT_LE(record["ts"], honest[file]) << text;
    }
    EXPECT_EQ(log.truth.disturbances.far_clock, 1U);
  }
}

TEST(SpoiltLog, far_clock_without_honest_end_is_the_last_record) {
  TrafficSpec spec = small_spec(500);
  spec.far_clock = true;
  const CollectedLog log = collect(spec);
  EXPECT_EQ(Json::parse(log.lines.back().text)["ts"], far_clock_time.ms);
  EXPECT_EQ(log.truth.records.records, log.lines.size());
}

TEST(SpoiltLog, split_by_kind_keeps_lists_and_actions_apart) {
  const CollectedLog log = collect(small_spec(), Split::kind);
  for (const auto& line : log.lines) {
    EXPECT_EQ(line.file == 0, Json::parse(line.text)["type"] == "impression") << line.text;
  }
}

TEST(SpoiltLog, files_by_hour_follow_each_other) {
  const CollectedLog log = collect(small_spec(), Split::hour);
  std::uint32_t last = 0;
  for (const auto& line : log.lines) {
    ASSERT_GE(line.file, last);
    last = line.file;
  }
  EXPECT_EQ(last, 5U);
}

TEST(SpoiltLog, malformed_records_are_of_every_kind) {
  TrafficSpec spec = small_spec(2000);
  spec.malformed = 0.1;
  const Truth truth = collect(spec).truth;
  for (const InvalidReason reason : native_json_reasons) {
    EXPECT_GT(truth.disturbances.malformed_by_reason[static_cast<std::size_t>(reason)], 0U) << to_string(reason);
  }
}

TEST(MalformedRecord, is_invalid_to_the_decoder_for_its_own_reason) {
  DecoderOptions options;
  options.actions = {"click", "purchase", "rating"};
  const auto decoder = make_decoder(std::move(options));
  for (const InvalidReason kind : native_json_reasons) {
    for (std::uint64_t form = 0; form < 12; ++form) {
      const std::string record = malformed_record(kind, EventTime{1'699'920'000'000}, form);
      RecordBatch batch;
      batch.bytes.assign(record.begin(), record.end());
      batch.bytes.resize(record.size() + RecordBatch::padding);
      batch.records.push_back({0, record.size(), std::nullopt, false});
      const EventBatch events = decoder->decode(batch);
      ASSERT_EQ(events.events().size(), 1U);
      EXPECT_EQ(events.events()[0].outcome, Outcome::invalid);
      EXPECT_EQ(to_string(events.events()[0].reason), to_string(kind)) << record.substr(0, 200);
    }
  }
}

TEST(MalformedRecord, parses_as_json_only_when_its_reason_is_another) {
  for (const InvalidReason kind : native_json_reasons) {
    for (std::uint64_t form = 0; form < 12; ++form) {
      const std::string record = malformed_record(kind, EventTime{1'699'920'000'000}, form);
      EXPECT_EQ(record.find_first_of("\r\n"), std::string::npos);
      EXPECT_EQ(Json::accept(record), kind != InvalidReason::not_json) << record;
      EXPECT_EQ(record.size() > (1 << 20), kind == InvalidReason::too_long);
    }
  }
}

}  // namespace
}  // namespace recmeter::generate
