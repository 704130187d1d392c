// Question: one for a schema, with all that the schema refers to: which paths are asked, and what the answers come to.
//
// It knows no server: whoever asks brings the reply to each path before the next one is known. Thread safety: none.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/registry/schema_registry.h"
#include "registry/answer.h"
#include "registry/http_gets.h"

namespace recmeter::registry {

class Question {
 public:
  explicit Question(SchemaId id);

  [[nodiscard]] const std::string& id() const { return id_; }
  // "id 17", or "GUID ...".
  [[nodiscard]] const std::string& name() const { return name_; }
  // What is to be asked next; "": nothing, schema() is the answer.
  [[nodiscard]] const std::string& path() const { return path_; }
  // The reply to path(). Errors: input_unreadable, with cause and remedy: the reply is none; the question begins anew.
  [[nodiscard]] Result<void> take(const Result<HttpReply>& reply);
  // Null: the registry does not know it, or something that it refers to. One that is too large is of no kind that is read.
  [[nodiscard]] std::shared_ptr<const KnownSchema> schema() const { return schema_; }

 private:
  // A schema whose references are asked for.
  struct Level {
    RegistryAnswer answer;
    std::string name;
    std::size_t next = 0;
  };

  void begin();
  void end(std::shared_ptr<KnownSchema> schema);
  // On to the next reference that was not asked for, or to the end.
  void go_on();

  std::string id_;
  std::string name_;
  std::string path_;
  std::string part_;  // the name of what is asked for
  std::vector<Level> levels_;
  std::set<std::string> seen_;  // names
  std::size_t bytes_ = 0;       // of texts
  std::shared_ptr<KnownSchema> made_;
  std::shared_ptr<const KnownSchema> schema_;
};

}  // namespace recmeter::registry
