#include "unit/file/scratch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "recmeter/base/check.h"

namespace recmeter::test {

Scratch::Scratch() : directory_((std::filesystem::temp_directory_path() / "recmeter-test-XXXXXX").string()) {
  RECMETER_CHECK(::mkdtemp(directory_.data()) != nullptr, "no directory for the test");
  ::chmod(directory_.c_str(), 0755);  // tests look at it as other users
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

std::string Scratch::put(std::string_view name, std::string_view content) const {
  std::ofstream file(path(name), std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  RECMETER_CHECK(file.good(), "the test cannot write its file");
  return path(name);
}

std::string Scratch::get(std::string_view name) const {
  std::ifstream file(path(name), std::ios::binary);
  RECMETER_CHECK(file.good(), "the test expects this file");
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::vector<std::string> Scratch::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

StandInput::StandInput(int descriptor) : saved_(::dup(STDIN_FILENO)) {
  RECMETER_CHECK(::dup2(descriptor, STDIN_FILENO) == STDIN_FILENO, "standard input cannot be replaced");
  ::close(descriptor);
}

StandInput::~StandInput() {
  if (saved_ < 0) {
    ::close(STDIN_FILENO);
    return;
  }
  ::dup2(saved_, STDIN_FILENO);
  ::close(saved_);
}

}  // namespace recmeter::test
