// Every kind of record of a state, damaged in every way in which bytes can be: attach goes on with the rows of a sound state,
// or says that the state is unusable, and so does state check. Never another row, never without an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/attach/attach_plans.h"
#include "app/attach/state_check.h"
#include "recmeter/live/attach.h"
#include "recmeter/memory/memory_store.h"
#include "support/one_thread.h"
#include "support/scripted_host.h"
#include "support/topic_source.h"

namespace recmeter {
namespace {

using Content = std::map<std::string, std::string>;
using Rows = std::map<std::uint64_t, std::string>;

constexpr std::int64_t zero_ms = 1'700'000'040'000;  // a full minute
constexpr std::size_t records = 600;
constexpr std::int64_t users = 67;  // enough for intervals, which kept rows are compared by

const std::string yaml = R"(
inputs: [{topic: log, allowed_lateness: 10s}]
join: {horizons: [1m], actions: {click: {gain: 1}}, same_list: 1m, assemble: 0s}
segments: [[variant]]
metrics: {cutoffs: [3], names: [precision, mrr]}
state: {dir: here, keep_results: 1d}
attribution: {windows: [minute], ranks: true}
experiments:
  - name: ranker
    arms: {key: variant, values: [A, B], control: A}
    start: 2023-11-14T22:14:00Z
    every: 1m
    duration: 1d
    primary: [{metric: "precision@3", mde: 0.02}]
)";
const std::string first_windows = "windows: [{name: minute, size: 1m}]\n";
const std::string windows = "windows: [{name: minute, size: 1m}, {name: long, size: 8m}]\n";

std::string line(std::int64_t n) {
  const std::string head =
      R"(","ts":)" + std::to_string(zero_ms + n * 2'000) + R"(,"user_id":"u)" + std::to_string(n % users) + '"';
  if (n % 3 == 2) return R"({"type":"click)" + head + R"(,"item_id":"b"})";
  return R"({"type":"impression)" + head + R"(,"list_id":"l)" + std::to_string(n) + R"(","items":["a","b"],"segments":{)" +
         R"("variant":")" + (n % users % 2 == 0 ? "A" : "B") + R"("}})";
}

class Publisher final : public RowPublisher {
 public:
  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  bool wants_experiments() const override { return true; }
  bool is_full() const override { return takes_no_more_; }
  Result<void> publish(const NumberedRow& row) override {
    rows_[row.number] = row.value;
    taken_ = row.number + 1;
    return {};
  }
  Result<std::uint64_t> published() override { return taken_; }
  std::string position() const override { return {}; }

  Rows rows_;
  std::uint64_t taken_ = 0;
  bool takes_no_more_ = false;
};

// Ends a run that has nothing to do, and one that does not end by itself.
class Host final : public support::ScriptedHost {
 public:
  Host() : ScriptedHost(200) {}
  Result<RunMode> mode() override {
    is_endless_ = ++rounds_ > 20'000;
    return is_endless_ ? RunMode::end : ScriptedHost::mode();
  }
  bool is_endless_ = false;

 private:
  std::size_t rounds_ = 0;
};

class DamagedState : public testing::Test {
 protected:
  static const ConfigContext& context() {
    static const ConfigContext nothing{
        .environment = [](const std::string&) { return std::optional<std::string>(); },
        .read_catalog = [](const std::string& path, std::size_t, const std::string&) -> Result<Catalog> {
          return failure(Errc::input_missing, path);
        }};
    return nothing;
  }
  static Config load(const std::string& text) {
    auto config = load_config(text, "test.yaml", context());
    EXPECT_TRUE(config) << to_text(config.error().front());
    config->spec.metrics.left_out = true;  // as with HTTP
    keep_parts(config->spec);
    return std::move(*config);
  }

  struct Outcome {
    Result<void> ended;
    Rows rows;
    bool is_endless = false;
  };
  // A run up to record `end`, or all; the rows that it makes last wait in the state.
  static Outcome run(StateStore& store, const std::string& text, std::size_t end, bool publishes = true) {
    const Config config = load(text);
    Outcome outcome;
    const auto plans = attach_plans(store, config, context(), false);
    if (!plans) {
      outcome.ended = tl::unexpected(plans.error());
      return outcome;
    }
    const auto checkpoint = checkpoint_in(store);
    if (!checkpoint) {
      outcome.ended = tl::unexpected(checkpoint.error());
      return outcome;
    }
    const std::int64_t from = *checkpoint && !(*checkpoint)->positions.empty() ? (*checkpoint)->positions[0].next_offset : 0;
    auto log = std::make_shared<std::vector<support::TopicRecord>>();
    for (std::size_t n = 0; n < end; ++n) {
      log->push_back({.value = line(static_cast<std::int64_t>(n)),
                      .broker_time = EventTime{zero_ms + static_cast<std::int64_t>(n) * 2'000}});
    }
    std::vector<AttachInput> inputs;
    inputs.push_back({.partition = {.source = std::make_unique<support::TopicSource>("log/0", log, from, false, 1),
                                    .decoder = 0,
                                    .lateness = Duration{10'000}},
                      .idle_after = Duration{1'000'000'000}});
    AttachOptions options;
    options.decoders.resize(1);
    options.decoders[0].actions = {"click"};
    options.checkpoint_every = Duration{50};
    options.keep_results = Duration{86'400'000};
    options.keep_sums = config.spec.attribution->keep;
    support::OneThread executor;
    Publisher publisher;
    publisher.takes_no_more_ = !publishes;
    Host host;
    const auto report = attach(plans->generations, std::move(inputs), std::move(options), store, executor, publisher, host);
    if (!report) outcome.ended = tl::unexpected(report.error());
    outcome.rows = std::move(publisher.rows_);
    outcome.is_endless = host.is_endless_;
    return outcome;
  }
  static Content content(const StateStore& store) {
    Content all;
    EXPECT_TRUE(store.scan("", "\xff", [&](std::string_view key, std::string_view value) {
      all.emplace(key, value);
      return true;
    }));
    return all;
  }
  static std::unique_ptr<memory::MemoryStore> store_of(const Content& content) {
    auto store = std::make_unique<memory::MemoryStore>();
    StateBatch batch;
    for (const auto& [key, value] : content) batch.put(key, value);
    EXPECT_TRUE(store->write(batch, StateStore::Durability::process));
    return store;
  }
  // With two generations, looks, panes, kept rows, and rows to be published.
  static const Content& sound() {
    static const Content made = [] {
      memory::MemoryStore store;
      EXPECT_TRUE(run(store, yaml + first_windows, 200).ended);
      EXPECT_TRUE(run(store, yaml + windows, 300).ended);
      EXPECT_TRUE(run(store, yaml + windows, 400, false).ended);
      return content(store);
    }();
    return made;
  }
  static const Rows& expected() {
    static const Rows made = [] {
      auto outcome = run(*store_of(sound()), yaml + windows, records);
      EXPECT_TRUE(outcome.ended) << outcome.ended.error().context;
      return std::move(outcome.rows);
    }();
    return made;
  }
  // Where attach goes on it has the rows it should. Check says what attach says, and besides what a restart leaves unread of
  // the journal.
  static void expect_the_same_of(const Content& damaged, const std::string& what) {
    const auto store = store_of(damaged);
    const Config config = load(yaml + windows);
    const auto checked = check_state(*store, context(), &config);
    const auto without = check_state(*store, context(), nullptr);
    const Outcome outcome = run(*store, yaml + windows, records);
    EXPECT_FALSE(outcome.is_endless) << what;
    const bool is_unread = (what.front() == 'j' || what.front() == 'k') && outcome.ended && !checked;
    EXPECT_TRUE(is_unread || outcome.ended.has_value() == checked.has_value())
        << what << "; attach: " << (outcome.ended ? "goes on" : outcome.ended.error().context)
        << "; check: " << (checked ? "sound" : checked.error().context);
    EXPECT_EQ(checked.has_value(), without.has_value()) << what << "; without a configuration";
    if (!checked) {
      EXPECT_EQ(checked.error().code, Errc::state_unusable) << what << checked.error().context;
    }
    if (!outcome.ended) {
      EXPECT_EQ(outcome.ended.error().code, Errc::state_unusable) << what << outcome.ended.error().context;
      return;
    }
    EXPECT_EQ(outcome.rows, expected()) << what;
  }
};

std::string shown(const std::string& key) {
  std::string out;
  for (const char c : key) {
    char text[5];
    std::snprintf(text, sizeof text, c >= ' ' && c <= '~' ? "%c" : "\\x%02x", static_cast<unsigned char>(c));
    out += text;
  }
  return out;
}

TEST_F(DamagedState, has_every_kind_of_record) {
  std::string kinds;
  for (const auto& [key, value] : sound()) {
    if (kinds.find(key[0]) == std::string::npos) kinds += key[0];
  }
  EXPECT_EQ(kinds, "cegijklmnopsuvx");
  EXPECT_GT(expected().size(), 20U);
  expect_the_same_of(sound(), "sound");
}

TEST_F(DamagedState, is_told_by_attach_and_check_alike) {
  std::map<char, int> seen;
  for (const auto& [key, value] : sound()) {
    if (++seen[key[0]] > 12) continue;  // of a kind
    const std::vector<std::pair<std::string, std::string>> damages{{"empty", ""},
                                                                   {"half", value.substr(0, value.size() / 2)},
                                                                   {"short", value.substr(0, value.size() - 1)},
                                                                   {"long", value + "x"},
                                                                   {"nonsense", "nonsense"},
                                                                   {"numbers", std::string(40, '\xff')}};
    for (const auto& [how, bytes] : damages) {
      if (value.empty() || bytes == value) continue;
      Content damaged = sound();
      damaged[key] = bytes;
      expect_the_same_of(damaged, shown(key) + " " + how);
    }
    Content without = sound();
    without.erase(key);
    expect_the_same_of(without, shown(key) + " erased");
    Content renamed = without;
    renamed[key.substr(0, key.size() - 1)] = value;
    expect_the_same_of(renamed, shown(key) + " under a shorter key");
  }
}

TEST_F(DamagedState, without_a_whole_kind_is_told_by_attach_and_check_alike) {
  for (const char kind : {'e', 'g', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 's', 'u', 'v', 'x'}) {
    Content damaged = sound();
    std::erase_if(damaged, [&](const auto& one) { return one.first[0] == kind; });
    expect_the_same_of(damaged, std::string(1, kind) + " erased");
  }
}

TEST_F(DamagedState, without_its_whole_journal_ends_the_run) {
  Content damaged = sound();
  std::erase_if(damaged, [](const auto& one) { return one.first[0] == 'j'; });
  const Outcome outcome = run(*store_of(damaged), yaml + windows, records);
  ASSERT_FALSE(outcome.ended);
  EXPECT_EQ(outcome.ended.error().code, Errc::state_unusable) << outcome.ended.error().context;
}

// A key as the page writes it: parts of 8 bytes, letters as they are, and one part that is as long as it likes.
bool is_of_form(std::string_view key, const std::vector<std::string>& form) {
  const std::map<std::string, std::size_t> sizes{{"unit", 4}, {"part", 4}, {"stage", 1}, {"0", 1}};
  const std::set<std::string> texts{"name", "partition", "series"};
  std::size_t fixed = 0;
  bool is_open = false;
  for (const std::string& part : form) {
    if (part.starts_with('`')) {
      if (is_open && !key.ends_with(part.substr(1, 1))) return false;
      if (!is_open && !key.starts_with(part.substr(1, 1))) return false;
      fixed += 1;
    } else if (texts.contains(part)) {
      is_open = true;
    } else {
      fixed += sizes.contains(part) ? sizes.at(part) : 8;
    }
  }
  return is_open ? key.size() > fixed : key.size() == fixed;
}

std::vector<std::vector<std::string>> forms_of_the_page() {
  std::ifstream in(RECMETER_SOURCE_DIR "/state/FORMAT.md");
  std::vector<std::vector<std::string>> forms;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream words(line.substr(2, line.find(" | ") - 2));
    forms.emplace_back();
    for (std::string word; words >> word;) forms.back().push_back(word);
  }
  return forms;
}

TEST_F(DamagedState, has_the_keys_that_the_page_of_the_format_has) {
  const auto forms = forms_of_the_page();
  ASSERT_GT(forms.size(), 10U);
  for (const auto& [key, value] : sound()) {
    EXPECT_TRUE(std::ranges::any_of(forms, [&](const auto& form) { return is_of_form(key, form); })) << shown(key);
  }
  std::ifstream code(RECMETER_SOURCE_DIR "/src/live/state_keys.h");
  std::set<std::string> kinds{"`c`", "`d`", "`n`"};
  for (std::string line; std::getline(code, line);) {
    const std::size_t at = line.find("= '");
    if (line.starts_with("inline constexpr char ") && at != std::string::npos)
      kinds.insert("`" + line.substr(at + 3, 1) + "`");
  }
  std::set<std::string> named;
  for (const auto& form : forms) named.insert(form.front().substr(0, 3));
  named.erase("`q`");  // as older programs kept rows
  EXPECT_EQ(named, kinds) << "of the page, and of src/live/state_keys.h";
}

}  // namespace
}  // namespace recmeter
