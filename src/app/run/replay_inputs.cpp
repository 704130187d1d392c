#include "app/run/replay_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "app/console/messages.h"
#include "app/run/lacking_columns.h"
#include "app/run/output_paths.h"
#include "recmeter/avro/avro_reader.h"
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
// Without any: the character that stands nowhere.
char mark_of(const std::string& text) {
  return text.empty() ? '\0' : text.front();
}

file::ContainerForm container_form(const InputSpec& input) {
  file::ContainerForm form;
  switch (input.format) {
    case InputFormat::automatic: break;
    case InputFormat::jsonl:
    case InputFormat::kcat:
    case InputFormat::protobuf: form.container = file::Container::lines; break;
    case InputFormat::json: form.container = file::Container::array; break;
    case InputFormat::csv:
    case InputFormat::tsv: form.container = file::Container::rows; break;
    case InputFormat::avro: form.container = file::Container::avro; break;
  }
  if (input.format == InputFormat::tsv || !input.csv.delimiter.empty()) form.delimiter = delimiter_of(input);
  if (input.format == InputFormat::tsv || !input.csv.quote.empty()) form.quote = quote_of(input);
  form.escape = mark_of(input.csv.escape);
  form.comment = mark_of(input.csv.comment);
  form.skip = input.csv.skip;
  form.has_header = input.csv.header;
  for (const PathStep& step : parse_path(input.records).value_or(FieldPath())) form.records.push_back(step.name);
  return form;
}

bool is_json(file::Container container) {
  return container == file::Container::lines || container == file::Container::array || container == file::Container::objects;
}

}  // namespace

std::string format_sentence(const file::FoundContainer& found) {
  const std::string format = file::format_text(found);
  if (found.why.empty()) return fmt::format("it is read as {}, as inputs.format says", format);
  return fmt::format("it is read as {}, since {}; if it is in another format, set inputs.format", format, found.why);
}

DecoderOptions decoder_for(const Config& config, const InputSpec& input, const MessageSchemas& form) {
  DecoderOptions options = decoder_for(config, input, container_form(input).container.value_or(file::Container::lines));
  if (!form.reader) return options;
  options.fields.shape = shape_of(input.fields);
  options.reader = form.reader;
  return options;
}

DecoderOptions decoder_for(const Config& config, const InputSpec& input, file::Container container) {
  DecoderOptions options = decoder_options(config.spec, input.fields);
  if (is_json(container)) return options;
  Shape shape = shape_of(input.fields);
  if (container == file::Container::avro) {
    options.fields.shape = std::move(shape);
    options.reader = avro::avro_reader();
    return options;
  }
  shape.absent.emplace_back();
  shape.text_numbers = true;
  shape.has_commas = input.csv.decimal == ",";
  options.fields.shape = std::move(shape);
  options.reader = row_reader(
      input.csv.columns,
      {.text = {}, .delimiter = delimiter_of(input), .quote = quote_of(input), .escape = mark_of(input.csv.escape)});
  return options;
}

namespace {

// The entry of `inputs` that names the file: by its path, or else the only one that names a file so called.
std::optional<std::size_t> entry_of(const Config& config, const std::string& file) {
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename(); };
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    for (const std::string& path : config.inputs[i].files) {
      if (path == file) return i;
      if (name(path) == name(file)) named.push_back(i);
    }
  }
  return named.size() == 1 ? std::optional(named.front()) : std::nullopt;
}

// [I3.7]
std::vector<InputSpec> inputs_for(const Config& config, const std::vector<std::string>& files) {
  std::vector<InputSpec> inputs = config.inputs;
  for (InputSpec& input : inputs) {
    input.files.clear();
    input.topics.clear();
  }
  inputs.push_back(config.command_line);
  for (const std::string& file : files) inputs[entry_of(config, file).value_or(config.inputs.size())].files.push_back(file);
  std::erase_if(inputs, [](const InputSpec& input) { return input.files.empty(); });
  return inputs;
}

Result<std::vector<InputSpec>> chosen_inputs(const Config& config, const std::vector<std::string>& files) {
  const std::vector<InputSpec> inputs = files.empty() ? config.inputs : inputs_for(config, files);
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
  std::map<file::Container, std::size_t> decoders;  // of what the input's own does not read
  for (const std::string& path : input.files) {
    auto opened = file::open_log(path, container_form(input), options);
    if (!opened) return tl::unexpected(std::move(opened).error());
    const file::Container container = opened->found.container;
    const bool is_recognised = input.format == InputFormat::automatic && !is_json(container);
    std::size_t decoder = number;
    if (is_recognised) {
      const auto [known, is_new] = decoders.try_emplace(container, out.decoders.size());
      if (is_new) out.decoders.push_back(decoder_for(config, input, container));
      decoder = known->second;
    }
    if (!opened->found.columns.empty()) {
      std::string lacking = lacking_sentence(path, shape_of(input.fields), opened->found.columns);
      if (!lacking.empty()) out.lacking.push_back(std::move(lacking));
    }
    out.formats.resize(out.partitions.size());
    out.formats.push_back(format_sentence(opened->found));
    out.partitions.push_back({.source = std::move(opened->source), .decoder = decoder, .lateness = input.allowed_lateness});
    std::error_code error;
    if (path != "-" && std::filesystem::is_regular_file(path, error)) {
      out.logs.resize(out.partitions.size());
      const file::ContainerForm form = container_form(input);
      out.logs.back() = {.open = [path, form, options]() -> Result<std::unique_ptr<RecordSource>> {
                           auto again = file::open_log(path, form, options);
                           if (!again) return tl::unexpected(std::move(again).error());
                           return std::move(again->source);
                         },
                         .sample = [path, form, options](
                                       std::size_t places,
                                       std::size_t bytes) { return file::sample_log(path, form, options, places, bytes); }};
    }
  }
  return {};
}

Result<std::vector<MessageSchemas>> forms_of(const std::vector<InputSpec>& inputs, OpenMessages* open_messages) {
  std::vector<MessageSchemas> forms;
  for (const InputSpec& input : inputs) {
    if (!has_message_schemas(input)) {
      forms.emplace_back();
      continue;
    }
    if (open_messages == nullptr) {
      return failure(Errc::config_invalid,
                     "inputs with `registry` or `schema`: this program was built without Kafka "
                     "(RECMETER_CORE_ONLY); build preset release");
    }
    auto form = open_messages(input, warn);
    if (!form) return tl::unexpected(std::move(form).error());
    forms.push_back(std::move(*form));
  }
  return forms;
}

std::unique_ptr<RecordSource> awaited(std::unique_ptr<RecordSource> source, const MessageSchemas& form,
                                      const std::atomic<bool>& stop) {
  return form.wait ? form.wait(std::move(source), Going::to_an_end, stop) : std::move(source);
}

// Partitions are those of the topics in the dumps of all inputs.
Result<void> add_dumps(const std::vector<InputSpec>& inputs, const std::vector<MessageSchemas>& forms,
                       const file::FileOptions& options, ReplayInputs& out) {
  std::vector<file::Dump> dumps;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].format != InputFormat::kcat) continue;
    for (const std::string& path : inputs[i].files) dumps.push_back({.path = path, .input = i});
  }
  auto opened = file::open_dumps(dumps, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  for (std::size_t s = 0; s < opened->sources.size(); ++s) {
    const std::size_t input = opened->input_of[s];
    out.partitions.push_back({.source = awaited(std::move(opened->sources[s]), forms[input], *options.stop),
                              .decoder = input,
                              .lateness = inputs[input].allowed_lateness});
  }
  return {};
}

// The broker time from which topics are read for windows that start at `from` ([S7], `incomplete`): lists and
// feedback that may touch such a list, what was popular before it, and as much again as a broker's clock may be behind an
// event's. Nothing: from their beginning.
std::optional<EventTime> broker_time_for(const EvaluatorSpec& spec, EventTime from) {
  if (from == minus_infinity || needs_whole_past(spec)) return std::nullopt;
  const bool looks_back = std::any_of(spec.metrics.requests.begin(), spec.metrics.requests.end(), [](const auto& request) {
    const MetricDefinition* definition = find_metric(request.name);
    return definition != nullptr && definition->needs.has(ListPart::popularity);
  });
  const Duration popularity =
      looks_back ? Duration{spec.metrics.popularity.period_ms + spec.metrics.popularity.step_ms} : Duration{0};
  // What was shown up to a horizon before a lane's list says which of its items were seen.
  const Duration lanes = spec.lanes.is_wanted() ? spec.join.longest_horizon() + spec.join.assemble : Duration{0};
  const Duration ids = spec.join.counts_once() ? spec.join.once_memory() + spec.join.skew : Duration{0};
  return from - spec.join.pieces_reach() - spec.join.longest_horizon() - spec.join.skew - spec.time.max_future_skew -
         popularity - lanes - ids;
}

// Topics of all inputs share a connection, its memory and its bounds.
Result<void> add_topics(const Config& config, const std::vector<InputSpec>& inputs, const std::vector<MessageSchemas>& forms,
                        EventTime from, OpenTopicInputs* open_topics, const PinnedEnds& ends, const std::atomic<bool>& stop,
                        ReplayInputs& out) {
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
  auto opened = open_topics(config, topics, broker_time_for(config.spec, from), ends, stop);
  if (!opened) return tl::unexpected(std::move(opened).error());
  for (TopicInput& partition : *opened) {
    const std::size_t input = input_of[partition.topic];
    out.partitions.push_back({.source = awaited(std::move(partition.source), forms[input], stop),
                              .decoder = input,
                              .lateness = inputs[input].allowed_lateness});
  }
  return {};
}

}  // namespace

Result<ReplayInputs> replay_inputs(const Config& config, const std::vector<std::string>& files, EventTime from,
                                   const InputEdges& edges, const std::atomic<bool>& stop, const PinnedEnds& ends) {
  for (const std::string& path : files) {
    if (!path.ends_with(".yaml") && !path.ends_with(".yml")) continue;
    return failure(Errc::config_invalid, path + " is a configuration, no log; name it with --config");
  }
  auto inputs = chosen_inputs(config, files);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  ReplayInputs out;
  std::vector<std::string> paths;
  for (const InputSpec& input : *inputs) paths.insert(paths.end(), input.files.begin(), input.files.end());
  if (auto distinct = check_inputs_distinct(paths); !distinct) return tl::unexpected(std::move(distinct).error());
  const file::FileOptions options = out.file_options = {.message_bytes_max = config.spec.limits.message_bytes, .stop = &stop};
  const auto forms = forms_of(*inputs, edges.open_messages);
  if (!forms) return tl::unexpected(forms.error());
  for (std::size_t i = 0; i < inputs->size(); ++i) {
    out.lateness_max = std::max(out.lateness_max, (*inputs)[i].allowed_lateness);
    out.decoders.push_back(decoder_for(config, (*inputs)[i], (*forms)[i]));
  }
  for (std::size_t i = 0; i < inputs->size(); ++i) {
    if ((*inputs)[i].format == InputFormat::kcat) continue;
    if (auto added = add_files(config, (*inputs)[i], i, options, out); !added)
      return tl::unexpected(std::move(added).error());
  }
  if (auto added = add_dumps(*inputs, *forms, options, out); !added) return tl::unexpected(std::move(added).error());
  if (auto added = add_topics(config, *inputs, *forms, from, edges.open_topics, ends, stop, out); !added)
    return tl::unexpected(std::move(added).error());
  out.logs.resize(out.partitions.size());
  out.formats.resize(out.partitions.size());
  out.paths = std::move(paths);
  return out;
}

}  // namespace recmeter
