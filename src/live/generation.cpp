#include "recmeter/live/generation.h"

#include <algorithm>
#include <utility>

#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"
#include "recmeter/base/check.h"
#include "recmeter/live/kept_panes.h"

namespace recmeter {

namespace {

void put(StateBatch& batch, const Generation& generation) {
  ByteWriter to;
  to.add_signed(generation.from.ms);
  to.add_text(generation.config);
  batch.put(state_key::numbered(state_key::generation, generation.number), to.take());
}

}  // namespace

Result<std::vector<Generation>> generations_in(const StateStore& store) {
  std::vector<Generation> generations;
  bool is_sound = true;
  auto scanned = store.scan(state_key::first(state_key::generation), state_key::after(state_key::generation),
                            [&](std::string_view key, std::string_view value) {
                              ByteReader from(value);
                              Generation& generation = generations.emplace_back();
                              generation.number = state_key::number_in(key);
                              generation.from = EventTime{from.signed_number()};
                              generation.config = from.text();
                              is_sound = from.is_done();
                              return is_sound;
                            });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (!is_sound) return failure(Errc::state_unusable, "what is kept of a configuration is damaged");
  return generations;
}

void put_only_generation(StateBatch& batch, const Generation& first) {
  batch.erase_range(state_key::first(state_key::generation), state_key::after(state_key::generation));
  KeptPanes::drop_all(batch);
  put(batch, first);
}

void begin_generation(StateBatch& batch, std::vector<Generation>& generations, EventTime from, std::string config,
                      const std::function<bool(std::size_t generation)>& is_same) {
  RECMETER_CHECK(!generations.empty(), "a state has a generation");
  const std::uint64_t number = generations.back().number + 1;
  for (; !generations.empty() && generations.back().from >= from; generations.pop_back()) {
    erase_generation(batch, generations.back().number);
  }
  if (!generations.empty() && is_same(generations.size() - 1)) return;
  generations.push_back({.number = number, .from = from, .config = std::move(config)});
  put(batch, generations.back());
}

void erase_generation(StateBatch& batch, std::uint64_t number) {
  batch.erase(state_key::numbered(state_key::generation, number));
  KeptPanes::drop(batch, number);
}

EventTime first_start(const EvaluatorPlan& plan, const Checkpoint& checkpoint) {
  const EventTime w = checkpoint.sequencer.watermark;
  if (w == minus_infinity) return minus_infinity;  // all that was read is still to be evaluated
  return std::max(w + Duration{1}, checkpoint.journal_from + plan.look_back());
}

}  // namespace recmeter
