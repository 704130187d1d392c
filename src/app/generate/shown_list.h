// ShownList: one recommendation list as drawn from the model, and the lines that tell of it. The fields have their
// own names ([S2.1], [S2.2]).
//
// Ids: lists l0, l1, ...; users u0, u1, ...; items as i00042, all of one width; item i belongs to group i mod 8.
// Thread safety: a value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/generate/json_line.h"
#include "app/generate/traffic_spec.h"
#include "recmeter/base/event_time.h"

namespace recmeter::generate {

struct ShownList {
  std::uint64_t number = 0;
  EventTime ts;
  std::uint64_t user = 0;
  std::string_view placeholder;  // instead of the user's id, where not empty
  std::uint64_t favourite_group = 0;
  std::size_t engagement = 0;
  std::uint32_t variant = 0;
  bool search = false;
  bool in_rows = false;
  std::size_t length = 0;
  std::array<std::uint64_t, longest_list> items{};
};

enum class ActionKind : std::uint8_t { click, purchase, rating };
[[nodiscard]] std::string_view to_string(ActionKind kind) noexcept;

struct UserAction {
  ActionKind kind = ActionKind::click;
  EventTime ts;
  std::uint64_t user = 0;
  std::string_view placeholder;
  std::uint64_t item = 0;
  bool names_list = false;
  std::uint64_t list = 0;
  std::uint32_t value = 0;  // of a rating, 1 to 5
};

// How records are written.
struct LineForm {
  bool named_variants = true;  // A and B, else v0, v1, ...
  bool surfaces = true;
  bool scores = false;
  std::size_t item_digits = 1;
};

[[nodiscard]] LineForm line_form(const TrafficSpec& spec) noexcept;

// What the recommender predicts the user would rate the item, in tenths, 10 to 50.
[[nodiscard]] std::uint32_t predicted_tenths(const ShownList& list, std::size_t rank) noexcept;

// `ts` is what the record says, whatever the list's own time.
void put_whole_list(JsonLine& line, const ShownList& list, EventTime ts, const LineForm& form);
// Requires: 1 <= rank <= list.length.
void put_row(JsonLine& line, const ShownList& list, std::size_t rank, EventTime ts, const LineForm& form);
void put_action(JsonLine& line, const UserAction& action, EventTime ts, const LineForm& form);

}  // namespace recmeter::generate
