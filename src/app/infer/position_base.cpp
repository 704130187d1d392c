#include "app/infer/position_base.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "app/infer/first_records.h"

namespace recmeter {
namespace {

// Where positions stand, scores are read, which may be any numbers. Rows have a rank still: any.
void read_scores(ShapedFields& fields) {
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

void read_positions_as_scores(DecoderOptions& options) {
  Shape shape = shape_of(options.fields);
  read_scores(shape.common);
  for (EventRule& rule : shape.rules) read_scores(rule.fields);
  shape.text_numbers = true;
  options.fields.shape = std::move(shape);
}

// The least position of each list that has any. Rows of a whole list add nothing to it, by whatever positions. [S3.20].
class LeastPositions {
 public:
  void add(const EventBatch& batch) {
    for (const Event& event : batch.events()) {
      if (event.outcome != Outcome::event) continue;
      const std::span<const double> positions = batch.scores(event);
      if (event.kind == EventKind::impression) {
        whole_.insert(list_of(batch, event));
        if (!positions.empty()) least_.push_back(std::ranges::min(positions));
      } else if (event.kind == EventKind::row && !positions.empty()) {
        const double least = std::ranges::min(positions);
        const auto [known, is_new] = rows_.try_emplace(list_of(batch, event), least);
        if (!is_new) known->second = std::min(known->second, least);
      }
    }
  }

  [[nodiscard]] PositionBase base() const {
    std::size_t lists = 0, from_zero = 0, from_one = 0;
    bool has_below = false;
    const auto count = [&](double least) {
      ++lists;
      from_zero += least == 0 ? 1U : 0U;
      from_one += least == 1 ? 1U : 0U;
      has_below = has_below || least < 0;
    };
    for (const double least : least_) count(least);
    for (const auto& [list, least] : rows_) {
      if (!whole_.contains(list)) count(least);
    }
    const bool is_zero = lists > 0 && !has_below && from_zero * 10 >= lists * 9;
    return {.base = is_zero ? 0 : 1, .lists = lists, .from_one = from_one};
  }

 private:
  using List = std::pair<std::string, std::string>;  // user and list id
  static List list_of(const EventBatch& batch, const Event& event) {
    return {std::string(batch.user_id(event)), std::string(batch.list_id(event))};
  }

  std::set<List> whole_;
  std::vector<double> least_;  // of whole lists with positions
  std::map<List, double> rows_;
};

}  // namespace

Result<PositionBase> find_position_base(const Config& config, const std::vector<std::string>& files,
                                        const std::atomic<bool>& stop) {
  LeastPositions positions;
  const auto add = [&positions](const RecordBatch& /*records*/, const EventBatch& events) { positions.add(events); };
  if (auto done = decode_first_records(config, files, stop, add, read_positions_as_scores); !done) {
    return tl::unexpected(std::move(done).error());
  }
  return positions.base();
}

}  // namespace recmeter
