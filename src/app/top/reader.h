// Reader: asks a running evaluator for what a terminal shows of it. Thread safety: none; read() takes as long as the network.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/top/model.h"
#include "recmeter/base/result.h"
#include "recmeter/http/get.h"

namespace recmeter::top {

struct ReaderOptions {
  std::string url;  // of the evaluator: http://127.0.0.1:8080, with the path a proxy may give it
  http::GetOptions get;
  std::string window;                // "": the first there is
  std::string horizon;               // "": the first there is
  std::vector<std::string> metrics;  // keys, as precision@10; none: the first `metrics_usual`
};

inline constexpr std::size_t metrics_usual = 3;
inline constexpr std::size_t segments_max = 8;  // of each metric, the whole among them; each is a question of its own
inline constexpr std::size_t points_wanted = 60;

class Reader {
 public:
  explicit Reader(ReaderOptions options) : options_(std::move(options)) {}

  // Errors: those of http::get; config_invalid where the evaluator has no such window, horizon or metric, or wants a token;
  // input_unreadable for answers that are not an evaluator's.
  [[nodiscard]] Result<Model> read(EventTime now);

 private:
  [[nodiscard]] Result<Course> course(const Model& model, const std::string& metric, const SegmentPairs& segment);

  // The sentence of what changed last of a metric; asked for again once there may be another window.
  [[nodiscard]] std::string why(const Model& model, const std::string& metric);

  struct Said {
    std::optional<std::int64_t> minute;  // of the watermark
    std::string words;
  };
  ReaderOptions options_;
  std::map<std::string, Said> said_;  // by metric
};

}  // namespace recmeter::top
