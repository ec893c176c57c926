// How the page's API answers: with JSON, and for every refusal or failure in the same form, with a code and a remedy.

import type { ServerResponse } from "node:http";
import { ApiProblem } from "../dashboard-parts.ts";
import type { ApiFailure, ApiFailureCode } from "../protocol/traffic.ts";
import { ToolFault } from "../../../../core/contract/tool-fault.ts";
import { ArchiveError } from "../../../../engine/archive/archive-store.ts";
import type * as z from "zod/mini";
import { ContractError } from "../../../../core/contract/contract-error.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { checkOptions } from "../../../../core/options/check-options.ts";
import { readable } from "../../../../core/options/option-kinds.ts";
import { isHash } from "../../../../engine/archive/store-rules.ts";

interface JsonText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

function jsonText(status: number, value: unknown): JsonText {
  const body = JSON.stringify(value) ?? "null";
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  };
  return { status, headers, body };
}

export function failureText(status: number, code: ApiFailureCode, message: string, remedy: string): JsonText {
  return jsonText(status, { error: { code, message, remedy } } satisfies ApiFailure);
}

function send(response: ServerResponse, { status, headers, body }: JsonText): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(status, headers);
  response.end(body);
}

export function sendJson(response: ServerResponse, value: unknown): void {
  send(response, jsonText(200, value));
}

/** For refusals by HTTP itself; a route throws an `ApiProblem` instead. */
export function sendRefusal(
  response: ServerResponse,
  status: number,
  code: ApiFailureCode,
  message: string,
  remedy: string,
): void {
  send(response, failureText(status, code, message, remedy));
}

const unexpected = new ApiProblem(
  "failed",
  "The gateway could not answer this.",
  "Try again; if it stays so, the log of the gateway says more.",
);

/** Any error as an answer; its message is shown only if it was written for the person at the page. */
export function sendProblem(response: ServerResponse, error: unknown): void {
  const problem = error instanceof ApiProblem ? error : unexpected;
  send(response, failureText(problem.status, problem.code, problem.message, problem.remedy));
}

function fromStore({ code, message }: ArchiveError): ApiProblem {
  if (code === "CORRUPT")
    return new ApiProblem(
      "failed",
      "The stored copy is damaged and is not shown.",
      "Call the tool that made the result again: storing the same content repairs the entry.",
    );
  return new ApiProblem("failed", message, "`waybill doctor` tells what is wrong with the store.");
}

function fromFault({ message, remediation, code, type, cause }: ToolFault): ApiProblem {
  if (ArchiveError.isInstance(cause)) return fromStore(cause);
  const advice = remediation ?? "Ask in another way.";
  if (code === "NOT_FOUND") return new ApiProblem("not-found", message, advice);
  return new ApiProblem(type === "validation" ? "invalid" : "failed", message, advice);
}

/** Errors of stores, questions and retrieval, in words for the page; any other error is returned unchanged. */
function explainProblem(error: unknown): unknown {
  if (ArchiveError.isInstance(error)) return fromStore(error);
  return ToolFault.isInstance(error) ? fromFault(error) : error;
}

/** Runs code that reads an archive; its errors are explained in words for the page. */
export async function explained<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw explainProblem(error);
  }
}

// The body of a POST from the page, checked like options in code, and the kinds of values that several requests share.

const KEY = /^[0-9a-f]{32}$/;

/** The sha256 of an archived entry. */
export const hashField = readable(
  (given) => (isHash(given) ? given : undefined),
  "Write the 64 hex digits of a hash.",
);

/** The key by which stores know a tenant. */
export const tenantKeyField = readable(
  (given) => (KEY.test(given) ? given : undefined),
  "Write the 32 hex digits of a tenant's key.",
);

/** A text that is not empty, up to this many characters. */
export function textUpTo(maxChars: number) {
  return readable(
    (given) => (given.trim() !== "" && given.length <= maxChars ? given : undefined),
    `Write a text of 1 to ${maxChars} characters.`,
  );
}

/** The body of a request; throws an `ApiProblem` that says what is wrong with it. */
export function readPostBody<Posted>(schema: z.ZodMiniType<Posted>, body: JsonValue | undefined): Posted {
  try {
    checkOptions("The request", schema, body ?? {}, "What was sent");
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    throw new ApiProblem("invalid", error.message, "Send what docs/dashboard.md names for this address.");
  }
  return body as Posted;
}
