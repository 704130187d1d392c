// RenderedRow: a row and its JSON, rendered once for everyone who publishes, keeps or shows it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/result/row.h"

namespace recmeter {

// The JSON of a row in pieces, so that one metric can be had without the others. Views.
struct RowParts {
  std::string_view head;                  // up to the first metric
  std::vector<std::string_view> metrics;  // a member of "metrics" each, without commas

  // The row as JSON with this metric alone, "": with all of them.
  [[nodiscard]] std::string json(std::string_view metric) const;
};

struct RenderedRow {
  Row row;
  std::string key;   // render_key()
  std::string json;  // render_json()
  // Where what follows the revision begins: before it stands nothing that two renderings of the same key differ in but that.
  std::size_t facts_at = 0;
  std::size_t metrics_at = 0;            // where the first metric begins
  std::vector<std::size_t> metric_ends;  // where each ends

  [[nodiscard]] RowParts parts() const;  // lives as long as this
};
using SharedRow = std::shared_ptr<const RenderedRow>;

[[nodiscard]] SharedRow render(Row row);

}  // namespace recmeter
