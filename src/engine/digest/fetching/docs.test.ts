import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { createFetcher } from "./create-fetcher.ts";
import { failures, urlRefusals } from "./read-body.ts";
import { limits, otherOptions } from "./fetch-settings.ts";
import { startServer } from "./loopback-server.fixture.ts";

const page = readFileSync("docs/safe-fetching.md", "utf8");
const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);

const server = await startServer((request, response) => {
  if (request.url === "/old") response.statusCode = 301;
  response.setHeader("location", "/report").setHeader("content-type", "text/plain; charset=utf-8");
  response.end("All is well.");
});
afterAll(() => server.close());

/** Runs an example against the test's own server, and gives what it printed. */
async function run(code: string): Promise<readonly string[]> {
  const printed: string[] = [];
  const log = (...values: readonly unknown[]): void => {
    const words = values.map((value) => (typeof value === "string" ? value : inspect(value)));
    printed.push(words.join(" ").replaceAll(`:${server.port}`, ":8080"));
  };
  const body = code.replace(/^import .*$/m, "").replaceAll(":8080", `:${server.port}`);
  const asynchronous = Object.getPrototypeOf(run).constructor as FunctionConstructor;
  await asynchronous("createFetcher", "console", body)(createFetcher, { log });
  return printed;
}

describe("docs/safe-fetching.md", () => {
  it.each(examples)("prints what it says: %#", async (code) => {
    const shown = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(await run(code)).toEqual(shown);
    expect(shown.length).toBeGreaterThan(0);
  });

  it.each([...Object.keys(urlRefusals), ...Object.keys(failures)])("names the reason %s", (reason) => {
    expect(page).toContain(`\`${reason}\``);
  });

  it.each(Object.entries(limits))("gives the default of %s", (option, { usual }) => {
    const text = option === "maxBytes" ? `${usual / 1024 / 1024} MiB` : usual.toLocaleString("en");
    expect(page).toContain(`| \`${option}\` | ${text} |`);
  });

  it.each(otherOptions)("names the option %s", (option) => {
    expect(page).toContain(`| \`${option}\` |`);
  });
});
