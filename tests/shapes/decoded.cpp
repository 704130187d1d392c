#include "shapes/decoded.h"

#include <atomic>

#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "app/run/thread_pool.h"
#include "config/load_config.h"
#include "recmeter/event/canonical.h"
#include "recmeter/event/decoder.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

std::string told(const EventBatch& batch, const Event& event, const DecoderOptions& options) {
  switch (event.outcome) {
    case Outcome::event: return canonical_bytes(batch, event, options.actions);
    case Outcome::ignored: return event.has_time ? "ignored@" + std::to_string(event.ts.ms) : "ignored";
    case Outcome::invalid: return "invalid:" + std::string(to_string(event.reason));
  }
  return {};
}

std::vector<std::string> read_events(const ReplayInputs& inputs, std::size_t block) {
  const PartitionInput& partition = inputs.partitions.front();
  const DecoderOptions& options = inputs.decoders[partition.decoder];
  const auto decoder = make_decoder(options);
  std::vector<std::string> events;
  for (bool more = true; more;) {
    auto batch = partition.source->read(block, {});
    if (!batch) {
      events.push_back(batch.error().context);
      break;
    }
    more = !batch->last;
    const EventBatch made = decoder->decode(*batch);
    for (const Event& event : made.events()) events.push_back(told(made, event, options));
  }
  return events;
}

}  // namespace

std::vector<std::string> decoded(std::string_view yaml, std::string_view log, std::size_t block, const InputEdges& edges) {
  const auto config = load_config(yaml, "test.yaml", {.environment = {}, .read_catalog = {}});
  if (!config) return {config.error().front().message + "; " + config.error().front().remedy};
  const Scratch scratch;
  const std::atomic<bool> stop = false;
  const auto inputs = replay_inputs(*config, {scratch.put("log", log)}, minus_infinity, edges, stop);
  return inputs ? read_events(*inputs, block) : std::vector{inputs.error().context};
}

std::vector<std::string> decoded_sorted(std::string_view yaml, std::string_view log) {
  const auto config = load_config(yaml, "test.yaml", {.environment = {}, .read_catalog = {}});
  if (!config) return {config.error().front().message};
  const Scratch scratch;
  const std::atomic<bool> stop = false;
  auto inputs = replay_inputs(*config, {scratch.put("log", log)}, minus_infinity, {}, stop);
  if (!inputs) return {inputs.error().context};
  ThreadPool pool(1);
  const Sorting sorting{.when = SortWhen::always, .space = {.directory = scratch.directory()}, .says_so = false};
  const auto sorted = sort_inputs(*inputs, config->spec.time, sorting, LookThrough::sample, pool, {});
  return sorted ? read_events(*inputs, 1 << 16) : std::vector{sorted.error().context};
}

std::string told(std::string_view yaml, std::string_view log) {
  std::string lines;
  for (const std::string& event : decoded(yaml, log)) lines += (lines.empty() ? "" : "\n") + event;
  return lines;
}

}  // namespace recmeter::test
