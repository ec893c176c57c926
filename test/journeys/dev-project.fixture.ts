import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const server = resolve("src/doors/server/index.ts");

/** A module whose one tool says this. It is inside this repository, where tsx and the SDK are found. */
function moduleOf(says: string, options = ""): string {
  return `import { defineTool, serve } from ${JSON.stringify(server)};

const say = defineTool("say", { description: "Says something", annotations: { readOnlyHint: true } }, () => ({ says: ${JSON.stringify(says)} }));
await serve({ name: "dev", version: "1.0.0", ${options}tools: [say], config: false });
`;
}

export interface DevProject {
  readonly file: string;
  /** Edits the module: its tool says this from now on, and `serve` gets these options too. */
  says(text: string, options?: string): void;
  /** Edits it so that its tool throws. */
  throws(): void;
  /** Edits it so that its tool has an option that there is not. */
  misspells(): void;
  /** Edits it so that it cannot be read. */
  breaks(): void;
}

/** A project of its own, gone when the test is over. */
export function makeDevProject(): DevProject {
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(resolve(".cache/dev-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "name": "dev", "private": true, "type": "module" }\n');
  const file = join(folder, "server.ts");
  const says = (text: string, options?: string): void => writeFileSync(file, moduleOf(text, options));
  says("one");
  const misspells = (): void =>
    writeFileSync(file, moduleOf("one").replace("annotations:", "timeoutMS: 5, annotations:"));
  const throws = (): void =>
    writeFileSync(file, moduleOf("one").replace("({ says:", "({ says: undefined.length ??"));
  return { file, says, throws, misspells, breaks: () => writeFileSync(file, "const half = {\n") };
}
