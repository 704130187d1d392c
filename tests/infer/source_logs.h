// One truth as logs of the sources that people have: lists that were shown, and clicks on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace recmeter::test {

struct ShownList {
  struct Click {
    std::size_t rank = 0;  // from 0
    std::int64_t ts = 0;
  };
  std::int64_t ts = 0;  // whole seconds, in milliseconds
  std::string id;
  std::string user;
  std::string session;
  std::vector<std::string> items;
  std::vector<Click> clicks;  // in the order of time
};

// `seed` decides all of it. Lists come in the order of time; no click is later than 4 minutes.
[[nodiscard]] std::vector<ShownList> make_lists(unsigned seed, std::size_t count);

struct SourceLog {
  std::vector<std::string> files;  // the contents
  bool has_lists_without_clicks = true;
};

// Sources by name: what the preset of that name reads.
[[nodiscard]] std::vector<std::string> source_names();
[[nodiscard]] SourceLog log_of(const std::string& source, const std::vector<ShownList>& lists);

// Logs of no known source, by own_names(); `renamed`: whose names say nothing.
[[nodiscard]] std::vector<std::string> own_names();
[[nodiscard]] SourceLog own_log(const std::string& form, bool renamed, const std::vector<ShownList>& lists);

}  // namespace recmeter::test
