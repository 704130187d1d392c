#include "contract/state_store_contract.h"
#include "recmeter/base/check.h"
#include "recmeter/rocksdb/open_store.h"
#include "unit/file/scratch.h"

namespace recmeter::contract {
namespace {

class RocksDbPlace : public StatePlace {
 public:
  std::unique_ptr<StateStore> open() override {
    auto store = rocksdb_state::open_store(scratch_.path("state"), {.memory = std::size_t{4} << 20});
    RECMETER_CHECK(store.has_value(), "the state opens");
    return std::move(*store);
  }
  bool survives_closing() const override { return true; }

 private:
  test::Scratch scratch_;
};

INSTANTIATE_TEST_SUITE_P(RocksDb, StateStoreContract,
                         ::testing::Values(StateStoreCase{"rocksdb", [] { return std::make_unique<RocksDbPlace>(); }}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace recmeter::contract
