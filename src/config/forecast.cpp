#include "config/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "config/cost.h"
#include "config/live_memory.h"
#include "config/window_memory.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/rendered_row.h"

namespace recmeter {

namespace {

using config::count_text;

// Measured with `scripts/bench --live`, attaches of ten minutes and more, GCC 12, x86-64.
constexpr double journal_bytes_per_event = 125;  // on disk, compressed, with what compaction has not dropped yet
constexpr double joined_list_bytes = 160;        // without items, ids and labels: the list, its user, its credits
constexpr double joined_feedback_bytes = 150;
constexpr double waiting_event_bytes = 260;  // without items
constexpr double row_bytes = 120;            // on disk, compressed, with each of its metrics:
constexpr double value_bytes = 70;
constexpr double comparable_bytes = 330;      // of a value, where somebody may compare
constexpr double sums_of_mean_bytes = 1'500;  // of a mean over lists that is explained
constexpr double program_bytes = 40e6;        // libraries, buffers, brokers' connections

double values_of(const SegmentSpec& segment, const Config& config, const Forecast::Assumed& assumed) {
  if (!segment.keep.empty()) return static_cast<double>(segment.keep.size()) + 1;  // (other)
  const double values = std::pow(assumed.values_per_key, static_cast<double>(segment.keys.size()));
  return std::min(values, static_cast<double>(config.spec.limits.segment_values) + 1);
}

// One row in memory, as those who show it have it: its JSON beside it.
double shown_row_bytes(std::size_t metrics, bool is_watched) {
  constexpr double json_bytes = 400, json_metric_bytes = 200;
  const double metric = sizeof(MetricValue) + json_metric_bytes + (is_watched ? sizeof(LeftOutValues) : 0);
  return sizeof(RenderedRow) + json_bytes + static_cast<double>(metrics) * metric;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> units{"kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (bytes /= 1000; bytes >= 1000 && unit + 1 < units.size(); bytes /= 1000) ++unit;
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 ? 1 : 0, units[unit]);
}

// Hours and minutes; what is less is rounded up.
std::string span_text(Duration span) {
  const std::int64_t minutes = (span.ms + 59'999) / one_minute.ms;
  return minutes < 60 ? fmt::format("{}m", minutes) : fmt::format("{}h{:02}m", minutes / 60, minutes % 60);
}

// On disk, of what says why metrics changed.
double explained_bytes(const EvaluatorSpec& spec, const EvaluatorPlan& plan, const std::vector<Forecast::Window>& windows) {
  if (!spec.attribution) return 0;
  const double days = static_cast<double>(spec.attribution->keep.ms) / static_cast<double>(one_day.ms);
  const auto means = static_cast<double>(std::ranges::count_if(plan.metrics.metrics(), is_mean_over_lists));
  double bytes = 0;
  for (const Forecast::Window& window : windows) {
    const auto& names = spec.attribution->windows;
    if (std::ranges::find(names, window.name) == names.end()) continue;
    bytes += window.rows_per_day * days * means * sums_of_mean_bytes;
  }
  return bytes;
}

// "  disk    about 3 GB: this 1 GB, that 2 GB", without what is nothing.
std::string parts_text(std::string_view what, double all, const std::vector<std::pair<std::string, double>>& parts) {
  std::vector<std::string> words;
  for (const auto& [name, bytes] : parts) {
    if (bytes >= 1) words.push_back(name + " " + bytes_text(bytes));
  }
  return fmt::format("  {:<7} about {}: {}\n", what, bytes_text(all), fmt::join(words, ", "));
}

}  // namespace

Result<Forecast> forecast(const Config& config, double lists_per_second) {
  Duration lateness_max{0};
  for (const InputSpec& input : config.inputs) lateness_max = std::max(lateness_max, input.allowed_lateness);
  EvaluatorSpec of_run = config.spec;
  keep_parts(of_run);
  const auto made = EvaluatorPlan::make(of_run, lateness_max, false);
  if (!made) return tl::unexpected(made.error());
  const EvaluatorPlan& plan = *made;
  Forecast of{.lists_per_second = lists_per_second, .assumed = {}, .windows = {}, .journal_span = plan.event_memory()};
  const EvaluatorSpec& spec = config.spec;
  if (spec.catalog) of.assumed.items = static_cast<double>(spec.catalog->size);
  double segments = 1;
  for (const SegmentSpec& segment : spec.segments) segments += values_of(segment, config, of.assumed);
  of.segments = static_cast<std::uint64_t>(segments);
  const auto lanes = static_cast<double>(std::max<std::size_t>(plan.lanes.size(), 1));
  const double rows_of_start = lanes * static_cast<double>(spec.join.horizons.size()) * segments;
  for (const WindowSpec& window : spec.windows) {
    const double starts = static_cast<double>(one_day.ms) / static_cast<double>(window.slide.ms);
    of.windows.push_back({window.name, starts * rows_of_start});
    of.rows_per_day += of.windows.back().rows_per_day;
  }
  const double events_per_second = lists_per_second * (1 + of.assumed.feedback_per_list);
  const auto seconds = [](Duration span) { return static_cast<double>(span.ms) / 1000; };
  const auto metrics = static_cast<double>(plan.metrics.metrics().size());
  const bool is_watched = config.publish.http.is_on;

  of.journal_bytes = events_per_second * seconds(of.journal_span) * journal_bytes_per_event;
  const double kept_days = static_cast<double>(config.state.keep_results.ms) / static_cast<double>(one_day.ms);
  const double kept_row_bytes = row_bytes + metrics * (value_bytes + (is_watched ? comparable_bytes : 0));
  of.results_bytes = of.rows_per_day * kept_days * kept_row_bytes;

  of.explained_bytes = explained_bytes(spec, plan, of.windows);
  // Rows of lanes are never provisional.
  const bool has_preview = !spec.lanes.is_wanted() &&
                           (is_watched || config.publish.kafka || (config.publish.file && config.publish.file->provisional));
  const double joins = lanes * (has_preview ? 2 : 1);
  const LiveMemory memory = live_memory(config.state.memory);
  const double list_bytes = joined_list_bytes + of.assumed.items_per_list * 4 + of.assumed.id_bytes * 2 +
                            static_cast<double>(spec.segments.size()) * 4 +
                            of.assumed.feedback_per_list * joined_feedback_bytes;
  const Duration joined_span = std::max(spec.join.longest_horizon() + spec.join.skew, spec.join.same_list);
  const double joined = lists_per_second * seconds(joined_span) * list_bytes * joins;
  of.joined_bytes = std::min(joined, static_cast<double>(memory.joined));
  of.cold_bytes = joined - of.joined_bytes;

  const double event_bytes = waiting_event_bytes + of.assumed.items_per_list * (of.assumed.id_bytes + 8);
  of.waiting_bytes = events_per_second * seconds(lateness_max) * event_bytes * joins;
  const config::WindowTraffic traffic{.lists_per_second = lists_per_second,
                                      .feedback_per_list = of.assumed.feedback_per_list,
                                      .items_per_list = of.assumed.items_per_list,
                                      .items = of.assumed.items,
                                      .users = of.assumed.users,
                                      .segments = segments,
                                      .combinations = static_cast<double>(spec.segments.size()) + 1};
  of.sums_bytes = lanes * (config::sums_memory(plan, traffic) + config::exposure_memory(plan, traffic)) +
                  (has_preview ? config::preview_memory(plan, traffic) : 0);
  for (const WindowSpec& window : spec.windows) {
    if (!is_watched) break;
    const Duration open = window.size + spec.join.longest_horizon() + spec.join.skew;
    const double starts = has_preview ? static_cast<double>(open.ms) / static_cast<double>(window.slide.ms) : 0;
    // Final rows are shown until there are newer ones.
    of.shown_bytes += (starts + 1) * rows_of_start * shown_row_bytes(plan.metrics.metrics().size(), is_watched);
  }
  of.store_bytes = static_cast<double>(memory.store);
  of.reading_bytes = static_cast<double>(config.kafka.memory);
  of.unkept_bytes = 2.0 * static_cast<double>(memory.unkept);  // noted, and as what is written
  of.memory_bytes = of.joined_bytes + of.waiting_bytes + of.sums_bytes + of.shown_bytes + of.store_bytes + program_bytes;
  of.disk_bytes = of.journal_bytes + of.results_bytes + of.explained_bytes + of.cold_bytes;
  return of;
}

std::string forecast_text(const Forecast& of) {
  std::string text = fmt::format("at {:g} lists a second, of {:g} items and {:g} feedback each\n", of.lists_per_second,
                                 of.assumed.items_per_list, of.assumed.feedback_per_list);
  text += fmt::format("  rows    {} a day, of {} segments where a key that keeps none has {:g} values:",
                      count_text(of.rows_per_day), of.segments, of.assumed.values_per_key);
  for (const Forecast::Window& window : of.windows)
    text += fmt::format(" {} {}", window.name, count_text(window.rows_per_day));
  text += "\n" + parts_text("disk", of.disk_bytes,
                            {{"events of the last " + span_text(of.journal_span), of.journal_bytes},
                             {"rows kept for queries", of.results_bytes},
                             {"sums that say why", of.explained_bytes},
                             {"cold lists", of.cold_bytes}});
  return text +
         parts_text("memory", of.memory_bytes,
                    {{"lists and feedback", of.joined_bytes},
                     {"events that wait", of.waiting_bytes},
                     {"windows", of.sums_bytes},
                     {"rows that are shown", of.shown_bytes},
                     {"the store", of.store_bytes}}) +
         fmt::format("          while it catches up at most {} more: read ahead {}, between checkpoints {}\n",
                     bytes_text(of.reading_bytes + of.unkept_bytes), bytes_text(of.reading_bytes),
                     bytes_text(of.unkept_bytes));
}

std::string forecast_json(const Forecast& of) {
  return fmt::format(
      R"({{"lists_per_second":{},"feedback_per_list":{},"items_per_list":{},"segments":{},"rows_per_day":{:.0f},)"
      R"("disk_bytes":{:.0f},"journal_bytes":{:.0f},"results_bytes":{:.0f},"explained_bytes":{:.0f},"cold_bytes":{:.0f},"memory_bytes":{:.0f},)"
      R"("joined_bytes":{:.0f},"waiting_bytes":{:.0f},"sums_bytes":{:.0f},"shown_bytes":{:.0f},"store_bytes":{:.0f},)"
      R"("catching_up_bytes":{:.0f},"reading_bytes":{:.0f},"unkept_bytes":{:.0f}}})",
      of.lists_per_second, of.assumed.feedback_per_list, of.assumed.items_per_list, of.segments, of.rows_per_day,
      of.disk_bytes, of.journal_bytes, of.results_bytes, of.explained_bytes, of.cold_bytes, of.memory_bytes, of.joined_bytes,
      of.waiting_bytes, of.sums_bytes, of.shown_bytes, of.store_bytes, of.memory_bytes + of.reading_bytes + of.unkept_bytes,
      of.reading_bytes, of.unkept_bytes);
}

}  // namespace recmeter
