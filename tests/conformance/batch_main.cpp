// recmeter_batch --spec SPEC.json OUT.jsonl LOG...: the batch evaluator over whole files, to hold `recmeter replay` against.
//
// LOG is JSONL in the native fields, plain or gzip. Rows go to OUT.jsonl, the accounting to stdout. Not a test and not a
// tool for users: it keeps the whole log in memory.
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "batch_rows.h"
#include "batch_spec.h"
#include "gzip_file.h"
#include "support/batch_decoder.h"
#include "support/batch_evaluator.h"

namespace {

using recmeter::conformance::whole_file;

int fail(const std::string& why) {
  std::cerr << "recmeter_batch: " << why << '\n';
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 4 || words[0] != "--spec") return fail("usage: recmeter_batch --spec SPEC.json OUT.jsonl LOG...");
  const std::optional<std::string> spec_text = whole_file(words[1]);
  if (!spec_text) return fail("cannot read " + words[1]);
  const auto spec = recmeter::conformance::parse_batch_spec(*spec_text);
  if (!spec) return fail(words[1] + ": " + spec.error().context);
  std::vector<recmeter::support::BatchInput> inputs;
  for (std::size_t i = 3; i < words.size(); ++i) {
    std::optional<std::string> bytes = whole_file(words[i]);
    if (!bytes) return fail("cannot read " + words[i]);
    inputs.push_back({words[i], std::move(*bytes), recmeter::support::native_fields(), spec->allowed_lateness});
  }
  const recmeter::support::BatchResult result = recmeter::support::evaluate_in_batch(spec->evaluator, inputs);
  std::ofstream out(words[2], std::ios::binary);
  for (const recmeter::Row& row : result.rows) out << recmeter::conformance::row_line(row) << '\n';
  out.flush();
  if (!out) return fail("cannot write " + words[2]);
  std::cout << recmeter::conformance::report_text(result.report);
  return 0;
}
