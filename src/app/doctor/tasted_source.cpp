#include "app/doctor/tasted_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/doctor/ignored_reading.h"

namespace recmeter::doctor {
namespace {

constexpr std::size_t records_of_block = 256;
constexpr std::size_t ignored_of_block = 1024;
constexpr std::size_t positions_max = 200'000;

constexpr std::array<std::string_view, 32> action_words{
    "add-to-cart", "add_to_cart", "addtocart",   "basket",   "book",          "booking",     "bookmark",  "buy",
    "cart",        "checkout",    "click",       "clickout", "conversion",    "download",    "favorite",  "item_click",
    "like",        "listen",      "order",       "play",     "product_click", "purchase",    "rate",      "rating",
    "save",        "select",      "select_item", "share",    "tap",           "transaction", "view_item", "watch"};

// Words that the first reading ignores are actions.
DecoderOptions of_words(DecoderOptions options) {
  const std::vector<std::string> known = std::exchange(options.actions, {});
  for (const std::string_view word : action_words) {
    if (std::find(known.begin(), known.end(), word) == known.end()) options.actions.emplace_back(word);
  }
  return options;
}

// Feedback is a row of a list.
DecoderOptions of_positions(DecoderOptions options) {
  auto& types = options.fields.types;
  for (auto& [word, type] : types) {
    type = std::find(options.actions.begin(), options.actions.end(), type) == options.actions.end() ? "" : "impression";
  }
  for (const std::string& action : options.actions) types.try_emplace(action, "impression");
  types["impression"] = "";
  std::erase_if(types, [](const auto& type) { return type.second.empty(); });
  options.actions = {"impression of the first reading"};
  types["impression"] = options.actions.front();
  return options;
}

RecordBatch first_of(const RecordBatch& batch, std::size_t count) {
  RecordBatch some;
  const auto end = batch.records.begin() + static_cast<std::ptrdiff_t>(std::min(count, batch.records.size()));
  some.records.assign(batch.records.begin(), end);
  const Record& last = some.records.back();
  some.bytes.assign(batch.bytes.begin(), batch.bytes.begin() + static_cast<std::ptrdiff_t>(last.offset + last.size));
  some.bytes.resize(some.bytes.size() + RecordBatch::padding);
  some.layout = batch.layout;
  some.kept = batch.kept;
  return some;
}

class TastedSource : public RecordSource {
 public:
  TastedSource(std::unique_ptr<RecordSource> source, const DecoderOptions& options, Facts& facts)
      : source_(std::move(source)),
        facts_(facts),
        ignored_(options, facts),
        word_options_(of_words(options)),
        has_rules_(options.fields.shape && !options.fields.shape->rules.empty()) {
    if (has_rules_) return;
    words_ = make_decoder(word_options_);
    rows_ = make_decoder(of_positions(options));
  }

  Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override {
    auto batch = source_->read(bytes, std::move(reuse));
    if (batch && !batch->records.empty()) taste(*batch);
    return batch;
  }
  [[nodiscard]] std::string_view name() const override { return source_->name(); }
  void suspend() override { source_->suspend(); }
  [[nodiscard]] bool is_open() const override { return source_->is_open(); }
  [[nodiscard]] bool is_caught_up() const override { return source_->is_caught_up(); }
  [[nodiscard]] bool is_cut_at_start() const override { return source_->is_cut_at_start(); }
  [[nodiscard]] std::int64_t next_offset() const override { return source_->next_offset(); }
  [[nodiscard]] std::optional<std::int64_t> end_offset() const override { return source_->end_offset(); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return source_->bytes_total(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return source_->bytes_read(); }

 private:
  void taste(const RecordBatch& batch) {
    ignored_.take(first_of(batch, ignored_of_block));
    if (has_rules_) return;
    const RecordBatch some = first_of(batch, records_of_block);
    const EventBatch worded = words_->decode(some);
    for (const Event& event : worded.events()) {
      if (event.outcome == Outcome::event && event.kind == EventKind::feedback)
        ++facts_.ignored_words[word_options_.actions[event.action]];
    }
    const EventBatch rows = rows_->decode(some);
    for (const Event& event : rows.events()) {
      if (event.outcome != Outcome::event || event.kind != EventKind::row || facts_.positions.size() == positions_max)
        continue;
      facts_.positions.push_back(
          {.list = hash_id(rows.list_id(event)), .item = hash_id(rows.item(event, 0)), .position = event.position});
    }
  }

  std::unique_ptr<RecordSource> source_;
  Facts& facts_;
  IgnoredReading ignored_;
  const DecoderOptions word_options_;
  const bool has_rules_;  // [I3.20]: types and positions have no words of their own then
  std::unique_ptr<EventDecoder> words_;
  std::unique_ptr<EventDecoder> rows_;
};

}  // namespace

std::unique_ptr<RecordSource> tasted(std::unique_ptr<RecordSource> source, const DecoderOptions& options, Facts& facts) {
  return std::make_unique<TastedSource>(std::move(source), options, facts);
}

}  // namespace recmeter::doctor
