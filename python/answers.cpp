#include "answers.h"

#include <algorithm>
#include <string_view>

#include "app/answers/compared_lists.h"
#include "app/answers/event_lists.h"
#include "app/answers/explained_lists.h"
#include "app/answers/why_answer.h"
#include "app/console/wall_clock.h"

namespace recmeter::python {
namespace {

constexpr std::size_t text_width = 100;

tl::expected<Compared, Fault> compared(const ComparisonRequest& asked, const ComparedLists& lists) {
  auto answer = answer_of(asked, lists);
  if (!answer) return fault_of(answer.error());
  const ChosenControl& control = answer->table.control;
  answer->table.left_out = 0;  // all metrics are in the lines
  Compared out{.lines = paired_json(answer->pairs, control.value),
               .pairs = {},
               .text = paired_text(answer->table),
               .sentences = paired_sentences(answer->table),
               .cells = paired_table(answer->table).rows,
               .notes = paired_notes(answer->table)};
  const auto is_shown = [&](const std::string& metric) {
    return std::ranges::find(answer->table.pairs, metric, &PairedLists::Pair::metric) != answer->table.pairs.end();
  };
  for (const PairedLists::Pair& pair : answer->pairs) {
    out.pairs.push_back({.words = words_of(pair, control, lists),
                         .decision = decision_of(pair, control, lists),
                         .is_shown = is_shown(pair.metric)});
  }
  return out;
}

tl::expected<why::Request, Fault> request_of(const WhyQuestion& asked) {
  why::Request request{
      .metric = asked.metric, .window = asked.window, .key = asked.key, .a = asked.a, .b = asked.b, .by = asked.by};
  if (const auto set = set_times(request, asked.at, asked.against, wall_clock()); !set) return fault_of(set.error());
  if (const auto fine = check(request); !fine) return fault_of(fine.error());
  return request;
}

tl::expected<WhyAnswer, Fault> told(const Result<why::Answer>& answer) {
  if (!answer) return fault_of(answer.error());
  return WhyAnswer{.json = json_of(*answer, 0), .text = text_of(*answer, text_width)};
}

}  // namespace

tl::expected<Compared, Fault> compare(const Asked& asked, const std::string& by, const std::string& control,
                                      const std::atomic<bool>& stop) {
  auto config = configuration_of(asked.config);
  if (!config) return tl::unexpected(config.error());
  if (config->spec.lanes.is_wanted()) {
    return tl::unexpected(
        Fault{Fault::Kind::configuration,
              "the configuration has lanes, whose lists are compared as replay --lists writes them: give that "
              "file"});
  }
  config->spec.experiments.clear();
  ComparedLists lists;
  for (const SegmentSpec& segment : config->spec.segments) lists.keys.insert(segment.keys.begin(), segment.keys.end());
  lists.keys.erase(by);
  EventLists events(by, *config);
  auto read = events.compare(log_of(asked, stop), lists);
  if (!read) return fault_of(read.error());
  if (!read->is_complete) return interrupted();
  if (!read->exceeded.empty()) {
    return Compared{.exceeded = {.limits = std::move(read->exceeded), .invalid = std::move(read->invalid)}};
  }
  auto out = compared({.by = by, .control = control}, lists);
  if (out) out->exceeded.invalid = std::move(read->invalid);
  return out;
}

tl::expected<Compared, Fault> compare_files(const std::vector<std::string>& paths, const std::string& by,
                                            const std::string& control, const std::atomic<bool>& stop) {
  const auto lists = read_list_files(paths, by, stop);
  return lists ? compared({.by = by, .control = control}, *lists) : fault_of(lists.error());
}

bool begins_with_list(const std::string& path, const std::atomic<bool>& stop) {
  return recmeter::begins_with_list(path, stop).value_or(false);
}

tl::expected<WhyAnswer, Fault> why_of_rows(const std::string& rows, const WhyQuestion& asked) {
  const auto request = request_of(asked);
  if (!request) return tl::unexpected(request.error());
  const auto each = [&](const std::function<Result<void>(std::string_view)>& take) -> Result<void> {
    for (std::string_view rest = rows; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (auto taken = take(rest.substr(0, end)); !taken) return taken;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
  };
  return told(recmeter::why_of_rows(*request, asked.top, each));
}

tl::expected<WhyAnswer, Fault> why_of_log(const Asked& log, const WhyQuestion& asked, const std::atomic<bool>& stop) {
  const auto request = request_of(asked);
  if (!request) return tl::unexpected(request.error());
  const auto config = configuration_of(log.config);
  if (!config) return tl::unexpected(config.error());
  auto found = recmeter::why_of_log(*request, asked.top, *config, log_of(log, stop));
  if (!found) return fault_of(found.error());
  if (!found->log.is_complete) return interrupted();
  auto out = told(found->answer);
  if (out) out->exceeded = {.limits = std::move(found->log.exceeded), .invalid = std::move(found->log.invalid)};
  return out;
}

tl::expected<Explained, Fault> explain_list(const Asked& asked, const std::string& list_id, const std::string& user_id,
                                            const std::atomic<bool>& stop) {
  const auto config = configuration_of(asked.config);
  if (!config) return tl::unexpected(config.error());
  const auto found = explain_lists({.list_id = list_id, .user_id = user_id}, *config, log_of(asked, stop));
  if (!found) return fault_of(found.error());
  if (!found->is_complete) return interrupted();
  if (!found->missing.empty()) return tl::unexpected(Fault{Fault::Kind::input, found->missing});
  Explained out{.lines = {}, .text = {}, .invalid = found->invalid};
  for (const explain::Explanation& list : found->lists) {
    out.lines += json_of(list);
    out.text += (out.text.empty() ? "" : "\n\n") + text_of(list, text_width);
  }
  return out;
}

tl::expected<std::vector<std::string>, Fault> report(const ReportFiles& files, const std::atomic<bool>& stop) {
  const auto made = write_report(files, stop);
  if (!made) return fault_of(made.error());
  std::vector<std::string> out;
  for (const ReportDoubt& doubt : *made) out.push_back(doubt.sentence);
  return out;
}

}  // namespace recmeter::python
