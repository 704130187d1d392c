// Faults: the mistakes found so far, and where in the text each path was written. One loading, one thread.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_fault.h"

namespace recmeter::config {

struct Place {
  int line = 1;
  int column = 1;
};

class Faults {
 public:
  explicit Faults(std::string file);

  void add(Place place, std::string path, std::string message, std::string remedy);

  // Remembers where `path` is written, for add_at().
  void written(const std::string& path, Place place);
  [[nodiscard]] bool is_written(const std::string& path) const { return places_.contains(path); }
  // A contradiction found after reading: stands where `path`, or the nearest section around it, is written.
  void add_at(const std::string& path, std::string message, std::string remedy);
  // Says that the value of `path` has no form in which it could be read, so that nothing is known of what it holds.
  void not_read(const std::string& path) { unread_.push_back(path); }
  // Says whether what is at `path` could be read: a default in its place is nothing that was written.
  [[nodiscard]] bool is_read(std::string_view path) const;
  // Whether all of these could be read, and no fault was found at or below any of them, so that a check of their values makes
  // sense.
  [[nodiscard]] bool none_in(std::initializer_list<std::string_view> paths) const;

  // A key that some section knows; and one that its section does not know. The remedy is found in all(), when all known
  // keys of all sections have been told.
  void known(const std::string& section, std::string_view key);
  // By section, its keys in the order of reading.
  [[nodiscard]] const std::map<std::string, std::vector<std::string>>& known() const { return known_; }
  void add_unknown(Place place, const std::string& section, const std::string& key);

  [[nodiscard]] bool empty() const { return faults_.empty() && unknown_.empty(); }
  // Everything, sorted by place.
  [[nodiscard]] std::vector<ConfigFault> all() const;

 private:
  struct Unknown {
    Place place;
    std::string section;
    std::string key;
  };
  [[nodiscard]] std::string remedy_for(const Unknown& unknown) const;

  std::string file_;
  std::vector<ConfigFault> faults_;
  std::vector<std::string> unread_;
  std::vector<Unknown> unknown_;
  std::map<std::string, Place> places_;
  std::map<std::string, std::vector<std::string>> known_;
};

// "join" + "skew" -> "join.skew"; "" + "join" -> "join".
[[nodiscard]] std::string joined(const std::string& section, std::string_view key);

}  // namespace recmeter::config
