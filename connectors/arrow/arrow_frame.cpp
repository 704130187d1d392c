#include "recmeter/arrow/arrow_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "arrow/column.h"

namespace recmeter::arrow {
namespace {

// What a source's RecordBatch calls its layout: so each holds the rows it refers to.
struct Batch : RecordLayout {
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    if (array.release != nullptr) array.release(&array);
  }

  std::shared_ptr<const Column> root;
  ArrowArray array{};
};

// The bytes of a record.
struct Handle {
  const Batch* batch;
  std::int64_t row;      // of the batch
  std::uint64_t number;  // of the row, in the frame
};

// What a row counts for in a block: several times what it has, for a frame is read so fast that small blocks, one decoded
// while the one before is joined, are worth more than few.
constexpr std::size_t row_bytes = 1024;

class Reader final : public RecordReader {
 public:
  explicit Reader(const WantedFields& wanted) : wanted_(wanted) {}

  void begin(const RecordBatch& /*records*/) override {}

  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override {
    Handle handle;
    std::memcpy(&handle, records.record(index).data(), sizeof handle);
    Reading reading;
    const ArrowArray& array = handle.batch->array;
    if (is_null(array, handle.row)) {
      value = {};
      return InvalidReason::not_a_row;
    }
    if (wanted_.whole) {
      value = value_of(*handle.batch->root, array, handle.row, wanted_, arena, reading);
    } else {
      bind(handle.batch->root.get());
      auto* const members = arena.room<FieldMember>(members_.size());
      for (std::size_t m = 0; m < members_.size(); ++m) {
        const auto& [column, is_twice] = members_[m];
        members[m] = {.key = wanted_.members[m].first, .value = {}, .is_twice = is_twice};
        if (column == nullptr) continue;
        const auto number = static_cast<std::size_t>(column - root_->children.data());
        members[m].value =
            value_of(*column, *array.children[number], handle.row + array.offset, wanted_.members[m].second, arena, reading);
      }
      value = FieldValue::of_object({members, members_.size()});
    }
    return reading.is_sound ? std::nullopt : std::optional(InvalidReason::not_a_row);
  }

 private:
  struct Member {
    const Column* column = nullptr;  // null: there is none of the name
    bool is_twice = false;
  };

  // Which columns are wanted.
  void bind(const Column* root) {
    if (root == root_) return;
    root_ = root;
    members_.clear();
    for (const auto& [name, below] : wanted_.members) {
      Member& member = members_.emplace_back();
      for (const Column& column : root->children) {
        if (column.name != name) continue;
        member.is_twice = member.column != nullptr;
        if (member.column == nullptr) member.column = &column;
      }
    }
  }

  const WantedFields& wanted_;
  const Column* root_ = nullptr;  // that members_ are of
  std::vector<Member> members_;
};

class Frame final : public ArrowFrame {
 public:
  Frame(ArrowArrayStream stream, std::string name, bool keeps) : stream_(stream), name_(std::move(name)), keeps_(keeps) {}
  ~Frame() override {
    if (stream_.release != nullptr) stream_.release(&stream_);
  }

  Result<void> open() {
    ArrowSchema schema{};
    if (stream_.get_schema(&stream_, &schema) != 0) return failed("has no schema");
    auto root = std::make_shared<Column>(column_of(schema));
    if (schema.release != nullptr) schema.release(&schema);
    if (root->kind != ColumnKind::structure) return failure(Errc::input_corrupt, name_ + " has no columns");
    for (const Column& column : root->children) columns_.push_back(column.name);
    root_ = std::move(root);
    // A producer may have one stream at a time (DuckDB): it is read to its end before another is asked for.
    for (std::size_t number = 0; keeps_; ++number) {
      auto next = batch(number);
      if (!next) return tl::unexpected(std::move(next).error());
      if (*next == nullptr) break;
    }
    return {};
  }

  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }
  [[nodiscard]] std::unique_ptr<RecordSource> source() override;
  [[nodiscard]] Result<std::vector<RecordBatch>> sample(std::size_t places, std::size_t rows) override;
  [[nodiscard]] const std::string& name() const { return name_; }

  // The batch of that number; null behind the last.
  [[nodiscard]] Result<std::shared_ptr<Batch>> batch(std::size_t number) {
    const std::lock_guard lock(mutex_);
    if (number < kept_.size()) return kept_[number];
    while (!is_at_end_) {
      auto next = std::make_shared<Batch>();
      if (stream_.get_next(&stream_, &next->array) != 0) return failed("cannot be read");
      if (next->array.release == nullptr) {
        is_at_end_ = true;
        break;
      }
      next->root = root_;
      if (!is_array_of(*root_, next->array))
        return failure(Errc::input_corrupt, name_ + " has a batch that is not of its schema");
      if (!keeps_) return next;
      kept_.push_back(std::move(next));
      if (number < kept_.size()) return kept_[number];
    }
    return nullptr;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view what) {
    const char* const reason = stream_.get_last_error == nullptr ? nullptr : stream_.get_last_error(&stream_);
    return failure(Errc::input_corrupt,
                   fmt::format("{} {}: {}", name_, what, reason == nullptr ? "no reason given" : reason));
  }

  std::mutex mutex_;
  ArrowArrayStream stream_;
  std::string name_;
  bool keeps_;
  bool is_at_end_ = false;
  std::shared_ptr<const Column> root_;
  std::vector<std::string> columns_;
  std::vector<std::shared_ptr<Batch>> kept_;
};

// Rows [begin, end) of a batch, whose first one is the `first`-th of the frame.
RecordBatch rows_of(const std::shared_ptr<Batch>& batch, std::int64_t begin, std::int64_t end, std::uint64_t first,
                    RecordBatch reuse) {
  RecordBatch out;
  out.bytes = std::move(reuse.bytes);
  out.records = std::move(reuse.records);
  out.records.clear();
  const auto count = static_cast<std::size_t>(end - begin);
  out.bytes.resize(count * sizeof(Handle) + RecordBatch::padding);
  for (std::size_t i = 0; i < count; ++i) {
    const Handle handle{batch.get(), begin + static_cast<std::int64_t>(i), first + i};
    std::memcpy(out.bytes.data() + i * sizeof handle, &handle, sizeof handle);
    out.records.push_back({.offset = i * sizeof handle, .size = sizeof handle, .broker_time = {}});
  }
  out.layout = batch;
  return out;
}

class Source final : public RecordSource {
 public:
  explicit Source(std::shared_ptr<Frame> frame) : frame_(std::move(frame)) {}

  [[nodiscard]] std::string_view name() const override { return frame_->name(); }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override {
    while (batch_ == nullptr || row_ == batch_->array.length) {
      auto next = frame_->batch(number_++);
      if (!next) return tl::unexpected(std::move(next).error());
      row_ = 0;
      batch_ = std::move(*next);
      if (batch_ != nullptr) continue;
      RecordBatch end;
      end.last = true;
      return end;
    }
    const auto rows = static_cast<std::int64_t>(std::max<std::size_t>(1, bytes / row_bytes));
    const std::int64_t end = std::min(batch_->array.length, row_ + rows);
    RecordBatch out = rows_of(batch_, row_, end, rows_, std::move(reuse));
    rows_ += static_cast<std::uint64_t>(end - row_);
    row_ = end;
    return out;
  }
  void suspend() override {}
  [[nodiscard]] bool is_open() const override { return false; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return rows_ * row_bytes; }

 private:
  std::shared_ptr<Frame> frame_;
  std::shared_ptr<Batch> batch_;
  std::size_t number_ = 0;  // of the next batch
  std::int64_t row_ = 0;    // of the batch
  std::uint64_t rows_ = 0;  // so far
};

std::unique_ptr<RecordSource> Frame::source() {
  return std::make_unique<Source>(std::static_pointer_cast<Frame>(shared_from_this()));
}

Result<std::vector<RecordBatch>> Frame::sample(std::size_t places, std::size_t rows) {
  std::vector<std::shared_ptr<Batch>> batches;
  std::uint64_t total = 0;
  while (true) {
    auto next = batch(batches.size());
    if (!next) return tl::unexpected(std::move(next).error());
    if (*next == nullptr) break;
    total += static_cast<std::uint64_t>((*next)->array.length);
    batches.push_back(std::move(*next));
  }
  std::vector<RecordBatch> out;
  if (total <= places * rows) return out;
  std::uint64_t first = 0, wanted = 0;
  for (const auto& batch : batches) {
    const auto length = static_cast<std::uint64_t>(batch->array.length);
    for (; wanted < places && wanted * total / places < first + length; ++wanted) {
      const auto begin = static_cast<std::int64_t>(wanted * total / places - first);
      const std::int64_t end = std::min(batch->array.length, begin + static_cast<std::int64_t>(rows));
      out.push_back(rows_of(batch, begin, end, first + static_cast<std::uint64_t>(begin), {}));
    }
    first += length;
  }
  return out;
}

}  // namespace

Result<std::shared_ptr<ArrowFrame>> ArrowFrame::import(ArrowArrayStream& stream, std::string name, bool keeps) {
  auto frame = std::make_shared<Frame>(std::exchange(stream, {}), std::move(name), keeps);
  if (auto opened = frame->open(); !opened) return tl::unexpected(std::move(opened).error());
  return frame;
}

std::optional<std::uint64_t> row_number(std::string_view record) {
  if (record.size() < sizeof(Handle)) return std::nullopt;
  Handle handle;
  std::memcpy(&handle, record.data(), sizeof handle);
  return handle.number;
}

MakeRecordReader arrow_reader() {
  return [](const WantedFields& wanted) { return std::make_unique<Reader>(wanted); };
}

}  // namespace recmeter::arrow
