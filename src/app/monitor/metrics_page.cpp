#include "app/monitor/metrics_page.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "app/monitor/status_text.h"
#include "recmeter/base/lane_names.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

using Kind = Exposition::Kind;
using Labels = Exposition::Labels;

// "ndcg_list" of "ndcg_list@10/user". Other figures have other names: "mrr_by_action" of "mrr{action=click}@10", and
// "latency_slower_share" of "latency{slower_than=500}", which is not in milliseconds.
std::string base_of(std::string_view key) {
  const std::size_t end = std::min(key.find_first_of("{@/"), key.size());
  const std::string_view options = key.substr(end);
  const bool is_share = options.starts_with("{slower_than=");
  return std::string(key.substr(0, end)) + (options.starts_with("{action=") ? "_by_action" : is_share ? "_slower_share" : "");
}

std::string_view unit_of(Unit unit) {
  switch (unit) {
    case Unit::list: return "list";
    case Unit::user: return "user";
    case Unit::pooled: return "pooled";
  }
  return "list";
}

bool is_mean(const PlannedMetric& metric) {
  const Family family = metric.definition->family;
  return family == Family::list_mean || family == Family::list_share || family == Family::pooled;
}

// "p" and "0.5" of "rbp{p=0.5}@10": a label for each option that a key says, in its order.
Labels written_options(std::string_view key) {
  Labels options;
  const std::size_t end = key.find('}');
  for (std::size_t at = key.find('{'); at < end;) {
    const std::size_t next = std::min(key.find(',', at + 1), end);
    const std::size_t equals = key.find('=', at);
    options.emplace_back(key.substr(at + 1, equals - at - 1), key.substr(equals + 1, next - equals - 1));
    at = next;
  }
  return options;
}

Labels labels_of(const Row& row) {
  Labels labels{
      {"stage", std::string(to_string(row.stage))}, {"window", row.window}, {"horizon", render_duration(row.horizon)}};
  for (const auto& [key, value] : row.segment) labels.emplace_back("segment_" + exposition_name(key), value);
  return labels;
}

Labels labels_of(const Row& row, const PlannedMetric& metric) {
  Labels labels = labels_of(row);
  if (is_mean(metric)) {
    labels.insert(labels.begin() + 1, {"unit", std::string(unit_of(metric.options.unit.value_or(Unit::list)))});
  }
  const Labels options = written_options(metric.key);
  labels.insert(labels.begin() + 1, options.begin(), options.end());
  if (metric.definition->has_cutoff) {
    const std::string k = metric.cutoff == PlannedMetric::no_cut        ? "all"
                          : metric.cutoff == PlannedMetric::at_relevant ? "R"
                                                                        : std::to_string(metric.cutoff);
    labels.insert(labels.begin() + 1, {"k", k});
  }
  return labels;
}

// Of every series the newest final row, if it is of the newest window, and the newest one that may still change.
std::vector<const Row*> newest_rows(const LiveSnapshot& snapshot) {
  std::vector<const Row*> rows;
  for (const auto& shown : snapshot.newest_final) rows.push_back(&shown->row);
  const Row* last = nullptr;
  for (const auto& shown : snapshot.rows) {
    const Row& row = shown->row;
    if (row.stage != Stage::provisional) continue;
    const bool is_same =
        last != nullptr && last->window == row.window && last->horizon == row.horizon && last->segment == row.segment;
    if (is_same) rows.pop_back();
    rows.push_back(&row);
    last = &row;
  }
  return rows;
}

// Writes samples of rows, and counts those for which there is no room.
class RowSamples {
 public:
  RowSamples(Exposition& to, std::size_t room) : to_(to), room_(room) {}

  template <class Number>
  void add(const Labels& labels, Number value) {
    if (room_ == 0) {
      ++left_out_;
      return;
    }
    --room_;
    to_.sample(labels, value);
  }
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

 private:
  Exposition& to_;
  std::size_t room_;
  std::uint64_t left_out_ = 0;
};

struct Figure {
  std::string_view suffix;
  std::string_view what;
  std::optional<double> (*of)(const MetricValue&);
};
constexpr std::array<Figure, 5> figures{{
    {"", "of the window", [](const MetricValue& m) { return m.value; }},
    {"_low", "of the window, the lower end of its interval",
     [](const MetricValue& m) { return m.ci ? std::optional(m.ci->first) : std::nullopt; }},
    {"_high", "of the window, the upper end of its interval",
     [](const MetricValue& m) { return m.ci ? std::optional(m.ci->second) : std::nullopt; }},
    {"_numerator", "of the window, the sum whose quotient with the denominator is the mean: add these, not means",
     [](const MetricValue& m) { return m.numerator; }},
    {"_denominator", "of the window, how much the mean is over", [](const MetricValue& m) { return m.denominator; }},
}};

void write_values(Exposition& out, RowSamples& samples, const PublishedSchema& schema, const std::vector<const Row*>& rows) {
  std::vector<std::string> bases;
  for (const PlannedMetric& metric : schema.metrics) {
    std::string base = base_of(metric.key);
    if (std::find(bases.begin(), bases.end(), base) == bases.end()) bases.push_back(std::move(base));
  }
  const auto value_in = [](const Row& row, const std::string& key) -> const MetricValue* {
    const auto at =
        std::find_if(row.metrics.begin(), row.metrics.end(), [&](const MetricValue& one) { return one.key == key; });
    return at == row.metrics.end() ? nullptr : &*at;
  };
  for (const std::string& base : bases) {
    for (const Figure& figure : figures) {
      bool has_begun = false;
      for (const Row* row : rows) {
        for (const PlannedMetric& metric : schema.metrics) {
          if (base_of(metric.key) != base) continue;
          const MetricValue* value = value_in(*row, metric.key);
          const auto number = value == nullptr ? std::nullopt : figure.of(*value);
          if (!number) continue;
          if (!std::exchange(has_begun, true)) {
            out.family("recmeter_" + exposition_name(base) + std::string(figure.suffix), Kind::gauge,
                       base + " " + std::string(figure.what) + "; recmeter metrics " + std::string(metric.definition->name) +
                           " defines it.");
          }
          samples.add(labels_of(*row, metric), *number);
        }
      }
    }
  }
}

void write_rows(Exposition& out, const PublishedSchema& schema, const LiveSnapshot& snapshot, std::size_t series_max) {
  const std::vector<const Row*> rows = newest_rows(snapshot);
  RowSamples samples(out, series_max);
  if (!rows.empty()) {
    out.family("recmeter_window_lists", Kind::gauge, "Lists in the newest window.");
    for (const Row* row : rows) samples.add(labels_of(*row), row->lists);
    out.family("recmeter_window_matured", Kind::gauge, "Share of the window's lists whose horizon has passed.");
    for (const Row* row : rows) samples.add(labels_of(*row), row->matured);
    out.family("recmeter_window_incomplete", Kind::gauge, "1: the newest window lacks events; its row says why.");
    for (const Row* row : rows) samples.add(labels_of(*row), std::uint64_t{row->incomplete.empty() ? 0U : 1U});
    out.family("recmeter_window_end_timestamp_seconds", Kind::gauge, "Event time at which the newest window ends.");
    for (const Row* row : rows) samples.add(labels_of(*row), static_cast<double>(row->end.ms) / 1000);
    write_values(out, samples, schema, rows);
  }
  out.single("recmeter_series_capped", Kind::gauge, "Samples of rows left out since there would be too many.",
             samples.left_out());
}

// A series has one scale: few events, which are compared by the difference alone, are not in it.
std::optional<double> bound_of(const Comparison& of, double Interval::* which) {
  const auto& cs = of.decisive().cs;
  return cs && !of.is_few ? std::optional((*cs).*which) : std::nullopt;
}

struct ExperimentFigure {
  std::string_view name;
  std::string_view help;
  std::optional<double> (*of)(const Comparison&);
};
constexpr std::array<ExperimentFigure, 4> experiment_figures{{
    {"value", "Difference from control at the newest look, relative unless the mde is absolute; absent for few events.",
     [](const Comparison& of) { return of.is_few ? std::nullopt : std::optional(of.decisive().value); }},
    {"low", "Its lower bound, which holds over all looks.",
     [](const Comparison& of) { return bound_of(of, &Interval::first); }},
    {"high", "Its upper bound, which holds over all looks.",
     [](const Comparison& of) { return bound_of(of, &Interval::second); }},
    {"log_e", "Evidence for a difference: ln e.", [](const Comparison& of) { return std::optional(of.evidence.log_e); }},
}};

// As exit codes of `compare` are.
std::uint64_t number_of(Decision decision) {
  switch (decision) {
    case Decision::ship: return 0;
    case Decision::hold: return 10;
    case Decision::stop: return 11;
  }
  return 10;
}

void write_experiments(Exposition& out, const std::vector<ExperimentLog>& logs) {
  if (logs.empty()) return;
  for (const ExperimentFigure& figure : experiment_figures) {
    out.family("recmeter_experiment_" + std::string(figure.name), Kind::gauge, figure.help);
    for (const ExperimentLog& log : logs) {
      for (const MetricRow& metric : log.rows.back()->row.metrics) {
        for (const ComparisonRow& arm : metric.comparisons) {
          const auto number = arm.comparison ? figure.of(*arm.comparison) : std::nullopt;
          if (number) out.sample({{"experiment", log.name}, {"metric", metric.metric}, {"arm", arm.arm}}, *number);
        }
      }
    }
  }
  out.family("recmeter_experiment_users", Kind::gauge, "Users of the arm at the newest look.");
  for (const ExperimentLog& log : logs) {
    for (const ArmRow& arm : log.rows.back()->row.arms) {
      out.sample({{"experiment", log.name}, {"arm", arm.arm}}, arm.users);
    }
  }
  out.family("recmeter_experiment_verdict", Kind::gauge, "What counts at the newest look: 0 ship, 10 hold, 11 stop.");
  for (const ExperimentLog& log : logs) {
    out.sample({{"experiment", log.name}}, number_of(log.rows.back()->row.counts.verdict.decision));
  }
}

void write_time(Exposition& out, std::string_view name, std::string_view help, EventTime time) {
  if (time == minus_infinity || time == plus_infinity) return;
  out.single(name, Kind::gauge, help, static_cast<double>(time.ms) / 1000);
}

void write_lanes(Exposition& out, const Report& report) {
  const auto write = [&](std::string_view family, std::string_view help, bool are_policies) {
    bool is_first = true;
    for (const LaneReport& lane : report.lanes) {
      if (lane.is_policy != are_policies) continue;
      if (std::exchange(is_first, false)) out.family(family, Kind::counter, help);
      const char* const key = are_policies ? policy_key : recommender_key;
      const CandidateCounts& counts = are_policies ? lane.counts.policies : lane.counts.candidates;
      out.sample({{key, lane.name}, {"outcome", "joined"}}, counts.joined);
      out.sample({{key, lane.name}, {"outcome", "orphaned"}}, counts.orphaned);
    }
  };
  write("recmeter_candidates", "Candidates of lanes by what became of them.", false);
  write("recmeter_policies", "Policies by what became of them.", true);
}

void write_fates(Exposition& out, const Labels& labels, const EventCounts& events, bool with_lanes) {
  const auto write = [&](const char* fate, std::uint64_t count) {
    Labels of = labels;
    of.emplace_back("fate", fate);
    out.sample(of, count);
  };
  for (const auto& [fate, count] :
       {std::pair("invalid", events.invalid), std::pair("ignored", events.ignored), std::pair("future", events.future),
        std::pair("late", events.late), std::pair("duplicate", events.duplicate()),
        std::pair("impression", events.impressions), std::pair("feedback", events.feedback)}) {
    write(fate, count);
  }
  if (with_lanes) write("candidate", events.candidates);
}

void write_counts(Exposition& out, const Report& report) {
  const EventCounts& events = report.events;
  out.family("recmeter_events", Kind::counter, "Events by their fate.");
  write_fates(out, {}, events, !report.lanes.empty());
  out.single("recmeter_events_undecided", Kind::gauge, "Events read whose fate is not decided yet.", events.undecided);
  out.single("recmeter_late_after_idle_events", Kind::counter, "Late events of partitions that came back from idleness.",
             events.late_after_idle);
  out.single("recmeter_future_by_clock_events", Kind::counter, "Events with broker timestamps ahead of this clock.",
             events.future_by_clock);
  out.family("recmeter_invalid_events", Kind::counter, "Invalid events by reason.");
  for (std::size_t i = 0; i < report.invalid_reasons.size(); ++i) {
    out.sample({{"reason", std::string(to_string(static_cast<InvalidReason>(i)))}}, report.invalid_reasons[i]);
  }
  out.family("recmeter_duplicate_events", Kind::counter, "Duplicates by reason.");
  for (std::size_t i = 0; i < duplicate_reason_count; ++i) {
    out.sample({{"reason", std::string(to_string(static_cast<DuplicateReason>(i)))}}, events.duplicates[i]);
  }
  const FeedbackCounts& feedback = report.feedback;
  out.family("recmeter_feedback", Kind::counter, "Feedback by what became of it.");
  for (const auto& [outcome, count] : {std::pair("credited", feedback.credited), std::pair("repeated", feedback.repeated),
                                       std::pair("organic", feedback.organic), std::pair("not_in_list", feedback.not_in_list),
                                       std::pair("unmatched", feedback.unmatched)}) {
    out.sample({{"outcome", outcome}}, count);
  }
  out.single("recmeter_feedback_pending", Kind::gauge, "Feedback that may still be credited.", feedback.pending);
  write_lanes(out, report);
  out.single("recmeter_lists", Kind::counter, "Lists evaluated.", report.lists);
  out.family("recmeter_rows", Kind::counter, "Rows made, by stage.");
  out.sample({{"stage", "final"}}, report.rows_final);
  out.sample({{"stage", "provisional"}}, report.rows_provisional);
}

void write_partitions(Exposition& out, const RunStatus& status) {
  const auto each = [&](std::string_view name, std::string_view help, auto&& value_of) {
    out.family(name, Kind::gauge, help);
    for (std::size_t p = 0; p < status.partitions.size(); ++p) {
      const std::optional<double> value = value_of(status.partitions[p]);
      if (value) out.sample({{"partition", status.report.partitions[p].name}}, *value);
    }
  };
  each("recmeter_partition_lag_records", "Records of the partition not read yet; absent while nobody knows.",
       [](const LivePartition& p) -> std::optional<double> {
         const auto lag = lag_records(p);
         return lag ? std::optional(static_cast<double>(*lag)) : std::nullopt;
       });
  each("recmeter_partition_open_transaction_records", "Of them those behind an open transaction, when all before it is read.",
       [](const LivePartition& p) -> std::optional<double> { return static_cast<double>(p.in_open_transaction); });
  each("recmeter_partition_lag_seconds", "How far the partition's newest event lies behind the clock; 0 when all is read.",
       [&](const LivePartition& p) { return lag_seconds(p, status.now); });
  each("recmeter_partition_time_seconds", "Event time of the partition's newest event.",
       [](const LivePartition& p) -> std::optional<double> {
         return p.max_time ? std::optional(static_cast<double>(p.max_time->ms) / 1000) : std::nullopt;
       });
  each("recmeter_partition_idle", "1: the partition has nothing, and does not hold the watermark back.",
       [](const LivePartition& p) -> std::optional<double> { return p.is_idle ? 1 : 0; });
  out.family("recmeter_lost_records", Kind::counter,
             "Records that were gone before they were read, by retention or deletion.");
  for (std::size_t p = 0; p < status.partitions.size(); ++p) {
    out.sample({{"partition", status.report.partitions[p].name}}, status.partitions[p].records_lost);
  }
}

// The partitions of a topic, added up.
struct TopicStatus {
  std::uint64_t partitions = 0;
  std::uint64_t idle = 0;
  std::optional<std::uint64_t> lag_records = 0;  // none: of a partition nobody knows
  std::uint64_t in_open_transaction = 0;
  std::uint64_t records_lost = 0;
  std::optional<double> lag_seconds;  // the largest
  std::optional<EventTime> max_time;  // the newest event
  EventCounts events;
};

std::map<std::string, TopicStatus> topics_of(const RunStatus& status) {
  std::map<std::string, TopicStatus> topics;
  for (std::size_t p = 0; p < status.partitions.size(); ++p) {
    const LivePartition& partition = status.partitions[p];
    const std::string& name = status.report.partitions[p].name;
    TopicStatus& topic = topics[name.substr(0, name.rfind('/'))];
    ++topic.partitions;
    topic.idle += partition.is_idle ? 1 : 0;
    const auto lag = lag_records(partition);
    if (!lag) topic.lag_records.reset();
    if (topic.lag_records) *topic.lag_records += static_cast<std::uint64_t>(*lag);
    topic.in_open_transaction += static_cast<std::uint64_t>(partition.in_open_transaction);
    topic.records_lost += partition.records_lost;
    topic.lag_seconds = std::max(topic.lag_seconds, lag_seconds(partition, status.now));
    topic.max_time = std::max(topic.max_time, partition.max_time);
    topic.events += status.report.partitions[p].events;
  }
  return topics;
}

void write_topics(Exposition& out, const RunStatus& status) {
  const auto topics = topics_of(status);
  const auto each = [&](std::string_view name, Kind kind, std::string_view help, auto&& value_of) {
    out.family(name, kind, help);
    for (const auto& [name_of, topic] : topics) {
      const auto value = value_of(topic);
      if (value) out.sample({{"topic", name_of}}, *value);
    }
  };
  using Count = std::optional<std::uint64_t>;
  each("recmeter_topic_partitions", Kind::gauge, "Partitions of the topic.",
       [](const TopicStatus& t) -> Count { return t.partitions; });
  each("recmeter_topic_idle_partitions", Kind::gauge, "Partitions of the topic that do not hold the watermark back.",
       [](const TopicStatus& t) -> Count { return t.idle; });
  each("recmeter_topic_lag_records", Kind::gauge, "Records of the topic not read yet; absent while nobody knows.",
       [](const TopicStatus& t) -> Count { return t.lag_records; });
  each("recmeter_topic_open_transaction_records", Kind::gauge, "Of them those behind open transactions.",
       [](const TopicStatus& t) -> Count { return t.in_open_transaction; });
  each("recmeter_topic_lag_seconds", Kind::gauge, "The largest of its partitions.",
       [](const TopicStatus& t) { return t.lag_seconds; });
  each("recmeter_topic_time_seconds", Kind::gauge, "Event time of the topic's newest event.",
       [](const TopicStatus& t) -> std::optional<double> {
         return t.max_time ? std::optional(static_cast<double>(t.max_time->ms) / 1000) : std::nullopt;
       });
  each("recmeter_topic_lost_records", Kind::counter, "Records of the topic that were gone before they were read.",
       [](const TopicStatus& t) -> Count { return t.records_lost; });
  out.family("recmeter_topic_events", Kind::counter, "Events of the topic by their fate.");
  for (const auto& [name, topic] : topics) write_fates(out, {{"topic", name}}, topic.events, !status.report.lanes.empty());
}

// Each reason is there, so that one that comes is seen to come.
void write_obstacles(Exposition& out, const LiveSnapshot& snapshot) {
  const std::vector<Obstacle> found = obstacles(snapshot);
  out.family("recmeter_not_ready", Kind::gauge, "1: it is not ready for this reason.");
  for (std::size_t i = 0; i < obstacle_names.size(); ++i) {
    const bool is = std::find(found.begin(), found.end(), static_cast<Obstacle>(i)) != found.end();
    out.sample({{"reason", std::string(obstacle_names[i])}}, std::uint64_t{is ? 1U : 0U});
  }
}

void write_registries(Exposition& out, const RunStatus& status) {
  if (status.registries.empty()) return;
  const auto each = [&](std::string_view name, std::string_view help, auto value) {
    out.family(name, Kind::gauge, help);
    for (const RegistryStatus& registry : status.registries) out.sample({{"registry", registry.url}}, value(registry));
  };
  each("recmeter_registry_up", "1: the schema registry answers, or was not asked.",
       [](const RegistryStatus& registry) { return std::uint64_t{registry.is_up ? 1U : 0U}; });
  each("recmeter_registry_asked", "Schemas that the registry is asked for; records that name them wait.",
       [](const RegistryStatus& registry) { return registry.asked; });
  each("recmeter_registry_unknown", "Ids that the registry does not know, of those asked for lately.",
       [](const RegistryStatus& registry) { return registry.unknown; });
}

void write_lost_files(Exposition& out, const std::vector<LostFiles>& lost) {
  if (lost.empty()) return;
  out.family("recmeter_files_lost", Kind::counter, "Files of rows or dead letters that others moved, deleted or cut.");
  for (const LostFiles& file : lost) out.sample({{"file", file.setting}}, file.count);
  out.family("recmeter_files_lost_last_row", Kind::gauge, "Number of the last row in the newest of them.");
  for (const LostFiles& file : lost) {
    if (file.last_row) out.sample({{"file", file.setting}}, *file.last_row);
  }
}

// There from the first request on, so that alerts see a run that waits before it has a state.
void write_standing(Exposition& out, const LiveSnapshot& snapshot) {
  const auto flag = [&](std::string_view name, std::string_view help, bool is) {
    out.single(name, Kind::gauge, help, std::uint64_t{is ? 1U : 0U});
  };
  const auto& status = snapshot.status;
  flag("recmeter_ready", "1: events are read and rows published.", is_ready(snapshot));
  flag("recmeter_opening", "1: the state is not open yet.", snapshot.is_opening);
  flag("recmeter_restoring", "1: the state is being read again, rows come when that is done.",
       status && status->restored_to.has_value());
  const auto found = obstacles(snapshot);
  const auto is_found = [&](Obstacle obstacle) { return std::find(found.begin(), found.end(), obstacle) != found.end(); };
  flag("recmeter_held", "1: not all partitions are this member's, though brokers answer; nothing is read.",
       is_found(Obstacle::group));
  flag("recmeter_disk_guard", "1: a disk is nearly full, nothing is read.", is_found(Obstacle::disk));
}

// Counts are not there before the run has them: a counter that falls to 0 and comes back would count all of it again.
void write_run(Exposition& out, const RunStatus& status) {
  if (status.brokers_reachable) {
    out.single("recmeter_brokers_reachable", Kind::gauge, "Brokers that are connected and answer; 0: nothing is read.",
               std::uint64_t{*status.brokers_reachable});
  }
  write_time(out, "recmeter_watermark_timestamp_seconds", "Event time before which all is evaluated.", status.watermark);
  out.single("recmeter_rows_waiting", Kind::gauge, "Final rows of windows that are not known to be published.",
             status.rows_waiting);
  out.single("recmeter_looks", Kind::counter, "Rows of experiments made to be published.", status.looks);
  out.single("recmeter_looks_waiting", Kind::gauge, "Rows of experiments that are not known to be published.",
             status.looks_waiting);
  out.single("recmeter_dead_letters_waiting", Kind::gauge, "Dead letters that are not delivered yet.",
             std::uint64_t{status.letters_under_way});
  out.single("recmeter_publish_errors", Kind::counter, "Times that a place of rows refused them or could not be reached.",
             status.publish_errors);
  write_lost_files(out, status.files_lost);
  out.histogram("recmeter_row_latency_seconds",
                "How long after its end and horizon a final row was kept, ready to be published.", status.row_latency);
  out.histogram("recmeter_checkpoint_duration_seconds", "What writing the state took.", status.checkpoint_time);
  write_time(out, "recmeter_last_checkpoint_timestamp_seconds", "When the state was written last.", status.last_checkpoint);
  write_time(out, "recmeter_last_gap_timestamp_seconds", "When records were found to be gone before they were read.",
             status.last_gap);
  write_counts(out, status.report);
  write_partitions(out, status);
  write_topics(out, status);
  write_registries(out, status);
}

void write_server(Exposition& out, const http::ServerCounts& server) {
  out.single("recmeter_http_connections", Kind::gauge, "Connections of HTTP clients.", server.connections_now);
  out.single("recmeter_http_refused_connections", Kind::counter, "Connections beyond a limit.", server.connections_refused);
  out.family("recmeter_http_responses", Kind::counter, "Responses by class of status.");
  for (std::size_t c = 1; c < server.responses.size(); ++c) {
    out.sample({{"code", std::to_string(c) + "xx"}}, server.responses[c]);
  }
  out.single("recmeter_http_streams", Kind::gauge, "Clients of the stream.", server.streams_now);
  out.single("recmeter_http_stream_gaps", Kind::counter, "Times a client of the stream lost rows.", server.gaps);
}

// By the names that Prometheus' client libraries give.
void write_process(Exposition& out, const ProcessFacts& process) {
  const auto one = [&](std::string_view name, Kind kind, std::string_view help, const std::optional<double>& value) {
    if (!value) return;
    out.single(name, kind, help, *value);
  };
  one("process_cpu_seconds", Kind::counter, "Total user and system CPU time spent in seconds.", process.cpu_seconds);
  one("process_resident_memory_bytes", Kind::gauge, "Resident memory size in bytes.", process.resident_bytes);
  one("process_virtual_memory_bytes", Kind::gauge, "Virtual memory size in bytes.", process.virtual_bytes);
  one("process_open_fds", Kind::gauge, "Number of open file descriptors.", process.open_files);
  one("process_max_fds", Kind::gauge, "Maximum number of open file descriptors.", process.open_files_max);
  one("process_start_time_seconds", Kind::gauge, "Start time of the process since unix epoch in seconds.",
      process.start_seconds);
}

}  // namespace

std::string metrics_page(const PublishedSchema& schema, const LiveSnapshot& snapshot, const MetricsPageFacts& facts,
                         ExpositionFormat format) {
  Exposition out(format);
  out.family("recmeter_build_info", Kind::gauge, "Which recmeter this is.");
  out.sample({{"version", schema.version}, {"evaluator", schema.name}}, std::uint64_t{1});
  write_obstacles(out, snapshot);
  write_standing(out, snapshot);
  if (snapshot.status) write_run(out, *snapshot.status);
  if (facts.state_bytes) {
    out.single("recmeter_state_bytes", Kind::gauge, "What the state takes on disk.", *facts.state_bytes);
  }
  if (facts.server) write_server(out, *facts.server);
  if (facts.process) write_process(out, *facts.process);
  write_rows(out, schema, snapshot, facts.series_max);
  write_experiments(out, *snapshot.experiments);
  return out.take();
}

namespace {

// What the run says of itself, after "recmeter_".
constexpr std::array own_names{"build_info",
                               "ready",
                               "opening",
                               "restoring",
                               "held",
                               "disk_guard",
                               "watermark_timestamp_seconds",
                               "rows_waiting",
                               "looks",
                               "looks_waiting",
                               "not_ready",
                               "brokers_reachable",
                               "registry_up",
                               "registry_asked",
                               "registry_unknown",
                               "publish_errors",
                               "files_lost",
                               "files_lost_last_row",
                               "row_latency_seconds",
                               "checkpoint_duration_seconds",
                               "dead_letters_waiting",
                               "last_checkpoint_timestamp_seconds",
                               "last_gap_timestamp_seconds",
                               "events",
                               "events_undecided",
                               "late_after_idle_events",
                               "future_by_clock_events",
                               "invalid_events",
                               "duplicate_events",
                               "feedback",
                               "feedback_pending",
                               "lists",
                               "rows",
                               "partition_lag_records",
                               "partition_lag_seconds",
                               "partition_open_transaction_records",
                               "lost_records",
                               "partition_time_seconds",
                               "partition_idle",
                               "topic_partitions",
                               "topic_idle_partitions",
                               "topic_lag_records",
                               "topic_lag_seconds",
                               "topic_open_transaction_records",
                               "topic_time_seconds",
                               "topic_lost_records",
                               "topic_events",
                               "state_bytes",
                               "http_connections",
                               "http_refused_connections",
                               "http_responses",
                               "http_streams",
                               "http_stream_gaps",
                               "experiment_value",
                               "experiment_low",
                               "experiment_high",
                               "experiment_log_e",
                               "experiment_users",
                               "experiment_verdict",
                               "window_lists",
                               "window_matured",
                               "window_incomplete",
                               "window_end_timestamp_seconds",
                               "series_capped"};

}  // namespace

Result<void> check_metric_names(const PublishedSchema& schema) {
  std::map<std::string, std::string> names;  // of the page, and what they are of
  for (const char* own : own_names) {
    names[own] = "recmeter's own figures";
  }
  std::set<std::string> bases;
  for (const PlannedMetric& metric : schema.metrics) {
    if (!bases.insert(base_of(metric.key)).second) continue;
    for (const Figure& figure : figures) {
      const std::string name = exposition_name(base_of(metric.key)) + std::string(figure.suffix);
      const auto [at, is_new] = names.try_emplace(name, metric.key);
      if (is_new) continue;
      return failure(Errc::config_invalid, "metrics.names: " + metric.key + " would be recmeter_" + name +
                                               " for Prometheus, as " + at->second + "; give it another name with `as`");
    }
  }
  std::map<std::string, std::string> labels;
  for (const PublishedSchema::Combination& combination : schema.combinations) {
    for (const std::string& key : combination.keys) {
      const auto [at, is_new] = labels.try_emplace(exposition_name(key), key);
      if (is_new || at->second == key) continue;
      return failure(Errc::config_invalid, "segments: the keys " + at->second + " and " + key +
                                               " would both be the label segment_" + at->first +
                                               " for Prometheus; rename one in the events, or read it by another path");
    }
  }
  return {};
}

}  // namespace recmeter
