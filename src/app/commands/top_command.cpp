// The command `recmeter top`: a running evaluator at a glance, in a terminal. [I2].
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/commands/add_option.h"
#include "app/commands/command.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "app/console/standard_output.h"
#include "app/console/wall_clock.h"
#include "app/top/frame.h"
#include "app/top/reader.h"
#include "app/top/screen.h"
#include "config/scalar.h"

namespace recmeter {

namespace {

struct TopCommand {
  std::string url;
  std::string token_file;  // "": no token
  std::string ca_file;     // "": what the system trusts
  std::string window;
  std::string horizon;
  std::vector<std::string> metrics;
  std::string every = "2s";
  bool once = false;
};

using top::Model;

constexpr std::chrono::seconds patience{5};           // for each answer
constexpr std::chrono::milliseconds look_every{200};  // at what the reader has brought
constexpr Duration every_min{250};
constexpr Duration every_max = one_day;

// https://no-color.org: set and not empty.
bool is_color_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

Result<Duration> period_of(const std::string& text) {
  const auto every = config::parse_duration(text);
  if (every && *every >= every_min && *every <= every_max) return *every;
  return failure(Errc::config_invalid, "--every: " + text + " is not a time from 250ms to 1d; write it like 2s");
}

// Asks again and again on a thread of its own, so that no key waits for the network. The newest model is any thread's.
class Watch {
 public:
  Watch(top::Reader reader, Model first, Duration every, std::atomic<bool>& quit)
      : reader_(std::move(reader)), model_(std::move(first)), every_(every), quit_(quit), thread_([this] { ask(); }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
    }
    ends_.notify_all();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // With how often it has changed.
  [[nodiscard]] std::pair<Model, std::uint64_t> newest() {
    const std::lock_guard lock(mutex_);
    return {model_, changes_};
  }

 private:
  void ask() {
    std::unique_lock lock(mutex_);
    while (!ends_.wait_for(lock, std::chrono::milliseconds(every_.ms), [this] { return quit_.load(); })) {
      lock.unlock();
      auto model = reader_.read(wall_clock());
      lock.lock();
      if (model) {
        model_ = std::move(*model);
      } else {
        model_.fault = model.error().context;  // what was there stays, and says of when it is
      }
      ++changes_;
    }
  }

  top::Reader reader_;
  std::mutex mutex_;
  std::condition_variable ends_;
  Model model_;
  std::uint64_t changes_ = 0;
  const Duration every_;
  std::atomic<bool>& quit_;
  std::thread thread_;
};

// Until `q`, or the terminal is gone.
ExitCode watch(top::Reader reader, Model first, Duration every, std::atomic<bool>& quit) {
  top::Screen screen;
  Watch watch(std::move(reader), std::move(first), every, quit);
  const bool color = is_color_wanted();
  std::uint64_t drawn = 0;
  bool is_to_draw = true;
  while (true) {
    const auto [model, changes] = watch.newest();
    if (is_to_draw || changes != drawn) {
      top::FrameSize size = screen.size();
      const bool has_foot = size.rows > 2;
      if (has_foot) --size.rows;
      std::vector<std::string> lines = frame(model, size, color);
      if (has_foot) {
        lines.resize(size.rows);
        lines.push_back(std::string("q quits; renewed every " + config::text_of(every)).substr(0, size.columns));
      }
      if (!screen.draw(lines)) return ExitCode::failed;
      drawn = changes;
    }
    const top::Screen::Input input = screen.wait(look_every);
    if (input.key == 'q' || input.key == 'Q') return ExitCode::ok;
    if (input.is_gone) return ExitCode::failed;
    is_to_draw = input.is_resized;
  }
}

ExitCode show_once(const Model& model) {
  std::string text;
  for (const std::string& line : frame(model, {.columns = table_width(false), .rows = 0}, false)) text += line + "\n";
  return print(text);
}

ExitCode run_top(const TopCommand& command, const std::atomic<bool>& stop) {
  const auto every = period_of(command.every);
  if (!every) return report_error(every.error());
  std::atomic<bool> quit = false;
  const bool is_once = command.once || !top::Screen::is_possible();
  top::ReaderOptions options{.url = command.url,
                             .get = {.ca_file = command.ca_file, .deadline = patience, .stop = &stop},
                             .window = command.window,
                             .horizon = command.horizon,
                             .metrics = command.metrics};
  if (!command.token_file.empty()) {
    auto token = http::read_token_file(command.token_file);
    if (!token) return report_error(token.error());
    options.get.token = std::move(*token);
  }
  // What is wrong from the start is told as any message is, before the screen is taken.
  auto first = top::Reader(options).read(wall_clock());
  if (!first) return report_error(first.error());
  if (is_once) return show_once(*first);
  options.get.stop = &quit;
  return watch(top::Reader(std::move(options)), std::move(*first), *every, quit);
}

Command define_top(CLI::App& parser) {
  const auto command = std::make_shared<TopCommand>();
  CLI::App* sub =
      parser.add_subcommand("top", "Watch a running evaluator in the terminal: newest windows, lag, fates of events");
  const AddOption add{sub};
  add("URL", command->url, "", "Where it listens (publish.http.listen): http://127.0.0.1:8080")->required();
  add("--token-file", command->token_file, "FILE", "The file with its token, if it needs one");
  add("--ca-file", command->ca_file, "FILE", "Certificates (PEM) to trust besides the system's");
  add("-w,--window", command->window, "NAME", "Which windows; the first configured by default");
  add("--horizon", command->horizon, "TIME", "Which horizon; the first configured by default");
  add("-m,--metric", command->metrics, "KEY", "Which metric, as precision@10; may be repeated; the first three by default")
      ->allow_extra_args(false);
  add("--every", command->every, "TIME", "How often it is asked")->capture_default_str();
  sub->add_flag("--once", command->once, "One frame as plain text, as without a terminal");
  sub->footer("q quits. Exit codes: 0 done; 1 no answer; 2 usage, or it needs a token; 130 interrupted.");
  return {sub, [command](const std::atomic<bool>& stop) { return run_top(*command, stop); }};
}

const CommandRegistration top_registration(CommandPlace::top, define_top);

}  // namespace

}  // namespace recmeter
