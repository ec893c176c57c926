import * as z from "zod/mini";
import { checkToolList, contractKinds } from "../../engine/call/check-options.ts";
import type { ConfigSource, ContractOptions } from "../../engine/settings/contract-options.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import { checkOptions, refuseOptions } from "../../core/options/check-options.ts";
import {
  callback,
  choice,
  judged,
  list,
  object,
  optionsOf,
  text,
  toggle,
  whole,
  withMethods,
} from "../../core/options/option-kinds.ts";
import type { Contract } from "./create-contract.ts";
import { type ServeAuth, serveAuth } from "./sign-in-options.ts";
import type { StdioTransportOptions } from "./stdio-transport.ts";
/** @ts-ignore The SDK is an optional peer: where it is not installed, its server object has the type any. */
import type { McpServer } from "@modelcontextprotocol/server";

/** A picture of the server, for clients that show one. */
export interface ServerIcon {
  /** An address, https: or data:. */
  readonly src: string;
  readonly mimeType?: string | undefined;
  /** Such as `["48x48"]`, or `["any"]` for a picture that scales. */
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: "light" | "dark" | undefined;
}

export interface HttpServeOptions {
  /** 0 takes a free port. Default: 3000. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: 127.0.0.1, which only this machine reaches; any other needs `auth`. */
  readonly host?: string | undefined;
  /** Where clients send their requests. Default: /mcp. */
  readonly path?: string | undefined;
  /** More names allowed in the Host header, behind a proxy. Default: the names of this machine, and `host`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Web pages that may call: names, origins, or all of a scheme, such as `vscode://*`. Default: pages of this machine.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** The options of `serve`: all options of a contract, and how the server is reached. */
export interface ServeOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]> extends Omit<
  ContractOptions,
  "name" | "version" | "tools" | "config"
> {
  readonly name: string;
  readonly version: string;
  readonly tools: Tools;
  /** The name that people see. */
  readonly title?: string | undefined;
  /** What a model should know before it uses the tools. */
  readonly instructions?: string | undefined;
  readonly icons?: readonly ServerIcon[] | undefined;
  readonly websiteUrl?: string | undefined;
  /**
   * Adds resources, prompts and completion with the SDK's own methods. Called for each server object before it is
   * connected: once over stdio, with every request over HTTP. It must not be async.
   */
  readonly register?: ((server: McpServer) => void) | undefined;
  /**
   * Checks the state that a tool of several rounds sealed and the client carried: what `createRequestStateCodec()` of the
   * SDK gives. A call whose state was changed is refused before its tool runs. Default: tools get the text, unchecked.
   */
  readonly requestState?: { readonly verify: (sealed: string, context: never) => unknown } | undefined;
  /** Whether `ctx.log` reaches the client's log. Default: false. */
  readonly logging?: boolean | undefined;
  /** Whether `/metrics` has figures for Prometheus, over HTTP. Default: false. */
  readonly metrics?: boolean | undefined;
  /** Gives the tools anew, on SIGHUP and for `reload()` of what `serve` returns. Running calls end as they began. */
  readonly reload?: (() => readonly AnyTool[] | Promise<readonly AnyTool[]>) | undefined;
  /** Listen over HTTP: true, a port, or options. The environment and the command line override it. Default: stdio. */
  readonly http?: boolean | number | HttpServeOptions | undefined;
  /** Use stdio regardless of the environment and the command line; or the streams to use. */
  readonly stdio?: boolean | StdioTransportOptions | undefined;
  /**
   * Who may call over HTTP: a function that identifies a sender, or the tokens that are taken. Stdio has one local
   * caller, so no caller is asked there.
   */
  readonly auth?: ServeAuth | undefined;
  /** The source of settings. Default: `followConfig()`, which looks for a file. False reads no file. */
  readonly config?: ConfigSource | false | undefined;
}

/** A running server. Its types do not name the SDK, so that code without a server compiles without the SDK. */
export interface Served<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  readonly contract: Contract<Tools>;
  /** Where clients send their requests; undefined over stdio. */
  readonly url?: string | undefined;
  /** Serves what the option `reload` gives from now on. Rejects, and changes nothing, where a tool is wrong. */
  readonly reload: () => Promise<void>;
  /** Takes no more calls, gives running calls 10 seconds to end, then closes the contract. */
  readonly close: () => Promise<void>;
}

function problemOfPath(value: unknown): string | undefined {
  if (value === "/healthz") return "is taken: /healthz says whether the server lives.";
  if (value === "/metrics") return "is taken: /metrics is for the option metrics.";
  const isPath = typeof value === "string" && /^\/[^?#\s]*$/.test(value);
  return isPath ? undefined : 'is not a path: write one that begins with a slash, such as "/mcp".';
}

function hasScheme(value: unknown, schemes: readonly string[]): boolean {
  return typeof value === "string" && URL.canParse(value) && schemes.includes(new URL(value).protocol);
}

/** Clients refuse pictures of other schemes, and http: ones beside a page of https:. */
function problemOfIcon(value: unknown): string | undefined {
  return hasScheme(value, ["https:", "data:"])
    ? undefined
    : "is not an address: write an https: or data: URL.";
}

function problemOfWebsite(value: unknown): string | undefined {
  return hasScheme(value, ["https:", "http:"]) ? undefined : "is not an address: write an https: URL.";
}

const port = whole({ min: 0, max: 65_535 });

const httpOptions = optionsOf<HttpServeOptions>({
  port,
  host: text,
  path: judged(problemOfPath),
  allowedHosts: list(text),
  allowedOrigins: list(text),
});

const stdioOptions = optionsOf<StdioTransportOptions>({
  stdin: withMethods(["on", "pause"], "give a readable stream"),
  stdout: withMethods(["on", "write"], "give a writable stream"),
  maxLineBytes: whole({ min: 1, unit: "bytes" }),
});

const icon = object(
  {
    src: judged(problemOfIcon),
    mimeType: z.optional(text),
    sizes: z.optional(list(text)),
    theme: z.optional(choice(["light", "dark"])),
  },
  "Write { src, mimeType, sizes, theme }.",
);

const { name: _name, version: _version, tools: _tools, config, ...contractRest } = contractKinds;

type Optional = Omit<ServeOptions, "name" | "version" | "tools">;

/** The kinds of the options that have a default. */
export const serveKinds = {
  ...contractRest,
  title: text,
  instructions: text,
  icons: list(icon),
  websiteUrl: judged(problemOfWebsite),
  register: callback,
  requestState: withMethods(["verify"], "give what createRequestStateCodec() returns"),
  logging: toggle,
  metrics: toggle,
  reload: callback,
  http: z.union(
    [toggle, port, httpOptions],
    "Write true, a port, or { port, host, path, allowedHosts, allowedOrigins }.",
  ),
  stdio: z.union([toggle, stdioOptions], "Write true, or { stdin, stdout, maxLineBytes }."),
  auth: serveAuth,
  config: z.union([z.literal(false), config], "Write false, or what followConfig() returns."),
} satisfies Record<keyof Optional, z.ZodMiniType>;

const serveOptions = object({
  ...optionsOf<Optional>(serveKinds).shape,
  name: text,
  version: text,
  tools: contractKinds.tools,
});

const owner = "serve";

function refuse(option: string, message: string): never {
  refuseOptions(owner, [{ path: [option], part: "value", message }]);
}

/** Whether the code asks for stdio; then the command line and the environment are not read. */
export function wantsStdio({ stdio }: Pick<ServeOptions, "stdio">): boolean {
  return stdio !== undefined && stdio !== false;
}

/** Refuses wrong options before anything is opened. */
export function checkServeOptions(options: ServeOptions): void {
  checkOptions(owner, serveOptions, options);
  const { tools, http } = options;
  if (tools.length === 0)
    refuse("tools", '"tools" is an empty list. Give at least one tool made by defineTool().');
  if (wantsStdio(options) && http !== undefined && http !== false)
    refuse("stdio", '"http" and "stdio" are both given. A server speaks one of them: leave the other out.');
  checkToolList(owner, tools, options.retrieve?.name);
}

export type ContractRest<Tools extends readonly AnyTool[]> = ContractOptions & { readonly tools: Tools };

/** What of the options is the contract's own. */
export function contractOptionsOf<const Tools extends readonly AnyTool[]>(
  options: ServeOptions<Tools>,
): ContractRest<Tools> {
  const {
    title: _title,
    instructions: _instructions,
    icons: _icons,
    websiteUrl: _websiteUrl,
    register: _register,
    requestState: _requestState,
    logging: _logging,
    metrics: _metrics,
    reload: _reload,
    http: _http,
    stdio: _stdio,
    auth: _auth,
    config: _config,
    ...rest
  } = options;
  return rest;
}
