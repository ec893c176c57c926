const SHOWN_CHARACTERS = 60;

/** A text of the input in quotation marks: short, and with control characters escaped. */
export function quote(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f]/g,
    (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`,
  );
}
