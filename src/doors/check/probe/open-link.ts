import { childEnvironment, startChild } from "../../../engine/transport/child-process.ts";
import { HttpLink } from "../../../engine/transport/http/http-link.ts";
import { openTarget } from "../../../engine/transport/http/http-target.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { createLineRedactor, type Redactor } from "../../../core/text/redact/redact-secrets.ts";
import type { CheckOptions, CheckTarget, CommandTarget, UrlTarget } from "../check-options.ts";
import type { Limits } from "../check-settings.ts";
import { shownWords } from "../target-secrets.ts";

/** An open connection, and how to end it: when `close` resolves, no process and no socket is left. */
export interface OpenLink {
  readonly link: Link;
  /** Why no process could be started; known once the link has closed. */
  readonly startProblem: () => string | undefined;
  close(): Promise<void>;
}

export interface Way {
  readonly transport: "stdio" | "http";
  /** For reports: without passwords or keys. */
  readonly name: string;
  open(): OpenLink;
}

/** A process is asked to end twice, two seconds apart, then killed; ending a session may take two seconds. */
const CLOSE_MS = 8_000;

/** Resolves with the promise, or after the given time. */
function atMost(promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function commandWay(
  target: CommandTarget,
  { onStderr }: CheckOptions,
  { maxMessageBytes }: Limits,
  redactor: Redactor,
): Way {
  const { command, args = [], env, inheritEnv = true, cwd } = target;
  return {
    transport: "stdio",
    name: redactor.text(shownWords([command, ...args]).join(" ")).text,
    open: () => {
      let problem: string | undefined;
      const masked = createLineRedactor(redactor);
      const link = startChild({
        command,
        args,
        cwd,
        environment: childEnvironment({ env, inheritEnv }),
        maxMessageBytes,
        stderr: (line) => onStderr?.(masked(line)),
        failed: (why) => (problem = why),
      });
      const close = (): Promise<void> => {
        link.close();
        return atMost(link.ended, CLOSE_MS);
      };
      return { link, startProblem: () => problem, close };
    },
  };
}

/** The address without a password; the part after the question mark may be a key. */
function shownUrl(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search === "" ? "" : "?…"}`;
}

function urlWay({ url, headers }: UrlTarget, limits: Limits): Way {
  return {
    transport: "http",
    name: shownUrl(url),
    open: () => {
      const target = openTarget(url, headers);
      let closed: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (closed = resolve));
      const link = new HttpLink({
        target,
        maxMessageBytes: limits.maxMessageBytes,
        startTimeoutMs: limits.startMs,
        onClose: () => closed(),
      });
      const close = async (): Promise<void> => {
        link.close();
        await atMost(ended, CLOSE_MS);
        target.close();
      };
      return { link, startProblem: () => undefined, close };
    },
  };
}

/** How a server is reached. */
export function wayTo(target: CheckTarget, options: CheckOptions, limits: Limits, redactor: Redactor): Way {
  if ("url" in target) return urlWay(target, limits);
  if ("command" in target) return commandWay(target, options, limits, redactor);
  const { link: connect, name = "in memory" } = target;
  return {
    transport: "stdio",
    name,
    open: () => {
      const link = connect();
      return { link, startProblem: () => undefined, close: async () => link.close() };
    },
  };
}
