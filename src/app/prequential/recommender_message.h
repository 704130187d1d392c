// Messages of recmeter.recommender/1: lines of JSON to a recommender in another program, and its answers.
// docs/recommenders.md. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/recommend/list_maker.h"
#include "recmeter/recommend/prequential_spec.h"

namespace recmeter {

inline constexpr const char* recommender_protocol = "recmeter.recommender/1";

[[nodiscard]] std::string hello_message(const RecommenderSpec& spec, const PrequentialSpec& rules,
                                        std::span<const std::string> actions);
[[nodiscard]] std::string learn_message(std::span<const LearnedEvent> events, std::span<const std::string> actions,
                                        const LearningLog& log);
[[nodiscard]] std::string recommend_message(std::uint64_t number, std::span<const Question* const> questions,
                                            const LearningLog& log);
[[nodiscard]] std::string bye_message();

// What is wrong with an answer to hello; absent: nothing.
[[nodiscard]] std::optional<std::string> fault_of_hello(std::string_view line);

// An answer to message `number`: the lists of its `questions`, by place.
struct Answer {
  std::uint64_t number = 0;
  std::vector<MadeList> lists;
  std::uint64_t bad_items = 0;  // those of lists that nobody asked for, or that came twice
};
// The number alone is read where it is not `number`. Errors: input_corrupt, what is wrong with it.
[[nodiscard]] Result<Answer> read_answer(std::string_view line, std::uint64_t number, std::size_t questions,
                                         const LearningLog& log);

}  // namespace recmeter
