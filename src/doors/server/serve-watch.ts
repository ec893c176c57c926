// How a program that loads a module, such as `waybill lint`, learns what the module serves. The symbol is global,
// because the module may use another copy of the package than the program.

import type { ServeOptions, Served } from "./serve-options.ts";

export interface ServeWatch {
  /**
   * Receives the options of `serve` or `serveFetch` after they are checked. "hold" prevents the start of `serve`: nothing
   * is opened or read.
   */
  readonly called?: ((options: ServeOptions) => "hold" | undefined) | undefined;
  /** Receives each server that has started. */
  readonly started?: ((served: Served) => void) | undefined;
}

const key = Symbol.for("waybill.serve.watch");

type Watched = { [key]?: ServeWatch | undefined };

/** Sets a watch for every `serve` of this process; undefined removes it. */
export function watchServe(watch: ServeWatch | undefined): void {
  (globalThis as Watched)[key] = watch;
}

export function serveWatch(): ServeWatch | undefined {
  return (globalThis as Watched)[key];
}
