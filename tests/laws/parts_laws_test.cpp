// Parts: any log in any number of parts, merged in any order and grouping, gives the bytes of one run, rows and report. And
// partials that are damaged, or do not belong together, give one error and no row. [S11].
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/partial_bytes.h"
#include "recmeter/base/base64.h"
#include "recmeter/evaluation/merge_partials.h"
#include "recmeter/metric/registry.h"
#include "recmeter/result/render.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/heavy_log.h"
#include "support/partitioned_log.h"
#include "support/random_candidates.h"
#include "support/random_experiment.h"
#include "support/random_log.h"
#include "support/random_spec.h"

namespace recmeter::laws {
namespace {

using support::Dice;
using support::EngineResult;
using support::EngineVariant;
using support::RandomLog;

// What a run took, and not what it found.
std::string report_bytes(Report report) {
  report.sums_bytes_max = report.exposure_bytes_max = 0;
  return render_json(report);
}

void expect_one_run(const EvaluatorSpec& spec, std::span<const std::string> partials, const EngineResult& whole) {
  const EngineResult merged = support::merge_to_rows(spec, partials, {});
  EXPECT_EQ(merged.bytes, whole.bytes);
  EXPECT_EQ(merged.experiments, whole.experiments);
  EXPECT_EQ(report_bytes(merged.report), report_bytes(whole.report));
}

template <class T>
void shuffle(std::vector<T>& of, Dice& dice) {
  for (std::size_t i = of.size(); i > 1; --i) std::swap(of[i - 1], of[dice.below(i)]);
}

std::vector<std::string> parts_of(const EvaluatorSpec& spec, const RandomLog& log, std::uint32_t count, Dice& dice) {
  std::vector<std::string> partials;
  for (std::uint32_t part = 0; part < count; ++part) {
    const EngineVariant variant{.shards = 1 + dice.below(4), .block_bytes = 1 + dice.below(3000)};
    partials.push_back(support::run_part(spec, log.inputs, variant, {.index = part, .count = count}));
  }
  return partials;
}

// Flat, and as a tree.
void expect_one_run_in_any_order(const EvaluatorSpec& spec, std::vector<std::string> partials, const EngineResult& whole,
                                 Dice& dice) {
  shuffle(partials, dice);
  expect_one_run(spec, partials, whole);
  while (partials.size() > 1) {
    const std::vector<std::string> pair(partials.end() - 2, partials.end());
    partials.resize(partials.size() - 2);
    partials.push_back(support::merge_to_partial(spec, pair));
    shuffle(partials, dice);
  }
  expect_one_run(spec, partials, whole);
}

// The one run, where there is one.
EngineResult check(std::uint64_t seed, const EvaluatorSpec& spec, const RandomLog& log) {
  if (!support::can_be_parted(spec)) return {};
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice(seed);
  EngineResult whole = support::run_engine(spec, log.inputs, {});
  expect_one_run_in_any_order(spec, parts_of(spec, log, 1 + static_cast<std::uint32_t>(dice.below(8)), dice), whole, dice);
  return whole;
}

TEST(Parts, merged_flat_or_as_a_tree_are_one_run_on_random_logs) {
  support::for_each_seed(60, 2000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = support::with_whole_past(support::with_whole_window(support::random_spec(seed), seed), seed);
    check(seed, spec, support::random_log(seed, spec));
  });
}

TEST(Parts, merged_flat_or_as_a_tree_are_one_run_on_heavy_users_long_silences_and_many_segments) {
  support::for_each_seed(15, 500, [](std::uint64_t seed) {
    const EvaluatorSpec spec = support::with_whole_past(support::with_whole_window(support::heavy_spec(seed), seed), seed);
    check(seed, spec, support::heavy_log(seed, spec));
  });
}

TEST(Parts, of_a_log_where_what_was_done_is_taken_back_are_one_run) {
  support::for_each_seed(15, 500, [](std::uint64_t seed) {
    const EvaluatorSpec light = support::with_returns(support::random_spec(seed), seed);
    check(seed, light, support::random_log(seed, light));
    const EvaluatorSpec heavy = support::with_returns(support::heavy_spec(seed), seed);
    check(seed, heavy, support::heavy_log(seed, heavy));
  });
}

EvaluatorSpec lanes_spec(std::uint64_t seed) {
  EvaluatorSpec spec =
      support::with_lanes(support::with_whole_past(support::with_whole_window(support::random_spec(seed), seed), seed), seed);
  std::erase_if(spec.metrics.requests,
                [](const MetricRequest& request) { return find_metric(request.name)->needs.has(ListPart::popularity); });
  return seed % 2 == 0 ? support::with_off_policy(std::move(spec), seed) : spec;
}

// Lanes with candidates, with policies, with pairs, and with experiments of what was shown.
TEST(Parts, of_a_log_with_lanes_are_one_run_of_all_lanes) {
  std::size_t joined = 0;
  std::size_t judged = 0;
  std::size_t looks = 0;
  support::for_each_seed(20, 800, [&](std::uint64_t seed) {
    EvaluatorSpec spec = lanes_spec(seed);
    const RandomLog log = support::random_log(seed, spec);
    if (seed % 4 < 2) spec = support::with_experiments(std::move(spec), seed, log);
    spec.limits.experiment_users = 1'000'000;  // no part can take a sample
    const EngineResult whole = check(seed, spec, log);
    looks += whole.looks.size();
    for (const LaneReport& lane : whole.report.lanes) {
      joined += lane.counts.candidates.joined;
      judged += lane.counts.judged;
    }
  });
  EXPECT_GT(joined, 0U);
  EXPECT_GT(judged, 0U);
  EXPECT_GT(looks, 0U);
}

// A header may say anything.
TEST(Parts, that_have_other_lanes_than_their_configuration_are_damaged) {
  const EvaluatorSpec with = lanes_spec(3);
  EvaluatorSpec without = with;
  without.lanes = {};
  std::erase_if(without.metrics.requests,
                [](const MetricRequest& request) { return find_metric(request.name)->needs.has(ListPart::seen); });
  const RandomLog log = support::random_log(3, with);
  const auto expect_refused = [&](const EvaluatorSpec& parted, const EvaluatorSpec& merged) {
    const std::vector<std::string> partials{support::run_part(parted, log.inputs, {}, {})};
    const auto made = support::try_merge_to_rows(merged, partials, {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::state_unusable);
    EXPECT_NE(made.error().context.find("a partial is damaged"), std::string::npos) << made.error().context;
  };
  expect_refused(with, without);
  expect_refused(without, with);
}

void check_by_partitions(std::uint64_t seed, const EvaluatorSpec& spec, const RandomLog& log) {
  if (!support::can_be_parted(spec)) return;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice(seed);
  const auto count = 1 + static_cast<std::uint32_t>(dice.below(8));
  const std::uint64_t partitions = count + dice.below(5);
  const RandomLog topics = support::in_partitions(spec, log, partitions, dice);
  const EngineResult whole = support::run_engine(spec, topics.inputs, {});
  expect_one_run_in_any_order(spec, support::parts_by_partitions(spec, topics, partitions, count, dice), whole, dice);
}

TEST(Parts, by_partitions_merged_flat_or_as_a_tree_are_one_run) {
  support::for_each_seed(60, 2000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = support::with_whole_past(support::with_whole_window(support::random_spec(seed), seed), seed);
    check_by_partitions(seed, spec, support::random_log(seed, spec));
    const EvaluatorSpec heavy = support::with_whole_past(support::with_whole_window(support::heavy_spec(seed), seed), seed);
    if (seed % 4 == 0) check_by_partitions(seed, heavy, support::heavy_log(seed, heavy));
  });
}

TEST(Parts, by_partitions_of_a_log_with_lanes_are_one_run_of_all_lanes) {
  support::for_each_seed(15, 600, [](std::uint64_t seed) {
    EvaluatorSpec spec = lanes_spec(seed);
    const RandomLog log = support::random_log(seed, spec);
    if (seed % 4 < 2) spec = support::with_experiments(std::move(spec), seed, log);
    spec.limits.experiment_users = 1'000'000;
    check_by_partitions(seed, spec, log);
  });
}

// A stamp for each input, their lines in any order: the bytes of a part that has read all itself.
void check_stamped(std::uint64_t seed, const EvaluatorSpec& spec, RandomLog log) {
  if (!support::can_be_parted(spec)) return;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Dice dice(seed);
  std::vector<std::string> lines;
  const bool by_share = dice.percent(40);
  const std::size_t stamps = by_share ? 1 + dice.below(log.inputs.size()) : log.inputs.size();
  for (std::size_t i = 0; i < stamps; ++i) {
    const support::EngineVariant variant{.shards = 1 + dice.below(3), .block_bytes = 1 + dice.below(3000)};
    const Part share{.index = static_cast<std::uint32_t>(i), .count = static_cast<std::uint32_t>(stamps)};
    for (std::string& line :
         by_share ? support::stamp(spec, log.inputs, variant, share) : support::stamp(spec, {&log.inputs[i], 1}, variant)) {
      lines.push_back(std::move(line));
    }
  }
  shuffle(lines, dice);
  if (!by_share) std::ranges::sort(log.inputs, {}, &support::BatchInput::name);
  const auto count = 1 + static_cast<std::uint32_t>(dice.below(8));
  const Part part{.index = static_cast<std::uint32_t>(dice.below(count)), .count = count};
  const auto stamped =
      support::run_stamped(spec, lines, {.shards = 1 + dice.below(4), .block_bytes = 1 + dice.below(9000)}, part);
  ASSERT_TRUE(stamped) << stamped.error().context;
  EXPECT_EQ(*stamped, support::run_part(spec, log.inputs, {}, part));
}

TEST(Parts, of_stamped_events_are_those_of_the_whole_log) {
  support::for_each_seed(60, 2000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = support::with_whole_past(support::with_whole_window(support::random_spec(seed), seed), seed);
    check_stamped(seed, spec, support::random_log(seed, spec));
    const EvaluatorSpec heavy = support::with_whole_past(support::with_whole_window(support::heavy_spec(seed), seed), seed);
    if (seed % 4 == 0) check_stamped(seed, heavy, support::heavy_log(seed, heavy));
  });
  // Its end holds events that lie behind the log's end: what they reach has not matured.
  const EvaluatorSpec held = support::with_whole_window(support::random_spec(308), 308);
  check_stamped(308, held, support::random_log(308, held));
}

TEST(Parts, of_stamped_events_with_lanes_are_those_of_the_whole_log) {
  support::for_each_seed(60, 2000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = lanes_spec(seed);
    check_stamped(seed, spec, support::random_log(seed, spec));
  });
}

// Some log that can be parted.
struct Sample {
  EvaluatorSpec spec;
  RandomLog log;
};

Sample sample(std::uint64_t seed) {
  for (;; ++seed) {
    EvaluatorSpec spec = support::random_spec(seed);
    if (!support::can_be_parted(spec)) continue;
    RandomLog log = support::random_log(seed, spec);
    return {std::move(spec), std::move(log)};
  }
}

TEST(Parts, have_the_same_bytes_however_they_are_made) {
  const auto check_bytes = [](const EvaluatorSpec& spec, const RandomLog& log) {
    if (!support::can_be_parted(spec)) return;
    const Part part{.index = 0, .count = 2};
    const std::string one = support::run_part(spec, log.inputs, {}, part);
    EXPECT_EQ(support::run_part(spec, log.inputs, {.shards = 5, .block_bytes = 300}, part), one);
    const std::string other = support::run_part(spec, log.inputs, {}, {.index = 1, .count = 2});
    EXPECT_EQ(support::merge_to_partial(spec, std::vector{one, other}),
              support::merge_to_partial(spec, std::vector{other, one}));
  };
  support::for_each_seed(10, 200, [&](std::uint64_t seed) {
    const auto [spec, log] = sample(seed);
    check_bytes(spec, log);
    const EvaluatorSpec lanes = lanes_spec(seed);
    check_bytes(lanes, support::random_log(seed, lanes));
  });
}

void expect_in(const std::string& refusal, const char* sentence) {
  EXPECT_NE(refusal.find(sentence), std::string::npos) << refusal;
}

TEST(Parts, of_stamped_lines_that_are_missing_twice_or_changed_are_refused) {
  const auto [spec, log] = sample(3);
  const std::vector<std::string> lines = support::stamp(spec, log.inputs, {.block_bytes = 200});
  ASSERT_GT(lines.size(), 10U);
  const auto refusal_of = [&, &spec = spec](const auto& change) {
    std::vector<std::string> changed = lines;
    change(changed);
    const auto made = support::run_stamped(spec, changed, {}, {});
    return made ? "" : made.error().context;
  };
  EXPECT_EQ(refusal_of([](auto&) {}), "");
  expect_in(refusal_of([](auto& all) { all.erase(all.begin() + 3); }), " lines; give each line of recmeter stamp once");
  expect_in(refusal_of([](auto& all) { all.push_back(all.front()); }), " lines; give each line of recmeter stamp once");
  expect_in(refusal_of([](auto& all) {
              const auto slot_of = [](const std::string& line) { return line.substr(0, line.find('\t')); };
              const auto other = std::find_if(all.begin() + 1, all.end(), [&](const std::string& line) {
                return line != all.front() && slot_of(line) == slot_of(all.front());
              });
              ASSERT_NE(other, all.end());
              *other = all.front();
            }),
            "has other lines than recmeter stamp wrote; give each");
  expect_in(refusal_of([](auto& all) { all.pop_back(); }), "there is no line of slot -");
  expect_in(refusal_of([&](auto& all) { all.insert(all.end(), lines.begin(), lines.end()); }), "stamped twice");
  expect_in(refusal_of([](auto& all) { all[2].resize(all[2].size() - 1); }), "a stamped line is damaged");
  expect_in(refusal_of([](auto& all) { all[2] = "no line"; }), "a stamped line is damaged");
  expect_in(refusal_of([](auto& all) { all.back().resize(all.back().size() - 4); }), "a stamped line is damaged");
  EvaluatorSpec other = spec;
  other.config_hash = "other";
  expect_in(support::run_stamped(other, lines, {}, {}).error().context, "stamped with another configuration");
}

TEST(Parts, of_stamps_that_are_not_of_one_log_are_refused) {
  const auto [spec, whole] = sample(3);
  const RandomLog log = support::split_otherwise(whole, 3, 3);
  using Lines = std::vector<std::string>;
  const auto refusal_of = [&, &spec = spec](std::initializer_list<Lines> stamps) {
    Lines all;
    for (const Lines& lines : stamps) all.insert(all.end(), lines.begin(), lines.end());
    const auto made = support::run_stamped(spec, all, {}, {});
    return made ? "" : made.error().context;
  };
  const auto share = [&, &spec = spec](std::uint32_t index, std::uint32_t count, std::optional<std::uint64_t> ends = {}) {
    return support::stamp(spec, log.inputs, {}, Part{.index = index, .count = count}, ends);
  };
  EXPECT_EQ(refusal_of({share(0, 2, 7), share(1, 2, 7)}), "");
  expect_in(refusal_of({share(1, 2)}), " partitions of the log are stamped; run stamp");
  expect_in(refusal_of({share(0, 2, 7), share(1, 2, 8)}), "their --ends differ");
  expect_in(refusal_of({share(0, 2, 7), share(1, 2)}), "their --ends differ");
  expect_in(refusal_of({share(0, 2), support::stamp(spec, {&log.inputs[1], 1}, {})}), "not of one log by --partitions");
}

// What stands behind its checksum decides results.
TEST(Parts, of_a_stamp_whose_last_line_was_changed_are_refused) {
  const auto [spec, log] = sample(3);
  std::vector<std::string> lines = support::stamp(spec, log.inputs, {});
  std::string summary;
  const std::size_t base64 = lines.back().rfind('\t') + 1;
  ASSERT_TRUE(read_base64(std::string_view(lines.back()).substr(base64), summary));
  Dice dice(7);
  for (int i = 0; i < 300; ++i) {
    std::string changed = summary;
    changed[dice.below(changed.size())] ^= static_cast<char>(1U << dice.below(8));
    lines.back().resize(base64);
    add_base64(lines.back(), changed);
    const auto made = support::run_stamped(spec, lines, {}, {});
    ASSERT_FALSE(made);
    expect_in(made.error().context, "a stamped line is damaged");
  }
}

TEST(Parts, that_are_cut_or_changed_anywhere_are_refused_before_a_row_is_made) {
  const auto [spec, log] = sample(3);
  const std::string whole = support::run_part(spec, log.inputs, {}, {.index = 0, .count = 2});
  Dice dice(7);
  for (std::size_t i = 0; i < 300; ++i) {
    const std::size_t at = dice.below(whole.size());
    std::string bytes = whole;
    dice.percent(50) ? bytes.resize(at) : void(bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8))));
    const auto read = PartialReader::open("p.rmp", bytes);
    ASSERT_FALSE(read) << "at " << at;
    EXPECT_EQ(read.error().code, Errc::state_unusable);
    EXPECT_NE(read.error().context.find("p.rmp"), std::string::npos) << read.error().context;
  }
}

std::string refusal(std::vector<std::string> partials) {
  std::vector<PartialReader> readers;
  for (std::size_t i = 0; i < partials.size(); ++i) {
    readers.push_back(PartialReader::open(std::to_string(i) + ".rmp", partials[i]).value());
  }
  const auto header = header_of_all(readers);
  if (!header) return header.error().context;
  const auto complete = check_complete(*header);
  return complete ? "" : complete.error().context;
}

std::string of_version(const std::string& partial, const std::string& version) {
  const std::uint64_t size = ByteReader(partial).fixed();
  PartialHeader header = header_from_bytes(std::string_view(partial).substr(frame_head_bytes, size)).value();
  header.version = version;
  const std::string payload = to_bytes(header);
  ByteWriter head;
  head.add_fixed(payload.size());
  head.add_fixed(frame_checksum(payload, 0));
  return head.bytes() + payload + partial.substr(frame_head_bytes + size);
}

TEST(Parts, that_do_not_belong_together_are_refused_by_one_sentence) {
  auto [spec, log] = sample(5);
  const auto part = [&](std::uint32_t index, std::uint32_t count) {
    return support::run_part(spec, log.inputs, {}, {.index = index, .count = count});
  };
  const std::string first = part(0, 2);
  const std::string second = part(1, 2);
  EXPECT_EQ(refusal({second, first}), "");
  EXPECT_EQ(refusal({first}), "part 1/2 is missing; give the partials of all parts, or merge to --partials");
  EXPECT_EQ(refusal({first, second, first}), "part 0/2 is there twice; leave one of its partials out: 2.rmp");
  EXPECT_EQ(refusal({first, part(1, 3)}),
            "partials do not belong together, because their logs have different numbers of parts: 0.rmp and 1.rmp");
  EXPECT_EQ(refusal({first, of_version(second, "other")}),
            "partials do not belong together, because versions of recmeter differ: 0.rmp and 1.rmp");
  const RandomLog before = std::exchange(log, support::random_log(999, spec));
  EXPECT_EQ(refusal({first, part(1, 2)}),
            "partials do not belong together, because they read different logs, or one log at different times, in another "
            "order, or with another --sort; make all of them with the same inputs and options: 0.rmp and 1.rmp");
  log = before;
  spec.config_hash = "other";
  EXPECT_EQ(refusal({first, part(1, 2)}),
            "partials do not belong together, for their configurations differ: 0.rmp and 1.rmp");
}

std::string refusal_of_shares(const EvaluatorSpec& spec, const RandomLog& topics, std::vector<std::uint32_t> parts) {
  std::vector<std::string> partials;
  for (const std::uint32_t part : {0U, 1U})
    partials.push_back(support::run_share(spec, topics.inputs, {}, {.index = part, .count = 2}, parts));
  return refusal(partials);
}

TEST(Parts, by_partitions_that_do_not_belong_together_are_refused_by_one_sentence) {
  const auto [spec, log] = sample(5);
  Dice dice(5);
  const RandomLog topics = support::in_partitions(spec, log, 2, dice);
  const std::size_t topic_count = log.inputs.size();
  std::vector<std::uint32_t> alternating;
  for (std::size_t p = 0; p < 2 * topic_count; ++p) alternating.push_back(p % 2);
  const auto share = [&, &spec = spec](std::uint32_t part, std::uint32_t count, std::uint64_t ends) {
    return support::run_share(spec, topics.inputs, {}, {.index = part, .count = count}, alternating, ends);
  };
  const std::string first = share(0, 2, 0);
  const std::string second = share(1, 2, 0);
  EXPECT_EQ(refusal({second, first}), "");
  EXPECT_EQ(refusal({first}), "part 1/2 is missing; give the partials of all parts, or merge to --partials");
  EXPECT_EQ(refusal({first, second, first}), "part 0/2 is there twice; leave one of its partials out: 2.rmp");
  EXPECT_EQ(refusal({first, share(1, 3, 0)}),
            "partials do not belong together, because their logs have different numbers of parts: 0.rmp and 1.rmp");
  EXPECT_EQ(refusal({first, share(1, 2, 1)}),
            "partials do not belong together, because their --ends differ: 0.rmp and 1.rmp");
  const std::string by_users = support::run_part(spec, topics.inputs, {}, {.index = 1, .count = 2});
  EXPECT_EQ(refusal({first, by_users}),
            "partials do not belong together, because some are cut by users and some by partitions: 0.rmp and 1.rmp");
  std::vector<std::uint32_t> zeros(alternating.size(), 0);
  const std::string all = support::run_share(spec, topics.inputs, {}, {.index = 0, .count = 2}, zeros);
  EXPECT_EQ(refusal({all, second}), "partials do not belong together, because two have partition part-0/1: 0.rmp and 1.rmp");
}

// As where a producer of one topic deals by something else.
TEST(Parts, by_partitions_with_a_user_in_two_of_them_are_refused_by_its_name) {
  support::for_each_seed(10, 100, [](std::uint64_t seed) {
    auto [spec, log] = sample(seed);
    log.inputs.push_back(log.inputs.front());
    log.inputs.back().name = "other";
    Dice dice(seed);
    const RandomLog topics = support::in_partitions(spec, log, 2, dice);
    std::vector<std::uint32_t> parts;
    for (std::size_t p = 0; p < topics.inputs.size(); ++p) parts.push_back(p % 2);
    EXPECT_EQ(refusal_of_shares(spec, topics, parts), "");
    std::swap(parts[parts.size() - 2], parts.back());
    if (topics.inputs.back().bytes.size() < 2000) return;
    const std::string said = refusal_of_shares(spec, topics, parts);
    EXPECT_TRUE(said.starts_with("events of ")) << said;
    EXPECT_NE(said.find(" are in parts 0/2 and 1/2: topics are not partitioned by what events are joined by"),
              std::string::npos)
        << said;
  });
}

TEST(KeySample, is_bounded_and_the_same_in_any_order_and_grouping) {
  Dice dice(3);
  std::vector<KeySample> samples(3);
  KeySample whole;
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t number = 0; number < 5 * KeySample::keys_max; ++number) {
    const std::string id = "u" + std::to_string(number);
    samples[dice.below(3)].add({.hash = hash_id(id), .part = 0, .id = id});
    hashes.push_back(number);
  }
  shuffle(hashes, dice);
  for (const std::uint64_t number : hashes) {
    const std::string id = "u" + std::to_string(number);
    whole.add({.hash = hash_id(id), .part = 0, .id = id});
  }
  shuffle(samples, dice);
  samples[1].add(samples[2]);
  samples[0].add(samples[1]);
  EXPECT_EQ(samples[0].mask(), whole.mask());
  const auto merged = samples[0].keys();
  const auto keys = whole.keys();
  ASSERT_EQ(merged.size(), keys.size());
  EXPECT_LE(keys.size(), KeySample::keys_max);
  EXPECT_GT(keys.size(), KeySample::keys_max / 3);
  for (std::size_t k = 0; k < keys.size(); ++k) EXPECT_EQ(merged[k].id, keys[k].id);
  EXPECT_FALSE(find_split(std::vector<const KeySample*>{samples.data(), &whole}));
}

TEST(Parts, are_not_merged_when_one_asks_to_end) {
  const auto [spec, log] = sample(3);
  const std::vector<std::string> parts{support::run_part(spec, log.inputs, {}, {})};
  const auto merged = support::try_merge_to_rows(spec, parts, {.stopped = true});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, Errc::interrupted);
}

// Where one part has many users and two have few, too.
TEST(KeySample, of_several_parts_finds_the_same_split_key_in_any_order) {
  std::vector<KeySample> samples(4);
  for (std::uint64_t number = 0; number < 5 * KeySample::keys_max; ++number) {
    samples[0].add({.hash = hash_id(std::to_string(number)), .part = 0, .id = std::to_string(number)});
  }
  for (const std::uint32_t part : {3U, 2U, 1U}) {
    for (const char* id : {"split", "also split"}) samples[part].add({.hash = hash_id(id), .part = part, .id = id});
  }
  ASSERT_NE(hash_id("split") & samples[0].mask(), 0U) << "the large part looks at it no more";
  std::vector<const KeySample*> order{&samples[0], &samples[1], &samples[2], &samples[3]};
  const std::string first = hash_id("split") < hash_id("also split") ? "split" : "also split";
  std::ranges::sort(order);
  do {
    const auto found = find_split(order);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->key.id, first);
    EXPECT_EQ(found->key.part, 1U);
    EXPECT_EQ(found->other_part, 2U);
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace
}  // namespace recmeter::laws
