import type { CardText } from "../model/card_text.ts";
import { element, setText } from "./element.ts";

// How a card looks.
export class Card {
  private readonly title = element("h2", {});
  private readonly word = element("p", { class: "word", "aria-live": "polite" }, "…");
  private readonly details = element("ul", { class: "why" });
  readonly root = element("section", { class: "card" }, this.title, this.word, this.details);

  constructor(question: string) {
    setText(this.title, question);
  }

  show({ question, mood, word, details }: CardText): void {
    this.root.dataset["mood"] = mood;
    setText(this.title, question);
    setText(this.word, word);
    if (this.details.textContent === details.join("")) return;
    this.details.replaceChildren(...details.map((text) => element("li", {}, text)));
  }
}
