#include "app/doctor/doctor_run.h"

#include "app/doctor/tasted_source.h"
#include "app/run/run_verdict.h"
#include "app/run/thread_pool.h"
#include "app/run/watched_replay.h"
#include "recmeter/base/check.h"

namespace recmeter::doctor {

Result<DoctorRun> run_doctor(const Config& config, ReplayInputs inputs, EventTime now, const Sorting& sorting,
                             const std::function<void(const ReplayProgress&)>& progress, const std::atomic<bool>& stop) {
  ThreadPool pool(1);
  if (auto sorted = sort_inputs(inputs, config.spec.time, sorting, LookThrough::whole, pool, {}); !sorted)
    return tl::unexpected(std::move(sorted).error());
  const std::vector<std::string> formats = inputs.formats;
  const EvaluatorSpec spec = join_alone(config.spec);
  const auto plan = EvaluatorPlan::make(spec, inputs.lateness_max, false);
  if (!plan) return tl::unexpected(plan.error());
  RECMETER_CHECK(inputs.formats.size() == inputs.partitions.size(), "each partition has a format, or none");
  std::vector<InputFacts> named;
  for (std::size_t i = 0; i < inputs.partitions.size(); ++i) {
    const PartitionInput& partition = inputs.partitions[i];
    const FieldTable& fields = inputs.decoders[partition.decoder].fields;
    named.push_back({.name = std::string(partition.source->name()),
                     .time = fields.time,
                     .position_base = fields.position_base,
                     .lateness = partition.lateness,
                     .disorder = {},
                     .format = inputs.formats[i]});
  }
  Facts facts(spec.join, named.size());
  for (PartitionInput& partition : inputs.partitions) {
    partition.source = tasted(std::move(partition.source), inputs.decoders[partition.decoder], facts);
  }
  auto report = watched_replay(*plan, std::move(inputs), facts, pool, progress, stop);
  if (!report) return tl::unexpected(std::move(report).error());
  for (std::size_t i = 0; i < named.size(); ++i) named[i].disorder = report->partitions[i].disorder.max;
  auto exceeded = exceeded_limits(*report, config.spec.limits, formats);
  return DoctorRun{
      .diagnosis = diagnose(facts, config.spec, named, now), .report = std::move(*report), .exceeded = std::move(exceeded)};
}

}  // namespace recmeter::doctor
