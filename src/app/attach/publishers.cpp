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
  for (auto& [name, publisher] : places_) {
    const auto at = known.find(name);
    if (auto done = publisher->go_on_from(at == known.end() ? "" : at->second); !done) return done;
  }
  return {};
}

// All get the same rows: one that takes none now holds up the others.
bool Publishers::is_full() const {
  return std::any_of(places_.begin(), places_.end(), [](const auto& place) { return place.second->is_full(); });
}

std::string Publishers::trouble() {
  for (auto& [name, publisher] : places_) {
    if (std::string trouble = publisher->trouble(); !trouble.empty()) return trouble;
  }
  return {};
}

Result<void> Publishers::publish(const NumberedRow& row) {
  for (auto& [name, publisher] : places_) {
    if (auto done = publisher->publish(row); !done) return done;
  }
  taken_ = row.number + 1;
  return {};
}

bool Publishers::wants_provisional() const {
  return std::any_of(places_.begin(), places_.end(), [](const auto& place) { return place.second->wants_provisional(); });
}

Result<void> Publishers::publish_provisional(std::string_view key, std::string_view value) {
  for (auto& [name, publisher] : places_) {
    if (!publisher->wants_provisional()) continue;
    if (auto done = publisher->publish_provisional(key, value); !done) return done;
  }
  return {};
}

Result<std::uint64_t> Publishers::published() {
  std::uint64_t published = taken_;
  for (auto& [name, publisher] : places_) {
    const auto there = publisher->published();
    if (!there) return there;
    published = std::min(published, *there);
  }
  return published;
}

std::uint64_t Publishers::errors() const {
  std::uint64_t errors = 0;
  for (const auto& [name, publisher] : places_) errors += publisher->errors();
  return errors;
}

std::string Publishers::position() const {
  ByteWriter to;
  for (const auto& [name, publisher] : places_) {
    to.add_text(name);
    to.add_text(publisher->position());
  }
  return to.take();
}

std::unique_ptr<RowPublisher> rows_on_standard_output() {
  return std::make_unique<StandardOutput>();
}

}  // namespace recmeter
