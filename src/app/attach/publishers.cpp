#include "app/attach/publishers.h"

#include <algorithm>
#include <map>

#include "app/console/standard_output.h"
#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

class StandardOutput final : public RowPublisher {
 public:
  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  Result<void> publish(const NumberedRow& row) override {
    if (auto written = write_out(row.value + "\n"); !written) return written;
    taken_ = row.number + 1;
    return {};
  }
  Result<std::uint64_t> published() override { return taken_; }
  std::string position() const override { return {}; }

 private:
  std::uint64_t taken_ = 0;
};

}  // namespace

Result<void> Publishers::go_on_from(std::string_view position) {
  std::map<std::string, std::string, std::less<>> known;
  for (ByteReader from(position); !from.has_failed() && !from.is_done();) {
    std::string name(from.text());
    known[std::move(name)] = from.text();
  }
  for (const Place& place : places_) {
    const auto at = known.find(place.name);
    if (auto done = place.publisher->go_on_from(at == known.end() ? "" : at->second); !done) return done;
  }
  return {};
}

// Rows go out in their order: a place that takes none now holds up the others.
bool Publishers::is_full() const {
  return std::ranges::any_of(places_, [](const Place& place) { return place.publisher->is_full(); });
}

bool Publishers::awaits_state() const {
  return std::ranges::any_of(places_, [](const Place& place) { return place.publisher->awaits_state(); });
}

bool Publishers::can_be_taken_away() const {
  return std::ranges::any_of(places_, [](const Place& place) { return place.publisher->can_be_taken_away(); });
}

std::string Publishers::trouble() {
  for (const Place& place : places_) {
    if (std::string trouble = place.publisher->trouble(); !trouble.empty()) return trouble;
  }
  return {};
}

Result<void> Publishers::publish(const NumberedRow& row) {
  for (Place& place : places_) {
    if (place.kind != row.kind) continue;
    if (auto done = place.publisher->publish(row); !done) return done;
    place.taken = row.number + 1;
  }
  taken_ = row.number + 1;
  return {};
}

bool Publishers::wants_experiments() const {
  return std::ranges::any_of(places_, [](const Place& place) { return place.kind == RowKind::experiment; });
}

bool Publishers::wants_provisional() const {
  return std::ranges::any_of(
      places_, [](const Place& place) { return place.kind == RowKind::window && place.publisher->wants_provisional(); });
}

Result<void> Publishers::publish_provisional(std::string_view key, std::string_view value) {
  for (const Place& place : places_) {
    if (place.kind != RowKind::window || !place.publisher->wants_provisional()) continue;
    if (auto done = place.publisher->publish_provisional(key, value); !done) return done;
  }
  return {};
}

Result<std::uint64_t> Publishers::published() {
  std::uint64_t published = taken_;
  for (const Place& place : places_) {
    const auto there = place.publisher->published();
    if (!there) return there;
    if (*there < place.taken) published = std::min(published, *there);
  }
  return published;
}

Result<void> Publishers::reopen() {
  Result<void> all;
  for (const Place& place : places_) {
    auto done = place.publisher->reopen();
    if (all) all = std::move(done);
  }
  return all;
}

std::uint64_t Publishers::errors() const {
  std::uint64_t errors = 0;
  for (const Place& place : places_) errors += place.publisher->errors();
  return errors;
}

std::string Publishers::position() const {
  ByteWriter to;
  for (const Place& place : places_) {
    to.add_text(place.name);
    to.add_text(place.publisher->position());
  }
  return to.take();
}

std::unique_ptr<RowPublisher> rows_on_standard_output() {
  return std::make_unique<StandardOutput>();
}

}  // namespace recmeter
