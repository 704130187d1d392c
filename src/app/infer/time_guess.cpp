#include "app/infer/time_guess.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/infer/name_words.h"
#include "recmeter/base/check.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/time_zone.h"

namespace recmeter {
namespace {

constexpr EventTime oldest{946684800000};  // 2000-01-01

struct Form {
  std::string_view unit;
  TimeUnit as;
  std::string_view pattern = {};
  bool is_text = false;  // numbers are none
  bool needs_zone = false;
};

// Ranges of the units do not overlap; a text that several read is the first's.
constexpr std::array forms{
    Form{"s", TimeUnit::seconds},
    Form{"ms", TimeUnit::milliseconds},
    Form{"us", TimeUnit::microseconds},
    Form{"ns", TimeUnit::nanoseconds},
    Form{"fractional_s", TimeUnit::fractional_seconds},
    Form{"rfc3339", TimeUnit::rfc3339, {}, true},
    Form{"iso", TimeUnit::iso, {}, true, true},
    Form{"%m/%d/%Y %I:%M:%S %p", TimeUnit::pattern, "%m/%d/%Y %I:%M:%S %p", true, true},
    Form{"%d/%m/%Y %I:%M:%S %p", TimeUnit::pattern, "%d/%m/%Y %I:%M:%S %p", true, true},
    Form{"%m/%d/%Y %H:%M:%S", TimeUnit::pattern, "%m/%d/%Y %H:%M:%S", true, true},
    Form{"%d/%m/%Y %H:%M:%S", TimeUnit::pattern, "%d/%m/%Y %H:%M:%S", true, true},
    Form{"%m/%d/%Y %H:%M", TimeUnit::pattern, "%m/%d/%Y %H:%M", true, true},
    Form{"%d/%m/%Y %H:%M", TimeUnit::pattern, "%d/%m/%Y %H:%M", true, true},
    Form{"%d.%m.%Y %H:%M:%S", TimeUnit::pattern, "%d.%m.%Y %H:%M:%S", true, true},
    Form{"%Y/%m/%d %H:%M:%S", TimeUnit::pattern, "%Y/%m/%d %H:%M:%S", true, true},
    Form{"%Y%m%d%H%M%S", TimeUnit::pattern, "%Y%m%d%H%M%S", true, true},
    Form{"%d/%b/%Y:%H:%M:%S %z", TimeUnit::pattern, "%d/%b/%Y:%H:%M:%S %z", true},
};

bool is_number(Cell cell) {
  return cell.find_first_not_of("0123456789.-+eE") == Cell::npos;
}

// Each cell as the program itself reads it, by a log of records that have nothing but a time: those are ignored, with it.
std::vector<std::optional<EventTime>> read(const std::vector<Cell>& cells, const Form& form) {
  DecoderOptions options;
  options.fields.time = {.unit = form.as, .pattern = std::string(form.pattern)};
  if (form.needs_zone) options.fields.time.zone = time_zone("UTC");
  RecordBatch batch;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty() || cells[i].size() > 64 || cells[i].find_first_of("\"\\\n") != Cell::npos) continue;
    if (!form.is_text && !is_number(cells[i])) continue;
    const std::string quote = form.is_text ? "\"" : "";
    const std::string record = R"({"type":"?","ts":)" + quote + std::string(cells[i]) + quote + "}";
    batch.records.push_back({.offset = batch.bytes.size(), .size = record.size(), .broker_time = {}, .tombstone = false});
    batch.bytes.insert(batch.bytes.end(), record.begin(), record.end());
    batch.bytes.push_back('\n');
    places.push_back(i);
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  std::vector<std::optional<EventTime>> times(cells.size());
  const EventBatch events = make_decoder(options)->decode(batch);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (events.events()[i].has_time) times[places[i]] = events.events()[i].ts;
  }
  return times;
}

std::vector<Cell> first_of(const std::vector<Cell>& cells) {
  constexpr std::size_t enough = 200;
  std::vector<Cell> few;
  for (const Cell cell : cells) {
    if (!cell.empty() && few.size() < enough) few.push_back(cell);
  }
  return few;
}

std::size_t plausible(const std::vector<std::optional<EventTime>>& times, EventTime now) {
  return static_cast<std::size_t>(
      std::ranges::count_if(times, [now](const auto& time) { return time && *time >= oldest && *time <= now + one_day; }));
}

// How it is written: the first form by which nearly all of it are plausible times.
std::optional<TimeGuess> as_time(const Column& column, EventTime now) {
  const std::vector<Cell> few = first_of(column.cells);
  std::optional<TimeGuess> guess;
  for (const Form& form : forms) {
    if (plausible(read(few, form), now) * 100 < few.size() * 95) continue;
    auto times = read(column.cells, form);
    if (plausible(times, now) * 100 < column.present * 98) continue;
    if (guess) {  // the other order of day and month
      guess->day_may_be_month =
          guess->day_may_be_month || (guess->unit.starts_with("%m/%d") && form.unit.starts_with("%d/%m"));
      continue;
    }
    guess.emplace();
    guess->column = &column;
    guess->unit = form.unit;
    guess->needs_zone = form.needs_zone;
    guess->times = std::move(times);
  }
  return guess;
}

// How often a time is not before that of the record before it.
double order_of(const std::vector<std::optional<EventTime>>& times) {
  std::size_t pairs = 0, ordered = 0;
  const std::optional<EventTime>* before = nullptr;
  for (const auto& time : times) {
    if (!time) continue;
    if (before != nullptr) {
      ++pairs;
      ordered += **before <= *time ? 1U : 0U;
    }
    before = &time;
  }
  return pairs == 0 ? 1 : static_cast<double>(ordered) / static_cast<double>(pairs);
}

// How often the one is not after the other, where both are.
double precedes(const TimeGuess& one, const TimeGuess& other) {
  std::size_t both = 0, before = 0;
  for (std::size_t i = 0; i < one.times.size(); ++i) {
    if (!one.times[i] || !other.times[i]) continue;
    ++both;
    before += *one.times[i] <= *other.times[i] ? 1U : 0U;
  }
  return both == 0 ? 0 : static_cast<double>(before) / static_cast<double>(both);
}

}  // namespace

std::optional<TimeGuess> guess_time(const LogSample& sample, EventTime now) {
  std::vector<TimeGuess> guesses;
  for (const Column& column : sample.columns) {
    if (column.present * 100 < sample.records * 98 || column.as_boolean > 0) continue;
    if (auto guess = as_time(column, now)) guesses.push_back(std::move(*guess));
  }
  if (guesses.empty()) return std::nullopt;
  for (TimeGuess& guess : guesses) {
    const auto distinct_seconds =
        std::ranges::any_of(guess.times, [](const auto& time) { return time && time->ms % one_day.ms != 0; });
    // An event comes before what is written of it later; between several times the earliest one counts.
    double joint = order_of(guess.times);
    for (const TimeGuess& other : guesses) {
      if (&other != &guess) joint = std::min(joint, precedes(guess, other) > 0.98 ? 1.0 : 0.2);
    }
    guess.score = 3 * name_score(Role::time, guess.column->path) + (distinct_seconds ? 4 : 1) + 5 * joint;
  }
  std::ranges::stable_sort(guesses, std::ranges::greater(), &TimeGuess::score);
  TimeGuess best = std::move(guesses.front());
  if (guesses.size() > 1) {
    best.runner_up = guesses[1].column;
    best.runner_up_score = guesses[1].score;
  }
  return best;
}

std::vector<std::optional<EventTime>> times_of(const Column& column, const TimeGuess& log) {
  const auto form = std::ranges::find(forms, log.unit, &Form::unit);
  RECMETER_CHECK(form != forms.end(), "a time that was guessed has a form");
  return read(column.cells, *form);
}

bool are_times(const std::vector<Cell>& cells, const TimeGuess& log) {
  const std::vector<Cell> few = first_of(cells);
  EventTime first = plus_infinity, last = minus_infinity;
  for (const auto& time : log.times) {
    if (!time) continue;
    first = std::min(first, *time);
    last = std::max(last, *time);
  }
  const auto is_of_log = [&](const auto& time) { return time && *time >= first - one_day && *time <= last + one_day; };
  return !few.empty() && std::ranges::any_of(forms, [&](const Form& form) {
    return static_cast<std::size_t>(std::ranges::count_if(read(few, form), is_of_log)) * 100 >= few.size() * 95;
  });
}

}  // namespace recmeter
