import { fileURLToPath } from "node:url";
import type { CallPage } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";

export const linesServer = fileURLToPath(new URL("dashboard-server.fixture.mjs", import.meta.url));

export interface Browser {
  readonly base: string;
  readonly get: <Value>(path: string) => Promise<Value>;
  readonly post: (path: string, body: unknown) => Promise<Response>;
  readonly calls: () => Promise<CallPage>;
}

/** Opens the link of a dashboard as a browser does: the token becomes a cookie, which comes with everything after. */
export async function signIn(link: string): Promise<Browser> {
  const entered = await fetch(link, { redirect: "manual" });
  const [cookie = ""] = entered.headers.get("set-cookie")?.split(";") ?? [];
  const base = new URL("/", link).href;
  const get = async <Value>(path: string): Promise<Value> =>
    (await fetch(new URL(path, base), { headers: { cookie } })).json() as Promise<Value>;
  return {
    base,
    get,
    post: (path, body) =>
      fetch(new URL(path, base), {
        method: "POST",
        headers: {
          cookie,
          "content-type": "application/json",
          "x-waybill": "page",
          origin: new URL(base).origin,
        },
        body: JSON.stringify(body),
      }),
    calls: () => get<CallPage>("/api/calls"),
  };
}
