// How requests are made: with the reader's token, where the evaluator wants one. It is kept until the tab is closed.
const KEY = "recmeter-token";

export class Refused extends Error {}

let token: string | null = null;
try {
  token = sessionStorage.getItem(KEY);
} catch {
  // Storage may be forbidden; then the token lives as long as the page.
}

export function learnToken(given: string): void {
  token = given;
  try {
    sessionStorage.setItem(KEY, given);
  } catch {
    // As above.
  }
}

// Rejects with Refused on 401, and with a sentence for people otherwise.
export async function request(
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const all = new Headers(headers);
  if (token !== null) all.set("authorization", `Bearer ${token}`);
  let response: Response;
  try {
    response = await fetch(path, { headers: all, signal, credentials: "same-origin", cache: "no-store" });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Error("the evaluator does not answer");
  }
  if (response.status === 401) throw new Refused("the evaluator asks for a token");
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  throw new Error(`${response.status} ${String(problem["detail"] ?? problem["title"] ?? response.statusText)}`);
}
