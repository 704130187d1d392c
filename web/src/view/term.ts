import { rangeText, type Definition } from "../model/definition.ts";
import { element } from "./element.ts";

// Names of metrics that tell their definition when pointed at, focused or touched. One box for all of them: it stays while
// the pointer is on it, and goes with Escape.
const LEAVE_MS = 200;

export class Terms {
  private readonly box = element("div", { class: "definition", role: "tooltip", id: "definition", hidden: "" });
  private definitions: ReadonlyMap<string, Definition> = new Map();
  private shown: HTMLElement | null = null;
  private leaving: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    document.body.append(this.box);
    this.box.addEventListener("pointerenter", () => clearTimeout(this.leaving));
    this.box.addEventListener("pointerleave", () => this.leave());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
    addEventListener("resize", () => this.hide());
  }

  learn(definitions: ReadonlyMap<string, Definition>): void {
    this.definitions = definitions;
  }

  definition(key: string): Definition | undefined {
    return this.definitions.get(key);
  }

  // A button that reads `text` and tells of `key`.
  term(key: string, text = key): HTMLButtonElement {
    const button = element("button", { type: "button", class: "term" }, text);
    button.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse") this.show(button, key);
    });
    button.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.leave();
    });
    button.addEventListener("focus", () => this.show(button, key));
    button.addEventListener("blur", () => this.hide());
    button.addEventListener("click", () => this.show(button, key));
    return button;
  }

  private show(at: HTMLElement, key: string): void {
    clearTimeout(this.leaving);
    this.hide();
    this.shown = at;
    this.box.replaceChildren(...contents(key, this.definitions.get(key)));
    this.box.hidden = false;
    at.setAttribute("aria-describedby", "definition");
    const place = at.getBoundingClientRect();
    const width = this.box.offsetWidth;
    const left = Math.max(8, Math.min(place.left, document.documentElement.clientWidth - width - 8));
    this.box.style.left = `${left + scrollX}px`;
    this.box.style.top = `${place.bottom + scrollY + 6}px`;
  }

  private leave(): void {
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => this.hide(), LEAVE_MS);
  }

  private hide(): void {
    this.shown?.removeAttribute("aria-describedby");
    this.shown = null;
    this.box.hidden = true;
  }
}

function contents(key: string, definition: Definition | undefined): Node[] {
  if (!definition) return [element("p", {}, `No definition of ${key} is known here: recmeter metrics tells it.`)];
  const facts: [string, string][] = [
    ["formula", definition.formula],
    ["range", `${rangeText(definition.range)}${definition.unit === "" ? "" : `, in ${definition.unit}`}`],
    ["scope", definition.scope],
    ["averaged", definition.averaged],
    ["evidence", definition.evidence],
    ["source", definition.source],
  ];
  return [
    element("strong", {}, definition.title),
    element("p", {}, definition.says),
    element(
      "dl",
      {},
      ...facts
        .filter(([, text]) => text !== "")
        .flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]),
    ),
  ];
}
