/** A part of a config file's text, from `start` up to, not including, `end`. */
export interface ConfigSpan {
  readonly start: number;
  readonly end: number;
}

/** One setting of a server, as written in the text. */
export interface Member {
  readonly key: string;
  readonly value: unknown;
  /** From its key to the end of its value, without a comma. */
  readonly whole: ConfigSpan;
  readonly valueSpan: ConfigSpan;
  /** The text between key and value: `: `, or ` = `. */
  readonly between: string;
  /** The part before the last key of a dotted TOML key: `mcp_servers.files.`. Otherwise empty. */
  readonly keyPrefix: string;
  /** Whether a comma separates the setting from the next one; in a TOML table a line end does. */
  readonly hasCommas: boolean;
  /** The items of a list. */
  readonly items: readonly ConfigSpan[];
  /** If the setting has its own TOML table: the table's name in its header, and its lines. */
  readonly table?: { readonly name: ConfigSpan; readonly body: ConfigSpan } | undefined;
}

/** One server of a config file. */
export interface ServerEntry {
  readonly name: string;
  /** The path of the entry: `["mcpServers", "files"]`. */
  readonly path: readonly string[];
  /** The folder of the entry's project, if the file has servers for each project. */
  readonly project?: string | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  readonly members: ReadonlyMap<string, Member>;
  /** The members that say what is run; in Zed's older form they are one level deeper. */
  readonly launch: ReadonlyMap<string, Member>;
  /** The key of `launch` that names the program: `command`, or `path` in Zed's older form. */
  readonly programKey: "command" | "path";
  /**
   * True if its client writes program and arguments as one list, as opencode does; `launch` then has the list in two
   * parts. Servers behind a URL count too: they become such a list.
   */
  readonly isList: boolean;
}

/** How a format writes inserted values. */
export interface Syntax {
  readonly id: "json" | "toml";
  readonly key: (name: string) => string;
  readonly text: (value: string) => string;
  readonly map: (values: Readonly<Record<string, string>>) => string;
}

/** A parsed config file. Spans count from the beginning of the text, including a byte order mark. */
export interface ClientConfigText {
  readonly text: string;
  readonly syntax: Syntax;
  readonly value: unknown;
  readonly entries: readonly ServerEntry[];
}

/** The text is not a valid config file; the message says where and why. */
export class ConfigTextError extends Error {
  override readonly name = "ConfigTextError";
}

export interface TextEdit extends ConfigSpan {
  readonly text: string;
}

/** The text with all edits made; they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, text: put } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < done) throw new Error("two edits overlap");
    result += text.slice(done, start) + put;
    done = end;
  }
  return result + text.slice(done);
}

export function spanText(text: string, { start, end }: ConfigSpan): string {
  return text.slice(start, end);
}

/** The line end that the text uses. */
export function lineEndOf(text: string): string {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** The white space before `offset` on its line; undefined if the line has other text there. */
export function indentBefore(text: string, offset: number): string | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** `line 3, column 14`, for messages. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return `line ${line}, column ${offset - (before.lastIndexOf("\n") + 1) + 1}`;
}

export function labelOf({ name, project }: ServerEntry): string {
  return project === undefined ? name : `${name} (project ${project})`;
}
