#include "recmeter/registry/schema_source.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "registry/frame.h"

namespace recmeter::registry {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds look_ms{100};  // between two looks at `stop`

class SchemaSource final : public RecordSource {
 public:
  SchemaSource(std::unique_ptr<RecordSource> below, std::shared_ptr<SchemaRegistry> registry, const SchemaWait& wait)
      : below_(std::move(below)), registry_(std::move(registry)), wait_(wait), next_offset_(below_->next_offset()) {}

  [[nodiscard]] std::string_view name() const override { return below_->name(); }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override;
  void suspend() override { below_->suspend(); }
  [[nodiscard]] bool is_open() const override { return below_->is_open(); }
  [[nodiscard]] bool is_caught_up() const override { return !held_ && below_->is_caught_up(); }
  [[nodiscard]] bool is_cut_at_start() const override { return below_->is_cut_at_start(); }
  [[nodiscard]] std::int64_t next_offset() const override { return next_offset_; }
  [[nodiscard]] std::optional<std::int64_t> end_offset() const override { return below_->end_offset(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return below_->bytes_total(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return below_->bytes_read(); }

 private:
  [[nodiscard]] bool is_answered(const RecordBatch& records);
  [[nodiscard]] Result<void> wait_for_answers();

  std::unique_ptr<RecordSource> below_;
  std::shared_ptr<SchemaRegistry> registry_;
  SchemaWait wait_;
  std::optional<RecordBatch> held_;  // was read, and is not answered for
  std::vector<std::string> known_;   // ids
  std::int64_t next_offset_;
};

Result<RecordBatch> SchemaSource::read(std::size_t bytes, RecordBatch reuse) {
  if (!held_) {
    auto read = below_->read(bytes, std::move(reuse));
    if (!read) return read;
    held_ = std::move(*read);
    reuse = {};
  }
  if (!is_answered(*held_)) {
    if (wait_.waiting == Waiting::between_reads) {
      reuse = {};
      reuse.next_offset = next_offset_;
      return reuse;
    }
    if (auto answered = wait_for_answers(); !answered) return tl::unexpected(std::move(answered).error());
  }
  next_offset_ = held_->next_offset;
  RecordBatch batch = std::move(*held_);
  held_.reset();
  return batch;
}

// All ids are asked for at once.
bool SchemaSource::is_answered(const RecordBatch& records) {
  bool is_answered = true;
  SchemaId last;
  for (std::size_t i = 0; i < records.records.size(); ++i) {
    const auto frame = records.records[i].tombstone ? std::nullopt : frame_of(records, i);
    if (!frame || frame->id == last) continue;
    last = frame->id;
    if (std::find(known_.begin(), known_.end(), last) != known_.end()) continue;
    const SchemaRegistry::Standing standing = registry_->want(last);
    if (standing == SchemaRegistry::Standing::known) known_.emplace_back(last);
    is_answered = is_answered && standing != SchemaRegistry::Standing::asked;
  }
  return is_answered;
}

Result<void> SchemaSource::wait_for_answers() {
  const auto give_up = Clock::now() + wait_.patience;
  while (!is_answered(*held_)) {
    if (wait_.stop != nullptr && wait_.stop->load(std::memory_order_relaxed)) {
      return failure(Errc::interrupted, std::string(name()) + ": reading was interrupted");
    }
    if (Clock::now() >= give_up) {
      return failure(Errc::input_unreadable, std::string(name()) + ": the schemas of its records were not available for " +
                                                 std::to_string(wait_.patience.count() / 1000) +
                                                 " s: " + registry_->complaint());
    }
    registry_->wait(look_ms);
  }
  return {};
}

}  // namespace

std::unique_ptr<RecordSource> schema_source(std::unique_ptr<RecordSource> below, std::shared_ptr<SchemaRegistry> registry,
                                            const SchemaWait& wait) {
  return std::make_unique<SchemaSource>(std::move(below), std::move(registry), wait);
}

}  // namespace recmeter::registry
