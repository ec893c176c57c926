// Standard output belongs to the protocol while a server speaks on it: a line of anything else breaks clients. What a
// handler prints with the console goes to standard error meanwhile.

import { type InspectOptions, inspect } from "node:util";
import { isDevelopment } from "../../engine/call/tell-call.ts";
import type { Log } from "../../engine/observe/log-event.ts";

/** Those that write to standard output themselves; `table`, `group` and `count` print by `log`. */
const printing = ["log", "info", "debug", "dir"] as const;

const hint =
  "Standard output belongs to the protocol, so console.log goes to standard error here. Write console.error.";

/** Sends what the console prints to standard error; the function it gives back puts everything as it was. */
export function spareStdout(log: Log): () => void {
  const printer = globalThis.console;
  let isTold = !isDevelopment();
  const tell = (method: string): void => {
    if (isTold) return;
    isTold = true;
    log.warn("console-on-stdout", { method, hint });
  };
  const before = printing.map((method) => [method, printer[method]] as const);
  const print =
    (method: string) =>
    (...words: unknown[]): void => {
      tell(method);
      printer.error(...words);
    };
  const ours = {
    log: print("log"),
    info: print("info"),
    debug: print("debug"),
    dir: (value: unknown, options?: InspectOptions): void => {
      tell("dir");
      printer.error("%s", inspect(value, { customInspect: false, ...options }));
    },
  };
  Object.assign(printer, ours);
  return () => {
    // What somebody else put in its place since then stays.
    for (const [method, original] of before)
      if (printer[method] === ours[method]) Object.assign(printer, { [method]: original });
  };
}
