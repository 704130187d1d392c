// A directory of a test's own, and the files in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter::test {

class Scratch {
 public:
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  [[nodiscard]] std::string path(std::string_view name) const { return directory_ + "/" + std::string(name); }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  std::string put(std::string_view name, std::string_view content) const;  // its path
  [[nodiscard]] std::string get(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;  // sorted, hidden ones too

 private:
  std::string directory_;
};

// Standard input stands for `descriptor` until destruction. Takes `descriptor` over.
class StandInput {
 public:
  explicit StandInput(int descriptor);
  StandInput(const StandInput&) = delete;
  StandInput& operator=(const StandInput&) = delete;
  ~StandInput();

 private:
  int saved_;
};

}  // namespace recmeter::test
