// Keys: what a configuration may say. Each key stands here once, with its type and range, the field it fills, what a change
// of it does to a run that has a state, and its words. [I3].
//
// There is one table for each mapping of the text, over the struct that the mapping fills. A key of one scalar is bound to
// its field by pointers to members, so its default is the field's initialiser, and nobody writes code for it: Section::read()
// reads it, config_changes() compares it, config_schema() describes it and config_keys() tells the pages' tests of it. A
// key that is a list, or whose value has rules of its own, is by_hand(): its reader stands in read_*.cpp, and the table has
// the rest. What is wrong only together is contradictions.cpp's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "config/config.h"
#include "config/scalar.h"

namespace recmeter {

// What a change of a key does to a run that has a state (docs/configuration.md):
//   free      changes no row: it may change at any start;
//   additive  changes which rows there are, not what events mean: it holds for windows that start from then on;
//   meaning   changes what events mean: a state goes on with it only after it has read its events again.
enum class KeyKind : std::uint8_t { free, additive, meaning };

}  // namespace recmeter

namespace recmeter::config {

// Inclusive bounds.
template <class T>
struct Range {
  T low;
  T high;
};

struct TextType {
  std::size_t bytes_max;
};
struct IntegerType : Range<std::int64_t> {};
struct NumberType : Range<double> {};
struct DurationType : Range<Duration> {};
struct SizeType : Range<std::uint64_t> {};
struct BooleanType {};
struct WordType {
  std::span<const std::string_view> words;  // of the enumerators, in order
};
struct HandType {
  std::string_view schema;  // members of its JSON Schema; "": schema.cpp makes them
};
using ValueType = std::variant<TextType, IntegerType, NumberType, DurationType, SizeType, BooleanType, WordType, HandType>;

// A value without its type: durations are milliseconds, words their index; monostate is an optional that is not set.
using Scalar = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

// As it is written in a configuration; "not set".
[[nodiscard]] std::string scalar_text(const ValueType& type, const Scalar& scalar);

template <class Object>
struct Key {
  std::string_view name;
  ValueType type;
  KeyKind kind;
  std::string_view words;
  void (*set)(Object&, const Scalar&) = nullptr;  // both null: by hand
  Scalar (*get)(const Object&) = nullptr;
};

template <class Field>
void assign(Field& field, const Scalar& scalar) {
  if constexpr (std::is_same_v<Field, Duration> || std::is_same_v<Field, std::optional<Duration>>) {
    field = Duration{std::get<std::int64_t>(scalar)};
  } else if constexpr (std::is_enum_v<Field> || (std::is_integral_v<Field> && !std::is_same_v<Field, bool>)) {
    field = static_cast<Field>(std::get<std::int64_t>(scalar));
  } else if constexpr (std::is_same_v<Field, std::optional<double>>) {
    field = std::get<double>(scalar);
  } else {
    field = std::get<Field>(scalar);
  }
}

template <class Field>
Scalar scalar_of(const Field& field) {
  if constexpr (std::is_same_v<Field, std::optional<Duration>>) {
    return field ? Scalar(field->ms) : Scalar();
  } else if constexpr (std::is_same_v<Field, std::optional<double>>) {
    return field ? Scalar(*field) : Scalar();
  } else if constexpr (std::is_same_v<Field, Duration>) {
    return field.ms;
  } else if constexpr (std::is_enum_v<Field> || (std::is_integral_v<Field> && !std::is_same_v<Field, bool>)) {
    return static_cast<std::int64_t>(field);
  } else {
    return field;
  }
}

template <auto First, auto... Rest>
constexpr auto& field_of(auto& object) {
  if constexpr (sizeof...(Rest) == 0) {
    return object.*First;
  } else {
    return field_of<Rest...>(object.*First);
  }
}

template <class Object, class Member>
Object object_of(Member Object::*);

// A key of the field that the pointers lead to.
template <auto First, auto... Rest>
constexpr auto key(std::string_view name, ValueType type, KeyKind kind, std::string_view words) {
  using Object = decltype(object_of(First));
  return Key<Object>{name,
                     type,
                     kind,
                     words,
                     [](Object& object, const Scalar& scalar) { assign(field_of<First, Rest...>(object), scalar); },
                     [](const Object& object) { return scalar_of(field_of<First, Rest...>(object)); }};
}
template <class Object>
constexpr Key<Object> by_hand(std::string_view name, std::string_view schema, KeyKind kind, std::string_view words) {
  return {name, HandType{schema}, kind, words};
}

inline constexpr std::size_t path_bytes_max = 4096;
inline constexpr Duration year{365 * one_day.ms};

inline constexpr std::array<std::string_view, 8> format_words{"auto", "jsonl", "kcat", "json",
                                                              "csv",  "tsv",   "avro", "protobuf"};
inline constexpr std::array<std::string_view, 8> unit_words{"s", "ms", "us", "ns", "rfc3339", "iso", "fractional_s", "excel"};
inline constexpr std::array<std::string_view, 2> join_key_words{"user", "list"};
inline constexpr double rating_max = 1e8;  // in magnitude
inline constexpr std::string_view user_mean_word = "user_mean";
inline constexpr std::string_view once_word = "event_id";
inline constexpr std::string_view on_list_word = "list";
inline constexpr std::array<std::string_view, 3> credit_words{"last_touch", "first_touch", "every_touch"};
inline constexpr std::array<std::string_view, 2> whole_lists_words{"continue", "own"};
inline constexpr std::array<std::string_view, 2> logged_words{"as_logged", "shadow"};
inline constexpr std::array<std::string_view, 2> unjudged_words{"irrelevant", "drop"};
inline constexpr std::array<std::string_view, 3> gap_words{"earliest", "latest", "stop"};
inline constexpr std::array<std::string_view, 1> durability_words{"process"};
inline constexpr std::array<std::string_view, 2> assign_words{"user", "list"};
inline constexpr std::array<std::string_view, 2> better_words{"higher", "lower"};
inline constexpr std::size_t segment_key_bytes_max = 1024;
inline constexpr std::array<std::string_view, 3> at_words{"feedback", "impressions", "every"};
inline constexpr std::array<std::string_view, 2> history_words{"event", "step"};
inline constexpr std::array<std::string_view, 5> candidate_words{"seen", "recent", "list", "catalog", "rated"};
inline constexpr std::array<std::string_view, 2> exclude_words{"none", "known"};
inline constexpr std::array<std::string_view, 2> count_words{"events", "users"};
inline constexpr std::array<std::string_view, 4> similarity_words{"pearson", "spearman", "cosine", "constrained"};
inline constexpr std::array<std::string_view, 2> on_failure_words{"stop", "empty"};
inline constexpr std::array<std::string_view, 3> normalize_words{"none", "mean", "z"};
inline constexpr std::array<std::string_view, 11> recommender_words{"random",  "popularity", "recency", "own_recency",
                                                                    "covisit", "item_knn",   "isgd",    "user_knn",
                                                                    "process", "recorded",   "shown"};

// The tables, each in the order in which its keys are read.
extern const std::array<Key<Config>, 1> root_keys;
extern const std::array<Key<Limits>, 14> limits_keys;
extern const std::array<Key<Config>, 4> time_keys;
extern const std::array<Key<JoinRule>, 9> join_keys;
extern const std::array<Key<Action>, 7> action_keys;
extern const std::array<Key<InputSpec>, 19> input_keys;
extern const std::array<Key<RegistrySpec>, 6> registry_keys;
extern const std::array<Key<CsvForm>, 8> csv_keys;
extern const std::array<Key<WindowSpec>, 4> window_keys;
extern const std::array<Key<PopularitySpec>, 3> popularity_keys;
extern const std::array<Key<RatingRule>, 7> ratings_keys;
extern const std::array<Key<LaneSpec>, 5> lane_keys;
extern const std::array<Key<OffPolicySpec>, 5> off_policy_keys;
extern const std::array<Key<AttributionSpec>, 4> attribution_keys;
extern const std::array<Key<ExperimentSpec>, 15> experiment_keys;
extern const std::array<Key<KafkaSpec>, 8> kafka_keys;
extern const std::array<Key<StateSpec>, 5> state_keys;
extern const std::array<Key<PrequentialSpec>, 15> prequential_keys;
extern const std::array<Key<PrequentialSpec>, 2> recommender_limits_keys;
extern const std::array<Key<RecommenderSpec>, 24> recommender_keys;
extern const std::array<Key<PublishSpec>, 1> publish_keys;
extern const std::array<Key<PublishSpec::File>, 3> publish_file_keys;
extern const std::array<Key<PublishSpec::Http>, 8> http_keys;
extern const std::array<Key<PublishSpec::HttpLimits>, 14> http_limits_keys;

}  // namespace recmeter::config

namespace recmeter {

// A key without its binding. In names, `[]` stands for an entry of a list, `*` for a name of the user's.
struct ConfigKey {
  std::string name;
  config::ValueType type;
  std::string usual;  // the default; "": none, or by hand
  KeyKind kind;
  std::string_view words;
};
// Every key there is.
[[nodiscard]] std::vector<ConfigKey> config_keys();

}  // namespace recmeter
