import * as z from "zod/mini";
import { object, text } from "../../../../core/options/option-kinds.ts";
import {
  type ApiRequest,
  type ApiRoute,
  type TellPages,
  type WatchedGateway,
  type WatchedUpstream,
  upstreamNamed,
  upstreamsByName,
} from "../dashboard-parts.ts";
import type { ConfigReport } from "../protocol/places.ts";
import { readPost } from "../read-post.ts";
import { baseName, describeSettings, loadedOf } from "./describe-settings.ts";
import { LiveSettings } from "./live-settings.ts";

const changeBody = object({
  upstream: text,
  path: text,
  value: z.json(),
});

type Upstreams = readonly WatchedUpstream[];

function filesOf(upstreams: Upstreams): readonly string[] {
  const files = upstreams.flatMap(({ state }) => loadedOf(state)?.files ?? []);
  return [...new Set(files.filter(({ status }) => status === "used").map(({ path }) => baseName(path)))];
}

/** Notices and problems name files by their whole paths. */
function withoutFolders(said: string, upstreams: Upstreams): string {
  const paths = upstreams.flatMap(({ state }) => (loadedOf(state)?.files ?? []).map(({ path }) => path));
  return [...new Set(paths)].reduce((shorter, path) => shorter.replaceAll(path, baseName(path)), said);
}

/** Follows what happens to the configuration's files until `closing` is aborted. Gives what is wrong with them now. */
function followFiles(
  { config }: WatchedGateway,
  changed: () => void,
  closing: AbortSignal,
): () => string | undefined {
  let problem: string | undefined;
  if (config === undefined || !("onChange" in config)) return () => undefined;
  const note = (now: string | undefined): void => {
    problem = now;
    changed();
  };
  const stops = [config.onProblem(({ message }) => note(message)), config.onChange(() => note(undefined))];
  closing.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true });
  return () => problem;
}

/** The settings in use, and the door through which the page changes some of them. */
export function settingsRoutes(
  gateway: WatchedGateway,
  tell: TellPages,
  closing: AbortSignal,
): readonly ApiRoute[] {
  const live = new LiveSettings();
  const changed = (): void => tell("config", {});
  const followAll = (): void => gateway.upstreams().forEach((upstream) => live.follow(upstream));
  followAll();
  const stop = gateway.onChange?.(() => {
    followAll();
    changed();
  });
  closing.addEventListener("abort", () => stop?.(), { once: true });
  const fileProblem = followFiles(gateway, changed, closing);
  const report = (): ConfigReport => {
    const upstreams = [...upstreamsByName(gateway).values()];
    const notices = new Set(upstreams.flatMap(({ state }) => loadedOf(state)?.notices ?? []));
    const problem = fileProblem();
    const said = problem === undefined ? [...notices] : [problem, ...notices];
    return {
      files: filesOf(upstreams),
      problems: [
        ...said.map((one) => withoutFolders(one, upstreams)),
        ...upstreams.flatMap((upstream) => live.problems(upstream)),
      ],
      upstreams: upstreams.map(({ name, state }) => ({ upstream: name, settings: describeSettings(state) })),
    };
  };
  const change = ({ body }: ApiRequest): ConfigReport => {
    const { upstream, path, value } = readPost(changeBody, body);
    live.change(upstreamNamed(gateway, upstream), path, value);
    changed();
    return report();
  };
  return [
    { method: "GET", path: "/api/config", answer: report },
    { method: "POST", path: "/api/config", needs: "actions", answer: change },
  ];
}
