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
    std::fputs("usage: decoder_fuzz_replay CORPUS_DIRECTORY\n", stderr);
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    for (std::size_t size = 0; size <= bytes.size(); ++size) LLVMFuzzerTestOneInput(bytes.data(), size);
  }
  std::printf("%zu files\n", paths.size());
  return paths.empty() ? 1 : 0;  // a corpus that is not there proves nothing
}
