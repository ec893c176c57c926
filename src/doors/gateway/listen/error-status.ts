import { isJsonObject, jsonIn } from "../../../core/json/json-value.ts";

import {
  HEADER_MISMATCH,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
} from "../../../core/protocol/names.ts";

/** Errors are short; a longer answer is a result, whatever it contains. */
const MAX_ERROR_BYTES = 65_536;
const ERROR_KEY = Buffer.from('"error"');

/** The code of a response that is a JSON-RPC error; undefined for a result. */
export function errorCodeOf(bytes: Buffer): number | undefined {
  if (bytes.length > MAX_ERROR_BYTES || !bytes.includes(ERROR_KEY)) return undefined;
  const message = jsonIn(bytes.toString());
  const error = isJsonObject(message) ? message["error"] : undefined;
  const code = isJsonObject(error) ? error["code"] : undefined;
  return typeof code === "number" ? code : undefined;
}

const statuses = new Map<number, number>([
  [PARSE_ERROR, 400],
  [INVALID_REQUEST, 400],
  [METHOD_NOT_FOUND, 404],
  [HEADER_MISMATCH, 400],
  [MISSING_CAPABILITY, 400],
  [UNSUPPORTED_VERSION, 400],
]);

/** The HTTP status of the modern era for an error; errors of tools and arguments have 200. */
export function statusOfError(code: number): number {
  return statuses.get(code) ?? 200;
}
