// Any bytes are what a state holds: a disk may lie. Each codec of stored bytes must say that what it reads is damaged, or
// read it; and what a checkpoint is read as must be written and read as the same again.
//
// The first byte says which kind of key the rest stands under, the second how much of the rest belongs to the key.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "live/journal.h"
#include "live/outbox.h"
#include "live/position_index.h"
#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"
#include "recmeter/evaluation/lane_spec.h"
#include "recmeter/event/event_code.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/generation.h"
#include "recmeter/live/row_archive.h"
#include "recmeter/live/state_survey.h"
#include "recmeter/memory/memory_store.h"

namespace {

using namespace recmeter;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "state_fuzz: %s\n", what);
  std::abort();
}

struct NoPublisher : RowPublisher {
  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  Result<void> publish(const NumberedRow& /*row*/) override { return {}; }
  Result<std::uint64_t> published() override { return 0; }
  [[nodiscard]] std::string position() const override { return {}; }
};

template <class T>
void require_said(const Result<T>& result) {
  require(result || result.error().code == Errc::state_unusable, "what cannot be read is a state that is damaged");
}

void read_all(memory::MemoryStore& store) {
  require_said(checkpoint_in(store));
  require_said(generations_in(store));
  require_said(PositionIndex::positions_for(store, EventTime{1'700'000'000'000}));
  const EventKinds kinds{.actions = actions_max, .candidates = lanes_max};
  require_said(Journal::read(store, JoinKey(), kinds, {}, [](EventTime, const RoutedBatch&) { return true; }));
  require_said(RowArchive::series(store, 10));
  require_said(survey_of(store));
  NoPublisher publisher;
  Outbox outbox(store, publisher, {});
  Checkpoint waiting;
  waiting.rows = 1'000;
  require_said(outbox.resume(waiting));
  require_said(outbox.hand_over());
}

void read_alone(std::string_view bytes) {
  if (const auto checkpoint = checkpoint_from(bytes)) {
    const std::string written = to_bytes(*checkpoint);
    const auto again = checkpoint_from(written);
    require(again && to_bytes(*again) == written, "a checkpoint is written as it was read");
  }
  ByteReader from(bytes);
  const std::uint64_t count = from.number();
  static_cast<void>(read_events(from, count, JoinKey(), {.actions = actions_max, .candidates = 3}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  read_alone(rest);
  constexpr std::array kinds{'c',
                             state_key::generation,
                             state_key::position,
                             state_key::journal,
                             state_key::outbox,
                             state_key::comparable,
                             state_key::kept_row,
                             state_key::kept_series};
  const char kind = kinds[data[0] % kinds.size()];
  const std::size_t key_size = kind == 'c' ? 0 : std::min<std::size_t>(data[1], rest.size());
  memory::MemoryStore store;
  StateBatch batch;
  batch.put(kind + std::string(rest.substr(0, key_size)), std::string(rest.substr(key_size)));
  require(store.write(batch, StateStore::Durability::process).has_value(), "memory takes a batch");
  read_all(store);
  return 0;
}
