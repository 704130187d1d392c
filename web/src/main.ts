import { USUAL_RANGE } from "./model/choice.ts";
import { Page } from "./page.ts";
import { learnToken, Refused } from "./source/access.ts";
import { LiveSource } from "./source/live_source.ts";
import { embeddedRows } from "./source/embedded_rows.ts";
import { RowsSource } from "./source/rows_source.ts";
import { Stream } from "./source/stream.ts";
import { byId, setText } from "./view/element.ts";
import { askForToken } from "./view/token_form.ts";

// One program for both pages: that of a running evaluator, and that of a report, which carries its rows.
const RETRY_MS = 3000;

// Paths are relative, so that a proxy may put the page anywhere.
const BASE = ".";

function fault(text: string): void {
  const place = byId("fault");
  place.hidden = text === "";
  setText(place, text);
}

async function showReport(carrier: Element): Promise<void> {
  const source = new RowsSource(await embeddedRows(carrier));
  document.body.dataset["source"] = "rows";
  const page = new Page(source, "all", source);
  await page.start();
  page.connection({ state: "none" });
  if (source.note.title !== "") {
    setText(byId("evaluator"), source.note.title);
    document.title = `${source.note.title} · recmeter`;
  }
  if (source.unread > 0) fault(`${source.unread} lines of the report could not be read; it may have been cut off.`);
}

async function showLive(): Promise<void> {
  document.body.dataset["source"] = "live";
  const page = new Page(new LiveSource(BASE), USUAL_RANGE);
  for (;;) {
    try {
      await page.start();
      break;
    } catch (error) {
      if (error instanceof Refused) {
        learnToken(await askForToken());
        continue;
      }
      fault(`${error instanceof Error ? error.message : String(error)}. Trying again.`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  fault("");
  new Stream(`${BASE}/api/v1/stream`, page);
}

const carrier = document.getElementById("rows");
(carrier ? showReport(carrier) : showLive()).catch((error: unknown) => {
  fault(error instanceof Error ? error.message : String(error));
});
