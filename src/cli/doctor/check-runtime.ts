import type { JsonObject } from "../../core/json/json-value.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import {
  type ReaderKind,
  packagesFor,
  readerKinds,
  readerPackages,
} from "../../engine/digest/sources/reader-packages.ts";
import { installedVersion } from "../../engine/digest/sources/installed-readers.ts";
import { howToInstall } from "../output/how-to-install.ts";
import { readPackage } from "../version.ts";

export const checkStatuses = ["ok", "note", "problem"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** One line of `waybill doctor`. */
export interface Check {
  /** Does not depend on the result, for scripts. */
  readonly id: string;
  readonly status: CheckStatus;
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
  readonly details?: JsonObject;
}

/** Compares this Node with the oldest version that the package supports. */
export function checkNode(version: string = process.versions.node): Check {
  const wanted = readPackage().engines.node;
  const isEnough = isAtLeast(version, wanted.replace(/^>=\s*/, ""));
  return {
    id: "node",
    status: isEnough ? "ok" : "problem",
    says: `Node ${version}, wanted ${wanted}`,
    advice: isEnough ? undefined : "Install a newer Node: https://nodejs.org.",
    details: { version, wanted },
  };
}

function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split(".").map(Number));
  for (let place = 0; place < 3; place++) {
    const difference = (own?.[place] ?? 0) - (other?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

const uses: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/server": "contract.server() wraps its McpServer",
  "@redis/client": "a redis:// store speaks through it",
  zod: "every command reads with it",
};

/** The packages beside this one: which are installed, and whether their version is known to work. */
export function checkPackages(
  store: string | undefined,
  versionOf: (name: string) => string | undefined = installedVersion,
): readonly Check[] {
  const wantsRedis = store !== undefined && /^\s*(redis|valkey)s?:/i.test(store);
  return Object.entries(readPackage().peerDependencies)
    .filter(([name]) => Object.hasOwn(uses, name) && (name !== "@redis/client" || wantsRedis))
    .map(([name, wanted]) =>
      checkPackage(name, wanted, versionOf(name), name !== "@modelcontextprotocol/server"),
    );
}

function checkPackage(name: string, wanted: string, version: string | undefined, isNeeded: boolean): Check {
  const id = `package ${name}`;
  const advice = `Run \`npm i ${name}@${wanted}\`.`;
  const details = { wanted, version: version ?? null };
  if (version === undefined) {
    const says = `not installed; ${uses[name] ?? "it is a peer"}`;
    return { id, status: isNeeded ? "problem" : "note", says, advice, details };
  }
  const says = `${version}, wanted ${wanted}`;
  if (isInCaret(version, wanted)) return { id, status: "ok", says, details };
  return { id, status: "problem", says, advice, details };
}

/** Caret ranges from major 1 up; package.json uses no others. */
function isInCaret(version: string, wanted: string): boolean {
  const least = wanted.replace(/^\^/, "");
  return version.split(".")[0] === least.split(".")[0] && isAtLeast(version.replace(/-.*$/, ""), least);
}

/** Which documents can be digested here. Not one of the readers is needed by anything else. */
export function checkReaders(
  versionOf: (name: string) => string | undefined = installedVersion,
): readonly Check[] {
  return readerKinds.map((kind) => checkReader(kind, versionOf));
}

function checkReader(kind: ReaderKind, versionOf: (name: string) => string | undefined): Check {
  const found = Object.keys(readerPackages[kind]).map((name) => [name, versionOf(name)] as const);
  const missing = found.filter(([, version]) => version === undefined).map(([name]) => name);
  const id = `reader ${kind}`;
  const details = Object.fromEntries(found.map(([name, version]) => [name, version ?? null]));
  if (missing.length === 0) {
    return {
      id,
      status: "ok",
      says: found.map(([name, version]) => `${name} ${version}`).join(", "),
      details,
    };
  }
  return {
    id,
    status: "note",
    says: `not installed: ${missing.join(", ")}; such documents cannot be digested`,
    advice: howToInstall(packagesFor(kind), "digest <source>"),
    details,
  };
}

/** 4 tokens in tiktoken. */
const KNOWN_TEXT = "Grüße 😀";
const KNOWN_TOKENS = 4;

/** Whether the vocabulary is present and counts a known text correctly. */
export async function checkCounter(load: typeof loadCounter = loadCounter): Promise<Check> {
  const id = "tokens";
  const advice = "The installation is incomplete: install waybill again.";
  const startMs = performance.now();
  try {
    const counter = await load();
    const tokens = counter.count(KNOWN_TEXT);
    const loadMs = Math.round(performance.now() - startMs);
    const details = { encoding: counter.encoding, load_ms: loadMs };
    if (tokens === KNOWN_TOKENS) {
      return {
        id,
        status: "ok",
        says: `${counter.encoding}, loaded in ${loadMs} ms, counts a known text right`,
        details,
      };
    }
    const says = `${counter.encoding} counts ${tokens} tokens in a text of ${KNOWN_TOKENS}`;
    return { id, status: "problem", says, advice, details };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return { id, status: "problem", says: `the vocabulary cannot be loaded (${code})`, advice };
  }
}
