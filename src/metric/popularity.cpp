// What users did in the trailing period before a list says of the items it shows: [S5.20] to [S5.25].
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "metric/metrics.h"

namespace recmeter {

namespace {

bool shows_known_users(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  return list.acting_users > 0 && list.distinct_at(k) > 0;
}

// The mean of `value_of(users who acted on the item)` over the distinct items of the top k.
template <class Value>
double mean_over_items(const ScoredList& list, std::uint32_t k, Value&& value_of) {
  double sum = 0;
  const std::uint32_t shown = std::min(k, list.length);
  for (std::uint32_t rank = 1; rank <= shown; ++rank) {
    if (list.distinct[rank] != list.distinct[rank - 1]) sum += value_of(list.acting_users_of[rank - 1]);
  }
  return sum / list.distinct_at(k);
}

// The same written out.
template <class Value>
std::string mean_text(const ScoredList& list, std::uint32_t k, Value&& value_of) {
  std::vector<std::string> terms;
  mean_over_items(list, k, [&](std::uint32_t of_item) {
    terms.push_back(value_of(of_item));
    return 0.0;
  });
  return sum_text(terms) + " / " + std::to_string(terms.size());
}

// Most items have few users: their logarithms are taken once.
double log2_of(std::uint32_t users) {
  static const std::vector<double> logarithms = [] {
    std::vector<double> some(4096);
    for (std::size_t n = 1; n < some.size(); ++n) some[n] = std::log2(static_cast<double>(n));
    return some;
  }();
  return users < logarithms.size() ? logarithms[users] : std::log2(static_cast<double>(users));
}

double novelty(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const double users = std::log2(static_cast<double>(list.acting_users));
  return mean_over_items(list, k, [&](std::uint32_t of_item) { return users - log2_of(std::max(of_item, 1U)); });
}

double popularity(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const auto users = static_cast<double>(list.acting_users);
  return mean_over_items(list, k, [&](std::uint32_t of_item) { return of_item / users; });
}

double serendipity(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  double surprises = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank <= k && list.acting_users_of[hit.rank - 1] < list.popular_from) ++surprises;
  }
  return surprises / k;
}

std::string novelty_text(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const double users = std::log2(static_cast<double>(list.acting_users));
  const auto bits = [&](std::uint32_t of_item) { return four_decimals(users - std::log2(std::max(of_item, 1U))); };
  return mean_text(list, k, bits) + ": bits, of U = " + std::to_string(list.acting_users) + " users";
}

std::string popularity_text(const ScoredList& list, std::uint32_t k, const MetricOptions&) {
  const auto users = [](std::uint32_t of_item) { return std::to_string(of_item); };
  return mean_text(list, k, users) + " / " + std::to_string(list.acting_users) + ": users who acted, of U";
}

std::string serendipity_text(const ScoredList& list, std::uint32_t k, const MetricOptions& options) {
  return four_decimals(serendipity(list, k, options) * k) + " / " + std::to_string(k) + ": popular from " +
         std::to_string(list.popular_from) + " users on";
}

const std::array novelty_examples{
    WorkedExample{"P", 1, "-log2(32/64)", 1},
    WorkedExample{"P", 5, "(-log2(32/64) - log2(8/64) - log2(1/64)) / 3 = (1 + 3 + 6) / 3", 3.3333},
};
const std::array popularity_examples{
    WorkedExample{"P", 1, "32/64", 0.5},
    WorkedExample{"P", 5, "(32/64 + 8/64 + 0/64) / 3", 0.2083},
};
const std::array serendipity_examples{
    WorkedExample{"P", 1, "the click is on the most popular item: 0 / 1", 0},
    WorkedExample{"P", 5, "of two clicks one is on the most popular item: 1 / 5", 0.2},
};

}  // namespace

const MetricDefinition novelty_metric{
    .name = "novelty",
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .needs = {ListPart::distinct, ListPart::popularity},
    .low = 0,
    .high = INFINITY,
    .takes = {MetricOption::unit_user},
    .laws = {Law::order_within_k_is_free},
    .formula =
        "mean over the distinct items of the top k of -log2(max(U_i, 1) / U); U users acted in the trailing period, "
        "U_i of them on item i",
    .own_evidence = "U > 0 and an item in the top k",
    .unit = "bits",
    .says =
        "How little known the shown items are: one bit more is half as many users. It grows with the number of acting "
        "users, so compare variants over the same time, not windows of different traffic; and random items are the most "
        "novel of all.",
    .edges =
        "An item nobody acted on counts as known to one user. Lists before which nobody acted in the period, and lists "
        "without items in the top k, are left out of the mean. At most log2 U.",
    .elsewhere =
        "RecTools' MeanInvUserFreq is this over all training data; RePlay's Surprisal divides it by log2 U, and by k "
        "where fewer are shown. Evidently leaves out items nobody acted on. Zhou et al. 2010 say self-information.",
    .source = "Castells, Vargas, Wang 2011, section 3.1 (-log2 of popularity); Herlocker et al. 2004, section 5.3",
    .examples = novelty_examples,
    .evaluate = novelty,
    .arithmetic = novelty_text,
    .has_evidence = shows_known_users,
};

const MetricDefinition popularity_metric{
    .name = "popularity",
    .evidence = Evidence::own,
    .over = Over::relevant,
    .moved_by = MovedBy::every_list,
    .needs = {ListPart::distinct, ListPart::popularity},
    .takes = {MetricOption::unit_user},
    .laws = {Law::order_within_k_is_free},
    .formula =
        "mean over the distinct items of the top k of U_i / U; U users acted in the trailing period, U_i of them on "
        "item i",
    .own_evidence = "U > 0 and an item in the top k",
    .says =
        "The share of recently active users who acted on a shown item: a list of bestsellers has the highest value. Items "
        "that were recommended before were acted on for that reason, so it also measures the recommender's own past.",
    .edges =
        "An item nobody acted on adds 0. Lists before which nobody acted in the period, and lists without items in the "
        "top k, are left out of the mean.",
    .elsewhere = "RecTools (AvgRecPopularity) and RecBole (AveragePopularity) average counts of training interactions.",
    .source = "Abdollahpouri, Burke, Mobasher 2019, section 4.2 (average recommendation popularity), as a share of users",
    .examples = popularity_examples,
    .evaluate = popularity,
    .arithmetic = popularity_text,
    .has_evidence = shows_known_users,
};

const MetricDefinition serendipity_metric{
    .name = "serendipity",
    .evidence = Evidence::own,
    .needs = {ListPart::popularity},
    .takes = {MetricOption::unit_user, MetricOption::over},
    .laws = {Law::zero_without_hits},
    .formula =
        "relevant items of the top k that are not among the most popular ones (metrics.popularity.top) of the trailing "
        "period, divided by k",
    .own_evidence = "U > 0 and R_list > 0",
    .says =
        "precision@k without the hits that a list of bestsellers would have had too. At most precision@k; the part of the "
        "hits that surprised is serendipity@k / precision@k.",
    .edges =
        "Popular is an item with at least as many users as the `top`-th: ties are all popular, and where fewer items "
        "have users, all that do. A list before which nobody acted in the period has the value 0, without evidence.",
    .elsewhere =
        "Other tools weigh hits by how unpopular the item was, or compare with a base model's list (RePlay's "
        "Unexpectedness, which asks for no relevance).",
    .source =
        "Ge, Delgado-Battenfeld, Jannach 2010, section 3.2 (unexpected and useful, over shown); Murakami, Mori, Orihara "
        "2007; Herlocker et al. 2004, section 5.3",
    .examples = serendipity_examples,
    .evaluate = serendipity,
    .arithmetic = serendipity_text,
    .has_evidence = [](const ScoredList& list, std::uint32_t,
                       const MetricOptions&) { return list.acting_users > 0 && !list.hits.empty(); },
};

}  // namespace recmeter
