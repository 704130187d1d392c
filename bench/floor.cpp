// recmeter_floor LOG: the least that any evaluator of a JSONL log must do, as the measure of what `recmeter replay` costs.
//
// One thread, the file mapped, each line read in place by simdjson on demand: every value is parsed to its type, every string
// unescaped, every element of every list visited, every item id hashed (XXH3). Nothing else: no checks, no copies, no join.
// Prints records, items, a checksum that keeps all of it from being optimised away, and seconds of wall and CPU time.
#define XXH_INLINE_ALL
#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>

namespace {

namespace ondemand = simdjson::ondemand;

struct Tally {
  std::uint64_t records = 0;
  std::uint64_t items = 0;
  std::uint64_t checksum = 0;
};

// A file in memory, with room behind it that the parser may read.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts{};
    if (file >= 0 && fstat(file, &facts) == 0 && facts.st_size > 0) map(file, static_cast<std::size_t>(facts.st_size));
    if (file >= 0) close(file);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (bytes_ != nullptr) munmap(bytes_, mapped_);
  }
  // Empty when the file cannot be mapped.
  [[nodiscard]] std::string_view text() const { return {static_cast<const char*>(bytes_), size_}; }

 private:
  void map(int file, std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    mapped_ = (size / page + 2) * page;
    void* room = mmap(nullptr, mapped_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return;
    bytes_ = room;
    if (mmap(room, size, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) == MAP_FAILED) return;
    size_ = size;
  }

  void* bytes_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t size_ = 0;
};

// Reads a value whole. False: it is not JSON.
bool touch(ondemand::value value, bool is_item, Tally& tally) {
  ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  switch (type) {
    case ondemand::json_type::string: {
      std::string_view text;
      if (value.get_string().get(text) != simdjson::SUCCESS) return false;
      tally.items += is_item ? 1U : 0U;
      tally.checksum += is_item ? XXH3_64bits(text.data(), text.size()) : text.size();
      return true;
    }
    case ondemand::json_type::number: {
      ondemand::number number;
      if (value.get_number().get(number) != simdjson::SUCCESS) return false;
      tally.checksum += static_cast<std::uint64_t>(number.as_double());
      return true;
    }
    case ondemand::json_type::array: {
      ondemand::array array;
      if (value.get_array().get(array) != simdjson::SUCCESS) return false;
      for (auto element : array) {
        ondemand::value inner;
        if (std::move(element).get(inner) != simdjson::SUCCESS || !touch(inner, is_item, tally)) return false;
      }
      return true;
    }
    case ondemand::json_type::object: {
      ondemand::object object;
      if (value.get_object().get(object) != simdjson::SUCCESS) return false;
      for (auto member : object) {
        std::string_view key;
        ondemand::value inner;
        if (member.unescaped_key().get(key) != simdjson::SUCCESS || member.value().get(inner) != simdjson::SUCCESS)
          return false;
        if (!touch(inner, key == "items" || key == "item_id", tally)) return false;
      }
      return true;
    }
    case ondemand::json_type::boolean: {
      bool truth = false;
      if (value.get_bool().get(truth) != simdjson::SUCCESS) return false;
      tally.checksum += truth ? 1U : 0U;
      return true;
    }
    default: return true;
  }
}

// False: a line is not JSON.
bool read_all(std::string_view text, Tally& tally) {
  ondemand::parser parser;
  const char* const end = text.data() + text.size();
  for (const char* line = text.data(); line < end;) {
    const void* found = std::memchr(line, '\n', static_cast<std::size_t>(end - line));
    const char* const stop = found == nullptr ? end : static_cast<const char*>(found);
    const auto size = static_cast<std::size_t>(stop - line);
    if (size > 0) {
      ondemand::document document;
      ondemand::value root;
      const simdjson::padded_string_view padded(line, size, size + simdjson::SIMDJSON_PADDING);
      if (parser.iterate(padded).get(document) != simdjson::SUCCESS || document.get_value().get(root) != simdjson::SUCCESS ||
          !touch(root, false, tally)) {
        return false;
      }
      ++tally.records;
    }
    line = stop + 1;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: recmeter_floor LOG (JSONL, not packed)\n", stderr);
    return 2;
  }
  const auto begin = std::chrono::steady_clock::now();
  const MappedFile file(argv[1]);
  Tally tally;
  if (file.text().empty() || !read_all(file.text(), tally)) {
    std::fprintf(stderr, "recmeter_floor: not a readable file of JSON lines: %s\n", argv[1]);
    return 1;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::printf("{\"records\":%" PRIu64 ",\"items\":%" PRIu64 ",\"checksum\":\"%016" PRIx64
              "\",\"seconds\":%.3f,\"cpu\":%.3f}\n",
              tally.records, tally.items, tally.checksum, wall.count(),
              static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC));
  return 0;
}
