#include "app/prequential/recommender_message.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "app/prequential/list_numbers.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

namespace {

constexpr std::size_t shown_bytes = 80;

tl::unexpected<Error> fault(std::string_view line, std::string_view what) {
  return failure(Errc::input_corrupt,
                 fmt::format("{}: {}{}", what, line.substr(0, shown_bytes), line.size() > shown_bytes ? "..." : ""));
}

// Absent: it is none.
std::optional<MadeList> list_of(simdjson::dom::element list, const LearningLog& log) {
  simdjson::dom::array items;
  if (list["items"].get(items) != simdjson::SUCCESS) return std::nullopt;
  MadeList out;
  for (const simdjson::dom::element item : items) {
    std::string_view text;
    if (item.get(text) != simdjson::SUCCESS) return std::nullopt;
    out.push_back({.item = log.items.find(text).value_or(unknown_item)});
  }
  if (!read_list_numbers(list, out)) return std::nullopt;
  return out;
}

void write_request(JsonWriter& json, std::size_t id, const Question& question, const LearningLog& log) {
  const auto text = [&](std::uint32_t item) { json.string(log.items.text(item)); };
  json.begin_object();
  json.member("id", id);
  json.member("ts", question.request->ts.ms);
  json.member("user_id", log.users.text(question.request->user));
  json.member("n", question.length);
  if (!question.excluded.empty()) json.array("exclude", question.excluded, text);
  if (!question.candidates.empty()) json.array("candidates", question.candidates, text);
  if (!question.request->context.empty()) {
    json.begin_object("context");
    for (const auto& [name, value] : question.request->context) json.member(name, value);
    json.end_object();
  }
  json.end_object();
}

}  // namespace

std::string hello_message(const RecommenderSpec& spec, const PrequentialSpec& rules, std::span<const std::string> actions) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member("hello", recommender_protocol);
  json.member("name", spec.name);
  json.member("seed", rules.seed);
  json.begin_array("actions");
  for (const std::uint8_t action : rules.learn) json.string(actions[action]);
  json.end_array();
  json.end_object();
  return out;
}

std::string learn_message(std::span<const LearnedEvent> events, std::span<const std::string> actions,
                          const LearningLog& log) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.array("learn", events, [&](const LearnedEvent& event) {
    json.begin_object();
    json.member("ts", event.ts.ms);
    json.member("user_id", log.users.text(event.user));
    json.member("item_id", log.items.text(event.item));
    json.member("action", actions[event.action]);
    if (event.value) json.member("value", *event.value);
    json.end_object();
  });
  json.end_object();
  return out;
}

std::string recommend_message(std::uint64_t number, std::span<const Question* const> questions, const LearningLog& log) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member("recommend", number);
  std::size_t id = 0;
  json.array("requests", questions, [&](const Question* question) { write_request(json, id++, *question, log); });
  json.end_object();
  return out;
}

std::string bye_message() {
  return R"({"bye":true})";
}

std::optional<std::string> fault_of_hello(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::element answer;
  std::string_view protocol;
  if (parser.parse(line.data(), line.size()).get(answer) == simdjson::SUCCESS &&
      answer["hello"].get(protocol) == simdjson::SUCCESS && protocol == recommender_protocol) {
    return std::nullopt;
  }
  return fault(line, fmt::format("does not answer hello with {{\"hello\":\"{}\"}}", recommender_protocol)).value().context;
}

Result<Answer> read_answer(std::string_view line, std::uint64_t number, std::size_t questions, const LearningLog& log) {
  simdjson::dom::parser parser;
  simdjson::dom::element message;
  Answer out;
  if (parser.parse(line.data(), line.size()).get(message) != simdjson::SUCCESS ||
      message["recommend"].get(out.number) != simdjson::SUCCESS) {
    return fault(line, "wrote a line that is not an answer");
  }
  if (out.number != number) return out;
  simdjson::dom::array lists;
  if (message["lists"].get(lists) != simdjson::SUCCESS) return fault(line, "gave an answer without lists");
  out.lists.resize(questions);
  std::vector<bool> is_there(questions);
  for (const simdjson::dom::element list : lists) {
    std::uint64_t id = 0;
    auto made = list_of(list, log);
    if (list["id"].get(id) != simdjson::SUCCESS || !made) {
      return fault(line, fmt::format("gave an invalid list (a list has id and items; {})", list_numbers_rule));
    }
    if (id >= questions || is_there[id]) {
      out.bad_items += made->size();
      continue;
    }
    is_there[id] = true;
    out.lists[id] = std::move(*made);
  }
  return out;
}

}  // namespace recmeter
