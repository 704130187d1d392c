// PrequentialSpec: which recommenders are asked, when, and what they may know: `prequential` and `recommenders` of a
// configuration. Plain values; immutable once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/lane_names.h"

namespace recmeter {

enum class RecommenderKind : std::uint8_t {
  random,
  popularity,
  recency,
  own_recency,
  covisit,
  item_knn,
  isgd,
  user_knn,
  process,
  recorded,
  shown  // no recommender: the lists of the log, judged as those of one
};

// Whether its lists are made here, by a model.
[[nodiscard]] constexpr bool is_built_in(RecommenderKind kind) {
  return kind != RecommenderKind::process && kind != RecommenderKind::recorded && kind != RecommenderKind::shown;
}

// What a kind does not take is at its default.
struct RecommenderSpec {
  std::string name;
  RecommenderKind kind = RecommenderKind::popularity;
  Duration period{0};     // popularity: of the events that count; 0: all
  Duration half_life{0};  // popularity, item_knn: of an event's weight; 0: it stays
  enum class Count : std::uint8_t { events, users };
  Count count = Count::events;      // popularity
  Duration window{30 * 60 * 1000};  // covisit
  std::uint32_t k = 50;             // item_knn, user_knn (20): neighbours of an item, of a user; 0: all
  std::uint32_t factors = 10;       // isgd, and below
  double learning_rate = 0.05;
  double regularization = 0.01;
  std::uint32_t iterations = 1;
  std::uint64_t seed = 0;  // isgd: of the first vectors
  enum class Similarity : std::uint8_t { pearson, spearman, cosine, constrained };
  Similarity similarity = Similarity::pearson;  // user_knn, and below
  std::uint32_t significance = 50;              // items rated by both for full weight; 0: any number
  double threshold = 0;                         // neighbours are more similar than that
  enum class Normalize : std::uint8_t { none, mean, z };
  Normalize normalize = Normalize::mean;
  std::string context = {};               // covisit, item_knn: a name of PrequentialSpec::context, the item to go by
  std::string file = {};                  // recorded: lists of this recommender, as `prequential --record` writes them
  std::vector<std::string> command = {};  // process: a program and its arguments, or
  std::string connect = {};               // the address at which one listens
  std::size_t batch = 256;                // and below: requests, or events, of one message
  Duration budget{0};                     // for an answer, which is empty beyond it; 0: the limit
  Duration limit = one_minute;            // for an answer, beyond which it has failed
  enum class OnFailure : std::uint8_t { stop, empty };
  OnFailure on_failure = OnFailure::stop;
};

struct PrequentialSpec {
  enum class At : std::uint8_t { feedback, impressions, every };
  enum class History : std::uint8_t { event, step };
  enum class Exclude : std::uint8_t { none, known };
  enum class Candidates : std::uint8_t { seen, recent, list, catalog, rated };

  At at = At::feedback;
  Duration every = one_hour;  // At::every: of users who acted in the trailing `active`
  Duration active{7 * one_day.ms};
  std::vector<std::uint8_t> targets;  // actions, as places in the configured ones
  std::vector<std::uint8_t> learn;
  Duration step{0};   // how often a model learns; 0: after each event
  Duration delay{0};  // how long after an event it is known
  History history = History::event;
  Candidates candidates = Candidates::seen;
  Duration recent{0};  // Candidates::recent
  Exclude exclude = Exclude::known;
  std::vector<std::string> context;  // of At::impressions: what requests say of their list: `list_id`, keys of segments
  std::size_t length = 10;
  std::uint64_t warmup = 0;  // events
  std::uint64_t seed = 0;
  std::optional<std::uint8_t> rating;  // the action whose values are ratings, and their range
  double rating_min = 1;
  double rating_max = 5;
  std::vector<RecommenderSpec> recommenders;
  std::size_t pairs_max = 50'000'000;  // of items, in one recommender
  std::size_t history_max = 1000;      // distinct items of one user
};

}  // namespace recmeter
