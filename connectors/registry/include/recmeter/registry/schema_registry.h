// SchemaRegistry: the schemas that a Confluent Schema Registry, or one that speaks as it does, knows by their ids.
//
// A thread of its own asks for what is wanted: 16 questions side by side, at most 100 a second. While the registry cannot be
// asked (no connection, no answer within 10 s, a refusal, an answer that is none) it is asked again, one question at a time,
// after 1 s, then twice as long, up to a minute. That it does not know an id is an answer, and nothing else is; it holds for
// 10 minutes, of the last 100,000 such ids. Texts of schemas are kept up to schema_texts_in_all_max: beyond it those that
// nobody holds are forgotten, what was not used for longest first, and asked for again. Thread safety: any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"

namespace recmeter::registry {

struct RegistryOptions {
  std::string url;  // http or https
  std::string user;
  std::string password;
  Tell tell;                     // what is said of it, from its thread; may be empty
  std::string ca = {};           // PEM files: whose certificates are trusted, "": those that the system trusts;
  std::string certificate = {};  // and who asks, "": nobody in particular
  std::string key = {};
  std::chrono::milliseconds unknown_holds = std::chrono::minutes(10);
  std::size_t unknown_max = 100'000;
  std::chrono::milliseconds busy_after = std::chrono::seconds(5);  // then it is said that records wait
};

// As they are written in a frame: a zero byte and four of an id, or a one and sixteen of a GUID.
using SchemaId = std::string_view;

struct KnownSchema {
  // too_large: beyond schema_text_bytes_max, with all that it refers to; it has no parts.
  enum class Kind : std::uint8_t { avro, protobuf, other, too_large };
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
  struct Counts {
    bool is_up = true;        // it answers, or was not asked
    std::size_t asked = 0;    // questions that are open
    std::size_t unknown = 0;  // ids that it does not know, and that are remembered
  };

  // Errors: config_invalid, where the URL is none.
  [[nodiscard]] static Result<std::shared_ptr<SchemaRegistry>> open(RegistryOptions options);
  virtual ~SchemaRegistry() = default;

  // Sees to it that it is asked for, if it is not known. Never waits.
  [[nodiscard]] virtual Standing want(SchemaId id) = 0;
  // Null: it is not known. What it returns is not forgotten while somebody holds it.
  [[nodiscard]] virtual std::shared_ptr<const KnownSchema> find(SchemaId id) const = 0;
  // Until something has been answered, or so long.
  virtual void wait(std::chrono::milliseconds most) = 0;
  // What keeps it from answering, or how many questions are open, if some have been for `busy_after`: one sentence without
  // secrets; "": it answers, or was not asked.
  [[nodiscard]] virtual std::string complaint() const = 0;
  // How many answers it has given.
  [[nodiscard]] virtual std::uint64_t answers() const = 0;
  [[nodiscard]] virtual Counts counts() const = 0;
};

}  // namespace recmeter::registry
