// CandidateItems: which items a list may have: those learned, those learned lately, those of the catalogue, or the request's
// own. Thread safety: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/recommend/learning_log.h"
#include "recmeter/recommend/prequential_spec.h"

namespace recmeter {

class CandidateItems {
 public:
  // Both outlive it.
  CandidateItems(const PrequentialSpec& spec, const LearningLog& log) : spec_(spec), latest_(log.items.size()) {
    if (spec.candidates != PrequentialSpec::Candidates::catalog) return;
    items_ = log.catalog;
    for (const std::uint32_t item : items_) is_in_[item] = true;
  }

  void learn(const LearnedEvent& event) {
    if (spec_.candidates == PrequentialSpec::Candidates::catalog) return;
    if (!is_in_[event.item]) items_.push_back(event.item);
    is_in_[event.item] = true;
    latest_[event.item] = event.ts;
  }
  void begin_version(EventTime bound) {
    if (spec_.candidates != PrequentialSpec::Candidates::recent) return;
    std::erase_if(items_, [&](std::uint32_t item) {
      const bool is_old = latest_[item] < bound - spec_.recent;
      if (is_old) is_in_[item] = false;
      return is_old;
    });
  }
  // Valid until the next call of any.
  [[nodiscard]] std::span<const std::uint32_t> of(const ListRequest& request) {
    if (spec_.candidates == PrequentialSpec::Candidates::rated) return request.targets;
    if (spec_.candidates != PrequentialSpec::Candidates::list) return items_;
    shown_.clear();
    for (const std::uint32_t item : request.shown) {
      if (std::find(shown_.begin(), shown_.end(), item) == shown_.end()) shown_.push_back(item);
    }
    return shown_;
  }
  // Whether they are others for each request.
  [[nodiscard]] bool are_of_request() const {
    return spec_.candidates == PrequentialSpec::Candidates::rated || spec_.candidates == PrequentialSpec::Candidates::list;
  }
  // Whether a list at feedback may have this target; of made lists, any item.
  [[nodiscard]] bool has(std::uint32_t item) const {
    return spec_.candidates == PrequentialSpec::Candidates::rated || (item < is_in_.size() && is_in_[item]);
  }

 private:
  const PrequentialSpec& spec_;
  std::vector<std::uint32_t> items_;
  std::vector<EventTime> latest_;
  std::vector<bool> is_in_ = std::vector<bool>(latest_.size());
  std::vector<std::uint32_t> shown_;
};

}  // namespace recmeter
