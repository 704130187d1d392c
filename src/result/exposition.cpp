#include "recmeter/result/exposition.h"

#include <utility>

#include "recmeter/base/utf8.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Bytes that are no UTF-8, and NUL, cannot be in a label: scrapers refuse the whole text for them. They become U+FFFD.
std::string label_value(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const std::string_view character = text.substr(at, point.bytes);
    at += point.bytes;
    if (!point.valid || point.value == 0) {
      out += "\xEF\xBF\xBD";
    } else if (point.value == '\n') {
      out += "\\n";
    } else {
      if (point.value == '\\' || point.value == '"') out.push_back('\\');
      out += character;
    }
  }
  return out;
}

}  // namespace

std::string_view content_type_of(ExpositionFormat format) {
  return format == ExpositionFormat::text ? "text/plain; version=0.0.4; charset=utf-8"
                                          : "application/openmetrics-text; version=1.0.0; charset=utf-8";
}

std::string exposition_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (!is_word(c)) c = '_';
  }
  return name;
}

void Exposition::family(std::string_view name, Kind kind, std::string_view help) {
  sample_name_ = std::string(name) + (kind == Kind::counter ? "_total" : "");
  describe(format_ == ExpositionFormat::text ? sample_name_ : name, kind == Kind::counter ? "counter" : "gauge", help);
}

void Exposition::describe(std::string_view name, std::string_view type, std::string_view help) {
  out_ += "# HELP " + std::string(name) + " ";
  for (const char c : help) {
    if (c == '\\') out_.push_back('\\');
    out_.push_back(c);
  }
  out_ += "\n# TYPE " + std::string(name) + " " + std::string(type) + "\n";
}

void Exposition::histogram(std::string_view name, std::string_view help, const DurationHistogram& durations) {
  describe(name, "histogram", help);
  sample_name_ = std::string(name) + "_bucket";
  std::uint64_t count = 0;
  for (std::size_t b = 0; b < DurationHistogram::ends_ms.size(); ++b) {
    count += durations.count(b);
    std::string end;
    append_json_number(end, static_cast<double>(DurationHistogram::ends_ms[b]) / 1000);
    sample({{"le", end}}, count);
  }
  sample({{"le", "+Inf"}}, durations.count());
  sample_name_ = std::string(name) + "_sum";
  sample({}, static_cast<double>(durations.sum().ms) / 1000);
  sample_name_ = std::string(name) + "_count";
  sample({}, durations.count());
}

void Exposition::begin_sample(const Labels& labels) {
  out_ += sample_name_;
  bool is_first = true;
  for (const auto& [name, value] : labels) {
    out_ += std::exchange(is_first, false) ? "{" : ",";
    out_ += name + "=\"" + label_value(value) + "\"";
  }
  out_ += is_first ? " " : "} ";
}

void Exposition::sample(const Labels& labels, double value) {
  begin_sample(labels);
  append_json_number(out_, value);
  out_.push_back('\n');
}

void Exposition::sample(const Labels& labels, std::uint64_t value) {
  begin_sample(labels);
  out_ += std::to_string(value) + "\n";
}

std::string Exposition::take() {
  if (format_ == ExpositionFormat::open_metrics) out_ += "# EOF\n";
  return std::exchange(out_, {});
}

}  // namespace recmeter
