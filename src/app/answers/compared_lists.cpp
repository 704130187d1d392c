#include "app/answers/compared_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/console/text_layout.h"
#include "app/run/for_each_record.h"
#include "config/nearest.h"
#include "recmeter/evaluation/list_tally.h"
#include "recmeter/experiment/missing_text.h"
#include "recmeter/file/open_file.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter {

namespace {

constexpr std::string_view no_action =
    "nothing to compare: no list was acted on; give the log of actions, too, or see what recmeter doctor says of them";

Error nothing_to_compare(const ComparisonRequest& asked, const ComparedLists& lists) {
  const std::vector<std::string> values = lists.paired.variants();
  if (lists.has_too_many) {
    return {Errc::config_invalid, fmt::format("{} has more than {} values; compare by a key that has one for each variant",
                                              asked.by, ListTally::values_max)};
  }
  if (values.empty()) {
    const std::vector<std::string_view> keys(lists.keys.begin(), lists.keys.end());
    const std::string remedy = keys.empty() ? "--by takes a key as `segments` of the configuration and of events have it"
                                            : config::question_or_choices(asked.by, keys);
    return {Errc::config_invalid, "nothing to compare: no list has a value of the segment key " + asked.by + "; " + remedy};
  }
  const std::string of = asked.control.empty() ? "nothing to compare" : "nothing to compare with --control " + asked.control;
  return {Errc::config_invalid, of + "; values of " + asked.by + " in these lists: " + joined(", ", values)};
}

// By what a metric of that key is known for; nothing: its name is the user's own.
void choose_headline(PairedAnswer& answer) {
  const auto is_moved = [](const PairedLists::Pair& pair) {
    const MetricDefinition* definition = metric_of_key(pair.metric);
    return definition != nullptr && definition->moved_by != MovedBy::every_list;
  };
  const auto first = std::ranges::find_if(answer.pairs, is_moved);
  if (first == answer.pairs.end()) return;
  answer.headline = first->metric;
  answer.better = metric_of_key(first->metric)->better;
}

// Without a known better, as of a control that is not known.
std::pair<ChosenControl, Better> judged_by(const std::string& metric, const ChosenControl& control,
                                           const ComparedLists& lists) {
  const auto of_log = lists.better.find(metric);
  if (of_log != lists.better.end()) return {control, of_log->second};
  const MetricDefinition* definition = metric_of_key(metric);
  if (definition != nullptr) return {control, definition->better};
  return {{.value = control.value, .is_known = false}, Better::higher};
}

}  // namespace

Result<bool> begins_with_list(const std::string& path, const std::atomic<bool>& stop) {
  if (path == "-") return true;
  auto source = file::open_file(path, {.message_bytes_max = compared_line_bytes_max, .stop = &stop});
  if (!source) return tl::unexpected(std::move(source).error());
  constexpr std::size_t block_bytes = std::size_t{1} << 16;
  auto read = (*source)->read(block_bytes, {});
  // Another form than lines is no list.
  return read && !read->records.empty() && PairedLists::is_list(read->record(0));
}

Result<ComparedLists> read_list_files(const std::vector<std::string>& paths, const std::string& by,
                                      const std::atomic<bool>& stop) {
  ComparedLists lists;
  for (const std::string& path : paths) {
    auto source = file::open_file(path, {.message_bytes_max = compared_line_bytes_max, .stop = &stop});
    if (!source) return tl::unexpected(std::move(source).error());
    const std::string name = std::filesystem::path(path).filename().string();
    const auto read = for_each_record(**source, "line", stop, [&](std::string_view line) {
      return by == by_file ? lists.paired.add_of(name, line) : lists.paired.add_by(by, line);
    });
    if (!read) return tl::unexpected(read.error());
  }
  lists.shown = lists.paired.metrics_of_a_table();
  lists.keys = lists.paired.keys();
  lists.users = lists.paired.arms_of_users();
  return lists;
}

Result<ListsAnswer> answer_of(const ComparisonRequest& asked, const ComparedLists& lists) {
  const auto control = choose_control(lists.paired.variants(), asked.control);
  if (!control) return tl::unexpected(nothing_to_compare(asked, lists));
  ListsAnswer out{.table = {.pairs = {}, .control = *control, .users = lists.users},
                  .pairs = lists.paired.pairs(control->value, alpha_of_lists)};
  if (out.pairs.empty()) return tl::unexpected(nothing_to_compare(asked, lists));
  if (!lists.is_acted_on) return failure(Errc::config_invalid, std::string(no_action));
  std::set<std::string> left_out;
  for (const PairedLists::Pair& pair : out.pairs) {
    if (lists.shown.contains(pair.metric)) {
      out.table.pairs.push_back(pair);
    } else {
      left_out.insert(pair.metric);
    }
  }
  out.table.left_out = left_out.size();
  out.table.apart = never_together(lists.paired, control->value);
  if (out.table.pairs.empty()) out.table.pairs = out.pairs, out.table.left_out = 0;
  out.table.headline = lists.headline;
  out.table.better = lists.headline_better;
  if (out.table.headline.empty()) choose_headline(out.table);
  return out;
}

std::string words_of(const PairedLists::Pair& pair, const ChosenControl& control, const ComparedLists& lists) {
  const auto [by, better] = judged_by(pair.metric, control, lists);
  return paired_sentence(pair, by, better);
}

std::string decision_of(const PairedLists::Pair& pair, const ChosenControl& control, const ComparedLists& lists) {
  if (!pair.comparison) return std::string(missing_text(pair.comparison.error()));
  if (!pair.unsure.empty()) return pair.unsure;
  if (!pair.comparison->decisive().ci) return "too wide to say";
  const auto [by, better] = judged_by(pair.metric, control, lists);
  return std::string(decided_text(pair, by, better));
}

}  // namespace recmeter
