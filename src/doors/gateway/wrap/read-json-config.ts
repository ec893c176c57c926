import { type Node, type ParseError, createScanner, parseTree, printParseErrorCode } from "jsonc-parser";
import { syntaxAdvice } from "../../../engine/settings/parse-jsonc.ts";
import {
  type ClientConfigText,
  ConfigTextError,
  type Member,
  type ServerEntry,
  type Syntax,
  lineAndColumn,
} from "./config-text.ts";

/** Deeper than any client nests; the parser is recursive and would overflow the stack. */
const MAX_DEPTH = 500;

const jsonSyntax: Syntax = {
  id: "json",
  key: (name) => JSON.stringify(name),
  text: (value) => JSON.stringify(value),
  map: (values) => {
    const pairs = Object.entries(values).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
    return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
  },
};

/** Reads JSON with comments and trailing commas, and finds the servers in it. */
export function readJsonConfig(text: string): ClientConfigText {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const body = text.slice(bom);
  refuseDepth(text, bom);
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const advice = syntaxAdvice(first === undefined ? "ValueExpected" : printParseErrorCode(first.error));
    throw new ConfigTextError(
      `It is not valid JSON at ${lineAndColumn(body, first?.offset ?? 0)}. ${advice}`,
    );
  }
  const reader = new JsonReader(text, bom);
  return { text, syntax: jsonSyntax, value: reader.valueOf(root), entries: reader.entriesOf(root) };
}

function refuseDepth(text: string, bom: number): void {
  const scanner = createScanner(text.slice(bom), true);
  let depth = 0;
  for (;;) {
    const before = scanner.getPosition();
    scanner.scan();
    if (scanner.getPosition() === before) return;
    if (scanner.getTokenLength() !== 1) continue;
    const token = text[bom + scanner.getTokenOffset()];
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > MAX_DEPTH) throw new ConfigTextError(`It is nested deeper than ${MAX_DEPTH} levels.`);
  }
}

interface Pair {
  readonly key: string;
  readonly keyNode: Node;
  readonly valueNode: Node;
  readonly whole: Node;
}

const openCodeTypes: readonly unknown[] = ["local", "remote"];

class JsonReader {
  readonly #text: string;
  readonly #bom: number;

  constructor(text: string, bom: number) {
    this.#text = text;
    this.#bom = bom;
  }

  valueOf(node: Node): unknown {
    if (node.type === "array") return (node.children ?? []).map((child) => this.valueOf(child));
    if (node.type !== "object") return node.value as unknown;
    const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const { key, valueNode } of pairsOf(node)) object[key] = this.valueOf(valueNode);
    return object;
  }

  entriesOf(root: Node): ServerEntry[] {
    const entries = [
      ...this.#serversAt(root, ["mcpServers"]),
      ...this.#serversAt(root, ["servers"]),
      ...this.#serversAt(root, ["mcp", "servers"]),
      ...this.#serversAt(root, ["context_servers"]),
      ...this.#serversAt(root, ["amp.mcpServers"]),
      // In opencode; other clients have other settings there.
      ...this.#serversAt(root, ["mcp"]).filter(({ value }) => openCodeTypes.includes(value["type"])),
    ];
    // Claude Code keeps servers for each project in the file of the user.
    const projects = this.#find(root, "projects");
    if (projects?.type !== "object") return entries;
    for (const { key, valueNode } of this.#uniquePairs(projects)) {
      entries.push(...this.#serversAt(valueNode, ["mcpServers"], ["projects", key], key));
    }
    return entries;
  }

  #serversAt(
    from: Node,
    keys: readonly string[],
    before: readonly string[] = [],
    project?: string,
  ): ServerEntry[] {
    let node: Node | undefined = from;
    for (const key of keys) node = node && this.#find(node, key);
    if (node?.type !== "object") return [];
    return this.#uniquePairs(node)
      .filter(({ valueNode }) => valueNode.type === "object")
      .map(({ key, valueNode }) => this.#entry(key, [...before, ...keys, key], valueNode, project));
  }

  #entry(name: string, path: readonly string[], node: Node, project: string | undefined): ServerEntry {
    const members = this.#membersOf(node);
    const nested = this.#find(node, "command");
    const isNested = nested?.type === "object";
    const list = nested?.type === "array" ? members.get("command") : undefined;
    // Only opencode has remote servers, under `mcp` or, from its second version on, `mcp.servers`.
    const isRemote = path[0] === "mcp" && members.get("type")?.value === "remote";
    return {
      name,
      path,
      project,
      value: this.valueOf(node) as Record<string, unknown>,
      members,
      launch: isNested ? this.#membersOf(nested) : list === undefined ? members : partsOf(list),
      programKey: isNested ? "path" : "command",
      isList: list !== undefined || isRemote,
    };
  }

  #membersOf(node: Node): Map<string, Member> {
    return new Map(this.#uniquePairs(node).map((pair) => [pair.key, this.#member(pair)]));
  }

  #member({ key, keyNode, valueNode, whole }: Pair): Member {
    const items = valueNode.type === "array" ? (valueNode.children ?? []) : [];
    const between = this.#text.slice(this.#spanOf(keyNode).end, this.#spanOf(valueNode).start);
    return {
      key,
      value: this.valueOf(valueNode),
      whole: this.#spanOf(whole),
      valueSpan: this.#spanOf(valueNode),
      // A comment or a line end there is not copied.
      between: /^[ \t]*:[ \t]*$/.test(between) ? between : ": ",
      keyPrefix: "",
      hasCommas: true,
      items: items.map((item) => this.#spanOf(item)),
    };
  }

  #find(node: Node, key: string): Node | undefined {
    if (node.type !== "object") return undefined;
    const found = pairsOf(node).filter((pair) => pair.key === key);
    this.#refuseTwice(found);
    return found[0]?.valueNode;
  }

  #uniquePairs(node: Node): Pair[] {
    const pairs = pairsOf(node);
    // Remarks such as "_comment" or "//" are often repeated on purpose.
    this.#refuseTwice(pairs.filter(({ key }) => !/^(_|\/\/|#)/.test(key)));
    return pairs;
  }

  /** Clients differ in which of two equal keys counts. */
  #refuseTwice(pairs: readonly Pair[]): void {
    const seen = new Set<string>();
    for (const { key, keyNode } of pairs) {
      if (seen.has(key)) {
        const place = lineAndColumn(this.#text.slice(this.#bom), keyNode.offset);
        throw new ConfigTextError(
          `The key ${JSON.stringify(key)} is there twice, the second time at ${place}.`,
        );
      }
      seen.add(key);
    }
  }

  #spanOf({ offset, length }: Node): { start: number; end: number } {
    return { start: offset + this.#bom, end: offset + length + this.#bom };
  }
}

/** A list of a program and its arguments, as the two members that other clients have. */
function partsOf(list: Member): Map<string, Member> {
  const [program, ...args] = list.value as readonly unknown[];
  const [first, ...rest] = list.items;
  if (first === undefined) return new Map([["command", list]]);
  // In an entry without arguments, new ones are inserted behind the program.
  const behind = { start: first.end - 1, end: first.end };
  return new Map([
    ["command", { ...list, value: program, valueSpan: first, items: [] }],
    ["args", { ...list, key: "args", value: args, valueSpan: behind, items: rest }],
  ]);
}

function pairsOf(node: Node): Pair[] {
  return (node.children ?? []).flatMap((whole) => {
    const [keyNode, valueNode] = whole.children ?? [];
    if (keyNode === undefined || valueNode === undefined) return [];
    return [{ key: String(keyNode.value), keyNode, valueNode, whole }];
  });
}
