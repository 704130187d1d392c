#include "app/monitor/board.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "recmeter/result/render.h"

namespace recmeter {

BoardKeeper::BoardKeeper(const Outline& outline, const std::vector<RowSeries>& kept) : outline_(outline) {
  for (const RowSeries& one : kept) series_.emplace(place_of(one.window, one.horizon, one.segment), one);
  show();
}

// What the configuration does not have any more comes last.
BoardKeeper::Place BoardKeeper::place_of(const std::string& window, Duration horizon,
                                         const std::vector<std::pair<std::string, std::string>>& segment) const {
  const auto index = [](const auto& of, const auto& is) {
    return static_cast<std::size_t>(std::find_if(of.begin(), of.end(), is) - of.begin());
  };
  std::vector<std::string> values;
  for (const auto& [key, value] : segment) values.push_back(value);
  const auto has_keys = [&](const Outline::Combination& one) {
    return std::equal(one.keys.begin(), one.keys.end(), segment.begin(), segment.end(),
                      [](const std::string& key, const auto& pair) { return key == pair.first; });
  };
  return {index(outline_.windows, [&](const WindowSpec& one) { return one.name == window; }),
          index(outline_.horizons, [&](Duration one) { return one == horizon; }), index(outline_.combinations, has_keys),
          std::move(values)};
}

std::shared_ptr<const ShownRow> BoardKeeper::take(const Row& row) {
  Place place = place_of(row.window, row.horizon, row.segment);
  const bool is_final = row.stage != Stage::provisional;
  Open& open = open_[{place, row.start.ms}];
  if (!is_final && open.row && open.row->row.stage != Stage::provisional) return nullptr;
  open.row = std::make_shared<const ShownRow>(ShownRow{row, render_json(row)});
  series_.try_emplace(place, RowSeries{row.window, row.horizon, row.segment});
  has_changed_ = true;
  if (is_final) {
    auto& newest = newest_final_[std::move(place)];
    if (!newest || newest->row.start < row.start) newest = open.row;
  }
  return open.row;
}

void BoardKeeper::take(const LiveStatus& status) {
  status_ = status;
  has_changed_ = true;
  // A provisional row whose window is final by now has lost its lists since: there is no final row of it.
  std::erase_if(open_, [&](const auto& one) {
    const Row& row = one.second.row->row;
    return row.stage == Stage::provisional && row.end + row.horizon + outline_.skew <= status.watermark;
  });
}

void BoardKeeper::kept() {
  for (auto at = open_.begin(); at != open_.end();) {
    const bool is_over = at->second.row->row.stage != Stage::provisional && --at->second.checkpoints_left == 0;
    has_changed_ = has_changed_ || is_over;
    at = is_over ? open_.erase(at) : std::next(at);
  }
}

std::vector<std::string> BoardKeeper::reasons() const {
  std::vector<std::string> reasons;
  if (!status_) return {"the run has not begun yet"};
  if (status_->is_held) reasons.push_back(told_.empty() ? "not all partitions of the topics are this member's" : told_);
  if (status_->restored_to) {
    reasons.push_back("the state is being read again" + (*status_->restored_to == minus_infinity
                                                             ? std::string()
                                                             : ": up to " + render_utc(*status_->restored_to) + " so far"));
  }
  if (!status_->has_room) reasons.emplace_back("a disk is nearly full: nothing is read until there is room");
  if (status_->letters_wait_since) {
    reasons.push_back(std::to_string(status_->letters_under_way) + " dead letters cannot be delivered: nothing is read");
  }
  return reasons;
}

void BoardKeeper::show() {
  if (!std::exchange(has_changed_, false)) return;
  auto board = std::make_shared<Board>();
  board->status = status_;
  board->rows.reserve(open_.size());
  for (const auto& [place, open] : open_) board->rows.push_back(open.row);
  for (const auto& [place, row] : newest_final_) board->newest_final.push_back(row);
  for (const auto& [place, one] : series_) board->series.push_back(one);
  board->reasons = reasons();
  board_.store(std::move(board));
}

}  // namespace recmeter
