#include "infer/arm_lists.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>

#include "infer/inferred_replay.h"

namespace recmeter::test {
namespace {

constexpr std::size_t list_size = 5;

class Sums : public RowSink {
 public:
  explicit Sums(std::string arm) : arm_(std::move(arm)) {}
  Result<void> write(const Row& row) override {
    if (row.segment.size() > 1 || (row.segment.size() == 1 && row.segment.front().first != arm_)) return {};
    ArmSums& sums = of_[row.window][row.segment.empty() ? "" : row.segment.front().second];
    sums.lists += row.lists;
    for (const ActionCount& count : row.feedback) {
      if (count.credited > 0) sums.actions[count.action] += count.credited;
    }
    for (const MetricValue& metric : row.metrics) {
      if (metric.key == "precision@1") sums.on_first += metric.numerator.value_or(0);
      if (metric.key == "mrr@10") sums.reciprocal += metric.numerator.value_or(0);
    }
    return {};
  }
  [[nodiscard]] const std::map<std::string, SumsByArm>& of() const { return of_; }

 private:
  std::string arm_;
  std::map<std::string, SumsByArm> of_;
};

void add(const ArmList& list, bool has_purchases, ArmSums& sums) {
  ++sums.lists;
  std::size_t first = list_size;
  for (const ArmList::Act& act : list.acts) {
    if (act.is_purchase && !has_purchases) continue;
    ++sums.actions[act.is_purchase ? "purchase" : "click"];
    first = std::min(first, act.rank);
  }
  sums.on_first += first == 0 ? 1 : 0;
  sums.reciprocal += first < list_size ? 1 / static_cast<double>(first + 1) : 0;
}

}  // namespace

std::vector<ArmList> make_arm_lists(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  const auto up_to = [&random](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  const std::size_t users = count / 5;
  std::vector<std::set<std::string>> seen(users);
  std::vector<ArmList> lists;
  std::int64_t ts = 1'772'442'000'000;  // 2026-03-02T09:00:00Z
  for (std::size_t n = 0; n < count; ++n) {
    ts += static_cast<std::int64_t>(1 + up_to(60)) * 1000;
    const std::size_t user = up_to(users);
    ArmList list{.ts = ts,
                 .id = fmt::format("r-{:05}", n * 7 % count),
                 .user = fmt::format("u{:04}", 17 * user),
                 .arm = user % 2 == 0 ? "A" : "B",
                 .items = {},
                 .acts = {}};
    while (list.items.size() < list_size) {
      const std::string item = fmt::format("sku-{:03}", 100 + up_to(200));
      if (seen[user].insert(item).second) list.items.push_back(item);
    }
    for (std::size_t rank = 0; rank < list_size; ++rank) {
      if (up_to((list.arm == "B" ? 2 : 4) * (rank + 1)) != 0) continue;
      const std::int64_t clicked = ts + static_cast<std::int64_t>(2 + up_to(240)) * 1000;
      list.acts.push_back({rank, clicked, false});
      if (up_to(4) == 0) list.acts.push_back({rank, clicked + static_cast<std::int64_t>(20 + up_to(300)) * 1000, true});
    }
    std::ranges::stable_sort(list.acts, {}, &ArmList::Act::ts);
    lists.push_back(std::move(list));
  }
  return lists;
}

std::string to_text(const ArmSums& sums) {
  std::string text = fmt::format("{} lists, {} on the first, {:.6f} reciprocal", sums.lists, sums.on_first, sums.reciprocal);
  for (const auto& [action, count] : sums.actions) text += fmt::format(", {} {}", count, action);
  return text;
}

SumsByArm sums_of(const std::vector<ArmList>& lists, bool has_purchases) {
  SumsByArm sums;
  for (const ArmList& list : lists) {
    add(list, has_purchases, sums[""]);
    add(list, has_purchases, sums[list.arm]);
  }
  return sums;
}

std::map<std::string, SumsByArm> replayed_by_arm(const std::string& yaml, const std::vector<std::string>& files,
                                                 const std::string& arm) {
  Sums sums(arm);
  replay_inferred(yaml, files, sums);
  return sums.of();
}

void expect_same(const SumsByArm& replayed, const SumsByArm& truth, const std::string& yaml) {
  EXPECT_EQ(replayed.size(), truth.size()) << yaml;
  for (const auto& [arm, wanted] : truth) {
    const auto found = replayed.find(arm);
    if (found == replayed.end()) {
      ADD_FAILURE() << "no rows of " << arm << "\n" << yaml;
      continue;
    }
    const ArmSums& sums = found->second;
    const bool is_same = sums.lists == wanted.lists && sums.actions == wanted.actions &&
                         std::abs(sums.on_first - wanted.on_first) < 1e-6 &&
                         std::abs(sums.reciprocal - wanted.reciprocal) < 1e-6;
    EXPECT_TRUE(is_same) << arm << ": " << to_text(sums) << " for " << to_text(wanted) << "\n" << yaml;
  }
}

}  // namespace recmeter::test
