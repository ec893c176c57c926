// On Node. With Bun, Deno or a Worker: `export default { fetch: app.fetch }`.

import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { parcelApp } from "./app.ts";

export interface RunningApp {
  readonly url: string;
  close(): Promise<void>;
}

export function serveApp(members: Readonly<Record<string, string>>, port = 0): Promise<RunningApp> {
  const { app, close } = parcelApp(members);
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (address) => {
      const stop = async (): Promise<void> => {
        await new Promise((closed) => {
          server.close(closed);
          (server as Server).closeAllConnections();
        });
        await close();
      };
      resolve({ url: `http://127.0.0.1:${address.port}/mcp`, close: stop });
    });
  });
}
