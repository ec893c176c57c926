// A server under development behind a front: `waybill dev` keeps the connections of its clients while the server's process
// is replaced. The server listens on a port of its own choice, and says on stderr where it would have listened. Both ends
// of that line are here.

import { isJsonObject, jsonIn } from "../../../core/json/json-value.ts";

/** Set by a front for the process that it starts. */
export const FRONT_VARIABLE = "WAYBILL_BEHIND_FRONT";

export function isBehindFront(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[FRONT_VARIABLE] === "1";
}

/** Where a server behind a front is, and where its clients look for it. */
export interface FrontedServer {
  /** The server's name and version, for the person at the terminal. */
  readonly title: string;
  /** The port of 127.0.0.1 on which it listens now. */
  readonly behind: number;
  /** Where the front listens: what the server's code, command line and environment ask for. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

const MARK = "waybill behind a front: ";

export function frontLine(server: FrontedServer): string {
  return `${MARK}${JSON.stringify(server)}\n`;
}

/** The server that announces itself in a line of its stderr; undefined for every other line. */
export function frontedServer(line: string): FrontedServer | undefined {
  const said = line.startsWith(MARK) ? jsonIn(line.slice(MARK.length)) : undefined;
  if (!isJsonObject(said)) return undefined;
  const { title, behind, host, port, path } = said;
  if (typeof title !== "string" || typeof host !== "string" || typeof path !== "string") return undefined;
  if (typeof behind !== "number" || typeof port !== "number") return undefined;
  return { title, behind, host, port, path };
}
