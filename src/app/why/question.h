// Question: what is asked of an evaluator that runs, and in what form it answers. A value; any thread.
#pragma once

#include <cstddef>

#include "app/why/change.h"

namespace recmeter::why {

struct Question {
  Request request;
  std::size_t top = 8;      // values of a key that are shown; 0: all
  bool is_text = false;     // else JSON
  std::size_t columns = 0;  // of text; 0: any number
};

}  // namespace recmeter::why
