#include "metric/discount.h"

#include <array>
#include <cmath>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

constexpr std::size_t table_ranks = 1024;

std::array<double, table_ranks + 1> make_table() {
  std::array<double, table_ranks + 1> table{};
  for (std::size_t rank = 1; rank <= table_ranks; ++rank) table[rank] = 1.0 / std::log2(static_cast<double>(rank + 1));
  return table;
}

}  // namespace

double discount(std::uint64_t rank) noexcept {
  RECMETER_CHECK(rank >= 1, "ranks begin at 1");
  static const std::array<double, table_ranks + 1> table = make_table();
  return rank <= table_ranks ? table[rank] : 1.0 / std::log2(static_cast<double>(rank + 1));
}

double gain_of(double grade, GainKind kind) noexcept {
  switch (kind) {
    case GainKind::linear: return grade;
    case GainKind::exp2: return std::exp2(grade) - 1.0;
    case GainKind::binary: return grade > 0 ? 1.0 : 0.0;
  }
  RECMETER_CHECK(false, "an unknown gain");
}

}  // namespace recmeter
