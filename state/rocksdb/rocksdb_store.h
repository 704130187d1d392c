// RocksDbStore: the StateStore of open_store.
#pragma once

#include <rocksdb/db.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "recmeter/rocksdb/open_store.h"

namespace recmeter::rocksdb_state {

class RocksDbStore final : public StateStore {
 public:
  RocksDbStore(std::string directory, std::unique_ptr<rocksdb::DB> db)
      : directory_(std::move(directory)), db_(std::move(db)) {}

  [[nodiscard]] Result<void> write(const StateBatch& batch, Durability durability) override;
  [[nodiscard]] Result<std::optional<std::string>> get(std::string_view key) const override;
  [[nodiscard]] Result<void> scan(std::string_view from, std::string_view to, const Visit& visit) const override;
  [[nodiscard]] Result<void> condition() const override;

 private:
  [[nodiscard]] tl::unexpected<Error> failed(const rocksdb::Status& status) const;
  void drop_whole_files(const StateBatch& batch);

  std::string directory_;
  std::unique_ptr<rocksdb::DB> db_;
  mutable std::mutex mutex_;
  mutable std::optional<Error> failure_;  // the first, in any thread
};

}  // namespace recmeter::rocksdb_state
