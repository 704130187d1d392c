#include "support/batch_experiment.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "support/batch_interval.h"
#include "support/batch_join.h"
#include "support/batch_lists.h"
#include "support/batch_metrics.h"
#include "support/batch_partition.h"

namespace recmeter::support {
namespace {

struct Log {
  AcceptedEvents events;
  std::optional<std::int64_t> last;
  std::optional<std::int64_t> first_after_cut;
};

Log read_log(const EvaluatorSpec& spec, std::span<const BatchInput> inputs) {
  Log log;
  std::vector<BatchEvent> candidates;
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    BatchPartition partition = judge_partition(spec, inputs[p], p);
    std::move(partition.candidates.begin(), partition.candidates.end(), std::back_inserter(candidates));
    if (partition.last_time) log.last = std::max(log.last.value_or(*partition.last_time), *partition.last_time);
    if (!inputs[p].is_cut_at_start || !partition.first_time) continue;
    log.first_after_cut = std::max(log.first_after_cut.value_or(*partition.first_time), *partition.first_time);
  }
  log.events = accept(spec, std::move(candidates), inputs.size());
  return log;
}

std::uint8_t zeros_of(const std::string& user) {
  return static_cast<std::uint8_t>(std::min(std::countl_zero(XXH3_64bits_withSeed(user.data(), user.size(), 1)), 63));
}

// The value of the segment key as rows show it.
std::string shown_value(const BatchList& list, const std::string& key) {
  for (const auto& [k, value] : list.segments) {
    if (k != key) continue;
    const bool is_special = value == "(none)" || value == "(other)" || value.front() == '\\';
    return is_special ? "\\" + value : value;
  }
  return "(none)";
}

class Looks {
 public:
  Looks(const EvaluatorSpec& spec, const ExperimentSpec& experiment, const Log& log, const BatchJoin& join)
      : spec_(spec), experiment_(experiment), log_(log), relevance_(log.events.lists.size()) {
    join.visit_relevance(experiment.horizon, [&](std::size_t list, const ListRelevance& worth) { relevance_[list] = worth; });
    for (std::size_t i = 0; i < relevance_.size(); ++i) order_.push_back(i);
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      const BatchList &x = log.events.lists[a], &y = log.events.lists[b];
      return std::pair(x.ts, x.opened_by) < std::pair(y.ts, y.opened_by);
    });
    if (experiment.draft) {
      const auto& actions = spec.join.actions;
      drafted_by_ =
          static_cast<std::size_t>(std::ranges::find(actions, experiment.draft->action, &Action::name) - actions.begin());
      BatchJoin alone = join;
      alone.look_at({*drafted_by_});
      alone.visit_relevance(experiment.horizon,
                            [&](std::size_t list, const ListRelevance& worth) { relevance_[list] = worth; });
      return;
    }
    const std::vector<MetricColumn> columns = metric_columns(spec);
    for (const auto* tests : {&experiment.primary, &experiment.guardrails, &experiment.secondary}) {
      for (const MetricTest& test : *tests) {
        columns_.push_back(
            *std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.key == test.metric; }));
      }
    }
  }

  std::vector<BatchLook> all() {
    std::vector<BatchLook> looks;
    const std::int64_t count = experiment_.duration.ms / experiment_.every.ms;
    for (std::int64_t number = 1; number <= count; ++number) {
      const std::int64_t end = experiment_.start.ms + number * experiment_.every.ms;
      BatchLook look = look_at(number, end);
      samples_[number] = look.sample;
      if (!log_.last || end + age() > *log_.last) break;
      const bool has_lists = std::ranges::any_of(
          log_.events.lists, [&](const BatchList& list) { return list.ts >= end - experiment_.every.ms && list.ts < end; });
      if (has_lists || number == count) looks.push_back(std::move(look));
    }
    return looks;
  }

 private:
  struct Member {
    std::size_t arm = 0;
    bool is_mixed = false;
    std::set<std::size_t> acted = {};  // metrics that count it once, and have
  };

  [[nodiscard]] std::int64_t age() const { return experiment_.horizon.ms + spec_.join.skew.ms; }

  BatchLook look_at(std::int64_t number, std::int64_t end) {
    const std::size_t arms = experiment_.arms.values.size();
    BatchLook look;
    look.experiment = experiment_.name;
    look.number = number;
    look.is_closed = number == experiment_.duration.ms / experiment_.every.ms;
    look.lists.resize(arms);
    look.users.resize(arms);
    look.metrics.assign(drafted_by_ ? 1 : columns_.size(), std::vector<BatchLook::Sums>(arms));
    for (const MetricColumn& column : columns_) {
      look.uncut.emplace_back(column.options.cap ? arms : 0);
    }
    std::map<std::string, Member> members;
    std::int64_t current = 1;
    for (const std::size_t list : order_) {
      const BatchList& shown = log_.events.lists[list];
      if (shown.ts < experiment_.start.ms || shown.ts >= end) continue;
      const std::int64_t in_look = (shown.ts - experiment_.start.ms) / experiment_.every.ms + 1;
      for (; current < in_look; ++current) forget_beyond_sample(members, samples_[current]);
      count(look, members, list, in_look == 1 ? 0 : samples_[in_look - 1]);
    }
    look.sample = number == 1 ? 0 : samples_[number - 1];
    const auto in_sample = [&] {
      return std::ranges::count_if(members, [&](const auto& member) { return zeros_of(member.first) >= look.sample; });
    };
    while (static_cast<std::size_t>(in_sample()) > spec_.limits.experiment_users) ++look.sample;
    forget_beyond_sample(members, look.sample);
    for (const auto& [user, member] : members) {
      ++look.users[member.arm];
      look.mixed_users += member.is_mixed ? 1 : 0;
    }
    if (is_without_start()) look.incomplete.emplace_back("start");
    if (look.sample > 0 && !drafted_by_) look.incomplete.emplace_back("experiment_users");
    return look;
  }

  static void forget_beyond_sample(std::map<std::string, Member>& members, std::uint8_t sample) {
    std::erase_if(members, [&](const auto& member) { return zeros_of(member.first) < sample; });
  }

  void count(BatchLook& look, std::map<std::string, Member>& members, std::size_t list, std::uint8_t sample) {
    if (drafted_by_) return count_draft(look, members, list, sample);
    const BatchList& shown = log_.events.lists[list];
    const auto& values = experiment_.arms.values;
    const auto named = std::ranges::find(values, shown_value(shown, experiment_.arms.key));
    if (named == values.end()) {
      ++look.other_lists;
      return;
    }
    const auto arm = static_cast<std::size_t>(named - values.begin());
    Member* shown_to = nullptr;
    if (experiment_.assign == Assign::user) {
      if (shown.owner.empty()) {
        ++look.nobody_lists;
        return;
      }
      if (!members.contains(shown.owner) && zeros_of(shown.owner) >= sample) {
        members[shown.owner] = {arm};
        enter(look, shown.owner, arm, slot_of(shown));
      }
      const auto member = members.find(shown.owner);
      if (member != members.end() && member->second.arm != arm) {
        member->second.is_mixed = true;
        ++look.mixed_lists;
        return;
      }
      if (member != members.end()) shown_to = &member->second;
    }
    ++look.lists[arm];
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      BatchLook::Sums& sums = look.metrics[c][arm];
      if (columns_[c].options.cap) {
        Int128 count = 0;
        MetricColumn uncut = columns_[c];
        uncut.options.cap.reset();
        add_income(uncut, relevance_[list], look.uncut[c][arm], count);
      }
      if (is_per_user(c)) {
        add_per_user(c, list, shown_to, sums.s[slot_of(shown)]);
      } else {
        add(c, list, sums.s[slot_of(shown)], sums.n[slot_of(shown)]);
      }
    }
  }

  // "credit of a team = distinct items of it with the action; v = sign(credit_b − credit_a). S = Σv, N = lists with v ≠ 0 or
  // credit > 0", in the arm whose team comes first.
  void count_draft(BatchLook& look, std::map<std::string, Member>& members, std::size_t list, std::uint8_t sample) const {
    const BatchList& shown = log_.events.lists[list];
    const std::string& a = experiment_.arms.values[0];
    const std::string& b = experiment_.arms.values[1];
    const auto first =
        std::ranges::find_if(shown.ranks, [&](const ShownItem& rank) { return rank.team == a || rank.team == b; });
    if (first == shown.ranks.end()) {
      ++look.other_lists;
      return;
    }
    const std::size_t arm = first->team == a ? 0 : 1;
    ++look.lists[arm];
    // "a user counts once, in the arm of its first list that counts"
    const bool is_known = spec_.join.key.by == JoinKey::By::user && !shown.owner.empty();
    if (is_known && zeros_of(shown.owner) >= sample) members.try_emplace(shown.owner, Member{arm});
    const ListRelevance& acted = relevance_[list].by_action.at(*drafted_by_);
    std::set<ItemNumber> of_a, of_b;
    for (std::size_t i = 0; i < shown.ranks.size(); ++i) {
      if (acted.grades[i] <= 0) continue;
      if (shown.ranks[i].team == a) of_a.insert(*shown.ranks[i].item);
      if (shown.ranks[i].team == b) of_b.insert(*shown.ranks[i].item);
    }
    if (of_a.empty() && of_b.empty()) return;
    BatchLook::Sums& sums = look.metrics[0][arm];
    sums.n[slot_of(shown)] += Int128{1} << 32;
    sums.s[slot_of(shown)] += (Int128{of_b.size() > of_a.size()} - Int128{of_b.size() < of_a.size()}) << 32;
    look.wins += of_b.size() > of_a.size() ? 1U : 0U;
    look.losses += of_b.size() < of_a.size() ? 1U : 0U;
    look.ties += of_b.size() == of_a.size() ? 1U : 0U;
  }

  [[nodiscard]] bool is_per_user(std::size_t column) const {
    return columns_[column].definition->form == MetricForm::mean_over_users;
  }

  void add_per_user(std::size_t column, std::size_t list, Member* member, Int128& s) const {
    const MetricColumn& metric = columns_[column];
    const double value = metric.definition->score(metric.seen(relevance_[list]), 0, metric.options);
    if (metric.definition->counts_once && (value == 0 || member == nullptr || !member->acted.insert(column).second)) return;
    s += to_fixed_wide(value);
  }

  // The user becomes a member, and what it did before the start counts once.
  void enter(BatchLook& look, const std::string& user, std::size_t arm, std::size_t slot) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      BatchLook::Sums& sums = look.metrics[c][arm];
      if (is_per_user(c)) sums.n[slot] += Int128{1} << 32;
      if (experiment_.cuped_before.ms == 0) continue;
      sums.m[slot] += Int128{1} << 32;
      Member before;
      if (is_per_user(c)) sums.p[slot] += Int128{1} << 32;
      for (std::size_t list = 0; list < log_.events.lists.size(); ++list) {
        const BatchList& shown = log_.events.lists[list];
        if (shown.owner != user || shown.ts < experiment_.start.ms - experiment_.cuped_before.ms) continue;
        if (shown.ts + age() > experiment_.start.ms) continue;
        if (is_per_user(c)) {
          add_per_user(c, list, &before, sums.x[slot]);
        } else {
          add(c, list, sums.x[slot], sums.p[slot]);
        }
      }
    }
  }

  // What the list adds to numerator and denominator of a metric.
  void add(std::size_t column, std::size_t list, Int128& s, Int128& n) const {
    const MetricColumn& metric = columns_[column];
    const ListRelevance& worth = metric.seen(relevance_[list]);
    if (metric.definition->name == "income" || metric.definition->name == "reward") {
      return add_income(metric, relevance_[list], s, n);
    }
    if (metric.definition->form == MetricForm::of_all_together && metric.options.unit == Unit::list) {
      const std::array<const ListRelevance*, 1> alone{&worth};
      const auto value = metric.definition->together(alone, metric.k, metric.options);
      n += Int128{value ? 1 : 0} << 32;
      if (value) s += to_fixed_wide(*value);
      return;
    }
    const bool evidence = metric.definition->has_evidence(worth, metric.k_of(worth), metric.options);
    if (wants_items(metric.over) && log_.events.lists[list].ranks.empty()) return;
    if (wants_evidence(metric.over) && !evidence) return;
    if (metric.over == Over::user_relevant && !has_relevant(worth)) return;
    if (metric.options.unit == Unit::pooled) {
      std::int64_t hits = 0;
      std::int64_t relevant = 0;
      for (std::size_t rank = 0; rank < worth.grades.size(); ++rank) {
        relevant += worth.grades[rank] > 0 ? 1 : 0;
        hits += worth.grades[rank] > 0 && rank < metric.k_of(worth) ? 1 : 0;
      }
      s += Int128{hits} << 32;
      n += (Int128{relevant} + static_cast<std::int64_t>(worth.missed.size())) << 32;
      return;
    }
    n += Int128{1} << 32;
    if (evidence) s += to_fixed(metric.definition->score(worth, metric.k_of(worth), metric.options));
  }

  static void add_income(const MetricColumn& metric, const ListRelevance& whole, Int128& s, Int128& n) {
    const ListRelevance& worth = metric.seen(whole);
    if (metric.definition->together == nullptr) {
      s += to_fixed_wide(metric.definition->score(worth, 0, metric.options));
      return;
    }
    const ListRelevance* const one = &worth;
    const double below = metric.definition->has_cutoff ? static_cast<double>(metric.k) : 1;
    s += to_fixed_wide(*metric.definition->together({&one, 1}, metric.k, metric.options) * below);
    n += to_fixed_wide(below);
  }

  // R_user > 0
  static bool has_relevant(const ListRelevance& list) {
    return !list.missed.empty() || std::ranges::any_of(list.grades, [](double grade) { return grade > 0; });
  }
  static bool wants_items(Over over) { return over == Over::nonempty || over == Over::nonempty_relevant; }
  static bool wants_evidence(Over over) { return over == Over::relevant || over == Over::nonempty_relevant; }
  static std::size_t slot_of(const BatchList& list) { return XXH3_64bits(list.user.data(), list.user.size()) >> 56; }

  [[nodiscard]] bool is_without_start() const {
    const std::int64_t from = experiment_.start.ms - experiment_.cuped_before.ms;
    if (log_.events.first_time && from + experiment_.every.ms < *log_.events.first_time) return true;
    if (!log_.first_after_cut) return false;
    const bool is_last_touch = spec_.join.credit == Credit::last_touch;
    return from < *log_.first_after_cut + touched_before_ms(spec_.join) + (is_last_touch ? 0 : experiment_.horizon.ms);
  }

  const EvaluatorSpec& spec_;
  const ExperimentSpec& experiment_;
  const Log& log_;
  std::vector<ListRelevance> relevance_;
  std::vector<std::size_t> order_;  // lists by (ts, canonical bytes)
  std::vector<MetricColumn> columns_;
  std::optional<std::size_t> drafted_by_;         // of a team draft: the action
  std::map<std::int64_t, std::uint8_t> samples_;  // by look: the sample behind it
};

}  // namespace

std::vector<std::vector<BatchLook>> looks_in_batch(const EvaluatorSpec& spec, std::span<const BatchInput> inputs) {
  const Log log = read_log(spec, inputs);
  const BatchJoin join(spec, log.events);
  std::vector<std::vector<BatchLook>> result;
  for (const ExperimentSpec& experiment : spec.experiments) result.push_back(Looks(spec, experiment, log, join).all());
  return result;
}

}  // namespace recmeter::support
