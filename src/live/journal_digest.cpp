#include "live/journal_digest.h"

#include <string>
#include <utility>

#include "live/journal.h"
#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

std::string key_of(EventTime minute) {
  return state_key::numbered(state_key::digest, static_cast<std::uint64_t>(minute.ms / one_minute.ms));
}

}  // namespace

Result<bool> JournalDigest::is_of(const StateStore& store, std::uint64_t checkpoint) {
  const auto of = store.get(state_key::first(state_key::digest));
  if (!of) return tl::unexpected(of.error());
  const std::string bytes = of->value_or("");
  ByteReader number(bytes);
  return number.number() == checkpoint && number.is_done();
}

Result<std::optional<JournalDigest::Minutes>> JournalDigest::kept_in(const StateStore& store, std::uint64_t checkpoint) {
  const auto is_right = is_of(store, checkpoint);
  if (!is_right) return tl::unexpected(is_right.error());
  if (!*is_right) return std::optional<Minutes>();
  Minutes minutes;
  bool is_sound = true;
  auto scanned =
      store.scan(state_key::first(state_key::digest) + '\0', state_key::after(state_key::digest),
                 [&](std::string_view key, std::string_view value) {
                   ByteReader from(value);
                   const std::uint64_t minute = state_key::number_in(key);
                   minutes[EventTime{static_cast<std::int64_t>(minute % (std::uint64_t{1} << 40)) * one_minute.ms}] =
                       RecordSum::read(from);
                   return is_sound = from.is_done() && key.size() == key_of(EventTime{0}).size();
                 });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (is_sound) return std::optional(std::move(minutes));
  return failure(Errc::state_unusable,
                 "the state is damaged: what it knows of its journal of events cannot be read; restore "
                 "it, or move it away and start again");
}

Result<void> JournalDigest::resume(const StateStore& store, std::uint64_t checkpoint) {
  auto kept = kept_in(store, checkpoint);
  if (!kept) return tl::unexpected(std::move(kept).error());
  if (*kept) {
    minutes_ = std::move(**kept);
    return {};
  }
  return store.scan(state_key::first(state_key::journal), state_key::after(state_key::journal),
                    [&](std::string_view key, std::string_view value) {
                      add(key, value);
                      return true;
                    });
}

void JournalDigest::add(std::string_view key, std::string_view value) {
  const EventTime minute = Journal::bucket_of(key);
  minutes_[minute].add(key, value);
  changed_.insert(minute);
}

void JournalDigest::save(StateBatch& batch, std::uint64_t checkpoint) {
  for (const EventTime minute : std::exchange(changed_, {})) {
    const auto at = minutes_.find(minute);
    if (at == minutes_.end()) continue;
    ByteWriter to;
    at->second.write(to);
    batch.put(key_of(minute), to.take());
  }
  ByteWriter of;
  of.add(checkpoint);
  batch.put(state_key::first(state_key::digest), of.take());
}

void JournalDigest::drop(StateBatch& batch, EventTime keep_from) {
  if (keep_from < EventTime{0} + one_minute) return;
  minutes_.erase(minutes_.begin(), minutes_.lower_bound(Journal::bucket_start(keep_from)));
  batch.erase_range(key_of(EventTime{0}), key_of(keep_from));
}

void JournalDigest::drop_all(StateBatch& batch) {
  batch.erase_range(state_key::first(state_key::digest), state_key::after(state_key::digest));
}

}  // namespace recmeter
