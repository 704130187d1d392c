#include "recmeter/file/spill_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "child.h"
#include "recmeter/base/byte_log.h"
#include "recmeter/base/ring.h"
#include "scratch.h"
#include "support/dice.h"

namespace recmeter::file {
namespace {

using test::Scratch;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::unique_ptr<SpillMemory> memory_of(const Scratch& scratch, std::uint64_t share) {
  auto memory = SpillMemory::create(scratch.directory(), share);
  EXPECT_TRUE(memory) << (memory ? "" : memory.error().context);
  return std::move(*memory);
}

// Pages of files that this process has in memory.
std::uint64_t resident_file_bytes() {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> shared;
  return shared * 4096;
}

TEST(SpillMemory, keeps_small_pieces_and_its_share_in_the_heap) {
  const Scratch scratch;
  const auto memory = memory_of(scratch, 4 * mebibyte);
  void* const small = memory->allocate(100);
  void* const first = memory->allocate(mebibyte);
  void* const second = memory->allocate(mebibyte);
  EXPECT_EQ(memory->spilled_bytes(), 0U);
  void* const third = memory->allocate(mebibyte);
  EXPECT_EQ(memory->spilled_bytes(), mebibyte);
  memory->deallocate(third, mebibyte);
  memory->deallocate(first, mebibyte);
  EXPECT_EQ(memory->spilled_bytes(), 0U);
  void* const again = memory->allocate(mebibyte);
  EXPECT_EQ(memory->spilled_bytes(), 0U) << "what is given back counts no more";
  memory->deallocate(again, mebibyte);
  memory->deallocate(second, mebibyte);
  memory->deallocate(small, 100);
}

TEST(SpillMemory, has_a_file_without_a_name) {
  const Scratch scratch;
  const auto memory = memory_of(scratch, 0);
  void* const piece = memory->allocate(mebibyte);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{});
  memory->deallocate(piece, mebibyte);
}

TEST(SpillMemory, lets_go_of_pages_and_not_of_what_they_hold) {
  constexpr std::size_t size = 64 * mebibyte;
  const Scratch scratch;
  const auto memory = memory_of(scratch, 2 * mebibyte);
  const std::uint64_t before = resident_file_bytes();
  auto* const piece = static_cast<unsigned char*>(memory->allocate(size));
  for (std::size_t at = 0; at < size; at += 64) piece[at] = static_cast<unsigned char>(at / 4096 * 31);
  EXPECT_GT(resident_file_bytes(), before + size / 2);
  memory->trim();
  EXPECT_LT(resident_file_bytes(), before + size / 8);
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < size; at += 64) wrong += piece[at] == static_cast<unsigned char>(at / 4096 * 31) ? 0U : 1U;
  EXPECT_EQ(wrong, 0U);
  memory->deallocate(piece, size);
}

TEST(SpillMemory, does_not_let_go_within_its_share) {
  const Scratch scratch;
  const auto memory = memory_of(scratch, 64 * mebibyte);
  auto* const in_heap = memory->allocate(32 * mebibyte);
  auto* const piece = static_cast<unsigned char*>(memory->allocate(8 * mebibyte));
  const std::uint64_t before = resident_file_bytes();
  std::memset(piece, 1, 8 * mebibyte);
  memory->trim();
  EXPECT_GT(resident_file_bytes(), before + 4 * mebibyte);
  memory->deallocate(piece, 8 * mebibyte);
  memory->deallocate(in_heap, 32 * mebibyte);
}

TEST(SpillMemory, keeps_pieces_apart_and_uses_their_room_again) {
  struct Piece {
    unsigned char* at;
    std::size_t bytes;
    unsigned char mark;
  };
  const Scratch scratch;
  const auto memory = memory_of(scratch, 0);
  support::Dice dice(1);
  std::vector<Piece> pieces;
  const auto check_and_give_back = [&](std::size_t i) {
    const Piece piece = pieces[i];
    ASSERT_EQ(piece.at[0], piece.mark);
    ASSERT_EQ(piece.at[piece.bytes / 2], piece.mark);
    ASSERT_EQ(piece.at[piece.bytes - 1], piece.mark);
    memory->deallocate(piece.at, piece.bytes);
    pieces[i] = pieces.back();
    pieces.pop_back();
  };
  void* const lowest = memory->allocate(SpillMemory::piece_min);
  memory->deallocate(lowest, SpillMemory::piece_min);
  for (int step = 0; step < 4000; ++step) {
    if (pieces.size() > 20 || (!pieces.empty() && dice.percent(40))) {
      check_and_give_back(dice.below(pieces.size()));
      continue;
    }
    const std::size_t bytes = SpillMemory::piece_min + dice.below(8 * SpillMemory::piece_min);
    const Piece piece{static_cast<unsigned char*>(memory->allocate(bytes)), bytes, static_cast<unsigned char>(step)};
    std::memset(piece.at, piece.mark, bytes);
    pieces.push_back(piece);
    if (step % 100 == 0) memory->trim();
  }
  while (!pieces.empty()) check_and_give_back(0);
  EXPECT_EQ(memory->spilled_bytes(), 0U);
  void* const whole = memory->allocate(64 * mebibyte);
  EXPECT_EQ(whole, lowest) << "what was given back is one hole, or the end";
  memory->deallocate(whole, 64 * mebibyte);
}

TEST(SpillMemory, carries_logs_and_rings) {
  const Scratch scratch;
  const auto memory = memory_of(scratch, 0);
  ByteLog log(1000, memory.get());
  Ring<std::uint64_t> ring(memory.get());
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t offset = log.append(sizeof i);
    std::memcpy(log.at(offset), &i, sizeof i);
    ring.push_back(offset);
    if (i % 1000 == 0) memory->trim();
  }
  EXPECT_GT(memory->spilled_bytes(), mebibyte);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, log.at(ring.at(i)), sizeof value);
    ASSERT_EQ(value, i);
  }
}

TEST(SpillMemory, goes_on_in_the_heap_where_the_file_cannot_grow) {
  const Scratch scratch;
  EXPECT_EQ(test::in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{mebibyte, mebibyte};
              setrlimit(RLIMIT_FSIZE, &limit);
              const auto memory = memory_of(scratch, 0);
              void* const fits = memory->allocate(mebibyte / 2);
              void* const does_not = memory->allocate(mebibyte);
              std::memset(does_not, 1, mebibyte);
              const bool as_said = memory->spilled_bytes() == mebibyte / 2;
              memory->deallocate(does_not, mebibyte);
              memory->deallocate(fits, mebibyte / 2);
              return as_said && memory->spilled_bytes() == 0 ? 0 : 1;
            }),
            0);
}

TEST(SpillMemory, says_where_it_cannot_be_made) {
  const auto memory = SpillMemory::create("/nowhere/at/all", 0);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, Errc::output_failed);
  EXPECT_NE(memory.error().context.find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::file
