// A member of a group whose brokers misbehave.
#include "recmeter/kafka/membership.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "unit/kafka/mock_cluster.h"

namespace recmeter::kafka {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

std::unique_ptr<Membership> joined(const MockCluster& cluster) {
  auto membership = Membership::join({.brokers = cluster.bootstrap(), .properties = {}},
                                     {.group = "g",
                                      .instance_id = "i",
                                      .topics = {MockCluster::topic},
                                      .partitions = {std::string(MockCluster::topic) + "/0"},
                                      .tell = nullptr});
  EXPECT_TRUE(membership) << membership.error().context;
  const auto give_up = Clock::now() + seconds(60);
  while (Clock::now() < give_up) {
    const auto standing = (*membership)->standing();
    EXPECT_TRUE(standing) << standing.error().context;
    if (standing && *standing == Membership::Standing::holds_all) return std::move(*membership);
    std::this_thread::yield();
  }
  return nullptr;
}

TEST(Membership, ends_while_a_commit_has_no_answer) {
  MockCluster cluster;
  auto member = joined(cluster);
  ASSERT_NE(member, nullptr) << "the partition has not been given to the only member";
  cluster.freeze();
  member->commit({{std::string(MockCluster::topic) + "/0", 1}});  // at the latest when it ends
  const auto begun = Clock::now();
  member.reset();
  EXPECT_LT(Clock::now() - begun, seconds(30));
}

}  // namespace
}  // namespace recmeter::kafka
