// The members of a report's JSON object ([I5]), for objects that say more than a report.
#pragma once

#include <cstddef>
#include <functional>

#include "recmeter/result/json_writer.h"
#include "recmeter/result/report.h"

namespace recmeter {

// Into the object that is open; `more_of`, unless empty, adds members to the object of that partition.
void write_members(JsonWriter& json, const Report& report, const std::function<void(std::size_t partition)>& more_of = {});

}  // namespace recmeter
