#include <array>

#include "recmeter/metric/worked_example.h"

namespace recmeter {

namespace {

using namespace std::string_view_literals;

constexpr std::array four_items{"a"sv, "b"sv, "c"sv, "d"sv};
constexpr std::array ten_items{"a"sv, "b"sv, "c"sv, "d"sv, "e"sv, "f"sv, "g"sv, "h"sv, "i"sv, "j"sv};
constexpr std::array<std::uint32_t, 5> distinct_of_four{0, 1, 2, 3, 4};
constexpr std::array<std::uint32_t, 11> distinct_of_ten{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
constexpr std::array<std::uint32_t, 1> distinct_of_none{0};

constexpr std::array<Hit, 2> clicked_1_and_3{Hit{1, 1}, Hit{3, 1}};
constexpr std::array<Hit, 2> clicked_1_bought_3{Hit{1, 1}, Hit{3, 3}};
// Of A the user was shown all but b, a and c at these ranks of the list in its place.
constexpr std::array<std::uint8_t, 4> seen_in_a{1, 0, 1, 1};
constexpr std::array<std::uint32_t, 4> logged_ranks_of_a{1, 0, 3, 0};
// Before it the user had acted on b and d.
constexpr std::array<std::uint8_t, 4> known_in_a{0, 1, 0, 1};
constexpr std::array<Hit, 1> clicked_7{Hit{7, 1}};
constexpr std::array<GradeCount, 1> six_missed{GradeCount{1, 6}};
constexpr std::array<std::uint32_t, 2> judged_1_and_3{1, 3};
constexpr std::array<std::uint32_t, 1> judged_7{7};

// R: all scored and rated, the action `rating` with gain 0. S: a and b scored and rated, c shown without a score and clicked.
constexpr std::array three_items{"a"sv, "b"sv, "c"sv};
constexpr std::array<std::uint32_t, 4> distinct_of_three{0, 1, 2, 3};
constexpr std::array<Rating, 4> rated_5_3_4_1{Rating{1, 5, true, 4.5}, Rating{2, 3, true, 4}, Rating{3, 4, true, 3.5},
                                              Rating{4, 1, true, 3}};
constexpr std::array<Rating, 2> rated_1_2{Rating{1, 1, true, 4.5}, Rating{2, 2, true, 2}};
constexpr std::array<Retest, 2> again_4_and_3{Retest{1, 5, 4}, Retest{4, 1, 3}};
constexpr std::array<Retest, 1> again_2{Retest{2, 2, 2}};
constexpr std::array<std::uint32_t, 4> judged_1_to_4{1, 2, 3, 4};
constexpr std::array<std::uint32_t, 3> judged_1_to_3{1, 2, 3};
constexpr std::array<Hit, 1> clicked_3{Hit{3, 1}};
// What the catalogue says of the items: attributes by number.
using Attributes = std::span<const std::uint32_t>;
constexpr std::array<std::uint32_t, 2> attributes_of_a{1, 2};
constexpr std::array<std::uint32_t, 1> attributes_of_b{1};
constexpr std::array<std::uint32_t, 1> attributes_of_d{3};
constexpr std::array<Attributes, 10> attributes_by_item{attributes_of_a, attributes_of_b, Attributes{}, attributes_of_d};

// P: before it 64 users acted, 32 of them on a, 8 on b, none on c; a alone is popular.
constexpr std::array repeated_items{"a"sv, "b"sv, "c"sv, "b"sv};
constexpr std::array<std::uint32_t, 5> distinct_of_repeated{0, 1, 2, 3, 3};
constexpr std::array<Hit, 2> clicked_1_and_2{Hit{1, 1}, Hit{2, 1}};
constexpr std::array<std::uint32_t, 2> judged_1_and_2{1, 2};
constexpr std::array<std::uint32_t, 4> acting_users_of{32, 8, 0, 8};

// What was clicked and what was bought for 20, each alone. The first click on A came after 12 s, that on B after 30 s, that
// on C after ten minutes; the horizon is half an hour.
constexpr std::int64_t horizon_ms = 1'800'000;
constexpr std::array<Hit, 1> bought_3{Hit{3, 1}};
constexpr std::array<Hit, 1> paid_20{Hit{3, 20}};
constexpr ActionPart none_acted{.reach_ms = horizon_ms, .first_ms = horizon_ms};
constexpr std::array actions_of_a{ActionPart{clicked_1_and_3, six_missed, 6, horizon_ms, 12'000}, none_acted};
constexpr std::array actions_of_b{ActionPart{clicked_1_and_3, six_missed, 6, horizon_ms, 30'000},
                                  ActionPart{bought_3, {}, 0, horizon_ms, 90'000, paid_20}};
constexpr std::array actions_of_c{ActionPart{clicked_7, {}, 0, horizon_ms, 600'000}, none_acted};
constexpr std::array actions_of_d{none_acted, none_acted};

// How likely the policy that made A, B and C was to show each of their ranks, and how likely another is, which is sure of C;
// of A and B what a model foresees.
constexpr std::array logged_a{0.5, 0.25, 0.2, 0.25};
constexpr std::array target_a{0.4, 0.5, 0.2, 0.25};
constexpr std::array logged_b{0.2, 0.5, 0.4, 0.5};
constexpr std::array target_b{0.5, 0.25, 0.2, 0.5};
constexpr std::array logged_c{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
constexpr std::array target_c{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
constexpr std::array predicted_reward{0.5, 0.2, 0.2, 0.1};
constexpr std::array expected_reward{0.4, 0.3, 0.2, 0.1};

// A took 40 ms, B 95, C 480: each a bucket of 1 %.
constexpr std::array lists{
    ExampleList{"A",
                four_items,
                {.length = 4,
                 .hits = clicked_1_and_3,
                 .missed = six_missed,
                 .missed_items = 6,
                 .distinct = distinct_of_four,
                 .judged = judged_1_and_3,
                 .credited = 2,
                 .by_action = actions_of_a,
                 .attributes = std::span(attributes_by_item).first(4),
                 .latency_bucket = 371,
                 .beside_shown = {.distinct = distinct_of_four, .seen = seen_in_a, .logged_ranks = logged_ranks_of_a},
                 .known = known_in_a,
                 .policy = ListPolicy{target_a, logged_a, predicted_reward, expected_reward}}},
    ExampleList{"B",
                four_items,
                {.length = 4,
                 .hits = clicked_1_bought_3,
                 .missed = six_missed,
                 .missed_items = 6,
                 .distinct = distinct_of_four,
                 .judged = judged_1_and_3,
                 .credited = 3,
                 .by_action = actions_of_b,
                 .attributes = std::span(attributes_by_item).first(4),
                 .latency_bucket = 458,
                 .policy = ListPolicy{target_b, logged_b, predicted_reward, expected_reward}}},
    ExampleList{"C",
                ten_items,
                {.length = 10,
                 .hits = clicked_7,
                 .distinct = distinct_of_ten,
                 .judged = judged_7,
                 .credited = 1,
                 .by_action = actions_of_c,
                 .attributes = attributes_by_item,
                 .latency_bucket = 621,
                 .policy = ListPolicy{target_c, logged_c}}},
    ExampleList{"D", {}, {.distinct = distinct_of_none, .by_action = actions_of_d}},
    ExampleList{"R",
                four_items,
                {.length = 4,
                 .distinct = distinct_of_four,
                 .ratings = rated_5_3_4_1,
                 .judged = judged_1_to_4,
                 .credited = 4,
                 .credited_with_score = 4,
                 .retests = again_4_and_3}},
    ExampleList{"S",
                three_items,
                {.length = 3,
                 .hits = clicked_3,
                 .distinct = distinct_of_three,
                 .ratings = rated_1_2,
                 .judged = judged_1_to_3,
                 .credited = 3,
                 .credited_with_score = 2,
                 .retests = again_2}},
    ExampleList{"P",
                repeated_items,
                {.length = 4,
                 .hits = clicked_1_and_2,
                 .distinct = distinct_of_repeated,
                 .judged = judged_1_and_2,
                 .credited = 2,
                 .acting_users_of = acting_users_of,
                 .acting_users = 64,
                 .popular_from = 32}},
};

}  // namespace

std::span<const ExampleList> example_lists() noexcept {
  return lists;
}

}  // namespace recmeter
