// How much information an experiment needs: how often what is there is found, at some look or at the last one. [S10.41].
//
// The clock is r = tau^2 / v: the information, in units of the change worth acting on. Pure functions; any thread.
#pragma once

namespace recmeter {

// How often a change of just that size is found by looks all the while until r, the last of which is tested as the last one
// is. Requires: r > 0, 0 < alpha < 1.
[[nodiscard]] double share_found(double r, double alpha);

// The least r with which it is found in `share` of the experiments. Requires: 0 < share < 1.
[[nodiscard]] double information_for(double share, double alpha);

}  // namespace recmeter
