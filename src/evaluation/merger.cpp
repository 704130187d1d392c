#include "recmeter/evaluation/merger.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

#include "recmeter/base/check.h"

namespace recmeter {

Merger::Merger(const EvaluatorPlan& plan, std::size_t shards, Range range, bool keeps_panes)
    : plan_(plan),
      row_maker_(plan),
      range_(range),
      shards_(shards),
      sealed_(shards + (keeps_panes ? 1 : 0)),
      forgotten_(sealed_.size()),
      is_keeping_(keeps_panes),
      number_of_(sealed_.size()) {
  RECMETER_CHECK(!keeps_panes || plan.can_keep_panes(), "kept panes are all that windows need");
  const EvaluatorSpec& spec = *plan.spec;
  if (plan.metrics.needs(ListPart::popularity)) popularity_.emplace(spec.metrics.popularity);
  for (std::size_t w = 0; w < spec.windows.size(); ++w) {
    for (std::size_t c = 0; c < plan.bounds.size(); ++c) add_series(w, c);
  }
}

void Merger::add_series(std::size_t window, std::size_t combination) {
  const EvaluatorSpec& spec = *plan_.spec;
  Series& series = series_.emplace_back(Series{.window = window,
                                               .combination = combination,
                                               .spec = &spec.windows[window],
                                               .sums = {},
                                               .exposure = {},
                                               .waiting = {},
                                               .due = {}});
  for (std::size_t h = 0; h < spec.join.horizons.size(); ++h) {
    series.sums.push_back(plan_.sums_window(*series.spec, combination));
  }
  if (plan_.wants_exposure()) series.exposure = plan_.exposure_window(*series.spec, combination, in_catalog_);
}

void Merger::collect(std::size_t shard, ShardOutput&& output) {
  learn(shard, output.new_items);
  if (output.whole) {
    if (!whole_) whole_ = output.whole;
    whole_ = TimeSpan{std::min(whole_->from, output.whole->from), std::max(whole_->to, output.whole->to)};
  }
  for (ActingChange& change : output.acting) {
    if (change.item != Interner::none) change.item = number_of_[shard][change.item];
    popularity_->add(change);
  }
  if (!output.sums.empty()) {
    RECMETER_CHECK(sealed_[shard].sums.empty(), "what was sealed goes to the windows before the next is");
    sealed_[shard] = {.exposure = std::move(output.exposure), .sums = std::move(output.sums)};
  }
  auto& forgotten = forgotten_[shard];
  forgotten.insert(forgotten.end(), output.forgotten_items.begin(), output.forgotten_items.end());
}

void Merger::settled(EventTime w, EventTime advanced) {
  if (!popularity_) return;
  const JoinRule& join = plan_.spec->join;
  popularity_->advance(w, advanced - join.longest_horizon() - join.skew);
}

PopularityView Merger::popularity(std::size_t shard) const {
  return {.table = popularity_ ? &*popularity_ : nullptr, .number_of = &number_of_[shard]};
}

void Merger::learn(std::size_t shard, const std::vector<ShardOutput::NewItem>& items) {
  auto& number_of = number_of_[shard];
  for (const ShardOutput::NewItem& item : items) {
    const Interner::Id number = items_.intern(item.text, EventTime{0});
    if (number >= users_.size()) users_.resize(number + 1, 0);
    if (users_[number]++ == 0 && plan_.spec->catalog) {
      if (plan_.spec->catalog->items.contains(item.text)) {
        in_catalog_.insert(number);
      } else {
        in_catalog_.erase(number);
      }
    }
    if (item.id >= number_of.size()) number_of.resize(item.id + 1, Interner::none);
    number_of[item.id] = number;
  }
  static_cast<void>(items_.take_new());
}

void Merger::unlearn(std::size_t shard, const std::vector<Interner::Id>& items) {
  for (const Interner::Id id : items) {
    const Interner::Id number = number_of_[shard][id];
    RECMETER_CHECK(users_[number] > 0, "an item that no shard knows is forgotten");
    if (--users_[number] > 0) continue;
    items_.forget(number);
    if (popularity_) popularity_->forget(number);
  }
}

namespace {

template <class Cell, class Visit>
void for_each_cell(std::map<EventTime, SegmentPanes<Cell>>& panes, Visit&& visit) {
  for (auto& [start, pane] : panes) {
    for (SegmentCells<Cell>& cells : pane.combinations) {
      cells.for_each([&, at = start](Cell& cell) { visit(at, cell); });
    }
  }
}

}  // namespace

// What windows then merge: items have the numbers they have here, and what nobody changes any more can be shared. Touches
// what is the shard's. Its users are its own where events are dealt by user; a list of nobody counts as a user with the
// list's id, by which it is dealt. Those of restored panes may be any shard's, until no window holds such a pane.
void Merger::prepare(std::size_t shard) {
  Sealed& sealed = sealed_[shard];
  const std::span<const std::uint32_t> number_of = number_of_[shard];
  const bool owns_users = plan_.spec->join.key.by == JoinKey::By::user;
  const auto users_at = [&](EventTime start) {
    const bool are_own = owns_users && shard < shards_ && start >= users_are_dealt_from_;
    return are_own ? static_cast<UserDomain>(shard + 1) : any_domain;
  };
  for (auto& panes : sealed.exposure) {
    for_each_cell(panes, [number_of](EventTime, Exposure& cell) { cell = cell.translated(number_of); });
  }
  for (auto& horizons : sealed.sums) {
    for (auto& panes : horizons) {
      for_each_cell(panes, [&](EventTime start, PaneSums& cell) { cell.seal(users_at(start)); });
    }
  }
}

// Merges the cells of the series in the panes of all shards, as `of(shard)` has them, and gives them to `to`.
template <class Cell, class To, class Of>
void Merger::add_panes(const Series& series, To& to, Of&& of) {
  const std::size_t grid = plan_.grids.grid_of(series.window);
  std::size_t windows = 0;  // that want the same panes
  for (std::size_t w = 0; w < plan_.spec->windows.size(); ++w) windows += plan_.grids.grid_of(w) == grid ? 1U : 0U;
  std::map<EventTime, SegmentCells<Cell>> merged;
  for (Sealed& sealed : sealed_) {
    if (sealed.sums.empty()) continue;
    for (auto& [start, panes] : of(sealed, grid)) {
      SegmentCells<Cell>& cells = panes.combinations[series.combination];
      merged[start].merge(windows > 1 ? SegmentCells<Cell>(cells) : std::move(cells), plan_.bounds[series.combination]);
    }
  }
  for (auto& [start, cells] : merged) to.add(start, std::move(cells));
}

// Touches what is the series' own, and its cells in what shards have sealed.
void Merger::add_panes(Series& series) {
  if (series.exposure) {
    add_panes<Exposure>(series, *series.exposure,
                        [](Sealed& sealed, std::size_t grid) -> auto& { return sealed.exposure[grid]; });
  }
  for (std::size_t h = 0; h < series.sums.size(); ++h) {
    add_panes<PaneSums>(series, series.sums[h],
                        [h](Sealed& sealed, std::size_t grid) -> auto& { return sealed.sums[grid][h]; });
  }
}

// Touches what is the series' own.
void Merger::advance(Series& series, EventTime w, EventTime log_end, const LogStart& log_start) const {
  const JoinRule& join = plan_.spec->join;
  if (series.exposure) {
    series.exposure->advance(w - join.assemble, [&](EventTime start, auto segments) {
      if (start + series.spec->size + join.longest_horizon() <= made_to_) return;
      series.waiting.emplace(start, snapshot_of(segments));
    });
  }
  for (std::size_t h = 0; h < join.horizons.size(); ++h) {
    series.sums[h].advance(w - join.horizons[h] - join.skew, [&](EventTime start, auto segments) {
      make_rows(series, h, start, segments, log_end, log_start);
    });
  }
  // Windows whose rows have been made at the longest horizon too.
  const EventTime made = w - join.longest_horizon() - join.skew - series.spec->size;
  series.waiting.erase(series.waiting.begin(), series.waiting.upper_bound(made));
}

std::vector<Row> Merger::finish(EventTime w, EventTime log_end, const LogStart& log_start, Executor& executor) {
  std::vector<std::function<void()>> tasks;
  for (std::size_t shard = 0; shard < sealed_.size(); ++shard) {
    tasks.emplace_back([this, shard] { prepare(shard); });
  }
  executor.run(tasks);
  if (is_keeping_) keep_sealed(executor);
  tasks.clear();
  for (Series& series : series_) {
    tasks.emplace_back([this, &series, w, log_end, &log_start] {
      add_panes(series);
      advance(series, w, log_end, log_start);
    });
  }
  executor.run(tasks);
  for (Sealed& sealed : sealed_) sealed = {};
  for (std::size_t shard = 0; shard < forgotten_.size(); ++shard) {
    unlearn(shard, forgotten_[shard]);
    forgotten_[shard].clear();
  }
  std::vector<Due> all;
  for (Series& series : series_) {
    all.insert(all.end(), std::make_move_iterator(series.due.begin()), std::make_move_iterator(series.due.end()));
    series.due.clear();
  }
  // Rows of a series come in the order of their values already.
  std::stable_sort(all.begin(), all.end(), [](const Due& a, const Due& b) {
    return std::tie(a.at, a.window, a.start, a.horizon, a.combination) <
           std::tie(b.at, b.window, b.start, b.horizon, b.combination);
  });
  std::vector<Row> rows;
  rows.reserve(all.size());
  for (Due& due : all) rows.push_back(std::move(due.row));
  return rows;
}

void Merger::make_rows(Series& series, std::size_t horizon, EventTime start,
                       std::span<const SlidingWindow<RunningSums>::Segment> segments, EventTime log_end,
                       const LogStart& log_start) const {
  const JoinRule& join = plan_.spec->join;
  const bool is_whole = series.spec->is_whole();
  const EventTime end = is_whole ? whole_->to + Duration{1} : start + series.spec->size;
  if (!is_whole && (start < range_.from || end > range_.to || start >= range_.starts_before)) return;
  const EventTime at = end + join.horizons[horizon];
  if (at <= made_to_) return;
  const RowMaker::Of of{.window = series.window,
                        .combination = series.combination,
                        .horizon = horizon,
                        .start = is_whole ? whole_->from : start,
                        .end = end,
                        .stage = at + join.skew <= log_end ? Stage::final : Stage::truncated};
  const WindowExposure* exposure = nullptr;
  if (series.exposure) {
    const auto waiting = series.waiting.find(start);
    RECMETER_CHECK(waiting != series.waiting.end(), "a window's exposure is known before its rows are due");
    exposure = &waiting->second;
  }
  for (const SlidingWindow<RunningSums>::Segment& segment : segments) {
    Row row = row_maker_.make(of, segment, exposure, log_start);
    series.due.push_back({.at = at,
                          .window = series.window,
                          .start = of.start,
                          .horizon = horizon,
                          .combination = series.combination,
                          .row = std::move(row)});
  }
}

std::size_t Merger::sums_bytes() const {
  std::size_t bytes = 0;
  for (const Series& series : series_) {
    for (const auto& sums : series.sums) bytes += sums.memory_bytes();
  }
  return bytes;
}

std::size_t Merger::popularity_bytes() const {
  return popularity_ ? popularity_->memory_bytes() : 0;
}

std::size_t Merger::exposure_bytes() const {
  std::size_t bytes = 0;
  for (const Series& series : series_) {
    if (series.exposure) bytes += series.exposure->memory_bytes();
    for (const auto& [start, exposure] : series.waiting) bytes += memory_bytes(exposure);
  }
  return bytes;
}

}  // namespace recmeter
