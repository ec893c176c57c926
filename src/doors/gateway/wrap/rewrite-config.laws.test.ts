import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { readConfigText, unwrapConfig, wrapConfig } from "./rewrite-config.ts";

const launcher = {
  program: "C:\\Program Files\\node.exe",
  args: ["/opt/way bill/main.js", "gateway", "--budget", "9"],
};

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "npx",
    "--",
    "--wrapped",
    "gateway",
    "\\",
    '"',
    "'",
    "${input:x}",
    "__proto__",
    "constructor",
    "a\tb",
    "\u007f",
    "//",
    "#",
  ),
);
const texts = fc.dictionary(text, text, { maxKeys: 3 });
const rest = fc.record(
  { env: texts, cwd: text, disabled: fc.boolean(), timeout: fc.nat() },
  { requiredKeys: [] },
);
const commandEntry = fc
  .tuple(
    fc.record({ command: text, args: fc.array(text, { maxLength: 4 }) }, { requiredKeys: ["command"] }),
    rest,
  )
  .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);
/** As opencode writes it. */
const listEntry = fc
  .tuple(fc.array(text, { minLength: 1, maxLength: 4 }), texts)
  .map(([command, environment]) => ({ type: "local", command, environment }));
const remoteEntry = fc.tuple(fc.webUrl(), fc.option(texts), fc.boolean()).map(([url, headers, enabled]) => ({
  type: "remote",
  url,
  ...(headers === null ? {} : { headers }),
  enabled,
}));
const { env: _env, ...restOfUrl } = { env: 0, disabled: fc.boolean(), timeout: fc.nat() };
const urlEntry = (urlKey: string, headersKey: string) =>
  fc
    .tuple(
      fc.webUrl(),
      texts,
      fc.record(restOfUrl, { requiredKeys: [] }),
      fc.option(fc.constantFrom("http", "streamable-http")),
    )
    .map(([url, headers, others, type]) => ({
      ...(type === null ? {} : { type }),
      [urlKey]: url,
      ...others,
      [headersKey]: headers,
    }));
const foreignEntry = fc.oneof(fc.record({ settings: texts }), fc.jsonValue({ maxDepth: 2 }));

/** JSON as people write it: any indent, comments, trailing commas, CRLF, a byte order mark. */
const layout = fc.record({
  indent: fc.constantFrom("", "  ", "    ", "\t"),
  comment: fc.constantFrom("", "// a remark", '/* "command": "x" */'),
  isTrailing: fc.boolean(),
  isWindows: fc.boolean(),
  hasBom: fc.boolean(),
});
type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never;

function writeJson(value: unknown, { indent, comment, isTrailing, isWindows, hasBom }: Layout): string {
  const lines = JSON.stringify(value, undefined, indent).split("\n");
  const written = lines.map((line, at) => {
    const isLast = /^\s*[\]}]/.test(lines[at + 1] ?? "") && /[^[{,]$/.test(line);
    return `${line}${isLast && isTrailing ? "," : ""}${indent === "" || comment === "" ? "" : ` ${comment}`}`;
  });
  return `${hasBom ? "\uFEFF" : ""}${written.join(isWindows ? "\r\n" : "\n")}\n`;
}

const jsonConfig = fc
  .tuple(
    fc.constantFrom("mcpServers", "servers", "context_servers", "amp.mcpServers", "mcp"),
    fc.dictionary(
      text,
      fc.oneof(
        commandEntry,
        listEntry,
        remoteEntry,
        urlEntry("url", "headers"),
        urlEntry("httpUrl", "headers"),
        urlEntry("serverUrl", "headers"),
        foreignEntry,
      ),
      { maxKeys: 5 },
    ),
    texts,
    layout,
  )
  .map(([key, servers, others, as]) => writeJson({ ...others, [key]: servers, last: [1] }, as));

/** TOML in the forms that Codex reads: tables, sub-tables, inline tables, dotted keys. */
const tomlValue = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? `{ ${Object.entries(value)
        .map(([key, item]) => `${tomlText(key)} = ${tomlValue(item)}`)
        .join(", ")} }`
    : Array.isArray(value)
      ? `[${value.map(tomlValue).join(", ")}]`
      : typeof value === "string"
        ? tomlText(value)
        : String(value);
const tomlText = (value: string): string => JSON.stringify(value).replaceAll("\u007f", "\\u007f");

function writeTable(name: string, entry: Readonly<Record<string, unknown>>, form: string): string {
  const key = `mcp_servers.${tomlText(name)}`;
  const pairs = Object.entries(entry);
  if (form === "inline") return `${key} = ${tomlValue(entry)}\n`;
  if (form === "dotted")
    return pairs.map(([inner, value]) => `${key}.${inner} = ${tomlValue(value)} # x\n`).join("");
  const isMap = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);
  const own = pairs
    .filter(([, value]) => !isMap(value))
    .map(([inner, value]) => `  ${inner} = ${tomlValue(value)} # y\n`);
  const tables = pairs
    .filter(([, value]) => isMap(value))
    .map(([inner, value]) => {
      const lines = Object.entries(value as object).map(
        ([each, item]) => `${tomlText(each)}=${tomlValue(item)}\n`,
      );
      return `[${key}.${inner}]\n# of it\n${lines.join("")}`;
    });
  return `[${key}]\n${own.join("")}${tables.join("")}\n`;
}

const tomlConfig = fc
  .tuple(
    fc.dictionary(text, fc.oneof(commandEntry, urlEntry("url", "http_headers")), { maxKeys: 4 }),
    fc.constantFrom("table", "inline", "dotted"),
    fc.boolean(),
  )
  .map(([servers, form, isWindows]) => {
    const body = Object.entries(servers).map(([name, entry]) => writeTable(name, entry, form));
    const whole = `model = "x" # first\n${body.join("")}`;
    return isWindows ? whole.replaceAll("\n", "\r\n") : whole;
  });

const config = fc.oneof(
  jsonConfig.map((written) => ({ file: "mcp.json", written })),
  tomlConfig.map((written) => ({ file: "config.toml", written })),
);

const wrap = async (written: string, file: string) =>
  wrapConfig(await readConfigText(written, file), file, { launcher, selection: undefined, records: [] });

describe("laws of wrap and unwrap", () => {
  it("unwrap after wrap is the identity, although the backup is not used", async () => {
    await fc.assert(
      fc.asyncProperty(config, async ({ file, written }) => {
        const { text: wrapped, records } = await wrap(written, file);
        const read = await readConfigText(wrapped, file);
        const { text: undone } = await unwrapConfig(read, file, { selection: undefined, records });
        expect(undone).toBe(written);
      }),
      lawRuns(1_000, 50),
    );
  });

  it("wrap twice is wrap once", async () => {
    await fc.assert(
      fc.asyncProperty(config, async ({ file, written }) => {
        const once = await wrap(written, file);
        expect((await wrap(once.text, file)).text).toBe(once.text);
      }),
      lawRuns(1_000, 50),
    );
  });
});
