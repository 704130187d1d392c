// What a report carries in its element #rows: lines of JSON as they are, or the same packed (base64 of gzip), which makes a
// day of minutes small enough for a letter.
export async function embeddedRows(carrier: Element): Promise<string> {
  const text = (carrier.textContent ?? "").trim();
  if (text === "" || text.startsWith("{")) return text;
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old to unpack the report.");
  const packed = Uint8Array.from(atob(text.replace(/\s+/g, "")), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
