// RawMembers: the values of one object of a record as they are written there. The slow path for segment values that are
// numbers, whose text (1.0, 1e3, -0) a parsed document no longer knows.
//
// Thread safety: none; it keeps a parser's buffers between calls.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

class RawMembers {
 public:
  RawMembers();
  ~RawMembers();
  RawMembers(RawMembers&&) noexcept;
  RawMembers& operator=(RawMembers&&) noexcept;

  // The text of each member's value of the object at `path`, in order; of a number or literal all of it, without spaces.
  // Where a key on the way is there twice, the first counts. Views live as long as the record.
  // Requires: `record` is valid JSON that holds an object at `path`, followed by SIMDJSON_PADDING readable bytes.
  [[nodiscard]] std::span<const std::string_view> read(std::string_view record, std::span<const std::string> path);

 private:
  // simdjson lays its parser out differently in code that is not optimised, as tests under sanitizers are: only one source
  // file may see it.
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<std::string_view> members_;
};

}  // namespace recmeter
