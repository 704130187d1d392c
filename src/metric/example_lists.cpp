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
constexpr std::array<Hit, 1> clicked_7{Hit{7, 1}};
constexpr std::array<GradeCount, 1> six_missed{GradeCount{1, 6}};
constexpr std::array<std::uint32_t, 2> judged_1_and_3{1, 3};
constexpr std::array<std::uint32_t, 1> judged_7{7};

// P: before it 64 users acted, 32 of them on a, 8 on b, none on c; a alone is popular.
constexpr std::array repeated_items{"a"sv, "b"sv, "c"sv, "b"sv};
constexpr std::array<std::uint32_t, 5> distinct_of_repeated{0, 1, 2, 3, 3};
constexpr std::array<Hit, 2> clicked_1_and_2{Hit{1, 1}, Hit{2, 1}};
constexpr std::array<std::uint32_t, 2> judged_1_and_2{1, 2};
constexpr std::array<std::uint32_t, 4> acting_users_of{32, 8, 0, 8};

constexpr std::array lists{
    ExampleList{"A",
                four_items,
                {.length = 4,
                 .hits = clicked_1_and_3,
                 .missed = six_missed,
                 .missed_items = 6,
                 .distinct = distinct_of_four,
                 .judged = judged_1_and_3,
                 .credited = 2}},
    ExampleList{"B",
                four_items,
                {.length = 4,
                 .hits = clicked_1_bought_3,
                 .missed = six_missed,
                 .missed_items = 6,
                 .distinct = distinct_of_four,
                 .judged = judged_1_and_3,
                 .credited = 3}},
    ExampleList{
        "C", ten_items, {.length = 10, .hits = clicked_7, .distinct = distinct_of_ten, .judged = judged_7, .credited = 1}},
    ExampleList{"D", {}, {.distinct = distinct_of_none}},
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
