// MessageSchemas: how messages that are no texts are read: by which schemas, and what has to be known first.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "config/config.h"
#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/event/record_reader.h"
#include "recmeter/port/record_source.h"

namespace recmeter {

enum class Going : bool { to_an_end, on };  // what a partition does

struct MessageSchemas {
  MakeRecordReader reader = nullptr;  // null: they are JSON, or rows
  // Puts in front of a source what waits until its schemas are known. Null: nothing has to.
  std::function<std::unique_ptr<RecordSource>(std::unique_ptr<RecordSource>, Going, const std::atomic<bool>& stop)> wait = {};
  std::function<std::string()> complaint = {};    // what they wait for, "" for nothing; from any thread
  std::function<RegistryStatus()> registry = {};  // that is asked for them; from any thread
};

// Whether its messages need one.
[[nodiscard]] inline bool has_message_schemas(const InputSpec& input) {
  return !input.registry.url.empty() || !input.schema.empty();
}

// Of one input; inputs of one registry ask it together. `tell` may be empty, and is called from any thread. Errors:
// config_invalid, input_missing, input_corrupt of the schema's file.
using OpenMessages = Result<MessageSchemas>(const InputSpec& input, const Tell& tell);
[[nodiscard]] OpenMessages open_messages;

}  // namespace recmeter
