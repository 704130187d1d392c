#include "batch_spec.h"

#include <nlohmann/json.hpp>

namespace recmeter::conformance {
namespace {

using Json = nlohmann::json;

Duration duration(const Json& from, const char* name, Duration otherwise) {
  return Duration{from.value(name, otherwise.ms)};
}

JoinRule join_rule(const Json& json) {
  JoinRule join;
  if (json.value("key", "user") == "list") join.key.by = JoinKey::By::list;
  for (const Json& id : json.value("not_users", Json::array())) join.key.not_users.insert(id.get<std::string>());
  const std::string credit = json.value("credit", "last_touch");
  join.credit = credit == "every_touch"   ? Credit::every_touch
                : credit == "first_touch" ? Credit::first_touch
                                          : Credit::last_touch;
  for (const Json& horizon : json.at("horizons")) join.horizons.push_back(Duration{horizon.get<std::int64_t>()});
  const Json& actions = json.at("actions");
  for (const Json& entry : actions) {
    Action& action = join.actions.emplace_back();
    action.name = entry.at("name").get<std::string>();
    action.gain = entry.value("gain", 1.0);
    if (entry.contains("horizon")) action.horizon = Duration{entry["horizon"].get<std::int64_t>()};
    for (std::size_t a = 0; a < actions.size(); ++a) {
      if (entry.contains("after") && actions[a].at("name") == entry["after"]) action.after = a;
    }
  }
  join.skew = duration(json, "skew", join.skew);
  join.same_list = duration(json, "same_list", join.same_list);
  join.assemble = duration(json, "assemble", join.assemble);
  return join;
}

MetricRequest metric_request(const Json& entry) {
  MetricRequest request;
  if (entry.is_string()) {
    request.name = entry.get<std::string>();
    return request;
  }
  request.name = entry.at("name").get<std::string>();
  if (entry.contains("as")) request.as = entry["as"].get<std::string>();
  if (entry.value("gain", "linear") == "exp2") request.options.gain = GainKind::exp2;
  const std::string denominator = entry.value("ap_denominator", "min");
  if (denominator == "relevant") request.options.ap_denominator = ApDenominator::relevant;
  if (denominator == "k") request.options.ap_denominator = ApDenominator::k;
  if (denominator == "hits") request.options.ap_denominator = ApDenominator::hits;
  request.options.beta = entry.value("beta", request.options.beta);
  return request;
}

EvaluatorSpec evaluator_spec(const Json& json) {
  EvaluatorSpec spec;
  spec.name = json.value("name", spec.name);
  spec.config_hash = json.value("config", "0000000000000000");
  spec.join = join_rule(json);
  spec.time.max_step = duration(json, "max_step", spec.time.max_step);
  for (const Json& entry : json.value("windows", Json::parse(R"([{"name":"minute","size":60000}])"))) {
    WindowSpec& window = spec.windows.emplace_back();
    window.name = entry.at("name").get<std::string>();
    window.size = Duration{entry.at("size").get<std::int64_t>()};
    window.slide = duration(entry, "slide", window.size);
    window.offset = duration(entry, "offset", Duration{0});
  }
  for (const Json& entry : json.value("segments", Json::array())) {
    SegmentSpec& segment = spec.segments.emplace_back();
    segment.keys = entry.at("keys").get<std::vector<std::string>>();
    segment.keep = entry.value("keep", std::vector<std::vector<std::string>>{});
  }
  if (json.contains("catalog")) {
    Catalog& catalog = spec.catalog.emplace();
    for (const Json& item : json["catalog"].value("items", Json::array())) catalog.items.insert(item.get<std::string>());
    catalog.size = json["catalog"].value("size", std::uint64_t{catalog.items.size()});
  }
  spec.metrics.cutoffs = json.value("cutoffs", spec.metrics.cutoffs);
  spec.metrics.confidence = json.value("confidence", spec.metrics.confidence);
  const Json metrics_default = {"precision", "hit_rate", "mrr", "map_list", "ndcg_list", "recall", "distinct_items"};
  for (const Json& entry : json.value("metrics", metrics_default)) spec.metrics.requests.push_back(metric_request(entry));
  const Json limits = json.value("limits", Json::object());
  spec.limits.list_items = limits.value("list_items", spec.limits.list_items);
  spec.limits.id_bytes = limits.value("id_bytes", spec.limits.id_bytes);
  spec.limits.segment_bytes = limits.value("segment_bytes", spec.limits.segment_bytes);
  spec.limits.message_bytes = limits.value("message_bytes", spec.limits.message_bytes);
  spec.limits.segment_values = limits.value("segment_values", spec.limits.segment_values);
  spec.limits.distinct_items = limits.value("distinct_items", spec.limits.distinct_items);
  return spec;
}

}  // namespace

Result<BatchSpec> parse_batch_spec(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    BatchSpec spec;
    spec.evaluator = evaluator_spec(json);
    spec.allowed_lateness = duration(json, "allowed_lateness", spec.allowed_lateness);
    return spec;
  } catch (const Json::exception& error) {
    return failure(Errc::config_invalid, error.what());
  }
}

}  // namespace recmeter::conformance
