// LineReader: records that are lines, or rows of delimited text, which may have line ends within quotes.
//
// A line that is too long is held up to its limit and passed over from there; nothing is allocated once the batches given
// back are large enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "file/record_cutter.h"
#include "recmeter/file/container.h"

namespace recmeter::file {

class LineReader final : public RecordCutter {
 public:
  explicit LineReader(std::size_t record_bytes_max) : record_bytes_max_(record_bytes_max) {}
  // For rows, whose first is their layout's text if there is a header. `form`: it says header, comments and lines to skip.
  LineReader(std::size_t record_bytes_max, const RecordLayout& rows, const ContainerForm& form, std::string name)
      : record_bytes_max_(record_bytes_max),
        delimiter_(rows.delimiter),
        quote_(rows.quote),
        escape_(rows.escape),
        comment_(form.comment),
        skip_(form.skip),
        layout_(std::make_shared<RecordLayout>(rows)),
        wants_header_(form.has_header),
        name_(std::move(name)) {}

  [[nodiscard]] Result<void> read(ByteStream& from, std::size_t block, RecordBatch& into) override;
  // Where the first line begins that has not been handed out.
  [[nodiscard]] std::uint64_t position() const override { return stream_offset_ - carry_.size(); }
  void rewind() override;
  [[nodiscard]] bool skip_to(std::uint64_t position) override;

 private:
  // The part of the buffer in hand: [line, end) is the line begun; no LF lies before `scanned`.
  struct Span {
    std::size_t line = 0;
    std::size_t scanned = 0;
    std::size_t end = 0;
  };
  [[nodiscard]] Result<std::size_t> append_block(ByteStream& from, std::size_t block, RecordBatch& into, Span& span);
  [[nodiscard]] tl::unexpected<Error> ends_in_quotes(std::uint64_t row) const;
  [[nodiscard]] bool skip_mark(const RecordBatch& into, Span& span, bool at_end);
  void add_lines(RecordBatch& into, Span& span);
  void add_line(RecordBatch& into, std::size_t line, std::size_t end);
  [[nodiscard]] const char* end_of_line(const char* from, const char* to);
  [[nodiscard]] const char* end_of_escaped_line(const char* from, const char* to);
  void begin_line(const RecordBatch& into, const Span& span);
  [[nodiscard]] Result<bool> pass_over(ByteStream& from, std::size_t block, RecordBatch& into, Span& span);

  std::size_t record_bytes_max_;
  char delimiter_ = '\0';
  char quote_ = '\0';  // none: each line end ends a record
  char escape_ = '\0';
  char comment_ = '\0';
  std::size_t skip_ = 0;  // lines that are still to be passed over
  std::shared_ptr<RecordLayout> layout_;
  bool wants_header_ = false;        // the row of names has not come yet
  std::string name_;                 // of the file, for messages
  std::uint64_t stream_offset_ = 0;  // how far the stream has been read
  std::vector<char> carry_;          // the line begun at the end of the last batch
  bool is_quoted_ = false;           // whether what was scanned last stands within quotes
  bool is_escaped_ = false;          // whether an escape was scanned last
  bool is_comment_ = false;          // whether the line begun is one
  char previous_ = '\n';             // what was scanned last
  std::uint64_t lines_ = 0;          // line ends that were passed
  std::uint64_t begun_line_ = 1;     // where the record begun stands
  bool mark_decided_ = false;        // whether the stream began with a byte-order mark has been seen to
};

}  // namespace recmeter::file
