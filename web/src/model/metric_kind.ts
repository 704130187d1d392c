import type { Definition } from "./definition.ts";
import { parseMetricKey } from "./metric_key.ts";

// Which way a metric should go. The definitions of the API say it (`better`); the names stand here for rows that come
// without, and for evaluators that do not say it. Exposure is neither good nor bad by itself.
export type Better = "higher" | "lower" | "neither";

const LOWER = new Set([
  "fallout",
  "miss_rate",
  "empty_list_share",
  "short_list_share",
  "mae",
  "nmae",
  "mae_extremes",
  "mse",
  "rmse",
  "retest_mae",
  "retest_rmse",
  "reversals",
  "error_rate",
  "ndpm",
]);
const EXPOSURE = new Set([
  "distinct_items",
  "catalog_coverage",
  "catalog_prediction_coverage",
  "gini",
  "entropy",
  "rarefied_items",
  "user_coverage",
  "personalisation",
  "intra_list_diversity",
  "novelty",
  "popularity",
  "known_share",
  "serendipity",
  "prediction_coverage",
]);
const NEITHER = new Set([
  "distinct_items",
  "gini",
  "entropy",
  "rarefied_items",
  "personalisation",
  "intra_list_diversity",
  "novelty",
  "popularity",
  "known_share",
]);
// Metrics that look back at earlier events, of which there are few where a log begins.
const LOOKS_BACK = new Set(["novelty", "popularity", "serendipity", "known_share"]);

function plainName(key: string, definition?: Definition): string {
  return definition?.name ?? parseMetricKey(key).name.replace(/\/.*$/, "");
}

export function betterOf(key: string, definition?: Definition): Better {
  if (definition?.better) return definition.better;
  const name = plainName(key, definition);
  return LOWER.has(name) ? "lower" : NEITHER.has(name) ? "neither" : "higher";
}

// Coverage, exposure and what else tells what is shown, not how good it was.
export function isExposure(key: string, definition?: Definition): boolean {
  return EXPOSURE.has(plainName(key, definition));
}

// Says whether values change at the beginning of every log, so that a course of them is no trend.
export function warmsUp(key: string, definition?: Definition): boolean {
  return LOOKS_BACK.has(plainName(key, definition));
}
