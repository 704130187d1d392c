// How arms are called: the keys that say which arm a list is of, and the values that are its control. [S10.39].
//
// The table of a replay, `compare`, `infer` and the page (web/src/model/control.ts, arm_name.ts) all go by these. Pure
// functions; any thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace recmeter {

// In this order, in any case. 0 and false: without a treatment.
inline constexpr std::array<std::string_view, 10> control_names{"control", "old",       "base", "baseline", "default",
                                                                "a",       "kontrolle", "alt",  "0",        "false"};

// Words of keys that tell arms apart.
inline constexpr std::array<std::string_view, 26> arm_words{
    "gruppe",   "groupe",      "grupo",    "variante", "versuch",    "ab",        "abtest",  "algo",     "algorithm",
    "arm",      "bucket",      "cohort",   "engine",   "experiment", "group",     "model",   "policy",   "ranker",
    "reranker", "recommender", "strategy", "test",     "tests",      "treatment", "variant", "variation"};
// Beside these, or within them, it is a kind of user, of device or of item.
inline constexpr std::array<std::string_view, 12> words_of_others{
    "age", "browser", "car", "category", "device", "hardware", "item", "os", "phone", "price", "product", "size"};

// Tells whether the name of a segment key alone is one that arms have.
[[nodiscard]] bool is_arm_name(std::string_view path);
// The one of these values that is called as only controls are. Without one, no value is called better than another.
[[nodiscard]] std::optional<std::string> named_control(std::span<const std::string> values);

// The value that others are compared with. `is_known`: it was asked for, or is called as controls are; of another, which is
// the first value, none is better.
struct ChosenControl {
  std::string value;
  bool is_known = true;
};
// `asked`: "" leaves it to the names. Empty: there are no values, or none is called as asked.
[[nodiscard]] std::optional<ChosenControl> choose_control(std::span<const std::string> values, const std::string& asked);

}  // namespace recmeter
