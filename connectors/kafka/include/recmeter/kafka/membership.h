// Membership: this instance as a member of a consumer group. It reads nothing; by it instances that are attached to the same
// topics know of each other, and lag tools see how far the state is.
//
// Partitions are dealt out by `range` to static members. Results need all of them in one place, so what counts is whether
// this member holds every partition that is read. It does not join beside another that holds some of them: a dead one is gone
// when its session has run out, and to one that runs it yields. A member that was here before is given what it had then: what
// of it does not fit what is read, while nobody else holds anything, makes it leave and join anew. A thread of its own keeps
// it a member, however long the caller is busy. Thread safety: any thread, but for the destructor. Invariants:
//   (1) holds_all is said only between the assignment of all partitions to this member and their revocation;
//   (2) offsets are committed as information for others: they are never read.
//
// Errors: config_invalid (properties; of standing() also a session that the brokers do not take); of standing()
// input_unreadable: the group may not be joined, another member goes on, or another process has the same group.instance.id.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"
#include "recmeter/kafka/open_topics.h"

namespace recmeter::kafka {

struct MembershipOptions {
  std::string group;
  std::string instance_id;           // group.instance.id, unless the properties give one
  Duration session{45'000};          // > 0; so long a dead member keeps its place
  std::vector<std::string> topics;   // all of them have partitions
  std::set<std::string> partitions;  // that are read: "topic/partition"
  Tell tell;  // one sentence per change of state, or of how long is left; by the thread, and calls nothing of this
};

class Membership {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Membership>> join(const ClientOptions& client, MembershipOptions options);
  // Without leave() the member keeps its place until its session runs out, and takes it again when it is back before. Takes 8
  // seconds at most, with leave(): a broker that answers nobody is not waited for.
  ~Membership();

  enum class Standing : std::uint8_t {
    waiting,    // for partitions
    holds_all,  // that are read
    outgrown,   // and there are more by now
  };
  [[nodiscard]] Result<Standing> standing() const;
  // That the right to be a member was withdrawn, and what to do, while it waits for that; else "".
  [[nodiscard]] std::string refusal() const;
  // Soon, while all is held; what cannot be committed is not, and nobody waits for it. `positions`: by partition, where
  // reading goes on.
  void commit(std::map<std::string, std::int64_t> positions);
  // Gives up the place for others to take at once.
  void leave();

 private:
  class Impl;
  explicit Membership(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;  // the thread's too, which a broker that answers nobody may hold up
};

}  // namespace recmeter::kafka
