import { object, text } from "../../../../core/options/option-kinds.ts";
import {
  type ApiRequest,
  type ApiRoute,
  type RunCheck,
  type TellPages,
  type WatchedGateway,
  upstreamNamed,
  upstreamsByName,
} from "../dashboard-parts.ts";
import type { ChecksReport } from "../protocol/places.ts";
import { readPost } from "../read-post.ts";
import { CheckJobs } from "./check-jobs.ts";

const checkBody = object({ upstream: text });

/** Checks of the gateway's servers, by whatever checker was handed in, until `closing` is aborted. */
export function checkRoutes(
  gateway: WatchedGateway,
  runCheck: RunCheck | undefined,
  tell: TellPages,
  closing: AbortSignal,
): readonly ApiRoute[] {
  const jobs = new CheckJobs(runCheck, tell);
  closing.addEventListener("abort", () => jobs.close(), { once: true });
  const report = (): ChecksReport => {
    const names = new Set(upstreamsByName(gateway).keys());
    jobs.keepOnly(names);
    return { checks: Array.from(names, (name) => jobs.view(name)) };
  };
  const start = ({ body }: ApiRequest): ChecksReport => {
    jobs.start(upstreamNamed(gateway, readPost(checkBody, body).upstream));
    return report();
  };
  const stop = ({ body }: ApiRequest): ChecksReport => {
    jobs.stop(upstreamNamed(gateway, readPost(checkBody, body).upstream).name);
    return report();
  };
  return [
    { method: "GET", path: "/api/check", answer: report },
    { method: "POST", path: "/api/check", needs: "actions", answer: start },
    { method: "POST", path: "/api/check/stop", needs: "actions", answer: stop },
  ];
}
