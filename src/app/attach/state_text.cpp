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

void write_partitions(JsonWriter& json, const Checkpoint& checkpoint) {
  json.begin_array("partitions");
  for (std::size_t p = 0; p < checkpoint.positions.size(); ++p) {
    const Sequencer::PartitionState& partition = checkpoint.sequencer.partitions[p];
    json.begin_object();
    json.member("name", partition.name);
    json.member("next_offset", checkpoint.positions[p].next_offset);
    json.member("records", partition.records);
    json.member("newest", partition.clock.max_time.value_or(minus_infinity));
    json.end_object();
  }
  json.end_array();
}

void write_rows(JsonWriter& json, std::string_view name, const StateSurvey::Rows& rows) {
  json.begin_object(name);
  json.member("final", rows.made);
  json.member("published", rows.made - rows.waiting);
  json.member("waiting", rows.waiting);
  json.end_object();
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
  if (survey.panes.panes > 0) {
    out += fmt::format("sealed panes  {}, {} bytes\n", survey.panes.panes, survey.panes.bytes);
  }
  if (checkpoint.backlog) {
    out += fmt::format("evaluated to  {}, {} events are read beyond it: it was reading its state again\n",
                       utc(checkpoint.backlog->to), checkpoint.backlog->events);
  }
  out += fmt::format("lists         {}\n", checkpoint.lists);
  out += fmt::format("final rows    {}, {} not known to be published\n", survey.rows.made, survey.rows.waiting);
  if (survey.looks.made > 0) {
    out += fmt::format("looks         {}, {} not known to be published\n", survey.looks.made, survey.looks.waiting);
  }
  if (survey.bytes_waiting > 0) out += fmt::format("waiting       {} bytes\n", survey.bytes_waiting);
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
  json.member("schema", "recmeter.state/1");
  json.member("directory", facts.directory);
  json.member("format", facts.format);
  json.member("bytes", facts.bytes);
  json.member("checkpoints", checkpoint.number);
  json.member("watermark", checkpoint.sequencer.watermark);
  json.member("evaluated_to", checkpoint.backlog ? checkpoint.backlog->to : checkpoint.sequencer.watermark);
  write_partitions(json, checkpoint);
  json.member("lists", checkpoint.lists);
  write_rows(json, "rows", survey.rows);
  write_rows(json, "looks", survey.looks);
  json.begin_object("journal");
  json.member("events", survey.journal.events);
  json.member("from", survey.journal.from);
  json.member("to", survey.journal.to);
  json.member("blocks", survey.journal.blocks);
  json.member("bytes", survey.journal.bytes);
  json.end_object();
  json.begin_object("panes");
  json.member("sealed", survey.panes.panes);
  json.member("bytes", survey.panes.bytes);
  json.end_object();
  json.end_object();
  return out + "\n";
}

}  // namespace recmeter
