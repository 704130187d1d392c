// Lists of two arms with clicks and purchases, and what they come to, by arm: worked out from the lists by a plain join, and
// replayed from a log by a configuration.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace recmeter::test {

struct ArmList {
  struct Act {
    std::size_t rank = 0;  // from 0
    std::int64_t ts = 0;
    bool is_purchase = false;
  };
  std::int64_t ts = 0;  // whole seconds, in milliseconds
  std::string id;
  std::string user;
  std::string arm;  // of the user
  std::vector<std::string> items;
  std::vector<Act> acts;  // in the order of time; a purchase is of an item that was clicked
};

// `seed` decides all of it. Lists come in the order of time. No user sees an item twice; no act is later than 10 minutes.
// Arm "B" has more clicks, and higher ones.
[[nodiscard]] std::vector<ArmList> make_arm_lists(unsigned seed, std::size_t count);

struct ArmSums {
  std::uint64_t lists = 0;
  std::map<std::string, std::uint64_t> actions;  // credited, by name
  double on_first = 0;                           // lists whose first item was acted on
  double reciprocal = 0;                         // the sum of reciprocal ranks of the first item acted on
};
[[nodiscard]] std::string to_text(const ArmSums& sums);
using SumsByArm = std::map<std::string, ArmSums>;  // ""; of all arms

[[nodiscard]] SumsByArm sums_of(const std::vector<ArmList>& lists, bool has_purchases);
// By window. `arm`: the segment's key.
[[nodiscard]] std::map<std::string, SumsByArm> replayed_by_arm(const std::string& yaml, const std::vector<std::string>& files,
                                                               const std::string& arm);
// Fails the test where they differ.
void expect_same(const SumsByArm& replayed, const SumsByArm& truth, const std::string& yaml);

}  // namespace recmeter::test
