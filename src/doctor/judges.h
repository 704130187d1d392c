// What each check asks of the facts, by the check's code. Each gives nothing where there is nothing to judge, a silent
// judgement where all is well. Pure functions; any thread.
#pragma once

#include <vector>

#include "doctor/check.h"

namespace recmeter::doctor {

using Judgements = std::vector<Judged>;
using Judge = Judgements(const Evidence& evidence, double threshold);

// time_checks.cpp
Judge unit, mixed_units, zone, before_list, before_list_far, late, coarse_time, batch_time, delay_zero, horizon_short,
    log_short;
// clock_checks.cpp
Judge hour_skipped, hour_twice, clock_set;
// Hours without any event, since clocks in local time were set forward; and those of one side alone. Hours since the epoch.
[[nodiscard]] std::vector<std::int64_t> hours_that_clocks_skip(const Evidence& evidence);
[[nodiscard]] std::vector<std::int64_t> hours_that_a_side_skips(const Evidence& evidence);
// hour_checks.cpp
Judge hours_missing, feedback_hours_missing, rate_step;
// copy_checks.cpp
Judge copied, list_again, impression_twice, feedback_twice;
// action_checks.cpp
Judge action_lost;
// id_checks.cpp
Judge list_id_form, list_id_foreign, list_id_unknown, impressions_sampled, list_id_stale, list_id_reused, item_id_form,
    item_not_in_list, list_cut, user_id_form, user_id_foreign, user_id_changes, nothing_joins, id_as_number, ids_rounded;
// user_checks.cpp
Judge placeholder_user, placeholder_item, crowded_user, busy_user, bots, arms_flap, arms_per_list;
// list_checks.cpp
Judge position_base, feedback_position_base, position_clash, rows_missing, item_repeated, empty_lists, single_item_lists,
    sorted_by_id, order_lost, order_reversed, always_first, fold, only_acted_lists, action_on_all, clicks_sampled;
// piece_checks.cpp
Judge rows_late, list_grows, nothing_new, list_full, lane_list_continued, event_id_again, once_again, basket_lines;
// value_checks.cpp
Judge segment_missing, segment_values, segment_spelling, basket_value, propensity_range, propensity_one, propensity_sum,
    scores_reversed, scores_unordered, no_feedback, no_impressions, rating_range, invalid, type_unmapped, ignored_items;

}  // namespace recmeter::doctor
