// ArmUsers: whether users have lists of one arm each, told from a sample of them: those whose hash ends with zero bits, more
// of these where there are many users. Adding in any order and from several shards gives the same answer.
//
// Memory: that of users_max names of arms. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace recmeter {

enum class ArmsOfUsers : std::uint8_t { unknown, one_each, several };

class ArmUsers {
 public:
  static constexpr std::size_t users_max = 4096;

  // `user`: the hash of its id.
  void add(std::uint64_t user, std::string_view arm);
  ArmUsers& operator+=(const ArmUsers& other);

  // unknown: no user was added.
  [[nodiscard]] ArmsOfUsers arms() const;

 private:
  struct Kept {
    std::string arm;
    bool is_mixed = false;
  };
  [[nodiscard]] bool is_sampled(std::uint64_t user) const { return (user & ((std::uint64_t{1} << zeros_) - 1)) == 0; }
  void add(std::uint64_t user, std::string_view arm, bool is_mixed);
  void sample(unsigned zeros);

  std::unordered_map<std::uint64_t, Kept> users_;
  unsigned zeros_ = 0;
};

}  // namespace recmeter
