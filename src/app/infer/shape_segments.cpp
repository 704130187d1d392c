#include "app/infer/shape_segments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "app/infer/arm_guess.h"
#include "app/infer/first_records.h"
#include "recmeter/event/field_path.h"
#include "recmeter/event/field_table.h"
#include "recmeter/experiment/arm_names.h"

namespace recmeter {
namespace {

constexpr std::size_t candidates_max = 40;

// The last name of a path, or that of the parameter which a bracket chooses: `params[key=variant].value` is variant.
std::string key_of(const FieldPath& path) {
  const auto is_chosen = [](const PathStep& step) { return step.kind == PathStep::Kind::match; };
  const auto chosen = std::find_if(path.rbegin(), path.rend(), is_chosen);
  std::string key = chosen != path.rend() ? chosen->value : path.back().name;
  std::ranges::replace(key, '.', '_');
  return key;
}

bool has_few_values(const Column& column) {
  std::set<Cell> values;
  for (const Cell cell : column.cells) {
    if (cell.empty()) continue;
    if (cell.size() > segment_text_max) return false;
    values.insert(cell);
    if (values.size() > segment_values_max) return false;
  }
  return values.size() > 1 && column.not_finite == 0;
}

// A path of the log as the shape's input has it: below its root, and of rows by the name that it gives to a column.
std::optional<FieldPath> path_in(const InputSpec& input, const std::string& path) {
  auto steps = parse_path(path);
  if (!steps) return std::nullopt;
  const FieldPath root = shape_of(input.fields).root;
  if (root.size() >= steps->size() || !std::equal(root.begin(), root.end(), steps->begin())) return std::nullopt;
  steps->erase(steps->begin(), steps->begin() + static_cast<std::ptrdiff_t>(root.size()));
  for (std::size_t i = 0; steps->size() == 1 && i < input.csv.columns.size(); ++i) {
    if (steps->front().name == "$" + std::to_string(i + 1)) return path_of_names({input.csv.columns[i]});
  }
  return steps;
}

// Columns that the configuration does not look at.
std::vector<SegmentGuess> candidates(const Config& config, const std::vector<LogSample>& samples) {
  const std::set<std::string> used = paths_of(config);
  const InputSpec input = config.inputs.empty() ? InputSpec() : config.inputs.front();
  std::vector<SegmentGuess> found;
  for (const LogSample& sample : samples) {
    for (const Column& column : sample.columns) {
      if (!has_few_values(column)) continue;
      const auto path = path_in(input, column.path);
      if (!path || used.contains(path_text(*path))) continue;
      SegmentGuess guess{.key = key_of(*path), .path = path_text(*path), .arm = {}};
      const bool is_known = std::ranges::find(found, guess.key, &SegmentGuess::key) != found.end();
      if (!guess.key.empty() && !is_known) found.push_back(std::move(guess));
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), [](const SegmentGuess& guess) { return is_arm_name(guess.key); });
  if (found.size() > candidates_max) found.resize(candidates_max);
  return found;
}

// Lists of the log as records, with their segments as columns.
struct ShownLists {
  LogSample sample = {};
  Column users = {};
  EventTime first = plus_infinity;
  std::uint64_t invalid = 0;
};

class ListWriter {
 public:
  explicit ListWriter(ShownLists& lists) : lists_(lists) {}

  void add(const EventBatch& batch) {
    for (const Event& event : batch.events()) {
      lists_.invalid += event.outcome == Outcome::invalid ? 1U : 0U;
      const bool is_row = event.kind == EventKind::row;
      if (event.outcome != Outcome::event || !(is_row || event.kind == EventKind::impression)) continue;
      // Rows of a list have what the list has.
      if (is_row && !ids_.insert(std::string(batch.list_id(event))).second) continue;
      const std::size_t index = lists_.sample.records++;
      lists_.first = std::min(lists_.first, event.ts);
      put(lists_.users, batch.user_id(event), index);
      for (std::size_t i = 0; i < event.segment_count; ++i) {
        put(columns_[std::string(batch.segment_key(event, i))], batch.segment_value(event, i), index);
      }
    }
  }
  void finish() {
    lists_.users.cells.resize(lists_.sample.records);
    for (auto& [key, column] : columns_) {
      column.path = key;
      column.cells.resize(lists_.sample.records);
      lists_.sample.columns.push_back(std::move(column));
    }
  }

 private:
  void put(Column& column, std::string_view text, std::size_t index) {
    column.cells.resize(index);
    column.cells.push_back(text.empty() ? Cell() : lists_.sample.texts.copy(text));
    column.present += text.empty() ? 0U : 1U;
  }

  ShownLists& lists_;
  std::map<std::string, Column> columns_;  // by key
  std::set<std::string> ids_;
};

Result<void> read_lists(const Config& config, const std::vector<std::string>& files, const std::atomic<bool>& stop,
                        ShownLists& lists) {
  ListWriter writer(lists);
  const auto add = [&writer](const RecordBatch& /*records*/, const EventBatch& events) { writer.add(events); };
  if (auto done = decode_first_records(config, files, stop, add); !done) return done;
  writer.finish();
  return {};
}

bool has_own_segments(const ShownLists& lists) {
  return !lists.sample.columns.empty();
}

}  // namespace

Result<void> add_segments(FittingShape& shape, const std::vector<std::string>& files, const std::vector<LogSample>& samples,
                          const std::atomic<bool>& stop) {
  if (shape.trial.lists == 0) return {};
  const auto config = load_inferred(shape_input(shape));
  if (!config) return {};
  ShownLists lists;
  if (auto read = read_lists(*config, files, stop, lists); !read) return read;
  FittingShape with = shape;
  // Recmeter's own names have one place for all: `segments`.
  if (shape.name != "native" || !has_own_segments(lists)) with.segments = candidates(*config, samples);
  std::set<std::string> own;
  for (const Column& column : lists.sample.columns) own.insert(column.path);
  std::erase_if(with.segments, [&own](const SegmentGuess& guess) { return own.contains(guess.key); });
  if (!with.segments.empty()) {
    const auto more = load_inferred(shape_input(with));
    if (!more) return {};
    ShownLists all;
    if (auto read = read_lists(*more, files, stop, all); !read) return read;
    if (all.invalid > lists.invalid) {
      with.segments.clear();  // what stands there is no segment everywhere
    } else {
      lists = std::move(all);
    }
  }
  ListRecords records;
  for (std::size_t i = 0; i < lists.sample.records; ++i) records.push_back({i});
  const Column* const users = lists.users.present > 0 ? &lists.users : nullptr;
  shape.segments = guess_segments(lists.sample, records, users, {});
  for (SegmentGuess& guess : shape.segments) {
    const auto made = std::ranges::find(with.segments, guess.key, &SegmentGuess::key);
    guess.path = made == with.segments.end() ? "" : made->path;
  }
  shape.first_list = lists.first;
  shape.joins_by_list = config->spec.join.key.by == JoinKey::By::list;
  return {};
}

}  // namespace recmeter
