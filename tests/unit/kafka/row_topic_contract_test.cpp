// Rows in a topic of librdkafka's mock cluster. On real brokers: tests/kafka.
#include "contract/row_publisher_contract.h"
#include "recmeter/base/check.h"
#include "recmeter/kafka/row_topic.h"
#include "unit/kafka/mock_cluster.h"

namespace recmeter::contract {
namespace {

class TopicPlace : public RowPlace {
 public:
  std::unique_ptr<RowPublisher> open() override {
    auto rows = kafka::row_topic({.brokers = cluster_.bootstrap(), .properties = {}}, kafka::MockCluster::topic);
    RECMETER_CHECK(rows.has_value(), "a producer can be made");
    return std::move(*rows);
  }
  std::vector<std::string> received() override { return cluster_.received(); }

 private:
  kafka::MockCluster cluster_;
};

INSTANTIATE_TEST_SUITE_P(Rows, RowPublisherContract,
                         ::testing::Values(RowPublisherCase{"topic", [] { return std::make_unique<TopicPlace>(); }}),
                         [](const auto& each) { return each.param.name; });

// What the client itself does not take has been no error before.
TEST(RowTopic, counts_a_row_that_its_client_does_not_take) {
  kafka::MockCluster cluster;
  auto rows = kafka::row_topic({.brokers = cluster.bootstrap(), .properties = {{"message.max.bytes", "1000"}}},
                               kafka::MockCluster::topic);
  ASSERT_TRUE(rows) << rows.error().context;
  ASSERT_TRUE((*rows)->go_on_from(""));
  ASSERT_TRUE((*rows)->publish({.number = 0, .key = "a", .value = std::string(2000, 'x')}));
  EXPECT_EQ((*rows)->errors(), 1U);
  EXPECT_NE((*rows)->trouble().find("does not take a message of 2001 bytes"), std::string::npos) << (*rows)->trouble();
}

}  // namespace
}  // namespace recmeter::contract
