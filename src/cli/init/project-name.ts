// The name of a new project: a name that npm accepts; the server and its folder are named after it.

import { CliError } from "../cli-io.ts";

export interface ProjectName {
  /** As in package.json: `demo` or `@acme/demo`. */
  readonly packageName: string;
  /** Without the scope: the name of the folder and of the server. */
  readonly serverName: string;
}

/** npm's own limit. */
const MAX_CHARACTERS = 214;
const part = "[a-z0-9~-][a-z0-9._~-]*";
const allowed = new RegExp(`^(?:@${part}/)?${part}$`);
/** npm refuses the first two as names, and a project with the name of a package that it installs. */
const taken: ReadonlySet<string> = new Set([
  "node_modules",
  "favicon.ico",
  "waybill",
  "zod",
  "tsx",
  "typescript",
  "wrangler",
  "@types/node",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/client",
]);

/** The nearest name that npm accepts; undefined if no character is left. */
function nearest(text: string): string | undefined {
  const name = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, "-")
    .replaceAll(/^[._-]+|[._-]+$/g, "")
    .slice(0, MAX_CHARACTERS);
  return allowed.test(name) && !taken.has(name) ? name : undefined;
}

function refuse(text: string, why: string): CliError {
  const meant = nearest(text);
  const hint = meant === undefined || meant === text ? "" : ` Did you mean ${meant}?`;
  return new CliError(`${JSON.stringify(text.slice(0, 80))} is no name for a project: ${why}.${hint}`, {
    remediation: "Write small letters, digits and hyphens, as in `waybill init demo`.",
  });
}

/** Checks a typed name. */
export function projectName(text: string): ProjectName {
  if (text.length > MAX_CHARACTERS) throw refuse(text, `it has more than ${MAX_CHARACTERS} characters`);
  if (/[/\\]/.test(text.startsWith("@") ? text.replace("/", "") : text))
    throw refuse(text, "it is a path, and the project is made in the folder you are in");
  if (!allowed.test(text)) throw refuse(text, "npm takes small letters, digits, and - . _ ~ inside of it");
  if (taken.has(text))
    throw refuse(text, "a package of this name is needed by the project, or npm refuses it");
  return { packageName: text, serverName: text.replace(/^@[^/]*\//, "") };
}

/** A name for an existing folder, whatever it is called. */
export function nameOfFolder(folder: string): ProjectName {
  const name = nearest(folder) ?? "server";
  return { packageName: name, serverName: name };
}
