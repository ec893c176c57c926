import type { JsonValue } from "../../../core/json/json-value.ts";
import { ApiProblem, type ApiRoute, type WatchedGateway, type WatchedUpstream } from "./dashboard-parts.ts";

/** A gateway in front of these upstreams. */
export function watchedGateway(...upstreams: readonly WatchedUpstream[]): WatchedGateway {
  return { transport: "stdio", urls: () => ({}), upstreams: () => upstreams };
}

/** What the route of an address answers, as the page gets it. */
export async function ask<Answer>(
  routes: readonly ApiRoute[],
  address: string,
  body?: JsonValue,
): Promise<Answer> {
  const { pathname, searchParams: query } = new URL(address, "http://127.0.0.1");
  const method = body === undefined ? "GET" : "POST";
  for (const route of routes) {
    const pattern = new RegExp(`^${route.path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    const match = pattern.exec(pathname);
    if (match === null || route.method !== method) continue;
    const { signal } = new AbortController();
    const answer = await route.answer({ params: { ...match.groups }, query, body, signal });
    return JSON.parse(JSON.stringify(answer)) as Answer;
  }
  throw new Error(`No route answers ${method} ${pathname}.`);
}

/** The problem that an address answers with. */
export async function problemOf(answering: Promise<unknown>): Promise<ApiProblem> {
  try {
    await answering;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
  throw new Error("It answered.");
}
