import { canonicalPages, canonicalText, hashText, wellFormed } from "./canonical-text.ts";
import type { Page } from "./document.ts";

/** What a digest is checked against: its document's text, canonical or not, and its pages where it has any. */
export type VerifySource =
  | string
  | { readonly text: string; readonly pages?: readonly Page[] | undefined }
  | { readonly pages: readonly string[] };

/** A text that a payload may have been made of. */
export interface Form {
  readonly name: "as_given" | "canonical" | "foundry";
  readonly text: string;
  readonly pages?: readonly Page[] | undefined;
}

/** The text as given, and what the payload may have been made of it; each is made only when asked for. */
function* formsOf(source: VerifySource): Generator<Form> {
  if (typeof source === "object" && !("text" in source)) {
    yield { name: "canonical", ...canonicalPages(source.pages) };
    yield { name: "foundry", ...canonicalPages(source.pages, { compat: "foundry" }) };
    return;
  }
  const { text, pages } = typeof source === "string" ? { text: source, pages: undefined } : source;
  // Bytes cannot carry half a surrogate pair, so no digest was made of one.
  yield { name: "as_given", text: wellFormed(text), pages };
  const canonical = canonicalText(text);
  // Pages are places in the text as it was given.
  if (canonical !== text) yield { name: "canonical", text: canonical };
  yield { name: "foundry", text: canonicalText(text, { compat: "foundry" }) };
}

/** The form with the wanted hash; without one, the canonical text, so that quotes can be looked for all the same. */
export async function chooseForm(
  source: VerifySource,
  hash: string,
): Promise<{ form: Form; isMatch: boolean }> {
  const forms: Form[] = [];
  for (const form of formsOf(source)) {
    if ((await hashText(form.text)) === hash) return { form, isMatch: true };
    forms.push(form);
  }
  const form = forms.find(({ name }) => name === "canonical") ?? forms[0];
  return { form: form ?? { name: "as_given", text: "" }, isMatch: false };
}
