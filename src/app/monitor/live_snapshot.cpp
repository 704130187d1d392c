#include "app/monitor/live_snapshot.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "recmeter/result/render.h"

namespace recmeter {

LiveSnapshotKeeper::LiveSnapshotKeeper(const PublishedSchema& schema, Duration keep) : schema_(schema), keep_(keep) {
  show();
}

void LiveSnapshotKeeper::take_opening(bool has_room) {
  has_changed_ = has_changed_ || !is_opening_ || has_room_ != has_room;
  is_opening_ = true;
  has_room_ = has_room;
}

void LiveSnapshotKeeper::take_opened(const std::vector<KeptSeries>& kept) {
  is_opening_ = false;
  has_room_ = true;
  told_.clear();
  for (const KeptSeries& one : kept) {
    series_.emplace(place_of(one.series.window, one.series.horizon, one.series.segment), Known{one.series, one.newest});
  }
  has_new_series_ = true;
  has_changed_ = true;
}

void LiveSnapshotKeeper::take_kept(SharedRow row) {
  newest_final_[place_of(row->row.window, row->row.horizon, row->row.segment)] = std::move(row);
  has_changed_ = true;
}

// What the configuration does not have any more comes last.
LiveSnapshotKeeper::Place LiveSnapshotKeeper::place_of(
    const std::string& window, Duration horizon, const std::vector<std::pair<std::string, std::string>>& segment) const {
  const auto index = [](const auto& of, const auto& is) {
    return static_cast<std::size_t>(std::find_if(of.begin(), of.end(), is) - of.begin());
  };
  std::vector<std::string> values;
  for (const auto& [key, value] : segment) values.push_back(value);
  const auto has_keys = [&](const PublishedSchema::Combination& one) {
    return std::equal(one.keys.begin(), one.keys.end(), segment.begin(), segment.end(),
                      [](const std::string& key, const auto& pair) { return key == pair.first; });
  };
  return {index(schema_.windows, [&](const WindowSpec& one) { return one.name == window; }),
          index(schema_.horizons, [&](Duration one) { return one == horizon; }), index(schema_.combinations, has_keys),
          std::move(values)};
}

bool LiveSnapshotKeeper::take(const SharedRow& shown) {
  const Row& row = shown->row;
  if (schema_.window(row.window) == nullptr) return false;
  Place place = place_of(row.window, row.horizon, row.segment);
  const auto open = open_.try_emplace({place, row.start.ms}).first;
  const bool was_final = open->second && open->second->row.stage == Stage::final;
  const bool may_change = !open->second || open->second->row.stage == Stage::provisional;
  if (row.stage == Stage::provisional && !may_change) return false;
  if (row.stage == Stage::final && !was_final) final_.push_back(open);
  open->second = shown;
  note_series(place, row);
  has_changed_ = true;
  if (row.stage == Stage::final) {
    auto& newest = newest_final_[std::move(place)];
    if (!newest || newest->row.start < row.start) newest = shown;
  }
  return true;
}

void LiveSnapshotKeeper::take(const SharedExperimentRow& row) {
  const auto configured = std::ranges::find(schema_.experiments, row->row.experiment, &PublishedSchema::Experiment::name);
  if (configured == schema_.experiments.end()) return;
  auto log = std::ranges::find(experiments_, configured->name, &ExperimentLog::name);
  if (log == experiments_.end()) {
    const auto place = [&](const ExperimentLog& one) {
      return std::ranges::find(schema_.experiments, one.name, &PublishedSchema::Experiment::name);
    };
    const auto at = std::ranges::find_if(experiments_, [&](const ExperimentLog& one) { return place(one) > configured; });
    log = experiments_.insert(at, {.name = configured->name, .key = configured->key, .rows = {}});
  }
  const auto at = std::ranges::lower_bound(log->rows, row->row.end, {}, [](const auto& one) { return one->row.end; });
  if (at != log->rows.end() && (*at)->row.end == row->row.end) {
    *at = row;
  } else {
    log->rows.insert(at, row);
  }
  has_new_look_ = true;
  has_changed_ = true;
}

void LiveSnapshotKeeper::take(const RunStatus& status) {
  status_ = status;
  has_changed_ = true;
  // A provisional row whose window is final by now has lost its lists since: there is no final row of it.
  std::erase_if(open_, [&](const auto& one) {
    const Row& row = one.second->row;
    return row.stage == Stage::provisional && row.end + row.horizon + schema_.final_after <= status.watermark;
  });
  if (status.watermark == minus_infinity || status.watermark == plus_infinity) return;
  std::erase_if(newest_final_, [&](const auto& one) { return is_over(one.second->row, status.watermark); });
  forget_series(status.watermark);
}

// Whether a later window is final too: then there were no lists in it, and the row is not of the newest one.
bool LiveSnapshotKeeper::is_over(const Row& row, EventTime watermark) const {
  const WindowSpec* window = schema_.window(row.window);
  return window == nullptr || row.end + window->slide + row.horizon + schema_.final_after <= watermark;
}

void LiveSnapshotKeeper::note_series(const Place& place, const Row& row) {
  const auto [at, is_new] = series_.try_emplace(place, Known{{row.window, row.horizon, row.segment}, row.start});
  at->second.newest = std::max(at->second.newest, row.start);
  has_new_series_ = has_new_series_ || is_new;
  if (series_.size() <= series_max) return;
  // A tenth at a time, so that each costs little; of those as new as each other the last.
  std::vector<std::map<Place, Known>::iterator> oldest;
  for (auto one = series_.end(); one != series_.begin();) oldest.push_back(--one);
  std::ranges::stable_sort(oldest, {}, [](const auto& one) { return one->second.newest; });
  oldest.resize(series_max / 10);
  for (const auto& one : oldest) series_.erase(one);
}

// What the kept results have dropped.
void LiveSnapshotKeeper::forget_series(EventTime watermark) {
  Duration longest{0};
  for (const WindowSpec& window : schema_.windows) longest = std::max(longest, window.size);
  const EventTime first = watermark - keep_ - longest - one_day;  // they are dropped by the day
  has_new_series_ = std::erase_if(series_, [&](const auto& one) { return one.second.newest < first; }) > 0 || has_new_series_;
}

void LiveSnapshotKeeper::kept() {
  for (const OpenRows::iterator at : final_before_) open_.erase(at);
  has_changed_ = has_changed_ || !final_before_.empty();
  final_before_ = std::exchange(final_, {});
}

std::vector<std::string> LiveSnapshotKeeper::reasons() const {
  std::vector<std::string> reasons;
  if (!status_ && told_.empty()) return {is_opening_ ? "the state is being opened" : "the run has not begun yet"};
  if (!status_) return {told_};
  // Without a broker nobody knows who holds what: the place in the group is lost for that alone.
  if (!status_->unreachable.empty())
    reasons.push_back(status_->unreachable);
  else if (!status_->refused.empty())
    reasons.push_back(status_->refused);
  else if (status_->is_held)
    reasons.push_back(told_.empty() ? "not all partitions of the topics are this member's" : told_);
  if (status_->restored_to) {
    reasons.push_back("the state is being read again" + (*status_->restored_to == minus_infinity
                                                             ? std::string()
                                                             : ": up to " + render_utc(*status_->restored_to) + " so far"));
  }
  if (!status_->has_room) reasons.emplace_back("a disk is nearly full: nothing is read until there is room");
  if (status_->letters_wait_since) {
    reasons.push_back(std::to_string(status_->letters_under_way) + " dead letters cannot be delivered: nothing is read");
  }
  if (!status_->publish_trouble.empty()) reasons.push_back("rows cannot be published: " + status_->publish_trouble);
  return reasons;
}

void LiveSnapshotKeeper::show() {
  if (!std::exchange(has_changed_, false)) return;
  auto snapshot = std::make_shared<LiveSnapshot>();
  snapshot->status = status_;
  snapshot->is_opening = is_opening_;
  snapshot->has_room = has_room_;
  snapshot->rows.reserve(open_.size());
  for (const auto& [place, row] : open_) snapshot->rows.push_back(row);
  for (const auto& [place, row] : newest_final_) snapshot->newest_final.push_back(row);
  snapshot->series = snapshot_.load() == nullptr ? snapshot->series : snapshot_.load()->series;
  if (std::exchange(has_new_series_, false)) {
    auto series = std::make_shared<std::vector<RowSeries>>();
    for (const auto& [place, known] : series_) series->push_back(known.series);
    snapshot->series = std::move(series);
  }
  snapshot->experiments = snapshot_.load() == nullptr ? snapshot->experiments : snapshot_.load()->experiments;
  if (std::exchange(has_new_look_, false)) {
    snapshot->experiments = std::make_shared<const std::vector<ExperimentLog>>(experiments_);
  }
  snapshot->reasons = reasons();
  snapshot_.store(std::move(snapshot));
}

}  // namespace recmeter
