// A made-up evaluator: event time that moves when it is told to, and values that are functions of (metric, segment, window),
// so that every question has one answer however it is asked. Nothing here is measured; it is for the page's tests and makers.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LATENESS = MINUTE;

export const WINDOWS = [
  { name: "minute", size_ms: MINUTE, slide_ms: MINUTE },
  { name: "hour", size_ms: HOUR, slide_ms: 5 * MINUTE },
];
export const HORIZONS = { "30m": 30 * MINUTE, "2h": 2 * HOUR };
const QUALITY = { precision: 0.045, hit_rate: 0.31, mrr: 0.155, ndcg_list: 0.19, recall: 0.27 };
export const METRICS = [
  ...Object.keys(QUALITY).flatMap((name) => [`${name}@5`, `${name}@10`]),
  "distinct_items@5",
  "distinct_items@10",
  "catalog_coverage@10",
  "gini@10",
  "empty_list_share",
];
// Values of segments come from logs: any text at all, also such as would be markup.
export const HOSTILE = "<img src=x onerror=\"document.title='owned'\">";
export const SEGMENTS = [
  { keys: ["variant"], values: ["A", "B", HOSTILE].map((variant) => ({ variant })) },
  {
    keys: ["variant", "surface"],
    values: ["A", "B"].flatMap((variant) => ["home", "search, all:of it"].map((surface) => ({ variant, surface }))),
  },
];

// 0 to 1, the same for the same words.
function chance(...words) {
  let state = 2166136261;
  for (const c of JSON.stringify(words)) state = Math.imul(state ^ c.codePointAt(0), 16777619);
  state ^= state >>> 15;
  state = Math.imul(state, 2246822519);
  state ^= state >>> 13;
  return ((Math.imul(state, 3266489917) ^ (state >>> 16)) >>> 0) / 2 ** 32;
}

export class World {
  // `history`: minutes that have passed. `base`: event time of their end.
  constructor({ history = 24 * 60, base = Date.UTC(2026, 10, 20, 14, 7), segments = SEGMENTS } = {}) {
    this.segments = segments;
    this.begin = base - history * MINUTE;
    this.now = base;
    this.explained = []; // windows of which it says why they changed
    this.words = "";
    this.worse = []; // {from, segment: text of one value or "", factor}
    this.experiment = null; // a MockExperiment
    this.ready = true;
    this.reasons = [];
    this.lagSeconds = 2;
  }

  get watermark() {
    return this.now - LATENESS;
  }

  allSegments() {
    return [{}, ...this.segments.flatMap((s) => s.values)];
  }

  // Starts of the windows that have lists, in (from, to] by their ends.
  starts(window, from = -Infinity, to = Infinity) {
    const { size_ms: size, slide_ms: slide } = WINDOWS.find((w) => w.name === window);
    const found = [];
    const first = Math.ceil(Math.max(this.begin - size + slide, from - size + 1) / slide) * slide;
    for (let start = first; start < this.now && start + size <= to; start += slide) {
      if (!this.isEmpty(start, size)) found.push(start);
    }
    return found;
  }

  // Five minutes without any list, six hours before the first end of time.
  isEmpty(start, size) {
    const hole = (this.hole ??= this.now - 3 * HOUR - (this.now % HOUR));
    return start >= hole && start + size <= hole + 5 * MINUTE;
  }

  stateOf(window, start, horizon) {
    const { size_ms: size } = WINDOWS.find((w) => w.name === window);
    const end = start + size;
    const h = HORIZONS[horizon];
    const isFinal = end + h <= this.watermark;
    const until = Math.max(start + 1, Math.min(end, this.now));
    const matured = isFinal ? 1 : Math.min(0.99, Math.max(0, (this.watermark - h - start) / (until - start)));
    return { end, stage: isFinal ? "final" : "provisional", matured: Math.round(matured * 1000) / 1000 };
  }

  listsOf(window, start, segment) {
    const minutes = window === "minute" ? 1 : Math.max(1, Math.min(60, (this.now - start) / MINUTE));
    const share = Object.keys(segment).length === 0 ? 1 : 0.45 / Object.keys(segment).length;
    return Math.round(900 * minutes * share * (0.9 + 0.2 * chance("lists", window, start, segment)));
  }

  // `matured`: as it stood when that share had matured.
  valueOf(metric, window, start, horizon, segment, matured) {
    const [name, k] = metric.split("@");
    if (name === "distinct_items")
      return this.exact(Math.round(4000 * Math.sqrt(Number(k) / 10) * (0.95 + 0.1 * chance(name, window, start, segment))));
    if (name === "catalog_coverage") return this.exact(0.21 * (0.95 + 0.1 * chance(name, window, start, segment)));
    if (name === "gini") return this.exact(0.82 * (0.99 + 0.02 * chance(name, window, start, segment)));
    const usual = name === "empty_list_share" ? 0.012 : QUALITY[name] * (k === "5" ? 1.2 : 1) * (horizon === "2h" ? 1.15 : 1);
    const variant = segment.variant === "B" ? 1.12 : segment.variant === "A" ? 0.97 : 1;
    const day = 1 + 0.03 * Math.sin((start / (24 * HOUR)) * 2 * Math.PI);
    const spread = (window === "minute" ? 0.035 : 0.008) * (Object.keys(segment).length === 0 ? 1 : 1.4);
    const noise =
      (chance(metric, window, start, horizon, segment) + chance(start, metric, segment, window) - 1) * spread * 1.8;
    const fault = this.worse.filter((w) => start >= w.from && (w.variant === "" || w.variant === segment.variant));
    const final = usual * variant * day * (1 + noise) * fault.reduce((product, w) => product * w.factor, 1);
    const value = final * (0.45 + 0.55 * matured);
    const half = usual * variant * spread * 1.1;
    return { value, se: half / 1.96, low: value - half, high: value + half };
  }

  exact(value) {
    return { value, se: null, low: null, high: null };
  }

  incompleteOf(start) {
    return start < this.begin ? ["start"] : [];
  }

  row(window, start, horizon, segment) {
    const { end, stage, matured } = this.stateOf(window, start, horizon);
    const metrics = Object.fromEntries(
      METRICS.map((key) => {
        const { value, se, low, high } = this.valueOf(key, window, start, horizon, segment, matured);
        return [key, { value, se, ci: low === null ? null : [low, high] }];
      }),
    );
    return {
      schema: "recmeter.window/1",
      evaluator: "shop",
      config: "9f2c51d07be3a810",
      window,
      start,
      end,
      start_utc: new Date(start).toISOString().replace(".000", ""),
      horizon,
      segment,
      stage,
      revision: stage === "final" ? null : this.now / MINUTE,
      matured,
      incomplete: this.incompleteOf(start),
      lists: this.listsOf(window, start, segment),
      feedback: { click: { credited: 310, repeated: 12 } },
      metrics,
    };
  }

  finalUntil(window, horizon) {
    const last = this.starts(window)
      .filter((start) => this.stateOf(window, start, horizon).stage === "final")
      .pop();
    return last === undefined ? null : this.stateOf(window, last, horizon).end;
  }

  series({ window, metric, horizon, segment, from, to, matured }) {
    const columns = { start: [], end: [], value: [], low: [], high: [], lists: [], stage: [], matured: [], incomplete: [] };
    for (const start of this.starts(window, from, to)) {
      const state = this.stateOf(window, start, horizon);
      if (matured !== undefined && state.matured < matured) continue;
      const at = matured ?? state.matured;
      const { value, low, high } = this.valueOf(metric, window, start, horizon, segment, at);
      const cells = {
        start,
        end: state.end,
        value,
        low,
        high,
        lists: this.listsOf(window, start, segment),
        stage: matured === undefined ? state.stage : "provisional",
        matured: at,
        incomplete: this.incompleteOf(start),
      };
      for (const [name, cell] of Object.entries(cells)) columns[name].push(cell);
    }
    return { window, metric, horizon, segment, final_until: this.finalUntil(window, horizon), columns };
  }

  compare({ window, metric, horizon, a, b, from, to }) {
    const names = [
      "start",
      "end",
      "a",
      "b",
      "difference",
      "low",
      "high",
      "relative",
      "relative_low",
      "relative_high",
      "stage",
    ];
    const columns = Object.fromEntries(names.map((name) => [name, []]));
    for (const start of this.starts(window, from, to)) {
      const { end, stage, matured } = this.stateOf(window, start, horizon);
      const [left, right] = [a, b].map((segment) => this.valueOf(metric, window, start, horizon, segment, matured));
      const difference = left.value - right.value;
      const half = left.se === null ? null : 1.96 * 0.8 * Math.hypot(left.se, right.se);
      const cells = {
        start,
        end,
        a: left.value,
        b: right.value,
        difference,
        low: half === null ? null : difference - half,
        high: half === null ? null : difference + half,
        relative: difference / right.value,
        relative_low: half === null ? null : (difference - half) / right.value,
        relative_high: half === null ? null : (difference + half) / right.value,
        stage,
      };
      for (const [name, cell] of Object.entries(cells)) columns[name].push(cell);
    }
    const valid = "one_look";
    const cumulated = this.cumulated(columns);
    const isOfArms = [a, b].every((segment) => Object.keys(segment).join() === "variant");
    const experiment = this.experiment && isOfArms ? this.experiment.name : undefined;
    const final_until = this.finalUntil(window, horizon);
    return { window, metric, horizon, a, b, valid, experiment, final_until, cumulated, columns };
  }

  // As if all windows had as many lists.
  cumulated(columns) {
    const settled = columns.start.map((_, i) => i).filter((i) => columns.stage[i] === "final" && columns.low[i] !== null);
    if (settled.length === 0) return null;
    const mean = (name) => settled.reduce((sum, i) => sum + columns[name][i], 0) / settled.length;
    const half = (mean("high") - mean("low")) / 2 / Math.sqrt(settled.length);
    const [a, b, difference] = [mean("a"), mean("b"), mean("difference")];
    const ci = [difference - half, difference + half];
    return {
      windows: settled.length,
      start: columns.start[settled[0]],
      end: columns.end[settled.at(-1)],
      a,
      b,
      a_lists: 1000,
      b_lists: 1000,
      difference,
      ci,
      relative: a / b - 1,
      relative_ci: ci.map((end) => end / b),
    };
  }

  // A minute passes; the rows that it makes: windows that became final, and the two newest as they stand.
  pass() {
    const before = this.watermark;
    this.now += MINUTE;
    const rows = [];
    for (const { name, size_ms: size } of WINDOWS) {
      for (const horizon of Object.keys(HORIZONS)) {
        const h = HORIZONS[horizon];
        const starts = this.starts(name, before - h, Infinity);
        const ended = starts.filter((start) => start + size + h > before && start + size + h <= this.watermark);
        for (const start of [...ended, ...starts.slice(-2)]) {
          for (const segment of this.allSegments()) rows.push(this.row(name, start, horizon, segment));
        }
      }
    }
    return rows;
  }

  status() {
    const read = Math.round(((this.now - this.begin) / MINUTE) * 1200);
    const late = Math.round(read * 0.0007);
    const waiting = WINDOWS.flatMap(({ name }) =>
      Object.keys(HORIZONS).flatMap((horizon) =>
        this.starts(name, this.watermark - 3 * HOUR)
          .map((start) => ({ start, ...this.stateOf(name, start, horizon) }))
          .filter((w) => w.stage !== "final")
          .map(({ start, end }) => ({
            window: name,
            horizon,
            start,
            end,
            final_at: end + HORIZONS[horizon],
            needs_ms: end + HORIZONS[horizon] - this.watermark,
            why: `feedback within ${horizon} may still come`,
          })),
      ),
    );
    return {
      schema: "recmeter.report/1",
      complete: false,
      records: read,
      events: {
        read,
        invalid: 41,
        ignored: 0,
        future: 3,
        late,
        duplicate: 120,
        duplicates: { again: 20, nothing_new: 0, taken: 0, late_row: 93, full: 0, once: 7, line: 0 },
        impressions: Math.round(read * 0.75),
        feedback: read - Math.round(read * 0.75) - late - 164,
        undecided: 0,
        late_after_idle: 0,
        future_by_clock: 0,
      },
      feedback: { credited: 30000, repeated: 400, organic: 900, not_in_list: 60, unmatched: 12, pending: 310 },
      lists: read,
      invalid_reasons: { not_json: 30, "missing <b>ts</b>": 11 },
      partitions: [0, 1, 2].map((n) => ({
        name: `impressions[${n}]`,
        records: Math.round(read / 3),
        events: {},
        watermark: this.now,
        disorder: { max: 900, p50: 4, p999: 320 },
        lag_records: n * 40,
        lag_seconds: n === 2 ? this.lagSeconds : 0,
        idle: false,
      })),
      rows: { final: 1000, truncated: 0, provisional: 5000 },
      wall_seconds: 3600,
      events_per_second: 1180,
      evaluator: {
        name: "shop",
        config: "9f2c51d07be3a810",
        version: "0.1.0",
        windows: WINDOWS,
        horizons: Object.keys(HORIZONS),
        metrics: METRICS,
        segments: this.segments,
        ...(this.explained.length > 0 ? { explained: this.explained } : {}),
      },
      watermark: this.watermark,
      held_back_by: "impressions[2]",
      state: { bytes: 118_000_000, memory_bytes: 310_000_000 },
      waiting,
      ready: this.ready,
      reasons: this.reasons,
    };
  }

  definitions() {
    return {
      definitions: METRICS.map((key) => {
        const name = key.split("@")[0];
        return {
          key,
          name,
          title: key,
          formula: name === "precision" ? "hits_k / k" : `formula of ${name}`,
          range: [0, name === "distinct_items" ? null : 1],
          unit: name === "distinct_items" ? "items" : "",
          scope: "list",
          averaged: "mean over all lists",
          evidence: "R_list > 0",
          says: name === "precision" ? "Which share of the first k ranks was relevant." : `What ${name} says.`,
          source: "Herlocker et al. 2004",
          better: name === "empty_list_share" ? "lower" : ["gini", "distinct_items"].includes(name) ? "neither" : "higher",
        };
      }),
    };
  }
}
