// Any bytes are said to be a cell. The first says of which kind and shape, the rest is read. A reader must not crash, must
// not take more memory than its bytes warrant, and must accept nothing but the canonical form of a cell.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/window/cell_bytes.h"

namespace {

using namespace recmeter;

constexpr std::size_t items = 5;  // that have a number

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "cell_fuzz: %s\n", what);
  std::abort();
}

CellShape shape_of(std::uint8_t variant) {
  CellShape shape{
      .columns = 4, .user_columns = 2, .actions = 3, .buckets = 5, .cutoffs = 2, .cutoff_max = 5, .compared_lists = 4};
  if (variant == 1) shape = {};
  if (variant == 2) shape.columns = shape.user_columns = 100;
  return shape;
}

void check_sums(std::string_view bytes, const CellShape& shape) {
  const auto sums = sums_from_bytes(bytes, shape);
  if (!sums) return;
  require(to_bytes(*sums) == bytes, "sums that were accepted are not canonical");
  // A row for each group, of what the shape says; for the rest, bytes.
  require(sums->memory_bytes() <= 128 * bytes.size() + 4096 + 64 * 16 * (shape.columns + shape.user_columns),
          "sums take more memory than their bytes warrant");
  PaneSums merged;
  merged.merge(*sums);
  require(to_bytes(merged) == bytes, "sums merged with nothing are others");
}

void check_exposure(std::string_view bytes, const CellShape& shape) {
  const auto exposure = exposure_from_bytes(bytes, shape, items);
  if (!exposure) return;
  std::vector<std::uint32_t> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0U);
  exposure->for_each_item([](Interner::Id item) { require(item < items, "an item has no number"); });
  require(to_bytes(*exposure, numbers) == bytes, "exposure that was accepted is not canonical");
  // A page of a set for each band, and what few lists take.
  require(exposure->memory_bytes() <= 128 * bytes.size() + 16384, "exposure takes more memory than its bytes warrant");
  Exposure merged;
  merged.merge(*exposure);
  require(to_bytes(merged, numbers) == bytes, "exposure merged with nothing is another");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);  // NOLINT: bytes
  const CellShape shape = shape_of(data[0] / 2 % 3);
  data[0] % 2 == 0 ? check_sums(bytes, shape) : check_exposure(bytes, shape);
  return 0;
}
