import type { DialectId } from "../../src/core/contract/dialect-id.ts";
import type { Listening } from "./http-server.ts";
import type { Json, RawServer, RawTool } from "./raw-server.ts";

/** A server that breaks one rule. */
export interface BrokenServer {
  /** The rule it breaks. */
  readonly rule: string;
  /** Rules that cannot be kept where this one is broken, with nothing else wrong. */
  readonly implies?: readonly string[] | undefined;
  /** The era in which it shows. Default: legacy. */
  readonly era?: "legacy" | "modern" | undefined;
  /** The dialect that its results must be in. Default: what each result names. */
  readonly dialect?: DialectId | undefined;
  /** Where it shows. Default: stdio, or a link in memory in its place. */
  readonly transport?: "http" | undefined;
  /** Listens in place of the good server over HTTP, where what is broken is below the messages. */
  readonly listen?: ((server: RawServer) => Promise<Listening>) | undefined;
  /** What the good server does differently here. */
  readonly change: (server: RawServer) => void;
}

function toolOf(server: RawServer, name: string): RawTool {
  const found = server.tools.find(({ definition }) => definition.name === name);
  if (found === undefined) throw new Error(`The good server has no tool ${name}`);
  return found;
}

/** Changes the definition of one tool. */
export function redefine(server: RawServer, name: string, change: (definition: Json) => Json): void {
  const tool = toolOf(server, name);
  tool.definition = { ...tool.definition, ...change(tool.definition) };
}

/** Changes each result of one tool; `args` are those of the call. */
export function rewrite(server: RawServer, name: string, change: (result: Json, args: Json) => Json): void {
  const tool = toolOf(server, name);
  const { run } = tool;
  tool.run = async (args, asked) => change(await run(args, asked), args);
}

/** Changes only the results that are successes. */
export function rewriteSuccess(
  server: RawServer,
  name: string,
  change: (result: Json, args: Json) => Json,
): void {
  rewrite(server, name, (result, args) => (result["isError"] === true ? result : change(result, args)));
}

/** Sends something more before the first answer to a method. */
export function sayBefore(server: RawServer, method: string, said: unknown): void {
  const finish = server.finish.bind(server);
  let isSaid = false;
  server.finish = (result, asked, answered) => {
    if (answered === method && !isSaid) {
      isSaid = true;
      asked.send(said as Json);
    }
    return finish(result, asked, answered);
  };
}

/** Changes each result of a method. */
export function refinish(server: RawServer, method: string, change: (result: Json) => Json): void {
  const finish = server.finish.bind(server);
  server.finish = (result, asked, answered) => {
    const finished = finish(result, asked, answered);
    return answered === method ? change(finished) : finished;
  };
}
