// The byte form of cells: what is read back is what was written, equal cells have equal bytes, and the merge of bytes is the
// bytes of the merge.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/metric/plan.h"
#include "recmeter/window/cell_bytes.h"
#include "recmeter/window/running_sums.h"
#include "sample_lists.h"
#include "support/dice.h"
#include "support/effort.h"

namespace recmeter::laws {
namespace {

using support::Dice;

const std::vector<std::uint32_t> cutoffs{1, 3, 10};
constexpr std::size_t compared_lists = 16;

MetricPlan plan_of(Unit unit) {
  MetricSpec spec;
  spec.cutoffs = {1, 10, 50};
  for (const char* name : {"precision", "recall", "ndcg_list", "mrr"}) {
    spec.requests.push_back({.name = name, .as = {}, .options = {.unit = unit}});
  }
  spec.requests.push_back({.name = "user_coverage", .as = {}, .options = {}});
  spec.requests.push_back({.name = "latency", .as = {}, .options = {.rank_share = 0.5}});
  spec.requests.push_back({.name = "snips", .as = {}, .options = {}});
  spec.requests.push_back({.name = "max_weight_share", .as = {}, .options = {.of = Estimator::ips_clipped}});
  return MetricPlan::make(spec, {.off_policy = OffPolicySpec{.min_ess = 1, .max_weight_share = 0.9}}).value();
}

CellShape shape_of(const MetricPlan& plan) {
  return {.columns = plan.columns(),
          .user_columns = plan.user_columns(),
          .actions = 3,
          .buckets = plan.buckets(),
          .cutoffs = cutoffs.size(),
          .cutoff_max = cutoffs.back(),
          .compared_lists = compared_lists};
}

// Cells that lists are dealt to by chance, and the cell of all of them, by whose lists they are.
template <class Cell>
struct Split {
  Cell whole;
  std::vector<Cell> parts;
};

Split<PaneSums> random_sums(Dice& dice, const MetricPlan& plan) {
  Split<PaneSums> split{.whole = {}, .parts = std::vector<PaneSums>(1 + dice.below(5))};
  const bool has_open = dice.percent(50);
  for (const SampleList& sample : random_samples(dice, dice.below(60))) {
    const ListOwner owner{.group = sample.group, .user = {.high = sample.group, .low = sample.user}};
    const ListValues values(plan, sample.list());
    split.whole.add(owner, values, sample.feedback, sample.matured);
    PaneSums& part = split.parts[dice.below(split.parts.size())];
    part.add(owner, values, sample.feedback, sample.matured);
    if (!has_open || dice.percent(70)) continue;
    const EventTime shown = event_time_min + Duration{dice.between(0, 40)};
    split.whole.add_open(shown);
    part.add_open(shown);
  }
  // As shards seal them, or provisional rows do not.
  for (PaneSums& part : split.parts) {
    if (dice.percent(50)) part.seal(any_domain);
  }
  return split;
}

PaneSums read_back(const PaneSums& sums, const CellShape& shape) {
  auto read = sums_from_bytes(to_bytes(sums), shape);
  EXPECT_TRUE(read);
  return read ? std::move(*read) : PaneSums();
}

void expect_same_rows(const MetricPlan& plan, const PaneSums& a, const PaneSums& b) {
  RunningSums of_a;
  RunningSums of_b;
  of_a.enter(a);
  of_b.enter(b);
  ASSERT_EQ(of_a.lists(), of_b.lists());
  ASSERT_EQ(of_a.unmatured(), of_b.unmatured());
  for (std::size_t action = 0; action < 3; ++action) {
    ASSERT_EQ(of_a.feedback(action).credited, of_b.feedback(action).credited);
    ASSERT_EQ(of_a.feedback(action).repeated, of_b.feedback(action).repeated);
  }
  for (const PlannedMetric& metric : plan.metrics()) {
    ASSERT_EQ(of_a.estimate(metric, 0.95).value, of_b.estimate(metric, 0.95).value);
    ASSERT_EQ(of_a.estimate(metric, 0.95).se, of_b.estimate(metric, 0.95).se);
  }
}

TEST(CellBytes, of_sums_read_back_as_they_were) {
  for (const Unit unit : {Unit::list, Unit::user}) {
    const MetricPlan plan = plan_of(unit);
    Dice dice(21 + static_cast<std::uint64_t>(unit));
    for (std::uint64_t round = 0; round < support::effort(100); ++round) {
      const PaneSums sums = random_sums(dice, plan).whole;
      const PaneSums again = read_back(sums, shape_of(plan));
      ASSERT_EQ(to_bytes(again), to_bytes(sums));
      expect_same_rows(plan, again, sums);
    }
  }
}

TEST(CellBytes, of_sums_merge_to_the_bytes_of_the_whole_in_any_order_and_grouping) {
  const MetricPlan plan = plan_of(Unit::user);
  const CellShape shape = shape_of(plan);
  Dice dice(24);
  for (std::uint64_t round = 0; round < support::effort(100); ++round) {
    Split<PaneSums> split = random_sums(dice, plan);
    while (split.parts.size() > 1) {
      dice.shuffle(split.parts);
      PaneSums last = read_back(split.parts.back(), shape);
      split.parts.pop_back();
      split.parts.front() = read_back(split.parts.front(), shape);
      split.parts.front().merge(std::move(last));
    }
    ASSERT_EQ(to_bytes(split.parts.front()), to_bytes(split.whole));
  }
}

// One user of the largest and the smallest sums, written by hand.
TEST(CellBytes, are_laid_out_as_the_header_says) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  ByteWriter bytes;
  for (const std::uint64_t number : {1U, 1U, 0U, 0U, 0U, 7U, 1U}) bytes.add(number);  // version ... unmatured lists, users
  bytes.add_fixed(5);
  bytes.add_fixed(6);
  for (const std::uint64_t number : {63U, 9U, 4U}) bytes.add(number);
  const auto add = [&](std::uint64_t zeros, std::int64_t rest) {
    bytes.add(zeros + 1);
    bytes.add_signed(rest);
  };
  add(63, -1);
  add(0, most >> 1);
  bytes.add(0);
  add(0, 0);
  add(0, -1);
  add(32, 1);
  const auto sums = sums_from_bytes(bytes.bytes(), {.user_columns = 6});
  ASSERT_TRUE(sums);
  EXPECT_EQ(sums->unmatured(), 7U);
  sums->users().own().for_each_user([&](const UserSums::UserView& user) {
    EXPECT_EQ(user.key, (UserKey{.high = 5, .low = 6}));
    EXPECT_EQ(user.group, 63U);
    EXPECT_EQ(user.lists, 9U);
    EXPECT_EQ(user.nonempty, 4U);
    EXPECT_EQ(std::vector(user.columns.begin(), user.columns.end()),
              (std::vector<std::int64_t>{least, most, 0, 1, -1, std::int64_t{3} << 32}));
  });
  EXPECT_EQ(sums->users().own().users(), 1U);
}

constexpr std::size_t items_max = 40;

// Ids of items as one process gives them: others give the same items others. What travels are the items' own numbers.
class Process {
 public:
  Interner::Id id_of(std::size_t item) {
    const auto [known, is_new] = ids_.try_emplace(item, static_cast<Interner::Id>(numbers_.size()));
    if (is_new) numbers_.push_back(static_cast<std::uint32_t>(item));
    return known->second;
  }
  [[nodiscard]] std::string write(const Exposure& exposure) const { return to_bytes(exposure, numbers_); }
  std::optional<Exposure> read(std::string_view bytes, const CellShape& shape) {
    const auto exposure = exposure_from_bytes(bytes, shape, items_max);
    if (!exposure) return std::nullopt;
    std::vector<std::uint32_t> ids;
    for (std::size_t item = 0; item < items_max; ++item) ids.push_back(id_of(item));
    return exposure->translated(ids);
  }

 private:
  std::map<std::size_t, Interner::Id> ids_;
  std::vector<std::uint32_t> numbers_;  // by id
};

Split<Exposure> random_exposure(Dice& dice, Process& process) {
  Split<Exposure> split{.whole = {}, .parts = std::vector<Exposure>(1 + dice.below(5))};
  const bool counts = dice.percent(50);
  for (std::size_t lists = dice.below(60); lists > 0; --lists) {
    std::vector<Interner::Id> items;
    for (std::size_t length = dice.below(13); length > 0; --length) {
      const Interner::Id item = dice.percent(10) ? Interner::none : process.id_of(dice.below(items_max));
      items.push_back(std::find(items.begin(), items.end(), item) == items.end() ? item : Interner::none);
    }
    const std::uint64_t hash = dice.below(std::numeric_limits<std::size_t>::max());
    const std::size_t group = dice.below(user_groups);
    for (Exposure* cell : {&split.whole, &split.parts[dice.below(split.parts.size())]}) {
      counts ? cell->add_counts(cutoffs, items) : cell->add(cutoffs, items);
      if (!items.empty()) cell->add_compared(cutoffs, items, hash, group, compared_lists);
    }
  }
  return split;
}

TEST(CellBytes, of_exposure_are_the_same_in_every_process) {
  const CellShape shape = shape_of(plan_of(Unit::list));
  Dice dice(25);
  for (std::uint64_t round = 0; round < support::effort(200); ++round) {
    Process here;
    Process there;
    for (int item = 0; item < 10; ++item) there.id_of(dice.below(items_max));
    const Exposure exposure = random_exposure(dice, here).whole;
    const std::string bytes = here.write(exposure);
    const auto read = there.read(bytes, shape);
    ASSERT_TRUE(read);
    ASSERT_EQ(there.write(*read), bytes);
    ASSERT_EQ(read->sample().threshold(), exposure.sample().threshold());
  }
}

TEST(CellBytes, of_exposure_merge_to_the_bytes_of_the_whole_in_any_order_and_grouping) {
  const CellShape shape = shape_of(plan_of(Unit::list));
  Dice dice(26);
  for (std::uint64_t round = 0; round < support::effort(200); ++round) {
    Process here;
    Process there;
    Split<Exposure> split = random_exposure(dice, here);
    std::vector<std::string> parts;
    for (const Exposure& part : split.parts) parts.push_back(here.write(part));
    while (parts.size() > 1) {
      dice.shuffle(parts);
      auto last = there.read(parts.back(), shape);
      parts.pop_back();
      auto merged = there.read(parts.front(), shape);
      ASSERT_TRUE(last && merged);
      merged->merge(std::move(*last));
      parts.front() = there.write(*merged);
    }
    ASSERT_EQ(parts.front(), here.write(split.whole));
  }
}

// Cuts and changes: refused, or the canonical form of another cell.
TEST(CellBytes, that_are_damaged_are_refused_or_another_cell) {
  const MetricPlan plan = plan_of(Unit::user);
  const CellShape shape = shape_of(plan);
  Dice dice(27);
  for (std::uint64_t round = 0; round < support::effort(10); ++round) {
    Process process;
    const std::string sums = to_bytes(random_sums(dice, plan).whole);
    const std::string exposure = process.write(random_exposure(dice, process).whole);
    for (std::size_t end = 0; end < sums.size(); ++end) ASSERT_FALSE(sums_from_bytes(sums.substr(0, end), shape));
    for (std::size_t end = 0; end < exposure.size(); ++end) ASSERT_FALSE(process.read(exposure.substr(0, end), shape));
    ASSERT_FALSE(sums_from_bytes(exposure, shape));
    ASSERT_FALSE(process.read(sums, shape));
    for (int change = 0; change < 300; ++change) {
      std::string changed = sums;
      changed[dice.below(changed.size())] = static_cast<char>(dice.below(256));
      const auto other_sums = sums_from_bytes(changed, shape);
      ASSERT_TRUE(!other_sums || to_bytes(*other_sums) == changed);
      changed = exposure;
      changed[dice.below(changed.size())] = static_cast<char>(dice.below(256));
      const auto other = process.read(changed, shape);
      ASSERT_TRUE(!other || process.write(*other) == changed);
    }
  }
}

TEST(CellBytes, of_another_version_are_refused) {
  std::string bytes = to_bytes(PaneSums());
  const CellShape shape = shape_of(plan_of(Unit::list));
  ASSERT_TRUE(sums_from_bytes(bytes, shape));
  ++bytes[0];
  EXPECT_FALSE(sums_from_bytes(bytes, shape));
}

}  // namespace
}  // namespace recmeter::laws
