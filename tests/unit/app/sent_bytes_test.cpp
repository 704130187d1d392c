// The bytes that a recommender in another program is sent, held against a future that changed. [S12.10].
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/prequential/external_recommender.h"
#include "recmeter/recommend/prequential.h"
#include "support/effort.h"
#include "unit/recommend/random_log.h"

namespace recmeter {
namespace {

// Keeps what is written to it, and answers each request with one list.
class Tape final : public process::LineChannel {
 public:
  explicit Tape(std::string& sent) : sent_(sent) {}

  Result<bool> write(std::string_view line, Clock::time_point /*until*/) override {
    sent_.append(line).push_back('\n');
    return true;
  }
  Result<std::optional<process::Line>> read(Clock::time_point /*until*/) override {
    if (!is_greeted_) {
      is_greeted_ = true;
      return process::Line{.text = R"({"hello":"recmeter.recommender/1"})"};
    }
    return process::Line{.text = R"({"recommend":)" + std::to_string(number_++) + R"(,"lists":[{"id":0,"items":["i3"]}]})"};
  }
  const std::string& last_complaint() const override { return nothing_; }

 private:
  std::string& sent_;
  bool is_greeted_ = false;
  std::uint64_t number_ = 0;
  std::string nothing_;
};

// All that is sent over one log.
std::string sent_over(const PrequentialSpec& rules, const LearningLog& log) {
  static const std::vector<std::string> actions{"click"};
  std::string sent;
  auto external = ExternalRecommender::begin(rules.recommenders[0],
                                             {.rules = rules,
                                              .actions = actions,
                                              .log = log,
                                              .line_bytes_max = std::size_t{1} << 20,
                                              .complaint = {},
                                              .stop = nullptr},
                                             std::make_unique<Tape>(sent));
  EXPECT_TRUE(external.has_value());
  const Prequential::Take nothing = [](auto&&...) { return Result<void>{}; };
  EXPECT_TRUE(Prequential(rules, log, {external->get()}).run(nothing, {}).has_value());
  return sent;
}

// The time of each request, and where its text ends.
std::vector<std::pair<EventTime, std::size_t>> requests_in(const std::string& sent) {
  constexpr std::string_view ts = R"(,"ts":)";
  std::vector<std::pair<EventTime, std::size_t>> out;
  for (std::size_t at = sent.find(R"({"id":)"); at != std::string::npos; at = sent.find(R"({"id":)", at + 1)) {
    out.emplace_back(EventTime{std::stoll(sent.substr(sent.find(ts, at) + ts.size(), 20))}, sent.find('}', at) + 1);
  }
  return out;
}

// All up to the last request that is not after `until`.
std::string_view by(EventTime until, const std::string& sent,
                    const std::vector<std::pair<EventTime, std::size_t>>& requests) {
  std::size_t end = 0;
  for (const auto& [ts, after] : requests) end = ts > until ? end : after;
  return std::string_view(sent).substr(0, end);
}

TEST(SentBytes, know_nothing_of_the_future) {
  constexpr std::uint64_t changes = 50;
  std::uint64_t changed = 0;
  std::uint64_t bytes = 0;
  support::for_each_seed(20, 2000, [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    PrequentialSpec rules;
    rules.learn = {0};
    rules.step = Duration{static_cast<std::int64_t>(random() % 2) * 500'000};
    rules.delay = Duration{static_cast<std::int64_t>(random() % 2) * 100'000};
    rules.history = random() % 2 == 0 ? PrequentialSpec::History::event : PrequentialSpec::History::step;
    rules.recommenders = {{.name = "ours", .kind = RecommenderKind::process, .batch = 1 + random() % 2 * 3}};
    LearningLog log = test::random_log(seed, 60);
    const std::vector<LearnedEvent> events = log.events;
    const bool has_context = random() % 2 == 0;
    if (has_context) test::add_contexts(log.requests);
    const std::vector<ListRequest> requests = log.requests;
    const std::string before = sent_over(rules, log);
    const auto asked = requests_in(before);
    ASSERT_EQ(asked.size(), requests.size());
    for (std::uint64_t n = 0; n < changes && !testing::Test::HasFailure(); ++n) {
      log.events = events;
      const EventTime t = events[random() % events.size()].ts;
      log.events = test::with_another_future(log, t, random);
      // Where requests stay, all up to t; where they are those of the changed log, those at t are others.
      const bool stay = random() % 2 == 0;
      log.requests = stay ? requests : test::requests_of(log.events);
      if (!stay && has_context) test::add_contexts(log.requests);
      const std::string_view same = by(stay ? t + rules.delay : t - Duration{1}, before, asked);
      EXPECT_TRUE(sent_over(rules, log).starts_with(same)) << "seed " << seed << ", change " << n << ", t " << t.ms;
      bytes += same.size();
      ++changed;
    }
  });
  EXPECT_GT(bytes, 1000 * changed);
}

}  // namespace
}  // namespace recmeter
