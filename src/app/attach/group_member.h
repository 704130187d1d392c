// GroupMember: an attach as a member of kafka.group: whether it may go on reading, and what it tells of its progress.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/kafka/membership.h"
#include "recmeter/live/attach.h"

namespace recmeter {

class GroupMember {
 public:
  // `partitions`: what is read, "topic/partition". Errors: as kafka::Membership.
  [[nodiscard]] static Result<GroupMember> join(const Config& config, const std::vector<std::string>& topics,
                                                const std::vector<std::string>& partitions);

  // To be asked and told by the run.
  [[nodiscard]] Result<RunMode> mode();
  void kept(const std::map<std::string, std::int64_t>& positions) { membership_->commit(positions); }
  // Whether the run has to begin anew: the topics have more partitions than it reads.
  [[nodiscard]] bool is_outgrown() const { return is_outgrown_; }
  // Why it may not be a member any more; "": it may.
  [[nodiscard]] std::string refusal() const { return membership_->refusal(); }
  // Gives its place to others.
  void leave() { membership_->leave(); }

 private:
  explicit GroupMember(std::unique_ptr<kafka::Membership> membership) : membership_(std::move(membership)) {}

  std::unique_ptr<kafka::Membership> membership_;
  bool is_outgrown_ = false;
};

}  // namespace recmeter
