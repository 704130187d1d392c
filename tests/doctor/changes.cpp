#include "doctor/changes.h"

#include <fmt/format.h>

#include <chrono>

namespace recmeter::doctor {

std::int64_t ts_of(const Record& record) {
  return record["ts"].get<std::int64_t>();
}

Change each(std::vector<Record> SoundLog::* records, std::size_t share,
            const std::function<void(Record&, SoundLog&)>& change) {
  return [=](SoundLog& log) {
    for (Record& record : log.*records) {
      if (log.dice.percent(share)) change(record, log);
    }
  };
}
Change in_lists(std::size_t share, const std::function<void(Record&, SoundLog&)>& change) {
  return each(&SoundLog::lists, share, change);
}
Change in_feedback(std::size_t share, const std::function<void(Record&, SoundLog&)>& change) {
  return each(&SoundLog::feedback, share, change);
}
Change again(std::vector<Record> SoundLog::* records, std::size_t share, const std::function<void(Record&)>& change) {
  return [=](SoundLog& log) {
    const std::vector<Record> before = log.*records;
    for (const Record& record : before) {
      if (!log.dice.percent(share)) continue;
      (log.*records).push_back(record);
      change((log.*records).back());
    }
  };
}
Change without(std::vector<Record> SoundLog::* records, const std::function<bool(const Record&, SoundLog&)>& is_lost) {
  return [=](SoundLog& log) { std::erase_if(log.*records, [&](const Record& record) { return is_lost(record, log); }); };
}
Change times(const std::string& of, const std::function<Record(std::int64_t)>& written) {
  return [=](SoundLog& log) {
    log.write_time = [=](const std::string& file, std::int64_t ts) {
      return of.empty() || file == of ? written(ts) : Record(ts);
    };
  };
}
Change both(const Change& first, const Change& second) {
  return [=](SoundLog& log) {
    first(log);
    second(log);
  };
}

std::string iso(std::int64_t ts, char between, const char* zone) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(ts)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::int64_t of_day = (time - day).count();
  return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}.{:03}{}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), between, of_day / hour_ms,
                     of_day / minute_ms % 60, of_day / 1000 % 60, of_day % 1000, zone);
}

}  // namespace recmeter::doctor
