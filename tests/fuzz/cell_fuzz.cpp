// Any bytes are said to be a cell. The first says of which kind and shape, the rest is read. A reader must not crash, must
// not take more memory than its bytes warrant, and must accept nothing but the canonical form of a cell.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/window/cell_bytes.h"

namespace {

using namespace recmeter;

constexpr std::size_t id_bytes_max = 16;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "cell_fuzz: %s\n", what);
  std::abort();
}

CellShape shape_of(std::uint8_t variant) {
  CellShape shape{.columns = 4,
                  .user_columns = 2,
                  .actions = 3,
                  .buckets = 5,
                  .cutoffs = 2,
                  .cutoff_max = 5,
                  .compared_lists = 4,
                  .id_bytes_max = id_bytes_max};
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
  std::vector<std::string> items;
  const auto exposure = exposure_from_bytes(bytes, shape, [&](std::string_view text) {
    require(text.size() <= id_bytes_max, "an id is too long");
    items.emplace_back(text);
    return static_cast<Interner::Id>(items.size() - 1);
  });
  if (!exposure) return require(items.empty(), "items of what was refused have been given out");
  const auto text_of = [&](Interner::Id id) { return std::string_view(items[id]); };
  require(to_bytes(*exposure, text_of) == bytes, "exposure that was accepted is not canonical");
  // A page of a set for each band, and what few lists take.
  require(exposure->memory_bytes() <= 128 * bytes.size() + 16384, "exposure takes more memory than its bytes warrant");
  Exposure merged;
  merged.merge(*exposure);
  require(to_bytes(merged, text_of) == bytes, "exposure merged with nothing is another");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);  // NOLINT: bytes
  const CellShape shape = shape_of(data[0] / 2 % 3);
  data[0] % 2 == 0 ? check_sums(bytes, shape) : check_exposure(bytes, shape);
  return 0;
}
