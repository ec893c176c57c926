import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type RunOptions, type RunResult, runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

export interface Home {
  readonly path: string;
  /** Runs the command line in that home, as its owner. */
  readonly run: (line: string, options?: RunOptions) => Promise<RunResult>;
  readonly read: (file: string) => string;
  readonly write: (file: string, text: string) => void;
  readonly at: (file: string) => string;
}

/** The home of a person who has these files. */
export function homeWith(files: Readonly<Record<string, string>>): Home {
  const path = tempFiles({});
  const at = (file: string): string => join(path, file);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const env = { HOME: path, XDG_STATE_HOME: at("state") };
  return {
    path,
    run: (line, options) =>
      runInProcess(line.split(" "), { cwd: path, ...options, env: { ...env, ...options?.env } }),
    read: (file) => readFileSync(at(file), "utf8"),
    write,
    at,
  };
}

/** A config with a comment and one server. */
export const smallConfig = `{
  // mine
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "x"] }
  }
}
`;

export const secretConfig = `{
  "mcpServers": {
    "api": { "url": "https://a.example/mcp", "headers": { "Authorization": "Bearer s3cr3t-t0ken" } }
  }
}
`;
