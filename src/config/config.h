// Config: a whole configuration in checked form. [I3]; load_config() makes it and nothing else does.
//
// Plain values, immutable after loading, shared by all threads. Every member initialiser is the documented default; what
// decides the results is in `spec`, all else is how the program runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/event/field_table.h"
#include "recmeter/recommend/prequential_spec.h"

namespace recmeter {

// automatic: a file's is recognised, topics have another; kcat: lines of `kcat -J`, one topic dump; json: an array, or
// documents.
enum class InputFormat : std::uint8_t { automatic, jsonl, kcat, json, csv, tsv, avro, protobuf };

// How rows of text are written.
struct CsvForm {
  std::string delimiter;             // a character, or "tab"; "": recognised
  std::string quote;                 // a character, or "none"; "": `"`
  std::string escape;                // a character that makes the next one literal; "": none does
  std::string comment;               // a character; a line that begins with it is no row; "": none is
  std::string decimal;               // of numbers, `.` or `,`; "": `.`
  std::size_t skip = 0;              // lines at the beginning that are no rows
  bool header = true;                // whether the first row has the names of the columns
  std::vector<std::string> columns;  // the names where it has not
};

// Where the schemas of messages are asked for.
struct RegistrySpec {
  std::string url;  // "": nowhere
  std::string user;
  std::string password;     // a secret: never print it
  std::string ca;           // PEM files; "": what the system trusts
  std::string certificate;  // with `key`, both or none
  std::string key;
};

// One entry of `inputs`. Either topics or files, or neither: then it only says how the command line's files are read.
struct InputSpec {
  std::vector<std::string> topics;
  std::vector<std::string> files;
  InputFormat format = InputFormat::automatic;
  CsvForm csv;
  std::string records;  // json: the path of the array in its document; "": the document is the array
  RegistrySpec registry;
  std::string schema;   // avro, protobuf: a file with the schema of all messages; "": none
  std::string message;  // protobuf: the full name of their type
  std::string shape;    // the preset that filled in what is not written; "": none
  FieldTable fields;
  Duration allowed_lateness{60 * 1000};
  Duration idle_after{5 * 60 * 1000};
};

struct KafkaSpec {
  enum class Start : std::uint8_t { stored, earliest, latest, at_time, ago };
  enum class OnGap : std::uint8_t { earliest, latest, stop };

  std::string brokers = "localhost:9092";
  std::string group = "recmeter";
  Start start = Start::stored;
  EventTime start_time;  // Start::at_time
  Duration start_ago;    // Start::ago, > 0
  OnGap on_gap = OnGap::earliest;
  Duration session{45'000};
  Duration align{5 * 60 * 1000};
  std::size_t memory = std::size_t{256} << 20;    // bytes, all partitions together
  std::map<std::string, std::string> properties;  // may hold secrets: never print the values
};

// Where records go that take no part in the results.
struct DeadLetterSpec {
  std::string topic;  // exactly one of topic and file is not empty
  std::string file;
  bool invalid = true;  // which fates are written; at least one
  bool future = true;
  bool late = false;
};

struct StateSpec {
  enum class Durability : std::uint8_t { process };

  std::string dir = "state";
  std::size_t memory = std::size_t{1} << 30;  // bytes
  Duration checkpoint_every{1000};
  Durability durability = Durability::process;
  Duration keep_results{7 * one_day.ms};
};

struct PublishSpec {
  struct File {
    std::string path = "windows.jsonl";
    bool provisional = false;
    Duration rotate = one_day;
  };
  struct Kafka {
    std::string topic = "recmeter.windows";
  };
  // Rows of experiments; "": not there.
  struct Experiments {
    std::string file;
    std::string topic;
  };
  // http::Limits by the same names, where a limit means what it does there.
  struct HttpLimits {
    std::size_t connections_max = 1024;
    std::size_t peer_connections_max = 256;
    std::size_t header_bytes_max = std::size_t{8} << 10;
    std::size_t fields_max = 64;
    std::size_t body_bytes_max = std::size_t{64} << 10;
    std::size_t pending_bytes_max = std::size_t{64} << 20;
    std::size_t stream_bytes_max = std::size_t{64} << 10;
    Duration header{10'000};
    Duration body{10'000};
    Duration idle = one_minute;
    Duration write{30'000};
    Duration linger{2'000};
    Duration heartbeat{15'000};
    Duration retry{2'000};
  };
  struct Http {
    std::string host = "127.0.0.1";  // without the brackets of an IPv6 address
    std::uint16_t port = 8080;       // 0: any free one
    bool is_on = true;
    bool is_written = false;  // by the user: then it has to be had
    std::string token_file;   // "": no token is asked for
    std::string certificate;  // PEM files; both or none
    std::string key;
    bool force = false;              // listen on what is not loopback without token or TLS
    std::vector<std::string> hosts;  // names, besides addresses and localhost, that it answers to on loopback without token
    std::vector<std::string> embed;  // origins whose pages may show this one in a frame
    std::string probes;              // where /livez and /readyz are asked for without token and TLS; "": nowhere else
    HttpLimits limits;
  };

  Duration every{5 * 1000};
  std::optional<File> file;
  std::optional<Kafka> kafka;
  Experiments experiments;
  Http http;
};

// host:port, [v6]:port.
[[nodiscard]] std::string address_of(const PublishSpec::Http& http);
// The same back: "127.0.0.1:8080", "[::1]:8080", "localhost:0"; other names are not looked up. False, and nothing is changed:
// it is none.
[[nodiscard]] bool parse_listen(std::string_view text, PublishSpec::Http& http);
// Whether only this machine can reach it.
[[nodiscard]] bool is_loopback(const PublishSpec::Http& http);

struct Config {
  unsigned threads = 0;  // 0: number of cores
  EvaluatorSpec spec;
  bool windows_are_written = false;  // else they are the default
  std::set<std::string> presets;     // whose definitions some metric has: metric/preset.h
  std::string catalog_file;          // "": there is none
  std::vector<InputSpec> inputs;
  InputSpec command_line;  // how files on the command line are read: as the first input, without its topics and files
  KafkaSpec kafka;
  std::optional<DeadLetterSpec> dead_letter;
  StateSpec state;
  PublishSpec publish;
  PrequentialSpec prequential;
  std::string parted_text;  // what a partial says of it: that, and the experiments
  std::string kept_text;    // what a state keeps of it: app/config/kept_text.h
  // What is written, by path ("publish.http.listen"): a fingerprint of each value, since some are secrets.
  std::map<std::string, std::uint64_t> written;
};

}  // namespace recmeter
