#include "app/infer/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "app/infer/configuration_text.h"
#include "app/infer/fitting_shape.h"
#include "app/infer/input_guess.h"
#include "app/infer/log_sample.h"
#include "app/infer/position_base.h"
#include "app/infer/shape_segments.h"
#include "app/infer/yaml_text.h"
#include "app/run/run_verdict.h"

namespace recmeter {
namespace {

// Files of the same columns, written alike, are one input.
std::vector<InputFiles> group(std::vector<LogSample>& samples) {
  std::vector<InputFiles> inputs;
  const auto paths_of = [](const LogSample& sample) {
    std::set<std::string> paths;
    for (const Column& column : sample.columns) paths.insert(column.path);
    for (const ListColumn& list : sample.lists) paths.insert(list.path);
    return paths;
  };
  std::vector<std::pair<std::set<std::string>, RowForm>> known;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::pair kind(paths_of(samples[i]), samples[i].form);
    const auto same = std::ranges::find(known, kind);
    if (same != known.end()) {
      inputs[static_cast<std::size_t>(same - known.begin())].files.push_back(samples[i].file);
      continue;
    }
    known.push_back(kind);
    inputs.push_back({.sample = i, .files = {samples[i].file}});
  }
  return inputs;
}

std::vector<Doubt> doubts_of(const LogGuess& guess) {
  std::vector<Doubt> doubts;
  if (guess.actions.empty()) {
    doubts.push_back({"the actions", "none on an item of these lists was found; are they in another file? Name it, too"});
  }
  for (const std::string& file : guess.unread) {
    doubts.push_back(
        {"the files", fmt::format("{} is not read, since the records of lists say what was done; are its records actions "
                                  "on whole lists? Then give it an input with an action that has `on: list`",
                                  file)});
  }
  for (const InputGuess& input : guess.inputs) {
    for (const Choice& choice : input.choices) {
      if (!choice.is_unsure()) continue;
      doubts.push_back({std::string(to_string(choice.role)), doubt_text(choice)});
    }
    for (const std::string& sentence : time_doubts(input.time)) doubts.push_back({"ts", sentence});
    for (const EventGuess& event : input.events) {
      if (event.evidence.starts_with("UNSURE")) doubts.push_back({event.type, event.evidence.substr(8)});
    }
  }
  return doubts;
}

std::vector<ProposedArms> arms_of(const std::vector<SegmentGuess>& segments) {
  std::vector<ProposedArms> arms;
  for (const SegmentGuess& segment : segments) {
    if (segment.arm.is_arm) arms.push_back({segment.key, segment.arm.values, segment.arm.control});
  }
  return arms;
}

// Of files that are hardly in the format that they are read as.
std::vector<Doubt> format_doubts(const std::vector<LogSample>& samples) {
  std::vector<Doubt> doubts;
  for (const LogSample& sample : samples) {
    if (sample.unreadable <= sample.records) continue;
    doubts.push_back({"the format", fmt::format("{}: {} of {} records that were looked at are unreadable; {}", sample.file,
                                                sample.unreadable, sample.unreadable + sample.records, sample.read_as)});
  }
  return doubts;
}

std::vector<std::string> profile_of(const std::vector<LogSample>& samples) {
  std::vector<std::string> lines;
  for (const LogSample& sample : samples) {
    lines.push_back(fmt::format("{}: {}, {} records read", sample.file, sample.format, sample.records));
    for (const Column& column : sample.columns) {
      const std::set<Cell> values(column.cells.begin(), column.cells.end());
      const auto first = std::ranges::find_if(column.cells, [](Cell cell) { return !cell.empty(); });
      lines.push_back(fmt::format(
          "  {}: in {:.3g} % of the records, {} values, such as {}", column.path,
          100.0 * static_cast<double>(column.present) / static_cast<double>(std::max<std::size_t>(sample.records, 1)),
          values.size() - (values.contains(Cell()) ? 1 : 0), yaml_text(first->substr(0, 40))));
    }
    for (const ListColumn& list : sample.lists) {
      lines.push_back(
          fmt::format("  {}{}{}: a list in {} records", list.path, list.entry.empty() ? "" : ".", list.entry, list.present));
    }
  }
  return lines;
}

// The files to be read by a configuration, which may name them itself.
std::vector<std::string> unnamed(const std::vector<std::string>& files, const Config& config) {
  const bool names_files = std::ranges::any_of(config.inputs, [](const InputSpec& input) { return !input.files.empty(); });
  return names_files ? std::vector<std::string>() : files;
}

// What the sample becomes by the configuration.
Result<void> prove(Proposal& proposal, const std::vector<std::string>& files, const std::atomic<bool>& stop) {
  const auto config = load_inferred(proposal.config);
  if (!config)
    return failure(Errc::config_invalid, "the configuration that was inferred is not valid (" +
                                             to_text(config.error().front()) + "); please report the log's form");
  const std::vector<std::string> given = unnamed(files, *config);
  auto trial = try_configuration(*config, given, stop);
  if (!trial) return tl::unexpected(std::move(trial).error());
  auto replayed = replay_sample(*config, given, stop);
  if (!replayed) return tl::unexpected(std::move(replayed).error());
  proposal.trial = std::move(*trial);
  proposal.report = std::move(replayed->report);
  proposal.curve = std::move(replayed->curve);
  return {};
}

// By a configuration that is valid.
Result<ExperimentGuesses> experiments_of(const Proposal& proposal, const std::vector<SegmentGuess>& segments,
                                         const std::vector<std::string>& files, const std::atomic<bool>& stop) {
  const auto config = load_inferred(proposal.config);
  return guess_experiments(*config, segments, unnamed(files, *config), stop);
}

// By a configuration that is valid.
Result<PositionBase> base_of(const std::string& text, const std::vector<std::string>& files, const std::atomic<bool>& stop) {
  const auto config = load_inferred(text);
  return find_position_base(*config, unnamed(files, *config), stop);
}

constexpr std::size_t inputs_max = 2;
constexpr std::size_t attempts_max = 4;
constexpr double joined_enough = 0.5;

// Those that are on a list; an action that repeats another is, too.
std::uint64_t joined(const Proposal& proposal) {
  return proposal.report.feedback.credited + proposal.report.feedback.repeated;
}

double joined_share(const Proposal& proposal) {
  const auto feedback = proposal.report.events.feedback + proposal.report.events.invalid;
  return feedback == 0 ? 0 : static_cast<double>(joined(proposal)) / static_cast<double>(feedback);
}

// Actions are no copies of what was listed first.
void doubt_first(Proposal& proposal) {
  constexpr std::uint64_t enough = 20;
  const std::uint64_t actions = proposal.trial.behind_list;
  if (actions < enough || proposal.trial.on_first * 100 < actions * 98) return;
  proposal.doubts.push_back(
      {"the actions",
       fmt::format("{} of {} are on the first item of their list, at the list's own time: were they done, or is "
                   "it the list again?",
                   proposal.trial.on_first, actions)});
}

// Where some lists count from 0 and others do not, no base reads all of them.
void doubt_positions(Proposal& proposal, const PositionBase& positions) {
  if (positions.base == 0 && positions.from_one * 100 >= positions.lists) {
    proposal.doubts.push_back(
        {"position_base", fmt::format("{} of {} lists begin with position 1, the others with 0: do these count from 1? Then "
                                      "give their records an input or a rule of their own",
                                      positions.from_one, positions.lists)});
  }
  if (proposal.trial.bad_positions * 100 < proposal.trial.events) return;
  proposal.doubts.push_back(
      {"position_base",
       fmt::format("{} items have a position below it, and no rank: do these lists count from 0? Then set it "
                   "to 0, if the others do, too",
                   proposal.trial.bad_positions)});
}

// One list in pieces, or several that share an id: the log looks the same.
void doubt_whole_lists(Proposal& proposal) {
  const Trial& trial = proposal.trial;
  if (trial.continued * 20 < trial.lists || trial.continued == 0) return;
  proposal.doubts.push_back(
      {"whole_lists", fmt::format("{} of {} lists go on with other items under their id: are these more of one list, such as "
                                  "its next part? If they are lists of their own, such as a second widget of the page, set "
                                  "join.whole_lists: own",
                                  trial.continued, trial.lists)});
}

// Rare ones are no share of anything, and worth much.
void doubt_actions(Proposal& proposal) {
  for (const ActionReport& action : proposal.report.actions) {
    const FeedbackCounts& feedback = action.feedback;
    if (!is_lost(feedback)) continue;
    proposal.doubts.push_back(
        {action.name,
         fmt::format("none of its {} events is on a list by it, while others are: {}", feedback.events(),
                     feedback.unmatched > feedback.organic ? "it names lists that are not there; does it name something else?"
                                                           : "are its items and users those of the lists?")});
  }
}

void doubt_join(Proposal& proposal) {
  if (joined_share(proposal) >= joined_enough) return doubt_actions(proposal);
  proposal.doubts.push_back(
      {"the join", fmt::format("{} of {} actions are on a list by it; look at list_id, user_id and the horizon",
                               joined(proposal), proposal.report.events.feedback)});
}

Result<Proposal> proposal_of(LogGuess& guess, const std::vector<InputFiles>& inputs, const std::vector<std::string>& files,
                             const std::atomic<bool>& stop) {
  Proposal proposal;
  proposal.doubts = doubts_of(guess);
  proposal.config = guess_text(guess, inputs, {});
  if (auto proved = prove(proposal, files, stop); !proved) return tl::unexpected(std::move(proved).error());
  PositionBase positions;
  if (proposal.trial.bad_positions > 0) {
    const auto base = base_of(proposal.config, files, stop);
    if (!base) return tl::unexpected(base.error());
    positions = *base;
    for (InputGuess& input : guess.inputs) input.position_base = positions.base;
    proposal.config = guess_text(guess, inputs, {});
    if (auto proved = prove(proposal, files, stop); !proved) return tl::unexpected(std::move(proved).error());
  }
  proposal.config = guess_text(guess, inputs, {.curve = &proposal.curve});
  if (auto proved = prove(proposal, files, stop); !proved) return tl::unexpected(std::move(proved).error());
  std::vector<SegmentGuess> segments;
  for (const InputGuess& input : guess.inputs) {
    segments.insert(segments.end(), input.segments.begin(), input.segments.end());
  }
  proposal.arms = arms_of(segments);
  const auto experiments = experiments_of(proposal, segments, files, stop);
  if (!experiments) return tl::unexpected(experiments.error());
  proposal.config = guess_text(guess, inputs, {.curve = &proposal.curve, .experiments = &*experiments});
  doubt_positions(proposal, positions);
  doubt_whole_lists(proposal);
  if (!guess.has_lists || guess.actions.empty()) return proposal;
  // Dates say nothing of what came first on a day.
  const bool has_dates = std::ranges::any_of(guess.inputs, [](const InputGuess& input) { return input.time.are_dates; });
  if (!has_dates) doubt_first(proposal);
  doubt_join(proposal);
  return proposal;
}

// `samples`: of the files.
Result<Proposal> proposal_from(std::vector<LogSample>& samples, const std::vector<std::string>& files, EventTime now,
                               const std::atomic<bool>& stop) {
  Proposal proposal;
  auto shape = find_fitting_shape(files, samples, stop);
  if (!shape) return tl::unexpected(std::move(shape).error());
  if (!shape->name.empty()) {
    if (auto found = add_segments(*shape, files, samples, stop); !found) return tl::unexpected(std::move(found).error());
    proposal.shape = shape->name;
    proposal.arms = arms_of(shape->segments);
    proposal.config = shape_text(*shape, samples, {});
    if (auto proved = prove(proposal, files, stop); !proved) return tl::unexpected(std::move(proved).error());
    proposal.config = shape_text(*shape, samples, {.curve = &proposal.curve});
    if (auto proved = prove(proposal, files, stop); !proved) return tl::unexpected(std::move(proved).error());
    const auto experiments = experiments_of(proposal, shape->segments, files, stop);
    if (!experiments) return tl::unexpected(experiments.error());
    proposal.config = shape_text(*shape, samples, {.curve = &proposal.curve, .experiments = &*experiments});
    if (!shape->dropped.empty()) proposal.doubts.push_back({shape->dropped, dropped_doubt(*shape)});
    doubt_positions(proposal, shape->positions);
    if (shape->name == "native") doubt_whole_lists(proposal);  // presets know their lists
    doubt_first(proposal);
    if (proposal.trial.lists > 0) doubt_join(proposal);
    return proposal;
  }
  const std::vector<InputFiles> inputs = group(samples);
  if (inputs.size() <= inputs_max) {
    std::vector<LogSample> different;
    for (const InputFiles& input : inputs) different.push_back(std::move(samples[input.sample]));
    // The next best where the sample shows that the best is none.
    for (std::size_t attempt = 0; attempt < attempts_max; ++attempt) {
      auto guess = guess_log(different, now, attempt);
      if (!guess) break;
      auto tried = proposal_of(*guess, inputs, files, stop);
      if (!tried) return tried;
      if (proposal.config.empty() || joined_share(*tried) > joined_share(proposal)) proposal = std::move(*tried);
      if (joined_share(proposal) >= joined_enough || !guess->has_lists) break;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) samples[inputs[i].sample] = std::move(different[i]);
  }
  if (!proposal.config.empty()) return proposal;
  proposal.profile = profile_of(samples);
  proposal.shortfall = shortfall_of(samples, inputs, now);
  if (!shape->near.empty()) proposal.doubts.push_back({"the shape", shape->near});
  return proposal;
}

}  // namespace

Result<Proposal> infer_configuration(const std::vector<std::string>& files, EventTime now, const std::atomic<bool>& stop) {
  std::vector<LogSample> samples;
  for (const std::string& file : files) {
    auto sample = read_log_sample(file, stop);
    if (!sample) return tl::unexpected(std::move(sample).error());
    samples.push_back(std::move(*sample));
  }
  const std::vector<Doubt> doubts = format_doubts(samples);
  auto proposal = proposal_from(samples, files, now, stop);
  if (proposal) proposal->doubts.insert(proposal->doubts.begin(), doubts.begin(), doubts.end());
  return proposal;
}

}  // namespace recmeter
