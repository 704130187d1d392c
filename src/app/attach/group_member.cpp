#include "app/attach/group_member.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "app/console/messages.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

namespace {

// The same in every run of this state on this machine, and in no other: a member that comes back takes its own place.
std::string instance_id(const Config& config) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::error_code error;
  const std::filesystem::path dir = std::filesystem::weakly_canonical(config.state.dir, error);
  std::string id = fmt::format("recmeter-{}-{:016x}", host.data(), hash_id(error ? config.state.dir : dir.string()));
  for (char& c : id) {
    const bool is_taken = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (!is_taken) c = '_';
  }
  return id.substr(0, 249);
}

}  // namespace

Result<GroupMember> GroupMember::join(const Config& config, const std::vector<std::string>& topics,
                                      const std::vector<std::string>& partitions) {
  auto membership = kafka::Membership::join({.brokers = config.kafka.brokers, .properties = config.kafka.properties},
                                            {.group = config.kafka.group,
                                             .instance_id = instance_id(config),
                                             .session = config.kafka.session,
                                             .topics = topics,
                                             .partitions = std::set<std::string>(partitions.begin(), partitions.end()),
                                             .tell = warn});
  if (!membership) return tl::unexpected(std::move(membership).error());
  return GroupMember(std::move(*membership));
}

Result<RunMode> GroupMember::mode() {
  const auto standing = membership_->standing();
  if (!standing) return tl::unexpected(standing.error());
  is_outgrown_ = *standing == kafka::Membership::Standing::outgrown;
  if (is_outgrown_) return RunMode::end;
  return *standing == kafka::Membership::Standing::holds_all ? RunMode::go_on : RunMode::hold;
}

}  // namespace recmeter
