// Feeds a fuzz target the files of a corpus, without libFuzzer: each file whole, and cut after each of its bytes, so that
// every place where a record can break off is visited.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s CORPUS_DIRECTORY\n", arguments[0]);
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::fprintf(stderr, "%s\n", path.c_str());  // the last one named is the one that failed
    for (auto end = text.begin();; ++end) {
      const std::vector<std::uint8_t> bytes(text.begin(), end);  // a copy of that size: a sanitizer sees a read past its end
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      if (end == text.end()) break;
    }
  }
  std::printf("%zu files\n", paths.size());
  return paths.empty() ? 1 : 0;  // a corpus that is not there proves nothing
}
