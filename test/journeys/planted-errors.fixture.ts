import { ToolFault } from "../../src/core/contract/tool-fault.ts";
import { noise } from "../../src/core/text/planted-secrets.fixture.ts";

const hex = "0123456789abcdef";
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Made-up secrets of published shapes, another one for every number. */
const secrets: readonly ((seed: number) => string)[] = [
  (seed) => `sk-${noise(48, undefined, seed)}`,
  (seed) => `sk-ant-api03-${noise(93, undefined, seed)}`,
  (seed) => `ghp_${noise(36, undefined, seed)}`,
  (seed) => `github_pat_${noise(22, undefined, seed)}_${noise(59, undefined, seed)}`,
  (seed) => `glpat-${noise(20, undefined, seed)}`,
  (seed) =>
    `xoxb-${noise(12, "0123456789", seed)}-${noise(13, "0123456789", seed)}-${noise(24, undefined, seed)}`,
  (seed) => `sk_live_${noise(24, undefined, seed)}`,
  (seed) => `AIza${noise(35, undefined, seed)}`,
  (seed) => `AKIA${noise(16, upper, seed)}`,
  (seed) => `npm_${noise(36, undefined, seed)}`,
  (seed) => `hf_${noise(34, undefined, seed)}`,
  (seed) => `SG.${noise(22, undefined, seed)}.${noise(43, undefined, seed)}`,
  (seed) =>
    `eyJ${noise(30, undefined, seed)}.eyJ${noise(40, undefined, seed + 1)}.${noise(43, undefined, seed + 2)}`,
  (seed) => `SK${noise(32, hex, seed)}`,
];

interface Markers {
  readonly secret: string;
  readonly path: string;
  readonly stackLine: string;
  readonly content: string;
}

/** The markers of one error; no two errors share any. */
function markersOf(index: number): Markers {
  const secret = secrets[index % secrets.length] ?? (() => "");
  return {
    secret: secret(index + 1),
    path: `/srv/tenants/t${index}-${noise(6, hex, index)}/private/config-${index}.yaml`,
    stackLine: `at loadTenant${index}x (/opt/app/dist/chunk-${noise(8, hex, index)}.js:${index + 10}:7)`,
    content: `const ledger${index} = "${noise(12, undefined, index)}";`,
  };
}

function sentence({ secret, path, content }: Markers): string {
  return `EACCES: permission denied, open '${path}' with token ${secret} near ${content}`;
}

function errorWith(markers: Markers, more: object = {}): Error {
  const error = new Error(sentence(markers));
  error.stack = `Error: ${error.message}\n    ${markers.stackLine}\n    at main (${markers.path}:1:1)`;
  return Object.assign(error, more);
}

type Kind = (markers: Markers) => unknown;

/** The forms an error takes on its way out of a handler. */
const kinds: Readonly<Record<string, Kind>> = {
  Error: (markers) => errorWith(markers),
  "ToolFault with a cause": (markers) =>
    new ToolFault("The configuration could not be read", { cause: errorWith(markers) }),
  string: (markers) => `${sentence(markers)}\n    ${markers.stackLine}`,
  "nested cause": (markers) =>
    new TypeError("outer", { cause: new Error("middle", { cause: errorWith(markers) }) }),
  AggregateError: (markers) =>
    new AggregateError([errorWith(markers), sentence(markers)], `Two attempts: ${sentence(markers)}`),
  "code and path properties": (markers) =>
    errorWith(markers, {
      code: "EACCES",
      path: markers.path,
      syscall: "open",
      config: { headers: { Authorization: `Bearer ${markers.secret}` }, body: markers.content },
    }),
  "plain object": (markers) => ({
    error: sentence(markers),
    stack: markers.stackLine,
    token: markers.secret,
  }),
  "message of a fault": ({ secret }) => new ToolFault(`The upstream refused the key ${secret}`),
};

export const ERRORS = 200;

export interface PlantedError {
  readonly kind: string;
  readonly markers: Markers;
  readonly make: () => unknown;
}

export const plantedErrors: readonly PlantedError[] = Array.from({ length: ERRORS }, (_, index) => {
  const names = Object.keys(kinds);
  const kind = names[index % names.length] ?? "Error";
  const markers = markersOf(index);
  return { kind, markers, make: () => kinds[kind]?.(markers) };
});
