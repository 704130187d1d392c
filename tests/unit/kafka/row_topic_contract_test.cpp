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

}  // namespace
}  // namespace recmeter::contract
