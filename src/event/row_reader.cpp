#include "recmeter/event/row_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "recmeter/base/byte_block.h"
#include "recmeter/base/read_number.h"

namespace recmeter {
namespace {

// Cuts a row into cells from the left.
class CellCutter {
 public:
  // A block's bytes are readable behind the row's.
  CellCutter(std::string_view row, const RecordLayout& layout)
      : at_(row.data()),
        end_(row.data() + row.size()),
        delimiter_(layout.delimiter),
        quote_(layout.quote),
        escape_(layout.escape) {
    look_at(at_);
  }

  [[nodiscard]] bool has_more() const { return !is_at_end_; }
  [[nodiscard]] bool is_broken() const { return is_broken_; }

  // The next cell without its quotes; doubled ones and escapes are left. Requires: has_more().
  std::string_view next() {
    if (escape_ != '\0') return next_escaped();
    if (at_ < end_ && *at_ == quote_ && quote_ != '\0') return quoted();
    has_marks_ = false;
    while (delimiters_ == 0 && end_ - block_ > block_bytes) look_at(block_ + block_bytes);
    is_at_end_ = delimiters_ == 0;
    if (is_at_end_) return {std::exchange(at_, end_), end_};
    const char* const found = block_ + std::countr_zero(delimiters_);
    delimiters_ &= delimiters_ - 1;
    return {std::exchange(at_, found + 1), found};
  }
  // Whether nothing but ASCII was seen. False says nothing.
  [[nodiscard]] bool is_ascii() const { return is_ascii_; }
  // Tells whether the last cell has doubled quotes or escapes, which decode() resolves.
  [[nodiscard]] bool has_marks() const { return has_marks_; }
  // The last cell as it is meant, into room for its bytes; the bytes it takes.
  std::size_t decode(std::string_view cell, char* to) const {
    if (escape_ == '\\' && cell == "\\N") return cell.copy(to, cell.size());
    std::size_t size = 0;
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const bool is_escape = escape_ != '\0' && cell[i] == escape_ && i + 1 < cell.size();
      const bool is_double = is_quoted_ && cell[i] == quote_;  // quotes left within are those, or escaped
      i += is_escape || is_double ? 1U : 0U;
      to[size++] = is_escape ? meant(cell[i]) : cell[i];
    }
    return size;
  }

 private:
  static constexpr std::ptrdiff_t block_bytes = ByteBlock::size;

  void look_at(const char* block) {
    block_ = block;
    const ByteBlock bytes(block);
    const auto count = static_cast<std::size_t>(std::min(end_ - block, block_bytes));
    delimiters_ = bytes.equal_to(delimiter_) & ByteBlock::first(count);
    is_ascii_ = is_ascii_ && (bytes.not_ascii() & ByteBlock::first(count)) == 0;
  }
  // The meaning of the character behind an escape.
  [[nodiscard]] char meant(char c) const {
    if (escape_ != '\\') return c;
    return c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
  }
  std::string_view next_escaped() {
    has_marks_ = is_ascii_ = false;
    is_quoted_ = at_ < end_ && *at_ == quote_ && quote_ != '\0';
    const char* const begin = is_quoted_ ? ++at_ : at_;
    for (; at_ < end_; ++at_) {
      if (*at_ == escape_ && at_ + 1 < end_) {
        ++at_;
        has_marks_ = true;
      } else if (is_quoted_ && *at_ == quote_) {
        if (at_ + 1 == end_ || at_[1] != quote_) break;
        ++at_;
        has_marks_ = true;
      } else if (!is_quoted_ && *at_ == delimiter_) {
        break;
      }
    }
    if (is_quoted_ && at_ >= end_) return broken();
    const std::string_view cell(begin, static_cast<std::size_t>(at_ - begin));
    at_ += is_quoted_ ? 1 : 0;
    is_at_end_ = at_ == end_;
    if (is_at_end_) return cell;
    return *at_++ == delimiter_ ? cell : broken();
  }
  std::string_view quoted() {
    const char* const begin = ++at_;
    has_marks_ = false;
    is_quoted_ = true;
    is_ascii_ = false;
    while (true) {
      at_ = static_cast<const char*>(std::memchr(at_, quote_, static_cast<std::size_t>(end_ - at_)));
      if (at_ == nullptr) return broken();
      if (at_ + 1 == end_ || at_[1] != quote_) break;
      has_marks_ = true;
      at_ += 2;
    }
    const std::string_view cell(begin, static_cast<std::size_t>(at_ - begin));
    is_at_end_ = ++at_ == end_;
    if (is_at_end_) return cell;
    if (*at_++ != delimiter_) return broken();
    look_at(at_);
    return cell;
  }
  std::string_view broken() {
    is_broken_ = is_at_end_ = true;
    return {};
  }

  const char* at_;
  const char* end_;
  char delimiter_;
  char quote_;
  char escape_;
  const char* block_ = nullptr;   // whose bytes were looked at together
  std::uint64_t delimiters_ = 0;  // that stand there, and are not behind yet
  bool is_ascii_ = true;
  bool is_at_end_ = false;
  bool is_broken_ = false;
  bool has_marks_ = false;
  bool is_quoted_ = false;  // the last cell that has marks
};

class RowReader final : public RecordReader {
 public:
  RowReader(const WantedFields& wanted, std::vector<std::string> columns, RecordLayout usual)
      : wanted_(wanted), columns_(std::move(columns)), usual_(std::make_shared<const RecordLayout>(std::move(usual))) {}

  void begin(const RecordBatch& records) override {
    const auto& layout = records.layout != nullptr ? records.layout : usual_;
    if (layout == layout_) return;
    layout_ = layout;
    bind(layout_->text.empty() ? columns_ : cells_of(layout_->text, *layout_).value_or(std::vector<std::string>()));
  }

  [[nodiscard]] bool may_have(std::size_t member) const override {
    return std::ranges::find(cells_, member, &Cell::member) != cells_.end();
  }

  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override {
    const std::string_view row = records.record(index);
    if (wanted_.whole) return read_whole(row, arena, value);
    std::size_t column = 0;
    CellCutter cutter(row, *layout_);
    auto cell = cells_.begin();
    for (; cutter.has_more(); ++column) {
      std::string_view text = cutter.next();
      if (cell == cells_.end() || cell->column != column) continue;
      if (cutter.has_marks()) text = decoded(text, cutter, arena);
      for (; cell != cells_.end() && cell->column == column; ++cell) members_[cell->member].value = FieldValue::of_text(text);
    }
    for (; cell != cells_.end(); ++cell) members_[cell->member].value = {};
    if (!is_row(row, cutter, column)) return InvalidReason::not_a_row;
    value = FieldValue::of_object(members_);
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_row(std::string_view row, const CellCutter& cut, std::size_t width) const {
    if (cut.is_broken() || (width_ != 0 && width != width_)) return false;
    return cut.is_ascii() || simdjson::validate_utf8(row.data(), row.size());
  }
  [[nodiscard]] std::optional<InvalidReason> read_whole(std::string_view row, RecordArena& arena, FieldValue& value) {
    whole_.clear();
    CellCutter cutter(row, *layout_);
    while (cutter.has_more()) {
      std::string_view text = cutter.next();
      if (cutter.has_marks()) text = decoded(text, cutter, arena);
      if (whole_.size() == names_.size() && width_ == 0) names_.push_back("$" + std::to_string(names_.size() + 1));
      if (whole_.size() == names_.size()) return InvalidReason::not_a_row;
      whole_.push_back({.key = names_[whole_.size()], .value = FieldValue::of_text(text)});
    }
    if (!is_row(row, cutter, whole_.size())) return InvalidReason::not_a_row;
    value = FieldValue::of_object(arena.copy(std::span<const FieldMember>(whole_)));
    return std::nullopt;
  }

  struct Cell {  // that is wanted
    std::size_t column = 0;
    std::size_t member = 0;  // its place
  };

  void bind(const std::vector<std::string>& names) {
    cells_.clear();
    members_.clear();
    width_ = names.size();
    names_.assign(names.begin(), names.end());
    for (const auto& [key, below] : wanted_.members) {
      FieldMember& member = members_.emplace_back(FieldMember{.key = key, .value = {}});
      const auto named = std::ranges::find(names, key);
      if (named != names.end()) {
        member.is_twice = std::find(named + 1, names.end(), key) != names.end();
        cells_.push_back({static_cast<std::size_t>(named - names.begin()), members_.size() - 1});
        continue;
      }
      if (!key.starts_with('$')) continue;
      const auto number = read_number<std::size_t>(std::string_view(key).substr(1));
      if (number && *number > 0) cells_.push_back({*number - 1, members_.size() - 1});
    }
    std::ranges::stable_sort(cells_, {}, &Cell::column);
  }

  [[nodiscard]] static std::string_view decoded(std::string_view cell, const CellCutter& cutter, RecordArena& arena) {
    char* const to = arena.room<char>(cell.size());
    return {to, cutter.decode(cell, to)};
  }

  const WantedFields& wanted_;
  std::vector<std::string> columns_;
  std::shared_ptr<const RecordLayout> usual_;
  std::shared_ptr<const RecordLayout> layout_;  // that cells_ are of
  std::vector<Cell> cells_;                     // by column
  std::vector<FieldMember> members_;            // of the record in hand
  std::deque<std::string> names_;               // of the columns of whole rows; they stay where they are
  std::vector<FieldMember> whole_;
  std::size_t width_ = 0;  // how many columns a row has; 0: not known
};

}  // namespace

MakeRecordReader row_reader(std::vector<std::string> columns, RecordLayout usual) {
  return [columns = std::move(columns), usual = std::move(usual)](const WantedFields& wanted) {
    return std::make_unique<RowReader>(wanted, columns, usual);
  };
}

std::optional<std::vector<std::string>> cells_of(std::string_view row, const RecordLayout& layout) {
  std::vector<std::string> cells;
  std::string readable(row);
  readable.resize(row.size() + ByteBlock::size);
  CellCutter cutter({readable.data(), row.size()}, layout);
  while (cutter.has_more()) {
    const std::string_view text = cutter.next();
    std::string cell(text);
    if (cutter.has_marks()) cell.resize(cutter.decode(text, cell.data()));
    cells.push_back(std::move(cell));
  }
  return cutter.is_broken() ? std::nullopt : std::optional(std::move(cells));
}

}  // namespace recmeter
