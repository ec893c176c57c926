import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { DashboardOptions, WatchedGateway } from "../dashboard-parts.ts";
import { openDashboard } from "../open-dashboard.ts";

/** A gateway without servers: what is before the page is the same with and without them. */
const emptyGateway: WatchedGateway = {
  transport: "stdio",
  urls: () => ({}),
  upstreams: () => [],
};

/** A folder as the build of the page leaves it. */
function builtPage(): string {
  const folder = mkdtempSync(join(tmpdir(), "waybill-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Waybill</title>");
  writeFileSync(join(folder, "assets/page-1.js"), "export const page = 1;");
  writeFileSync(join(folder, "notes.md"), "not a file of a page");
  return folder;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asking {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** One request as it is written: Node's fetch would set headers of its own, and tidy the path. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface OpenedPage {
  readonly port: number;
  readonly token: string;
  readonly announced: string[];
  readonly failures: unknown[];
  /** Signs in; gives the header that a browser sends from then on. */
  readonly cookie: () => Promise<string>;
  readonly ask: (path: string, asking?: Asking) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** A dashboard on a free port, closed with the test. */
export async function openPage(
  options: DashboardOptions = {},
  gateway: WatchedGateway = emptyGateway,
  pageFolder: string = builtPage(),
): Promise<OpenedPage> {
  const announced: string[] = [];
  const failures: unknown[] = [];
  const dashboard = await openDashboard(
    gateway,
    { port: 0, ...options },
    {
      announce: (link) => announced.push(link),
      onFailure: (error) => failures.push(error),
      pageFolder,
      figuresMs: 50,
    },
  );
  onTestFinished(() => dashboard.close());
  const link = new URL(dashboard.link);
  const port = Number(link.port);
  const token = link.searchParams.get("token") ?? "";
  return {
    port,
    token,
    announced,
    failures,
    cookie: async () => {
      const { headers } = await ask(port, `/?token=${token}`);
      return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    },
    ask: (path, asking) => ask(port, path, asking),
    close: () => dashboard.close(),
  };
}
