// How the page's API answers: with JSON, and for every refusal or failure in the same form, with a code and a remedy.

import type { ServerResponse } from "node:http";
import { ApiProblem } from "../dashboard-parts.ts";
import type { ApiFailure, ApiFailureCode } from "../protocol/traffic.ts";

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
