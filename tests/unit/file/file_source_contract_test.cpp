// The RecordSource contract for every way a file arrives: {plain, gzip, zstd} × {by its path, on standard input}.
#include <unistd.h>

#include <csignal>
#include <optional>
#include <thread>

#include "contract/record_source_contract.h"
#include "recmeter/base/check.h"
#include "recmeter/file/open_file.h"
#include "unit/file/packed.h"
#include "unit/file/scratch.h"

namespace recmeter::contract {
namespace {

using test::Scratch;
using test::StandInput;

std::unique_ptr<RecordSource> open(const std::string& path, std::size_t record_bytes_max) {
  auto source = file::open_file(path, {record_bytes_max, nullptr});
  RECMETER_CHECK(source.has_value(), "the source opens");
  return std::move(*source);
}

class FilePresentation : public Presentation {
 public:
  FilePresentation(std::string_view stored, std::size_t record_bytes_max)
      : source_(open(scratch_.put("input", stored), record_bytes_max)) {}
  RecordSource& source() override { return *source_; }

 private:
  Scratch scratch_;
  std::unique_ptr<RecordSource> source_;
};

// A writer that trickles: pieces of a few bytes at first, so that reads find less than they ask for.
class PipePresentation : public Presentation {
 public:
  PipePresentation(std::string stored, std::size_t record_bytes_max, bool as_standard_input) {
    RECMETER_CHECK(::pipe(ends_) == 0, "a pipe");
    writer_ = std::jthread([stored = std::move(stored), end = ends_[1]] {
      std::size_t piece = 1;
      for (std::size_t at = 0; at < stored.size(); piece = piece < 50 ? piece + 1 : 65536) {
        const ssize_t written = ::write(end, stored.data() + at, std::min(piece, stored.size() - at));
        if (written <= 0) break;
        at += static_cast<std::size_t>(written);
      }
      ::close(end);
    });
    if (as_standard_input) {
      input_.emplace(ends_[0]);
      source_ = open("-", record_bytes_max);
    } else {
      source_ = open("/dev/fd/" + std::to_string(ends_[0]), record_bytes_max);
      ::close(ends_[0]);
    }
  }
  RecordSource& source() override { return *source_; }

 private:
  int ends_[2];
  std::jthread writer_;
  std::optional<StandInput> input_;  // destroyed before the writer: whoever still writes then gets EPIPE
  std::unique_ptr<RecordSource> source_;
};

std::string same(std::string_view content) {
  return std::string(content);
}

// Members and frames end in the middle of lines; an empty one stands between.
template <std::string (*pack)(std::string_view)>
std::string in_parts(std::string_view content) {
  const std::size_t half = content.size() / 2;
  return pack(content.substr(0, half)) + pack("") + pack(content.substr(half));
}

std::vector<RecordSourceCase> cases() {
  std::signal(SIGPIPE, SIG_IGN);
  struct Way {
    std::string name;
    std::string (*pack)(std::string_view);
    bool as_standard_input;
  };
  const std::vector<Way> ways{{"plain", same, false},
                              {"gzip_members", in_parts<test::gzip>, false},
                              {"zstd_frames", in_parts<test::zstd>, false},
                              {"plain_on_stdin", same, true},
                              {"gzip_on_stdin", test::gzip, true},
                              {"zstd_on_stdin", test::zstd_unchecked, true}};
  std::vector<RecordSourceCase> all;
  for (const std::size_t block : {std::size_t{1}, std::size_t{3}, std::size_t{64}, std::size_t{1} << 20}) {
    for (const Way& way : ways) {
      all.push_back({way.name + "_in_blocks_of_" + std::to_string(block), block, !way.as_standard_input,
                     [way](std::string_view content, std::size_t limit) -> std::unique_ptr<Presentation> {
                       if (way.as_standard_input) return std::make_unique<PipePresentation>(way.pack(content), limit, true);
                       return std::make_unique<FilePresentation>(way.pack(content), limit);
                     }});
    }
  }
  all.push_back({"pipe_by_its_path", 64, false, [](std::string_view content, std::size_t limit) {
                   return std::make_unique<PipePresentation>(std::string(content), limit, false);
                 }});
  return all;
}

INSTANTIATE_TEST_SUITE_P(File, RecordSourceContract, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace recmeter::contract
