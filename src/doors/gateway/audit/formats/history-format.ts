// What is known of the history of a client: where it is, in which files, and how a call is read out of it. One file a
// client is beside this one. Formats change with every version of a client, so a reader takes what it knows, counts
// what looks like a call and is not in a form that it knows, and leaves the rest.

import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../../../core/json/json-value.ts";
import type { Machine } from "../../state-folder.ts";

/** The names of the formats on the command line. */
export const historyIds = ["claude-code", "codex", "opencode", "gemini-cli", "cline"] as const;
type HistoryId = (typeof historyIds)[number];

/** One tool call of an MCP server, as a client wrote it down. */
export interface RecordedCall {
  /** The same call may be in several files: a session that was resumed or forked begins with a copy. */
  readonly id: string;
  readonly session: string;
  /** Undefined if the history has the tool's name alone, and nothing tells whose it is. */
  readonly server: string | undefined;
  readonly tool: string;
  readonly args: JsonObject;
  readonly atMs: number | undefined;
  /** The model that the client named, if its client shows models results in different ways. */
  readonly model?: string | undefined;
  /** The server's result, as far as the history has it; undefined if the client cut it before. */
  readonly result: JsonObject | undefined;
  /** The texts that the model was given, without the client's own words around them; undefined if it is not recorded. */
  readonly given: readonly string[] | undefined;
  /** The client left its mark where it cut. */
  readonly isCut: boolean;
  /** The file in which the client keeps the whole of what it cut. */
  readonly wholeIn?: string | undefined;
}

/** What a reader finds. */
export interface Findings {
  readonly call: (call: RecordedCall) => void;
  /** Something that is a call of an MCP server, in a form that is not known. */
  readonly odd: () => void;
}

/** Reads one file: it is given each value of the file in order. */
export interface HistoryReader {
  take(value: JsonObject): void;
  /** The file ends: calls that wait for more come without it. */
  end?(): void;
}

/** How a file holds its values: one a line, one in all, or the rows of a query. */
type Holding = "lines" | "document" | { readonly query: string };

export interface HistoryFiles {
  /** Matches a file's path below the folder, with forward slashes. */
  readonly path: RegExp;
  readonly holding: Holding;
  readonly open: (findings: Findings, path: string, servers: ServerNames) => HistoryReader;
}

/**
 * The names of a client's servers, by its configuration for a user and for a project's folder: for a client that joins
 * them with the names of their tools. The longest is the first.
 */
export type ServerNames = (project: string | undefined) => readonly string[];

export interface HistoryFormat {
  readonly id: HistoryId;
  readonly client: string;
  /** What the client calls itself to a server: the gateway knows its reader by it. */
  readonly clientName: string;
  /** The version whose own files the reader was tried with; undefined if it was written after descriptions. */
  readonly triedWith: string | undefined;
  readonly folders: (machine: Machine & { readonly home: string }) => readonly string[];
  readonly files: readonly HistoryFiles[];
  readonly serverNames?: ((machine: Machine) => ServerNames) | undefined;
  /** Takes the client's frame off a text that it kept in a file of its own. */
  readonly unframe?: ((text: string) => string) | undefined;
}

/** The folder that a variable names, or one below the home. */
export function folderOf(
  { env, home }: { readonly env: Machine["env"]; readonly home: string },
  variable: string,
  ...usual: readonly string[]
): string {
  const named = env[variable];
  return named === undefined || named === "" ? join(home, ...usual) : named;
}

// How readers look into values that any program may have written.

/** An own member, never one that every object inherits. */
export function member(value: unknown, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

export function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" ? found : undefined;
}

export function objectIn(value: unknown, name: string): JsonObject | undefined {
  const found = member(value, name);
  return typeof found === "object" && found !== null && !Array.isArray(found)
    ? (found as JsonObject)
    : undefined;
}

export function listIn(value: unknown, name: string): readonly JsonValue[] {
  const found = member(value, name);
  return Array.isArray(found) ? (found as readonly JsonValue[]) : [];
}

/** Milliseconds, or a date as ISO 8601 writes it. */
export function timeOf(value: JsonValue | undefined): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms : undefined;
}

export const textResult = (texts: readonly string[], isError = false): JsonObject => ({
  content: texts.map((text) => ({ type: "text", text })),
  ...(isError && { isError }),
});
