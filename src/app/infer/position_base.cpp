#include "app/infer/position_base.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/infer/log_sample.h"
#include "app/infer/trial.h"
#include "recmeter/event/decoder.h"

namespace recmeter {
namespace {

// Where positions stand, scores are read, which may be any numbers. Rows have a rank still: any.
void read_positions_as_scores(ShapedFields& fields) {
  const auto of = [&fields](Field field) -> std::optional<FieldSource>& {
    return fields.fields[static_cast<std::size_t>(field)];
  };
  const auto of_entry = [&fields](EntryField field) -> std::optional<FieldSource>& {
    return fields.entry[static_cast<std::size_t>(field)];
  };
  of(Field::scores).reset();
  of(Field::score) = std::exchange(of(Field::position), std::nullopt);
  if (of(Field::score)) of(Field::position) = FieldSource{.kind = FieldSource::Kind::constant, .text = "1"};
  of_entry(EntryField::score) = std::exchange(of_entry(EntryField::position), std::nullopt);
}

DecoderOptions with_positions_as_scores(DecoderOptions options) {
  Shape shape = shape_of(options.fields);
  read_positions_as_scores(shape.common);
  for (EventRule& rule : shape.rules) read_positions_as_scores(rule.fields);
  shape.text_numbers = true;
  options.fields.shape = std::move(shape);
  return options;
}

// The least position of each list that has any.
class LeastPositions {
 public:
  void add(const EventBatch& batch) {
    for (const Event& event : batch.events()) {
      const bool is_shown = event.kind == EventKind::impression || event.kind == EventKind::row;
      if (event.outcome != Outcome::event || !is_shown || batch.scores(event).empty()) continue;
      const double least = std::ranges::min(batch.scores(event));
      if (event.kind == EventKind::impression) {
        whole_.push_back(least);
        continue;
      }
      const std::pair list(std::string(batch.user_id(event)), std::string(batch.list_id(event)));
      const auto [known, is_new] = rows_.try_emplace(list, least);
      if (!is_new) known->second = std::min(known->second, least);
    }
  }

  [[nodiscard]] int base() const {
    std::size_t lists = 0, from_zero = 0;
    bool has_below = false;
    const auto count = [&](double least) {
      ++lists;
      from_zero += least == 0 ? 1U : 0U;
      has_below = has_below || least < 0;
    };
    for (const double least : whole_) count(least);
    for (const auto& [list, least] : rows_) count(least);
    return lists > 0 && !has_below && from_zero * 10 >= lists * 9 ? 0 : 1;
  }

 private:
  std::vector<double> whole_;
  std::map<std::pair<std::string, std::string>, double> rows_;  // by user and list id
};

}  // namespace

Result<int> find_position_base(const Config& config, const std::vector<std::string>& files, const std::atomic<bool>& stop) {
  auto inputs = first_records(config, files, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  LeastPositions positions;
  for (PartitionInput& partition : inputs->partitions) {
    const auto decoder = make_decoder(with_positions_as_scores(inputs->decoders[partition.decoder]));
    for (bool more = true; more;) {
      auto batch = partition.source->read(block_bytes, {});
      if (!batch) return tl::unexpected(std::move(batch).error());
      more = !batch->last;
      positions.add(decoder->decode(*batch));
    }
  }
  return positions.base();
}

}  // namespace recmeter
