#include "config/load_config.h"

#include <algorithm>
#include <cstdlib>

#include "config/catalog_file.h"
#include "config/config_hash.h"
#include "config/document.h"
#include "config/file_text.h"
#include "config/kept_text.h"
#include "config/readers.h"
#include "config/shapes.h"

namespace recmeter {

namespace config {

std::optional<std::string> read_name(ValueReader& reader, const Value& value) {
  auto name = reader.text(value, 100);
  if (!name) return std::nullopt;
  if (name->find_first_not_of(name_characters) == std::string::npos) return name;
  reader.complain_of(value, "is no name", "write letters, digits, `.`, `_` and `-`");
  return std::nullopt;
}

// Reasons of invalid records that are by design.
void read_tolerated(Section& section, Limits& limits) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < invalid_reason_count; ++i) names.push_back(to_string(static_cast<InvalidReason>(i)));
  const auto value = section.take("tolerated_reasons");
  const auto entries = value ? section.reader().list(*value, "[no_type]", invalid_reason_count) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) {
    const auto reason = section.reader().word(entry, names);
    if (reason && !limits.tolerated_reasons.insert(static_cast<InvalidReason>(*reason)).second)
      section.reader().complain_of(entry, "is there twice", "remove one");
  }
}

void read_limits(Section& root, Config& config) {
  Limits& limits = config.spec.limits;
  Section section = root.section("limits", "limits: {list_items: 1000}");
  section.read(limits_keys, limits);
  section.read(recommender_limits_keys, config.prequential);
  read_tolerated(section, limits);
  section.finish();
}

std::size_t id_bytes_max(const Config& config, const Faults& faults) {
  return faults.none_in({"limits.id_bytes"}) ? config.spec.limits.id_bytes : document_bytes_max;
}

void read_ratings(Section& root, RatingRule& rule) {
  Section ratings = root.section("ratings", "ratings: {min: 1, max: 5}");
  ratings.read(ratings_keys, rule);
  if (const auto extremes = ratings.take("extremes")) {
    constexpr Range<double> values{-1e8, 1e8};
    const auto entries = ratings.reader().list(*extremes, "[2, 4]", 2);
    if (entries && entries->size() != 2) ratings.reader().complain(*extremes, "does not have two bounds", "write [2, 4]");
    if (entries && entries->size() == 2) {
      rule.extremes_low = ratings.reader().number((*entries)[0], values).value_or(rule.extremes_low);
      rule.extremes_high = ratings.reader().number((*entries)[1], values).value_or(rule.extremes_high);
    }
  }
  ratings.finish();
}

void read_off_policy(Section& root, EvaluatorSpec& spec) {
  const auto value = root.take("off_policy");
  if (!value || !root.reader().is_mapping(*value, "off_policy: {propensities: marginal}")) return;
  Section section(root.faults(), value->node, value->path);
  section.read(off_policy_keys, spec.off_policy.emplace());
  section.finish();
}

Config read_config(const Node& document, const ConfigContext& context, Faults& faults) {
  Config config;
  Section root(faults, document.kind == Node::Kind::mapping ? &document : nullptr, {});
  root.read(root_keys, config);
  if (const auto name = root.take("name")) config.spec.name = read_name(root.reader(), *name).value_or("");
  read_limits(root, config);
  Section time = root.section("time", "time: {allowed_lateness: 1m}");
  time.read(time_keys, config);
  time.finish();
  read_join(root, config);
  read_inputs(root, config);
  read_windows(root, config);
  read_attribution(root, config);
  read_segments(root, config);
  read_catalog(root, config, context.read_catalog);
  check_item_group(config, faults);
  read_off_policy(root, config.spec);
  read_metrics(root, config);
  read_ratings(root, config.spec.ratings);
  read_lanes(root, config);
  read_experiments(root, config);
  read_kafka(root, config);
  read_dead_letter(root, config);
  read_state(root, config);
  read_publish(root, config);
  read_recommenders(root, config);
  root.finish();
  check_contradictions(config, context.check_live, faults);
  return config;
}

}  // namespace config

ConfigContext process_context() {
  const auto variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
  return {.environment = variable, .read_catalog = load_catalog};
}

tl::expected<Config, std::vector<ConfigFault>> load_config(std::string_view yaml, const std::string& file_name,
                                                           const ConfigContext& context) {
  config::Faults faults(file_name);
  std::optional<config::Node> document = config::parse_document(yaml, context.environment, faults);
  if (!document) return tl::unexpected(faults.all());
  config::fill_in_shapes(*document);
  Config config = config::read_config(*document, context, faults);
  if (!faults.empty()) return tl::unexpected(faults.all());
  config.spec.config_hash = config_hash(config.spec);
  config.kept_text = config::kept_text(*document);
  config.parted_text = config::parted_text(*document);
  config.written = config::written_values(*document);
  return config;
}

tl::expected<Config, std::vector<ConfigFault>> load_config_file(const std::string& path, const ConfigContext& context) {
  const Result<std::string> text = config::read_file(path, config::document_bytes_max + 1);
  if (text) return load_config(*text, path, context);
  const bool is_missing = text.error().code == Errc::input_missing;
  return tl::unexpected(
      std::vector<ConfigFault>{{path,
                                1,
                                1,
                                {},
                                "cannot be read: " + text.error().context,
                                is_missing ? "check the path; `recmeter init` writes a configuration to start from"
                                           : "name a file that you may read"}});
}

}  // namespace recmeter
