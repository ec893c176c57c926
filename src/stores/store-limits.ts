import { ContractError } from "../contract/contract-error.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long an entry lives unless told: a week. */
export const DEFAULT_TTL_MS = 7 * DAY_MS;

/** Longer than anybody means; a larger number is a unit mixed up, or a computation gone wrong. */
const MAX_TTL_MS = 36_525 * DAY_MS;
const MAX_CONTENT_TYPE_CHARACTERS = 200;
const CONTENT_TYPE = /^[\u0020-\u007e]+$/;

/** What is kept is JSON unless told. */
const DEFAULT_CONTENT_TYPE = "application/json";

function assertWhole(option: string, value: unknown, max: number, unit: string): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) return;
  const message = `${option} is ${String(value)}: give a whole number of ${unit} from 1 to ${max}.`;
  throw new ContractError("INVALID_OPTION", message, { option });
}

export function assertTtlMs(value: unknown): void {
  assertWhole("ttlMs", value, MAX_TTL_MS, "milliseconds");
}

export function assertByteLimit(option: string, value: unknown): void {
  assertWhole(option, value, Number.MAX_SAFE_INTEGER, "bytes");
}

/** The content type to keep; it goes into file headers and MCP answers, so it is one line of ASCII. */
export function contentTypeOf(given: string = DEFAULT_CONTENT_TYPE): string {
  if (given.length <= MAX_CONTENT_TYPE_CHARACTERS && CONTENT_TYPE.test(given)) return given;
  const rule = `1 to ${MAX_CONTENT_TYPE_CHARACTERS} printable ASCII characters, such as "${DEFAULT_CONTENT_TYPE}"`;
  throw new ContractError("INVALID_OPTION", `The content type cannot be kept: give ${rule}.`, {
    option: "contentType",
  });
}
