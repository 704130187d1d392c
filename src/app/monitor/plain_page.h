// The page for those without script, and of programs built without npm: the newest windows as tables.
#pragma once

#include <string>

#include "app/monitor/board.h"
#include "app/monitor/outline.h"

namespace recmeter {

// The body; whatever comes from data is escaped.
[[nodiscard]] std::string plain_tables(const Outline& outline, const Board& board);

}  // namespace recmeter
