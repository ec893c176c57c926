// The code of a new project with resources and a prompt beside its tool. One of our tests compiles and runs it.

function serverFile(name: string): string {
  return `import { serve } from "waybill/server";
import { guideFind } from "./guide-find.ts";
import { registerGuides } from "./guides.ts";

await serve({
  name: ${JSON.stringify(name)},
  version: "0.1.0",
  instructions: "Guides for new users. guide_find looks for words; each guide is a resource, guides://guide/ID.",
  tools: [guideFind],
  register: registerGuides,
  logging: true,
});
`;
}

const guidesFile = `import { type McpServer, ResourceNotFoundError, ResourceTemplate, completable } from "@modelcontextprotocol/server";
import * as z from "zod";

export const guides: ReadonlyMap<string, string> = new Map([
  ["install", "# Install\\n\\nRun \`npm install\`, then \`npm test\`."],
  ["first-call", "# The first call\\n\\nStart the server, then ask for this guide."],
]);

function idsLike(start = ""): string[] {
  return [...guides.keys()].filter((id) => id.startsWith(start));
}

/** The list of guides, each guide by its id, and a prompt. Called for every server object, so it reads nothing. */
export function registerGuides(server: McpServer): void {
  server.registerResource(
    "guides",
    "guides://all",
    { title: "All guides", description: "The ids of all guides", mimeType: "application/json" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "application/json", text: JSON.stringify([...guides.keys()]) }] }),
  );
  const template = new ResourceTemplate("guides://guide/{id}", {
    list: () => ({ resources: idsLike().map((id) => ({ uri: \`guides://guide/\${id}\`, name: id })) }),
    complete: { id: idsLike },
  });
  server.registerResource(
    "guide",
    template,
    { title: "A guide", description: "One guide by its id", mimeType: "text/markdown" },
    ({ href: uri }, { id }) => {
      const text = guides.get(String(id));
      if (text === undefined) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, mimeType: "text/markdown", text }] };
    },
  );
  server.registerPrompt(
    "explain_guide",
    {
      title: "Explain a guide",
      description: "Explains one guide to somebody who is new",
      argsSchema: z.object({ id: completable(z.string().describe("The id of the guide"), idsLike) }),
    },
    ({ id }) => ({
      messages: [
        {
          role: "user",
          content: { type: "text", text: \`Explain this guide in three sentences:\\n\\n\${guides.get(id) ?? id}\` },
        },
      ],
    }),
  );
}
`;

const toolFile = `import { defineTool } from "waybill/server";
import * as z from "zod";
import { guides } from "./guides.ts";

/** What it finds are addresses: clients read the resources themselves. */
export const guideFind = defineTool(
  "guide_find",
  {
    description: "Finds guides that have a word",
    inputSchema: z.object({ word: z.string().min(1).describe("A word of the guide, such as npm") }),
    annotations: { readOnlyHint: true },
  },
  async ({ word }, ctx) => {
    const found = [...guides].filter(([, text]) => text.toLowerCase().includes(word.toLowerCase()));
    await ctx.log("info", { looked_for: word, found: found.length });
    return { guides: found.map(([id]) => ({ id, uri: \`guides://guide/\${id}\` })) };
  },
);
`;

const testFile = `import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { assertResponse, runTool } from "waybill/testing";
import { guideFind } from "./guide-find.ts";
import { registerGuides } from "./guides.ts";

const client = new Client({ name: "test", version: "0.1.0" });

before(async () => {
  const server = new McpServer({ name: "guides", version: "0.1.0" });
  registerGuides(server);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
});

after(() => client.close());

test("lists the guides, and gives one", async () => {
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ["guides://all", "guides://guide/install", "guides://guide/first-call"],
  );
  const { contents } = await client.readResource({ uri: "guides://guide/install" });
  assert.match(JSON.stringify(contents), /npm test/);
  await assert.rejects(client.readResource({ uri: "guides://guide/nothing" }), /not found/i);
});

test("completes ids, in the template and in the prompt", async () => {
  const argument = { name: "id", value: "fi" };
  const resource = { type: "ref/resource", uri: "guides://guide/{id}" } as const;
  const prompt = { type: "ref/prompt", name: "explain_guide" } as const;
  for (const ref of [resource, prompt])
    assert.deepEqual((await client.complete({ ref, argument })).completion.values, ["first-call"]);
});

test("writes the prompt", async () => {
  const { messages } = await client.getPrompt({ name: "explain_guide", arguments: { id: "install" } });
  assert.match(JSON.stringify(messages), /three sentences.*Install/);
});

test("finds guides by a word", async () => {
  const { outcome, result } = await runTool(guideFind, { word: "npm" });
  assertResponse(result);
  assert.deepEqual(outcome.ok && outcome.data, { guides: [{ id: "install", uri: "guides://guide/install" }] });
});
`;

export function resourcesCode(serverName: string): readonly (readonly [path: string, text: string])[] {
  return [
    ["src/server.ts", serverFile(serverName)],
    ["src/guides.ts", guidesFile],
    ["src/guide-find.ts", toolFile],
    ["src/guides.test.ts", testFile],
  ];
}

/** The end of the README. */
export const resourcesNotes = `To add a resource or a prompt, register it in \`src/guides.ts\`; to add a tool, write it as \`src/guide-find.ts\` is
written, and name it in \`tools\` of \`src/server.ts\`.`;
