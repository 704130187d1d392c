// The command `recmeter generate`: its options, and what it does with them.
//
// Data goes to --output, to topics or to standard output, the truth as JSON to --truth; telling it is the caller's.
#pragma once

#include <atomic>
#include <string>

#include "app/generate/topic_output.h"
#include "app/generate/traffic_spec.h"
#include "app/generate/truth.h"

namespace CLI {
class App;
}

namespace recmeter::generate {

struct GenerateOptions {
  TrafficSpec spec;
  Split split = Split::none;
  std::string output;            // "" or "-": standard output
  TopicPlace topics;             // instead of output and split, when it has brokers
  std::string truth;             // "": only the text on standard error
  std::string format = "jsonl";  // checked by the parser
  bool plain = false;            // the defaults of plain_traffic() instead; applied by the parser
  bool quiet = false;            // no text on standard error
};

// Adds the subcommand to `app`; parsing fills `options`, which must live as long as `app`. A value that cannot be read is a
// CLI::ParseError of the parser's; what contradicts is found by run_generate. The owner gives ParseErrors exit code 2.
CLI::App* add_generate_options(CLI::App& app, GenerateOptions& options);

// Checks, generates, returns the truth. `open_topics`: null in a build without Kafka. `interrupted`, if not null, stops the
// run when set. Ignores SIGPIPE for the process, so that a closed pipe is an error with a message. Errors: config_invalid,
// output_failed, interrupted.
[[nodiscard]] Result<Truth> run_generate(const GenerateOptions& options, OpenTopicOutput* open_topics,
                                         const std::atomic<bool>* interrupted = nullptr);

}  // namespace recmeter::generate
