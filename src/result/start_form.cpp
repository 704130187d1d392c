#include "result/start_form.h"

#include <fmt/format.h>

#include "recmeter/result/render.h"

namespace recmeter {

std::string StartForm::text(EventTime start) const {
  const std::string utc = render_utc(start);
  const std::string date = utc.substr(0, 10);
  if (midnight) return date;
  std::string time = utc.substr(11, seconds || milliseconds ? 8 : 5);
  if (milliseconds) time += fmt::format(".{:03}", ((start.ms % 1000) + 1000) % 1000);
  return one_day ? time : date + " " + time;
}

StartForm start_form(std::span<const Row> all, std::span<const std::size_t> rows) {
  StartForm form;
  const EventTime first_start = all[rows.front()].start;
  const std::string first = render_utc(first_start).substr(0, 10);
  for (const std::size_t row : rows) {
    const std::string utc = render_utc(all[row].start);
    form.alone = form.alone && all[row].start == first_start;
    form.one_day = form.one_day && utc.starts_with(first);
    form.midnight = form.midnight && utc.substr(11) == "00:00:00Z";
    form.seconds = form.seconds || utc.substr(17, 2) != "00";
    form.milliseconds = form.milliseconds || utc.size() > 20;
  }
  form.one_day = form.one_day && !form.midnight;
  form.milliseconds = form.milliseconds && !form.alone;
  return form;
}

}  // namespace recmeter
