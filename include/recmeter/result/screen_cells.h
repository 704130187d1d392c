// The first table of rows in cells, for a page that is no text. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "recmeter/result/render.h"
#include "recmeter/result/row.h"

namespace recmeter {

struct TableCells {
  // Rows that have one title.
  struct Block {
    std::string title;
    std::vector<std::vector<std::string>> rows;  // as long as the header
  };
  std::vector<std::string> header = {};
  std::vector<Block> blocks = {};
  std::string notes = {};  // below the table, a line each
};

// As render_table() of a first screen.
[[nodiscard]] TableCells table_cells(std::span<const Row> rows, std::size_t width, const FirstScreen& screen);

}  // namespace recmeter
