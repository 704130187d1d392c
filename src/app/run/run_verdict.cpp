#include "app/run/run_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "recmeter/result/render.h"

namespace recmeter {

namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// "3.2 %"; small shares with as many digits as tell them from zero.
std::string percent(double part) {
  return 100 * part >= 0.1 || part == 0 ? fmt::format("{:.4g} %", std::round(1000 * part) / 10)
                                        : fmt::format("{:.1g} %", 100 * part);
}

const PartitionReport& worst(const Report& report, std::uint64_t (*lost)(const EventCounts&)) {
  return *std::max_element(report.partitions.begin(), report.partitions.end(),
                           [&](const auto& a, const auto& b) { return lost(a.events) < lost(b.events); });
}

constexpr std::string_view base_remedy =
    "set inputs.position_base: 0 if that log counts positions from 0; else correct it, or raise limits.list_items";

// What the most frequent reason of invalid events asks for.
std::string_view remedy_for(InvalidReason reason) {
  switch (reason) {
    case InvalidReason::not_json:
    case InvalidReason::not_an_object: return "give a log of one JSON object a line";
    case InvalidReason::too_long: return "raise limits.message_bytes, or give a log of one JSON object a line";
    case InvalidReason::bad_position: return base_remedy;
    case InvalidReason::too_many_items: return "correct that log, or raise limits.list_items";
    case InvalidReason::id_too_long: return "correct that log, or raise limits.id_bytes";
    case InvalidReason::segment_too_long: return "correct that log, or raise limits.segment_bytes";
    case InvalidReason::time_out_of_range: return "set inputs.unit to that of the log's times, which recmeter doctor names";
    case InvalidReason::no_type:
    case InvalidReason::missing_field:
    case InvalidReason::wrong_type:
      return "name the place of that field under inputs.fields: recmeter validate CONFIG --sample LOG shows which it is; "
             "without a configuration recmeter infer writes one";
    default: return "correct that log";
  }
}

constexpr std::uint64_t many_feedback = 20;

// Of what counts: without what is tolerated. Where nothing is left of the events, all of them count.
struct Invalid {
  std::uint64_t count = 0;
  std::uint64_t of = 0;
  std::array<std::uint64_t, invalid_reason_count> reasons{};
};

Invalid invalid_of(const Report& report, const Limits& limits) {
  Invalid invalid{.count = report.events.invalid, .of = report.events.read, .reasons = report.invalid_reasons};
  if (invalid.count == invalid.of) return invalid;
  for (const InvalidReason reason : limits.tolerated_reasons) {
    std::uint64_t& count = invalid.reasons[static_cast<std::size_t>(reason)];
    invalid.count -= count;
    invalid.of -= count;
    count = 0;
  }
  return invalid;
}

// Of a partition of which most is invalid.
std::string format_clause(const Report& report, const PartitionReport& partition, std::span<const std::string> formats) {
  const auto at = static_cast<std::size_t>(&partition - report.partitions.data());
  if (at >= formats.size() || formats[at].empty() || 2 * partition.events.invalid <= partition.events.read) return "";
  return "; " + formats[at];
}

std::string invalid_sentence(const Report& report, const Invalid& invalid, double limit,
                             std::span<const std::string> formats) {
  const PartitionReport& partition = worst(report, [](const EventCounts& counts) { return counts.invalid; });
  const auto reason = std::max_element(invalid.reasons.begin(), invalid.reasons.end());
  const auto most = static_cast<InvalidReason>(reason - invalid.reasons.begin());
  return fmt::format(
      "{} of the events are invalid, more than limits.invalid_share ({}); most of them in {} ({} of {}), mostly for the "
      "reason {}: {}, or raise limits.invalid_share{}",
      percent(share(invalid.count, invalid.of)), percent(limit), partition.name, partition.events.invalid,
      partition.events.read, to_string(most), remedy_for(most), format_clause(report, partition, formats));
}

// Rows without a rank, about one for each list: of many ranks a small share of the events, and the best of each list.
std::optional<std::string> lost_ranks_sentence(const Report& report, const Invalid& invalid) {
  const std::uint64_t lost = invalid.reasons[static_cast<std::size_t>(InvalidReason::bad_position)];
  if (2 * lost <= report.lists) return std::nullopt;
  return fmt::format(
      "{} items have no rank (bad_position), of {} lists: most lists lack one; {}, or name bad_position in "
      "limits.tolerated_reasons",
      lost, report.lists, base_remedy);
}

std::string lost_sentence(const Report& report, double limit) {
  const auto lost = [](const EventCounts& counts) { return counts.late + counts.future; };
  const PartitionReport& partition = worst(report, lost);
  std::string sentence =
      fmt::format("{} of the events are late or in the future, more than limits.lost_share ({}); most of them in {}: ",
                  percent(share(lost(report.events), report.events.read)), percent(limit), partition.name);
  if (partition.events.late >= partition.events.future) {
    const std::string back = about(partition.disorder.max);
    sentence += fmt::format(
        "it goes back up to {0}: sort it by time (--sort auto sorts files, --sort always standard input, dumps and "
        "topics too), or set its allowed_lateness to {0}, for which events are kept in memory, or pass impressions and "
        "feedback as separate files, or raise limits.lost_share",
        back);
  } else {
    sentence += fmt::format(
        "{} events lie further ahead of those around them than time.max_step; correct those clocks, raise time.max_step "
        "or raise limits.lost_share",
        partition.events.future);
  }
  return sentence;
}

// Nothing was shown, so there is nothing to evaluate; why that is likely.
std::optional<std::string> no_list_sentence(const Report& report) {
  const EventCounts& events = report.events;
  if (events.read == 0 || report.lists > 0 || events.invalid == events.read) return std::nullopt;
  if (events.ignored + events.invalid == events.read) {
    return "no event counts: the types of all are neither impression nor a configured action; map them under inputs.types, "
           "or "
           "configure them under join.actions; without a configuration recmeter infer writes one";
  }
  return "no list was shown: there is no impression among what was accepted; name the logs of impressions too, or map their "
         "type to impression under inputs.types; recmeter prequential evaluates recommenders on a log without lists";
}

// Why none of so much feedback has found a list: what became of most of it. `what`: "feedback events" or alike.
std::string no_credit_sentence(const OutcomeCounts& feedback, std::string_view what) {
  const std::string none = fmt::format("none of the {} {} is credited to a list: ", feedback.events(), what);
  if (feedback.not_in_list >= std::max(feedback.unmatched, feedback.organic)) {
    return none +
           "they name lists that do not hold their items; check that item ids have one form in both, and `items.item_id`";
  }
  if (feedback.unmatched >= feedback.organic) {
    return none +
           "they name lists that are not there; check that list ids have one form in both, or drop `list_id` from feedback";
  }
  return none +
         "their users were shown none of their items within join.horizons; check that user and item ids have one form in "
         "both, and the unit and zone of times";
}

std::optional<std::string> no_value_sentence(const Report& report) {
  const std::uint64_t count = report.feedback.without_value;
  if (count == 0) return std::nullopt;
  return fmt::format("{} of what brings in income came without a value and count{} as 0; check `value` of inputs.fields",
                     count == 1 ? "1 event" : fmt::format("{} events", count), count == 1 ? "s" : "");
}

std::uint64_t records_of(const CandidateCounts& counts) {
  return counts.joined + counts.orphaned;
}

std::string orphans_sentence(const CandidateCounts& counts, std::string_view records, const std::string& recommender) {
  return fmt::format(
      "{} of the {} {} of recommender {} name a list that was not shown to their user at most join.assemble before{}; check "
      "that "
      "list and user ids have one form in both, or raise join.assemble",
      counts.orphaned, records_of(counts), records, recommender, records == "policies" ? ", or has other ranks" : "");
}

// Of the lists that judge a recommender's policy, where there are none.
std::optional<std::string> unjudged_sentence(const LaneReport& lane) {
  if (lane.counts.judged > 0) return std::nullopt;
  if (lane.counts.policies.joined > 0) {
    return "off_policy: the lists carry no propensities, so nothing is estimated; log the probability of each shown item as "
           "`propensities`, or judge candidates by lanes alone";
  }
  return "off_policy: no policy of recommender " + lane.name +
         " is known for any list with propensities, so nothing is estimated; name the log of its policies too";
}

// Of a lane whose candidates or policies found no place.
std::optional<std::string> no_place_sentence(const Report& report) {
  const auto is_judged = [&](const LaneReport& lane) {
    return std::ranges::any_of(report.lanes, [&](const LaneReport& other) {
      return other.is_policy && other.name == lane.name && other.counts.judged > 0;
    });
  };
  for (const LaneReport& lane : report.lanes) {
    const CandidateCounts& counts = lane.is_policy ? lane.counts.policies : lane.counts.candidates;
    if (counts.orphaned > counts.joined)
      return orphans_sentence(counts, lane.is_policy ? "policies" : "candidates", lane.name);
    if (lane.is_policy) {
      if (auto sentence = unjudged_sentence(lane)) return sentence;
    } else if (records_of(counts) == 0 && !is_judged(lane)) {
      return "no candidate of recommender " + lane.name + " was read: its lane has no lists; name the log of candidates too";
    }
  }
  return std::nullopt;
}

}  // namespace

std::string about(Duration span) {
  const std::int64_t minutes = (span.ms + 59'999) / one_minute.ms;
  if (span.ms < one_minute.ms) return render_duration(Duration{(span.ms + 999) / 1000 * 1000});
  if (minutes < 60) return fmt::format("{}m", minutes);
  return minutes % 60 == 0 ? fmt::format("{}h", minutes / 60) : fmt::format("{}h{}m", minutes / 60, minutes % 60);
}

std::vector<std::string> exceeded_limits(const Report& report, const Limits& limits, std::span<const std::string> formats) {
  std::vector<std::string> sentences;
  const EventCounts& events = report.events;
  const Invalid invalid = invalid_of(report, limits);
  if (share(invalid.count, invalid.of) > limits.invalid_share) {
    sentences.push_back(invalid_sentence(report, invalid, limits.invalid_share, formats));
  } else if (auto sentence = lost_ranks_sentence(report, invalid)) {
    sentences.push_back(std::move(*sentence));
  }
  if (share(events.late + events.future, events.read) > limits.lost_share) {
    sentences.push_back(lost_sentence(report, limits.lost_share));
  }
  if (auto sentence = no_list_sentence(report)) sentences.push_back(std::move(*sentence));
  return sentences;
}

namespace {

// Losses of so much of impressions or feedback are hardly meant. Events equal to one before them, and further lines of a
// basket, say nothing else than they.
constexpr double many_lost = 0.05;
constexpr std::uint64_t few_lost = 20;
constexpr std::uint64_t few_of_action = 5;

std::vector<std::string> duplicates_sentences(const Report& report) {
  struct Told {
    DuplicateReason reason;
    bool is_feedback;
    std::string_view says;
  };
  static constexpr std::array told{
      Told{DuplicateReason::nothing_new, false,
           "they show other items than those before them under their list id, but their list has all of them; if they are "
           "lists "
           "of their own, give each its own id or set join.whole_lists: own"},
      Told{DuplicateReason::taken, false,
           "rows at a position that another item of their list holds: several lists share an id; give each its own"},
      Told{DuplicateReason::late_row, false,
           "rows that came when their list was assembled; raise join.assemble: recmeter doctor says to which value"},
      Told{DuplicateReason::full, false,
           "their list would be longer than limits.list_items; raise it or, if they are lists of their own, give each its "
           "own id "
           "or set join.whole_lists: own"},
      Told{
          DuplicateReason::once, true,
          "their event_id came before with the same action on the same item; without `once` of the action each would count"}};
  const EventCounts& events = report.events;
  std::uint64_t impressions = events.impressions;
  std::uint64_t feedback = events.feedback;
  for (const Told& each : told) (each.is_feedback ? feedback : impressions) += events.duplicate(each.reason);
  std::vector<std::string> sentences;
  for (const auto& [reason, is_feedback, says] : told) {
    const std::uint64_t count = events.duplicate(reason);
    const double part = share(count, is_feedback ? feedback : impressions);
    if (count < few_lost || part < many_lost) continue;
    sentences.push_back(fmt::format("{} of {} ({}) are duplicates ({}): {}", percent(part),
                                    is_feedback ? "feedback" : "impressions", count, to_string(reason), says));
  }
  return sentences;
}

// Actions none of whose feedback is credited, while that of others is. No total tells of a rare one.
std::vector<std::string> lost_actions_sentences(const Report& report) {
  std::vector<std::string> sentences;
  for (const ActionReport& action : report.actions) {
    if (is_lost(action.feedback)) sentences.push_back(no_credit_sentence(action.feedback, action.name + " events"));
  }
  return sentences;
}

// "5 % of feedback (50)" and the actions that lose much more of theirs, or the actions alone where the total loses little;
// empty where none does. Without actions that lose all, which have sentences of their own.
std::string lost_feedback(const Report& report, std::uint64_t OutcomeCounts::* lost) {
  std::uint64_t of_all = report.feedback.*lost;
  std::uint64_t all = report.events.feedback;
  for (const ActionReport& action : report.actions) {
    if (!is_lost(action.feedback)) continue;
    of_all -= action.feedback.*lost;
    all -= action.feedback.events();
  }
  const double part = share(of_all, all);
  const bool is_told = of_all >= few_lost && part >= many_lost;
  std::vector<std::string> actions;
  for (const auto& [name, counts] : report.actions) {
    const std::uint64_t count = counts.*lost;
    const double of_action = share(count, counts.events());
    if (is_lost(counts) || count < few_of_action || of_action < many_lost || (is_told && of_action < 2 * part)) continue;
    actions.push_back(fmt::format("{} of {} ({})", percent(of_action), name, count));
  }
  std::string text = is_told ? fmt::format("{} of feedback ({})", percent(part), of_all) : "";
  if (is_told && !actions.empty()) text += ", with ";
  return text + fmt::format("{}", fmt::join(actions, ", "));
}

// Feedback that names a list and is on none. Organic feedback names none, and nobody recommended it.
std::vector<std::string> lost_sentences(const Report& report) {
  std::vector<std::string> sentences = lost_actions_sentences(report);
  const std::uint64_t ranks_lost = report.invalid_reasons[static_cast<std::size_t>(InvalidReason::bad_position)];
  const double part = share(ranks_lost, report.events.impressions + ranks_lost);
  if (ranks_lost >= few_lost && part >= many_lost) {
    sentences.push_back(fmt::format(
        "{} of items shown ({}) have no rank (bad_position): set inputs.position_base: 0 if that log counts positions from 0",
        percent(part), ranks_lost));
  }
  struct Told {
    std::uint64_t OutcomeCounts::* lost;
    std::string_view says;
  };
  static constexpr std::array told{
      Told{&OutcomeCounts::not_in_list,
           "names a list that does not hold its item (not_in_list): of another list or widget, or by an id in another form; "
           "recmeter doctor says which"},
      Told{&OutcomeCounts::unmatched,
           "names a list that is not there, or was shown longer ago than join.horizons (unmatched): name the log of those "
           "lists, raise join.horizons, or leave list_id out of feedback if it is another id; recmeter doctor says which"}};
  for (const auto& [lost, says] : told) {
    if (const std::string what = lost_feedback(report, lost); !what.empty()) {
      sentences.push_back(fmt::format("{} {}", what, says));
    }
  }
  return sentences;
}

}  // namespace

bool is_lost(const FeedbackCounts& action) {
  return action.credited + action.repeated == 0 && action.events() >= few_of_action;
}

std::vector<std::string> doubts(const Report& report) {
  const EventCounts& events = report.events;
  if (events.read == 0) return {"no event was read: the inputs are empty"};
  if (report.lists == 0) return {};
  if (events.feedback == 0) {
    return {
        "no feedback was read, so no list counts as acted on; name the logs of feedback too, or map its types under "
        "inputs.types"};
  }
  if (report.feedback.credited + report.feedback.repeated == 0 && events.feedback >= many_feedback) {
    // Impressions that are no part of a list may be why.
    std::vector<std::string> sentences = duplicates_sentences(report);
    sentences.push_back(no_credit_sentence(report.feedback, "feedback events"));
    return sentences;
  }
  if (report.lists > 0 && report.rows_final + report.rows_truncated == 0) {
    return {"no row was written: no window with a list lies between --from and --to"};
  }
  if (auto sentence = no_place_sentence(report)) return {std::move(*sentence)};
  if (auto sentence = no_value_sentence(report)) return {std::move(*sentence)};
  std::vector<std::string> sentences = duplicates_sentences(report);
  for (std::string& sentence : lost_sentences(report)) sentences.push_back(std::move(sentence));
  return sentences;
}

std::string max_step_for(const GapAtEnd& gap) {
  const std::int64_t unit = gap.step.ms < one_minute.ms ? 1 : one_minute.ms;
  return render_duration(Duration{(gap.step.ms + unit - 1) / unit * unit});
}

std::string held_rows_text(const GapAtEnd& gap, std::string_view which) {
  return fmt::format("{} are not final, since records lie far apart (set time.max_step: {}); their values hold.", which,
                     max_step_for(gap));
}

std::optional<std::string> gap_sentence(const Report& report) {
  if (!report.gap_at_end || report.gap_at_end->rows == 0) return std::nullopt;
  const GapAtEnd& gap = *report.gap_at_end;
  return fmt::format(
      "{} of the {} rows that are not final hold all that was read: the last {} records of {} come up to {} after those "
      "before "
      "them, and so long a jump is taken for a wrong clock until more follow. Write time.max_step: {} (or 0s, no limit) to "
      "have "
      "these rows final",
      gap.rows, report.rows_truncated, gap.records, gap.partition, about(gap.step), max_step_for(gap));
}

std::optional<std::string> lanes_sentence(const LaneSpec& lanes, const Report& report) {
  std::vector<std::string> names;
  for (const LaneReport& lane : report.lanes) {
    if (!lane.is_policy && records_of(lane.counts.candidates) > 0) names.push_back(lane.name);
  }
  if (names.empty()) return std::nullopt;
  const bool are_dropped = lanes.unjudged == LaneSpec::Unjudged::drop;
  return fmt::format("{} {} not shown to anybody: items that the user did not see {}", fmt::join(names, ", "),
                     names.size() == 1 ? "was" : "were",
                     are_dropped ? "are taken out of their lists first"
                                 : "count as not relevant; judged_share in the rows is the share that was seen");
}

std::optional<std::string> ignored_sentence(const Report& report) {
  const std::uint64_t ignored = report.events.ignored;
  const double part = share(ignored, report.events.read);
  if (ignored < few_lost || part < many_lost || report.lists == 0) return std::nullopt;
  return fmt::format(
      "{} of the events ({}) are ignored: no type of join.actions and no rule of inputs.events takes them; recmeter doctor "
      "says "
      "whether they hold items that were shown",
      percent(part), ignored);
}

}  // namespace recmeter
