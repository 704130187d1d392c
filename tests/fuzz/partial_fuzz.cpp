// Any bytes are said to be a partial. Its checksums are put right first, so that what stands behind them is read: a reader
// must say that it is damaged, or give panes that are written as the same bytes again.
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

namespace {

using namespace recmeter;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "partial_fuzz: %s\n", what);
  std::abort();
}

// Those of the corpus were written by this configuration.
const Config& config() {
  static const Config loaded = load_config(R"(
windows: [{name: hour, size: 1h}, {name: all, size: all}]
segments: [[variant]]
metrics: {names: [precision, {name: ndcg_list, unit: user}, user_coverage, distinct_items, personalisation], cutoffs: [1, 5]}
limits: {segment_values: 1}
experiments:
  - {name: e, start: "2023-11-14T00:00:00Z", duration: 24h, every: 1h, arms: {key: variant, values: [A, B], control: A},
     primary: [{metric: "precision@1", mde: 0.1}]}
)",
                                           "partial_fuzz", {})
                                   .value();
  return loaded;
}

const EvaluatorPlan& plan() {
  static const EvaluatorPlan made = EvaluatorPlan::make(config().spec, Duration{0}, false, true).value();
  return made;
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

std::string merged(std::string_view bytes) {
  std::string out;
  auto reader = PartialReader::open("partial", bytes);
  if (!reader) return out;
  PartialWriter writer(plan(), [&](std::string_view more) -> Result<void> {
    out += more;
    return {};
  });
  std::vector<PartialReader> readers;
  readers.push_back(std::move(*reader));
  const auto header = header_of_all(readers);
  if (!header || !writer.begin(*header) || !merge_to_partials(plan(), std::move(readers), writer)) out.clear();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view given(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes
  const std::string once = merged(with_right_checksums(std::string(given)));
  if (!once.empty()) require(merged(once) == once, "what was merged is not read as itself");
  return 0;
}
