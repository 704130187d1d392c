// Any bytes are said to be a partial. Its checksums are put right first, so that what stands behind them is read: a reader
// must say that it is damaged, or give panes that are written as the same bytes again.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/load_config.h"
#include "evaluation/partial_bytes.h"
#include "recmeter/evaluation/merge_partials.h"
#include "support/one_thread.h"

namespace {

using namespace recmeter;

const std::atomic<bool> not_stopped = false;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "partial_fuzz: %s\n", what);
  std::abort();
}

Config loaded(const char* text) {
  return load_config(text, "partial_fuzz", {}).value();
}

// Those of the corpus were written by this configuration,
const Config& config() {
  static const Config config = loaded(R"(
windows: [{name: hour, size: 1h}, {name: all, size: all}]
segments: [[variant]]
metrics: {names: [precision, {name: ndcg_list, unit: user}, user_coverage, distinct_items, personalisation], cutoffs: [1, 5]}
limits: {segment_values: 1}
experiments:
  - {name: e, start: "2023-11-14T00:00:00Z", duration: 24h, every: 1h, arms: {key: variant, values: [A, B], control: A},
     primary: [{metric: "precision@1", mde: 0.1}]}
)");
  return config;
}

// and lanes_* by this one.
const Config& config_of_lanes() {
  static const Config config = loaded(R"(
windows: [{name: hour, size: 1h}, {name: all, size: all}]
segments: [[variant]]
metrics: {names: [precision, distinct_items, judged_share, ips, {name: ess, of: ips}], cutoffs: [1, 5]}
limits: {segment_values: 1}
lanes: {names: [B]}
off_policy: {propensities: marginal}
)");
  return config;
}

EvaluatorPlan plan_of(const Config& config) {
  return EvaluatorPlan::make(config.spec, Duration{0}, false, true).value();
}

std::string with_right_checksums(std::string bytes) {
  std::size_t at = 0;
  for (std::uint64_t number = 0; bytes.size() - at >= frame_head_bytes; ++number) {
    const std::uint64_t size = ByteReader(std::string_view(bytes).substr(at)).fixed();
    if (size > bytes.size() - at - frame_head_bytes) break;
    ByteWriter head;
    head.add_fixed(size);
    head.add_fixed(frame_checksum(std::string_view(bytes).substr(at + frame_head_bytes, size), number));
    bytes.replace(at, frame_head_bytes, head.bytes());
    at += frame_head_bytes + size;
  }
  return bytes;
}

std::string merged(const EvaluatorPlan& plan, std::string_view bytes) {
  std::string out;
  auto reader = PartialReader::open("partial", bytes);
  if (!reader) return out;
  PartialWriter writer(plan, [&](std::string_view more) -> Result<void> {
    out += more;
    return {};
  });
  std::vector<PartialReader> readers;
  readers.push_back(std::move(*reader));
  const auto header = header_of_all(readers);
  if (!header || !writer.begin(*header) || !merge_to_partials(plan, std::move(readers), writer, not_stopped)) out.clear();
  return out;
}

// Rows may be refused, and are made without a fault else.
void make_rows(const EvaluatorPlan& plan, std::string_view bytes) {
  auto reader = PartialReader::open("partial", bytes);
  if (!reader) return;
  std::vector<PartialReader> readers;
  readers.push_back(std::move(*reader));
  if (!header_of_all(readers)) return;
  support::OneThread one_thread;
  NoRows no_rows;
  static_cast<void>(merge_to_rows(plan, std::move(readers), one_thread, no_rows, not_stopped,
                                  [](const ExperimentLook&) { return Result<void>(); }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view given(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes
  static const EvaluatorPlan plan = plan_of(config());
  static const EvaluatorPlan of_lanes = plan_of(config_of_lanes());
  for (const EvaluatorPlan* of : {&plan, &of_lanes}) {
    const std::string once = merged(*of, with_right_checksums(std::string(given)));
    make_rows(*of, with_right_checksums(std::string(given)));
    if (!once.empty()) require(merged(*of, once) == once, "what was merged is not read as itself");
  }
  return 0;
}
