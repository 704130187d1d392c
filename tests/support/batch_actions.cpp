#include "support/batch_actions.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace recmeter::support {

namespace {

std::size_t acted(const ListRelevance& list) {
  return static_cast<std::size_t>(
      std::count_if(list.grades.begin(), list.grades.end(), [](double grade) { return grade > 0; }));
}

}  // namespace

// "1 if an item, or the list itself, has the action, else 0"
double action_rate(const ListRelevance& list, std::size_t, const MetricOptions&) {
  return list.is_acted_on || acted(list) > 0 ? 1 : 0;
}
// "Σ distinct items acted on÷Σ distinct items shown"
std::optional<double> action_per_item(Lists lists, std::size_t, const MetricOptions&) {
  std::size_t items = 0;
  std::size_t shown = 0;
  for (const ListRelevance* list : lists) {
    items += acted(*list);
    std::set<ItemNumber> distinct;
    for (const auto& item : list->items) {
      if (item) distinct.insert(*item);
    }
    shown += distinct.size();
  }
  if (shown == 0) return std::nullopt;
  return static_cast<double>(items) / static_cast<double>(shown);
}
// "min(delay of the first credited action, h, own horizon); lists without: that bound", in seconds
double time_to(const ListRelevance& list, std::size_t, const MetricOptions&) {
  return static_cast<double>(list.first_ms) / 1000;
}

// "Σ over its items of max(0, value of credited and repeated feedback − returned); `cap: V` cuts each item's sum at V"
std::optional<double> income(Lists lists, std::size_t, const MetricOptions& options) {
  double sum = 0;
  for (const ListRelevance* list : lists) {
    for (const double worth : list->worth) sum += options.cap ? std::min(worth, *options.cap) : worth;
  }
  if (lists.empty()) return std::nullopt;
  return sum / static_cast<double>(lists.size());
}
// "Σ net value of the items of ranks 1..k÷k"
std::optional<double> reward(Lists lists, std::size_t k, const MetricOptions&) {
  double sum = 0;
  for (const ListRelevance* list : lists) {
    for (std::size_t i = 0; i < std::min(k, list->worth.size()); ++i) sum += list->worth[i];
  }
  if (lists.empty()) return std::nullopt;
  return sum / static_cast<double>(lists.size() * k);
}

// "Σ clicks / Σ_i θ_i·ctr_1", what a list expects in units of 2^-32
std::optional<double> coec(Lists lists, std::size_t k, const MetricOptions& options) {
  double clicks = 0;
  double expected = 0;
  for (const ListRelevance* list : lists) {
    double of_list = 0;
    for (std::size_t i = 0; i < std::min(k, list->grades.size()); ++i) {
      clicks += list->grades[i] > 0 ? 1 : 0;
      of_list += options.examination.by_rank[i] * options.examination.first;
    }
    expected += std::nearbyint(std::ldexp(of_list, 32));
  }
  if (expected == 0) return std::nullopt;
  return std::ldexp(clicks, 32) / expected;
}

// "users with the action÷users", "Σ÷distinct users": what a list adds to its user's value.
double acts(const ListRelevance& list, std::size_t, const MetricOptions&) {
  return acted(list) > 0 ? 1 : 0;
}
double earns(const ListRelevance& list, std::size_t k, const MetricOptions& options) {
  const ListRelevance* const one = &list;
  return *income({&one, 1}, k, options);
}
double is_there(const ListRelevance&, std::size_t, const MetricOptions&) {
  return 1;
}

}  // namespace recmeter::support
