#include "app/generate/generate_log.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <utility>
#include <vector>

#include "app/generate/option_text.h"
#include "app/generate/output_files.h"
#include "app/generate/traffic_generator.h"

namespace recmeter::generate {

namespace {

// Reads an option's text by `parse` into `target`. The parser shows the sentence that parse gives for a text it cannot read.
template <class T, class Parse>
CLI::Option* add_text(CLI::App& app, const std::string& name, T& target, Parse parse, const std::string& help,
                      const std::string& shown_default) {
  const auto check = [parse](const std::string& text) {
    const auto value = parse(text);
    return value ? std::string() : value.error().context;
  };
  const auto assign = [&target, parse](const std::string& text) {
    if (const auto value = parse(text)) target = *value;
  };
  return app.add_option_function<std::string>(name, assign, help)
      ->check(CLI::Validator(check, ""))
      ->default_str(shown_default);
}

CLI::Option* add_duration(CLI::App& app, const std::string& name, Duration& target, const std::string& help) {
  return add_text(app, name, target, parse_duration, help, duration_text(target))->type_name("DURATION");
}

template <class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& target, const std::string& help) {
  return app.add_option(name, target, help)->capture_default_str();
}

CLI::Option* add_share(CLI::App& app, const std::string& name, double& target, const std::string& help) {
  return add_number(app, name, target, help)->type_name("SHARE");
}

void add_amount(CLI::App& app, TrafficSpec& spec) {
  app.option_defaults()->group("Amount and time");
  add_number(app, "--lists", spec.lists, "Recommendation lists to show, 1 to 1e10");
  add_number(app, "--seed", spec.seed, "Same seed and options, same bytes");
  const auto in_units = [](std::int64_t unit_ms) {
    return [unit_ms](const std::string& text) { return parse_span(text, unit_ms); };
  };
  auto* days =
      add_text(app, "--days", spec.span, in_units(one_day.ms), "Event time the lists span, in days; the rate follows", "1");
  add_text(app, "--hours", spec.span, in_units(one_hour.ms), "The same in hours", "24")->excludes(days);
  add_text(app, "--start", spec.start, parse_start, "Event time of the beginning: RFC 3339 in UTC, or ms since 1970",
           "2023-11-14T00:00:00Z");
  add_number(app, "--rhythm", spec.rhythm, "Swing of the rate over the day, 0 to 0.95: lowest 08:00, highest 20:00 UTC");
}

void add_population(CLI::App& app, TrafficSpec& spec) {
  app.option_defaults()->group("Users, items, lists");
  add_number(app, "--users", spec.users, "Users, 1 to 1e8, equally active");
  add_number(app, "--items", spec.items,
             "Items the lists are drawn from, in 8 groups of taste; at least 8 times the list length");
  add_number(app, "--zipf", spec.item_exponent, "Zipf exponent of item popularity within a group, 0 to 3");
  const auto set_lengths = [&spec](const std::string& text) {
    if (const auto range = parse_range(text)) {
      spec.length_min = range->first;
      spec.length_max = range->second;
    }
  };
  const auto check_lengths = [](const std::string& text) {
    const auto range = parse_range(text);
    return range ? std::string() : range.error().context;
  };
  app.add_option_function<std::string>("--list-length", set_lengths,
                                       "Items in a list: a number, or from-to, uniform; 1 to 100")
      ->check(CLI::Validator(check_lengths, ""))
      ->type_name("N|N-N")
      ->default_str("10");
  add_share(app, "--empty-lists", spec.empty_lists, "Share of lists without items");
  add_share(app, "--rows", spec.rows, "Share of lists written as rows, one record an item");
  add_share(app, "--heavy-user", spec.heavy_user, "Share of the lists that go to the one user u0");
  add_share(app, "--placeholder-users", spec.placeholder_users, "Share of the lists under user ids \"anonymous\" and \"0\"");
}

void add_variants(CLI::App& app, TrafficSpec& spec) {
  app.option_defaults()->group("Variants and surfaces");
  add_share(app, "--quality-a", spec.quality_a, "Share of ranks that variant A fills from the user's favourite group");
  add_share(app, "--quality-b", spec.quality_b, "The same of variant B");
  add_share(app, "--share-b", spec.share_b, "Share of users that see B");
  add_number(app, "--segment-values", spec.segment_values,
             "Values of segment `variant`: 2 are A and B; more are v0, v1, ...: even ones as A, odd ones as B");
  add_share(app, "--search-share", spec.surface_search, "Share of lists on surface `search`, the others on `home`");
}

void add_actions(CLI::App& app, TrafficSpec& spec) {
  app.option_defaults()->group("What users do");
  add_number(app, "--feedback-per-list", spec.feedback_per_list, "Mean number of actions per list; sets the click rate");
  add_number(app, "--position-bias", spec.position_bias, "Rank i is looked at with probability i^-bias; 0 to 3");
  add_duration(app, "--click-delay", spec.click_delay.median, "Median of the log-normal time from list to click");
  add_number(app, "--click-sigma", spec.click_delay.sigma, "Sigma of its logarithm, 0 to 4");
  add_share(app, "--purchases", spec.purchases, "Chance of a purchase after a click");
  add_duration(app, "--purchase-delay", spec.purchase_delay.median,
               "Median of the log-normal time from click to purchase or rating");
  add_number(app, "--purchase-sigma", spec.purchase_delay.sigma, "Sigma of its logarithm, 0 to 4");
  add_duration(app, "--longest-delay", spec.longest_delay, "Either delay is below this");
  add_share(app, "--ratings", spec.ratings, "Chance of a rating after a click; above 0, lists carry scores");
  add_share(app, "--organic", spec.organic, "Share of actions that follow no list");
  add_share(app, "--with-list-id", spec.with_list_id, "Share of the actions on lists that name the list");
}

void add_disturbances(CLI::App& app, TrafficSpec& spec) {
  app.option_defaults()->group("Disturbances");
  add_duration(app, "--disorder", spec.disorder, "A record's place in the log is delayed by up to this; at most --lateness");
  add_share(app, "--duplicates", spec.duplicates, "Share of records written twice");
  add_share(app, "--late", spec.late, "Share of records written when the log is further than --lateness ahead");
  add_duration(app, "--lateness", spec.lateness, "What late means: the evaluator's allowed_lateness");
  add_share(app, "--malformed", spec.malformed, "Unreadable and invalid records of every kind, added per good record");
  add_share(app, "--wrong-clocks", spec.wrong_clocks, "Share of records 2 hours ahead, at most 0.2");
  app.add_flag("--far-clock", spec.far_clock, "One record in 2199: the last one, or in the middle with --honest-end");
  app.add_flag("--honest-end", spec.honest_end, "Every file ends with a record whose clock is right");
}

void add_topics(CLI::App& app, TopicPlace& topics) {
  app.option_defaults()->group("Topics");
  app.add_option("--brokers", topics.brokers, "Brokers, host:port,...: the log goes to topics")
      ->type_name("HOSTS")
      ->excludes("--output")
      ->excludes("--split");
  const auto add_topic = [&](const char* name, std::vector<std::string*> targets, const char* help) {
    const auto assign = [targets](const std::string& topic) {
      for (std::string* target : targets) *target = topic;
    };
    app.add_option_function<std::string>(name, assign, help)->type_name("TOPIC")->needs("--brokers");
  };
  add_topic("--topic", {&topics.impressions, &topics.feedback}, "Topic of all records, keyed by user");
  add_topic("--impressions-topic", {&topics.impressions}, "Topic of the lists");
  add_topic("--feedback-topic", {&topics.feedback}, "Topic of the actions");
  add_number(app, "--partitions", topics.partitions, "Of a topic that is not there yet")->check(CLI::Range(1, 10'000));
  add_duration(app, "--end-marks", topics.end_marks,
               "Ends each partition with an event so much later, of a type nobody knows; 0s: none");
  add_number(app, "--rate", topics.rate, "Records a second; 0: as many as the brokers take");
}

// --plain is a set of defaults: an option that is given wins.
void apply_plain(CLI::App& command, TrafficSpec& spec) {
  const TrafficSpec plain = plain_traffic();
  const auto given = [&](const char* name) { return command.get_option(name)->count() > 0; };
  if (!given("--users")) spec.users = plain.users;
  if (!given("--items")) spec.items = plain.items;
  if (!given("--feedback-per-list")) spec.feedback_per_list = plain.feedback_per_list;
  if (!given("--rhythm")) spec.rhythm = plain.rhythm;
  if (!given("--search-share")) spec.surfaces = plain.surfaces;
}

}  // namespace

CLI::App* add_generate_options(CLI::App& app, GenerateOptions& options) {
  CLI::App* command = app.add_subcommand("generate", "Write synthetic traffic whose metric values are known");
  command->add_option("-o,--output", options.output, "File, or with --split directory; - or none: standard output");
  add_text(*command, "--split", options.split, parse_split,
           "none; impressions,feedback: one file each; hour: a file for each hour of writing", "none")
      ->type_name("SPLIT");
  command->add_option("--format", options.format, "Format of the records")
      ->check(CLI::IsMember({"jsonl"}))
      ->capture_default_str();
  command->add_option("--truth", options.truth, "File for the truth as JSON");
  command->add_flag("--quiet", options.quiet, "Do not print the truth on standard error");
  command->add_flag("--plain", options.plain,
                    "The benchmark's traffic: 0.3 feedback per list, 1e6 users, 1e5 items, no surfaces, no rhythm");
  TrafficSpec& spec = options.spec;
  add_amount(*command, spec);
  add_population(*command, spec);
  add_variants(*command, spec);
  add_actions(*command, spec);
  add_disturbances(*command, spec);
  add_topics(*command, options.topics);
  add_duration(*command, "--horizon", spec.horizon, "Feedback earlier than this after its list counts in the truth")
      ->group("Truth");
  command->parse_complete_callback([command, &options] {
    if (options.plain) apply_plain(*command, options.spec);
  });
  return command;
}

namespace {

// Also the split that the places of the log ask for.
struct Output {
  std::unique_ptr<LogOutput> log;
  Split split;
};

Result<Output> output_of(const GenerateOptions& options, OpenTopicOutput* open_topics, const std::atomic<bool>* interrupted) {
  const TopicPlace& topics = options.topics;
  if (topics.brokers.empty()) {
    return Output{std::make_unique<OutputFiles>(OutputPlace{options.output, options.split, options.spec.start, interrupted}),
                  options.split};
  }
  if (topics.impressions.empty() || topics.feedback.empty()) {
    return failure(Errc::config_invalid, "--brokers needs topics; give --topic, or --impressions-topic and --feedback-topic");
  }
  if (open_topics == nullptr) {
    return failure(Errc::config_invalid, "topic " + topics.impressions + ": this program was built without Kafka and HTTP " +
                                             "(RECMETER_CORE_ONLY); build preset release, or write a file with --output");
  }
  auto log = open_topics(topics, interrupted);
  if (!log) return tl::unexpected(std::move(log).error());
  return Output{std::move(*log), topics.impressions == topics.feedback ? Split::none : Split::kind};
}

}  // namespace

Result<Truth> run_generate(const GenerateOptions& options, OpenTopicOutput* open_topics,
                           const std::atomic<bool>* interrupted) {
  if (options.split != Split::none && (options.output.empty() || options.output == "-")) {
    return failure(Errc::config_invalid, "--split needs a directory; give --output DIR");
  }
  if (auto good = check_spec(options.spec); !good) return tl::unexpected(std::move(good).error());

  std::signal(SIGPIPE, SIG_IGN);
  auto output = output_of(options, open_topics, interrupted);
  if (!output) return tl::unexpected(std::move(output).error());
  TrafficGenerator generator(options.spec, output->split, *output->log);
  auto truth = generator.run();
  if (!truth) return tl::unexpected(std::move(truth).error());
  if (auto finished = output->log->finish(); !finished) return tl::unexpected(std::move(finished).error());
  if (options.truth.empty()) return *std::move(truth);
  if (auto written = write_whole_file(options.truth, truth_json(*truth)); !written) {
    return tl::unexpected(std::move(written).error());
  }
  return *std::move(truth);
}

}  // namespace recmeter::generate
