// Addresses of the page are written behind the #, so that the gateway serves one file and links can be kept.

const views = ["overview", "traffic", "tools", "archive", "ledger", "check", "config"] as const;
/** What the navigation shows. */
export type ViewName = (typeof views)[number];

export type Route = { readonly query: URLSearchParams } & (
  | { readonly view: "overview" | "traffic" | "archive" | "ledger" | "check" | "config" | "unknown" }
  | { readonly view: "call"; readonly seq: number }
  | { readonly view: "tools"; readonly upstream?: string | undefined; readonly tool?: string | undefined }
);

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What an address asks for, e.g. `#/calls/12` or `#/traffic?outcome=failed`. */
export function readRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?", 2);
  const query = new URLSearchParams(search);
  const [place = "", first, second] = path.replace(/^\//, "").split("/").map(decode);
  switch (place) {
    case "":
      return { view: "overview", query };
    case "calls": {
      const seq = Number(first);
      return Number.isSafeInteger(seq) && seq > 0 ? { view: "call", seq, query } : { view: "unknown", query };
    }
    case "tools":
      return { view: "tools", upstream: first, tool: second, query };
    case "traffic":
    case "archive":
    case "ledger":
    case "check":
    case "config":
      return { view: place, query };
    default:
      return { view: "unknown", query };
  }
}

/** The address of a view. */
export function linkTo(view: ViewName, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${view === "overview" ? "" : view}${search === "" ? "" : `?${search}`}`;
}

export function linkToCall(seq: number): string {
  return `#/calls/${seq}`;
}

export function linkToTool(upstream: string, tool: string): string {
  return `#/tools/${encodeURIComponent(upstream)}/${encodeURIComponent(tool)}`;
}
