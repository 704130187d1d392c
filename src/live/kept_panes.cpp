#include "recmeter/live/kept_panes.h"

#include <utility>

#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

namespace {

constexpr std::uint64_t pane_form = 1;  // of a pane's bytes, but for its cells, which say theirs

constexpr std::size_t pane_head_bytes = 1 + sizeof(std::uint64_t);  // of a key: kind and generation
constexpr std::size_t pane_key_bytes = pane_head_bytes + 4 * sizeof(std::uint64_t);

// All that bytes and numbers of grids and horizons depend on.
std::string meaning_of(const EvaluatorPlan& plan, std::string_view program) {
  ByteWriter to;
  to.add(pane_form);
  to.add_text(program);
  to.add_text(plan.spec->config_hash);
  for (const std::size_t count : {plan.metrics.columns(), plan.metrics.user_columns(), plan.metrics.buckets(),
                                  plan.exposure.cutoffs.size(), plan.bounds.size(), plan.teams.size()}) {
    to.add(count);
  }
  // Groups of another catalogue may be as many.
  if (plan.metrics.needs(ListPart::groups)) to.add_fixed(plan.spec->catalog->groups.hash);
  for (const Duration age : plan.spec->join.horizons) to.add_signed(age.ms);
  to.add_signed(plan.spec->join.skew.ms);
  to.add_signed(plan.spec->join.assemble.ms);
  for (const PaneGrid& grid : plan.grids.grids()) {
    to.add_signed(grid.width.ms);
    to.add_signed(grid.offset.ms);
  }
  return to.take();
}

std::uint64_t checksum_of(std::string_view key, std::string_view bytes) {
  return hash_id(key) ^ hash_id(bytes);
}

// Of a pane; nothing where it is damaged.
std::optional<std::string_view> bytes_in(std::string_view key, std::string_view value) {
  ByteReader from(value);
  const std::uint64_t checksum = from.fixed();
  if (key.size() != pane_key_bytes || from.has_failed()) return std::nullopt;
  const std::string_view bytes = value.substr(sizeof(std::uint64_t));
  return checksum == checksum_of(key, bytes) ? std::optional(bytes) : std::nullopt;
}

KeptPane::Key pane_of(std::string_view key) {
  const auto number = [key](std::size_t at) { return big_endian(key.substr(pane_head_bytes + at * sizeof(std::uint64_t))); };
  return {.sealed = EventTime{static_cast<std::int64_t>(number(0))},
          .grid = static_cast<std::size_t>(number(1)),
          .horizon = static_cast<std::size_t>(number(2)),
          .start = EventTime{static_cast<std::int64_t>(number(3))}};
}

std::string head_of(std::uint64_t generation) {
  return state_key::numbered(state_key::pane, generation);
}

}  // namespace

KeptPanes::KeptPanes(const EvaluatorPlan& plan, std::uint64_t generation, std::string_view program)
    : plan_(plan), generation_(generation), meaning_(meaning_of(plan, program)), next_(first_sealed_at(EventTime{0})) {}

Result<KeptPanes::Found> KeptPanes::open(const StateStore& store, std::uint64_t checkpoint) {
  Found found = Found::none;
  RecordSum there;  // as the head says
  KeptPaneReader trial(plan_);
  auto scanned =
      store.scan(head_of(generation_), head_of(generation_ + 1), [&](std::string_view key, std::string_view value) {
        if (key.size() == pane_head_bytes) {
          ByteReader from(value);
          const bool is_same = from.text() == meaning_ && from.number() == checkpoint;
          there = RecordSum::read(from);
          found = is_same && from.is_done() ? Found::whole : Found::other;
        } else if (found == Found::none) {
          found = Found::other;  // a run before had not made them all
        } else {
          const auto cells = bytes_in(key, value);
          if (!cells || !trial.read(pane_of(key), *cells)) found = Found::damaged;
          static_cast<void>(trial.take());
          count(key, value);
        }
        return found == Found::whole;
      });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (found == Found::whole && sum_ != there) found = Found::damaged;
  if (found != Found::whole) {
    sums_.clear();
    sum_ = {};
  }
  were_whole_ = found == Found::whole;
  are_sound_ = were_whole_ || found == Found::none;
  return found;
}

// A piece ends where the panes of one watermark do.
Result<KeptPanes::Piece> KeptPanes::read(const StateStore& store, std::size_t bytes) {
  if (!reader_) reader_.emplace(plan_);
  Piece piece;
  std::size_t taken = 0;
  EventTime last = minus_infinity;
  bool is_sound = true;
  std::string next;
  auto scanned = store.scan(next_, head_of(generation_ + 1), [&](std::string_view key, std::string_view value) {
    const KeptPane::Key pane = pane_of(key);
    if (taken >= bytes && pane.sealed > last) {
      piece.to = last;
      next = key;
      return false;
    }
    last = pane.sealed;
    taken += value.size();
    const auto cells = bytes_in(key, value);
    is_sound = cells && reader_->read(pane, *cells);
    return is_sound;
  });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (!is_sound) {
    return failure(Errc::state_unusable,
                   "the state is damaged: a sealed pane cannot be read; restore it, or move it away and start again");
  }
  piece.panes = reader_->take();
  if (piece.to == plus_infinity) reader_.reset();
  next_ = std::move(next);
  return piece;
}

void KeptPanes::save(StateBatch& batch, std::deque<KeptPane>&& panes, EventTime w, std::uint64_t checkpoint, bool are_all) {
  if (!std::exchange(are_sound_, true)) drop(batch, generation_);
  for (KeptPane& pane : panes) {
    std::string key = pane_key(pane.key);
    ByteWriter head;
    head.add_fixed(checksum_of(key, pane.bytes));
    count(key, head.bytes());
    batch.put(std::move(key), head.take() + pane.bytes);
  }
  drop_old(batch, w);
  if (!are_all && !were_whole_) return;
  ByteWriter to;
  to.add_text(meaning_);
  to.add(checkpoint);
  sum_.write(to);
  batch.put(head_of(generation_), to.take());
}

// The checksum, at its beginning, stands for a pane's bytes.
void KeptPanes::count(std::string_view key, std::string_view value) {
  RecordSum pane;
  pane.add(key, value.substr(0, sizeof(std::uint64_t)));
  sums_[pane_of(key).sealed] += pane;
  sum_ += pane;
}

void KeptPanes::drop_old(StateBatch& batch, EventTime w) {
  if (w == minus_infinity) return;
  const JoinRule& join = plan_.spec->join;
  const EventTime keep_from = w - plan_.longest_window() - join.longest_horizon() - join.skew;
  // Each range dropped is a tombstone that scans pass by until it is compacted.
  if (keep_from < std::max(dropped_to_, EventTime{0}) + one_minute) return;
  batch.erase_range(first_sealed_at(EventTime{0}), first_sealed_at(keep_from));
  dropped_to_ = keep_from;
  while (!sums_.empty() && sums_.begin()->first < keep_from) sum_ -= sums_.extract(sums_.begin()).mapped();
}

void KeptPanes::drop(StateBatch& batch, std::uint64_t generation) {
  batch.erase_range(head_of(generation), head_of(generation + 1));
}

void KeptPanes::drop_all(StateBatch& batch) {
  batch.erase_range(state_key::first(state_key::pane), state_key::after(state_key::pane));
}

// Event times are positive, and panes are sealed after them.
std::string KeptPanes::first_sealed_at(EventTime w) const {
  std::string key = head_of(generation_);
  append_big_endian(key, static_cast<std::uint64_t>(w.ms));
  return key;
}

std::string KeptPanes::pane_key(const KeptPane::Key& key) const {
  std::string out = first_sealed_at(key.sealed);
  append_big_endian(out, key.grid);
  append_big_endian(out, key.horizon);
  append_big_endian(out, static_cast<std::uint64_t>(key.start.ms));
  return out;
}

Result<PaneSurvey> survey_panes(const StateStore& store) {
  PaneSurvey survey;
  auto scanned = store.scan(state_key::first(state_key::pane), state_key::after(state_key::pane),
                            [&](std::string_view key, std::string_view value) {
                              survey.bytes += key.size() + value.size();
                              if (key.size() == pane_head_bytes) return true;
                              ++survey.panes;
                              if (!bytes_in(key, value)) ++survey.damaged;
                              return true;
                            });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  return survey;
}

}  // namespace recmeter
