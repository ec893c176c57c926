// What a gateway's owner says of a server's list of tools: which of them clients may know, under which names, with which
// descriptions. The rules name tools as the server names them. What a name means follows from the rules alone, so that a
// call before any list reaches the same tool.

import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";

type NamedTool = JsonObject & { readonly name: string };

export interface ToolChoice {
  /** Names or patterns of tools that clients may know; without it, all. */
  readonly allowTools?: readonly string[] | undefined;
  /** Tools that are neither listed nor callable, by name or pattern. */
  readonly hide?: readonly string[] | undefined;
  /** The names that clients know, by the server's name or a pattern. */
  readonly renameTools?: Readonly<Record<string, string>> | undefined;
  /** Descriptions in place of the server's, by the server's name or a pattern. */
  readonly describeTools?: Readonly<Record<string, string>> | undefined;
}

/** The part of some options that is about the list of tools. */
export function toolChoiceOf({ allowTools, hide, renameTools, describeTools }: ToolChoice): ToolChoice {
  return { allowTools, hide, renameTools, describeTools };
}

/** Whether a name fits a text in which each `*` stands for any characters. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return pattern === name;
  if (!name.startsWith(start)) return false;
  let at = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - end.length >= at && name.endsWith(end);
}

/** What the `*` of a pattern stands for in a name; "" for a name without one, undefined if they do not match. */
function starIn(pattern: string, name: string): string | undefined {
  const at = pattern.indexOf("*");
  if (at < 0) return pattern === name ? "" : undefined;
  return matchesPattern(pattern, name) ? name.slice(at, name.length - (pattern.length - at - 1)) : undefined;
}

interface Renaming {
  readonly from: string;
  readonly to: string;
}

export class ToolNames {
  readonly #allowed: readonly string[] | undefined;
  readonly #hidden: readonly string[];
  readonly #renamings: readonly Renaming[];
  readonly #descriptions: readonly (readonly [pattern: string, text: string])[];
  readonly isPlain: boolean;

  constructor({ allowTools, hide = [], renameTools = {}, describeTools = {} }: ToolChoice) {
    this.#allowed = allowTools;
    this.#hidden = hide;
    this.#renamings = Object.entries(renameTools).map(([from, to]) => ({ from, to }));
    this.#descriptions = Object.entries(describeTools);
    const rules = this.#hidden.length + this.#renamings.length + this.#descriptions.length;
    this.isPlain = allowTools === undefined && rules === 0;
  }

  /** The server's name of the tool that clients know by this name; undefined if they know none. */
  serverName(name: string): string | undefined {
    if (this.isPlain) return name;
    for (const { from, to } of this.#renamings) {
      const star = starIn(to, name);
      const meant = star === undefined ? undefined : from.replace("*", () => star);
      if (meant !== undefined && this.#isKnown(meant) && this.#nameOf(meant) === name) return meant;
    }
    return this.#isKnown(name) && this.#nameOf(name) === name ? name : undefined;
  }

  /** The name that clients know a tool of the server by; undefined if they know it by none. */
  shownName(serverName: string): string | undefined {
    if (this.isPlain) return serverName;
    const name = this.#nameOf(serverName);
    return this.serverName(name) === serverName ? name : undefined;
  }

  describe(serverName: string): string | undefined {
    return this.#descriptions.find(([pattern]) => matchesPattern(pattern, serverName))?.[1];
  }

  /** A tool as clients see it: with its own name and description; undefined if they do not see it. */
  shown(tool: NamedTool): NamedTool | undefined {
    const name = this.shownName(tool.name);
    if (name === undefined) return undefined;
    const description = this.describe(tool.name);
    if (name === tool.name && description === undefined) return tool;
    return { ...tool, name, ...(description === undefined ? {} : { description }) };
  }

  /** What the rules say in vain of a server that has these tools, and the tools that lose their name to another. */
  *problems(serverNames: readonly string[]): Generator<ToolRuleProblem> {
    const rules: readonly (readonly [setting: string, patterns: readonly string[]])[] = [
      ["allow_tools", this.#allowed ?? []],
      ["hide", this.#hidden],
      ["rename_tools", this.#renamings.map(({ from }) => from)],
      ["describe_tools", this.#descriptions.map(([pattern]) => pattern)],
    ];
    for (const [setting, patterns] of rules)
      for (const pattern of patterns)
        if (!serverNames.some((name) => matchesPattern(pattern, name)))
          yield { kind: "unused", setting, pattern };
    for (const tool of serverNames) {
      if (!this.#isKnown(tool)) continue;
      const name = this.#nameOf(tool);
      const other = this.serverName(name);
      if (other !== undefined && other !== tool) yield { kind: "clash", tool, name, other };
    }
  }

  #isKnown(name: string): boolean {
    if (this.#hidden.some((pattern) => matchesPattern(pattern, name))) return false;
    return this.#allowed === undefined || this.#allowed.some((pattern) => matchesPattern(pattern, name));
  }

  #nameOf(serverName: string): string {
    for (const { from, to } of this.#renamings) {
      const star = starIn(from, serverName);
      if (star !== undefined) return to.replace("*", () => star);
    }
    return serverName;
  }
}

export type ToolRuleProblem =
  | { readonly kind: "unused"; readonly setting: string; readonly pattern: string }
  /** Two tools would have one name: `tool` is left out. */
  | { readonly kind: "clash"; readonly tool: string; readonly name: string; readonly other: string };

/** What clients accept as a tool's name. */
const toolName = /^[A-Za-z0-9_.-]{1,128}$/;

/** Why renaming rules cannot be used, as far as that is known without the server's list. */
export function renamingProblem(renameTools: Readonly<Record<string, string>>): string | undefined {
  const targets = new Map<string, string>();
  for (const [from, to] of Object.entries(renameTools)) {
    const stars = [from, to].map((text) => text.split("*").length - 1);
    if (stars[0] !== stars[1] || (stars[0] ?? 0) > 1)
      return `${JSON.stringify(from)} and ${JSON.stringify(to)} must have the same number of stars, one at most: "gh_*" with "github_*".`;
    if (!toolName.test(to.replace("*", "x")))
      return `${JSON.stringify(to)} is no name for a tool. Write letters, digits, dots, dashes and underscores, 128 at most.`;
    const other = targets.get(to);
    if (other !== undefined)
      return `${JSON.stringify(other)} and ${JSON.stringify(from)} would both be ${JSON.stringify(to)}. Give each tool a name of its own.`;
    targets.set(to, from);
  }
  return undefined;
}

/** A message to the server that names the tool as the server does. */
export function withToolName(message: JsonObject, name: JsonValue): JsonObject {
  const { params } = message;
  return { ...message, params: { ...(isJsonObject(params) ? params : {}), name } };
}
