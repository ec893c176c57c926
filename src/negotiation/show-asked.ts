const MAX_CHARACTERS = 64;

/** What a client sent, short enough to repeat in a warning's context. */
export function showAsked(value: unknown): string {
  if (typeof value === "string") {
    const characters = Array.from(value.slice(0, 2 * MAX_CHARACTERS));
    const kept = characters.slice(0, MAX_CHARACTERS).join("");
    return kept.length < value.length ? `${kept}…` : kept;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null || value === undefined) return "null";
  return Array.isArray(value) ? "a list" : "an object";
}

/** The same for a message: strings stand in quotes. */
export function quoteAsked(value: unknown): string {
  return typeof value === "string" ? `"${showAsked(value)}"` : showAsked(value);
}
