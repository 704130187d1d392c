// HeadScanner: finds the end of a request's head in bytes as they come, and stops at the first that no head may have.
//
// It is stricter than RFC 9112 lets a server be: what two servers in a row could read in two ways (bare line feeds, folded
// fields, blanks before a colon, controls) is refused here, before anything is parsed. Each byte is looked at once.
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/refusal.h"

namespace recmeter::http {

class HeadScanner {
 public:
  HeadScanner(std::size_t bytes_max, std::size_t fields_max) : bytes_max_(bytes_max), fields_max_(fields_max) {}

  // `bytes`: all that came since the last head, what was looked at before included. Bytes of the head with its empty line, or
  // nothing while its end is not there. One empty line before it belongs to it.
  [[nodiscard]] Judged<std::optional<std::size_t>> scan(std::string_view bytes);
  // For the next head.
  void restart() { *this = HeadScanner(bytes_max_, fields_max_); }
  [[nodiscard]] bool has_begun() const { return at_ > 0; }

 private:
  enum class Place : std::uint8_t { line_begin, request_line, name, value, line_feed };

  [[nodiscard]] Judged<bool> look_at(char byte);
  [[nodiscard]] Judged<bool> begin_line(char byte);
  [[nodiscard]] Refusal too_long() const;

  std::size_t bytes_max_;
  std::size_t fields_max_;
  std::size_t at_ = 0;
  std::size_t lines_ = 0;  // with something in them
  bool is_empty_ = true;   // the line
  bool skipped_ = false;   // an empty line before the head
  Place place_ = Place::line_begin;
};

}  // namespace recmeter::http
