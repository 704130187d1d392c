#include "recmeter/window/cell_bytes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

constexpr std::uint64_t version = 1;
// 2 wrote items out
enum class Kind : std::uint64_t { sums = 1, sums_with_buckets = 3, exposure = 4, sums_with_open = 5 };
constexpr std::size_t level_max = 64;  // of a list whose hash is 0

ByteWriter writer_of(Kind kind) {
  ByteWriter to;
  to.add(version);
  to.add(static_cast<std::uint64_t>(kind));
  return to;
}

std::optional<Kind> read_kind(ByteReader& from) {
  const std::uint64_t of_version = from.number();
  const std::uint64_t kind = from.number();
  if (of_version != version || kind > static_cast<std::uint64_t>(Kind::sums_with_open)) return std::nullopt;
  return static_cast<Kind>(kind);
}

// The set bits, from the lowest.
template <class Visit>
void for_each_bit(std::uint64_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

// Sums of values that are few bits of 2^-32, or counts.
void add_sum(ByteWriter& to, std::int64_t sum) {
  if (sum == 0) return to.add(0);
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(sum));
  to.add(static_cast<std::uint64_t>(zeros) + 1);
  to.add_signed(sum >> zeros >> 1);
}

std::int64_t read_sum(ByteReader& from) {
  const std::uint64_t zeros = from.number();
  if (zeros == 0 || zeros > 64) return 0;
  const auto rest = static_cast<std::uint64_t>(from.signed_number());
  return static_cast<std::int64_t>((rest << 1 | 1) << (zeros - 1));
}

// The users of all parts, in the order of their keys.
void add_users(ByteWriter& to, const UserParts& parts) {
  UserSums users = parts.own();
  for (const UserParts::Part& part : parts.merged()) users.merge(*part.sums);
  std::vector<UserSums::UserView> views;
  views.reserve(users.users());
  users.for_each_user([&](const UserSums::UserView& user) { views.push_back(user); });
  std::sort(views.begin(), views.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  to.add(views.size());
  for (const UserSums::UserView& user : views) {
    to.add_fixed(user.key.high);
    to.add_fixed(user.key.low);
    to.add(user.group);
    to.add(user.lists);
    to.add(user.nonempty);
    for (const std::int64_t sum : user.columns) add_sum(to, sum);
  }
}

bool read_users(ByteReader& from, const CellShape& shape, UserSums& users) {
  std::optional<UserKey> last;
  std::vector<std::int64_t> columns(shape.user_columns);
  for (std::uint64_t left = from.number(); left > 0; --left) {
    UserKey key;
    key.high = from.fixed();
    key.low = from.fixed();
    const std::uint64_t group = from.number();
    const std::uint64_t lists = from.number();
    const std::uint64_t nonempty = from.number();
    for (std::int64_t& sum : columns) sum = read_sum(from);
    const bool is_next = !last || *last < key;
    const bool is_user = lists > 0 && lists <= std::numeric_limits<std::int32_t>::max() && nonempty <= lists;
    if (from.has_failed() || !is_next || !is_user || group >= user_groups) return false;
    users.add_lists({.key = key, .group = group, .lists = lists, .nonempty = nonempty, .columns = columns});
    last = key;
  }
  return true;
}

void add_buckets(ByteWriter& to, const BucketCounts& buckets) {
  const auto counts = buckets.counts();
  to.add(counts.size());
  std::uint32_t before = 0;
  for (const auto& [bucket, lists] : counts) {
    to.add(bucket - std::exchange(before, bucket));
    to.add(lists);
  }
}

bool read_buckets(ByteReader& from, const CellShape& shape, BucketCounts& buckets) {
  std::uint64_t bucket = 0;
  for (std::uint64_t left = from.number(); left > 0; --left) {
    const std::uint64_t step = from.number();
    const std::uint64_t lists = from.number();
    if (from.has_failed() || step >= shape.buckets || (bucket += step) >= shape.buckets || lists == 0) return false;
    buckets.add({static_cast<std::uint32_t>(bucket), lists});
  }
  return true;
}

// Times, each as the step from the one before.
void add_open(ByteWriter& to, std::span<const EventTime> open) {
  std::vector<EventTime> times(open.begin(), open.end());
  std::sort(times.begin(), times.end());
  to.add(times.size());
  to.add_signed(times.front().ms);
  for (std::size_t i = 1; i < times.size(); ++i) to.add(static_cast<std::uint64_t>((times[i] - times[i - 1]).ms));
}

bool read_open(ByteReader& from, PaneSums& sums) {
  const std::uint64_t times = from.number();
  if (times == 0 || times > from.left()) return false;
  EventTime time{from.signed_number()};
  for (std::uint64_t left = times; left > 0; --left) {
    if (left < times) time.ms += static_cast<std::int64_t>(std::min<std::uint64_t>(from.number(), event_time_end.ms));
    if (from.has_failed() || time < event_time_min || time >= event_time_end) return false;
    sums.add_open(time);
  }
  return true;
}

using Counted = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // number of an item, and lists

// By item. Where many items of few numbers come, as they do in most cells, each finds its place by itself.
void sort_by_item(Counted& band) {
  std::uint32_t largest = 0;
  for (const auto& [item, lists] : band) largest = std::max(largest, item);
  if (largest > 16 * band.size()) return std::sort(band.begin(), band.end());
  std::vector<std::uint32_t> lists_of(std::size_t{largest} + 1);  // 0: not there
  for (const auto& [item, lists] : band) lists_of[item] = lists;
  band.clear();
  for (std::uint32_t item = 0; item < lists_of.size(); ++item) {
    if (lists_of[item] > 0) band.emplace_back(item, lists_of[item]);
  }
}

void add_bands(ByteWriter& to, std::vector<Counted> bands, bool with_lists) {
  if (std::all_of(bands.begin(), bands.end(), [](const Counted& band) { return band.empty(); })) bands.clear();
  to.add(bands.size());
  for (Counted& band : bands) {
    sort_by_item(band);
    to.add(band.size());
    std::uint32_t before = 0;
    for (const auto& [item, lists] : band) {
      to.add(item - std::exchange(before, item));
      if (with_lists) to.add(lists);
    }
  }
}

// `add(band, item, lists)`; whether there are as many bands as cutoffs, some of them with items, or none.
template <class Add>
bool read_bands(ByteReader& from, const CellShape& shape, std::size_t items, bool with_lists, Add&& add) {
  const std::uint64_t bands = from.number();
  if (bands != 0 && bands != shape.cutoffs) return false;
  bool is_empty = true;
  for (std::size_t band = 0; band < bands; ++band) {
    std::uint64_t item = 0;
    const std::uint64_t count = from.number();
    is_empty = is_empty && count == 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t step = from.number();
      const std::uint64_t lists = with_lists ? from.number() : 1;
      if (from.has_failed() || step >= items || (step == 0 && i > 0) || (item += step) >= items) return false;
      if (lists == 0 || lists > std::numeric_limits<std::uint32_t>::max()) return false;
      add(band, static_cast<std::uint32_t>(item), static_cast<std::uint32_t>(lists));
    }
  }
  return bands == 0 || !is_empty;
}

// Of a list in a sample.
struct Sampled {
  std::size_t level;
  std::size_t group;
  std::vector<std::uint32_t> ranks;  // number + 1; 0: no item
  friend auto operator<=>(const Sampled&, const Sampled&) = default;
};

void add_sample(ByteWriter& to, const ListSample& sample, std::span<const std::uint32_t> number_of) {
  std::vector<Sampled> lists;
  sample.for_each([&](std::size_t level, std::size_t group, std::span<const Interner::Id> items) {
    std::vector<std::uint32_t>& ranks = lists.emplace_back(Sampled{level, group, {}}).ranks;
    for (const Interner::Id item : items) ranks.push_back(item == Interner::none ? 0 : number_of[item] + 1);
  });
  std::sort(lists.begin(), lists.end());
  to.add(sample.threshold());
  to.add(lists.size());
  for (const Sampled& list : lists) {
    to.add(list.level);
    to.add(list.group);
    to.add(list.ranks.size());
    for (const std::uint32_t rank : list.ranks) to.add(rank);
  }
}

bool read_sample(ByteReader& from, const CellShape& shape, std::size_t items, ListSample& sample) {
  const std::uint64_t threshold = from.number();
  const std::uint64_t lists = from.number();
  if (threshold > level_max + 1 || lists > shape.compared_lists) return false;
  if (threshold > 0) sample.raise(threshold, shape.compared_lists);
  Sampled before{};
  std::vector<Interner::Id> ranks;
  std::vector<Interner::Id> shown;
  for (std::uint64_t i = 0; i < lists; ++i) {
    Sampled list{.level = from.number(), .group = from.number(), .ranks = {}};
    const std::uint64_t length = from.number();
    if (list.level < threshold || list.level > level_max || list.group >= user_groups || length > shape.cutoff_max)
      return false;
    ranks.clear();
    shown.clear();
    for (std::uint64_t rank = 0; rank < length; ++rank) {
      const std::uint64_t number = from.number();
      if (from.has_failed() || number > items) return false;
      list.ranks.push_back(static_cast<std::uint32_t>(number));
      ranks.push_back(number == 0 ? Interner::none : static_cast<Interner::Id>(number - 1));
      if (number != 0) shown.push_back(ranks.back());
    }
    std::sort(shown.begin(), shown.end());
    if (from.has_failed() || std::adjacent_find(shown.begin(), shown.end()) != shown.end()) return false;
    if (i > 0 && list < before) return false;
    sample.add_at(list.level, list.group, ranks, shape.compared_lists);
    before = std::move(list);
  }
  return true;
}

}  // namespace

// Puts cells together from their parts.
class CellReader {
 public:
  static bool read(ByteReader& from, const CellShape& shape, PaneSums& sums) {
    const auto kind = read_kind(from);
    if (kind != Kind::sums && kind != Kind::sums_with_buckets && kind != Kind::sums_with_open) return false;
    for_each_bit(from.number(), [&](std::size_t group) { sums.lists_[group] = from.number(); });
    if (const std::uint64_t groups = from.number(); groups != 0) {
      std::vector<std::uint64_t> words((shape.columns + 63) / 64);
      for (std::uint64_t& word : words) word = from.number();
      if (from.has_failed()) return false;
      for_each_bit(groups, [&](std::size_t group) { read_columns(from, shape, words, sums, group); });
    }
    const std::uint64_t actions = from.number();
    if (actions > shape.actions) return false;
    std::vector<AssignedFeedback> feedback(actions);
    for (AssignedFeedback& of_action : feedback) {
      of_action.credited = from.number();
      of_action.repeated = from.number();
    }
    sums.add_feedback(feedback, 1);
    sums.unmatured_ = from.number();
    if (!read_users(from, shape, sums.users_.own())) return false;
    if (kind != Kind::sums && !read_buckets(from, shape, sums.buckets_)) return false;
    if (kind == Kind::sums_with_open && !read_open(from, sums)) return false;
    return from.is_done();
  }

  static bool read(ByteReader& from, const CellShape& shape, std::size_t items, Exposure& exposure) {
    if (read_kind(from) != Kind::exposure) return false;
    const bool has_sets = read_bands(from, shape, items, false, [&](std::size_t band, std::uint32_t item, auto) {
      exposure.sets_.resize(shape.cutoffs);
      exposure.sets_[band].insert(item);
    });
    if (!has_sets) return false;
    const auto add = [&](std::size_t band, std::uint32_t item, std::uint32_t lists) {
      exposure.counts_.resize(shape.cutoffs);
      exposure.counts_[band].add(item, lists);
    };
    return read_bands(from, shape, items, true, add) && read_sample(from, shape, items, exposure.sample_) && from.is_done();
  }

 private:
  static void read_columns(ByteReader& from, const CellShape& shape, const std::vector<std::uint64_t>& words, PaneSums& sums,
                           std::size_t group) {
    std::vector<std::int64_t> columns(shape.columns);
    for (std::size_t word = 0; word < words.size(); ++word) {
      for_each_bit(words[word], [&](std::size_t bit) {
        const std::int64_t sum = read_sum(from);
        if (word * 64 + bit < columns.size()) columns[word * 64 + bit] = sum;
      });
    }
    sums.add_columns(group, columns);
  }
};

std::string to_bytes(const PaneSums& sums) {
  const bool has_open = !sums.open().empty();
  const bool has_buckets = has_open || !sums.buckets().counts().empty();
  ByteWriter to = writer_of(has_open ? Kind::sums_with_open : has_buckets ? Kind::sums_with_buckets : Kind::sums);
  std::uint64_t with_lists = 0;
  std::uint64_t with_columns = 0;
  std::vector<std::uint64_t> words;  // bits of the columns that are not zero everywhere
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (sums.lists(g) > 0) with_lists |= std::uint64_t{1} << g;
    const auto columns = sums.columns(g);
    words.resize(std::max(words.size(), (columns.size() + 63) / 64));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c] == 0) continue;
      with_columns |= std::uint64_t{1} << g;
      words[c / 64] |= std::uint64_t{1} << (c % 64);
    }
  }
  to.add(with_lists);
  for_each_bit(with_lists, [&](std::size_t group) { to.add(sums.lists(group)); });
  to.add(with_columns);
  if (with_columns != 0) {
    for (const std::uint64_t word : words) to.add(word);
  }
  for_each_bit(with_columns, [&](std::size_t group) {
    for (std::size_t word = 0; word < words.size(); ++word) {
      for_each_bit(words[word], [&](std::size_t bit) { add_sum(to, sums.columns(group)[word * 64 + bit]); });
    }
  });
  auto feedback = sums.feedback();
  while (!feedback.empty() && feedback.back().credited == 0 && feedback.back().repeated == 0) {
    feedback = feedback.first(feedback.size() - 1);
  }
  to.add(feedback.size());
  for (const AssignedFeedback& of_action : feedback) {
    to.add(of_action.credited);
    to.add(of_action.repeated);
  }
  to.add(sums.unmatured());
  add_users(to, sums.users());
  if (has_buckets) add_buckets(to, sums.buckets());
  if (has_open) add_open(to, sums.open());
  return to.take();
}

std::string to_bytes(const Exposure& exposure, std::span<const std::uint32_t> number_of) {
  ByteWriter to = writer_of(Kind::exposure);
  std::vector<Counted> sets;
  for (const ItemSet& set : exposure.sets()) {
    Counted& band = sets.emplace_back();
    set.for_each([&](std::uint32_t item) { band.emplace_back(number_of[item], 1); });
  }
  add_bands(to, std::move(sets), false);
  std::vector<Counted> counts;
  for (ShowCounts of_band : exposure.counts()) {
    of_band.add_up();
    Counted& band = counts.emplace_back();
    of_band.for_each([&](Interner::Id item, std::uint32_t lists) { band.emplace_back(number_of[item], lists); });
  }
  add_bands(to, std::move(counts), true);
  add_sample(to, exposure.sample(), number_of);
  return to.take();
}

// What has been read is a cell's canonical form exactly if it is what the cell is written as.
std::optional<PaneSums> sums_from_bytes(std::string_view bytes, const CellShape& shape) {
  ByteReader from(bytes);
  PaneSums sums;
  if (!CellReader::read(from, shape, sums) || to_bytes(sums) != bytes) return std::nullopt;
  return sums;
}

// All of it has been looked at on the way: numbers ascend, lists have their order, and nothing is empty that need not stand.
std::optional<Exposure> exposure_from_bytes(std::string_view bytes, const CellShape& shape, std::size_t items) {
  ByteReader from(bytes);
  Exposure exposure;
  if (!CellReader::read(from, shape, items, exposure)) return std::nullopt;
  return exposure;
}

}  // namespace recmeter
