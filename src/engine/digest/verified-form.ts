import { canonicalPages, canonicalText, hashText, wellFormed } from "./canonical-text.ts";
import type { Page } from "./document.ts";

/** What a digest is checked against: its document's text, canonical or not, and its pages if it has any. */
export type VerifySource =
  | string
  | { readonly text: string; readonly pages?: readonly Page[] | undefined }
  | { readonly pages: readonly string[] };

/** A text from which a payload may have been made. */
export interface Form {
  readonly name: "as_given" | "canonical" | "foundry";
  readonly text: string;
  readonly pages?: readonly Page[] | undefined;
}

/** The text as given, and other forms from which the payload may have been made; each is made only on demand. */
function* formsOf(source: VerifySource): Generator<Form> {
  if (typeof source === "object" && !("text" in source)) {
    yield { name: "canonical", ...canonicalPages(source.pages) };
    yield { name: "foundry", ...canonicalPages(source.pages, { compat: "foundry" }) };
    return;
  }
  const { text, pages } = typeof source === "string" ? { text: source, pages: undefined } : source;
  // Bytes cannot carry half a surrogate pair, so no digest was made from one.
  yield { name: "as_given", text: wellFormed(text), pages };
  const canonical = canonicalText(text);
  // Pages are positions in the text as it was given.
  if (canonical !== text) yield { name: "canonical", text: canonical };
  yield { name: "foundry", text: canonicalText(text, { compat: "foundry" }) };
}

/** The form with the expected hash; if there is none, the canonical text, so that quotes can still be searched for. */
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
