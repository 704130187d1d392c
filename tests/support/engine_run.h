// run_engine: the product's pipeline over logs in memory, cut and divided as a test wishes; what it gives must not depend on
// how.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/evaluation/part.h"
#include "recmeter/event/decoder.h"
#include "recmeter/result/report.h"
#include "recmeter/result/row.h"
#include "support/batch_evaluator.h"

namespace recmeter::support {

struct EngineVariant {
  std::size_t shards = 1;
  std::size_t block_bytes = 4096;
  std::size_t open_max = 64;
  bool reverse_tasks = false;  // run tasks that may run at the same time in the opposite order
  std::size_t threads = 1;     // more: really at the same time
  bool lists = false;          // --lists
  bool stopped = false;        // a merge is asked to end before it begins
};

// An ExperimentLook, and what it says of its experiment, which does not outlive the run.
struct EngineLook {
  std::string experiment;
  ExperimentLook look;
};

struct EngineResult {
  std::vector<Row> rows;
  std::string bytes;  // the rows as JSONL
  std::string lists;  // scored lists as JSONL, if asked for
  std::vector<EngineLook> looks;
  std::string experiments;  // rows of experiments as JSONL
  Report report;
};

// Of the records of an input, as the evaluator of the spec reads them.
[[nodiscard]] DecoderOptions decoder_of(const EvaluatorSpec& spec, const BatchInput& input);

[[nodiscard]] EngineResult run_engine(const EvaluatorSpec& spec, std::span<const BatchInput> inputs,
                                      const EngineVariant& variant);

// Whether no metric asks what all users did.
[[nodiscard]] bool can_be_parted(const EvaluatorSpec& spec);
// The partial of the part.
[[nodiscard]] std::string run_part(const EvaluatorSpec& spec, std::span<const BatchInput> inputs,
                                   const EngineVariant& variant, Part part);
// The partial of a part that has these inputs alone, of `whole`, which go to parts by number.
[[nodiscard]] std::string run_share(const EvaluatorSpec& spec, std::span<const BatchInput> whole,
                                    const EngineVariant& variant, Part part, std::span<const std::uint32_t> part_of,
                                    std::uint64_t ends = 0);
// The lines of a stamp over these inputs, in the order of their names; with `share`, over every N-th of them from the I-th,
// in their own order, of which the stamp says that it knows. `ends`: a hash.
[[nodiscard]] std::vector<std::string> stamp(const EvaluatorSpec& spec, std::span<const BatchInput> inputs,
                                             const EngineVariant& variant, std::optional<Part> share = {},
                                             std::optional<std::uint64_t> ends = {});
// The partial of the part, made of all stamps' lines, or of those it needs.
[[nodiscard]] Result<std::string> run_stamped(const EvaluatorSpec& spec, const std::vector<std::string>& lines,
                                              const EngineVariant& variant, Part part);
// The partial of all of them together.
[[nodiscard]] std::string merge_to_partial(const EvaluatorSpec& spec, std::span<const std::string> partials);
// The second where the merge may be refused.
[[nodiscard]] EngineResult merge_to_rows(const EvaluatorSpec& spec, std::span<const std::string> partials,
                                         const EngineVariant& variant);
[[nodiscard]] Result<EngineResult> try_merge_to_rows(const EvaluatorSpec& spec, std::span<const std::string> partials,
                                                     const EngineVariant& variant);

}  // namespace recmeter::support
