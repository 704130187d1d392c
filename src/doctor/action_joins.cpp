#include "doctor/action_joins.h"

namespace recmeter::doctor {

std::vector<ActionJoins> joins_by_action(const Evidence& evidence) {
  std::vector<ActionJoins> actions(evidence.spec.join.actions.size());
  for (const JoinedAction& joined : evidence.log.actions()) {
    ActionJoins& action = actions[joined.action->action];
    ++action.all;
    action.named += joined.is_named() ? 1U : 0U;
    action.known += joined.is_known ? 1U : 0U;
    if (joined.in_list && joined.is_of_user) {
      ++action.on_list;
    } else if (joined.is_named() && !joined.is_known) {
      ++action.no_list;
    } else if (joined.came_late) {
      ++action.came_late;
    } else if (joined.form_in_list) {
      ++action.in_form;
    } else if (joined.is_known) {
      ++action.not_of_it;
    }
  }
  return actions;
}

}  // namespace recmeter::doctor
