// Server-sent events out of text that comes in pieces (HTML standard, section 9.2.6). Comments are heartbeats: they give no
// event, but whoever feeds the parser has heard something.
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

export class EventParser {
  lastId = "";
  retryMs: number | null = null; // as the server asked for
  private rest = "";
  private type = "";
  private data: string[] = [];

  // The events that `text` completes.
  feed(text: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (this.data.length > 0) events.push({ type: this.type === "" ? "message" : this.type, data: this.data.join("\n") });
        this.type = "";
        this.data = [];
      } else {
        this.take(line);
      }
    }
    return events;
  }

  // A new connection begins with a new line; the id stays.
  restart(): void {
    this.rest = "";
    this.type = "";
    this.data = [];
  }

  private take(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.type = value;
    else if (name === "data") this.data.push(value);
    else if (name === "id" && !value.includes("\0")) this.lastId = value;
    else if (name === "retry" && /^\d{1,7}$/.test(value)) this.retryMs = Number(value);
  }
}
