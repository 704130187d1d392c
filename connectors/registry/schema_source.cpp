#include "recmeter/registry/schema_source.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
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
  void begin(RecordBatch batch);
  [[nodiscard]] bool is_answered();
  [[nodiscard]] Result<void> wait_for_answers();

  std::unique_ptr<RecordSource> below_;
  std::shared_ptr<SchemaRegistry> registry_;
  SchemaWait wait_;
  std::optional<RecordBatch> held_;  // was read, and is not answered for
  std::vector<std::string> open_;    // ids that it names and that are not answered for
  std::int64_t next_offset_;
};

Result<RecordBatch> SchemaSource::read(std::size_t bytes, RecordBatch reuse) {
  if (!held_) {
    auto read = below_->read(bytes, std::move(reuse));
    if (!read) return read;
    begin(std::move(*read));
    reuse = {};
  }
  if (!is_answered()) {
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

// The ids that the batch names, each once. All are asked for at once.
void SchemaSource::begin(RecordBatch batch) {
  held_ = std::move(batch);
  held_->kept.clear();
  std::set<std::string, std::less<>> ids;
  SchemaId last;
  for (std::size_t i = 0; i < held_->records.size(); ++i) {
    const auto frame = held_->records[i].tombstone ? std::nullopt : frame_of(*held_, i);
    if (!frame || frame->id == last) continue;
    last = frame->id;
    if (!ids.contains(last)) ids.emplace(last);
  }
  open_.assign(ids.begin(), ids.end());
}

// What was answered once is not asked for again: an answer may be forgotten before the last one comes.
bool SchemaSource::is_answered() {
  std::erase_if(open_, [this](const std::string& id) {
    const SchemaRegistry::Standing standing = registry_->want(id);
    if (standing != SchemaRegistry::Standing::known) return standing == SchemaRegistry::Standing::unknown;
    auto schema = registry_->find(id);
    if (schema == nullptr) return false;
    held_->kept.push_back(std::move(schema));
    return true;
  });
  return open_.empty();
}

// As long as answers come.
Result<void> SchemaSource::wait_for_answers() {
  auto give_up = Clock::now() + wait_.patience;
  std::uint64_t answers = registry_->answers();
  while (!is_answered()) {
    if (wait_.stop != nullptr && wait_.stop->load(std::memory_order_relaxed)) {
      return failure(Errc::interrupted, std::string(name()) + ": reading was interrupted");
    }
    if (const std::uint64_t now = registry_->answers(); now != answers) {
      answers = now;
      give_up = Clock::now() + wait_.patience;
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
