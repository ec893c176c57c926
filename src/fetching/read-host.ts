/** A host as URLs spell it: lower case, ASCII, numbers as dotted IPv4, IPv6 without brackets, no dot at the end. */
export function readHost(text: string): string | undefined {
  const url = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`) : undefined;
  const isHostAlone = url !== undefined && url.href === `http://${url.hostname}/`;
  const host = isHostAlone ? plainHost(url) : "";
  return host === "" ? undefined : host;
}

export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}
