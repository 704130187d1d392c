// `prequential` and `recommenders`: what `recmeter prequential` asks of which recommender.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "config/readers.h"

namespace recmeter::config {

namespace {

constexpr std::size_t recommenders_max = 1000;
constexpr std::size_t arguments_max = 1000;
constexpr std::size_t length_max = 1000;
constexpr std::size_t context_names_max = 32;
constexpr std::uint32_t user_neighbours = 20;  // usual k of user_knn

// As places in the configured actions.
std::vector<std::uint8_t> read_action_names(Section& section, std::string_view key, const JoinRule& join) {
  std::vector<std::string_view> names;
  for (const Action& action : join.actions) names.push_back(action.name);
  std::vector<std::uint8_t> out;
  const auto value = section.take(key);
  if (!value || !section.faults().is_read("join.actions")) return out;
  const auto entries = section.reader().list(*value, "[click]", names.size());
  if (!entries) return out;
  for (const Value& entry : *entries) {
    if (const auto place = section.reader().word(entry, names)) out.push_back(static_cast<std::uint8_t>(*place));
  }
  return out;
}

bool is_in(const std::vector<std::uint8_t>& actions, std::optional<std::uint8_t> action) {
  return action && std::ranges::find(actions, *action) != actions.end();
}

// Actions that make an item relevant.
std::vector<std::uint8_t> relevant_actions(const JoinRule& join) {
  std::vector<std::uint8_t> out;
  for (std::size_t i = 0; i < join.actions.size(); ++i) {
    if (join.actions[i].gain > 0) out.push_back(static_cast<std::uint8_t>(i));
  }
  return out;
}

// What is right by itself and wrong together.
void check_candidates(const Config& config, Faults& faults) {
  using Candidates = PrequentialSpec::Candidates;
  const PrequentialSpec& spec = config.prequential;
  constexpr const char* key = "prequential.candidates";
  if (spec.candidates == Candidates::list && spec.at != PrequentialSpec::At::impressions) {
    faults.add_at(key, "list needs at: impressions",
                  "a list to rank again is there only where one was shown: write at: impressions");
  }
  if (spec.candidates == Candidates::recent && spec.recent.ms == 0) {
    faults.add_at(key, "recent needs to know how recent", "add recent: 24h");
  }
  if (spec.candidates == Candidates::catalog && (!config.spec.catalog || config.spec.catalog->items.empty())) {
    faults.add_at(key, "catalog needs the items of one", "add catalog: {file: items.txt}");
  }
  if (spec.candidates == Candidates::rated &&
      (spec.at != PrequentialSpec::At::feedback || spec.targets.size() != 1 || !is_in(spec.targets, spec.rating))) {
    faults.add_at(key, "rated asks what a user will rate an item where it rates it",
                  "write at: feedback and targets: [rating], an action of join.actions");
  }
}

std::vector<std::string> read_context(Section& section) {
  std::vector<std::string> out;
  const auto value = section.take("context");
  const auto entries = value ? section.reader().list(*value, "[list_id, page]", context_names_max) : std::nullopt;
  for (const Value& entry : entries.value_or(std::vector<Value>())) {
    auto name = section.reader().text(entry, segment_key_bytes_max);
    if (!name) continue;
    if (std::ranges::find(out, *name) != out.end()) {
      section.reader().complain(entry, "is there twice", "name it once");
    }
    out.push_back(std::move(*name));
  }
  return out;
}

// A shown list, and a context, are there only where a list was shown. `at_is_said`: by the configuration.
void check_shown(Config& config, bool at_is_said, Faults& faults) {
  PrequentialSpec& spec = config.prequential;
  const auto is_shown = [](const RecommenderSpec& one) { return one.kind == RecommenderKind::shown; };
  const bool has_shown = std::ranges::any_of(spec.recommenders, is_shown);
  if (!has_shown && spec.context.empty()) return;
  if (!at_is_said) spec.at = PrequentialSpec::At::impressions;
  if (spec.at == PrequentialSpec::At::impressions) return;
  faults.add_at("prequential.at", fmt::format("{} needs at: impressions", has_shown ? "kind: shown" : "context"),
                "a list is there only where one was shown: write at: impressions, or leave `at` out");
}

void check_contexts(const PrequentialSpec& spec, Faults& faults) {
  for (std::size_t i = 0; i < spec.recommenders.size(); ++i) {
    const RecommenderSpec& one = spec.recommenders[i];
    if (one.context.empty()) continue;
    const std::string place = fmt::format("recommenders[{}].context", i);
    if (one.kind != RecommenderKind::covisit && one.kind != RecommenderKind::item_knn) {
      faults.add_at(place, "is of covisit and item_knn alone",
                    "leave it out: a program is sent all of prequential.context, and no other kind goes by an item");
    } else if (one.context == "list_id" || std::ranges::find(spec.context, one.context) == spec.context.end()) {
      faults.add_at(
          place, fmt::format("`{}` is no segment key in prequential.context", shortened(one.context)),
          fmt::format("write prequential: {{context: [{}]}}, a segment key whose values are items", shortened(one.context)));
    }
  }
}

// Says whether `at` is written.
bool read_prequential_section(Section& root, Config& config) {
  PrequentialSpec& spec = config.prequential;
  const JoinRule& join = config.spec.join;
  if (const auto rating = join.rating()) spec.rating = static_cast<std::uint8_t>(*rating);
  spec.rating_min = config.spec.ratings.min;
  spec.rating_max = config.spec.ratings.max;
  Section section = root.section("prequential", "prequential: {at: feedback, step: 1d}");
  section.read(prequential_keys, spec);
  // Every item that is rated at a time gets its prediction.
  if (spec.candidates == PrequentialSpec::Candidates::rated && !section.has("length")) spec.length = length_max;
  spec.targets = read_action_names(section, "targets", join);
  if (spec.targets.empty()) spec.targets = relevant_actions(join);
  spec.learn = read_action_names(section, "learn", join);
  if (spec.learn.empty()) spec.learn = spec.targets;
  spec.context = read_context(section);
  const bool at_is_said = section.has("at");
  section.finish();
  return at_is_said;
}

void read_command(Section& section, RecommenderSpec& spec) {
  const auto value = section.take("command");
  const auto entries = value ? section.reader().list(*value, "[python3, model.py]", arguments_max) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) {
    if (auto text = section.reader().text(entry, path_bytes_max)) spec.command.push_back(std::move(*text));
  }
}

// Where its lists come from, if it is not built in.
void check_source(const RecommenderSpec& spec, const Value& value, ValueReader& reader) {
  if ((spec.kind == RecommenderKind::recorded) != !spec.file.empty()) {
    reader.complain(value, spec.file.empty() ? "is recorded, and no file is named" : "has a file, and is not recorded",
                    "kind: recorded reads lists from a file: write both or neither");
  }
  const int programs = (spec.command.empty() ? 0 : 1) + (spec.connect.empty() ? 0 : 1);
  if (programs != (spec.kind == RecommenderKind::process ? 1 : 0)) {
    reader.complain(value, programs == 0 ? "is a process, and no program is named" : "has a program too many",
                    "kind: process has a command: [python3, model.py] or connect: unix:PATH, and no other kind has");
  }
}

void read_recommender(const Value& value, Config& config, Section& root) {
  if (!root.reader().is_mapping(value, "{name: top, kind: popularity}")) return;
  Section section(root.faults(), value.node, value.path);
  RecommenderSpec spec;
  const auto name = section.take("name");
  if (name) spec.name = read_name(section.reader(), *name).value_or("");
  section.read(recommender_keys, spec);
  read_command(section, spec);
  if (spec.kind == RecommenderKind::user_knn && !section.has("k")) spec.k = user_neighbours;
  section.finish();
  if (!name && root.faults().none_in({section.path_of("name")})) {
    root.reader().complain(value, "has no `name`", "name it: rows say whose lists they judge");
  }
  const auto is_same = [&](const RecommenderSpec& other) { return !spec.name.empty() && other.name == spec.name; };
  if (spec.name == logged_lane) {
    root.reader().complain_of(*name, "is the name of the lists that were shown", "choose another name");
  } else if (std::ranges::any_of(config.prequential.recommenders, is_same)) {
    root.reader().complain_of(*name, "is the name of another recommender", "give each a name of its own");
  }
  if (root.faults().none_in({section.path()})) check_source(spec, value, root.reader());
  const bool learns_ratings = is_in(config.prequential.learn, config.prequential.rating);
  const bool knows_learned = root.faults().none_in({"prequential.learn", "prequential.targets", "join.actions"});
  if (spec.kind == RecommenderKind::user_knn && !learns_ratings && knows_learned) {
    root.reader().complain(value, "predicts ratings, and learns none",
                           "user_knn needs an action `rating` in join.actions, among those of prequential.learn");
  }
  config.prequential.recommenders.push_back(std::move(spec));
}

}  // namespace

void read_recommenders(Section& root, Config& config) {
  const bool at_is_said = read_prequential_section(root, config);
  const auto value = root.take("recommenders");
  const auto entries = value ? root.reader().list(*value, "[{name: top, kind: popularity}]", recommenders_max) : std::nullopt;
  for (const Value& entry : entries.value_or(std::vector<Value>())) read_recommender(entry, config, root);
  const bool is_known = root.faults().none_in({"prequential", "recommenders"});
  if (is_known) check_shown(config, at_is_said, root.faults());
  if (is_known) check_contexts(config.prequential, root.faults());
  if (is_known && root.faults().none_in({"join.actions", "catalog"})) check_candidates(config, root.faults());
  if (!entries) return;
  for (std::size_t i = 0; i < config.spec.segments.size(); ++i) {
    const std::vector<std::string>& keys = config.spec.segments[i].keys;
    if (std::ranges::find(keys, recommender_key) == keys.end()) continue;
    root.faults().add_at(fmt::format("segments[{}]", i), "`recommender` is the key by which rows tell recommenders apart",
                         "give your segment another name");
  }
}

}  // namespace recmeter::config
