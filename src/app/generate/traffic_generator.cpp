#include "app/generate/traffic_generator.h"

#include <algorithm>
#include <cmath>

#include "app/generate/malformed_record.h"

namespace recmeter::generate {

namespace {

constexpr Duration wrong_clock_ahead{2 * one_hour.ms};
constexpr std::int64_t organic_spread_ms = one_minute.ms;  // how long after a list's time an unrelated action may come

double share_of(std::uint64_t number, double within, std::uint64_t lists) {
  return (static_cast<double>(number) + within) / static_cast<double>(lists);
}

EventTime time_of_last_list(const TrafficSpec& spec) {
  RandomStream random(spec.seed, Purpose::list, spec.lists - 1);
  return DailyRhythm(spec.start, spec.span, spec.rhythm).at(share_of(spec.lists - 1, random.uniform(), spec.lists));
}

bool spoils_records(const TrafficSpec& spec) {
  return spec.disorder.ms > 0 || spec.duplicates > 0 || spec.late > 0 || spec.wrong_clocks > 0 || spec.malformed > 0;
}

}  // namespace

TrafficGenerator::TrafficGenerator(const TrafficSpec& spec, Split split, RecordSink& sink)
    : spec_(spec),
      split_(split),
      model_(spec),
      popularity_(spec.items / item_groups, spec.item_exponent),
      rhythm_(spec.start, spec.span, spec.rhythm),
      last_list_(time_of_last_list(spec)),
      disturbed_(spoils_records(spec)),
      form_(line_form(spec)),
      log_(spec_, split, last_list_, sink, truth_) {
  truth_.spec = spec;
}

Result<Truth> TrafficGenerator::run() {
  expect_metrics(truth_, model_);
  for (std::uint64_t number = 0; number < spec_.lists; ++number) {
    RandomStream random(spec_.seed, Purpose::list, number);
    RandomStream disturbance(spec_.seed, Purpose::disturbance, number);
    ShownList list = draw_list(number, random);
    list.in_rows = spec_.rows > 0 && disturbance.chance(spec_.rows) && list.length > 0;
    if (auto written = log_.write_until(list.ts); !written) return tl::unexpected(written.error());
    Arrival arrival;
    add_impression(list, arrival, disturbance);
    add_actions(list, arrival, random, disturbance);
    add_organic(list, random, disturbance);
    add_marks(list);
    count_list(list, arrival);
  }
  if (auto written = log_.finish(); !written) return tl::unexpected(written.error());
  return truth_;
}

ShownList TrafficGenerator::draw_list(std::uint64_t number, RandomStream& random) {
  ShownList list;
  list.number = number;
  list.ts = rhythm_.at(share_of(number, random.uniform(), spec_.lists));
  draw_viewer(list, random);
  list.search = random.chance(spec_.surface_search);
  if (!random.chance(spec_.empty_lists)) {
    list.length = spec_.length_min + random.below(spec_.length_max - spec_.length_min + 1);
  }
  draw_items(list, random);
  return list;
}

void TrafficGenerator::draw_viewer(ShownList& list, RandomStream& random) const {
  if (random.chance(spec_.placeholder_users)) {
    list.placeholder = random.chance(0.5) ? "anonymous" : "0";
    list.favourite_group = random.below(item_groups);
    list.engagement = middle_engagement;
    list.variant = model_.draw_variant(random.uniform());
    return;
  }
  list.user = random.chance(spec_.heavy_user) ? 0 : random.below(spec_.users);
  list.favourite_group = model_.favourite_group(list.user);
  list.engagement = ClickModel::engagement_of_user(list.user);
  list.variant = model_.variant_of_user(list.user);
}

void TrafficGenerator::draw_items(ShownList& list, RandomStream& random) const {
  constexpr int patience = 64;
  const std::uint64_t group_size = spec_.items / item_groups;
  const double quality = model_.quality(model_.class_of_variant(list.variant));
  const auto begin = list.items.begin();
  for (std::size_t i = 0; i < list.length; ++i) {
    const std::uint64_t group = random.chance(quality) ? list.favourite_group : random.below(item_groups);
    const auto end = begin + static_cast<std::ptrdiff_t>(i);
    // An item stands in a list once. The group stays, so that ranks stay independent.
    std::uint64_t place = popularity_.draw(random);
    for (int tries = 1; std::find(begin, end, place * item_groups + group) != end; ++tries) {
      place = tries < patience ? popularity_.draw(random) : (place + 1) % group_size;
    }
    list.items[i] = place * item_groups + group;
  }
}

Duration TrafficGenerator::draw_delay(const LogNormalDelay& delay, RandomStream& random) const {
  for (;;) {
    const double ms = static_cast<double>(delay.median.ms) * portable_exp(delay.sigma * random.normal());
    if (ms < static_cast<double>(spec_.longest_delay.ms)) return {std::max<std::int64_t>(1, static_cast<std::int64_t>(ms))};
  }
}

RecordRole TrafficGenerator::draw_role(EventTime ts, RandomStream& disturbance) const {
  if (!disturbed_) return RecordRole::honest;
  const double u = disturbance.uniform();
  if (u < spec_.late) return ts + spec_.lateness < last_list_ ? RecordRole::late : RecordRole::honest;
  if (u < spec_.late + spec_.wrong_clocks) return ts < last_list_ ? RecordRole::wrong_clock : RecordRole::honest;
  // `copy` stands here for an honest record that is written twice.
  return u < spec_.late + spec_.wrong_clocks + spec_.duplicates ? RecordRole::copy : RecordRole::honest;
}

EventTime TrafficGenerator::claimed(EventTime ts, RecordRole role) const noexcept {
  return role == RecordRole::wrong_clock ? ts + wrong_clock_ahead : ts;
}

bool TrafficGenerator::send(EventTime ts, RecordRole role, bool action, RandomStream& disturbance) {
  const auto disorder = [&] {
    if (spec_.disorder.ms == 0) return Duration{0};
    return Duration{static_cast<std::int64_t>(disturbance.below(static_cast<std::uint64_t>(spec_.disorder.ms) + 1))};
  };
  bool accepted = false;
  switch (role) {
    case RecordRole::late: {
      const auto wait = static_cast<std::int64_t>(disturbance.below(static_cast<std::uint64_t>(spec_.lateness.ms)));
      log_.add(ts + spec_.lateness + spec_.disorder + Duration{wait + 1}, ts, role, action, line_.text());
      ++truth_.disturbances.late;
      ++truth_.report.late;
      break;
    }
    case RecordRole::wrong_clock:
      log_.add(ts + disorder(), ts, role, action, line_.text());
      ++truth_.disturbances.wrong_clocks;
      ++truth_.report.future;
      break;
    case RecordRole::copy:
      log_.add(ts + disorder(), ts, RecordRole::copy, action, line_.text());
      ++truth_.disturbances.duplicates;
      ++truth_.report.duplicate;
      [[fallthrough]];
    default:
      log_.add(ts + disorder(), ts, RecordRole::honest, action, line_.text());
      ++(action ? truth_.report.feedback : truth_.report.impressions);
      accepted = true;
  }
  if (spec_.malformed > 0 && disturbance.chance(spec_.malformed)) add_malformed(ts + disorder(), action, disturbance);
  return accepted;
}

void TrafficGenerator::add_malformed(EventTime ts, bool action, RandomStream& disturbance) {
  // The first ones go through all kinds in turn; the big kinds are rare after that.
  const std::uint64_t made = truth_.disturbances.malformed++;
  constexpr auto& reasons = native_json_reasons;
  InvalidReason reason = reasons[made < reasons.size() ? made : disturbance.below(reasons.size())];
  if (made >= reasons.size()) {
    if (reason == InvalidReason::too_long && made % 4096 != 0) reason = InvalidReason::not_json;
    if (reason == InvalidReason::too_many_items && made % 64 != 0) reason = InvalidReason::wrong_type;
  }
  ++truth_.disturbances.malformed_by_reason[static_cast<std::size_t>(reason)];
  ++truth_.report.invalid;
  log_.add(ts, ts, RecordRole::malformed, action, malformed_record(reason, ts, disturbance.next() >> 32));
}

void TrafficGenerator::add_impression(const ShownList& list, Arrival& arrival, RandomStream& disturbance) {
  const bool last = list.number + 1 == spec_.lists;  // always honest: late records wait for it
  if (!list.in_rows) {
    const RecordRole role = last ? RecordRole::honest : draw_role(list.ts, disturbance);
    line_.clear();
    put_whole_list(line_, list, claimed(list.ts, role), form_);
    arrival.any = send(list.ts, role, false, disturbance);
    std::fill_n(arrival.rank_known.begin(), list.length, arrival.any);
    ++truth_.records.whole_lists;
    return;
  }
  for (std::size_t rank = 1; rank <= list.length; ++rank) {
    const RecordRole role = last ? RecordRole::honest : draw_role(list.ts, disturbance);
    line_.clear();
    put_row(line_, list, rank, claimed(list.ts, role), form_);
    arrival.rank_known[rank - 1] = send(list.ts, role, false, disturbance);
    arrival.any = arrival.any || arrival.rank_known[rank - 1];
    ++truth_.records.rows;
  }
}

void TrafficGenerator::add_actions(const ShownList& list, Arrival& arrival, RandomStream& random, RandomStream& disturbance) {
  const double eager = model_.click_rate() * engagements[list.engagement];
  for (std::size_t rank = 1; rank <= list.length; ++rank) {
    const std::uint64_t group = list.items[rank - 1] % item_groups;
    const double affinity = affinities[(group + item_groups - list.favourite_group) % item_groups];
    if (random.chance(eager * model_.examine(rank) * affinity)) add_click(list, rank, arrival, random, disturbance);
  }
}

void TrafficGenerator::add_click(const ShownList& list, std::size_t rank, Arrival& arrival, RandomStream& random,
                                 RandomStream& disturbance) {
  const bool known = arrival.rank_known[rank - 1];
  const auto act = [&](ActionKind kind, EventTime ts, bool needed, std::uint32_t value) {
    const bool names_list = random.chance(spec_.with_list_id) || !list.placeholder.empty();
    const UserAction action{kind, ts, list.user, list.placeholder, list.items[rank - 1], names_list, list.number, value};
    const bool accepted = add_action(action, disturbance);
    const bool in_time = ts - list.ts < spec_.horizon;
    const bool credited = accepted && known && in_time && needed;
    count_outcome(action, accepted, credited, arrival.any && !known && in_time);
    return credited;
  };
  const EventTime clicked = list.ts + draw_delay(spec_.click_delay, random);
  const bool click_counts = act(ActionKind::click, clicked, true, 0);
  if (click_counts) {
    arrival.hit = true;
    arrival.grades[rank - 1] = click_gain;
  }
  if (random.chance(spec_.purchases)) {
    const EventTime bought = clicked + draw_delay(spec_.purchase_delay, random);
    if (act(ActionKind::purchase, bought, click_counts, 0)) arrival.grades[rank - 1] = purchase_gain;
  }
  if (random.chance(spec_.ratings)) {
    const EventTime rated = clicked + draw_delay(spec_.purchase_delay, random);
    const std::uint64_t tenths = predicted_tenths(list, rank) + random.below(21);  // up to one star off
    act(ActionKind::rating, rated, true, static_cast<std::uint32_t>(std::clamp<std::uint64_t>((tenths - 5) / 10, 1, 5)));
  }
}

void TrafficGenerator::add_organic(const ShownList& list, RandomStream& random, RandomStream& disturbance) {
  const double mean = spec_.feedback_per_list * spec_.organic;
  const double whole = std::floor(mean);
  const auto count = static_cast<std::uint64_t>(whole) + (random.chance(mean - whole) ? 1 : 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    UserAction action;
    action.ts = list.ts + Duration{static_cast<std::int64_t>(random.below(organic_spread_ms))};
    action.user = random.below(spec_.users);
    // Items that no list shows, so that an organic action never meets a list by chance.
    action.item = spec_.items + random.below(std::max<std::uint64_t>(1, spec_.items / 10));
    const bool accepted = add_action(action, disturbance);
    count_outcome(action, accepted, false, false);
    ++truth_.records.organic;
  }
}

bool TrafficGenerator::add_action(const UserAction& action, RandomStream& disturbance) {
  const RecordRole role = draw_role(action.ts, disturbance);
  line_.clear();
  put_action(line_, action, claimed(action.ts, role), form_);
  ++truth_.records.actions[static_cast<std::size_t>(action.kind)];
  return send(action.ts, role, true, disturbance);
}

void TrafficGenerator::count_outcome(const UserAction& action, bool accepted, bool credited, bool item_missing) {
  if (!accepted) return;
  ExpectedReport& report = truth_.report;
  if (credited) {
    ++report.credited;
  } else if (!action.names_list) {
    ++report.organic;
  } else {
    ++(item_missing ? report.not_in_list : report.unmatched);
  }
}

void TrafficGenerator::add_marks(const ShownList& list) {
  const auto stray = [&](EventTime ts, RecordRole role) {
    UserAction action;
    action.item = spec_.items;
    line_.clear();
    put_action(line_, action, ts, form_);
    log_.add(list.ts, role == RecordRole::honest ? ts : list.ts, role, true, line_.text());
  };
  if (spec_.far_clock && spec_.honest_end && list.number == spec_.lists / 2) {
    stray(far_clock_time, RecordRole::wrong_clock);
    ++truth_.disturbances.far_clock;
    ++truth_.report.future;
  }
  // The file of actions needs something for late ones to be late against.
  if (spec_.late > 0 && split_ == Split::kind && list.number + 1 == spec_.lists) {
    stray(list.ts, RecordRole::honest);
    ++truth_.records.actions[0];
    ++truth_.records.organic;
    ++truth_.records.closing;
    ++truth_.report.feedback;
    ++truth_.report.organic;
  }
}

void TrafficGenerator::count_list(const ShownList& list, const Arrival& arrival) {
  const std::size_t quality_class = model_.class_of_variant(list.variant);
  ++truth_.lists_shown[quality_class];
  if (list.length == 0) ++truth_.empty_lists;
  if (list.in_rows) ++truth_.lists_in_rows;
  if (!list.placeholder.empty()) ++truth_.placeholder_lists;
  if (spec_.heavy_user > 0 && list.placeholder.empty() && list.user == 0) ++truth_.heavy_user_lists;
  if (!arrival.any) return;
  ++truth_.report.lists;
  VariantTruth& variant = truth_.variants[quality_class];
  if (arrival.hit) {
    variant.add_list(metrics_of_list(std::span(arrival.grades).first(list.length)));
  } else {
    variant.add_list_without_hits();
  }
}

}  // namespace recmeter::generate
