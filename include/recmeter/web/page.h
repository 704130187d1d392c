// The page of the monitor and of reports, as bytes that web/ makes when the program is built. Constants of the program; any
// thread. All of it is UTF-8.
//
// Invariants:
//   W1. page() loads nothing: style and script stand in it, and page_csp() lets in these two by their hashes, nothing else.
//   W2. report_head() + lines that append_report_lines() wrote + report_tail() is one HTML file with its policy in it.
//   W3. Built without npm, has_charts() is false and page(), page_csp(), report_head(), report_tail() are empty; the plain
//       page is always there.
#pragma once

#include <string>
#include <string_view>

namespace recmeter::web {

[[nodiscard]] bool has_charts() noexcept;

// Of a running evaluator: asks ./api/v1/... (web/API.md), so it may stand at any path that a proxy gives it. Served without a
// token, for it has no data and asks for the token itself.
[[nodiscard]] std::string_view page() noexcept;
// The value of its header Content-Security-Policy.
[[nodiscard]] std::string_view page_csp() noexcept;

// Between the two stand lines of JSON, told by their `schema`: rows; a run report, if there is one; and, if wanted, a line
// {"schema":"recmeter.page/1","title":"w.jsonl","version":"0.1.0","definitions":[...]} with what /api/v1/definitions gives.
// Instead of lines it may be the base64 of their gzip, as it is.
[[nodiscard]] std::string_view report_head() noexcept;
[[nodiscard]] std::string_view report_tail() noexcept;
// Appends lines of JSON such that nothing in them can end the element they stand in: every `<` as \u003c, which occurs in
// strings only and means the same there.
void append_report_lines(std::string& out, std::string_view lines);

// For programs built without npm and readers without JavaScript: between the two goes a body of plain tables, with everything
// from data escaped. A live page renews itself by the header `Refresh: 30`.
[[nodiscard]] std::string_view plain_head() noexcept;
[[nodiscard]] std::string_view plain_tail() noexcept;
[[nodiscard]] std::string_view plain_csp() noexcept;

}  // namespace recmeter::web
