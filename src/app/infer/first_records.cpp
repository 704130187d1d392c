#include "app/infer/first_records.h"

#include <memory>
#include <utility>

#include "app/infer/log_sample.h"
#include "recmeter/port/record_source.h"

namespace recmeter {
namespace {

// The first records of a source.
class FirstRecords : public RecordSource {
 public:
  explicit FirstRecords(std::unique_ptr<RecordSource> source) : source_(std::move(source)) {}

  [[nodiscard]] std::string_view name() const override { return source_->name(); }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override {
    auto batch = source_->read(bytes, std::move(reuse));
    if (!batch) return batch;
    if (batch->records.size() >= left_) {
      batch->records.resize(left_);
      batch->last = true;
    }
    left_ -= batch->records.size();
    return batch;
  }
  void suspend() override { source_->suspend(); }
  [[nodiscard]] bool is_open() const override { return source_->is_open(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return source_->bytes_total(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return source_->bytes_read(); }

 private:
  std::unique_ptr<RecordSource> source_;
  std::size_t left_ = sample_records_max;
};

}  // namespace

Result<ReplayInputs> first_records(const Config& config, const std::vector<std::string>& files,
                                   const std::atomic<bool>& stop) {
  auto inputs = replay_inputs(config, files, minus_infinity, {}, stop);
  if (!inputs) return inputs;
  for (PartitionInput& partition : inputs->partitions) {
    partition.source = std::make_unique<FirstRecords>(std::move(partition.source));
  }
  return inputs;
}

Result<void> decode_first_records(const Config& config, const std::vector<std::string>& files, const std::atomic<bool>& stop,
                                  const std::function<void(const RecordBatch&, const EventBatch&)>& show,
                                  const std::function<void(DecoderOptions&)>& adjust) {
  auto inputs = first_records(config, files, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  for (PartitionInput& partition : inputs->partitions) {
    DecoderOptions options = inputs->decoders[partition.decoder];
    if (adjust) adjust(options);
    const auto decoder = make_decoder(std::move(options));
    for (bool more = true; more;) {
      auto batch = partition.source->read(block_bytes, {});
      if (!batch) return tl::unexpected(std::move(batch).error());
      more = !batch->last;
      show(*batch, decoder->decode(*batch));
    }
  }
  return {};
}

}  // namespace recmeter
