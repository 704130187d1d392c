// RecordWriter: an event as a JSON line, in the words of a field table and the manners of a careless producer.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/field_table.h"
#include "support/batch_event.h"
#include "support/dice.h"

namespace recmeter::support {

// What one line says: an impression, or feedback of one item or of a basket.
struct Draft {
  BatchEvent event;
  bool basket = false;
  std::vector<std::optional<double>> entry_values;  // of a basket, for each item
};

// JSON to be written: members in order, keys may repeat, leaves are raw text.
struct JsonDraftMember;

struct JsonDraft {
  std::string raw;
  std::vector<JsonDraftMember> members;

  void set(const std::vector<std::string>& path, std::string text);
  void erase(const std::vector<std::string>& path);
  // Writes the outermost member on the path once more.
  void repeat(const std::vector<std::string>& path);
  [[nodiscard]] std::string text() const;
};

struct JsonDraftMember {
  std::string key;
  JsonDraft value;
};

class RecordWriter {
 public:
  RecordWriter(const EvaluatorSpec& spec, const FieldTable& fields, Dice& dice) : spec_(spec), fields_(fields), dice_(dice) {}

  [[nodiscard]] std::string line(const Draft& draft) { return record(draft).text(); }
  // The same record made invalid for `reason`, where its kind allows; else for another.
  [[nodiscard]] std::string invalid_line(const Draft& draft, InvalidReason reason);
  // A record of a type nobody configured, with a time or something else in its place.
  [[nodiscard]] std::string ignored_line(std::int64_t ts);

 private:
  [[nodiscard]] JsonDraft record(const Draft& draft);
  void write_impression(JsonDraft& out, const BatchEvent& event);
  void write_policy(JsonDraft& out, const BatchEvent& event);
  void write_basket(JsonDraft& out, const Draft& draft);
  [[nodiscard]] std::string time_text(std::int64_t ts);
  [[nodiscard]] std::string id_text(const std::string& id);
  [[nodiscard]] std::string quoted(const std::string& text);
  [[nodiscard]] std::string type_word(const std::string& type);
  // False where the reason is not one of its own.
  bool damage_policy(JsonDraft& out, InvalidReason reason);
  void damage(JsonDraft& out, const Draft& draft, InvalidReason reason);
  [[nodiscard]] std::string damaged_text(std::string text);
  [[nodiscard]] const std::vector<std::string>& path(Field field) const {
    return fields_.paths[static_cast<std::size_t>(field)];
  }

  const EvaluatorSpec& spec_;
  const FieldTable& fields_;
  Dice& dice_;
};

}  // namespace recmeter::support
