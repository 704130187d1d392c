#include "event/raw_members.h"

#include <simdjson.h>

#include "recmeter/base/check.h"

namespace recmeter {
namespace {

namespace ondemand = simdjson::ondemand;

std::string_view without_trailing_space(std::string_view token) {
  const std::size_t last = token.find_last_not_of(" \t\r\n");
  return token.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Keys are compared unescaped, as the parsed document has them.
ondemand::object member_object(ondemand::object object, std::string_view name) {
  for (auto field : object) {
    if (field.unescaped_key().value_unsafe() != name) continue;
    ondemand::object member;
    RECMETER_CHECK(field.value().get_object().get(member) == simdjson::SUCCESS, "the record was found valid before");
    return member;
  }
  RECMETER_CHECK(false, "the record holds an object at the path");
}

}  // namespace

struct RawMembers::Parser {
  ondemand::parser parser;
};

RawMembers::RawMembers() : parser_(std::make_unique<Parser>()) {}
RawMembers::~RawMembers() = default;
RawMembers::RawMembers(RawMembers&&) noexcept = default;
RawMembers& RawMembers::operator=(RawMembers&&) noexcept = default;

std::span<const std::string_view> RawMembers::read(std::string_view record, std::span<const std::string> path) {
  members_.clear();
  ondemand::document document;
  const simdjson::padded_string_view padded(record.data(), record.size(), record.size() + simdjson::SIMDJSON_PADDING);
  RECMETER_CHECK(parser_->parser.iterate(padded).get(document) == simdjson::SUCCESS, "the record was found valid before");
  ondemand::object object;
  RECMETER_CHECK(document.get_object().get(object) == simdjson::SUCCESS, "the record is an object");
  for (const std::string& name : path) object = member_object(object, name);
  for (auto field : object) members_.push_back(without_trailing_space(field.value().raw_json_token().value_unsafe()));
  return members_;
}

}  // namespace recmeter
