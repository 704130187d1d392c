#include "doctor/segment_facts.h"

#include <algorithm>
#include <array>

#include "doctor/id_form.h"

namespace recmeter::doctor {

void SegmentFacts::add(const EventBatch& batch, const Event& list) {
  ++lists_;
  for (std::size_t i = 0; i < list.segment_count; ++i) {
    auto key = keys_.find(batch.segment_key(list, i));
    if (key == keys_.end()) {
      if (keys_.size() == keys_max) continue;
      key = keys_.emplace(batch.segment_key(list, i), Key()).first;
    }
    ++key->second.lists;
    const std::string_view text = batch.segment_value(list, i);
    if (const auto value = key->second.values.find(text); value != key->second.values.end()) {
      ++value->second;
    } else if (key->second.values.size() < values_max) {
      key->second.values.emplace(text, 1);
    } else {
      ++key->second.other;
    }
  }
}

bool is_arm_key(std::string_view key) {
  constexpr std::array<std::string_view, 7> words{"variant", "arm", "experiment", "policy", "bucket", "treatment", "abtest"};
  const std::string form = id_form(key);
  return std::find(words.begin(), words.end(), form) != words.end() || key.find("variant") != std::string_view::npos;
}

}  // namespace recmeter::doctor
