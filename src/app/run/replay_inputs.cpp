#include "app/run/replay_inputs.h"

#include <algorithm>
#include <optional>

#include "app/run/output_paths.h"
#include "recmeter/event/row_reader.h"
#include "recmeter/file/open_dumps.h"
#include "recmeter/file/open_file.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

char character_of(std::string_view text, std::string_view word, char meant, char usual) {
  if (text.empty()) return usual;
  return text == word ? meant : text.front();
}

char delimiter_of(const InputSpec& input) {
  return character_of(input.csv.delimiter, "tab", '\t', input.format == InputFormat::tsv ? '\t' : ',');
}
char quote_of(const InputSpec& input) {
  return character_of(input.csv.quote, "none", '\0', input.format == InputFormat::tsv ? '\0' : '"');
}

file::ContainerForm container_form(const InputSpec& input) {
  file::ContainerForm form;
  switch (input.format) {
    case InputFormat::automatic: break;
    case InputFormat::jsonl:
    case InputFormat::kcat: form.container = file::Container::lines; break;
    case InputFormat::json: form.container = file::Container::array; break;
    case InputFormat::csv:
    case InputFormat::tsv: form.container = file::Container::rows; break;
  }
  if (input.format == InputFormat::tsv || !input.csv.delimiter.empty()) form.delimiter = delimiter_of(input);
  if (input.format == InputFormat::tsv || !input.csv.quote.empty()) form.quote = quote_of(input);
  form.has_header = input.csv.header;
  for (const PathStep& step : parse_path(input.records).value_or(FieldPath())) form.records.push_back(step.name);
  return form;
}

}  // namespace

DecoderOptions decoder_for(const Config& config, const InputSpec& input) {
  return decoder_for(config, input, input.format == InputFormat::csv || input.format == InputFormat::tsv);
}

DecoderOptions decoder_for(const Config& config, const InputSpec& input, bool rows) {
  const EvaluatorSpec& spec = config.spec;
  DecoderOptions options{.fields = input.fields,
                         .key = spec.join.key,
                         .actions = {},
                         .list_items_max = spec.limits.list_items,
                         .id_bytes_max = spec.limits.id_bytes,
                         .segment_bytes_max = spec.limits.segment_bytes,
                         .message_bytes_max = spec.limits.message_bytes};
  for (const Action& action : spec.join.actions) options.actions.push_back(action.name);
  if (!rows) return options;
  Shape shape = shape_of(input.fields);
  shape.absent.emplace_back();
  shape.text_numbers = true;
  options.fields.shape = std::move(shape);
  options.reader = row_reader(input.csv.columns, {.text = {}, .delimiter = delimiter_of(input), .quote = quote_of(input)});
  return options;
}

namespace {

Result<std::vector<InputSpec>> chosen_inputs(const Config& config, const std::vector<std::string>& files) {
  std::vector<InputSpec> inputs;
  if (!files.empty()) {
    inputs.push_back(config.command_line);
    inputs.front().files = files;
  } else {
    inputs = config.inputs;
  }
  const bool some = std::any_of(inputs.begin(), inputs.end(),
                                [](const InputSpec& input) { return !input.files.empty() || !input.topics.empty(); });
  if (!some) {
    return failure(Errc::config_invalid,
                   "nothing to read: name one or more files, or - for standard input, or topics under `inputs`");
  }
  return inputs;
}

// Each file is a partition. Files of an input whose format is recognised may differ.
Result<void> add_files(const Config& config, const InputSpec& input, std::size_t number, const file::FileOptions& options,
                       ReplayInputs& out) {
  std::optional<std::size_t> of_rows;
  if (input.format != InputFormat::automatic) of_rows = number;
  for (const std::string& path : input.files) {
    auto opened = file::open_log(path, container_form(input), options);
    if (!opened) return tl::unexpected(std::move(opened).error());
    const bool rows = opened->container == file::Container::rows;
    if (rows && !of_rows) {
      of_rows = out.decoders.size();
      out.decoders.push_back(decoder_for(config, input, true));
    }
    out.partitions.push_back(
        {.source = std::move(opened->source), .decoder = rows ? *of_rows : number, .lateness = input.allowed_lateness});
  }
  return {};
}

// Partitions are those of the topics in the dumps of all inputs.
Result<void> add_dumps(const std::vector<InputSpec>& inputs, const file::FileOptions& options, ReplayInputs& out) {
  std::vector<file::Dump> dumps;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].format != InputFormat::kcat) continue;
    for (const std::string& path : inputs[i].files) dumps.push_back({.path = path, .input = i});
  }
  auto opened = file::open_dumps(dumps, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  for (std::size_t s = 0; s < opened->sources.size(); ++s) {
    const std::size_t input = opened->input_of[s];
    out.partitions.push_back(
        {.source = std::move(opened->sources[s]), .decoder = input, .lateness = inputs[input].allowed_lateness});
  }
  return {};
}

// The broker time from which topics are read for windows that start at `from` ([S7], `incomplete`): lists and
// feedback that may touch such a list, what was popular before it, and as much again as a broker's clock may be behind an
// event's.
std::optional<EventTime> broker_time_for(const EvaluatorSpec& spec, EventTime from) {
  if (from == minus_infinity) return std::nullopt;
  const bool looks_back = std::any_of(spec.metrics.requests.begin(), spec.metrics.requests.end(), [](const auto& request) {
    const MetricDefinition* definition = find_metric(request.name);
    return definition != nullptr && definition->needs.has(ListPart::popularity);
  });
  const Duration popularity =
      looks_back ? Duration{spec.metrics.popularity.period_ms + spec.metrics.popularity.step_ms} : Duration{0};
  return from - spec.join.same_list - spec.join.longest_horizon() - spec.join.skew - spec.time.max_future_skew - popularity;
}

// Topics of all inputs share a connection, its memory and its bounds.
Result<void> add_topics(const Config& config, const std::vector<InputSpec>& inputs, EventTime from,
                        OpenTopicInputs* open_topics, const std::atomic<bool>& stop, ReplayInputs& out) {
  std::vector<std::string> topics;
  std::vector<std::size_t> input_of;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    topics.insert(topics.end(), inputs[i].topics.begin(), inputs[i].topics.end());
    input_of.resize(topics.size(), i);
  }
  if (topics.empty()) return {};
  if (open_topics == nullptr) {
    return failure(Errc::config_invalid, topics.front() +
                                             ": this program was built without Kafka (RECMETER_CORE_ONLY); build " +
                                             "preset release, or name files on the command line");
  }
  auto opened = open_topics(config, topics, broker_time_for(config.spec, from), stop);
  if (!opened) return tl::unexpected(std::move(opened).error());
  for (TopicInput& partition : *opened) {
    const std::size_t input = input_of[partition.topic];
    out.partitions.push_back(
        {.source = std::move(partition.source), .decoder = input, .lateness = inputs[input].allowed_lateness});
  }
  return {};
}

}  // namespace

Result<ReplayInputs> replay_inputs(const Config& config, const std::vector<std::string>& files, EventTime from,
                                   OpenTopicInputs* open_topics, const std::atomic<bool>& stop) {
  auto inputs = chosen_inputs(config, files);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  ReplayInputs out{.partitions = {}, .decoders = {}, .lateness_max = {}, .paths = {}};
  std::vector<std::string> paths;
  for (const InputSpec& input : *inputs) paths.insert(paths.end(), input.files.begin(), input.files.end());
  if (auto distinct = check_inputs_distinct(paths); !distinct) return tl::unexpected(std::move(distinct).error());
  const file::FileOptions options{.message_bytes_max = config.spec.limits.message_bytes, .stop = &stop};
  for (const InputSpec& input : *inputs) {
    out.lateness_max = std::max(out.lateness_max, input.allowed_lateness);
    out.decoders.push_back(decoder_for(config, input));
  }
  for (std::size_t i = 0; i < inputs->size(); ++i) {
    if ((*inputs)[i].format == InputFormat::kcat) continue;
    if (auto added = add_files(config, (*inputs)[i], i, options, out); !added)
      return tl::unexpected(std::move(added).error());
  }
  if (auto added = add_dumps(*inputs, options, out); !added) return tl::unexpected(std::move(added).error());
  if (auto added = add_topics(config, *inputs, from, open_topics, stop, out); !added)
    return tl::unexpected(std::move(added).error());
  out.paths = std::move(paths);
  return out;
}

}  // namespace recmeter
