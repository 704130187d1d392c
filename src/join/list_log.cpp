#include "recmeter/join/list_log.h"

#include <cmath>
#include <cstring>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

template <class T>
T* as(std::byte* bytes) {
  return reinterpret_cast<T*>(bytes);  // NOLINT: records are 4-byte aligned and of trivial types
}
template <class T>
const T* as(const std::byte* bytes) {
  return reinterpret_cast<const T*>(bytes);  // NOLINT: as above
}

}  // namespace

ListLog::ListLog(std::size_t labels_per_list, std::size_t list_items_max, std::size_t id_bytes_max,
                 std::pmr::memory_resource* memory)
    : entries_(memory),
      bytes_(17 * list_items_max + 4 * labels_per_list + 2 * id_bytes_max + 64, memory),
      labels_per_list_(labels_per_list) {}

std::uint64_t ListLog::open(EventTime ts, std::string_view list_id, std::string_view user_id) {
  const std::uint64_t sequence = entries_.push_back({});
  ListEntry& entry = entries_.at(sequence);
  entry.ts = ts;
  entry.last_seen = ts;
  const std::size_t labels_bytes = labels_per_list_ * sizeof(std::uint32_t);
  entry.head_at = bytes_.append(labels_bytes + list_id.size() + user_id.size());
  entry.list_id_bytes = static_cast<std::uint16_t>(list_id.size());
  entry.user_id_bytes = static_cast<std::uint16_t>(user_id.size());
  std::byte* head = bytes_.at(entry.head_at) + labels_bytes;
  if (!list_id.empty()) std::memcpy(head, list_id.data(), list_id.size());
  if (!user_id.empty()) std::memcpy(head + list_id.size(), user_id.data(), user_id.size());
  return sequence;
}

std::span<Interner::Id> ListLog::make_items(std::uint64_t sequence, std::size_t length, bool has_delays,
                                            const RankFacts& facts) {
  ListEntry& entry = entries_.at(sequence);
  RECMETER_CHECK(!entry.has_items || entry.is_growing, "a list gets its items once, and again when it grows");
  entry.has_delays = has_delays;
  entry.length = static_cast<std::uint32_t>(length);
  entry.has_items = true;
  const auto [scores, teams] = facts;
  entry.has_scores = !scores.empty();
  entry.has_teams = !teams.empty();
  RECMETER_CHECK(scores.empty() || scores.size() == length, "a score for each rank");
  RECMETER_CHECK(teams.empty() || teams.size() == length, "a team for each rank");
  const std::size_t words = has_delays ? 2 * length : length;
  entry.items_at = bytes_.append(words * sizeof(Interner::Id) + scores.size_bytes() + teams.size_bytes());
  if (words == 0) return {};
  std::byte* const after_words = bytes_.at(entry.items_at) + words * sizeof(Interner::Id);
  if (!scores.empty()) std::memcpy(after_words, scores.data(), scores.size_bytes());
  if (!teams.empty()) std::memcpy(after_words + scores.size_bytes(), teams.data(), teams.size_bytes());
  return {as<Interner::Id>(bytes_.at(entry.items_at)), words};
}

std::span<std::uint32_t> ListLog::labels(const ListEntry& entry) {
  if (labels_per_list_ == 0) return {};
  return {as<std::uint32_t>(bytes_.at(entry.head_at)), labels_per_list_};
}

std::span<const Interner::Id> ListLog::items(const ListEntry& entry) const {
  RECMETER_CHECK(entry.has_items, "the items of a list that is still being assembled");
  if (entry.length == 0) return {};
  return {as<Interner::Id>(bytes_.at(entry.items_at)), entry.length};
}

std::span<const std::uint32_t> ListLog::delays(const ListEntry& entry) const {
  RECMETER_CHECK(entry.has_items && entry.has_delays, "delays belong to lists that came in pieces");
  if (entry.length == 0) return {};
  return {as<std::uint32_t>(bytes_.at(entry.items_at)) + entry.length, entry.length};
}

std::optional<double> ListLog::score(const ListEntry& entry, std::uint32_t rank) const {
  RECMETER_CHECK(entry.has_items && rank >= 1 && rank <= entry.length, "the score of a rank that there is");
  if (!entry.has_scores) return std::nullopt;
  double score = 0;
  std::memcpy(&score, facts_of(entry) + (rank - 1) * sizeof(double), sizeof(double));
  if (std::isnan(score)) return std::nullopt;
  return score;
}

std::span<const std::uint8_t> ListLog::teams(const ListEntry& entry) const {
  if (!entry.has_teams) return {};
  const std::size_t scores_bytes = entry.has_scores ? entry.length * sizeof(double) : 0;
  return {as<std::uint8_t>(facts_of(entry) + scores_bytes), entry.length};
}

const std::byte* ListLog::facts_of(const ListEntry& entry) const {
  const std::size_t words = entry.has_delays ? 2 * std::size_t{entry.length} : entry.length;
  return bytes_.at(entry.items_at) + words * sizeof(Interner::Id);
}

std::string_view ListLog::list_id(const ListEntry& entry) const {
  const std::byte* head = bytes_.at(entry.head_at) + labels_per_list_ * sizeof(std::uint32_t);
  return {as<char>(head), entry.list_id_bytes};
}

std::string_view ListLog::user_id(const ListEntry& entry) const {
  const std::byte* head = bytes_.at(entry.head_at) + labels_per_list_ * sizeof(std::uint32_t);
  return {as<char>(head) + entry.list_id_bytes, entry.user_id_bytes};
}

void ListLog::forget_oldest() {
  entries_.pop_front();
  // Heads are written in sequence order, and items never before their head.
  bytes_.forget_before(entries_.empty() ? bytes_.end() : entries_.at(entries_.begin()).head_at);
}

}  // namespace recmeter
