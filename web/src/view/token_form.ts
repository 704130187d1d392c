import { byId } from "./element.ts";

// Asks for the token of an evaluator that wants one. Resolves with what was given.
export function askForToken(): Promise<string> {
  const form = byId("token") as HTMLFormElement;
  const input = byId("token-input") as HTMLInputElement;
  form.hidden = false;
  input.focus();
  return new Promise((resolve) => {
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        form.hidden = true;
        resolve(input.value.trim());
        input.value = "";
      },
      { once: true },
    );
  });
}
