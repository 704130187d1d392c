// What recommenders predict, held against their definitions computed anew for every request, and against a future that
// changed.
#include "recmeter/recommend/prequential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "recmeter/recommend/recommender.h"
#include "support/effort.h"
#include "unit/recommend/random_log.h"

namespace recmeter {
namespace {

using Kind = RecommenderKind;
using test::random_log;

// By recommender, time and user: the items, with their scores.
using Predicted =
    std::map<std::tuple<std::size_t, std::int64_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, double>>>;

Predicted predicted(const PrequentialSpec& spec, const LearningLog& log) {
  Predicted out;
  const Prequential::Take take = [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> items) {
    auto& list = out[{r, request.ts.ms, request.user}];
    for (const RankedItem& one : items) list.emplace_back(one.item, *one.score);
    return Result<void>{};
  };
  EXPECT_TRUE(Prequential(spec, log).run(take, {}).has_value());
  return out;
}

std::vector<RecommenderSpec> all_kinds() {
  return {{.name = "random", .kind = Kind::random},
          {.name = "popularity", .kind = Kind::popularity},
          {.name = "trailing", .kind = Kind::popularity, .period = Duration{900'000}},
          {.name = "fading", .kind = Kind::popularity, .half_life = Duration{700'000}},
          {.name = "users", .kind = Kind::popularity, .period = Duration{2'000'000}, .count = RecommenderSpec::Count::users},
          {.name = "recency", .kind = Kind::recency},
          {.name = "own", .kind = Kind::own_recency},
          {.name = "covisit", .kind = Kind::covisit, .window = Duration{600'000}},
          {.name = "knn", .kind = Kind::item_knn, .k = 3},
          {.name = "knn_all", .kind = Kind::item_knn, .half_life = Duration{900'000}, .k = 0},
          {.name = "isgd", .kind = Kind::isgd, .factors = 4, .iterations = 2, .seed = 5},
          {.name = "users_knn", .kind = Kind::user_knn, .k = 3}};
}

// The definitions, each from the events that may be known: slow, and without anything kept from one request to the next.
class Definition {
 public:
  Definition(const PrequentialSpec& rules, const LearningLog& log, const ListRequest& request)
      : rules_(rules), log_(log), request_(request) {
    std::int64_t version = request.ts.ms;
    if (rules.step.ms > 0) version -= version % rules.step.ms;
    bound_ = EventTime{version - rules.delay.ms};
    const EventTime known_before = rules.history == PrequentialSpec::History::step ? bound_ : request.ts - rules.delay;
    for (const LearnedEvent& event : log.events) {
      if (event.ts < bound_) learned_.push_back(event);
      if (event.ts < known_before && event.user == request.user) own_.push_back(event);
    }
  }

  [[nodiscard]] std::set<std::uint32_t> candidates() const {
    std::set<std::uint32_t> out;
    for (const LearnedEvent& event : learned_) out.insert(event.item);
    return out;
  }

  // Distinct items, the latest first.
  [[nodiscard]] std::vector<LearnedEvent> history() const {
    std::vector<LearnedEvent> out;
    for (auto event = own_.rbegin(); event != own_.rend(); ++event) {
      const bool is_new =
          std::none_of(out.begin(), out.end(), [&](const LearnedEvent& one) { return one.item == event->item; });
      if (is_new) out.push_back(*event);
    }
    return out;
  }

  // The item of the page that the list stands on, if the recommender goes by it.
  [[nodiscard]] std::optional<std::uint32_t> beside(const RecommenderSpec& spec) const {
    for (const auto& [name, value] : request_.context) {
      if (!spec.context.empty() && name == spec.context) return log_.items.find(value);
    }
    return std::nullopt;
  }

  [[nodiscard]] double score(const RecommenderSpec& spec, std::uint32_t y) const {
    switch (spec.kind) {
      case Kind::random: return 0;
      case Kind::popularity: return popularity(spec, y);
      case Kind::recency: {
        std::optional<EventTime> latest;
        for (const LearnedEvent& event : learned_) {
          if (event.item == y) latest = event.ts;
        }
        return -static_cast<double>((request_.ts - *latest).ms) / 86'400'000;
      }
      case Kind::own_recency: {
        const auto items = history();
        for (std::size_t rank = 0; rank < items.size(); ++rank) {
          if (items[rank].item == y) return -static_cast<double>(rank + 1);
        }
        return -static_cast<double>(items.size() + 1);
      }
      case Kind::covisit: return covisit(spec, y);
      case Kind::item_knn: return item_knn(spec, y);
      case Kind::isgd:
      case Kind::user_knn:
      case Kind::process:
      case Kind::recorded:
      case Kind::shown: break;
    }
    ADD_FAILURE();
    return 0;
  }

 private:
  [[nodiscard]] double popularity(const RecommenderSpec& spec, std::uint32_t y) const {
    double sum = 0;
    std::set<std::uint32_t> users;
    for (const LearnedEvent& event : learned_) {
      if (event.item != y) continue;
      if (spec.half_life.ms > 0) {
        sum += std::exp2(-static_cast<double>((bound_ - event.ts).ms) / static_cast<double>(spec.half_life.ms));
      } else if (spec.period.ms == 0 || event.ts >= bound_ - spec.period) {
        sum += 1;
        users.insert(event.user);
      }
    }
    return spec.count == RecommenderSpec::Count::users ? static_cast<double>(users.size()) : sum;
  }

  [[nodiscard]] std::vector<LearnedEvent> gone_by(const RecommenderSpec& spec) const {
    const auto item = beside(spec);
    return item ? std::vector<LearnedEvent>{{.ts = request_.ts, .user = request_.user, .item = *item}} : history();
  }

  [[nodiscard]] double covisit(const RecommenderSpec& spec, std::uint32_t y) const {
    const auto items = gone_by(spec);
    if (items.empty() || items.front().item == y) return 0;
    const std::uint32_t x = items.front().item;
    double count = 0;
    for (std::size_t later = 0; later < learned_.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const LearnedEvent& a = learned_[earlier];
        const LearnedEvent& b = learned_[later];
        if (a.user != b.user || b.ts - a.ts > spec.window) continue;
        if ((a.item == x && b.item == y) || (a.item == y && b.item == x)) ++count;
      }
    }
    return count;
  }

  [[nodiscard]] std::set<std::uint32_t> users_of(std::uint32_t item) const {
    std::set<std::uint32_t> users;
    for (const LearnedEvent& event : learned_) {
      if (event.item == item) users.insert(event.user);
    }
    return users;
  }
  [[nodiscard]] double similarity(std::uint32_t x, std::uint32_t y) const {
    const auto of_x = users_of(x);
    const auto of_y = users_of(y);
    double both = 0;
    for (const std::uint32_t user : of_x) both += of_y.contains(user) ? 1 : 0;
    return both == 0 ? 0 : both / (std::sqrt(static_cast<double>(of_x.size())) * std::sqrt(static_cast<double>(of_y.size())));
  }
  // Whether fewer than k items are nearer to x. Between equally near ones decides a hash: such neighbours are left open.
  [[nodiscard]] std::optional<bool> is_near(const RecommenderSpec& spec, std::uint32_t x, std::uint32_t y) const {
    if (spec.k == 0) return true;
    std::size_t nearer = 0;
    std::size_t equal = 0;
    const double own = similarity(x, y);
    for (const std::uint32_t other : candidates()) {
      if (other == x) continue;
      nearer += similarity(x, other) > own ? 1U : 0U;
      equal += similarity(x, other) == own ? 1U : 0U;
    }
    if (nearer >= spec.k) return false;
    if (nearer + equal <= spec.k) return true;
    return std::nullopt;
  }
  [[nodiscard]] double item_knn(const RecommenderSpec& spec, std::uint32_t y) const {
    double sum = 0;
    for (const LearnedEvent& x : gone_by(spec)) {
      if (x.item == y || similarity(x.item, y) == 0) continue;
      const auto near = is_near(spec, x.item, y);
      if (!near) return std::nan("");
      const double age = static_cast<double>((request_.ts - x.ts).ms);
      const double weight = spec.half_life.ms == 0 ? 1 : std::exp2(-age / static_cast<double>(spec.half_life.ms));
      if (*near) sum += weight * similarity(x.item, y);
    }
    return sum;
  }

  const PrequentialSpec& rules_;
  const LearningLog& log_;
  const ListRequest& request_;
  EventTime bound_;
  std::vector<LearnedEvent> learned_;
  std::vector<LearnedEvent> own_;
};

struct Rules {
  const char* name;
  Duration step;
  Duration delay;
  PrequentialSpec::History history = PrequentialSpec::History::event;
  PrequentialSpec::Candidates candidates = PrequentialSpec::Candidates::seen;
  bool by_page = false;  // covisit and item_knn
};

LearningLog log_of(const Rules& rules, std::uint64_t seed, std::size_t events) {
  LearningLog log = random_log(seed, events);
  if (rules.by_page) test::add_contexts(log.requests);
  return log;
}

PrequentialSpec spec_of(const Rules& rules) {
  PrequentialSpec out;
  out.step = rules.step;
  out.delay = rules.delay;
  out.history = rules.history;
  out.candidates = rules.candidates;
  out.recent = Duration{2'000'000};
  out.recommenders = all_kinds();
  out.rating = 0;
  if (rules.by_page) out.context = {"list_id", "page"};
  for (RecommenderSpec& one : out.recommenders) {
    if (rules.by_page && (one.kind == Kind::covisit || one.kind == Kind::item_knn)) one.context = "page";
  }
  return out;
}

class Recommended : public testing::TestWithParam<Rules> {
 protected:
  static PrequentialSpec spec() {
    PrequentialSpec out = spec_of(GetParam());
    out.length = 100;
    out.exclude = PrequentialSpec::Exclude::none;
    return out;
  }
};

TEST_P(Recommended, is_as_the_definition_says) {
  const PrequentialSpec rules = spec();
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const LearningLog log = log_of(GetParam(), seed, 90);
    const Predicted all = predicted(rules, log);
    for (const ListRequest& request : log.requests) {
      const Definition definition(rules, log, request);
      for (std::size_t r = 0; r < rules.recommenders.size(); ++r) {
        auto candidates = definition.candidates();
        if (const auto page = definition.beside(rules.recommenders[r])) candidates.erase(*page);
        const auto& list = all.at({r, request.ts.ms, request.user});
        std::set<std::uint32_t> items;
        for (const auto& [item, score] : list) {
          items.insert(item);
          if (rules.recommenders[r].kind == Kind::isgd || rules.recommenders[r].kind == Kind::user_knn) continue;
          const double expected = definition.score(rules.recommenders[r], item);
          if (!std::isnan(expected)) {
            ASSERT_NEAR(score, expected, 1e-9)
                << rules.recommenders[r].name << " of item " << item << " at " << request.ts.ms << ", log " << seed;
          }
        }
        EXPECT_EQ(items, candidates) << "every candidate and nothing else";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Recommended,
    testing::Values(Rules{"each_event", Duration{0}, Duration{0}}, Rules{"steps", Duration{500'000}, Duration{0}},
                    Rules{"steps_and_delay", Duration{300'000}, Duration{100'000}},
                    Rules{"history_of_the_step", Duration{500'000}, Duration{0}, PrequentialSpec::History::step},
                    Rules{"pages", Duration{0}, Duration{100'000}, PrequentialSpec::History::event,
                          PrequentialSpec::Candidates::seen, true}),
    [](const auto& rules) { return rules.param.name; });

// Events of the future are changed, and what was predicted before stays: 10^5 changes in a long run.
class Future : public testing::TestWithParam<Rules> {
 protected:
  // Compares what is predicted of the log as it is now, up to and at `until`, with what was predicted before.
  std::size_t compare(const PrequentialSpec& rules, const LearningLog& log, const Predicted& before, EventTime until) {
    std::size_t compared = 0;
    const bool by_targets = rules.candidates == PrequentialSpec::Candidates::rated;
    const Prequential::Take take = [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> items) {
      const auto was = before.find({r, request.ts.ms, request.user});
      if (request.ts > until || was == before.end()) return Result<void>{};  // a request that was not there is another
      if (by_targets && !has_items(was->second, request.targets)) return Result<void>{};
      EXPECT_TRUE(std::ranges::equal(
          was->second, items,
          [](const auto& one, const RankedItem& other) { return one.first == other.item && one.second == *other.score; }))
          << rules.recommenders[r].name << " at " << request.ts.ms << " for user " << request.user;
      ++compared;
      return Result<void>{};
    };
    EXPECT_TRUE(Prequential(rules, log).run(take, {}).has_value());
    return compared;
  }

 private:
  static bool has_items(const std::vector<std::pair<std::uint32_t, double>>& list, const std::vector<std::uint32_t>& items) {
    return list.size() == items.size() &&
           std::ranges::all_of(list, [&](const auto& one) { return std::ranges::find(items, one.first) != items.end(); });
  }
};

TEST_P(Future, changes_no_prediction_of_before) {
  PrequentialSpec rules = spec_of(GetParam());
  rules.length = rules.candidates == PrequentialSpec::Candidates::rated ? 100 : 5;
  constexpr std::uint64_t changes = 50;
  std::size_t compared = 0;
  std::size_t changed = 0;
  support::for_each_seed(5, 340, [&](std::uint64_t seed) {
    LearningLog log = log_of(GetParam(), seed, 60);
    const Predicted before = predicted(rules, log);
    const std::vector<LearnedEvent> events = log.events;
    const std::vector<ListRequest> requests = log.requests;
    std::mt19937_64 random(seed);
    for (std::uint64_t n = 0; n < changes && !HasFailure(); ++n) {
      log.events = events;
      const EventTime t = events[random() % events.size()].ts;
      log.events = test::with_another_future(log, t, random);
      log.requests = random() % 2 == 0 ? requests : test::requests_of(log.events);
      if (GetParam().by_page) {
        for (ListRequest& request : log.requests) request.context.clear();
        test::add_contexts(log.requests);
      }
      SCOPED_TRACE("seed " + std::to_string(seed) + ", change " + std::to_string(n) + ", t " + std::to_string(t.ms));
      compared += compare(rules, log, before, t + rules.delay);
      ++changed;
    }
  });
  EXPECT_GT(compared, 100 * changed);
  RecordProperty("changes", static_cast<int>(changed));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Future,
    testing::Values(
        Rules{"each_event", Duration{0}, Duration{0}}, Rules{"steps", Duration{500'000}, Duration{0}},
        Rules{"steps_and_delay", Duration{300'000}, Duration{100'000}},
        Rules{"history_of_the_step", Duration{500'000}, Duration{0}, PrequentialSpec::History::step},
        Rules{"what_is_recent", Duration{0}, Duration{0}, PrequentialSpec::History::event,
              PrequentialSpec::Candidates::recent},
        Rules{"what_is_rated", Duration{0}, Duration{0}, PrequentialSpec::History::event, PrequentialSpec::Candidates::rated},
        Rules{"pages", Duration{0}, Duration{0}, PrequentialSpec::History::event, PrequentialSpec::Candidates::seen, true}),
    [](const auto& rules) { return rules.param.name; });

// A log in which other people act as well: nobody, or for each of their acts a user who never comes again.
LearningLog with_passers_by(std::uint64_t seed, bool are_users) {
  LearningLog log = random_log(seed, 60);
  std::mt19937_64 random(seed + 1000);
  const EventTime begin = log.events.front().ts;
  const std::int64_t span = (log.events.back().ts - begin).ms;
  for (int n = 0; n < 40; ++n) {
    const std::uint32_t user = are_users ? log.users.number("passer-by " + std::to_string(n)) : nobody;
    const EventTime ts = begin + Duration{static_cast<std::int64_t>(random()) % span / 1000 * 1000};
    log.events.push_back({ts, user, static_cast<std::uint32_t>(random() % log.items.size()), 0, 3.0});
  }
  std::ranges::stable_sort(log.events, {}, &LearnedEvent::ts);
  return log;
}

// [S12.2]: what nobody did says something of items, and nothing of a user.
TEST(Prequential, counts_what_nobody_did_where_events_count_and_nowhere_else) {
  PrequentialSpec rules = spec_of({"each_event", Duration{0}, Duration{0}});
  rules.candidates = PrequentialSpec::Candidates::catalog;
  const std::set<std::string> of_items{"random", "popularity", "trailing", "fading", "recency"};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    LearningLog alone = random_log(seed, 60);
    LearningLog with_nobody = with_passers_by(seed, false);
    LearningLog with_users = with_passers_by(seed, true);
    for (LearningLog* log : {&alone, &with_nobody, &with_users}) {
      for (std::uint32_t item = 0; item < log->items.size(); ++item) log->catalog.push_back(item);
    }
    const Predicted of_alone = predicted(rules, alone);
    const Predicted of_nobody = predicted(rules, with_nobody);
    const Predicted of_users = predicted(rules, with_users);
    ASSERT_EQ(of_alone.size(), of_nobody.size());
    for (const auto& [where, list] : of_nobody) {
      const std::string& name = rules.recommenders[std::get<0>(where)].name;
      EXPECT_EQ(list, (of_items.contains(name) ? of_users : of_alone).at(where)) << name << ", log " << seed;
    }
  }
}

TEST(Prequential, may_recommend_an_item_that_nobody_alone_acted_on) {
  LearningLog log;
  const std::uint32_t item = log.items.number("i");
  log.events = {{EventTime{1000}, nobody, item, 0, {}}};
  log.requests = {{.ts = EventTime{2000}, .user = log.users.number("u"), .targets = {item}, .shown = {}, .segments = {}}};
  PrequentialSpec rules;
  rules.recommenders = {{.name = "top", .kind = Kind::popularity}};
  rules.warmup = 1;
  const Predicted all = predicted(rules, log);
  ASSERT_EQ(all.size(), 1U) << "it is an event learned";
  EXPECT_EQ(all.begin()->second, (std::vector<std::pair<std::uint32_t, double>>{{item, 1.0}}));
}

TEST(Prequential, is_by_the_millisecond_what_it_is_by_the_event) {
  PrequentialSpec rules;
  rules.recommenders = all_kinds();
  const LearningLog log = random_log(3, 200);
  const Predicted by_event = predicted(rules, log);
  rules.step = Duration{1};
  EXPECT_EQ(predicted(rules, log), by_event);
}

TEST(Prequential, has_all_neighbours_where_k_is_as_large_as_the_items) {
  PrequentialSpec rules;
  rules.recommenders = {{.name = "all", .kind = Kind::item_knn, .k = 0},
                        {.name = "as_many", .kind = Kind::item_knn, .k = 12}};
  const Predicted both = predicted(rules, random_log(9, 300));
  for (const auto& [key, list] : both) EXPECT_EQ(both.at({1, std::get<1>(key), std::get<2>(key)}), list);
}

// The same log with its items renamed: places stay, names and so hashes do not.
TEST(Prequential, does_not_look_at_the_names_of_items_where_nothing_ties) {
  PrequentialSpec rules;
  rules.length = 100;
  rules.recommenders = all_kinds();
  rules.rating = 0;
  const LearningLog log = random_log(10, 300);
  LearningLog renamed = random_log(10, 300);
  renamed.items = Names();
  for (std::uint32_t i = 0; i < log.items.size(); ++i) renamed.items.number("other " + std::to_string(i * 7 % 12));
  const Predicted after = predicted(rules, renamed);
  std::size_t compared = 0;
  for (const auto& [key, list] : predicted(rules, log)) {
    const RecommenderSpec& spec = rules.recommenders[std::get<0>(key)];
    if (spec.kind == Kind::isgd || (spec.kind == Kind::item_knn && spec.k > 0))
      continue;  // by names: vectors, equal neighbours
    std::set<double> scores;
    for (const auto& [item, score] : list) scores.insert(score);
    if (scores.size() < list.size()) continue;
    EXPECT_EQ(after.at(key), list) << spec.name;
    ++compared;
  }
  EXPECT_GT(compared, 500U);
}

TEST(Prequential, one_recommender_more_changes_nothing_of_another) {
  const LearningLog log = random_log(4, 200);
  PrequentialSpec all;
  all.recommenders = all_kinds();
  const Predicted together = predicted(all, log);
  for (std::size_t r = 0; r < all.recommenders.size(); ++r) {
    PrequentialSpec alone = all;
    alone.recommenders = {all.recommenders[r]};
    for (const auto& [key, list] : predicted(alone, log)) {
      EXPECT_EQ(together.at({r, std::get<1>(key), std::get<2>(key)}), list) << all.recommenders[r].name;
    }
  }
}

// Each task on a thread of its own, all at once.
TaskRunner at_once(std::size_t threads) {
  return {threads, [](std::span<const std::function<void()>> tasks) {
            std::vector<std::jthread> running;
            for (const auto& task : tasks) running.emplace_back(task);
          }};
}

// What is said of a recommender and a list, in the order in which it is handed over.
std::vector<std::string> handed_over(const PrequentialSpec& rules, const LearningLog& log, const TaskRunner& runner) {
  std::vector<std::string> out;
  const Prequential::Take take = [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> items) {
    out.push_back(std::to_string(r) + " " + std::to_string(request.ts.ms) + " " + std::to_string(request.user));
    for (const RankedItem& one : items) out.back() += " " + std::to_string(one.item) + ":" + std::to_string(*one.score);
    return Result<void>{};
  };
  const auto counts = Prequential(rules, log).run(take, {}, runner);
  EXPECT_TRUE(counts);
  if (counts) out.push_back(std::to_string(counts->targets) + " " + std::to_string(counts->reachable));
  return out;
}

TEST(Prequential, hands_over_the_same_lists_in_the_same_order_whatever_the_threads) {
  PrequentialSpec rules;
  rules.recommenders = all_kinds();
  rules.recommenders.push_back({.name = "theirs", .kind = Kind::recorded});
  rules.rating = 0;
  rules.warmup = 20;
  const LearningLog log = random_log(12, 1500);  // more than one round
  const auto alone = handed_over(rules, log, {});
  EXPECT_GT(alone.size(), 300 * rules.recommenders.size());
  for (const std::size_t threads : {2U, 3U, 8U, 64U}) {
    EXPECT_EQ(handed_over(rules, log, at_once(threads)), alone) << threads;
  }
}

TEST(Prequential, ends_with_the_same_error_whatever_the_threads) {
  PrequentialSpec rules;
  rules.pairs_max = 20;
  rules.recommenders = {{.name = "near", .kind = Kind::covisit, .window = Duration{100'000}},
                        {.name = "top"},
                        {.name = "knn", .kind = Kind::item_knn},
                        {.name = "nearer", .kind = Kind::covisit}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const LearningLog log = random_log(seed, 300);
    const auto error = [&](const TaskRunner& runner) {
      const auto ended = Prequential(rules, log).run([](auto&&...) { return Result<void>{}; }, {}, runner);
      return ended ? "" : ended.error().context;
    };
    EXPECT_NE(error({}), "");
    for (const std::size_t threads : {2U, 3U, 4U}) EXPECT_EQ(error(at_once(threads)), error({})) << seed;
  }
}

TEST(Prequential, leaves_out_what_the_user_knows_but_for_its_own_latest) {
  PrequentialSpec rules;
  rules.recommenders = all_kinds();
  const LearningLog log = random_log(5, 200);
  const Predicted all = predicted(rules, log);
  std::size_t own = 0;
  for (const auto& [key, list] : all) {
    std::set<std::uint32_t> known;
    for (const LearnedEvent& event : log.events) {
      if (event.user == std::get<2>(key) && event.ts.ms < std::get<1>(key)) known.insert(event.item);
    }
    const bool is_own = rules.recommenders[std::get<0>(key)].kind == Kind::own_recency;
    for (const auto& [item, score] : list) {
      own += is_own && known.contains(item) ? 1U : 0U;
      EXPECT_FALSE(!is_own && known.contains(item));
    }
  }
  EXPECT_GT(own, 100U);
}

TEST(Prequential, counts_what_could_be_recommended) {
  LearningLog log;
  for (const char* item : {"a", "b"}) log.items.number(item);
  log.users.number("u");
  const auto act = [&](std::int64_t ts, std::uint32_t item) {
    log.events.push_back({EventTime{ts}, 0, item});
    log.requests.push_back({.ts = EventTime{ts}, .user = 0, .targets = {item}, .shown = {}, .segments = {}});
  };
  act(1, 0);  // nothing is known yet
  act(2, 1);  // only a
  act(3, 0);  // a again
  PrequentialSpec rules;
  rules.recommenders = {{.name = "top", .kind = Kind::popularity}};
  const auto counts = Prequential(rules, log).run([](auto&&...) { return Result<void>{}; }, {});
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->requests, 3U);
  EXPECT_EQ(counts->events, 2U) << "nothing is asked after the last";
  EXPECT_EQ(counts->targets, 3U);
  EXPECT_EQ(counts->reachable, 1U);
  EXPECT_EQ(counts->known, 1U);
}

// [S12.5]: with a delay of 1h and a period of 24h a request at 12:00 counts from 11:00 to 11:00.
TEST(Prequential, popularity_looks_back_from_the_delay) {
  LearningLog log;
  for (const char* item : {"a", "b", "c"}) log.items.number(item);
  log.users.number("u");
  log.users.number("v");
  const std::int64_t noon = 10 * one_day.ms + 12 * one_hour.ms;
  const auto act = [&](std::int64_t before_noon_ms, std::uint32_t item) {
    log.events.push_back({EventTime{noon - before_noon_ms}, 0, item});
  };
  act(25 * one_hour.ms + 1, 0);  // too old by a millisecond
  act(25 * one_hour.ms, 1);      // just not
  act(one_hour.ms + 1, 1);       // just known
  act(one_hour.ms, 2);           // not yet
  log.requests.push_back({.ts = EventTime{noon}, .user = 1, .targets = {0}, .shown = {}, .segments = {}});
  PrequentialSpec rules;
  rules.delay = one_hour;
  rules.recommenders = {{.name = "top", .kind = Kind::popularity, .period = one_day}};
  std::vector<RankedItem> list;
  const auto counts = Prequential(rules, log)
                          .run(
                              [&](std::size_t, const ListRequest&, std::span<const RankedItem> items) {
                                list.assign(items.begin(), items.end());
                                return Result<void>{};
                              },
                              {});
  ASSERT_TRUE(counts);
  ASSERT_EQ(list.size(), 2U) << "c is not known";
  EXPECT_EQ(list[0].item, 1U);
  EXPECT_EQ(list[0].score, 2);
  EXPECT_EQ(list[1].score, 0);
}

TEST(Prequential, ends_where_a_model_has_no_room_left) {
  PrequentialSpec rules;
  rules.pairs_max = 3;
  for (const Kind kind : {Kind::item_knn, Kind::covisit}) {
    rules.recommenders = {{.name = "knn", .kind = kind}};
    const LearningLog log = random_log(6, 200);
    const auto ended = Prequential(rules, log).run([](auto&&...) { return Result<void>{}; }, {});
    ASSERT_FALSE(ended);
    EXPECT_NE(ended.error().context.find("recommender knn reached limits.recommender_pairs (3)"), std::string::npos)
        << ended.error().context;
  }
}

TEST(Prequential, asks_nothing_before_enough_is_learned) {
  PrequentialSpec rules;
  rules.recommenders = {{.name = "top", .kind = Kind::popularity}};
  rules.warmup = 50;
  const LearningLog log = random_log(7, 100);
  std::uint64_t lists = 0;
  const auto counts = Prequential(rules, log)
                          .run(
                              [&](auto&&...) {
                                ++lists;
                                return Result<void>{};
                              },
                              {});
  ASSERT_TRUE(counts);
  EXPECT_GT(counts->warmup, 10U);
  EXPECT_EQ(counts->requests, counts->warmup + lists);
}

}  // namespace
}  // namespace recmeter
