// docs/metrics.md, "Other tools", against the presets.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "docs/page.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"

namespace recmeter::docs {
namespace {

using Row = std::vector<std::string>;

// The table of names and the table of refusals, row by row: nothing is missing, nothing is there besides.
TEST(DocsPresets, the_page_says_what_each_preset_has_and_refuses) {
  const Page page("docs/metrics.md");
  for (const Preset& preset : all_presets()) {
    std::vector<Row> expected;
    for (const PresetName& name : preset.names) {
      const std::string id = definition_id(*find_metric(name.metric), name.options);
      expected.push_back({"`" + std::string(name.name) + "`", "`" + id + "`", std::string(name.note)});
    }
    for (const PresetRefusal& refusal : preset.refused) {
      expected.push_back({"`" + std::string(refusal.name) + "`", std::string(refusal.why)});
    }
    EXPECT_EQ(page.table_rows("`" + std::string(preset.name) + "`"), expected) << preset.name;
  }
}

TEST(DocsPresets, the_page_says_for_which_version_and_which_lists_each_holds) {
  const Page page("docs/metrics.md");
  for (const Preset& preset : all_presets()) {
    const std::string text = std::string(preset.version) + ". Holds for " + std::string(preset.holds) + ".";
    EXPECT_TRUE(page.has_line(text)) << text;
  }
}

}  // namespace
}  // namespace recmeter::docs
