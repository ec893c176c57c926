import { type AST, parseTOML } from "toml-eslint-parser";
import {
  type ClientConfigText,
  ConfigTextError,
  type Member,
  type ServerEntry,
  type ConfigSpan,
  type Syntax,
} from "./config-text.ts";

// The parser's own conversion assigns to a key `__proto__`, and so changes every object of the process. This one builds
// objects without a prototype, in which `__proto__` is an ordinary key.

type Table = Record<string, unknown>;

const newTable = (): Table => Object.create(null) as Table;

/** The value of a TOML text. */
export function tomlValue(program: AST.TOMLProgram): Readonly<Table> {
  const root = newTable();
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") setPair(root, node);
    else {
      const table = tableAt(root, node.resolvedKey);
      for (const pair of node.body) setPair(table, pair);
    }
  }
  return root;
}

/** The parts of a dotted key, without quotes. */
function keysOf({ keys }: AST.TOMLKey): string[] {
  return keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
}

function setPair(table: Table, { key, value }: AST.TOMLKeyValue): void {
  const path = keysOf(key);
  tableAt(table, path.slice(0, -1))[path.at(-1) ?? ""] = contentValue(value);
}

function contentValue(node: AST.TOMLContentNode): unknown {
  if (node.type === "TOMLValue") return node.value;
  if (node.type === "TOMLArray") return node.elements.map(contentValue);
  const table = newTable();
  for (const pair of node.body) setPair(table, pair);
  return table;
}

/** The table at a path, created if it does not exist. A number is an index in a list of tables. */
function tableAt(root: Table, path: readonly (string | number)[]): Table {
  return path.reduce<Table>((holder, key, index) => {
    holder[key] ??= typeof path[index + 1] === "number" ? [] : newTable();
    return holder[key] as Table;
  }, root);
}

type Pair = AST.TOMLKeyValue;

const bareKey = /^[A-Za-z0-9_-]+$/;

const tomlSyntax: Syntax = {
  id: "toml",
  key: (name) => (bareKey.test(name) ? name : quote(name)),
  text: quote,
  map: (values) => {
    const pairs = Object.entries(values).map(([name, value]) => `${tomlSyntax.key(name)} = ${quote(value)}`);
    return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
  },
};

/** A literal string if that avoids escapes, as for Windows paths and JSON, else a basic string. */
function quote(value: string): string {
  // oxlint-disable-next-line no-control-regex -- TOML forbids control characters in a literal string
  const isPlain = !/['\u0000-\u001F\u007F]|\p{Cs}/u.test(value);
  if (isPlain && /["\\]/.test(value)) return `'${value}'`;
  // JSON escapes everything that TOML requires, except one character.
  return JSON.stringify(value).replaceAll("\u007F", "\\u007f");
}

/** Reads a Codex config and finds its servers, in any form of TOML tables. */
export function readTomlConfig(text: string): ClientConfigText {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const program = parse(text.slice(bom));
  const reader = new TomlReader(text, bom);
  for (const node of program.body[0].body) reader.take(node);
  const value = tomlValue(program);
  return { text, syntax: tomlSyntax, value, entries: reader.entries(value["mcp_servers"]) };
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: "1.0.0" });
  } catch (error) {
    const { lineNumber, column, message } = error as {
      lineNumber?: number;
      column?: number;
      message?: string;
    };
    const place = lineNumber === undefined ? "" : ` at line ${lineNumber}, column ${(column ?? 0) + 1}`;
    throw new ConfigTextError(`It is not valid TOML: ${message ?? "it cannot be read"}${place}.`, {
      cause: error,
    });
  }
}

class TomlReader {
  readonly #text: string;
  readonly #bom: number;
  readonly #servers = new Map<string, Map<string, Member>>();

  constructor(text: string, bom: number) {
    this.#text = text;
    this.#bom = bom;
  }

  entries(servers: unknown): ServerEntry[] {
    return [...this.#servers].flatMap(([name, members]) => {
      const value = (servers as Readonly<Record<string, unknown>> | undefined)?.[name];
      if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
      for (const [key, member] of members)
        members.set(key, { ...member, value: (value as Readonly<Record<string, unknown>>)[key] });
      const path = ["mcp_servers", name];
      const form = { programKey: "command", isList: false } as const;
      return [{ name, path, value: { ...value }, members, launch: members, ...form }];
    });
  }

  take(node: Pair | AST.TOMLTable): void {
    if (node.type === "TOMLKeyValue") {
      this.#takePair(node, [], false);
      return;
    }
    const path = node.resolvedKey.map(String);
    if (path[0] !== "mcp_servers") return;
    if (path.length === 3 && node.kind === "standard") this.#takeTable(node, path);
    else for (const pair of node.body) this.#takePair(pair, path, false);
    // A table without lines is also a server: one without a command.
    if (path.length === 2) this.#server(path[1] ?? "");
  }

  /** A member with its own table, as in `[mcp_servers.files.env]`. */
  #takeTable(node: AST.TOMLTable, [, name = "", key = ""]: readonly string[]): void {
    const head = node.key.keys.at(-1);
    const first = node.body[0];
    const last = node.body.at(-1);
    if (head === undefined) return;
    const body = first && last ? { start: first.range[0], end: last.range[1] } : undefined;
    const end = body?.end ?? node.key.range[1];
    this.#server(name).set(key, {
      key,
      value: undefined,
      whole: this.#shift({ start: node.range[0], end }),
      valueSpan: this.#shift(body ?? { start: end, end }),
      between: " = ",
      keyPrefix: "",
      hasCommas: false,
      items: [],
      table: body && { name: this.#spanOf(head), body: this.#shift(body) },
    });
  }

  #takePair(pair: Pair, above: readonly string[], hasCommas: boolean): void {
    const path = [...above, ...keysOf(pair.key)];
    const [root, name, key] = path;
    if (root !== "mcp_servers") return;
    if (name === undefined || key === undefined) {
      // mcp_servers = { files = { … } }, or files = { … } below [mcp_servers].
      if (pair.value.type !== "TOMLInlineTable") return;
      if (name !== undefined) this.#server(name);
      for (const inner of pair.value.body) this.#takePair(inner, path, true);
      return;
    }
    // env.TOKEN = "…" adds to a member, but is not a member that could be replaced.
    if (path.length === 3) this.#server(name).set(key, this.#member(pair, key, hasCommas));
    else this.#server(name);
  }

  #member(pair: Pair, key: string, hasCommas: boolean): Member {
    const last = pair.key.keys.at(-1);
    const whole = this.#spanOf(pair);
    const valueSpan = this.#spanOf(pair.value);
    const between = this.#text.slice(this.#spanOf(pair.key).end, valueSpan.start);
    return {
      key,
      value: undefined,
      whole,
      valueSpan,
      between,
      keyPrefix: last === undefined ? "" : this.#text.slice(whole.start, this.#spanOf(last).start),
      hasCommas,
      items: pair.value.type === "TOMLArray" ? pair.value.elements.map((item) => this.#spanOf(item)) : [],
    };
  }

  #server(name: string): Map<string, Member> {
    const known = this.#servers.get(name) ?? new Map<string, Member>();
    this.#servers.set(name, known);
    return known;
  }

  #spanOf({ range: [start, end] }: { range: [number, number] }): ConfigSpan {
    return this.#shift({ start, end });
  }

  #shift({ start, end }: ConfigSpan): ConfigSpan {
    return { start: start + this.#bom, end: end + this.#bom };
  }
}
