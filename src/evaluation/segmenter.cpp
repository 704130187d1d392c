#include "recmeter/evaluation/segmenter.h"

namespace recmeter {

namespace {

// Appends the value of the key as rows show it; false where the event has none.
bool append_shown(std::string& packed, const EventBatch& batch, const Event& event, std::string_view key) {
  for (std::size_t i = 0; i < event.segment_count; ++i) {
    if (batch.segment_key(event, i) != key) continue;
    const std::string_view value = batch.segment_value(event, i);
    must_escape(value) ? append_segment_value(packed, shown_segment_value(value)) : append_segment_value(packed, value);
    return true;
  }
  append_segment_value(packed, segment_none);
  return false;
}

}  // namespace

Segmenter::Segmenter(std::span<const SegmentSpec> segments) : segments_(segments), interners_(segments.size()) {}

void Segmenter::label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels) {
  for (std::size_t c = 0; c < segments_.size(); ++c) {
    packed_.clear();
    bool has_any = false;
    for (const std::string& key : segments_[c].keys) has_any = append_shown(packed_, batch, opening, key) || has_any;
    const bool is_in_no_row = opening.kind == EventKind::candidate && !has_any;
    labels[c] = is_in_no_row ? in_no_row : interners_[c].intern(packed_, opening.ts);
  }
}

SegmentValues Segmenter::values(std::size_t combination, std::uint32_t label) const {
  if (label == in_no_row) return SegmentValues(segments_[combination].keys.size(), std::string(segment_none));
  return unpack_segment_values(interners_[combination].text(label));
}

bool Segmenter::forget_before(EventTime time) {
  bool forgot = false;
  for (Interner& interner : interners_) forgot = !interner.forget_before(time).empty() || forgot;
  return forgot;
}

}  // namespace recmeter
