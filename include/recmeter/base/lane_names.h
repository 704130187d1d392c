// How recommenders that are judged side by side are told apart in rows, live or not.
#pragma once

namespace recmeter {

inline constexpr const char* recommender_key = "recommender";  // the segment key of rows
inline constexpr const char* policy_key = "target_policy";     // that of estimates, of what a recommender would be worth
inline constexpr const char* logged_lane = "logged";           // its value for lists that were shown

}  // namespace recmeter
