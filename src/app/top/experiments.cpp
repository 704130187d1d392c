#include "app/top/experiments.h"

#include <simdjson.h>

#include <utility>

#include "app/top/ask.h"

namespace recmeter::top {

Result<std::vector<std::string>> experiments_of(const EvaluatorAddress& evaluator, const std::atomic<bool>& stop) {
  const auto options = get_options(evaluator, stop);
  if (!options) return tl::unexpected(options.error());
  const auto answer = ask(evaluator.url, "/api/v1/experiments", *options);
  if (!answer) return tl::unexpected(answer.error());
  const auto no_answer =
      failure(Errc::input_unreadable,
              evaluator.url + "/api/v1/experiments: not an answer of an evaluator; check that the URL is recmeter's");
  const simdjson::padded_string text(*answer);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::array experiments;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return no_answer;
  if (document["experiments"].get_array().get(experiments) != simdjson::SUCCESS) return no_answer;
  std::vector<std::string> rows;
  for (auto experiment : experiments) {
    simdjson::ondemand::object row;
    std::string_view bytes;  // as they came: numbers keep their digits
    if (experiment.get_object().get(row) != simdjson::SUCCESS) return no_answer;
    if (row.raw_json().get(bytes) != simdjson::SUCCESS) return no_answer;
    rows.emplace_back(bytes);
  }
  return rows;
}

}  // namespace recmeter::top
