import type { Link } from "../../../engine/transport/link.ts";
import { childEnvironment } from "../../../engine/transport/child-environment.ts";
import { startChild } from "../../../engine/transport/child-process.ts";
import { openHttpUpstream } from "../upstream/http-upstream.ts";
import type { Reach } from "./measure-server.ts";

export interface OpenServer {
  readonly link: Link;
  /** Resolves when its process or its session is gone. */
  readonly close: () => Promise<void>;
}

type Surroundings = { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string };

/** Starts a server, or opens a session with it, like its client, without the gateway. Its stderr is not shown. */
export function openServer(reach: Reach, { env, cwd }: Surroundings): OpenServer {
  if ("url" in reach) {
    const upstream = openHttpUpstream("measured", reach);
    return {
      link: upstream.connect({ principal: "local" }),
      close: () => upstream.close(),
    };
  }
  const link = startChild({
    command: reach.command,
    args: reach.args,
    cwd: reach.cwd ?? cwd,
    environment: childEnvironment({ env: reach.env, inheritEnv: true }, env),
    stderr: () => undefined,
  });
  return {
    link,
    close: async () => {
      link.close();
      await link.ended;
    },
  };
}
