#include "app/replay_inputs.h"

#include <algorithm>

#include "app/output_paths.h"
#include "recmeter/file/open_file.h"

namespace recmeter {

namespace {

DecoderOptions decoder_for(const Config& config, const InputSpec& input) {
  const EvaluatorSpec& spec = config.spec;
  DecoderOptions options{.fields = input.fields,
                         .key = spec.join.key,
                         .actions = {},
                         .list_items_max = spec.limits.list_items,
                         .id_bytes_max = spec.limits.id_bytes,
                         .message_bytes_max = spec.limits.message_bytes};
  for (const Action& action : spec.join.actions) options.actions.push_back(action.name);
  return options;
}

Result<std::vector<InputSpec>> chosen_inputs(const Config& config, const std::vector<std::string>& files) {
  std::vector<InputSpec> inputs;
  if (!files.empty()) {
    inputs.push_back(config.command_line);
    inputs.front().files = files;
  } else {
    inputs = config.inputs;
  }
  for (const InputSpec& input : inputs) {
    if (!input.topics.empty()) {
      return failure(Errc::config_invalid,
                     "this version of replay reads files, not topics; name the files on the command line, "
                     "or write `file:` instead of `topic: " +
                         input.topics.front() + "`");
    }
    if (input.format != InputFormat::jsonl) {
      return failure(Errc::config_invalid,
                     "this version reads `format: jsonl` only; take the values out of a kcat dump, e.g. with "
                     "jq -r .payload");
    }
  }
  const bool some = std::any_of(inputs.begin(), inputs.end(), [](const InputSpec& input) { return !input.files.empty(); });
  if (!some) return failure(Errc::config_invalid, "nothing to read: name one or more files, or - for standard input");
  return inputs;
}

}  // namespace

Result<ReplayInputs> replay_inputs(const Config& config, const std::vector<std::string>& files,
                                   const std::atomic<bool>& stop) {
  auto inputs = chosen_inputs(config, files);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  ReplayInputs out{.partitions = {}, .decoders = {}, .lateness_max = {}, .paths = {}};
  std::vector<std::string> paths;
  for (const InputSpec& input : *inputs) paths.insert(paths.end(), input.files.begin(), input.files.end());
  if (auto distinct = check_inputs_distinct(paths); !distinct) return tl::unexpected(std::move(distinct).error());
  for (const InputSpec& input : *inputs) {
    out.lateness_max = std::max(out.lateness_max, input.allowed_lateness);
    for (const std::string& path : input.files) {
      auto source = file::open_file(path, {.message_bytes_max = config.spec.limits.message_bytes, .stop = &stop});
      if (!source) return tl::unexpected(std::move(source).error());
      out.partitions.push_back(
          {.source = std::move(*source), .decoder = out.decoders.size(), .lateness = input.allowed_lateness});
    }
    out.decoders.push_back(decoder_for(config, input));
  }
  out.paths = std::move(paths);
  return out;
}

}  // namespace recmeter
