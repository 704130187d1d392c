#include "app/row_writer.h"

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
    case RowFormat::table: rows_.push_back(row); return {};
  }
  return {};
}

Result<void> RowWriter::finish() {
  if (format_ == RowFormat::table) {
    if (auto written = output_->write(render_table(rows_, width_, color_)); !written) return written;
  }
  return output_->commit();
}

}  // namespace recmeter
