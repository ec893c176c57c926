/** Where a setting or a problem was written: a spot in a file, or an environment variable. */
export type Place =
  | { readonly file: string; readonly line?: number; readonly column?: number }
  | { readonly variable: string };

/** `file:line:column`, as far as known, or the variable's name. */
export function formatPlace(place: Place): string {
  if ("variable" in place) return place.variable;
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(":");
}

/** Orders places of one file from top to bottom. */
export function comparePlaces(left: Place, right: Place): number {
  if ("variable" in left || "variable" in right) return 0;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

/** `file:line`, or the variable's name. */
export function formatLine(place: Place): string {
  if ("variable" in place) return place.variable;
  return place.line === undefined ? place.file : `${place.file}:${place.line}`;
}
