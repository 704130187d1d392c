#include "app/run/message_schemas.h"

#include <array>
#include <map>
#include <mutex>
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
constexpr std::size_t pem_bytes_max = std::size_t{1} << 20;

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

// The client of a registry that an input of this process has, or a new one: what it may be asked is bounded for all together.
Result<std::shared_ptr<registry::SchemaRegistry>> client_of(const RegistrySpec& spec, const Tell& tell) {
  static std::mutex mutex;
  static std::map<std::array<std::string, 6>, std::weak_ptr<registry::SchemaRegistry>> clients;
  const std::scoped_lock lock(mutex);
  std::erase_if(clients, [](const auto& client) { return client.second.expired(); });
  auto& known = clients[{spec.url, spec.user, spec.password, spec.ca, spec.certificate, spec.key}];
  if (auto client = known.lock(); client != nullptr) return client;
  auto opened = registry::SchemaRegistry::open({.url = spec.url,
                                                .user = spec.user,
                                                .password = spec.password,
                                                .tell = tell,
                                                .ca = spec.ca,
                                                .certificate = spec.certificate,
                                                .key = spec.key});
  if (opened) known = *opened;
  return opened;
}

Result<MessageSchemas> of_registry(const InputSpec& input, const Tell& tell) {
  const RegistrySpec& spec = input.registry;
  for (const auto& [key, file] :
       {std::pair("ca", &spec.ca), std::pair("certificate", &spec.certificate), std::pair("key", &spec.key)}) {
    if (file->empty()) continue;
    if (const auto text = config::read_file(*file, pem_bytes_max); !text) {
      return failure(Errc::config_invalid, "`registry." + std::string(key) + "` cannot be used: " + text.error().context);
    }
  }
  const auto opened = client_of(spec, tell);
  if (!opened) return tl::unexpected(opened.error());
  return MessageSchemas{
      .reader = registry::framed_reader(*opened, tell),
      .wait =
          [schemas = *opened](std::unique_ptr<RecordSource> source, Going going, const std::atomic<bool>& stop) {
            const auto waiting = going == Going::on ? registry::Waiting::between_reads : registry::Waiting::in_read;
            return registry::schema_source(std::move(source), schemas, {.waiting = waiting, .stop = &stop});
          },
      .complaint = [schemas = *opened] { return schemas->complaint(); },
      .registry =
          [schemas = *opened, url = spec.url] {
            const auto counts = schemas->counts();
            return RegistryStatus{.url = url, .is_up = counts.is_up, .asked = counts.asked, .unknown = counts.unknown};
          }};
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
