// Serves the library over HTTP, uses all that it offers, gives it a new search while it runs, and checks what comes back:
// exit code 1 on a difference.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Claims } from "../agent-loop/claims.ts";

const folder = await mkdtemp(join(tmpdir(), "library-"));
const searches = join(folder, "searches.json");
const early = { name: "books_since_1980", description: "Books of 1980 and later", since: 1980 };
await writeFile(searches, JSON.stringify([early]));

const program = fileURLToPath(new URL("server.ts", import.meta.url));
const { PORT: _port, ...environment } = process.env;
const server = spawn(process.execPath, ["--import", "tsx", program, "--http", "0"], {
  env: { ...environment, LIBRARY_SEARCHES: searches },
  stdio: ["ignore", "ignore", "pipe"],
});

/** The address that the server says it listens on. */
async function address(): Promise<string> {
  let said = "";
  for await (const chunk of server.stderr) {
    said += String(chunk);
    const url = /listens on (\S+)/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The server ended: ${said}`);
}

const claims = new Claims();
const changes: string[][] = [];
const said: unknown[] = [];

const client = new Client(
  { name: "library-example", version: "1.0.0" },
  {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    listChanged: {
      tools: {
        debounceMs: 0,
        onChanged: (_error, tools) => void changes.push((tools ?? []).map(({ name }) => name)),
      },
    },
  },
);
client.setNotificationHandler("notifications/message", ({ params }) => void said.push(params.data));

try {
  const url = await address();
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));

  claims.chapter("Says what it is");
  const about = client.getServerVersion();
  claims.equal(
    "its name, and its picture",
    [about?.title, about?.icons?.[0]?.mimeType],
    ["The library", "image/svg+xml"],
  );
  claims.equal("what a model should know", client.getInstructions()?.slice(0, 20), "Books by their ids. ");

  claims.chapter("Has resources");
  const { resources } = await client.listResources();
  claims.equal("the catalogue and each book", resources.map(({ uri }) => uri).slice(0, 2), [
    "library://catalogue",
    "library://book/rivers",
  ]);
  const { contents } = await client.readResource({ uri: "library://book/salt" });
  claims.equal("the text of one", contents, [
    { uri: "library://book/salt", mimeType: "text/plain", text: "Salt was money before there was money." },
  ]);
  const missing = await client
    .readResource({ uri: "library://book/none" })
    .catch((error: Error) => error.message);
  claims.equal("one that is not there", missing, "Resource not found: library://book/none");

  claims.chapter("Has a prompt, and completes what is typed");
  const ref = { type: "ref/prompt", name: "book_talk" } as const;
  const { completion } = await client.complete({ ref, argument: { name: "id", value: "r" } });
  claims.equal("r", completion.values, ["rivers", "roads"]);
  const { messages } = await client.getPrompt({ name: "book_talk", arguments: { id: "roads" } });
  claims.equal("the prompt", messages.length, 1);

  claims.chapter("Writes to the client's log, if that is wanted");
  const _meta = { "io.modelcontextprotocol/logLevel": "info" };
  await client.callTool({ name: "book_find", arguments: { word: "salt" }, _meta });
  await client.callTool({ name: "book_find", arguments: { word: "salt" } });
  claims.equal("one line for two calls", said, [{ word: "salt", found: 1 }]);

  claims.chapter("Takes a new search while it runs");
  await writeFile(searches, JSON.stringify([early, { ...early, name: "books_since_2000", since: 2000 }]));
  server.kill("SIGHUP");
  for (let waited = 0; changes.length === 0 && waited < 10_000; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const names = changes[0]?.filter((name) => name.startsWith("book"));
  claims.equal("the client is told", names, ["book_find", "books_since_1980", "books_since_2000"]);
  const { structuredContent } = await client.callTool({ name: "books_since_2000", arguments: {} });
  const { data } = structuredContent as { data: { books: { id: string }[] } };
  claims.equal(
    "it can be called",
    data.books.map(({ id }) => id),
    ["salt"],
  );

  claims.chapter("Counts");
  const page = await (await fetch(new URL("/metrics", url))).text();
  const line = page.split("\n").find((each) => each.startsWith('waybill_calls_total{tool="book_find"'));
  claims.equal("calls", line, 'waybill_calls_total{tool="book_find",outcome="success"} 2');
} catch (error) {
  claims.equal("nothing is thrown", String(error), "");
} finally {
  await client.close();
  server.kill("SIGTERM");
  if (server.exitCode === null) await once(server, "exit");
  await rm(folder, { recursive: true });
}

claims.close();
