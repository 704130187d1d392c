#include "registry/question.h"

#include <cstdint>
#include <utility>

#include "recmeter/event/schema_bounds.h"

namespace recmeter::registry {
namespace {

constexpr std::size_t parts_max = 1000;

// 17, or 00112233-4455-...
std::string number_in(SchemaId id) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  std::uint32_t number = 0;
  for (std::size_t i = 1; i < id.size(); ++i) {
    const auto byte = static_cast<unsigned char>(id[i]);
    number = number << 8U | byte;
    if (i == 5 || i == 7 || i == 9 || i == 11) text += '-';
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return id.front() == '\1' ? text : std::to_string(number);
}

std::string cause_of(const HttpReply& reply) {
  if (reply.status == 200) return "its answer is not a schema; check `registry.url`";
  std::string cause = "it answers with status " + std::to_string(reply.status);
  if (reply.status == 401 || reply.status == 403) cause += "; check `registry.user` and `registry.password`";
  if (reply.status == 404) cause += " without an explanation; check `registry.url`";
  return cause;
}

std::shared_ptr<KnownSchema> too_large() {
  auto schema = std::make_shared<KnownSchema>();
  schema->kind = KnownSchema::Kind::too_large;
  return schema;
}

}  // namespace

Question::Question(SchemaId id) : id_(id), name_((id.front() == '\1' ? "GUID " : "id ") + number_in(id)) {
  begin();
}

void Question::begin() {
  path_ = (id_.front() == '\1' ? "/schemas/guids/" : "/schemas/ids/") + number_in(id_);
  part_ = "schema";
  levels_.clear();
  seen_.clear();
  bytes_ = 0;
  made_ = std::make_shared<KnownSchema>();
}

void Question::end(std::shared_ptr<KnownSchema> schema) {
  path_.clear();
  levels_.clear();
  made_.reset();
  schema_ = std::move(schema);
}

Result<void> Question::take(const Result<HttpReply>& reply) {
  const auto again = [this](std::string cause) {
    begin();
    return failure(Errc::input_unreadable, std::move(cause));
  };
  if (!reply) return again(reply.error().context);
  if (reply->status == 404 && says_unknown(reply->body)) {
    end(nullptr);
    return {};
  }
  if (reply->status == 200 && reply->is_too_large) {
    end(too_large());
    return {};
  }
  auto answer = reply->status == 200 ? parse_answer(reply->body) : std::nullopt;
  if (!answer) return again(cause_of(*reply));
  if (levels_.empty()) made_->kind = answer->kind;
  bytes_ += answer->text.size();
  levels_.push_back({.answer = std::move(*answer), .name = part_});
  go_on();
  return {};
}

// Schemas that one refers to come before it.
void Question::go_on() {
  while (!levels_.empty()) {
    Level& level = levels_.back();
    while (level.next < level.answer.references.size()) {
      const RegistryAnswer::Reference& reference = level.answer.references[level.next++];
      if (!seen_.insert(reference.name).second) continue;
      part_ = reference.name;
      path_ = "/subjects/" + HttpGets::escaped(reference.subject) + "/versions/" + reference.version;
      if (seen_.size() > parts_max || bytes_ > schema_text_bytes_max) end(too_large());
      return;
    }
    made_->parts.push_back({.name = std::move(level.name), .text = std::move(level.answer.text)});
    levels_.pop_back();
  }
  end(bytes_ > schema_text_bytes_max ? too_large() : made_);
}

}  // namespace recmeter::registry
