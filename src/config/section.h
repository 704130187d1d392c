// Section: one mapping of the configuration, read key by key into typed values. What is absent leaves the target as it is:
// defaults stand in the types. Faults go to Faults; reading goes on.
//
// Every key of the section is asked for, then finish() reports the keys nobody asked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/document.h"
#include "config/faults.h"
#include "config/keys.h"

namespace recmeter::config {

// A value that was written, and its path.
struct Value {
  const Node* node = nullptr;
  std::string path;
};

// What may be shown of a scalar: never what a variable holds or a secret.
[[nodiscard]] std::string shown(const Value& value);
// Whether the last part of a path of kafka.properties names a secret.
[[nodiscard]] bool is_secret(std::string_view path);

// Typed readings of one value; nullopt when it has a fault, which is then reported.
class ValueReader {
 public:
  explicit ValueReader(Faults& faults) : faults_(faults) {}

  void complain(const Value& value, std::string message, std::string remedy);
  // The same with the value as the subject: "`7x` is not a duration".
  void complain_of(const Value& value, std::string_view message, std::string remedy);

  [[nodiscard]] std::optional<std::string> text(const Value& value, std::size_t bytes_max);
  [[nodiscard]] std::optional<Duration> duration(const Value& value, Range<Duration> range);
  [[nodiscard]] std::optional<std::int64_t> integer(const Value& value, Range<std::int64_t> range);
  [[nodiscard]] std::optional<double> number(const Value& value, Range<double> range);
  [[nodiscard]] std::optional<std::uint64_t> size(const Value& value, Range<std::uint64_t> range);
  [[nodiscard]] std::optional<bool> boolean(const Value& value);
  // The index of the word.
  [[nodiscard]] std::optional<std::size_t> word(const Value& value, std::span<const std::string_view> words);
  // Of a type that is not by hand.
  [[nodiscard]] std::optional<Scalar> scalar(const Value& value, const ValueType& type);
  // Its entries, each with its path.
  [[nodiscard]] std::optional<std::vector<Value>> list(const Value& value, std::string_view example, std::size_t count_max);
  [[nodiscard]] bool is_mapping(const Value& value, std::string_view example);

 private:
  [[nodiscard]] bool is_scalar(const Value& value, std::string_view what);
  Faults& faults_;
};

class Section {
 public:
  // `node`: the mapping; null when it is not written.
  Section(Faults& faults, const Node* node, std::string path);

  // The value of a key if it is written and not broken; a key without a value is reported.
  [[nodiscard]] std::optional<Value> take(std::string_view key);
  // The same, and a value that is written as null is a null node.
  [[nodiscard]] std::optional<Value> take_or_null(std::string_view key);
  // Whether a key is written, or one in a section below.
  [[nodiscard]] bool has(std::string_view key) const { return value_of(key) != nullptr; }
  [[nodiscard]] bool has_below(std::string_view section, std::string_view key) const;
  // A section below: empty when absent or without a value. `example` is shown when it is no mapping.
  [[nodiscard]] Section section(std::string_view key, std::string_view example);

  // All keys of a table, of which those by hand are only told to be known.
  template <class Object, std::size_t N>
  void read(const std::array<Key<Object>, N>& keys, Object& target) {
    for (const Key<Object>& key : keys) faults_.known(path_, key.name);
    for (const Key<Object>& key : keys) {
      const auto value = key.set == nullptr ? std::nullopt : take(key.name);
      if (!value) continue;
      if (const auto scalar = reader_.scalar(*value, key.type)) key.set(target, *scalar);
    }
  }

  void finish();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path_of(std::string_view key) const { return joined(path_, key); }
  [[nodiscard]] bool is_written() const { return node_ != nullptr; }
  [[nodiscard]] const Node* node() const { return node_; }
  [[nodiscard]] ValueReader& reader() { return reader_; }
  [[nodiscard]] Faults& faults() { return faults_; }

 private:
  [[nodiscard]] const Node* value_of(std::string_view key) const;

  Faults& faults_;
  ValueReader reader_;
  const Node* node_;
  std::string path_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace recmeter::config
