#include "recmeter/recommend/recommender.h"

#include <array>

#include "recmeter/base/check.h"
#include "recommend/models.h"

namespace recmeter {

std::unique_ptr<Recommender> make_recommender(const RecommenderSpec& spec, const PrequentialSpec& rules,
                                              const LearningLog& log, UserRatings& ratings) {
  switch (spec.kind) {
    case RecommenderKind::random: return make_random();
    case RecommenderKind::popularity: return make_popularity(spec, log);
    case RecommenderKind::recency: return make_recency();
    case RecommenderKind::own_recency: return make_own_recency();
    case RecommenderKind::covisit: return make_covisit(spec, rules.pairs_max);
    case RecommenderKind::item_knn: return make_item_knn(spec, log, rules.pairs_max);
    case RecommenderKind::isgd: return make_isgd(spec, log);
    case RecommenderKind::user_knn: return make_user_knn(spec, rules, log, ratings);
    case RecommenderKind::process:
    case RecommenderKind::recorded:
    case RecommenderKind::shown: break;
  }
  RECMETER_CHECK(false, "it is not built in");
  return nullptr;
}

std::span<const RecommenderDefinition> recommender_definitions() noexcept {
  static constexpr std::array<RecommenderDefinition, 11> definitions{{
      {RecommenderKind::random, "random", "0 for all: ties are in a random order, anew for each list", "none", ""},
      {RecommenderKind::popularity, "popularity",
       "events on y before b = s(t) - delay, with `period` those from b - period on; `count: users`: distinct users; "
       "`half_life`: each event weighs 2^(-age / half_life), its age at b",
       "period all, half_life none, count events", ""},
      {RecommenderKind::recency, "recency", "-(days since the latest event on y)", "none",
       "Jugovac, Jannach, Karimi: StreamingRec, RecSys 2018"},
      {RecommenderKind::own_recency, "own_recency",
       "-(rank of y among the items that u acted on, the latest first); others below; never excludes known items", "none",
       ""},
      {RecommenderKind::covisit, "covisit",
       "how often one user acted on y and on the item that u acted on last, within the window of each other",
       "window 30m, context none (go by its item instead)", "Jugovac, Jannach, Karimi: StreamingRec, RecSys 2018"},
      {RecommenderKind::item_knn, "item_knn",
       "sum over x in u's history of 2^(-(t - t_x) / half_life) * n_xy / (sqrt(n_x) * sqrt(n_y)), of those x that have y "
       "among "
       "their k nearest; n: distinct users",
       "k 50 (0: all), half_life none, context none (go by its item instead)",
       "Deshpande, Karypis: Item-based top-N recommendation algorithms, TOIS 22(1), 2004"},
      {RecommenderKind::isgd, "isgd", "-|1 - p_u * q_y|, of factors learned event by event; all tie for a new user",
       "factors 10, learning_rate 0.05, regularization 0.01, iterations 1, seed 0",
       "Vinagre, Jorge, Gama: Fast incremental matrix factorization for recommendation with positive-only feedback, UMAP "
       "2014, algorithm 1"},
      {RecommenderKind::user_knn, "user_knn",
       "the rating that u will give to y: its mean plus what users of like taste gave above theirs, by similarity; "
       "confidence: the share of k that rated y",
       "similarity pearson (spearman, cosine, constrained), significance 50, threshold 0, k 20 (0: all), normalize mean "
       "(none, z)",
       "Herlocker, Konstan, Riedl: An empirical analysis of design choices in neighborhood-based collaborative filtering "
       "algorithms, Information Retrieval 5, 2002"},
      {RecommenderKind::process, "process",
       "its own: a program that learns and recommends in the form recmeter.recommender/1, by `command` over its standard "
       "input and "
       "output, or at `connect`",
       "command or connect, batch 256, budget 0s, limit 60s, on_failure stop (empty)", ""},
      {RecommenderKind::recorded, "recorded", "lists from a file, as `recmeter prequential --record` writes them", "file",
       ""},
      {RecommenderKind::shown, "shown",
       "the lists of the log as they were shown, judged beside the others where they were (at: impressions): how the "
       "recommender did that was live",
       "none", ""},
  }};
  return definitions;
}

}  // namespace recmeter
