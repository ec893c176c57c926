import { type ApiRequest, ApiProblem, type ApiRoute } from "../dashboard-parts.ts";
import type { Traffic } from "./traffic.ts";

const USUAL_PAGE = 200;

function numberIn({ query }: ApiRequest, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= 1) return value;
  throw new ApiProblem(
    "invalid",
    `${name} is not a whole number from 1 on.`,
    `Give ${name}=100, or leave it out.`,
  );
}

/** `GET /api/calls` and `GET /api/overview`. */
export function trafficRoutes(traffic: Traffic): readonly ApiRoute[] {
  return [
    {
      method: "GET",
      path: "/api/calls",
      answer: (request) =>
        traffic.page(numberIn(request, "before"), numberIn(request, "limit") ?? USUAL_PAGE),
    },
    {
      method: "GET",
      path: "/api/overview",
      answer: ({ query }) =>
        traffic.overview({
          upstream: query.get("upstream") ?? undefined,
          tool: query.get("tool") ?? undefined,
          replica: query.get("replica") ?? undefined,
        }),
    },
  ];
}
