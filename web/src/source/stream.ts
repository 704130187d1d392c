import type { Connection } from "../model/trust.ts";
import { request } from "./access.ts";
import { EventParser, type ServerEvent } from "./event_parser.ts";

// The events of `/api/v1/stream`, for as long as the page is open. Read with fetch and not with EventSource, which can carry
// no token, does not try again after an HTTP error, and hides the heartbeats that tell a quiet connection from a dead one.
export interface StreamListener {
  status(status: unknown): void;
  row(row: unknown): void;
  look(): void; // an experiment has a new one
  lost(): void; // rows may be missing: fetch again what is shown
  connection(connection: Connection): void;
}

// The evaluator sends a heartbeat every 15 s, so after two missing ones nobody is there.
const SILENCE_MS_MAX = 35_000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 15_000;

export class Stream {
  private readonly parser = new EventParser();
  private abort = new AbortController();
  private lastWord = Date.now();
  private isLive = false;
  private hasSnapshot = false;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly listener: StreamListener,
  ) {
    listener.connection({ state: "connecting" });
    setInterval(() => {
      if (this.isLive && Date.now() - this.lastWord > SILENCE_MS_MAX) this.abort.abort();
    }, 1000);
    addEventListener("online", () => this.reopen());
    // A page that comes back from the browser's cache was frozen and knows nothing of what happened meanwhile.
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.reopen();
    });
    void this.open();
  }

  private reopen(): void {
    clearTimeout(this.retry);
    this.abort.abort();
    void this.open();
  }

  private async open(): Promise<void> {
    const abort = new AbortController();
    this.abort = abort;
    this.parser.restart();
    const headers: Record<string, string> = { accept: "text/event-stream" };
    if (this.parser.lastId !== "") headers["last-event-id"] = this.parser.lastId;
    try {
      const response = await request(this.url, headers, abort.signal);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      this.heard();
      for (;;) {
        const piece = await reader?.read();
        if (!piece || piece.done) break;
        this.heard();
        for (const event of this.parser.feed(piece.value)) this.take(event);
      }
    } catch {
      // Whatever it was: the connection is over, and the listener is told below.
    }
    if (this.abort === abort) this.ended();
  }

  private ended(): void {
    this.isLive = false;
    this.listener.connection({ state: "lost", since: this.lastWord });
    const patience = Math.min(
      RETRY_MS_MAX,
      Math.max(RETRY_MS_MIN, this.parser.retryMs ?? 0) * 2 ** Math.min(10, this.failures++),
    );
    // Not all pages at once: an evaluator that comes back has enough to do.
    this.retry = setTimeout(() => void this.open(), patience * (0.75 + Math.random() / 4));
  }

  private heard(): void {
    this.lastWord = Date.now();
    this.failures = 0;
    if (this.isLive) return;
    this.isLive = true;
    this.listener.connection({ state: "live" });
  }

  private take(event: ServerEvent): void {
    if (event.type === "gap") return this.listener.lost();
    const value = jsonOf(event.data);
    if (value === undefined) return;
    if (event.type === "row") this.listener.row(value);
    if (event.type === "experiment") this.listener.look();
    if (event.type === "status") this.listener.status(value);
    if (event.type !== "snapshot") return;
    this.listener.status((value as { status?: unknown } | null)?.status);
    // A second snapshot means that the evaluator could not go on from where this page was.
    if (this.hasSnapshot) this.listener.lost();
    this.hasSnapshot = true;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
