#include "recmeter/evaluation/look_bytes.h"

#include <algorithm>

namespace recmeter {

namespace {

void write_users(ByteWriter& to, const UsersByZeros& users) {
  to.add(static_cast<std::uint64_t>(users.size() - static_cast<std::size_t>(std::ranges::count(users, 0U))));
  for (std::size_t zeros = 0; zeros < users.size(); ++zeros) {
    if (users[zeros] == 0) continue;
    to.add(zeros);
    to.add(users[zeros]);
  }
}

bool read_users(ByteReader& from, UsersByZeros& users) {
  std::uint64_t next = 0;
  for (std::uint64_t left = from.number(); left > 0; --left) {
    const std::uint64_t zeros = from.number();
    if (from.has_failed() || zeros < next || zeros >= users.size()) return false;
    users[zeros] = from.number();
    if (users[zeros] == 0) return false;
    next = zeros + 1;
  }
  return true;
}

}  // namespace

void write_look(ByteWriter& to, const LookSums& look) {
  for (const ArmCounts& arm : look.arms) {
    to.add(arm.lists);
    write_users(to, arm.users);
  }
  write_users(to, look.counts.mixed_users);
  for (const std::uint64_t lists : {look.counts.mixed_lists, look.counts.other_lists, look.counts.nobody_lists})
    to.add(lists);
  std::uint64_t rows = 0;
  look.for_each_row([&](std::size_t, std::size_t, std::span<const std::int64_t>) { ++rows; });
  to.add(rows);
  std::size_t before = 0;
  look.for_each_row([&](std::size_t arm, std::size_t slot, std::span<const std::int64_t> row) {
    const std::size_t place = arm * experiment_slots + slot;
    to.add(place - before);
    before = place;
    for (const std::int64_t column : row) to.add_signed(column);
  });
}

std::optional<LookSums> read_look(ByteReader& from, std::int64_t number, const PlannedExperiment& experiment) {
  LookSums look(number, experiment.spec->arms.values.size(), experiment.width());
  for (ArmCounts& arm : look.arms) {
    arm.lists = from.number();
    if (!read_users(from, arm.users)) return std::nullopt;
  }
  if (!read_users(from, look.counts.mixed_users)) return std::nullopt;
  for (std::uint64_t* lists : {&look.counts.mixed_lists, &look.counts.other_lists, &look.counts.nobody_lists}) {
    *lists = from.number();
  }
  std::uint64_t place = 0;
  const std::uint64_t rows = from.number();
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t step = from.number();
    const bool is_next = row == 0 || step > 0;
    if (from.has_failed() || !is_next || step >= look.arms.size() * experiment_slots - place) return std::nullopt;
    place += step;
    for (std::int64_t& column : look.row(place / experiment_slots, place % experiment_slots)) column = from.signed_number();
  }
  return from.has_failed() ? std::nullopt : std::optional(std::move(look));
}

}  // namespace recmeter
