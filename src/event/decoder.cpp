#include "recmeter/event/decoder.h"

#include <utility>

#include "event/json_decoder.h"
#include "event/shaped_decoder.h"

namespace recmeter {

namespace {

// Takes out of the table, and of every rule of its shape, what is not read.
void drop(FieldTable& table, Field field) {
  const auto at = static_cast<std::size_t>(field);
  table.paths[at].clear();
  if (!table.shape) return;
  table.shape->common.fields[at].reset();
  for (EventRule& rule : table.shape->rules) rule.fields.fields[at].reset();
}
void drop(FieldTable& table, EntryField field) {
  if (!table.shape) return;
  const auto at = static_cast<std::size_t>(field);
  table.shape->common.entry[at].reset();
  for (EventRule& rule : table.shape->rules) rule.fields.entry[at].reset();
}

void drop_unread(FieldTable& table, OptionalFields reads) {
  if (!reads.recommender) drop(table, Field::recommender);
  if (!reads.policies) {
    drop(table, Field::predicted);
    drop(table, Field::expected);
  }
  if (!reads.latency_ms) drop(table, Field::latency_ms);
  if (reads.teams) return;
  drop(table, Field::teams);
  drop(table, Field::team);
  drop(table, EntryField::team);
}

}  // namespace

std::unique_ptr<EventDecoder> make_decoder(DecoderOptions options) {
  drop_unread(options.fields, options.reads);
  if (options.fields.shape) return std::make_unique<ShapedDecoder>(std::move(options));
  return std::make_unique<JsonDecoder>(std::move(options));
}

}  // namespace recmeter
