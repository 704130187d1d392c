#include "contract/state_store_contract.h"
#include "recmeter/memory/memory_store.h"
#include "recmeter/memory/shared_store.h"

namespace recmeter::contract {
namespace {

template <class Store>
class MemoryPlace : public StatePlace {
 public:
  std::unique_ptr<StateStore> open() override { return std::make_unique<Store>(); }
  bool survives_closing() const override { return false; }
};

INSTANTIATE_TEST_SUITE_P(
    Memory, StateStoreContract,
    ::testing::Values(StateStoreCase{"memory", [] { return std::make_unique<MemoryPlace<memory::MemoryStore>>(); }},
                      StateStoreCase{"shared", [] { return std::make_unique<MemoryPlace<memory::SharedStore>>(); }}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace recmeter::contract
