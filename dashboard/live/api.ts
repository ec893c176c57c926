// Questions to the gateway, and how a view asks one.

import { useEffect, useState } from "preact/hooks";
import type { ApiFailure, ApiFailureCode } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";

/** What the gateway answered instead of what was asked for. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiFailureCode | "unreachable";
  /** What to do. */
  readonly remedy: string;

  constructor(code: ApiFailureCode | "unreachable", message: string, remedy: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

async function read<T>(address: string, init: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address, { ...init, cache: "no-store" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("unreachable", "The gateway did not answer.", "Look whether it still runs.");
  }
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok && body !== undefined) return body as T;
  const failure = (body as ApiFailure | undefined)?.error;
  throw new ApiError(
    failure?.code ?? "failed",
    failure?.message ?? `The gateway answered with the status ${answer.status}.`,
    failure?.remedy ?? "Try again.",
  );
}

/** `GET`. Throws `ApiError`. */
export function get<T>(address: string, signal?: AbortSignal): Promise<T> {
  return read<T>(address, { signal: signal ?? null });
}

/** `POST` with JSON. Throws `ApiError`. */
export function post<T>(address: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/json", "x-waybill": "page" };
  return read<T>(address, { method: "POST", headers, body: JSON.stringify(body), signal: signal ?? null });
}

/** An answer that is on its way, there, or did not come. A value stays while it is asked for again. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: ApiError | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** Asks for an address when a view is shown and whenever the address or `version` changes; undefined asks nothing. */
export function useGet<T>(address: string | undefined, version: number | string = 0): Loaded<T> {
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{
    readonly address?: string;
    readonly value?: T;
    readonly problem?: ApiError;
  }>({});
  const [isLoading, setLoading] = useState(address !== undefined);
  useEffect(() => {
    if (address === undefined) return undefined;
    const gone = new AbortController();
    setLoading(true);
    void get<T>(address, gone.signal)
      .then(
        (value) => setAnswer({ address, value }),
        (problem: unknown) => {
          if (!(problem instanceof ApiError)) return;
          setAnswer((before) => (before.address === address ? { ...before, problem } : { address, problem }));
        },
      )
      .finally(() => {
        if (!gone.signal.aborted) setLoading(false);
      });
    return () => gone.abort();
  }, [address, version, asked]);
  const isCurrent = answer.address === address;
  return {
    value: isCurrent ? answer.value : undefined,
    problem: isCurrent ? answer.problem : undefined,
    isLoading: isLoading || !isCurrent,
    again: () => setAsked((count) => count + 1),
  };
}
