#include "metric/discount.h"

#include <array>
#include <cmath>
#include <vector>

#include "recmeter/base/check.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter {

namespace {

constexpr std::size_t table_ranks = 1024;

std::array<double, table_ranks + 1> make_table() {
  std::array<double, table_ranks + 1> table{};
  for (std::size_t rank = 1; rank <= table_ranks; ++rank) table[rank] = 1.0 / std::log2(static_cast<double>(rank + 1));
  return table;
}

// 1 / log2(rank + 1)
double log2_discount(std::uint64_t rank) noexcept {
  static const std::array<double, table_ranks + 1> table = make_table();
  return rank <= table_ranks ? table[rank] : 1.0 / std::log2(static_cast<double>(rank + 1));
}

}  // namespace

double discount(std::uint64_t rank, Discount kind) noexcept {
  RECMETER_CHECK(rank >= 1, "ranks begin at 1");
  switch (kind) {
    case Discount::log2: return log2_discount(rank);
    case Discount::log2_max2: return rank <= 2 ? 1 : log2_discount(rank - 1);
    case Discount::rank: return 1.0 / static_cast<double>(rank);
    case Discount::none: return 1;
  }
  RECMETER_CHECK(false, "an unknown discount");
}

double gain_of(double grade, GainKind kind) noexcept {
  switch (kind) {
    case GainKind::linear: return grade;
    case GainKind::exp2: return std::exp2(grade) - 1.0;
    case GainKind::binary: return grade > 0 ? 1.0 : 0.0;
  }
  RECMETER_CHECK(false, "an unknown gain");
}

double discounted_gain(const ScoredList& list, std::uint32_t k, GainKind gain, Discount kind) {
  double sum = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > k) break;
    sum += gain_of(hit.grade, gain) * discount(hit.rank, kind);
  }
  return sum;
}

std::string gain_term(double gain, std::uint64_t rank, Discount kind) {
  return four_decimals(gain) + " / " + four_decimals(1 / discount(rank, kind));
}

std::string gain_text(const ScoredList& list, std::uint32_t k, GainKind gain, Discount kind) {
  std::vector<std::string> terms;
  for (const Hit& hit : list.hits) {
    if (hit.rank <= k) terms.push_back(gain_term(gain_of(hit.grade, gain), hit.rank, kind));
  }
  return sum_text(terms);
}

}  // namespace recmeter
