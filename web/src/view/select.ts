import { element } from "./element.ts";

// A choice of one among few: the browser's own list, which every keyboard and screen reader knows.
export interface Option {
  readonly value: string;
  readonly label: string;
}

let made = 0;

export class Select {
  readonly root: HTMLElement;
  readonly input: HTMLSelectElement;
  private shown = "";

  constructor(label: string, onChoice: (value: string) => void) {
    const id = `select-${++made}`;
    this.input = element("select", { id });
    this.root = element("div", { class: "choice" }, element("label", { for: id }, label), this.input);
    this.input.addEventListener("change", () => onChoice(this.input.value));
  }

  show(options: readonly Option[], value: string): void {
    const shown = JSON.stringify(options);
    if (shown !== this.shown) {
      this.input.replaceChildren(...options.map((o) => element("option", { value: o.value }, o.label)));
      this.shown = shown;
    }
    this.input.value = value;
    this.input.disabled = options.length < 2;
  }
}
