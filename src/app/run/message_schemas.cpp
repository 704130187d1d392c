#include "app/run/message_schemas.h"

#include <utility>

#include "config/file_text.h"
#include "recmeter/avro/avro_reader.h"
#include "recmeter/avro/program.h"
#include "recmeter/protobuf/program.h"
#include "recmeter/registry/framed_reader.h"
#include "recmeter/registry/schema_registry.h"
#include "recmeter/registry/schema_source.h"

namespace recmeter {
namespace {

constexpr std::size_t schema_bytes_max = std::size_t{16} << 20;

tl::unexpected<Error> cannot_be_used(const InputSpec& input, const std::string& cause) {
  return failure(Errc::config_invalid, "the schema " + input.schema + " (inputs, `schema`) cannot be used: " + cause);
}

Result<MessageSchemas> of_avro(const InputSpec& input, const std::string& text) {
  static const WantedFields nothing;
  if (auto program = avro::Program::compile({&text, 1}, &nothing); !program)
    return cannot_be_used(input, program.error().context);
  RecordLayout layout;
  layout.text = text;
  return MessageSchemas{.reader = avro::avro_reader(std::make_shared<const RecordLayout>(std::move(layout)))};
}

Result<MessageSchemas> of_protobuf(const InputSpec& input, const std::string& text) {
  const protobuf::SchemaFile file{.name = "schema", .text = text};
  auto schema = input.schema.ends_with(".proto") ? protobuf::MessageSchema::of_texts({&file, 1})
                                                 : protobuf::MessageSchema::of_descriptors(text);
  if (!schema) return cannot_be_used(input, schema.error().context);
  const auto* const message = schema->message(input.message);
  if (message == nullptr) {
    return cannot_be_used(input,
                          "it has no message `" + input.message + "`; write `message` with its package: shop.ListShown");
  }
  return MessageSchemas{.reader = protobuf::message_reader(std::move(*schema), *message)};
}

Result<MessageSchemas> of_registry(const InputSpec& input, const Tell& tell) {
  auto opened = registry::SchemaRegistry::open(
      {.url = input.registry.url, .user = input.registry.user, .password = input.registry.password, .tell = tell});
  if (!opened) return tl::unexpected(std::move(opened).error());
  return MessageSchemas{
      .reader = registry::framed_reader(*opened),
      .wait =
          [schemas = *opened](std::unique_ptr<RecordSource> source, Going going, const std::atomic<bool>& stop) {
            const auto waiting = going == Going::on ? registry::Waiting::between_reads : registry::Waiting::in_read;
            return registry::schema_source(std::move(source), schemas, {.waiting = waiting, .stop = &stop});
          },
      .complaint = [schemas = *opened] { return schemas->complaint(); }};
}

}  // namespace

Result<MessageSchemas> open_messages(const InputSpec& input, const Tell& tell) {
  if (!input.registry.url.empty()) return of_registry(input, tell);
  if (input.schema.empty()) return MessageSchemas();
  const auto text = config::read_file(input.schema, schema_bytes_max);
  if (!text) return cannot_be_used(input, text.error().context);
  const bool is_protobuf = input.format == InputFormat::protobuf || !input.message.empty();
  return is_protobuf ? of_protobuf(input, *text) : of_avro(input, *text);
}

}  // namespace recmeter
