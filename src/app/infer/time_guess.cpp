#include "app/infer/time_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/infer/name_words.h"
#include "app/infer/yaml_text.h"
#include "recmeter/base/check.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/time_zone.h"

namespace recmeter {
namespace {

constexpr EventTime oldest{946684800000};  // 2000-01-01

struct Form {
  std::string_view unit;
  TimeUnit as = TimeUnit::pattern;
  bool is_text = true;      // numbers are none
  bool needs_zone = false;  // of its times, which say nothing of it
};

// Ranges of the units do not overlap; a text that several read is the first's.
constexpr std::array units{
    Form{"s", TimeUnit::seconds, false},
    Form{"ms", TimeUnit::milliseconds, false},
    Form{"us", TimeUnit::microseconds, false},
    Form{"ns", TimeUnit::nanoseconds, false},
    Form{"fractional_s", TimeUnit::fractional_seconds, false},
    Form{"rfc3339", TimeUnit::rfc3339},
    Form{"iso", TimeUnit::iso},
    Form{"iso", TimeUnit::iso, true, true},
};
constexpr Form excel{"excel", TimeUnit::excel, false, true};

constexpr std::array<std::string_view, 44> patterns{
    "%m/%d/%Y %I:%M:%S %p",
    "%d/%m/%Y %I:%M:%S %p",
    "%m/%d/%Y, %I:%M:%S %p",
    "%d/%m/%Y, %I:%M:%S %p",
    "%m/%d/%Y %I:%M %p",
    "%d/%m/%Y %I:%M %p",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y, %H:%M:%S",
    "%d/%m/%Y, %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M:%S.%f",
    "%d.%m.%Y, %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y, %H:%M",
    "%d.%m.%y %H:%M:%S",
    "%d.%m.%y %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y-%m-%d %H:%M:%S,%f",
    "%Y-%m-%d %H:%M:%S %z",
    "%Y-%m-%d %H:%M:%S.%f %z",
    "%Y-%m-%d %I:%M:%S %p",
    "%d-%m-%Y %H:%M:%S",
    "%d-%m-%Y %H:%M",
    "%d-%b-%y %I.%M.%S.%f %p",
    "%d-%b-%Y %H:%M:%S",
    "%d/%b/%Y:%H:%M:%S %z",
    "%b %d, %Y @ %H:%M:%S.%f",
    "%b %d, %Y, %I:%M:%S %p",
    "%a, %d %b %Y %H:%M:%S %z",
    "%a, %d %b %Y %H:%M:%S GMT",
    "%a %b %d %H:%M:%S %z %Y",
    "%Y%m%dT%H%M%S%z",
    "%Y%m%dT%H%M%S.%f%z",
    "%Y%m%dT%H%M%S",
    "%Y%m%d%H%M%S",
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%Y%m%d",
    "%m/%d/%Y",
    "%d/%m/%Y",
};

constexpr std::size_t enough = 200;  // cells of a column, to see how it is written

std::vector<Form> make_forms() {
  std::vector<Form> forms(units.begin(), units.end());
  for (const std::string_view pattern : patterns) {
    const bool says_zone = pattern.find("%z") != std::string_view::npos || pattern.ends_with(" GMT");
    forms.push_back({.unit = pattern, .needs_zone = !says_zone});
  }
  forms.push_back(excel);
  return forms;
}

const std::vector<Form>& all_forms() {
  static const std::vector<Form> forms = make_forms();
  return forms;
}

bool is_number(Cell cell) {
  return cell.find_first_not_of("0123456789.-+eE") == Cell::npos;
}

// Each cell as the program itself reads it, by a log of records that have nothing but a time: those are ignored, with it.
// `as_texts`: numbers are written as texts.
std::vector<std::optional<EventTime>> read(const std::vector<Cell>& cells, const Form& form, bool as_texts) {
  DecoderOptions options;
  options.fields.time = {.unit = form.as};
  if (form.as == TimeUnit::pattern) options.fields.time.pattern = form.unit;
  if (form.needs_zone || form.unit.ends_with(" GMT")) options.fields.time.zone = time_zone("UTC");
  if (as_texts && !form.is_text) {
    Shape shape = shape_of(options.fields);
    shape.text_numbers = true;
    options.fields.shape = std::move(shape);
  }
  RecordBatch batch;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty() || cells[i].size() > 64 || cells[i].find_first_of("\"\\\n") != Cell::npos) continue;
    if (!form.is_text && !is_number(cells[i])) continue;
    const std::string quote = form.is_text || as_texts ? "\"" : "";
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

std::vector<Cell> first_of(const std::vector<Cell>& cells, std::size_t count) {
  std::vector<Cell> few;
  for (const Cell cell : cells) {
    if (!cell.empty() && few.size() < count) few.push_back(cell);
  }
  return few;
}

std::size_t plausible(const std::vector<std::optional<EventTime>>& times, EventTime now) {
  return static_cast<std::size_t>(
      std::ranges::count_if(times, [now](const auto& time) { return time && *time >= oldest && *time <= now + one_day; }));
}

bool have_one_time_of_day(const std::vector<std::optional<EventTime>>& times) {
  const auto of_day = [](const std::optional<EventTime>& time) { return time->ms % one_day.ms; };
  const auto first = std::ranges::find_if(times, [](const auto& time) { return time.has_value(); });
  return std::all_of(first, times.end(), [&](const auto& time) { return !time || of_day(time) == of_day(*first); });
}

// How it is written: the first form by which nearly all of it are plausible times.
std::optional<TimeGuess> as_time(const Column& column, EventTime now) {
  const bool as_texts = column.as_number < column.present;
  const std::vector<Cell> few = first_of(column.cells, enough);
  const std::vector<Cell> probe = first_of(column.cells, 11);  // of which one at least is what 95 % of 200 are
  std::optional<TimeGuess> guess;
  for (const Form& form : all_forms()) {
    if (form.is_text && column.as_number > 0) continue;
    if (form.as == TimeUnit::seconds && column.as_double > 0) continue;  // those of fractional_s
    if (plausible(read(probe, form, as_texts), now) == 0) continue;
    if (plausible(read(few, form, as_texts), now) * 100 < few.size() * 95) continue;
    auto times = read(column.cells, form, as_texts);
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
    guess->are_texts = as_texts && !form.is_text;
    guess->are_dates = have_one_time_of_day(times);
    guess->times = std::move(times);
  }
  return guess;
}

// Dates, and numbers that may be days, are the time where nothing else is.
bool is_weak(const TimeGuess& guess) {
  return guess.are_dates || guess.unit == excel.unit;
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
  if (!std::ranges::all_of(guesses, is_weak)) std::erase_if(guesses, is_weak);
  for (TimeGuess& guess : guesses) {
    // An event comes before what is written of it later; between several times the earliest one counts.
    double joint = order_of(guess.times);
    for (const TimeGuess& other : guesses) {
      if (&other != &guess) joint = std::min(joint, precedes(guess, other) > 0.98 ? 1.0 : 0.2);
    }
    guess.score = 3 * name_score(Role::time, guess.column->path) + (guess.are_dates ? 1 : 4) + 5 * joint;
  }
  std::ranges::stable_sort(guesses, std::ranges::greater(), &TimeGuess::score);
  TimeGuess best = std::move(guesses.front());
  if (guesses.size() > 1) {
    best.runner_up = guesses[1].column;
    best.runner_up_score = guesses[1].score;
  }
  return best;
}

// Small numbers may be anything: days of Excel are none here.
std::optional<NearTime> nearest_time(const LogSample& sample, EventTime now) {
  std::optional<NearTime> best;
  double best_score = 0;
  for (const Column& column : sample.columns) {
    if (column.present == 0 || column.as_boolean > 0) continue;
    std::size_t most = 0;
    for (const Form& form : all_forms()) {
      if (form.unit == excel.unit || (form.is_text && column.as_number == column.present)) continue;
      if (plausible(read(first_of(column.cells, enough), form, column.as_number < column.present), now) == 0) continue;
      most = std::max(most, plausible(read(column.cells, form, column.as_number < column.present), now));
    }
    const double name = name_score(Role::time, column.path);
    const double score = name + 2 * static_cast<double>(most) / static_cast<double>(sample.records);
    if (score > best_score) best = NearTime{&column, most}, best_score = score;
  }
  return best;
}

bool are_doubles(const Column& column, const TimeGuess& log) {
  constexpr std::array<std::string_view, 4> whole{"s", "ms", "us", "ns"};
  return column.as_double > 0 && std::ranges::find(whole, log.unit) != whole.end();
}

std::string time_source(const Column& column, const TimeGuess& log) {
  const std::string path = yaml_text(column.path);
  return are_doubles(column, log) ? fmt::format("{{join: [{}]}}", path) : path;
}

std::vector<std::optional<EventTime>> times_of(const Column& column, const TimeGuess& log) {
  const auto form = std::ranges::find_if(
      all_forms(), [&log](const Form& each) { return each.unit == log.unit && each.needs_zone == log.needs_zone; });
  RECMETER_CHECK(form != all_forms().end(), "a time that was guessed has a form");
  return read(column.cells, *form, log.are_texts);
}

bool are_times(const std::vector<Cell>& cells, const TimeGuess& log) {
  const std::vector<Cell> few = first_of(cells, enough);
  EventTime first = plus_infinity, last = minus_infinity;
  for (const auto& time : log.times) {
    if (!time) continue;
    first = std::min(first, *time);
    last = std::max(last, *time);
  }
  const auto is_of_log = [&](const auto& time) { return time && *time >= first - one_day && *time <= last + one_day; };
  return !few.empty() && std::ranges::any_of(all_forms(), [&](const Form& form) {
    return static_cast<std::size_t>(std::ranges::count_if(read(few, form, true), is_of_log)) * 100 >= few.size() * 95;
  });
}

}  // namespace recmeter
