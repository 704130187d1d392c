#include "app/run/row_writer.h"

#include "recmeter/result/render.h"

namespace recmeter {

Result<std::unique_ptr<RowWriter>> RowWriter::create(const std::string& path, RowFormat format, std::size_t width,
                                                     bool color) {
  auto output = file::AtomicFile::create(path.empty() || path == "-" ? "/dev/stdout" : path);
  if (!output) return tl::unexpected(std::move(output).error());
  std::unique_ptr<RowWriter> writer(new RowWriter(std::move(*output), format, width, color));
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
    case RowFormat::table: rows_.push_back(row); return rows_.size() < table_rows_max ? Result<void>{} : write_part();
  }
  return {};
}

Result<void> RowWriter::write_part() {
  auto written = output_->write((has_parts_ ? "\n" : "") + render_table(rows_, width_, color_));
  rows_.clear();
  has_parts_ = true;
  return written;
}

Result<void> RowWriter::write(const RenderedRow& row) {
  return format_ == RowFormat::jsonl ? output_->write(row.json + "\n") : write(row.row);
}

Result<void> RowWriter::settle() {
  if (format_ == RowFormat::table && (!rows_.empty() || !has_parts_)) {
    if (auto written = write_part(); !written) return written;
  }
  return output_->settle();
}

Result<void> RowWriter::finish() {
  if (auto settled = settle(); !settled) return settled;
  return output_->commit();
}

}  // namespace recmeter
