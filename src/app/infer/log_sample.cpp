#include "app/infer/log_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "app/infer/keyed_entries.h"
#include "app/infer/split_texts.h"
#include "app/infer/yaml_text.h"
#include "app/run/replay_inputs.h"
#include "recmeter/event/field_path.h"
#include "recmeter/event/record_reader.h"
#include "recmeter/event/row_reader.h"
#include "recmeter/file/open_file.h"

namespace recmeter {
namespace {

constexpr std::size_t depth_max = 4;
constexpr std::size_t columns_max = 400;

// A name as a step of a path, with its dots, brackets and colons escaped.
std::string step_text(std::string_view name) {
  return path_text(path_of_names({std::string(name)}));
}

// Tells whether a configuration can lead to a member of that name.
bool can_be_named(std::string_view key) {
  return !key.empty() && std::ranges::none_of(key, is_control);
}

// {"index": {"_index": "ubi_events"}}
bool is_bulk_line(const FieldValue& record) {
  if (record.members().size() != 1) return false;
  const FieldMember& action = record.members().front();
  if ((action.key != "index" && action.key != "create") || action.value.kind() != ValueKind::object) return false;
  return std::ranges::any_of(action.value.members(), [](const FieldMember& of) { return of.key.starts_with('_'); });
}

// Fills the columns of a sample with one record after the other.
class SampleWriter {
 public:
  explicit SampleWriter(LogSample& sample) : sample_(sample) {}

  void add(const FieldValue& record) {
    const std::size_t index = sample_.records++;
    add_members("", record, 1, index);
  }
  void finish() {
    std::erase_if(sample_.columns, [](const Column& column) { return column.present == 0; });
    for (Column& column : sample_.columns) column.cells.resize(sample_.records);
    for (ListColumn& list : sample_.lists) list.cells.resize(sample_.records);
    std::ranges::sort(sample_.columns, {}, &Column::path);
  }

 private:
  void add_members(const std::string& before, const FieldValue& object, std::size_t depth, std::size_t index) {
    for (const FieldMember& member : object.members()) {
      if (can_be_named(member.key)) add(before + step_text(member.key), member.value, depth, index);
    }
  }
  void add(const std::string& path, const FieldValue& value, std::size_t depth, std::size_t index) {
    switch (value.kind()) {
      case ValueKind::null: return;
      case ValueKind::object:
        if (depth < depth_max) add_members(path + ".", value, depth + 1, index);
        return;
      case ValueKind::list: return add_list(path, value, index);
      case ValueKind::text: add_embedded(path, value.text(), depth, index); break;
      default: break;
    }
    const Cell cell = text_of(value);
    if (cell.empty()) return;
    if (sample_.form.escape == '\\' && cell == "\\N") {
      sample_.form.has_nulls = true;
      return;
    }
    Column* const column = column_of(path);
    if (column == nullptr || column->cells.size() > index) return;
    if (is_number(value.kind()) && !std::isfinite(value.number())) {
      ++column->not_finite;
      return;
    }
    column->cells.resize(index);
    column->cells.push_back(cell);
    ++column->present;
    column->as_number += is_number(value.kind()) || value.kind() == ValueKind::time ? 1U : 0U;
    column->as_double += value.kind() == ValueKind::number ? 1U : 0U;
    column->as_boolean += value.kind() == ValueKind::boolean ? 1U : 0U;
  }

  void add_list(const std::string& path, const FieldValue& list, std::size_t index) {
    const auto entries = list.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) add_entry(path, "", entries[i], entries.size(), i, 1, index);
  }
  void add_entry(const std::string& path, const std::string& within, const FieldValue& value, std::size_t count,
                 std::size_t at, std::size_t depth, std::size_t index) {
    if (value.kind() == ValueKind::list || value.is_null()) return;
    if (value.kind() == ValueKind::object) {
      if (depth == depth_max) return;
      for (const FieldMember& member : value.members()) {
        if (!can_be_named(member.key)) continue;
        const std::string step = step_text(member.key);
        add_entry(path, within.empty() ? step : within + "." + step, member.value, count, at, depth + 1, index);
      }
      return;
    }
    ListColumn* const column = list_of(path, within);
    if (column == nullptr) return;
    if (column->cells.size() <= index) {
      column->cells.resize(index + 1);
      column->cells.back().resize(count);
      ++column->present;
    }
    if (at < column->cells[index].size()) column->cells[index][at] = text_of(value);
  }

  // JSON within a text; the parser wants an object, so the text becomes a member of one.
  void add_embedded(const std::string& path, std::string_view text, std::size_t depth, std::size_t index) {
    if (text.size() < 2 || (text.front() != '{' && text.front() != '[')) return;
    RecordBatch batch;
    const std::string record = "{\"v\":" + std::string(text) + "}";
    batch.bytes.assign(record.begin(), record.end());
    batch.bytes.resize(record.size() + RecordBatch::padding);
    batch.records.push_back({.offset = 0, .size = record.size(), .broker_time = {}, .tombstone = false});
    RecordArena arena;
    FieldValue value;
    const auto reader = json_reader()(all_fields);
    reader->begin(batch);
    if (reader->read(batch, 0, arena, value)) return;
    for (const FieldMember& member : value.members()) add(path + ":json", member.value, depth, index);
  }

  Column* column_of(const std::string& path) {
    const auto [known, is_new] = columns_.try_emplace(path, sample_.columns.size());
    if (is_new && sample_.columns.size() < columns_max) {
      sample_.columns.emplace_back().path = path;
    } else if (is_new) {
      columns_.erase(known);
      return nullptr;
    }
    return &sample_.columns[known->second];
  }
  ListColumn* list_of(const std::string& path, const std::string& entry) {
    const auto [known, is_new] = lists_.try_emplace({path, entry}, sample_.lists.size());
    if (is_new && sample_.lists.size() == columns_max) {
      lists_.erase(known);
      return nullptr;
    }
    if (is_new) {
      ListColumn& list = sample_.lists.emplace_back();
      list.path = path;
      list.entry = entry;
    }
    return &sample_.lists[known->second];
  }

  Cell text_of(const FieldValue& value) {
    std::array<char, 32> room{};
    const auto number_text = [&](auto number) {
      return std::string_view(
          room.data(),
          static_cast<std::size_t>(std::to_chars(room.data(), room.data() + room.size(), number).ptr - room.data()));
    };
    switch (value.kind()) {
      case ValueKind::text: return sample_.texts.copy(value.text());
      case ValueKind::integer: return sample_.texts.copy(number_text(value.integer()));
      case ValueKind::large_integer: return sample_.texts.copy(number_text(value.large_integer()));
      case ValueKind::number: return sample_.texts.copy(number_text(value.number()));
      case ValueKind::boolean: return value.boolean() ? "true" : "false";
      case ValueKind::time: return sample_.texts.copy(number_text(value.time().ms));
      default: return {};
    }
  }

  LogSample& sample_;
  std::map<std::string, std::size_t> columns_;
  std::map<std::pair<std::string, std::string>, std::size_t> lists_;
};

// -12,5 or 12.
bool is_decimal_with_comma(Cell cell) {
  if (cell.starts_with('-')) cell.remove_prefix(1);
  const std::size_t comma = std::min(cell.find(','), cell.size());
  const Cell fraction = cell.substr(std::min(comma + 1, cell.size()));
  const auto are_digits = [](Cell digits) { return !digits.empty() && digits.find_first_not_of("0123456789") == Cell::npos; };
  return are_digits(cell.substr(0, comma)) && (comma == cell.size() || are_digits(fraction));
}

// Columns of numbers with decimal commas get points. Texts that are lists are lists as well.
void read_decimal_commas(LogSample& sample) {
  for (Column& column : sample.columns) {
    const auto with_comma =
        static_cast<std::size_t>(std::ranges::count_if(column.cells, [](Cell cell) { return cell.find(',') != Cell::npos; }));
    const auto is_number = [](Cell cell) { return cell.empty() || is_decimal_with_comma(cell); };
    if (with_comma * 20 < column.present || with_comma == 0 || !std::ranges::all_of(column.cells, is_number)) continue;
    column.has_commas = true;
    for (Cell& cell : column.cells) {
      std::string text(cell);
      std::ranges::replace(text, ',', '.');
      cell = sample.texts.copy(text);
    }
  }
}

bool looks_like_a_value(std::string_view text) {
  const bool has_digit = std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
  const bool is_numeric = has_digit && text.find_first_not_of("0123456789.-+:/TZ ") == std::string_view::npos;
  return text.empty() || is_numeric;
}

constexpr std::size_t name_bytes_max = 300;  // BigQuery allows so many; other tables fewer

// Whether a first row has the names of the columns: words, each once, none of which is a number or a time, over a column of
// such; or, where no column is one, without a digit. Columns at the beginning may have none: pandas writes its index so.
bool is_header(const std::vector<std::string>& cells, const RecordBatch& batch, const RecordLayout& layout) {
  const auto first = std::ranges::find_if(cells, [](const std::string& cell) { return !cell.empty(); }) - cells.begin();
  if (first == std::ssize(cells)) return false;
  for (auto i = static_cast<std::size_t>(first); i < cells.size(); ++i) {
    if (looks_like_a_value(cells[i]) || cells[i].size() > name_bytes_max) return false;
    if (std::find(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i), cells[i]) !=
        cells.begin() + static_cast<std::ptrdiff_t>(i)) {
      return false;
    }
  }
  constexpr std::size_t rows_looked_at = 50;
  std::vector<bool> are_values(cells.size(), batch.records.size() > 1);
  for (std::size_t row = 1; row < batch.records.size() && row < rows_looked_at; ++row) {
    const auto values = cells_of(batch.record(row), layout).value_or(std::vector<std::string>());
    for (std::size_t i = 0; i < cells.size() && i < values.size(); ++i) {
      are_values[i] = are_values[i] && !values[i].empty() && looks_like_a_value(values[i]);
    }
  }
  std::fill_n(are_values.begin(), first, false);
  const auto has_digit = [](const std::string& cell) { return cell.find_first_of("0123456789") != std::string::npos; };
  return std::ranges::find(are_values, true) != are_values.end() || std::ranges::none_of(cells, has_digit);
}

// Reads records of a log into its sample.
class LogLook {
 public:
  LogLook(LogSample& sample, file::Container container) : sample_(sample), container_(container), writer_(sample) {}

  // Takes as many of the batch as fit.
  void add(const RecordBatch& batch, std::size_t records_max) {
    if (batch.records.empty()) return;
    std::size_t first = reader_ ? 0 : begin(batch);
    reader_->begin(batch);
    for (; first < batch.records.size() && looked_at() < records_max; ++first) {
      arena_.clear();
      FieldValue record;
      // Only rows and arrays may.
      if (batch.record(first).find('\n') != std::string_view::npos) has_line_ends_ = true;
      if (reader_->read(batch, first, arena_, record)) {
        ++sample_.unreadable;
      } else if (is_bulk_line(record)) {
        ++sample_.bulk_lines;
      } else {
        writer_.add(record);
      }
    }
  }
  [[nodiscard]] std::size_t looked_at() const { return sample_.records + sample_.unreadable + sample_.bulk_lines; }
  [[nodiscard]] bool has_line_ends() const { return has_line_ends_; }
  void finish() { writer_.finish(); }

 private:
  // Where records begin in the first batch.
  std::size_t begin(const RecordBatch& batch) {
    const RecordLayout layout = batch.layout != nullptr ? *batch.layout : RecordLayout();
    std::vector<std::string> names;
    if (sample_.is_rows) {
      names = cells_of(batch.record(0), layout).value_or(std::vector<std::string>());
      sample_.has_header = is_header(names, batch, layout);
      if (!sample_.has_header) names.clear();
    }
    const MakeRecordReader make = sample_.is_rows ? row_reader(names, layout)
                                  : container_ == file::Container::avro
                                      ? decoder_for(Config(), InputSpec(), container_).reader
                                      : json_reader();
    reader_ = make(all_fields);
    return sample_.is_rows && sample_.has_header ? 1 : 0;
  }

  LogSample& sample_;
  file::Container container_;
  SampleWriter writer_;
  std::unique_ptr<RecordReader> reader_;
  RecordArena arena_;
  bool has_line_ends_ = false;
};

// Half of a sample is of the beginning, where lists meet what was done. The other half is of places behind it: an action that
// came up later, a form of ids or times that changed.
constexpr std::size_t places = 10;
constexpr std::size_t records_of_beginning = sample_records_max / 2;
constexpr std::size_t records_of_place = records_of_beginning / (places - 1);
constexpr std::size_t bytes_of_place = std::size_t{256} << 10;
// Small beside it, so that hardly more is read than asked for.
constexpr std::size_t sip_bytes = std::size_t{64} << 10;

// Adds what lies behind the beginning, of which `bytes` were read: of the places of a file that is much larger. False: it is
// no such file, and is read on.
Result<bool> add_places(LogLook& look, const std::string& path, const file::ContainerForm& form,
                        const file::FileOptions& options, const RecordSource& beginning) {
  const double all = static_cast<double>(beginning.bytes_total()) / static_cast<double>(beginning.bytes_read()) *
                     static_cast<double>(look.looked_at());
  if (look.has_line_ends() || all <= static_cast<double>(sample_records_max)) return false;
  const auto batches = file::sample_log(path, form, options, places, bytes_of_place);
  if (!batches) return tl::unexpected(batches.error());
  if (batches->size() < places) return false;
  for (std::size_t place = 1; place < places; ++place) {
    if (beginning.bytes_total() / places * place < beginning.bytes_read()) continue;
    look.add((*batches)[place], look.looked_at() + records_of_place);
  }
  return true;
}

Result<LogSample> read_by(const RowForm& rows, const std::string& path, const std::atomic<bool>& stop) {
  const file::FileOptions options{.stop = &stop};
  file::ContainerForm form = container_form(rows);
  form.has_header = false;  // so that the first row is a record, too
  auto opened = file::open_log(path, form, options);
  if (!opened) return tl::unexpected(std::move(opened).error());
  LogSample sample;
  sample.file = path;
  sample.format = file::format_text(opened->found);
  sample.read_as = format_sentence(opened->found);
  sample.is_rows = opened->found.container == file::Container::rows;
  sample.form = rows;
  LogLook look(sample, opened->found.container);
  bool more = true;
  const auto read_up_to = [&](std::size_t records_max) -> Result<void> {
    while (more && look.looked_at() < records_max) {
      auto next = opened->source->read(sip_bytes, {});
      if (!next) return tl::unexpected(std::move(next).error());
      more = !next->last;
      look.add(*next, sample_records_max);
    }
    return {};
  };
  if (auto done = read_up_to(records_of_beginning); !done) return tl::unexpected(std::move(done).error());
  if (more) {
    auto placed = add_places(look, path, form, options, *opened->source);
    if (!placed) return tl::unexpected(std::move(placed).error());
    sample.has_places = *placed;
    if (!*placed) {
      if (auto done = read_up_to(sample_records_max); !done) return tl::unexpected(std::move(done).error());
    }
  }
  look.finish();
  add_keyed_entries(sample);
  add_split_texts(sample);
  if (sample.is_rows) read_decimal_commas(sample);
  return sample;
}

// The first lines of a log, as they stand there.
struct Start {
  std::string text;
  std::size_t first_line = 1;
};

Start start_of(const std::string& path, const std::atomic<bool>& stop) {
  auto source = file::open_file(path, {.message_bytes_max = file::container_bytes, .stop = &stop});
  if (!source) return {};  // whoever opens the log says why
  const auto batch = (*source)->read(file::container_bytes, {});
  if (!batch || batch->records.empty()) return {};
  const Record& first = batch->records.front();
  const Record& last = batch->records.back();
  return {std::string(batch->bytes.data() + first.offset, batch->bytes.data() + last.offset + last.size), batch->first_line};
}

}  // namespace

Result<LogSample> read_log_sample(const std::string& path, const std::atomic<bool>& stop) {
  const Start start = start_of(path, stop);
  const RowForm form = form_of_head(start.text, start.first_line);
  auto sample = read_by(form, path, stop);
  if (sample && sample->unreadable == 0) return sample;
  for (const RowForm& other : other_forms(form, start.text, start.first_line)) {
    auto tried = read_by(other, path, stop);
    if (!tried || !tried->is_rows) continue;
    const bool is_better =
        !sample || (tried->unreadable < sample->unreadable && tried->records >= sample->records && tried->has_header);
    if (is_better) sample = std::move(tried);
  }
  return sample;
}

}  // namespace recmeter
