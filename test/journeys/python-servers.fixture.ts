import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { contractClient } from "../../src/doors/client/index.ts";
import { createGateway } from "../../src/doors/gateway/index.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";

export const pythonFolder = fileURLToPath(new URL("../../examples/python-servers/", import.meta.url));
export const families = ["foundry", "scalpel", "drf"] as const;
export type Family = (typeof families)[number];
/** The dialects in which a family is asked for: the default, the common one, and what its clients know. */
export const choices = ["auto", "response-v2", "own"] as const;
export type Choice = (typeof choices)[number];

const ownDialect = { foundry: "response-v2", scalpel: "scalpel", drf: "drf" } as const;
/** The folder of the example stays as it is. */
const quiet = { PYTHONDONTWRITEBYTECODE: "1" };
const about = { name: "python-journey", version: "1.0.0" };

/** A project for scalpel_server.py: the sample beside it, and a file whose analysis is over 8,000 tokens. */
export function makeProject(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "python-servers-"));
  const functions = Array.from(
    { length: 500 },
    (_, at) => `def step_${at}(order, price):\n    return order if price > ${at} else None\n`,
  );
  writeFileSync(join(folder, "large.py"), functions.join("\n"));
  writeFileSync(join(folder, "store.py"), "import pickle\n\ndef load(raw):\n    return pickle.loads(raw)\n");
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The words that start a server. */
export function commandOf(family: Family, project: string): readonly [string, ...string[]] {
  const words = family === "scalpel" ? [project] : [];
  return ["python3", join(pythonFolder, `${family}_server.py`), ...words];
}

/** A client of a command on stdio: of the server itself, or of whatever is in front of it. */
export async function connectTo(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client(about);
  const inherited = process.env as Record<string, string>;
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args],
      env: { ...inherited, ...quiet, ...env },
      stderr: "ignore",
    }),
  );
  return client;
}

/** What the text of a result says, and what the server marked. */
export function saidBy(result: JsonObject): { readonly text: string; readonly isError: unknown } {
  const [first] = result["content"] as readonly { readonly text: string }[];
  return { text: first?.text ?? "", isError: result["isError"] };
}

/** Every family behind one gateway in every choice, each at an address of its own; processes start when they are asked. */
export async function openGateway(project: string, env: Readonly<Record<string, string>> = {}) {
  const upstreams = families.flatMap((family) =>
    choices.map((choice) => {
      const [command, ...args] = commandOf(family, project);
      const dialect = choice === "own" ? ownDialect[family] : choice;
      return [`${family}-${choice}`, { command, args, env: { ...quiet, ...env }, dialect }] as const;
    }),
  );
  const gateway = createGateway({
    upstreams: Object.fromEntries(upstreams),
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  const { urls } = await gateway.listen();
  return {
    connect: async (family: Family, choice: Choice) => {
      const client = new Client(about);
      const url = new URL(urls[`${family}-${choice}`] ?? "");
      await client.connect(new StreamableHTTPClientTransport(url));
      const call = async (name: string, args: JsonObject = {}): Promise<JsonObject> =>
        (await client.callTool({ name, arguments: args })) as JsonObject;
      return { client, call, tools: contractClient(client) };
    },
    close: () => gateway.close(),
  };
}
