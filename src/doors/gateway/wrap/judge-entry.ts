import type { Member, ServerEntry } from "./config-text.ts";
import { isBehindGateway, textsOf, wrappedTarget } from "./gateway-command.ts";

/** What can be done with one server of a config file. */
export type Judgement =
  | { readonly kind: "command"; readonly program: Member; readonly args: Member | undefined }
  | {
      readonly kind: "url";
      readonly url: Member;
      readonly headers: Member | undefined;
      readonly type: Member | undefined;
    }
  | { readonly kind: "wrapped" }
  | { readonly kind: "left"; readonly reason: string };

const urlKeys = ["url", "serverUrl"] as const;
const headerKeys = ["headers", "http_headers"] as const;

/** Settings by which a client gets a token itself; behind the gateway this would not work. */
const signInKeys: Readonly<Record<string, string>> = {
  oauth: "it signs in with OAuth, which the gateway does not do",
  auth: "it signs in with OAuth, which the gateway does not do",
  headersHelper: "a program of the client makes its headers",
  bearer_token_env_var: "its token comes from a variable that only the client reads (bearer_token_env_var)",
  env_http_headers: "its headers come from variables that only the client reads (env_http_headers)",
};

/** Decides what to do with an entry; `isNamed` if a person asked for this server by name. */
export function judgeEntry(entry: ServerEntry, isNamed: boolean): Judgement {
  if (wrappedTarget(entry) !== undefined) return { kind: "wrapped" };
  if (isBehindGateway(entry)) return left("it runs through the gateway already, but not by `waybill wrap`");
  const program = entry.launch.get(entry.programKey);
  const hasUrl = urlKeys.some((key) => entry.value[key] !== undefined);
  if (program !== undefined && hasUrl) return left("it has both a command and a url");
  if (program !== undefined) return judgeCommand(program, entry.launch.get("args"));
  return hasUrl ? judgeUrl(entry, isNamed) : left("it has neither a command nor a url in this file");
}

function left(reason: string): Judgement {
  return { kind: "left", reason };
}

function judgeCommand(program: Member, args: Member | undefined): Judgement {
  const { value } = program;
  if (typeof value !== "string" || value === "") return left("its command is not a text");
  if (value.startsWith("~"))
    return left("its command begins with ~, which the gateway does not expand: write the whole path");
  if (args !== undefined && textsOf(args.value) === undefined)
    return left("its args are not a list of texts");
  return { kind: "command", program, args };
}

function judgeUrl({ value, members }: ServerEntry, isNamed: boolean): Judgement {
  const url = urlKeys.map((key) => members.get(key)).find((member) => member !== undefined);
  const headerKey = headerKeys.find((key) => value[key] !== undefined);
  const headers = headerKey === undefined ? undefined : members.get(headerKey);
  const type = members.get("type");
  if (url === undefined || (headerKey !== undefined && headers === undefined)) {
    return left("it is written with dotted keys, which are not rewritten");
  }
  const reason = whyNotUrl(value, url.value, headers?.value, isNamed);
  return reason === undefined ? { kind: "url", url, headers, type } : left(reason);
}

function whyNotUrl(
  entry: ServerEntry["value"],
  url: unknown,
  headers: unknown,
  isNamed: boolean,
): string | undefined {
  if (typeof url !== "string" || !/^(https?:\/\/|\$\{)/i.test(url))
    return "its url is not one of http or https";
  if (entry["type"] === "sse" || /\/sse\/?([?#]|$)/.test(url)) {
    return "it uses the old SSE transport, which the gateway does not speak: ask the server for its Streamable HTTP address";
  }
  for (const [key, reason] of Object.entries(signInKeys)) if (entry[key] !== undefined) return reason;
  if (entry["env"] !== undefined) return "it has both a url and an env";
  if (headers !== undefined && !isTextMap(headers)) return "its headers are not texts";
  if (isNamed) return undefined;
  if (headers === undefined || Object.keys(headers).length === 0) {
    return "it has no fixed header, so it may sign in with OAuth, which the gateway does not do; if it needs no sign-in, name it with --server";
  }
  if (/[?@]/.test(url.replaceAll(/\$\{[^}]*\}/g, ""))) {
    return "its url may hold a key, which would be readable on a command line; if it does not, name it with --server";
  }
  return undefined;
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => typeof item === "string")
  );
}
