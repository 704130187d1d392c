#include "config/metric_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "config/nearest.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/metric/registry.h"

namespace recmeter::config {

namespace {

constexpr std::size_t meant_max = 3;
constexpr std::size_t name_bytes_max = 64;  // nothing longer is a name

using Words = std::vector<std::string>;

struct OtherName {
  std::string_view name;  // folded
  std::array<std::string_view, meant_max> metrics;
};

// Names of other tools, papers and dashboards that share no word with ours.
constexpr std::array other_names{
    OtherName{"ctr", {"action_rate", "action_per_item"}},
    OtherName{"click_through_rate", {"action_rate", "action_per_item"}},
    OtherName{"clickthrough_rate", {"action_rate", "action_per_item"}},
    OtherName{"click_rate", {"action_rate", "action_per_item"}},
    OtherName{"clicks", {"action_rate", "action_per_item"}},
    OtherName{"cvr", {"action_rate", "users_acting"}},
    OtherName{"cr", {"action_rate", "users_acting"}},
    OtherName{"conversion", {"action_rate", "users_acting"}},
    OtherName{"conversion_rate", {"action_rate", "users_acting"}},
    OtherName{"purchase_rate", {"action_rate", "users_acting"}},
    OtherName{"abandonment", {"action_rate"}},
    OtherName{"revenue", {"income", "income_per_user"}},
    OtherName{"gmv", {"income", "income_per_user"}},
    OtherName{"arpu", {"income_per_user"}},
    OtherName{"ap", {"map_list", "map_user"}},
    OtherName{"average_precision", {"map_list", "map_user"}},
    OtherName{"mean_average_precision", {"map_list", "map_user"}},
    OtherName{"rr", {"mrr"}},
    OtherName{"reciprocal_rank", {"mrr"}},
    OtherName{"mean_reciprocal_rank", {"mrr"}},
    OtherName{"discounted_cumulative_gain", {"dcg"}},
    OtherName{"hr", {"hit_rate"}},
    OtherName{"hits", {"hit_rate"}},
    OtherName{"hit_ratio", {"hit_rate"}},
    OtherName{"success", {"hit_rate"}},
    OtherName{"ppv", {"precision"}},
    OtherName{"tpr", {"recall"}},
    OtherName{"sensitivity", {"recall"}},
    OtherName{"fnr", {"miss_rate"}},
    OtherName{"fpr", {"fallout"}},
    OtherName{"tnr", {"inverse_recall"}},
    OtherName{"specificity", {"inverse_recall"}},
    OtherName{"npv", {"inverse_precision"}},
    OtherName{"f_score", {"f1", "fbeta"}},
    OtherName{"f_measure", {"f1", "fbeta"}},
    OtherName{"matthews", {"mcc"}},
    OtherName{"ild", {"intra_list_diversity"}},
    OtherName{"personalization", {"personalisation"}},
    OtherName{"surprise", {"serendipity", "novelty"}},
    OtherName{"unexpectedness", {"serendipity", "novelty"}},
    OtherName{"aggregate_diversity", {"distinct_items", "catalog_coverage"}},
    OtherName{"unique_items", {"distinct_items"}},
    OtherName{"bestsellers", {"popularity"}},
    OtherName{"iips", {"ips"}},
    OtherName{"wips", {"snips"}},
    OtherName{"doubly_robust", {"dr"}},
};

bool is_alnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Small letters, words apart by `_`: MeanAveragePrecision and mean-average precision are mean_average_precision.
std::string snake_case_of(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    const bool after_lower = i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
    if (!is_alnum(c) || (is_upper && after_lower)) {
      if (!result.empty() && result.back() != '_') result += '_';
    }
    if (is_alnum(c)) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (result.ends_with('_')) result.pop_back();
  return result;
}

// Without cutoff, options and lane: precision@10, precision_at_10, action_rate{action=click}.
std::string_view base_of(std::string_view key) {
  key = key.substr(0, key.find_first_of("{@/"));
  const std::size_t at = key.rfind("_at_");
  const bool is_cutoff = at != std::string_view::npos && at + 4 < key.size() &&
                         std::ranges::all_of(key.substr(at + 4), [](char c) { return c >= '0' && c <= '9'; });
  return is_cutoff ? key.substr(0, at) : key;
}

Words words_of(std::string_view name) {
  Words words;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('_'), name.size());
    words.emplace_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

bool holds_all(const Words& words, const Words& wanted) {
  return !wanted.empty() &&
         std::ranges::all_of(wanted, [&](const std::string& word) { return std::ranges::find(words, word) != words.end(); });
}

// The metrics that are meant, of `bases`.
std::vector<std::string_view> bases_meant(std::string_view written, std::span<const std::string_view> bases) {
  const std::string wanted = snake_case_of(base_of(written));
  std::vector<std::string_view> meant;
  const auto take_those = [&](auto&& is_meant) {
    for (const std::string_view base : bases) {
      if (is_meant(base)) meant.push_back(base);
    }
    return !meant.empty();
  };
  if (take_those([&](std::string_view base) { return snake_case_of(base) == wanted; })) return meant;
  if (find_metric(wanted) != nullptr) return meant;  // known, and not there
  const auto other = std::ranges::find(other_names, wanted, &OtherName::name);
  if (other != other_names.end()) {
    for (const std::string_view metric : other->metrics) {
      if (std::ranges::find(bases, metric) != bases.end()) meant.push_back(metric);
    }
    if (!meant.empty()) return meant;
  }
  const Words words = words_of(wanted);
  if (take_those([&](std::string_view base) { return holds_all(words_of(base), words); })) {
    std::ranges::stable_sort(meant, {}, [](std::string_view base) { return words_of(base).size(); });
    return meant;
  }
  if (take_those([&](std::string_view base) { return holds_all(words, words_of(base)); })) return meant;
  if (const auto near = nearest(wanted, bases)) {
    meant.push_back(*std::ranges::find(bases, *near));
    return meant;
  }
  // A first word that is misspelt: `ndgc` for `ndcg_list` and `ndcg_user`.
  std::vector<std::string_view> first_words;
  for (const std::string_view base : bases) first_words.push_back(base.substr(0, base.find('_')));
  if (const auto near = nearest(wanted, first_words)) {
    take_those([&](std::string_view base) { return base.substr(0, base.find('_')) == *near; });
  }
  return meant;
}

}  // namespace

std::vector<std::string> metrics_meant(std::string_view written, std::span<const std::string_view> keys) {
  if (written.size() > name_bytes_max) return {};
  std::vector<std::string_view> bases;
  for (const std::string_view key : keys) {
    if (std::ranges::find(bases, base_of(key)) == bases.end()) bases.push_back(base_of(key));
  }
  const std::size_t at = written.find('@');
  const std::string_view cutoff = at == std::string_view::npos ? std::string_view() : written.substr(at);
  std::vector<std::string> meant;
  for (const std::string_view base : bases_meant(written, bases)) {
    if (meant.size() == meant_max) break;
    const auto is_of_base = [&](std::string_view key) { return base_of(key) == base; };
    const auto same = std::ranges::find_if(
        keys, [&](std::string_view key) { return is_of_base(key) && key.substr(base.size()) == cutoff; });
    meant.emplace_back(same != keys.end() ? *same : *std::ranges::find_if(keys, is_of_base));
  }
  return meant;
}

std::string metric_question(std::string_view written, std::span<const std::string_view> keys) {
  const std::vector<std::string> meant = metrics_meant(written, keys);
  const std::vector<std::string_view> views(meant.begin(), meant.end());
  return meant.empty() ? std::string() : "did you mean " + one_of(views) + "?";
}

std::string_view unit_of_metric(std::string_view key) {
  const MetricDefinition* metric = metric_of_key(key.find('{') == std::string_view::npos ? base_of(key) : key);
  return metric == nullptr ? std::string_view() : metric->unit;
}

std::span<const std::string_view> names_of_metrics() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const MetricDefinition* metric : all_metrics()) all.push_back(metric->name);
    return all;
  }();
  return names;
}

}  // namespace recmeter::config
