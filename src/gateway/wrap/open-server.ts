import type { Link } from "../link.ts";
import { childEnvironment } from "../upstream/child-environment.ts";
import { startChild } from "../upstream/child-process.ts";
import type { Reach } from "./measure-server.ts";

export interface OpenServer {
  readonly link: Link;
  /** Resolves when its process is gone. */
  readonly close: () => Promise<void>;
}

/** Starts a server as its client would, without the gateway. What it prints on stderr is nobody's business here. */
export function openServer(
  { command, args, env, cwd }: Extract<Reach, { command: string }>,
  around: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): OpenServer {
  const link = startChild({
    command,
    args,
    cwd: cwd ?? around.cwd,
    environment: childEnvironment({ env, inheritEnv: true }, around.env),
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
