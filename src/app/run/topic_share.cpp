#include "app/run/topic_share.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/event/join_key.h"

namespace recmeter {

namespace {

struct Topic {
  std::string name;
  std::size_t partitions = 0;
};

// Of TOPIC/NUMBER.
std::string topic_of(const PartitionInput& partition) {
  const std::string_view name = partition.source->name();
  return std::string(name.substr(0, name.rfind('/')));
}

// In the order of their partitions, which come one topic after the other, by number.
std::vector<Topic> topics_of(const ReplayInputs& inputs) {
  std::vector<Topic> topics;
  for (const PartitionInput& partition : inputs.partitions) {
    const std::string topic = topic_of(partition);
    if (topics.empty() || topics.back().name != topic) topics.push_back({.name = topic});
    ++topics.back().partitions;
  }
  return topics;
}

Result<void> check_alike(const std::vector<Topic>& topics, Part part) {
  for (const Topic& topic : topics) {
    if (topic.partitions == topics.front().partitions) continue;
    return failure(Errc::config_invalid,
                   "--partitions: " + topic.name + " has " + std::to_string(topic.partitions) + " partitions, " +
                       topics.front().name + " " + std::to_string(topics.front().partitions) +
                       ", so no number holds all that a user did; use --part, or recmeter stamp: docs/scale.md");
  }
  if (part.count <= topics.front().partitions) return {};
  return failure(Errc::config_invalid, "--partitions: topics have " + std::to_string(topics.front().partitions) +
                                           " partitions, fewer than " + std::to_string(part.count) +
                                           " parts; give N that is not larger");
}

}  // namespace

tl::unexpected<Error> share_of_file(const std::string& path) {
  return failure(Errc::config_invalid,
                 "--partitions reads topics, and this is a file; use --part, or recmeter stamp: " + path);
}

Result<PartitionShare> keep_share(ReplayInputs& inputs, Part part) {
  if (!inputs.paths.empty()) return share_of_file(inputs.paths.front());
  const std::vector<Topic> topics = topics_of(inputs);
  if (auto checked = check_alike(topics, part); !checked) return tl::unexpected(std::move(checked).error());
  PartitionShare share{.part = part.index, .places = {}};
  std::vector<PartitionInput> kept;
  for (std::size_t p = 0; p < inputs.partitions.size(); ++p) {
    if (p % topics.front().partitions % part.count != part.index) continue;
    kept.push_back(std::move(inputs.partitions[p]));
    share.places.push_back(p + 1);
  }
  inputs.partitions = std::move(kept);
  inputs.logs.assign(inputs.partitions.size(), {});
  return share;
}

std::uint64_t hash_of(const PinnedEnds& ends) {
  std::string text;
  for (const auto& [name, range] : ends) {
    text += name + "\t" + std::to_string(range.begin) + "\t" + std::to_string(range.end) + "\n";
  }
  return hash_id(text);
}

}  // namespace recmeter
