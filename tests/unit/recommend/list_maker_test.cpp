// What recommenders that are not built in are told, and what becomes of their answers.
#include "recmeter/recommend/list_maker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "recmeter/recommend/prequential.h"
#include "support/effort.h"
#include "unit/recommend/random_log.h"

namespace recmeter {
namespace {

// Writes down all that it is told, and answers each request with its newest items.
class Scribe final : public ListMaker {
 public:
  Result<void> learn(const LearnedEvent& event) override {
    told_ +=
        "learn " + std::to_string(event.ts.ms) + " " + std::to_string(event.user) + " " + std::to_string(event.item) + "\n";
    items_.push_back(event.item);
    return {};
  }
  Result<void> ask(const Question& question) override {
    told_ += "ask " + std::to_string(question.request->ts.ms) + " " + std::to_string(question.request->user);
    for (const std::uint32_t item : question.excluded) told_ += " -" + std::to_string(item);
    for (const std::uint32_t item : question.candidates) told_ += " +" + std::to_string(item);
    ends_.emplace_back(question.request->ts, told_.size());
    told_ += "\n";
    ++questions_;
    return {};
  }
  Result<std::vector<MadeList>> answers() override {
    std::vector<MadeList> out;
    for (std::size_t asked = 0; asked < questions_; ++asked) {
      MadeList list;
      for (std::size_t i = 0; i < items_.size() && i < 5; ++i) list.push_back({.item = items_[items_.size() - 1 - i]});
      list.push_back({.item = unknown_item});
      out.push_back(list);
    }
    questions_ = 0;
    return out;
  }

  // All it knew when it was asked for the last time at or before `ts`.
  [[nodiscard]] std::string told_by(EventTime ts) const {
    std::size_t end = 0;
    for (const auto& [asked, size] : ends_) end = asked <= ts ? size : end;
    return told_.substr(0, end);
  }

 private:
  std::string told_;
  std::vector<std::pair<EventTime, std::size_t>> ends_;
  std::vector<std::uint32_t> items_;
  std::size_t questions_ = 0;
};

PrequentialSpec rules_of(Duration step) {
  PrequentialSpec rules;
  rules.step = step;
  rules.recommenders = {{.name = "top"}, {.name = "theirs", .kind = RecommenderKind::process}};
  return rules;
}

const Prequential::Take nothing = [](auto&&...) { return Result<void>{}; };

TEST(ListMaker, is_told_nothing_of_the_future) {
  support::for_each_seed(200, 2000, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const PrequentialSpec rules = rules_of(Duration{static_cast<std::int64_t>(random() % 2) * 500'000});
    LearningLog log = test::random_log(seed, 60);
    const EventTime t = log.events[random() % log.events.size()].ts;
    Scribe before;
    Scribe after;
    ASSERT_TRUE(Prequential(rules, log, {nullptr, &before}).run(nothing, {}));
    log.events = test::with_another_future(log, t, random);
    ASSERT_TRUE(Prequential(rules, log, {nullptr, &after}).run(nothing, {}));
    EXPECT_EQ(before.told_by(t), after.told_by(t)) << "seed " << seed << ", at " << t.ms;
  });
}

// Whose events have no user: a program would take all of them for one.
TEST(ListMaker, is_not_told_what_nobody_did) {
  LearningLog log = test::random_log(2, 60);
  Scribe before;
  Scribe after;
  ASSERT_TRUE(Prequential(rules_of(Duration{0}), log, {nullptr, &before}).run(nothing, {}));
  log.events.insert(log.events.begin(), {log.events.front().ts, nobody, 0, 0, {}});
  log.events.push_back({log.events.back().ts, nobody, 1, 0, {}});
  ASSERT_TRUE(Prequential(rules_of(Duration{0}), log, {nullptr, &after}).run(nothing, {}));
  EXPECT_EQ(before.told_by(plus_infinity), after.told_by(plus_infinity));
}

// Made lists come at the end of a version, those of models at once: they are handed over together.
TEST(ListMaker, has_its_lists_handed_over_in_the_order_of_requests_whatever_the_threads) {
  const LearningLog log = test::random_log(5, 900);
  const auto order = [&](const TaskRunner& runner) {
    Scribe scribe;
    std::vector<std::string> out;
    const Prequential::Take take = [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> list) {
      out.push_back(std::to_string(r) + " " + std::to_string(request.ts.ms) + " " + std::to_string(request.user));
      for (const RankedItem& one : list) out.back() += " " + std::to_string(one.item);
      return Result<void>{};
    };
    EXPECT_TRUE(Prequential(rules_of(Duration{50'000'000}), log, {nullptr, &scribe}).run(take, {}, runner));
    return out;
  };
  const auto alone = order({});
  EXPECT_EQ(alone.size(), 2 * log.requests.size());
  const TaskRunner two{2, [](std::span<const std::function<void()>> tasks) {
                         std::vector<std::jthread> running;
                         for (const auto& task : tasks) running.emplace_back(task);
                       }};
  EXPECT_EQ(order(two), alone);
}

TEST(ListMaker, has_no_item_that_may_not_be_in_a_list) {
  const LearningLog log = test::random_log(3, 200);
  Scribe scribe;
  std::uint64_t lists = 0;
  std::uint64_t items = 0;
  const Prequential::Take take = [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> list) {
    lists += r;
    items += r == 1 ? list.size() : 0;
    for (const RankedItem& one : list) {
      EXPECT_NE(one.item, unknown_item);
      EXPECT_EQ(std::ranges::count(list, one.item, &RankedItem::item), 1);
      for (const LearnedEvent& event : log.events) {
        EXPECT_FALSE(event.ts < request.ts && event.user == request.user && event.item == one.item) << "it is known";
      }
    }
    return Result<void>{};
  };
  const auto counts = Prequential(rules_of(Duration{0}), log, {nullptr, &scribe}).run(take, {});
  ASSERT_TRUE(counts);
  EXPECT_EQ(lists, log.requests.size());
  EXPECT_GT(items, 100U);
  EXPECT_EQ(counts->bad_items[0], 0U);
  EXPECT_GT(counts->bad_items[1], lists) << "one that is unknown in each list, and known ones";
}

TEST(ListMaker, changes_no_list_of_a_built_in_recommender) {
  const LearningLog log = test::random_log(4, 200);
  const auto lists_of_top = [&](std::vector<ListMaker*> makers) {
    std::vector<std::vector<std::uint32_t>> out;
    const Prequential::Take take = [&](std::size_t r, const ListRequest& /*request*/, std::span<const RankedItem> list) {
      if (r == 0) out.emplace_back();
      for (std::size_t i = 0; r == 0 && i < list.size(); ++i) out.back().push_back(list[i].item);
      return Result<void>{};
    };
    EXPECT_TRUE(Prequential(rules_of(Duration{500'000}), log, std::move(makers)).run(take, {}));
    return out;
  };
  Scribe scribe;
  EXPECT_EQ(lists_of_top({nullptr, &scribe}), lists_of_top({}));
}

}  // namespace
}  // namespace recmeter
