#include "app/run/row_writer.h"

#include <fmt/format.h>

#include <utility>

#include "recmeter/result/render.h"

namespace recmeter {

Result<std::unique_ptr<RowWriter>> RowWriter::create(const std::string& path, RowFormat format, std::size_t width, bool color,
                                                     std::size_t windows_shown) {
  auto output = file::AtomicFile::create(path.empty() || path == "-" ? "/dev/stdout" : path);
  if (!output) return tl::unexpected(std::move(output).error());
  std::unique_ptr<RowWriter> writer(new RowWriter(std::move(*output), format, width, color, windows_shown));
  if (format == RowFormat::csv) {
    if (auto written = writer->output_->write(render_csv_header()); !written)
      return tl::unexpected(std::move(written).error());
  }
  return writer;
}

Result<void> RowWriter::write(const Row& row) {
  switch (format_) {
    case RowFormat::jsonl: return output_->write(render_json(row) + "\n");
    case RowFormat::csv: return output_->write(render_csv(row));
    case RowFormat::table:
      if (first_) {
        first_->add(row);
        return {};
      }
      rows_.push_back(row);
      if (windows_shown_ > 0) {
        show_newest(row);
        return {};
      }
      return rows_.size() < table_rows_max ? Result<void>{} : write_part();
  }
  return {};
}

// The window's oldest gives way, which may be this one.
void RowWriter::show_newest(const Row& row) {
  Shown& shown = shown_[row.window];
  shown.starts.insert(row.start);
  if (shown.starts.size() <= windows_shown_) return;
  const EventTime oldest = *shown.starts.begin();
  shown.starts.erase(oldest);
  shown.left_out.insert(oldest);
  std::erase_if(rows_, [&](const Row& other) { return other.window == row.window && other.start == oldest; });
}

Result<void> RowWriter::write_part() {
  if (first_) {
    has_parts_ = true;
    return output_->write(first_->text(width_, color_));
  }
  std::string text = (has_parts_ ? "\n" : "") + render_table(rows_, width_, color_);
  std::size_t left_out = 0;
  for (const auto& [window, shown] : shown_) left_out += shown.left_out.size();
  if (left_out > 0) {
    text += fmt::format("\nThe newest {} windows of each size; --all shows {} older ones too.\n", windows_shown_, left_out);
  }
  auto written = output_->write(text);
  rows_.clear();
  has_parts_ = true;
  return written;
}

Result<void> RowWriter::write(const RenderedRow& row) {
  return format_ == RowFormat::jsonl ? output_->write(row.json + "\n") : write(row.row);
}

Result<void> RowWriter::settle() {
  if (format_ == RowFormat::table) {
    if (!rows_.empty() || !has_parts_) {
      if (auto written = write_part(); !written) return written;
    }
    if (auto written = output_->write(std::exchange(ending_, {})); !written) return written;
  }
  return output_->settle();
}

Result<void> RowWriter::finish() {
  if (auto settled = settle(); !settled) return settled;
  return output_->commit();
}

}  // namespace recmeter
