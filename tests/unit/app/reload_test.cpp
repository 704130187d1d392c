// What SIGHUP makes of each key.
#include "app/attach/reload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "config/keys.h"
#include "config/load_config.h"

namespace recmeter {
namespace {

Config loaded(const std::string& yaml) {
  auto config = load_config(yaml, "test", process_context());
  EXPECT_TRUE(config) << yaml;
  return config ? *config : Config();
}

const std::string base = "inputs: [{topic: log}]\n";
using Places = std::vector<std::string>;

TEST(Reload, takes_every_free_key_or_names_it) {
  for (const ConfigKey& key : config_keys()) {
    if (key.kind != KeyKind::free) continue;
    const Config before = loaded(base);
    Config now = before;
    std::string place = key.name;
    if (const auto list = place.find("[]"); list != std::string::npos) place.replace(list, 2, "[0]");
    now.written[place] = 1;
    const Reload reload = reload_of(before, now);
    EXPECT_EQ(reload.at_once.size() + reload.anew.size() + reload.at_start.size(), 1U) << key.name;
    const bool is_at_start = key.name == "state.dir" || key.name == "state.memory" || key.name == "attribution.keep";
    EXPECT_EQ(!reload.at_start.empty(), is_at_start) << key.name;
  }
}

TEST(Reload, of_what_is_as_it_was_is_nothing) {
  const Reload reload = reload_of(loaded(base), loaded(base + "# a remark\n"));
  EXPECT_TRUE(reload.at_once.empty() && reload.anew.empty() && reload.at_start.empty() && reload.refused.empty());
}

TEST(Reload, is_refused_as_a_whole_where_rows_would_change) {
  const Config before = loaded(base);
  const Reload reload =
      reload_of(before, loaded(base + "windows: [{name: w, size: 5m}]\njoin: {skew: 5s}\nkafka: {align: 1m}\n"));
  EXPECT_EQ(reload.refused, (Places{"join.skew", "windows"}));
  EXPECT_TRUE(reload_of(before, loaded(base + "join: {skew: 0s}\n")).anew.empty()) << "that is the default";
}

TEST(Reload, keeps_what_only_a_start_can_change) {
  const Config before = loaded(base);
  const Config now = loaded(base + "state: {dir: other, memory: 2GiB, checkpoint_every: 2s}\nkafka: {align: 1m}\n");
  const Reload reload = reload_of(before, now);
  EXPECT_EQ(reload.at_start, (Places{"state.dir", "state.memory"}));
  EXPECT_EQ(reload.anew, (Places{"kafka.align", "state.checkpoint_every"}));
  const Config taken = reloaded(before, now);
  EXPECT_EQ(taken.state.dir, before.state.dir);
  EXPECT_EQ(taken.state.memory, before.state.memory);
  EXPECT_EQ(taken.state.checkpoint_every, Duration{2000});
  EXPECT_EQ(taken.kafka.align, one_minute);
}

TEST(Reload, keeps_for_how_long_it_can_say_why) {
  const Config before = loaded(base + "attribution: {windows: [hour]}\n");
  const Config now = loaded(base + "attribution: {windows: [hour], keep: 9d}\n");
  EXPECT_EQ(reload_of(before, now).at_start, (Places{"attribution.keep"}));
  EXPECT_EQ(reloaded(before, now).spec.attribution->keep, before.spec.attribution->keep);
  EXPECT_EQ(reload_of(loaded(base), now).refused, (Places{"attribution.windows"}));
}

TEST(Reload, turns_the_server_neither_on_nor_off) {
  const Config before = loaded(base + "publish: {http: {listen: off}}\n");
  const Config now = loaded(base + "publish: {http: {listen: \"127.0.0.1:9090\"}}\n");
  EXPECT_EQ(reload_of(before, now).at_start, (Places{"publish.http.listen"}));
  EXPECT_FALSE(reloaded(before, now).publish.http.is_on);
}

TEST(Reload, says_no_secret) {
  const std::string text =
      text_of(reload_of(loaded(base), loaded(base + "kafka: {properties: {sasl.password: hush, sasl.username: eval}}\n")));
  EXPECT_NE(text.find("kafka.properties.sasl.password"), std::string::npos) << text;
  EXPECT_EQ(text.find("hush"), std::string::npos) << text;
}

}  // namespace
}  // namespace recmeter
