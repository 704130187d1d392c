#include "app/commands/edges.h"

namespace recmeter {

Edges& edges() {
  static Edges edges;
  return edges;
}

}  // namespace recmeter
