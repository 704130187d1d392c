// RegistryAnswer: what a registry says to a question for a schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/registry/schema_registry.h"

namespace recmeter::registry {

struct RegistryAnswer {
  struct Reference {
    std::string name;
    std::string subject;
    std::string version;
  };
  std::string text;
  KnownSchema::Kind kind = KnownSchema::Kind::avro;
  std::vector<Reference> references;
};

// Nothing: it is none.
[[nodiscard]] std::optional<RegistryAnswer> parse_answer(std::string_view json);
// Whether the body of a 404 is a registry's word that it does not know the schema.
[[nodiscard]] bool says_unknown(std::string_view json);

}  // namespace recmeter::registry
