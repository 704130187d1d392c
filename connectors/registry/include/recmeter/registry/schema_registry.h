// SchemaRegistry: the schemas that a Confluent Schema Registry, or one that speaks as it does, knows by their ids.
//
// A thread of its own asks: what is wanted is queued, what has come is kept for good. While the registry cannot be asked (no
// connection, no answer within 10 s, a refusal, an answer that is none) it is asked again, after 1 s, then twice as long, up
// to a minute. That it does not know an id is an answer; it holds for a minute. Thread safety: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"

namespace recmeter::registry {

struct RegistryOptions {
  std::string url;  // http or https; what certificates are trusted is the system's choice
  std::string user;
  std::string password;
  Tell tell;  // told when it cannot be asked any more; from its thread; may be empty
};

// As they are written in a frame: a zero byte and four of an id, or a one and sixteen of a GUID.
using SchemaId = std::string_view;

struct KnownSchema {
  enum class Kind : std::uint8_t { avro, protobuf, other };
  struct Part {
    std::string name;  // by which others refer to it
    std::string text;
  };
  Kind kind = Kind::avro;
  std::vector<Part> parts;  // each before those that refer to it; the last is the schema
};

class SchemaRegistry {
 public:
  enum class Standing : std::uint8_t { asked, known, unknown };

  // Errors: config_invalid, where the URL is none.
  [[nodiscard]] static Result<std::shared_ptr<SchemaRegistry>> open(RegistryOptions options);
  virtual ~SchemaRegistry() = default;

  // Sees to it that it is asked for, if it is not known. Never waits.
  [[nodiscard]] virtual Standing want(SchemaId id) = 0;
  // Null: it is not known.
  [[nodiscard]] virtual std::shared_ptr<const KnownSchema> find(SchemaId id) const = 0;
  // Until something has been answered, or so long.
  virtual void wait(std::chrono::milliseconds most) = 0;
  // What keeps it from answering, since when: one sentence without secrets; "": it answers, or was not asked.
  [[nodiscard]] virtual std::string complaint() const = 0;
};

}  // namespace recmeter::registry
