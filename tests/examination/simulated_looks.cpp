#include "examination/simulated_looks.h"

#include <string>
#include <vector>

#include "support/dice.h"

namespace recmeter::examining {

namespace {

using support::Dice;

constexpr std::size_t pages = 20;
constexpr std::size_t items_of_page = 7;
constexpr std::size_t variants = 3;

double unit(Dice& dice) {
  return (static_cast<double>(dice.below(std::size_t{1} << 53)) + 0.5) * 0x1p-53;
}

struct Page {
  std::vector<std::string> items;  // best first
  std::vector<double> attractiveness;
};

std::vector<Page> make_pages() {
  std::vector<Page> made(pages);
  for (std::size_t p = 0; p < pages; ++p) {
    double attractiveness = 0.4 + 0.01 * static_cast<double>(p);  // at most 0.6
    for (std::size_t i = 0; i < items_of_page; ++i) {
      made[p].items.push_back("p" + std::to_string(p) + "i" + std::to_string(i));
      made[p].attractiveness.push_back(attractiveness);
      attractiveness *= 0.75;
    }
  }
  return made;
}

// The item of the page at each rank.
std::vector<std::size_t> order_of(Shown shown, std::size_t variant, Dice& dice) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < items_of_page; ++i) order.push_back(i);
  if (shown == Shown::random) dice.shuffle(order);
  // Variant 1 swaps ranks 1 and 2, 3 and 4, ...; variant 2 ranks 2 and 3, 4 and 5, ...
  for (std::size_t i = variant - 1; variant > 0 && i + 1 < items_of_page; i += 2) std::swap(order[i], order[i + 1]);
  order.resize(examination_truth.size());
  return order;
}

}  // namespace

ShowCounts simulated_looks(const SimulatedShop& shop, std::uint64_t seed) {
  Dice dice(seed);
  const std::vector<Page> all_pages = make_pages();
  ShowCounts counts;
  for (std::size_t user = 0; user < shop.users; ++user) {
    const std::size_t group = dice.below(user_groups);
    const double taste = 1 + shop.taste_spread * (2 * unit(dice) - 1);
    const std::size_t variant = shop.shown == Shown::variants ? dice.below(variants) : 0;
    for (std::int64_t lists = dice.between(1, 6); lists > 0; --lists) {
      counts.add_list(group);
      const Page& page = dice.pick(all_pages);
      const std::vector<std::size_t> order = order_of(shop.shown, variant, dice);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const double chance = taste * page.attractiveness[order[i]] * examination_truth[i];
        counts.add(page.items[order[i]], static_cast<std::uint32_t>(i + 1), variant, group, unit(dice) < chance);
      }
    }
  }
  return counts;
}

}  // namespace recmeter::examining
