// The command `recmeter recommenders`: what each built-in recommender does. [I2].
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/commands/option_values.h"
#include "app/commands/recommender_client.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/standard_output.h"
#include "recmeter/recommend/recommender.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

namespace {

std::string all_text() {
  std::string text = "Kinds of recommenders; recmeter recommenders NAME shows one in full.\n\n";
  for (const RecommenderDefinition& one : recommender_definitions()) {
    text += fmt::format("  {:<12} {}\n", one.name, one.parameters);
  }
  return text;
}

std::string one_text(const RecommenderDefinition& one) {
  std::string text = fmt::format("{}\n  score       {}\n  parameters  {}\n", one.name, one.score, one.parameters);
  if (!one.source.empty()) text += fmt::format("  source      {}\n", one.source);
  return text;
}

void write_json(JsonWriter& json, const RecommenderDefinition& one) {
  json.begin_object();
  json.member("name", one.name);
  json.member("score", one.score);
  json.member("parameters", one.parameters);
  json.member("source", one.source);
  json.end_object();
}

ExitCode run_recommenders(const std::string& name, const std::string& client) {
  if (!client.empty()) return print(std::string(python_client()));
  const auto all = recommender_definitions();
  const auto named = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (!name.empty() && named == all.end()) {
    complain({Errc::config_invalid, "there is no recommender " + name + "; recmeter recommenders lists them all"});
    return ExitCode::usage;
  }
  if (message_form() != MessageForm::json) return print(name.empty() ? all_text() : one_text(*named));
  std::string out;
  JsonWriter json(out, 0);
  if (!name.empty()) {
    write_json(json, *named);
  } else {
    json.begin_array();
    for (const RecommenderDefinition& one : all) write_json(json, one);
    json.end_array();
  }
  return print(out + "\n");
}

Command define_recommenders(CLI::App& parser) {
  const auto name = std::make_shared<std::string>(), client = std::make_shared<std::string>();
  CLI::App* sub = parser.add_subcommand("recommenders", "Describe each recommender of prequential: score, parameters");
  sub->add_option("NAME", *name, "One in full; without it a line for each")->type_name("");
  sub->add_option("--client", *client,
                  "python: prints the file that makes a model of yours a recommender of kind: process; it needs no package")
      ->type_name("LANGUAGE")
      ->check(one_of_words({"python"}));
  return {sub, [name, client](const std::atomic<bool>& /*stop*/) { return run_recommenders(*name, *client); }};
}

const CommandRegistration recommenders_registration(CommandPlace::recommenders, define_recommenders);

}  // namespace

}  // namespace recmeter
