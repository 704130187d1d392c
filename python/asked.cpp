#include "asked.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "config/load_config.h"

namespace recmeter::python {
namespace {

constexpr std::size_t threads_max = 256;  // one a slot
constexpr std::size_t row_bytes = 256;    // what a row counts for in a sample: about as much as one in a file

}  // namespace

tl::unexpected<Fault> fault_of(const Error& error) {
  const auto kind = error.code == Errc::config_invalid ? Fault::Kind::configuration
                    : error.code == Errc::interrupted  ? Fault::Kind::interrupted
                                                       : Fault::Kind::input;
  return tl::unexpected(Fault{kind, error.context});
}

tl::unexpected<Fault> interrupted() {
  return tl::unexpected(Fault{Fault::Kind::interrupted, "interrupted"});
}

tl::expected<Config, Fault> configuration_of(const std::string& yaml) {
  auto config = load_config(yaml, "config", process_context());
  if (config) return std::move(*config);
  std::string text;
  for (const ConfigFault& fault : config.error()) text += (text.empty() ? "" : "\n") + to_text(fault);
  return tl::unexpected(Fault{Fault::Kind::configuration, text});
}

Sorting sorting_of(const Asked& asked) {
  const SortWhen when = asked.sort == "always"  ? SortWhen::always
                        : asked.sort == "never" ? SortWhen::never
                                                : SortWhen::automatic;
  return {.when = when, .space = {}, .says_so = false};
}

Result<ReplayInputs> inputs_of(const Config& config, const Asked& asked, const std::atomic<bool>& stop) {
  if (asked.frames.empty()) return replay_inputs(config, asked.files, minus_infinity, {}, stop);
  ReplayInputs inputs;
  inputs.file_options.stop = &stop;
  inputs.file_options.message_bytes_max = config.spec.limits.message_bytes;
  for (const Frame& frame : asked.frames) {
    const InputSpec& input = frame.entry < config.inputs.size() ? config.inputs[frame.entry] : config.command_line;
    MessageSchemas form;
    form.reader = arrow::arrow_reader();
    inputs.partitions.push_back(
        {.source = frame.rows->source(), .decoder = inputs.decoders.size(), .lateness = input.allowed_lateness});
    inputs.decoders.push_back(decoder_for(config, input, form));
    inputs.lateness_max = std::max(inputs.lateness_max, input.allowed_lateness);
    inputs.logs.emplace_back();
    inputs.formats.emplace_back();  // a table needs none
    if (!frame.can_be_read_again) continue;
    inputs.logs.back() = {
        .open = [rows = frame.rows]() -> Result<std::unique_ptr<RecordSource>> { return rows->source(); },
        .sample = [rows = frame.rows](std::size_t places,
                                      std::size_t bytes) { return rows->sample(places, bytes / row_bytes); }};
  }
  return inputs;
}

std::size_t threads_of(const Asked& asked) {
  const std::size_t threads = asked.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : asked.threads;
  return std::min(threads, threads_max);
}

AskedLog log_of(const Asked& asked, const std::atomic<bool>& stop) {
  AskedLog log{.open = {}, .sorting = sorting_of(asked), .threads = threads_of(asked), .stop = stop};
  log.open = [&](const Config& config) { return inputs_of(config, asked, stop); };
  return log;
}

}  // namespace recmeter::python
