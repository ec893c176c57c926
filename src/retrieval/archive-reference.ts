const SCHEME = "waybill://archive/";
const HEX = /^[0-9a-f]{8,64}$/;

/**
 * The hash, or the beginning of one, that a reference names: `3f2a9c01b7de`, the full hash, either with `sha256:`,
 * a key of content_archive_hashes (`findings-3f2a9c01b7de`) or a resource URI. Undefined for anything else.
 */
export function parseArchiveReference(reference: string): string | undefined {
  const text = reference.trim().toLowerCase();
  const plain = text.startsWith(SCHEME) ? text.slice(SCHEME.length) : text;
  const handle = plain.slice(plain.lastIndexOf("-") + 1);
  const hash = handle.startsWith("sha256:") ? handle.slice("sha256:".length) : handle;
  return HEX.test(hash) ? hash : undefined;
}

/** The URI of an entry, or of a range of its bytes. */
export function archiveUri(hash: string, range?: { readonly start: number; readonly end: number }): string {
  return range === undefined ? SCHEME + hash : `${SCHEME}${hash}/${range.start}/${range.end}`;
}
