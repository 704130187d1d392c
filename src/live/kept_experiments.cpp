#include "recmeter/live/kept_experiments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "live/journal_digest.h"
#include "live/look_sums.h"
#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"
#include "recmeter/evaluation/look_bytes.h"

namespace recmeter {

namespace {

constexpr std::uint64_t kept_version = 1;
constexpr std::size_t notes_of_a_piece = 50'000;  // about 1 MB

// Pieces of a look: the first is what it comes to, the others are of users.
enum class Piece : std::uint8_t { look = 0, members = 1, before = 2 };

std::string looks_key(std::string_view name) {
  return state_key::first(state_key::look) + std::string(name) + '\0';
}

// Numbers up to 0 come before the others.
std::string look_key(std::string_view name, std::int64_t number, std::uint64_t piece) {
  std::string key = looks_key(name);
  append_big_endian(key, static_cast<std::uint64_t>(number) ^ (std::uint64_t{1} << 63));
  append_big_endian(key, piece);
  return key;
}

std::string look_sum_key(std::string_view name) {
  return state_key::first(state_key::look_sum) + std::string(name);
}

std::string experiment_key(std::string_view name) {
  return state_key::first(state_key::experiment) + std::string(name);
}

tl::unexpected<Error> damaged_experiment(std::string_view name) {
  return failure(Errc::state_unusable, "the state is damaged: what is kept of experiment " + std::string(name) +
                                           " cannot be read; restore it, or move it away and start again");
}

void write(ByteWriter& to, const UserKey& user) {
  to.add_fixed(user.high);
  to.add_fixed(user.low);
}
UserKey read_user(ByteReader& from) {
  UserKey user;
  user.high = from.fixed();
  user.low = from.fixed();
  return user;
}

std::string look_bytes(const KeptLook& look) {
  ByteWriter to;
  to.add(static_cast<std::uint64_t>(Piece::look));
  to.add(kept_version);
  to.add(look.remarks.sample);
  to.add(look.remarks.incomplete.size());
  for (const std::string& reason : look.remarks.incomplete) to.add_text(reason);
  write_look(to, look.sums);
  return to.take();
}

std::string member_bytes(std::span<const MemberNote> notes) {
  ByteWriter to;
  to.add(static_cast<std::uint64_t>(Piece::members));
  for (const MemberNote& note : notes) {
    write(to, note.user);
    to.add(note.slot);
    to.add(note.member.arm);
    to.add(note.member.zeros);
    to.add((note.member.is_mixed ? 1U : 0U) | std::uint64_t{note.member.acted} << 1U);
  }
  return to.take();
}

std::string before_bytes(std::uint8_t slot, const UserSums& sums) {
  ByteWriter to;
  to.add(static_cast<std::uint64_t>(Piece::before));
  to.add(slot);
  std::vector<UserSums::UserView> users;
  sums.for_each_user([&](const UserSums::UserView& user) { users.push_back(user); });
  std::ranges::sort(users, {}, &UserSums::UserView::key);
  for (const UserSums::UserView& user : users) {
    write(to, user.key);
    to.add(user.group);
    to.add(user.lists);
    to.add(user.nonempty);
    for (const std::int64_t column : user.columns) to.add_signed(column);
  }
  return to.take();
}

std::optional<KeptLook> read_look_bytes(ByteReader& from, std::int64_t number, const PlannedExperiment& experiment) {
  if (from.number() != kept_version || number > experiment.last_look()) return std::nullopt;
  LookRemarks remarks{.sample = static_cast<std::uint8_t>(from.number())};
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    remarks.incomplete.emplace_back(from.text());
  }
  auto sums = read_look(from, number, experiment);
  if (!sums || !from.is_done()) return std::nullopt;
  return KeptLook{.sums = std::move(*sums), .remarks = std::move(remarks)};
}

bool read_members(ByteReader& from, const PlannedExperiment& experiment, std::vector<MemberNote>& notes) {
  while (from.left() > 0) {
    MemberNote& note = notes.emplace_back();
    note.user = read_user(from);
    note.slot = static_cast<std::uint8_t>(from.number());
    const std::uint64_t arm = from.number();
    note.member.zeros = static_cast<std::uint8_t>(from.number());
    const std::uint64_t bits = from.number();
    note.member.is_mixed = (bits & 1U) != 0;
    note.member.acted = static_cast<std::uint8_t>(bits >> 1U);
    if (arm >= experiment.spec->arms.values.size()) return false;
    note.member.arm = static_cast<std::uint8_t>(arm);
  }
  return from.is_done();
}

bool read_before(ByteReader& from, const PlannedExperiment& experiment, std::map<std::uint8_t, UserSums>& before) {
  UserSums& sums = before[static_cast<std::uint8_t>(from.number())];
  std::vector<std::int64_t> columns(experiment.columns.size());
  while (from.left() > 0) {
    UserSums::UserView user{
        .key = read_user(from), .group = from.number(), .lists = from.number(), .nonempty = {}, .columns = {}};
    user.nonempty = from.number();
    for (std::int64_t& column : columns) column = from.signed_number();
    user.columns = columns;
    constexpr std::uint64_t lists_max = std::uint64_t{1} << 31;
    if (from.has_failed() || user.group >= user_groups || user.lists == 0 || user.lists >= lists_max ||
        user.nonempty > user.lists) {
      return false;
    }
    sums.add_lists(user);
  }
  return from.is_done();
}

class PastReader {
 public:
  explicit PastReader(const PlannedExperiment& experiment) : experiment_(experiment) {}

  // Whether it could be read.
  bool read(std::string_view key, std::string_view value) {
    const std::size_t number_at = looks_key(experiment_.spec->name).size();
    const auto number =
        static_cast<std::int64_t>(big_endian(key.substr(std::min(key.size(), number_at))) ^ (std::uint64_t{1} << 63));
    ByteReader from(value);
    const auto piece = static_cast<Piece>(from.number());
    if (piece == Piece::look) {
      auto look = read_look_bytes(from, number, experiment_);
      if (look) past.looks.push_back(std::move(*look));
      return look.has_value();
    }
    if (past.looks.empty() || past.looks.back().sums.number() != number) return false;
    LookSums& sums = past.looks.back().sums;
    if (piece == Piece::members) return read_members(from, experiment_, sums.notes);
    return piece == Piece::before && experiment_.has_before() && read_before(from, experiment_, sums.before);
  }

  ExperimentPast past;

 private:
  const PlannedExperiment& experiment_;
};

}  // namespace

namespace {

std::string behind_looks(std::string_view name) {
  std::string behind = looks_key(name);
  behind.back() = '\1';
  return behind;
}

// The name of which there are looks, and no experiment.
Result<std::optional<std::string>> look_without(const StateStore& store, const std::vector<KeptExperiment>& experiments) {
  std::string next = state_key::first(state_key::look);
  std::optional<std::string> without;
  for (bool is_at_end = false; !is_at_end && !without;) {
    is_at_end = true;
    auto scanned = store.scan(next, state_key::after(state_key::look), [&](std::string_view key, std::string_view) {
      const std::string name(key.substr(1, key.find('\0') - 1));
      is_at_end = false;
      if (std::ranges::find(experiments, name, &KeptExperiment::name) == experiments.end()) without = name;
      next = behind_looks(name);
      return false;
    });
    if (!scanned) return tl::unexpected(std::move(scanned).error());
  }
  return without;
}

}  // namespace

Result<std::vector<KeptExperiment>> experiments_in(const StateStore& store) {
  std::vector<KeptExperiment> experiments;
  bool is_sound = true;
  auto scanned = store.scan(state_key::first(state_key::experiment), state_key::after(state_key::experiment),
                            [&](std::string_view key, std::string_view value) {
                              ByteReader from(value);
                              KeptExperiment& experiment = experiments.emplace_back();
                              experiment.name = key.substr(1);
                              experiment.since = EventTime{from.signed_number()};
                              experiment.meaning = from.text();
                              is_sound = from.is_done();
                              return is_sound;
                            });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (!is_sound) return damaged_experiment(experiments.back().name);
  if (const auto nameless = look_without(store, experiments); !nameless || *nameless) {
    return nameless ? damaged_experiment(**nameless) : tl::unexpected(nameless.error());
  }
  return experiments;
}

void put_experiment(StateBatch& batch, const KeptExperiment& experiment) {
  ByteWriter to;
  to.add_signed(experiment.since.ms);
  to.add_text(experiment.meaning);
  batch.put(experiment_key(experiment.name), to.take());
}

void erase_experiment(StateBatch& batch, std::string_view name) {
  batch.erase(experiment_key(name));
  batch.erase(look_sum_key(name));
  batch.erase_range(looks_key(name), behind_looks(name));
}

void erase_all_experiments(StateBatch& batch) {
  for (const char kind : {state_key::experiment, state_key::look, state_key::look_sum}) {
    batch.erase_range(state_key::first(kind), state_key::after(kind));
  }
}

void put_look(StateBatch& batch, const PlannedExperiment& experiment, const KeptLook& look) {
  std::uint64_t piece = 0;
  const auto put = [&](std::string bytes) {
    batch.put(look_key(experiment.spec->name, look.sums.number(), piece++), std::move(bytes));
  };
  put(look_bytes(look));
  for (std::span<const MemberNote> rest = look.sums.notes; !rest.empty();) {
    const std::size_t size = std::min(rest.size(), notes_of_a_piece);
    put(member_bytes(rest.first(size)));
    rest = rest.subspan(size);
  }
  for (const auto& [slot, sums] : look.sums.before) put(before_bytes(slot, sums));
}

namespace {

std::optional<RecordSum> look_sum_from(std::string_view value) {
  ByteReader from(value);
  const RecordSum sum = RecordSum::read(from);
  return from.is_done() ? std::optional(sum) : std::nullopt;
}

Result<RecordSum> sum_of_looks(const StateStore& store, std::string_view name) {
  RecordSum sum;
  auto scanned = store.scan(looks_key(name), behind_looks(name), [&](std::string_view key, std::string_view value) {
    sum.add(key, value);
    return true;
  });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  return sum;
}

}  // namespace

Result<RecordSum> look_sum_in(const StateStore& store, std::string_view name, std::uint64_t checkpoint) {
  const auto is_right = JournalDigest::is_of(store, checkpoint);
  if (!is_right) return tl::unexpected(is_right.error());
  const auto kept = store.get(look_sum_key(name));
  if (!kept) return tl::unexpected(kept.error());
  const auto sum = *is_right && *kept ? look_sum_from(**kept) : std::nullopt;
  return sum ? Result<RecordSum>(*sum) : sum_of_looks(store, name);
}

void put_look_sum(StateBatch& batch, std::string_view name, const RecordSum& sum) {
  ByteWriter to;
  sum.write(to);
  batch.put(look_sum_key(name), to.take());
}

Result<void> check_looks(const StateStore& store, std::uint64_t checkpoint) {
  const auto is_right = JournalDigest::is_of(store, checkpoint);
  if (!is_right) return tl::unexpected(is_right.error());
  if (!*is_right) return {};
  std::map<std::string, std::optional<RecordSum>> sums;
  auto scanned = store.scan(state_key::first(state_key::look_sum), state_key::after(state_key::look_sum),
                            [&](std::string_view key, std::string_view value) {
                              sums.emplace(key.substr(1), look_sum_from(value));
                              return true;
                            });
  if (!scanned) return scanned;
  for (const auto& [name, sum] : sums) {
    const auto there = sum_of_looks(store, name);
    if (!there) return tl::unexpected(there.error());
    if (sum != *there) return damaged_experiment(name);
  }
  return {};
}

Result<std::vector<ExperimentPast>> pasts_in(const StateStore& store, const EvaluatorPlan& plan) {
  const auto kept = experiments_in(store);
  if (!kept) return tl::unexpected(kept.error());
  std::vector<ExperimentPast> pasts;
  for (const PlannedExperiment& experiment : plan.experiments) {
    const std::string& name = experiment.spec->name;
    PastReader reader(experiment);
    const auto known = std::ranges::find(*kept, name, &KeptExperiment::name);
    if (known != kept->end()) reader.past.since = known->since;
    bool is_sound = true;
    auto scanned = store.scan(looks_key(name), behind_looks(name), [&](std::string_view key, std::string_view value) {
      return is_sound = reader.read(key, value);
    });
    if (!scanned) return tl::unexpected(std::move(scanned).error());
    if (!is_sound) return damaged_experiment(name);
    pasts.push_back(std::move(reader.past));
  }
  return pasts;
}

}  // namespace recmeter
