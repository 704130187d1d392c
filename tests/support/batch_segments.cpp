#include "support/batch_segments.h"

#include <algorithm>
#include <map>
#include <set>

namespace recmeter::support {
namespace {

std::vector<std::string> shown_values(const BatchList& list, const SegmentSpec& combination) {
  std::vector<std::string> values;
  for (const std::string& key : combination.keys) {
    const auto found = std::find_if(list.segments.begin(), list.segments.end(),
                                    [&key](const auto& segment) { return segment.first == key; });
    values.push_back(found == list.segments.end() ? std::string(segment_none) : shown_value(found->second));
  }
  return values;
}

}  // namespace

std::string shown_value(const std::string& value) {
  const bool mistakable = value == segment_none || value == segment_other || value.starts_with('\\');
  return mistakable ? "\\" + value : value;
}

BatchSegments::BatchSegments(const EvaluatorSpec& spec, const AcceptedEvents& events) : spec_(spec) {
  for (const SegmentSpec& combination : spec.segments) {
    std::map<Values, std::size_t> places;
    for (const BatchList& list : events.lists) places.emplace(shown_values(list, combination), 0);
    std::vector<Values>& ascending = values_.emplace_back();
    for (auto& [values, place] : places) {
      place = ascending.size();
      ascending.push_back(values);
    }
    std::vector<std::size_t>& of_list = value_of_list_.emplace_back();
    for (const BatchList& list : events.lists) of_list.push_back(places.at(shown_values(list, combination)));
    std::vector<bool>& in_no_row = is_in_no_row_.emplace_back();
    for (const BatchList& list : events.lists) {
      const bool has_any = std::ranges::any_of(list.segments, [&](const auto& segment) {
        return std::ranges::find(combination.keys, segment.first) != combination.keys.end();
      });
      in_no_row.push_back(list.is_placeless && !has_any);
    }
  }
}

std::vector<SegmentGroup> BatchSegments::split(const std::vector<std::size_t>& lists) const {
  std::vector<SegmentGroup> groups{{{}, lists}};
  for (std::size_t c = 0; c < spec_.segments.size(); ++c) split(c, lists, groups);
  return groups;
}

void BatchSegments::split(std::size_t combination, const std::vector<std::size_t>& lists,
                          std::vector<SegmentGroup>& out) const {
  const SegmentSpec& spec = spec_.segments[combination];
  std::map<std::size_t, std::vector<std::size_t>> by_value;
  for (const std::size_t list : lists) {
    if (!is_in_no_row_[combination][list]) by_value[value_of_list_[combination][list]].push_back(list);
  }

  // "the values named in keep and besides them the segment_values smallest others in byte order have rows of their own"
  const std::set<Values> keep(spec.keep.begin(), spec.keep.end());
  std::map<Values, std::vector<std::size_t>> rows;
  std::size_t others = 0;
  for (auto& [place, members] : by_value) {
    const Values& values = values_[combination][place];
    const bool own_row = keep.contains(values) || others++ < spec_.limits.segment_values;
    std::vector<std::size_t>& row = rows[own_row ? values : Values(spec.keys.size(), std::string(segment_other))];
    row.insert(row.end(), members.begin(), members.end());
  }
  for (auto& [values, members] : rows) {
    SegmentGroup& group = out.emplace_back();
    for (std::size_t i = 0; i < spec.keys.size(); ++i) group.segment.emplace_back(spec.keys[i], values[i]);
    group.lists = std::move(members);
  }
}

}  // namespace recmeter::support
