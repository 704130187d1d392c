#include "app/attach/connection_check.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "app/console/version.h"
#include "app/monitor/metrics_page.h"
#include "app/monitor/published_schema.h"
#include "app/monitor/server_options.h"
#include "recmeter/http/server.h"
#include "recmeter/kafka/open_topics.h"

namespace recmeter {

namespace {

namespace fs = std::filesystem;

constexpr Duration patience{5'000};

std::string count_of(std::uint64_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

class Check {
 public:
  Check(const Config& config, const std::atomic<bool>& stop) : config_(config), stop_(stop) {}

  ConnectionFindings run() {
    for (const InputSpec& input : config_.inputs) {
      for (const std::string& topic : input.topics) look_at_topic("inputs", topic, true);
      for (const std::string& file : input.files) look_at_file(file);
    }
    if (config_.publish.kafka) look_at_topic("publish.kafka.topic", config_.publish.kafka->topic, false);
    if (!config_.publish.experiments.topic.empty()) {
      look_at_topic("publish.experiments.topic", config_.publish.experiments.topic, false);
    }
    if (config_.dead_letter && !config_.dead_letter->topic.empty()) {
      look_at_topic("dead_letter.topic", config_.dead_letter->topic, false);
    }
    if (config_.publish.file) look_at_place("publish.file.path", config_.publish.file->path);
    if (config_.dead_letter && !config_.dead_letter->file.empty()) {
      look_at_place("dead_letter.file", config_.dead_letter->file);
    }
    const bool is_live = !config_.inputs.empty() && !config_.inputs.front().topics.empty();
    if (is_live) look_at_place("state.dir", config_.state.dir);
    if (is_live && config_.publish.http.is_on) look_at_address();
    return std::move(findings_);
  }

 private:
  // A topic to be read has to be there; one that is written a broker may make when the first record comes.
  void look_at_topic(const std::string& key, const std::string& topic, bool is_read) {
    const kafka::ClientOptions client{.brokers = config_.kafka.brokers, .properties = config_.kafka.properties};
    const std::vector<std::string> names{topic};
    const auto opened = kafka::open_topics(client, names, {.patience = patience, .stop = &stop_});
    if (opened) {
      findings_.facts.push_back(key + ": topic " + topic + " has " + count_of(opened->sources.size(), "partition"));
      return;
    }
    const bool is_doubt = !is_read && opened.error().code == Errc::input_missing;
    (is_doubt ? findings_.doubts : findings_.faults)
        .push_back(key + ": " +
                   (is_doubt ? "there is no topic " + topic + " yet; create it, unless brokers create topics themselves"
                             : opened.error().context));
  }

  void look_at_file(const std::string& file) {
    if (access(file.c_str(), R_OK) == 0) {
      findings_.facts.push_back("inputs: file " + file + " can be read");
    } else {
      findings_.faults.push_back("inputs: " + file + ": " + std::generic_category().message(errno) +
                                 "; correct the path, or its permissions");
    }
  }

  // A file or folder that is there has to be ours to write; else the nearest folder above it.
  void look_at_place(const std::string& key, const std::string& path) {
    std::error_code ignored;
    fs::path place = fs::absolute(path, ignored);
    const bool is_there = fs::exists(place, ignored);
    while (!fs::exists(place, ignored) && place.has_parent_path() && place != place.parent_path())
      place = place.parent_path();
    if (access(place.c_str(), W_OK) == 0) {
      findings_.facts.push_back(key + ": " + path + (is_there ? " is there and can be written" : " can be made"));
    } else {
      findings_.faults.push_back(key + ": " + place.string() + ": " + std::generic_category().message(errno) +
                                 "; get permission to write there, or name another place");
    }
  }

  void look_at_address() {
    struct Silent final : http::Handler {
      http::Response handle(const http::Request& /*request*/) noexcept override { return {}; }
    } silent;
    const PublishSpec::Http& http = config_.publish.http;
    const auto look = [&](const std::string& key, http::ServerOptions options, bool is_chosen) {
      const std::string address = options.listen;
      const auto server = http::Server::start(std::move(options), silent);
      if (server) {
        findings_.facts.push_back(key + ": " + address + " can be listened on");
      } else {
        const bool is_doubt = server.error().code == Errc::output_failed && !is_chosen;
        (is_doubt ? findings_.doubts : findings_.faults).push_back("publish.http: " + server.error().context);
      }
    };
    look("publish.http.listen", server_options_of(http), http.is_written || !http.probes.empty());
    if (!http.probes.empty()) look("publish.http.probes", probe_options_of(http), true);
  }

  const Config& config_;
  const std::atomic<bool>& stop_;
  ConnectionFindings findings_;
};

}  // namespace

ConnectionFindings check_connections(const Config& config, const std::atomic<bool>& stop) {
  return Check(config, stop).run();
}

Result<void> check_live(const Config& config) {
  const kafka::ClientOptions client{.brokers = config.kafka.brokers, .properties = config.kafka.properties};
  if (auto taken = kafka::check_properties(client); !taken) return taken;
  const bool is_live = std::ranges::any_of(config.inputs, [](const InputSpec& input) { return !input.topics.empty(); });
  if (!config.publish.http.is_on || !(is_live || config.publish.http.is_written)) return {};
  const auto schema = published_schema_of(config, std::string(build_facts().version));
  return schema ? check_metric_names(*schema) : tl::unexpected(schema.error());
}

}  // namespace recmeter
