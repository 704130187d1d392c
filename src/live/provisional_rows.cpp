#include "live/provisional_rows.h"

#include <algorithm>
#include <utility>

#include "recmeter/event/join_key.h"

namespace recmeter {

namespace {

JoinerOptions joiner_options(const EvaluatorPlan& plan, std::size_t missing_lists_max, std::pmr::memory_resource* memory) {
  return {.needs_missed = plan.metrics.needs(ListPart::missed) && plan.spec->join.key.by == JoinKey::By::user,
          .needs_feedback = plan.metrics.needs(ListPart::feedback),
          .needs_retests = plan.metrics.needs(ListPart::retests),
          .needs_scores = plan.metrics.needs(ListPart::scores),
          .asked_actions = plan.metrics.asked_actions(),
          .tells_changes = true,
          .missing_lists_max = missing_lists_max,
          .labels_per_list = plan.row_labels(),  // looks are never provisional
          .list_items_max = plan.spec->limits.list_items,
          .id_bytes_max = plan.spec->limits.id_bytes,
          .memory = memory};
}

// The one window that starts there.
WindowSpec only(const WindowSpec& window, EventTime start) {
  return {.name = window.name, .size = window.size, .slide = window.size, .offset = Duration{start.ms % window.size.ms}};
}

}  // namespace

// A list's score, kept.
struct ProvisionalRows::Counted {
  Counted(const ScoredList& score, std::span<const AssignedFeedback> of_actions)
      : length(score.length),
        hits(score.hits.begin(), score.hits.end()),
        missed(score.missed.begin(), score.missed.end()),
        missed_items(score.missed_items),
        ratings(score.ratings.begin(), score.ratings.end()),
        judged(score.judged.begin(), score.judged.end()),
        retests(score.retests.begin(), score.retests.end()),
        credited(score.credited),
        credited_with_score(score.credited_with_score),
        feedback(of_actions.begin(), of_actions.end()) {
    for (const ActionPart& part : score.by_action) {
      KeptAction& kept = actions.emplace_back(KeptAction{.part = part,
                                                         .hits = {part.hits.begin(), part.hits.end()},
                                                         .missed = {part.missed.begin(), part.missed.end()},
                                                         .worth = {part.worth.begin(), part.worth.end()}});
      kept.part.hits = {};  // what they are views of goes
      kept.part.missed = {};
      kept.part.worth = {};
    }
  }

  // `parts`: where the actions of the score are put; outlives it.
  [[nodiscard]] ScoredList score(std::vector<ActionPart>& parts) const {
    parts.clear();
    for (const KeptAction& action : actions) {
      ActionPart& part = parts.emplace_back(action.part);
      part.hits = action.hits;
      part.missed = action.missed;
      part.worth = action.worth;
    }
    return {.length = length,
            .hits = hits,
            .missed = missed,
            .missed_items = missed_items,
            .ratings = ratings,
            .judged = judged,
            .credited = credited,
            .credited_with_score = credited_with_score,
            .retests = retests,
            .by_action = parts};
  }

  struct KeptAction {
    ActionPart part;  // but for what it is a view of
    std::vector<Hit> hits;
    std::vector<GradeCount> missed;
    std::vector<Hit> worth;
  };

  std::uint32_t length;
  std::vector<Hit> hits;
  std::vector<GradeCount> missed;
  std::uint64_t missed_items;
  std::vector<Rating> ratings;
  std::vector<std::uint32_t> judged;
  std::vector<Retest> retests;
  std::uint64_t credited;
  std::uint64_t credited_with_score;
  std::vector<KeptAction> actions;
  std::vector<AssignedFeedback> feedback;
};

namespace {

bool is_zero(const ScoredList& score, std::span<const AssignedFeedback> feedback) {
  const auto is_untouched = [](const ActionPart& part) { return part.hits.empty() && part.missed_items == 0; };
  return score.hits.empty() && score.missed_items == 0 && score.judged.empty() &&
         std::all_of(score.by_action.begin(), score.by_action.end(), is_untouched) &&
         std::all_of(feedback.begin(), feedback.end(), [](const auto& f) { return f.credited + f.repeated == 0; });
}

// The list before anybody did anything. `parts`: where its actions are put; outlives it.
ScoredList with_nothing_done(const ScoredList& score, std::vector<ActionPart>& parts) {
  parts.clear();
  for (const ActionPart& part : score.by_action) parts.push_back({.reach_ms = part.reach_ms, .first_ms = part.reach_ms});
  return {.length = score.length, .by_action = parts};
}

}  // namespace

ProvisionalRows::ProvisionalRows(const EvaluatorPlan& plan, std::size_t missing_lists_max, std::pmr::memory_resource* memory)
    : plan_(plan),
      rule_(plan.spec->join),
      row_maker_(plan),
      buffer_(ReorderBuffer::bucket_for(plan.lateness_max), plan.actions),
      segmenter_(plan.spec->segments),
      joiner_(rule_, joiner_options(plan, missing_lists_max, memory), *this),
      cells_(plan, segmenter_),
      popularity_(plan.metrics.needs(ListPart::popularity) ? std::optional<PopularityTable>(plan.spec->metrics.popularity)
                                                           : std::nullopt),
      known_(plan, {.table = popularity_ ? &*popularity_ : nullptr, .number_of = &number_of_}),
      repeated_(rule_),
      fresh_(rule_.horizons.size()),
      counted_(rule_.horizons.size()),
      withdrawn_(rule_.horizons.size()) {}

ProvisionalRows::~ProvisionalRows() = default;

void ProvisionalRows::advance(EventTime t, EventTime w) {
  w_ = std::max(w_, w);
  t = std::max({t, t_, w_});
  buffer_.release_before(t, [this](const EventBatch& batch, const Event& event,
                                   std::span<const ReorderBuffer::Pending> rest) { take_in(batch, event, rest); });
  for (ActingChange& change : known_.advance(t)) popularity_->add(change);
  learn_items();
  if (popularity_) popularity_->advance(t, t_ - rule_.longest_horizon() - rule_.skew);
  t_ = t;
  joiner_.advance(t);
  forget(w_);
}

void ProvisionalRows::take_in(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest) {
  Event taken = event;
  taken.ts = std::max(event.ts, t_);
  if (event.kind != EventKind::feedback) {
    joiner_.add_impression(batch, taken);
  } else if (!repeated_.duplicate(batch, event, rest)) {
    const bool is_relevant = joiner_.add_feedback(batch, taken);
    known_.add_act(batch, taken, is_relevant, joiner_.items());
  }
}

void ProvisionalRows::learn_items() {
  const auto& catalog = plan_.spec->catalog;
  for (const Interner::Id id : joiner_.items().take_new()) {
    const std::string_view text = joiner_.items().text(id);
    known_.learn(id, text);
    while (popularity_ && number_of_.size() <= id) number_of_.push_back(static_cast<std::uint32_t>(number_of_.size()));
    if (!catalog || catalog->items.empty()) continue;
    if (catalog->items.contains(std::string(text))) {
      in_catalog_.insert(id);
    } else {
      in_catalog_.erase(id);
    }
  }
}

void ProvisionalRows::label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
                            std::span<const std::uint32_t> /*before*/) {
  segmenter_.label(batch, opening, labels.first(plan_.spec->segments.size()));
  plan_.label_latency(batch, opening, labels);
}

void ProvisionalRows::shown(const ListView& list) {
  newest_ = std::max(newest_, list.ts);
  cells_.add_shown(list);
  for (auto& fresh : fresh_) fresh.insert(list.number);
  changed_.push_back(list.number);
}

// Either because it is looked at, or because its horizon has passed and nothing will change any more.
void ProvisionalRows::scored(const ListView& list, HorizonIndex horizon_index, const ScoredList& score,
                             std::span<const AssignedFeedback> feedback) {
  const std::size_t horizon = index_of(horizon_index);
  const bool matures = !is_looking_;
  const ListOwner owner = cells_.owner_of(list);
  auto& counted = counted_[horizon];
  const auto before = counted.find(list.number);
  const bool is_zero_now = is_zero(score, feedback);
  if (is_withdrawing_ && fresh_[horizon].contains(list.number)) return;
  if (fresh_[horizon].erase(list.number) > 0) {
    is_.assign(plan_.metrics, known_.complete(list, score, joiner_.items()));
    cells_.for_each_sums(list, horizon, [&](PaneSums& cell) { cell.add(owner, is_, feedback, matures); });
    if (!matures && !is_zero_now) counted.emplace(list.number, Counted(score, feedback));
    return;
  }
  const bool was_withdrawn = withdrawn_[horizon].erase(list.number) > 0;
  if (was_withdrawn || is_withdrawing_ || before != counted.end() || !is_zero_now) {
    const bool was_zero = before == counted.end();
    std::vector<ActionPart> parts;
    const ScoredList old = was_zero ? with_nothing_done(score, parts) : before->second.score(parts);
    was_.assign(plan_.metrics, known_.complete(list, old, joiner_.items()));
    is_.assign(plan_.metrics, known_.complete(list, score, joiner_.items()));
    if (was_withdrawn) was_.clear();
    if (is_withdrawing_) is_.clear();
    const std::span<const AssignedFeedback> none;
    const std::span<const AssignedFeedback> feedback_was = was_zero ? none : before->second.feedback;
    const std::span<const AssignedFeedback> feedback_is = is_withdrawing_ ? none : feedback;
    cells_.for_each_sums(list, horizon, [&](PaneSums& cell) { cell.correct(owner, was_, feedback_was, is_, feedback_is); });
  }
  if (is_withdrawing_) {
    withdrawn_[horizon].insert(list.number);
    if (before != counted.end()) counted.erase(before);
    return;
  }
  if (matures) cells_.for_each_sums(list, horizon, [](PaneSums& cell) { cell.mature(); });
  if (before != counted.end()) counted.erase(before);
  if (!matures && !is_zero_now) counted.emplace(list.number, Counted(score, feedback));
}

// What it counted is taken back, so that it counts anew with all its items.
void ProvisionalRows::growing(const ListView& list) {
  is_looking_ = is_withdrawing_ = true;
  joiner_.look(list.number);
  is_looking_ = is_withdrawing_ = false;
}

void ProvisionalRows::grown(const ListView& list, std::span<const Interner::Id> added) {
  ListView of_added = list;
  of_added.items = added;
  cells_.add_shown(of_added, false);
  changed_.push_back(list.number);
}

// In the order of time, in which cells are found fast.
void ProvisionalRows::look_at_changed() {
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  is_looking_ = true;
  for (const ListNumber list : changed_) joiner_.look(list);
  is_looking_ = false;
  changed_.clear();
}

void ProvisionalRows::forget(EventTime w) {
  if (w < next_forget_ || w == plus_infinity) return;
  const Duration of_panes = plan_.longest_window() + rule_.longest_horizon() + rule_.skew + rule_.assemble;
  next_forget_ = w + std::max(Duration{1000}, Duration{of_panes.ms / 16});
  for (std::size_t g = 0; g < plan_.grids.grids().size(); ++g) {
    const EventTime end = w - of_panes - plan_.grids.grids()[g].width;
    ListCells::Panes<Exposure> exposure;
    cells_.take_exposure(g, end, exposure);
    for (std::size_t h = 0; h < rule_.horizons.size(); ++h) {
      ListCells::Panes<PaneSums> sums;
      cells_.take_sums(g, h, end, sums);
    }
  }
  std::erase_if(given_, [&](const auto& entry) {
    const WindowAt& at = entry.first;
    return at.start + plan_.spec->windows[at.window].size + rule_.horizons[at.horizon] + rule_.skew <= w;
  });
  const Duration memory = plan_.item_memory(joiner_.memory()) + of_panes;
  for (const Interner::Id id : joiner_.items().forget_before(w - memory)) {
    if (popularity_) popularity_->forget(id);
  }
  if (segmenter_.forget_before(w - memory)) cells_.forget_labels();
}

std::vector<SharedRow> ProvisionalRows::rows(std::uint64_t revision, const LogStart& log_start, bool all) {
  look_at_changed();
  std::vector<SharedRow> rows;
  for (std::size_t w = 0; w < plan_.spec->windows.size(); ++w) {
    const std::vector<EventTime> starts = this->starts(plan_.spec->windows[w]);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      add_rows(w, starts[i], all || i + 2 >= starts.size(), revision, log_start, rows);
    }
  }
  return rows;
}

// The windows of this name that are not final and hold a pane, up to the one that the newest list fills first; oldest first.
std::vector<EventTime> ProvisionalRows::starts(const WindowSpec& window) const {
  std::vector<EventTime> starts;
  if (newest_ == minus_infinity) return starts;
  const auto index = static_cast<std::size_t>(&window - plan_.spec->windows.data());
  const auto& panes = cells_.sums(plan_.grids.grid_of(index), 0);
  if (panes.empty()) return starts;
  const Duration longest = rule_.longest_horizon() + rule_.skew;
  for (EventTime start = pane_start(newest_, window.slide, window.offset) + window.slide - window.size;
       start + window.size > panes.begin()->first && start + window.size + longest > w_; start = start - window.slide) {
    starts.push_back(start);
  }
  std::reverse(starts.begin(), starts.end());
  return starts;
}

void ProvisionalRows::add_rows(std::size_t window, EventTime start, bool is_due, std::uint64_t revision,
                               const LogStart& log_start, std::vector<SharedRow>& rows) {
  const Duration size = plan_.spec->windows[window].size;
  std::map<std::size_t, std::optional<WindowExposure>> exposures;  // by combination; the same for every horizon
  for (std::size_t h = 0; h < rule_.horizons.size(); ++h) {
    if (start + size + rule_.horizons[h] + rule_.skew <= w_) continue;  // final
    const WindowAt at{.window = window, .start = start, .horizon = h};
    const int tenth = tenth_of(at);
    Given& given = given_[at];
    if (!is_due && tenth <= given.tenth) continue;
    given.tenth = tenth;
    for (std::size_t c = 0; c < plan_.bounds.size(); ++c) {
      if (h == 0 || !exposures.contains(c)) exposures[c] = exposure_of(window, start, c);
      add_rows_of(at, c, exposures[c] ? &*exposures[c] : nullptr, revision, log_start, rows);
    }
  }
}

namespace {

// visit(start, SegmentCells) for the panes within the window.
template <class Cell, class Visit>
void for_each_pane(const ListCells::Panes<Cell>& panes, EventTime start, Duration size, std::size_t combination,
                   Visit&& visit) {
  for (auto pane = panes.lower_bound(start); pane != panes.end() && pane->first < start + size; ++pane) {
    visit(pane->first, pane->second.combinations[combination]);
  }
}

}  // namespace

// Of the whole: how many tenths of its lists have matured.
int ProvisionalRows::tenth_of(const WindowAt& at) const {
  std::uint64_t lists = 0;
  std::uint64_t unmatured = 0;
  const auto& panes = cells_.sums(plan_.grids.grid_of(at.window), at.horizon);
  for_each_pane(panes, at.start, plan_.spec->windows[at.window].size, 0, [&](EventTime, const SegmentCells<PaneSums>& cells) {
    for (const auto& [values, sums] : cells.own()) {
      lists += sums.lists();
      unmatured += sums.unmatured();
    }
  });
  return lists == 0 ? 0 : static_cast<int>((lists - unmatured) * 10 / lists);
}

std::optional<WindowExposure> ProvisionalRows::exposure_of(std::size_t window, EventTime start,
                                                           std::size_t combination) const {
  if (!plan_.wants_exposure()) return std::nullopt;
  const WindowSpec& spec = plan_.spec->windows[window];
  auto alone = plan_.exposure_window(only(spec, start), combination, in_catalog_);
  for_each_pane(cells_.exposure(plan_.grids.grid_of(window)), start, spec.size, combination,
                [&](EventTime pane, const SegmentCells<Exposure>& cells) { alone.add(pane, SegmentCells<Exposure>(cells)); });
  std::optional<WindowExposure> exposure;
  alone.advance(start + spec.size, [&](EventTime, auto segments) { exposure = snapshot_of(segments); });
  return exposure;
}

void ProvisionalRows::add_rows_of(const WindowAt& at, std::size_t combination, const WindowExposure* exposure,
                                  std::uint64_t revision, const LogStart& log_start, std::vector<SharedRow>& rows) {
  const WindowSpec& window = plan_.spec->windows[at.window];
  auto alone = plan_.sums_window(only(window, at.start), combination);
  for_each_pane(cells_.sums(plan_.grids.grid_of(at.window), at.horizon), at.start, window.size, combination,
                [&](EventTime pane, const SegmentCells<PaneSums>& cells) { alone.add(pane, SegmentCells<PaneSums>(cells)); });
  alone.advance(at.start + window.size, [&](EventTime, auto segments) {
    for (const auto& segment : segments) {
      Row row = row_maker_.make({.window = at.window,
                                 .combination = combination,
                                 .horizon = at.horizon,
                                 .start = at.start,
                                 .end = at.start + window.size,
                                 .stage = Stage::provisional},
                                segment, exposure, log_start);
      row.revision = revision;
      SharedRow rendered = render(std::move(row));
      const std::uint64_t hash = hash_id(std::string_view(rendered->json).substr(rendered->facts_at));
      const auto [given, is_new] = given_[at].hashes.try_emplace(rendered->key, hash);
      if (!is_new && std::exchange(given->second, hash) == hash) continue;
      rows.push_back(std::move(rendered));
    }
  });
}

}  // namespace recmeter
