// Recommender: a model that learns events in the order of a log and scores items for a user at a time. The built-in ones.
//
// A score depends on what was learned and on the request alone: never on other requests, and never on what lies after. Sums
// of doubles run in the stated order, and no library function that differs by processor is called, so that equal logs give
// equal bits. Thread safety: none; each is of one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/recommend/learning_log.h"
#include "recmeter/recommend/prequential_spec.h"
#include "recmeter/recommend/user_history.h"

namespace recmeter {

class Recommender {
 public:
  virtual ~Recommender() = default;

  // Says whether it learns what nobody did, too: for one that counts events on items, and no users.
  [[nodiscard]] virtual bool learns_from_nobody() const { return false; }
  // The next event of the log that it learns from; `known`: what its user had acted on before, the latest last. Errors:
  // limit_reached.
  [[nodiscard]] virtual Result<void> learn(const LearnedEvent& event, std::span<const KnownItem> known) = 0;
  // All events before `bound` have been learned, and no other: what is scored next is scored by this version.
  virtual void begin_version(EventTime bound) = 0;
  // scores[i]: of candidates[i]. `known`: the user's history as it is known at the request, the latest last.
  virtual void score(const ListRequest& request, std::span<const KnownItem> known, std::span<const std::uint32_t> candidates,
                     std::span<double> scores) = 0;
  // How sure it is of what it scored last for this candidate, in [0, 1]; absent: it does not say.
  [[nodiscard]] virtual std::optional<double> confidence(std::uint32_t /*item*/) const { return {}; }
  // Whether lists may have items of the user's history whatever `exclude` says: for one that recommends nothing else.
  [[nodiscard]] virtual bool recommends_known() const { return false; }
};

class UserRatings;

// `log` and `ratings` outlive it; `ratings` learns each event before it does. Requires: the kind is built in.
[[nodiscard]] std::unique_ptr<Recommender> make_recommender(const RecommenderSpec& spec, const PrequentialSpec& rules,
                                                            const LearningLog& log, UserRatings& ratings);

// What `recmeter recommenders` tells of a kind.
struct RecommenderDefinition {
  RecommenderKind kind;
  std::string_view name;
  std::string_view score;       // of item y for user u at t; what is not named has 0
  std::string_view parameters;  // with their defaults
  std::string_view source;
};
[[nodiscard]] std::span<const RecommenderDefinition> recommender_definitions() noexcept;

}  // namespace recmeter
