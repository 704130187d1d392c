#include "recmeter/file/record_sorter.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "file/record_run.h"
#include "file/scratch_file.h"
#include "recmeter/base/check.h"

namespace recmeter::file {

namespace {

constexpr std::size_t buffer_bytes_min = std::size_t{16} << 10;
constexpr std::size_t buffer_bytes_max = std::size_t{1} << 20;
constexpr std::string_view room_remedy =
    "a sort needs as much space as the uncompressed log: write the output to a directory that has it, or set TMPDIR if rows "
    "go to standard output; --sort never sorts nothing";

// Memory that is filled from its begin to its end costs less in large pages. Where there are none, nothing is lost.
void use_huge_pages(const std::vector<char>& reserved) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(reserved.data());  // NOLINT: an address
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t end = begin + reserved.capacity();
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // NOLINT: an address
}

// What stays the same in a partition from block to block.
struct BlockForm {
  std::shared_ptr<const RecordLayout> layout;
  bool lost_before = false;  // before its first record
};

// Where a record lies in the memory, header first.
struct RecordPlace {
  std::int64_t key;
  std::uint64_t offset;  // later records lie behind
};

std::string_view record_at(std::span<const char> bytes, const RecordPlace& place) {
  RunHeader header;
  std::memcpy(&header, bytes.data() + place.offset, sizeof header);
  return {bytes.data() + place.offset, sizeof header + header.size};
}

// Records that have stayed in memory, all of them.
class RunInMemory {
 public:
  RunInMemory(std::vector<char> bytes, std::vector<RecordPlace> places)
      : bytes_(std::move(bytes)), places_(std::move(places)) {}

  // As of RunMerge.
  [[nodiscard]] Result<std::string_view> next() {
    return next_ == places_.size() ? std::string_view() : record_at(bytes_, places_[next_++]);
  }
  void suspend() {}

 private:
  std::vector<char> bytes_;
  std::vector<RecordPlace> places_;
  std::size_t next_ = 0;
};

template <class Run>
class SortedSource final : public RecordSource {
 public:
  SortedSource(const RecordSource& of, BlockForm form, std::uint64_t bytes, Run run)
      : name_(of.name()),
        is_cut_at_start_(of.is_cut_at_start()),
        next_offset_(of.next_offset()),
        form_(std::move(form)),
        bytes_(bytes),
        run_(std::move(run)) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override;
  void suspend() override { run_.suspend(); }
  [[nodiscard]] bool is_open() const override { return false; }
  [[nodiscard]] bool is_cut_at_start() const override { return is_cut_at_start_; }
  [[nodiscard]] std::int64_t next_offset() const override { return next_offset_; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return bytes_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  std::string name_;
  bool is_cut_at_start_;
  std::int64_t next_offset_;
  BlockForm form_;
  std::uint64_t bytes_;
  std::uint64_t bytes_read_ = 0;
  Run run_;
};

template <class Run>
Result<RecordBatch> SortedSource<Run>::read(std::size_t bytes, RecordBatch reuse) {
  RecordBatch batch = std::move(reuse);
  batch.bytes.clear();
  batch.records.clear();
  batch.layout = form_.layout;
  batch.next_offset = next_offset_;
  batch.lost_before = std::exchange(form_.lost_before, false);
  batch.last = false;
  while (batch.records.empty() || batch.bytes.size() < bytes) {
    const auto next = run_.next();
    if (!next) return tl::unexpected(next.error());
    batch.last = next->empty();
    if (batch.last) break;
    RunHeader header;
    std::memcpy(&header, next->data(), sizeof header);
    Record& record = batch.records.emplace_back(
        Record{.offset = batch.bytes.size(), .size = header.size, .broker_time = {}, .tombstone = header.tombstone});
    if (header.has_broker_time) record.broker_time = EventTime{header.broker_time};
    batch.bytes.insert(batch.bytes.end(), next->begin() + sizeof header, next->end());
    bytes_read_ += next->size();
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  return batch;
}

}  // namespace

class RecordSorter::Impl {
 public:
  Impl(std::shared_ptr<ScratchFile> scratch, std::size_t memory, std::size_t sources_max)
      : scratch_(std::move(scratch)),
        memory_(std::max(memory, SortSpace::memory_min)),
        runs_max_(std::max<std::size_t>(2, memory_ / sources_max / buffer_bytes_min)),
        share_(memory_ / sources_max) {}

  Result<void> add(const RecordBatch& batch, std::span<const EventTime> keys);
  Result<void> add(const Record& record, std::string_view bytes, EventTime key);
  Result<std::unique_ptr<RecordSource>> finish(const RecordSource& of);
  void drop();

 private:
  void sort();
  Result<void> write_run();
  Result<void> merge_runs();
  [[nodiscard]] std::size_t buffer_bytes() const {
    return std::clamp(share_ / std::max<std::size_t>(1, runs_.size()), buffer_bytes_min, buffer_bytes_max);
  }

  std::shared_ptr<ScratchFile> scratch_;
  std::size_t memory_;
  std::size_t runs_max_;
  std::size_t share_;             // of the memory, while a source is read
  bool memory_is_given_ = false;  // to the one source that reads alone
  std::vector<char> bytes_;
  std::vector<RecordPlace> places_;
  std::vector<RecordRun> runs_;
  BlockForm form_;
};

Result<void> RecordSorter::Impl::add(const RecordBatch& batch, std::span<const EventTime> keys) {
  RECMETER_CHECK(batch.records.size() == keys.size(), "each record has a key");
  const bool is_first = runs_.empty() && places_.empty();
  if (is_first) form_ = {.layout = batch.layout, .lost_before = form_.lost_before || batch.lost_before};
  if (!is_first && batch.lost_before) {
    return failure(Errc::input_unreadable,
                   "records were lost while they were sorted, and it is not known which; read the topic again, or as it is "
                   "with --sort never");
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (auto added = add(batch.records[i], batch.record(i), keys[i]); !added) return added;
  }
  return {};
}

Result<void> RecordSorter::Impl::add(const Record& record, std::string_view bytes, EventTime key) {
  const std::size_t size = sizeof(RunHeader) + bytes.size();
  const std::size_t used = bytes_.size() + places_.size() * sizeof(RecordPlace);
  if (!places_.empty() && used + size + sizeof(RecordPlace) > memory_) {
    if (auto written = write_run(); !written) return written;
  }
  if (places_.empty()) {
    // So much address space; memory only for what comes. A buffer that grows would stand there twice.
    bytes_.reserve(memory_);
    use_huge_pages(bytes_);
    places_.reserve(memory_ / (sizeof(RunHeader) + sizeof(RecordPlace)));
  }
  const RunHeader header{.key = key.ms,
                         .broker_time = record.broker_time.value_or(EventTime{0}).ms,
                         .size = static_cast<std::uint32_t>(bytes.size()),
                         .has_broker_time = record.broker_time.has_value(),
                         .tombstone = record.tombstone};
  places_.push_back({.key = key.ms, .offset = bytes_.size()});
  const char* const at = reinterpret_cast<const char*>(&header);
  bytes_.insert(bytes_.end(), at, at + sizeof header);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return {};
}

void RecordSorter::Impl::sort() {
  std::sort(places_.begin(), places_.end(),
            [](const RecordPlace& a, const RecordPlace& b) { return std::tie(a.key, a.offset) < std::tie(b.key, b.offset); });
}

Result<void> RecordSorter::Impl::write_run() {
  sort();
  RunWriter writer(*scratch_);
  for (const RecordPlace& place : places_) {
    if (auto added = writer.add(record_at(bytes_, place)); !added) return added;
  }
  auto run = writer.finish();
  if (!run) return tl::unexpected(std::move(run).error());
  runs_.push_back(*run);
  bytes_.clear();
  places_.clear();
  return runs_.size() < runs_max_ ? Result<void>{} : merge_runs();
}

Result<void> RecordSorter::Impl::merge_runs() {
  RunMerge merge(scratch_, runs_, buffer_bytes());
  RunWriter writer(*scratch_);
  while (true) {
    const auto next = merge.next();
    if (!next) return tl::unexpected(next.error());
    if (next->empty()) break;
    if (auto added = writer.add(*next); !added) return added;
  }
  auto run = writer.finish();
  if (!run) return tl::unexpected(std::move(run).error());
  runs_ = {*run};
  return {};
}

Result<std::unique_ptr<RecordSource>> RecordSorter::Impl::finish(const RecordSource& of) {
  if (runs_.empty() && share_ == memory_ && !std::exchange(memory_is_given_, true)) {
    sort();
    const std::size_t bytes = bytes_.size();
    auto source =
        std::make_unique<SortedSource<RunInMemory>>(of, form_, bytes, RunInMemory(std::move(bytes_), std::move(places_)));
    drop();
    return source;
  }
  if (auto written = write_run(); !written) return tl::unexpected(std::move(written).error());
  std::uint64_t bytes = 0;
  for (const RecordRun& run : runs_) bytes += run.size;
  auto source = std::make_unique<SortedSource<RunMerge>>(of, form_, bytes, RunMerge(scratch_, runs_, buffer_bytes()));
  drop();
  return source;
}

void RecordSorter::Impl::drop() {
  bytes_ = {};
  places_ = {};
  runs_.clear();
  form_ = {};
}

RecordSorter::RecordSorter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordSorter::~RecordSorter() = default;

Result<std::unique_ptr<RecordSorter>> RecordSorter::create(const SortSpace& space, std::size_t sources_max) {
  auto scratch =
      space.directory.empty() ? ScratchFile::create(room_remedy) : ScratchFile::create(space.directory, room_remedy);
  if (!scratch) return tl::unexpected(std::move(scratch).error());
  auto impl = std::make_unique<Impl>(std::move(*scratch), space.memory, std::max<std::size_t>(1, sources_max));
  return std::unique_ptr<RecordSorter>(new RecordSorter(std::move(impl)));
}

Result<void> RecordSorter::add(const RecordBatch& batch, std::span<const EventTime> keys) {
  return impl_->add(batch, keys);
}

Result<void> RecordSorter::add(std::string_view record, EventTime key) {
  return impl_->add(Record{.size = record.size(), .broker_time = {}}, record, key);
}

Result<std::unique_ptr<RecordSource>> RecordSorter::finish(const RecordSource& of) {
  return impl_->finish(of);
}

void RecordSorter::drop() {
  impl_->drop();
}

}  // namespace recmeter::file
