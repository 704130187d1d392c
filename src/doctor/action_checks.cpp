// Checks of single actions: a rare one is lost in the totals of all.
#include <algorithm>

#include "doctor/action_joins.h"
#include "doctor/judges.h"

namespace recmeter::doctor {
namespace {

std::string why_lost(const ActionJoins& action) {
  const std::uint64_t most = std::max({action.no_list, action.came_late, action.in_form, action.not_of_it});
  if (2 * most < action.all) return "No list of their users has their items: they may name users or items of another kind";
  if (most == action.came_late) return "Their rows came when their lists were assembled: join.assemble is too short";
  if (most == action.in_form) return "Their items are in the lists in another form of the id";
  if (most == action.no_list) return "Their list_id is of no list: it may be that of an order or a session";
  return "The lists that they name do not have their items";
}

}  // namespace

Judgements action_lost(const Evidence& evidence, double threshold) {
  constexpr std::uint64_t enough = 5;     // rare, and worth much
  constexpr double others_enough = 0.25;  // else it is no matter of one action
  const std::vector<ActionJoins> actions = joins_by_action(evidence);
  ActionJoins all;
  for (const ActionJoins& action : actions) {
    all.all += action.all;
    all.on_list += action.on_list;
  }
  Judgements judgements;
  for (std::size_t a = 0; a < actions.size(); ++a) {
    const ActionJoins& action = actions[a];
    const double others = share(all.on_list - action.on_list, all.all - action.all);
    if (action.all < enough || others < others_enough) continue;
    Judged judged{.sureness = share(action.on_list, action.all) < threshold ? Sureness::likely : Sureness::silent,
                  .cases = action.on_list,
                  .of = action.all,
                  .enough = enough};
    judged.words = {{"action", evidence.spec.join.actions[a].name}, {"others", percent(others)}, {"why", why_lost(action)}};
    judgements.push_back(std::move(judged));
  }
  return judgements;
}

}  // namespace recmeter::doctor
