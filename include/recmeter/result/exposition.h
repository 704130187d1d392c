// Exposition: samples as text for Prometheus: its text format 0.0.4, or OpenMetrics 1.0.
//
// Families in the order given, their samples together, one line each. What has no value has no sample: an absent window is
// absent, not 0. Thread safety: none. Requires: names are of [a-zA-Z0-9_], a family comes once, its samples differ in labels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/result/duration_histogram.h"

namespace recmeter {

enum class ExpositionFormat : std::uint8_t { text, open_metrics };
[[nodiscard]] std::string_view content_type_of(ExpositionFormat format);

class Exposition {
 public:
  enum class Kind : std::uint8_t { gauge, counter };
  using Labels = std::vector<std::pair<std::string, std::string>>;

  explicit Exposition(ExpositionFormat format) : format_(format) {}

  // Begins a family. `name` of a counter is without `_total`; `help` is one sentence.
  void family(std::string_view name, Kind kind, std::string_view help);
  // Requires: finite.
  void sample(const Labels& labels, double value);
  void sample(const Labels& labels, std::uint64_t value);
  // A family of one sample without labels.
  template <class Number>
  void single(std::string_view name, Kind kind, std::string_view help, Number value) {
    family(name, kind, help);
    sample({}, value);
  }
  // A family of its own. `name` ends in a unit: "_seconds".
  void histogram(std::string_view name, std::string_view help, const DurationHistogram& durations);
  // The whole text.
  [[nodiscard]] std::string take();

 private:
  void describe(std::string_view name, std::string_view type, std::string_view help);
  void begin_sample(const Labels& labels);

  ExpositionFormat format_;
  std::string out_;
  std::string sample_name_;
};

// `text` with everything outside [a-zA-Z0-9_] as `_`.
[[nodiscard]] std::string exposition_name(std::string_view text);

}  // namespace recmeter
