#include "app/attach/state_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/console/messages.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

bool is_some(EventTime time) {
  return time != minus_infinity && time != plus_infinity;
}

std::string utc(EventTime time) {
  return is_some(time) ? render_utc(time) : "none yet";
}

void write(JsonWriter& json, std::string_view key, EventTime time) {
  json.key(key);
  if (is_some(time)) {
    json.integer(time.ms);
  } else {
    json.null();
  }
}

template <class Count>
void write(JsonWriter& json, std::string_view key, Count count) {
  json.key(key);
  json.integer(count);
}

void write_partitions(JsonWriter& json, const Checkpoint& checkpoint) {
  json.key("partitions");
  json.begin_array();
  for (std::size_t p = 0; p < checkpoint.positions.size(); ++p) {
    const Sequencer::PartitionState& partition = checkpoint.sequencer.partitions[p];
    json.begin_object();
    json.key("name");
    json.string(partition.name);
    write(json, "next_offset", checkpoint.positions[p].next_offset);
    write(json, "records", partition.records);
    write(json, "newest", partition.clock.max_time.value_or(minus_infinity));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string state_text(const StateFacts& facts) {
  const StateSurvey& survey = facts.survey;
  std::string out = fmt::format("{}: format {}, {} bytes on disk\n", harmless(facts.directory), facts.format, facts.bytes);
  if (!survey.checkpoint) return out + "nothing has been kept yet\n";
  const Checkpoint& checkpoint = *survey.checkpoint;
  out += fmt::format("checkpoints   {}\n", checkpoint.number);
  out += fmt::format("watermark     {}\n", utc(checkpoint.sequencer.watermark));
  out += fmt::format("journal       {} events from {} to {}, {} blocks, {} bytes\n", survey.journal.events,
                     utc(survey.journal.from), utc(survey.journal.to), survey.journal.blocks, survey.journal.bytes);
  if (checkpoint.backlog) {
    out += fmt::format("evaluated to  {}, {} events are read beyond it: it was reading its state again\n",
                       utc(checkpoint.backlog->to), checkpoint.backlog->events);
  }
  out += fmt::format("lists         {}\n", checkpoint.lists);
  out += fmt::format("final rows    {}, {} not known to be published ({} bytes)\n", checkpoint.rows, survey.rows_waiting,
                     survey.bytes_waiting);
  std::size_t width = 9;
  for (const auto& partition : checkpoint.sequencer.partitions) width = std::max(width, harmless(partition.name).size());
  out += fmt::format("{:<{}}  {:>12}  {:>12}  newest event\n", "partition", width, "next offset", "records");
  for (std::size_t p = 0; p < checkpoint.positions.size(); ++p) {
    const Sequencer::PartitionState& partition = checkpoint.sequencer.partitions[p];
    out += fmt::format("{:<{}}  {:>12}  {:>12}  {}\n", harmless(partition.name), width, checkpoint.positions[p].next_offset,
                       partition.records, utc(partition.clock.max_time.value_or(minus_infinity)));
  }
  return out;
}

std::string state_json(const StateFacts& facts) {
  const StateSurvey& survey = facts.survey;
  const Checkpoint none;
  const Checkpoint& checkpoint = survey.checkpoint ? *survey.checkpoint : none;
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.key("schema");
  json.string("recmeter.state/1");
  json.key("directory");
  json.string(facts.directory);
  write(json, "format", facts.format);
  write(json, "bytes", facts.bytes);
  write(json, "checkpoints", checkpoint.number);
  write(json, "watermark", checkpoint.sequencer.watermark);
  write(json, "evaluated_to", checkpoint.backlog ? checkpoint.backlog->to : checkpoint.sequencer.watermark);
  write_partitions(json, checkpoint);
  write(json, "lists", checkpoint.lists);
  json.key("rows");
  json.begin_object();
  write(json, "final", checkpoint.rows);
  write(json, "published", checkpoint.published);
  write(json, "waiting", survey.rows_waiting);
  json.end_object();
  json.key("journal");
  json.begin_object();
  write(json, "events", survey.journal.events);
  write(json, "from", survey.journal.from);
  write(json, "to", survey.journal.to);
  write(json, "blocks", survey.journal.blocks);
  write(json, "bytes", survey.journal.bytes);
  json.end_object();
  json.end_object();
  return out + "\n";
}

}  // namespace recmeter
