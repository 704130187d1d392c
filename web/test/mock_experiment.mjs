// A made-up experiment: looks of an hour, of which every number is a function of the look. Nothing here is measured.
const HOUR = 3_600_000;

const lowered = ({ value, ci, cs }, by) => ({ value: value - by, ci: ci.map((x) => x - by), cs: cs.map((x) => x - by) });

export class MockExperiment {
  // `verdict`, `reason`: what each look says; `decided`: the first decision, which counts.
  constructor({
    name = "ranker-7",
    start = Date.UTC(2026, 10, 13, 14),
    looks = 168,
    verdict = "hold",
    reason = "undecided",
    decided = null,
  } = {}) {
    Object.assign(this, { name, start, looks, verdict, reason, decided });
  }

  distance(look, width) {
    const value = 0.024 + (0.05 * Math.sin(look / 9)) / Math.sqrt(look);
    const half = (width * 0.35) / Math.sqrt(look);
    return { value, ci: [value - half, value + half] };
  }

  look(number) {
    const end = this.start + number * HOUR;
    const one = this.distance(number, 1);
    const relative = { ...one, cs: this.distance(number, 1.6).ci };
    const said = { verdict: this.verdict, reason: this.reason };
    const { end: at, ...first } = this.decided ?? { end, ...said };
    const users = number * 119;
    const metric = (name, role, values, below = 0) => ({
      metric: name,
      role,
      better: "higher",
      values,
      comparisons: [{ arm: "B", relative: lowered(relative, below), absolute: null, more: "9d", heavy: false }],
    });
    return {
      schema: "recmeter.experiment/1",
      experiment: this.name,
      start: this.start,
      end,
      look: number,
      closed: false,
      arms: [
        { arm: "A", lists: users * 4, users, allocation: 0.5 },
        { arm: "B", lists: users * 4 - 60, users: users - 21, allocation: 0.5 },
      ],
      mixed_users: 3,
      metrics: [
        metric("precision@10", "primary", [0.0251, 0.0257]),
        metric("lists_per_user", "guardrail", [4.02, 4.01], 0.026),
      ],
      verdict: { ...said, arms: { B: said }, decided: this.decided },
      counts: { ...first, at },
    };
  }

  all() {
    return Array.from({ length: this.looks }, (_, i) => this.look(i + 1));
  }
}
