/** A request id: given, asked from a source, or `false` for none. */
export type RequestIdOption = string | false | (() => string | undefined);

let source: (() => string | undefined) | undefined;

/**
 * Where builders get an id that the caller did not give. The server door sets it to the id of the running
 * request; `setRequestIdSource(newRequestId)` generates one for each envelope. Returns the source it replaced.
 */
export function setRequestIdSource(next: (() => string | undefined) | undefined): typeof source {
  const previous = source;
  source = next;
  return previous;
}

/** Option first, then the author's own `meta.request_id`, then the source; an empty id means none. */
export function chooseRequestId(
  option: RequestIdOption | undefined,
  fromMeta: string | undefined,
): string | undefined {
  if (option === false) return undefined;
  const id = typeof option === "function" ? option() : (option ?? fromMeta ?? source?.());
  return id === "" ? undefined : id;
}
