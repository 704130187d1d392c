// `metrics` and `ratings`: what is computed, in which definition.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/config/nearest.h"
#include "app/config/readers.h"
#include "recmeter/base/check.h"

namespace recmeter::config {

namespace {

constexpr std::array<std::string_view, 7> default_names{"precision", "hit_rate", "mrr",           "map_list",
                                                        "ndcg_list", "recall",   "distinct_items"};
constexpr std::array<std::string_view, 2> gain_kinds{"linear", "exp2"};
constexpr std::array<std::string_view, 4> ap_denominators{"min", "relevant", "k", "hits"};
constexpr std::size_t cutoffs_max = 32;
constexpr std::size_t requests_max = 256;
constexpr std::int64_t cutoff_max = 1'000'000;
constexpr double beta_max = 1000;

const KnownMetric* find_metric(std::span<const KnownMetric> known, std::string_view name) {
  const auto found = std::ranges::find(known, name, &KnownMetric::name);
  return found == known.end() ? nullptr : &*found;
}

void read_cutoffs(Section& metrics, MetricSpec& spec) {
  const auto value = metrics.take("cutoffs");
  const auto entries = value ? metrics.reader().list(*value, "[1, 5, 10]", cutoffs_max) : std::nullopt;
  if (!entries) return;
  if (entries->empty()) metrics.reader().complain(*value, "names no cutoff", "write at least one, such as [10]");
  spec.cutoffs.clear();
  for (const Value& entry : *entries) {
    const auto cutoff = metrics.reader().integer(entry, {1, cutoff_max});
    if (!cutoff) continue;
    const auto k = static_cast<std::uint32_t>(*cutoff);
    if (std::ranges::find(spec.cutoffs, k) != spec.cutoffs.end()) {
      metrics.reader().complain_of(entry, "is a cutoff already", "remove one of the two");
      continue;
    }
    spec.cutoffs.push_back(k);
  }
}

// Reads `beta`, which is above 0, so that no Range describes it.
void read_beta(Section& section, double& beta) {
  const auto value = section.take("beta");
  const auto number = value ? section.reader().number(*value, {0, beta_max}) : std::nullopt;
  if (number && *number == 0)
    section.reader().complain_of(*value, "is not above 0", "write how much recall counts, such as 2");
  beta = number.value_or(beta);
}

// One entry of `names` while it is read.
class RequestReader {
 public:
  RequestReader(Section& metrics, const Config& config, MetricOptions defaults, std::span<const KnownMetric> known)
      : reader_(metrics.reader()), faults_(metrics.faults()), config_(config), defaults_(defaults), known_(known) {
    for (const KnownMetric& metric : known) names_.push_back(metric.name);
  }

  std::optional<MetricRequest> read(const Value& entry) {
    if (entry.node->kind != Node::Kind::mapping) return read_name(entry);
    Section section(faults_, entry.node, entry.path);
    const auto name = section.take("name");
    std::optional<MetricRequest> request = name ? read_name(*name) : std::nullopt;
    if (!name && faults_.none_in({entry.path})) {
      reader_.complain(entry, "has no `name`", "write which metric is meant: {name: ndcg_list, gain: exp2}");
    }
    MetricRequest ignored;
    read_options(section, request ? *request : ignored, request ? find_metric(known_, request->name) : nullptr);
    section.finish();
    return request;
  }

 private:
  std::optional<MetricRequest> read_name(const Value& value) {
    const auto text = reader_.text(value, 256);
    if (!text) return std::nullopt;
    const KnownMetric* metric = find_metric(known_, *text);
    if (metric == nullptr) {
      complain_of_unknown(value, *text);
      return std::nullopt;
    }
    if (metric->user_scope && config_.spec.join.key.by == JoinKey::By::list) {
      reader_.complain(value, fmt::format("`{}` counts what a user did outside the list, and join.key is list", *text),
                       "remove it, or set join.key to user");
      return std::nullopt;
    }
    if (metric->needs_catalog && !config_.spec.catalog && faults_.none_in({"catalog"})) {
      reader_.complain(value, fmt::format("`{}` needs the catalogue", *text),
                       "add catalog: {size: 100000} or catalog: {file: items.txt}, or remove it");
      return std::nullopt;
    }
    const bool attributes_known = config_.spec.catalog && !config_.spec.catalog->attributes.empty();
    if (metric->needs_attributes && !attributes_known && faults_.none_in({"catalog"})) {
      reader_.complain(value, fmt::format("`{}` needs attributes of the catalogue's items", *text),
                       "add catalog: {file: items.ndjson} with objects such as {\"item_id\": \"a\", \"genre\": \"jazz\"}, or "
                       "remove it");
      return std::nullopt;
    }
    MetricRequest request;
    request.name = *text;
    request.options = defaults_;
    return request;
  }

  void complain_of_unknown(const Value& value, const std::string& text) {
    const std::size_t at = text.find('@');
    if (at != std::string::npos && find_metric(known_, text.substr(0, at)) != nullptr) {
      reader_.complain_of(value, "names a cutoff",
                          fmt::format("write `{}`: cutoffs stand in metrics.cutoffs, for all metrics", text.substr(0, at)));
      return;
    }
    const auto meant = nearest(text, names_);
    reader_.complain_of(value, "is not a metric of this version",
                        meant ? fmt::format("did you mean `{}`?", *meant) : "write " + one_of(names_));
  }

  void read_options(Section& section, MetricRequest& request, const KnownMetric* metric) {
    constexpr std::array<std::string_view, 3> units{"list", "user", "pooled"};
    section.read("gain", request.options.gain, gain_kinds);
    section.read("ap_denominator", request.options.ap_denominator, ap_denominators);
    read_beta(section, request.options.beta);
    if (const auto unit = section.take("unit")) {
      const auto index = reader_.word(*unit, units);
      if (index && *index != 0) {
        reader_.complain_of(*unit, "is not available in this version", "write `list`, or remove the line");
      }
    }
    if (const auto as = section.take("as")) read_as(*as, request);
    if (metric == nullptr) return;
    refuse_option(section, "gain", metric->takes_gain, metric->name);
    refuse_option(section, "ap_denominator", metric->takes_ap_denominator, metric->name);
    refuse_option(section, "beta", metric->takes_beta, metric->name);
  }

  void refuse_option(Section& section, std::string_view key, bool is_taken, std::string_view metric) {
    const std::string path = section.path_of(key);
    if (is_taken || !faults_.is_written(path) || !faults_.none_in({path})) return;
    faults_.add_at(path, fmt::format("`{}` does not change `{}`", key, metric), "remove it");
  }

  void read_as(const Value& value, MetricRequest& request) {
    const auto as = reader_.text(value, 64);
    if (!as) return;
    const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (!is_word((*as)[0]) || !std::ranges::all_of(*as, [&](char c) { return is_word(c) || (c >= '0' && c <= '9'); })) {
      reader_.complain_of(value, "is no name for a value", "write letters, digits and `_`, beginning with a letter");
    } else if (*as != request.name && find_metric(known_, *as) != nullptr) {
      reader_.complain_of(value, "is the name of another metric", "choose a name that says what differs, such as ndcg_exp");
    } else {
      request.as = *as;
    }
  }

  ValueReader& reader_;
  Faults& faults_;
  const Config& config_;
  MetricOptions defaults_;
  std::span<const KnownMetric> known_;
  std::vector<std::string_view> names_;
};

void read_requests(Section& metrics, Config& config, const MetricOptions& defaults, std::span<const KnownMetric> known) {
  MetricSpec& spec = config.spec.metrics;
  const auto value = metrics.take("names");
  if (!value) {
    for (const std::string_view name : default_names) {
      const KnownMetric* metric = find_metric(known, name);
      RECMETER_CHECK(metric != nullptr, "the metrics of the default list are known");
      if (metric->user_scope && config.spec.join.key.by == JoinKey::By::list) continue;
      spec.requests.push_back({std::string(name), std::nullopt, defaults});
    }
    return;
  }
  const auto entries = metrics.reader().list(*value, "[precision, mrr]", requests_max);
  if (!entries) return;
  if (entries->empty()) metrics.reader().complain(*value, "names no metric", "write at least one, such as [precision]");
  RequestReader reader(metrics, config, defaults, known);
  for (const Value& entry : *entries) {
    auto request = reader.read(entry);
    if (!request) continue;
    const auto key = [](const MetricRequest& each) { return each.as.value_or(each.name); };
    if (std::ranges::find(spec.requests, key(*request), key) != spec.requests.end()) {
      metrics.reader().complain(entry, fmt::format("`{}` is there already, and rows would hold it twice", key(*request)),
                                "remove one, or name this one with `as`");
      continue;
    }
    spec.requests.push_back(std::move(*request));
  }
}

void refuse_presets(Section& metrics) {
  const auto preset = metrics.take("preset");
  const auto text = preset ? metrics.reader().text(*preset, 256) : std::nullopt;
  if (text && *text != "none") {
    metrics.reader().complain_of(*preset, "is not available in this version", "write `none`, or remove the line");
  }
}

}  // namespace

void read_metrics(Section& root, Config& config, std::span<const KnownMetric> known) {
  Section metrics = root.section("metrics", "metrics: {cutoffs: [10], names: [precision]}");
  MetricSpec& spec = config.spec.metrics;
  MetricOptions defaults;
  read_cutoffs(metrics, spec);
  metrics.read("gain", defaults.gain, gain_kinds);
  metrics.read("ap_denominator", defaults.ap_denominator, ap_denominators);
  read_beta(metrics, defaults.beta);
  read_requests(metrics, config, defaults, known);
  const auto confidence = metrics.take("confidence");
  const auto number = confidence ? metrics.reader().number(*confidence, {0, 1}) : std::nullopt;
  if (number && (*number == 0 || *number == 1)) {
    metrics.reader().complain_of(*confidence, "is not between 0 and 1", "write a share such as 0.95");
  }
  spec.confidence = number.value_or(spec.confidence);
  refuse_presets(metrics);
  metrics.finish();
}

void read_ratings(Section& root, Config& config) {
  constexpr Range<double> values{-1e8, 1e8};
  RatingRule& rule = config.spec.ratings;
  Section ratings = root.section("ratings", "ratings: {min: 1, max: 5}");
  ratings.read("min", rule.min, values);
  ratings.read("max", rule.max, values);
  if (const auto extremes = ratings.take("extremes")) {
    const auto entries = ratings.reader().list(*extremes, "[2, 4]", 2);
    if (entries && entries->size() != 2) ratings.reader().complain(*extremes, "does not have two bounds", "write [2, 4]");
    if (entries && entries->size() == 2) {
      rule.extremes_low = ratings.reader().number((*entries)[0], values).value_or(rule.extremes_low);
      rule.extremes_high = ratings.reader().number((*entries)[1], values).value_or(rule.extremes_high);
    }
  }
  ratings.read("reversal", rule.reversal, {0, 2e8});
  ratings.read("half_life", rule.half_life, {0, 1e6});
  ratings.read("default_vote", rule.default_vote, values);
  ratings.finish();
}

}  // namespace recmeter::config
