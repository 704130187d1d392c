// How arms are called: the segment keys that say which arm a list is of. As is_arm_name() of the program has it, so that the page
// asks about a comparison where the table of a replay makes one.
const ARMS: ReadonlySet<string> = new Set([
  "gruppe",
  "groupe",
  "grupo",
  "variante",
  "versuch",
  "ab",
  "abtest",
  "algo",
  "algorithm",
  "arm",
  "bucket",
  "cohort",
  "engine",
  "experiment",
  "group",
  "model",
  "policy",
  "ranker",
  "reranker",
  "recommender",
  "strategy",
  "test",
  "tests",
  "treatment",
  "variant",
  "variation",
]);
// Beside these, or within them, it is a kind of user, of device or of item.
const OTHERS: ReadonlySet<string> = new Set([
  "age",
  "browser",
  "car",
  "category",
  "device",
  "hardware",
  "item",
  "os",
  "phone",
  "price",
  "product",
  "size",
]);

// "rankerModel_v2": ranker, model, v.
const wordsIn = (text: string): string[] => text.match(/[A-Z]*[a-z]+|[A-Z]+/g)?.map((word) => word.toLowerCase()) ?? [];

// Tells whether the name of a segment key alone is one that arms have.
export function isArmName(path: string): boolean {
  const names = path.split(".");
  const words = wordsIn(names.at(-1) ?? "");
  return words.some((word) => ARMS.has(word)) && !wordsIn(names.slice(-2).join(".")).some((word) => OTHERS.has(word));
}
