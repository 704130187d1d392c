#include "live/provisional_feed.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "live/journal.h"

namespace recmeter {

namespace {

constexpr Duration up{2'000};          // so long behind at most: it keeps up
constexpr Duration lost = one_minute;  // so long behind: it does not any more

}  // namespace

void ProvisionalFeed::keep_up(Duration behind) {
  if (!options_.is_wanted) return;
  if (!rows_ && behind <= up) {
    rows_.emplace(plan_, options_.missing_lists_max, options_.memory);
    read_to_ = EventTime{0};
  } else if (rows_ && behind > lost) {
    rows_.reset();
    follows_ = false;
  }
}

void ProvisionalFeed::receive(const std::vector<std::vector<RoutedBatch>>& routed) {
  if (!follows_) return;
  for (const auto& batches : routed) {
    for (const RoutedBatch& batch : batches) rows_->receive(RoutedBatch(batch));
  }
}

void ProvisionalFeed::begin(EventTime t, EventTime w, std::vector<std::function<void()>>& tasks) {
  if (!rows_) return;
  tasks.emplace_back([this, t, w] {
    if (follows_) {
      rows_->advance(t, w);
    } else if (read_to_ < readable_to_) {
      outcome_ = read(readable_to_, options_.events_a_round);
    }
  });
}

Result<void> ProvisionalFeed::complete() {
  return std::exchange(outcome_, {});
}

// Events up to the watermark are all there, those beyond come to buckets that have been read: so the rest is read at once,
// and from then on what is routed.
Result<void> ProvisionalFeed::kept(EventTime w) {
  if (w == minus_infinity) return {};
  readable_to_ = std::max(readable_to_, Journal::bucket_start(w));
  if (!rows_ || follows_ || read_to_ < readable_to_) return {};
  auto done = read(plus_infinity, std::numeric_limits<std::size_t>::max());
  follows_ = done.has_value();
  return done;
}

// Whole buckets, until they have had `events_max` events together.
Result<void> ProvisionalFeed::read(EventTime to, std::size_t events_max) {
  std::size_t events = 0;
  EventTime bucket = read_to_;
  EventTime reached = to;
  const auto receive = [&](EventTime start, const RoutedBatch& batch) {
    if (start > bucket && events >= events_max) {
      reached = start;
      return false;
    }
    bucket = start;
    events += batch.events.size();
    rows_->receive(RoutedBatch(batch));
    return true;
  };
  auto done = Journal::read(store_, plan_.spec->join.key, kinds_of(*plan_.spec), {.from = read_to_, .to = to}, receive);
  if (!done) return done;
  read_to_ = reached;
  if (reached != plus_infinity) rows_->advance(reached, reached);
  return {};
}

std::vector<SharedRow> ProvisionalFeed::rows(EventTime now, const LogStart& log_start, bool all) {
  // In step with the rows before, so that what a round takes does not add up.
  next_ = next_ > now - options_.every ? next_ + options_.every : now + options_.every;
  std::vector<SharedRow> rows = rows_->rows(revision_, log_start, all);
  std::erase_if(rows, [&](const SharedRow& row) { return row->row.start < options_.from; });
  rows_given_ += rows.size();
  return rows;
}

}  // namespace recmeter
