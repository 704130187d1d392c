// ApiContract: docs/openapi.yaml as a judge of what the API answers.
//
// It knows the keywords that the page uses, and a schema with another one is a fault: no rule is passed over. It is stricter
// than clients need to be: an object whose schema lists properties has no others, so that the page is held complete.
#pragma once

#include <yaml-cpp/yaml.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace recmeter::support {

class ApiContract {
 public:
  ApiContract();

  // What of `value` is not as components/schemas/`schema` says, each with its place; empty when all is.
  [[nodiscard]] std::vector<std::string> faults(const nlohmann::json& value, const std::string& schema) const;
  // The same for the answer to a GET of `path`.
  [[nodiscard]] std::vector<std::string> faults_of_answer(const nlohmann::json& value, const std::string& path,
                                                          int status) const;
  // Places that say nothing: an object without members, a list without items, a key without a value (a comma in a text
  // without quotes makes one).
  [[nodiscard]] std::vector<std::string> bare_schemas() const;

 private:
  YAML::Node root_;
};

}  // namespace recmeter::support
