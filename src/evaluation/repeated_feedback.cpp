#include "recmeter/evaluation/repeated_feedback.h"

#include <algorithm>
#include <utility>

namespace recmeter {

bool RepeatedFeedback::is_again(const EventBatch& batch, const Event& event, std::span<const ReorderBuffer::Pending> rest) {
  const bool goes_on = rest.front().ts == ts_ && event.key_hash == hash_;
  const bool another = rest.size() > 1 && rest[1].ts == rest.front().ts && rest[1].key_hash == event.key_hash;
  if (!goes_on) {
    identities_.clear();
    ts_ = rest.front().ts;
    hash_ = event.key_hash;
    if (!another) return false;  // alone: by far the usual case
  }
  std::string identity(1, static_cast<char>(event.action));
  for (const std::string_view field :
       {batch.user_id(event), batch.item(event, 0), batch.list_id(event), batch.event_id(event)}) {
    identity += std::to_string(field.size());
    identity += ':';
    identity += field;
  }
  const auto at = std::lower_bound(identities_.begin(), identities_.end(), identity);
  if (at != identities_.end() && *at == identity) return true;
  identities_.insert(at, std::move(identity));
  return false;
}

}  // namespace recmeter
