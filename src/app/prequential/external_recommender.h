// ExternalRecommender: a recommender in another program, spoken to over recmeter.recommender/1. docs/recommenders.md.
//
// What is sent depends on the log and the rules alone: events and requests in their order, cut every `batch` and at the end
// of a version. At most one request is open. An answer that does not come within `budget` is empty and late; a program that
// does not start, does not answer within `limit`, ends, answers with what is no answer, or before the request has gone out,
// has failed: that ends the run, or with `on_failure: empty` it has no lists from then on. Thread safety: none.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/process/line_channel.h"
#include "recmeter/recommend/list_maker.h"
#include "recmeter/recommend/prequential_spec.h"

namespace recmeter {

// How a recommender answered: what depends on the machine stands here, and never in rows.
struct ExternalAnswers {
  std::string name;
  std::uint64_t requests = 0;
  std::uint64_t answered = 0;  // in time; each request of a message that was
  std::uint64_t late = 0;
  std::uint64_t empty = 0;  // lists in the end: late ones, those of a program that had failed, those of bad items alone
  std::uint64_t bad_items = 0;
  std::string failure;             // "": it did not fail
  std::vector<float> seconds;      // from each message to its answer
  std::vector<EventTime> missing;  // times of the requests that were late or not asked, ascending
};

class ExternalRecommender final : public ListMaker {
 public:
  struct Surroundings {
    const PrequentialSpec& rules;
    std::span<const std::string> actions;
    const LearningLog& log;
    std::size_t line_bytes_max;
    std::function<void(std::string_view line)> complaint;  // of standard error; may be empty
    const std::atomic<bool>* stop;
  };

  // Starts the program, or connects to it, and greets it. `spec` and what is referred to outlive it. Errors: those of the
  // channel, with the recommender's name, unless `on_failure` is `empty`; interrupted.
  [[nodiscard]] static Result<std::unique_ptr<ExternalRecommender>> begin(const RecommenderSpec& spec,
                                                                          const Surroundings& around);
  // The same over a channel that is there already.
  [[nodiscard]] static Result<std::unique_ptr<ExternalRecommender>> begin(const RecommenderSpec& spec,
                                                                          const Surroundings& around,
                                                                          std::unique_ptr<process::LineChannel> channel);
  // Says bye.
  ~ExternalRecommender() override;
  ExternalRecommender(const ExternalRecommender&) = delete;
  ExternalRecommender& operator=(const ExternalRecommender&) = delete;

  [[nodiscard]] Result<void> learn(const LearnedEvent& event) override;
  [[nodiscard]] Result<void> ask(const Question& question) override;
  [[nodiscard]] Result<std::vector<MadeList>> answers() override;

  [[nodiscard]] const ExternalAnswers& told() const { return told_; }

 private:
  using Clock = process::LineChannel::Clock;

  ExternalRecommender(const RecommenderSpec& spec, const Surroundings& around) : spec_(spec), around_(around) {
    told_.name = spec.name;
  }
  [[nodiscard]] Result<void> greet();
  [[nodiscard]] Result<void> send(const std::string& message);
  [[nodiscard]] Result<void> send_learned();
  [[nodiscard]] Result<void> send_questions();
  // The lists of what was asked just now; absent: late, or it has failed.
  [[nodiscard]] Result<std::optional<std::vector<MadeList>>> wait_for_lists(Clock::time_point asked);
  // What a failure means for the run: its end, or no more lists.
  [[nodiscard]] Result<void> fail(Errc code, const std::string& what);

  const RecommenderSpec& spec_;
  Surroundings around_;
  std::unique_ptr<process::LineChannel> channel_;  // null: it has failed
  std::vector<LearnedEvent> learned_;              // not yet sent
  std::vector<const Question*> questions_;         // not yet sent
  std::vector<MadeList> lists_;                    // of the version
  std::uint64_t number_ = 0;                       // of the next request
  ExternalAnswers told_;
};

}  // namespace recmeter
