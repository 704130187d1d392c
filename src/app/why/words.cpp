#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/why/why_run.h"
#include "recmeter/result/render.h"

namespace recmeter::why {

namespace {

constexpr double unchanged_below = 0.005;  // a factor's ratio
constexpr std::uint64_t relevant_lists_min = 20;

// A share as people read it: 27 %, 4.1 %, 0.03 %.
std::string percent(double share) {
  const double hundredth = 100 * std::abs(share);
  return hundredth >= 10 ? fmt::format("{:.0f} %", hundredth) : fmt::format("{:.2g} %", hundredth);
}
std::string signed_percent(double share) {
  return (share < 0 ? "−" : "+") + percent(share);
}

// A part as a share of what was before; as it is where that is 0.
std::string part_text(double part, const Answer& answer) {
  const double before = *answer.attribution.a.value;
  if (before == 0) return amount_text(part);
  const std::string of =
      answer.request.key.empty() ? "before" : fmt::format("with {}={}", answer.request.key, answer.request.a);
  return fmt::format("{} of the value {}", signed_percent(part / std::abs(before)), of);
}

std::string against_text(const Answer& answer) {
  const KeptMean& a = answer.change.a;
  const KeptMean& b = answer.change.b;
  if (b.start - a.start == one_day) return " against a day before";
  return b.start == a.end ? " against the window before" : " against the window from " + render_utc(a.start);
}

// "mrr@10 fell by 27 % against a day before", "mrr@10 is 3 % higher with variant=B than with variant=A".
std::string change_text(const Answer& answer) {
  const Request& request = answer.request;
  const double before = *answer.attribution.a.value;
  const double difference = answer.attribution.difference.amount;
  const bool is_of_values = !request.key.empty();
  const std::string versus = is_of_values ? fmt::format(" with {}={} {} with {}={}", request.key, request.b,
                                                        difference == 0 ? "as" : "than", request.key, request.a)
                                          : against_text(answer);
  if (difference == 0) return request.metric + (is_of_values ? " is the same" : " did not change") + versus;
  const std::string by = before == 0 ? fmt::format("{:.4g}", std::abs(difference)) : percent(difference / before);
  if (is_of_values) return fmt::format("{} is {} {}{}", request.metric, by, difference < 0 ? "lower" : "higher", versus);
  return fmt::format("{} {} by {}{}", request.metric, difference < 0 ? "fell" : "rose", by, versus);
}

std::optional<double> ratio_of(std::optional<double> a, std::optional<double> b) {
  return a && b && *a != 0 ? std::optional(*b / *a - 1) : std::nullopt;
}

// "fewer lists have something relevant (-26 %), which is worth as much as before". Empty: the metric has no factors.
std::string factor_words(const MeanFacts& a, const MeanFacts& b, std::string_view lists) {
  const auto shares = ratio_of(a.relevant_share, b.relevant_share);
  const auto given = ratio_of(a.given_relevant, b.given_relevant);
  if (!shares || !given) return {};
  const bool is_share_same = std::abs(*shares) < unchanged_below;
  const bool is_given_same = std::abs(*given) < unchanged_below;
  std::string text = is_share_same ? fmt::format("as many {} have something relevant", lists)
                                   : fmt::format("{} {} have something relevant ({})", *shares < 0 ? "fewer" : "more", lists,
                                                 signed_percent(*shares));
  text += is_given_same
              ? ", and those that have it are as good"
              : fmt::format(", and those that have it are {} ({})", *given < 0 ? "lower" : "higher", signed_percent(*given));
  return text;
}

std::string largest_part(const Answer& answer) {
  const KeyParts* best_key = nullptr;
  const SegmentPart* best = nullptr;
  const auto weight = [](const SegmentPart& part) {
    return std::max(std::abs(part.within.amount), std::abs(part.mix.amount));
  };
  for (const KeyParts& key : answer.attribution.by) {
    for (const SegmentPart& part : key.parts) {
      if (best == nullptr || weight(part) > weight(*best)) best_key = &key, best = &part;
    }
  }
  if (best == nullptr) return {};
  const bool is_mix = std::abs(best->mix.amount) > std::abs(best->within.amount);
  return fmt::format("the largest part is {}={}, {}{}", best_key->key, best->value,
                     part_text(is_mix ? best->mix.amount : best->within.amount, answer),
                     is_mix ? ", by its share of the lists" : "");
}

// Lists that have something relevant; where no share of them is known, those in the mean.
std::uint64_t relevant_lists(const MeanFacts& facts) {
  if (!facts.relevant_share || !is_product(facts)) return facts.lists;
  return static_cast<std::uint64_t>(std::llround(*facts.relevant_share * static_cast<double>(facts.lists)));
}

// Without an interval of the difference a handful of lists says nothing. [S16.11]
bool is_of_few(const Answer& answer) {
  const auto& [a, b] = std::tie(answer.attribution.a, answer.attribution.b);
  return !answer.attribution.difference.ci && std::min(relevant_lists(a), relevant_lists(b)) < relevant_lists_min;
}

// "precision@1 against a day before: 5 lists with something relevant, then 2: too few to say."
std::string few_text(const Answer& answer) {
  const Request& request = answer.request;
  const std::uint64_t a = relevant_lists(answer.attribution.a);
  const std::uint64_t b = relevant_lists(answer.attribution.b);
  const std::string_view lists = a == 1 ? "list" : "lists";
  if (request.key.empty()) {
    return fmt::format("{}{}: {} {} with something relevant, then {}: too few to say.", request.metric, against_text(answer),
                       a, lists, b);
  }
  return fmt::format("{}: {} {} with something relevant with {}={}, {} with {}={}: too few to say.", request.metric, a, lists,
                     request.key, request.a, b, request.key, request.b);
}

double share(std::uint64_t of, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(of) / static_cast<double>(all);
}

const SegmentPart& part_of(const Answer& answer, const Cause& cause) {
  const auto key = std::ranges::find(answer.attribution.by, cause.key, &KeyParts::key);
  return *std::ranges::find(key->parts, *cause.value, &SegmentPart::value);
}

std::string cause_text(const Answer& answer, const Cause& cause) {
  const Attribution& found = answer.attribution;
  if (cause.kind == CauseKind::everywhere) {
    const std::string factors = found.factors ? factor_words(found.a, found.b, "lists") : "";
    return (factors.empty() ? "" : factors + "; ") + "everywhere alike";
  }
  const SegmentPart& part = part_of(answer, cause);
  if (cause.kind == CauseKind::mix) {
    return fmt::format("lists moved: {}={} has {} of them, {} before ({}); within {} there is less change", cause.key,
                       *cause.value, percent(share(part.b.lists, found.b.lists)), percent(share(part.a.lists, found.a.lists)),
                       part_text(part.mix.amount, answer), cause.key);
  }
  std::string text = fmt::format("it is {}={} ({})", cause.key, *cause.value, part_text(part.within.amount, answer));
  const std::string factors = found.factors ? factor_words(part.a, part.b, "of its lists") : "";
  return text + (factors.empty() ? "" : ": " + factors);
}

}  // namespace

std::string amount_text(double amount) {
  if (amount == 0) return "0";
  return (amount < 0 ? "−" : "+") + fmt::format("{:.4g}", std::abs(amount));
}

bool may_be_chance(const Answer& answer) {
  if (const auto& ci = answer.attribution.difference.ci) return ci->first <= 0 && ci->second >= 0;
  if (answer.attribution.difference.amount == 0 || is_of_few(answer)) return true;
  const auto& a = answer.change.a.ci;
  const auto& b = answer.change.b.ci;
  return !a || !b || (a->first <= b->second && b->first <= a->second);
}

std::string words_of(const Answer& answer) {
  const Attribution& found = answer.attribution;
  const std::string change = change_text(answer);
  if (found.difference.amount == 0) return change + ".";
  if (found.cause) return change + ": " + cause_text(answer, *found.cause) + ".";
  if (is_of_few(answer)) return few_text(answer);
  const std::string largest = largest_part(answer);
  // Without a segment key nothing could be a cause.
  const std::string end = largest.empty() ? "." : "; no single cause: " + largest + ".";
  if (may_be_chance(answer)) return change + ", which may be chance" + end;
  const std::string factors = found.factors ? factor_words(found.a, found.b, "lists") : "";
  return change + (factors.empty() ? "" : ": " + factors) + end;
}

}  // namespace recmeter::why
