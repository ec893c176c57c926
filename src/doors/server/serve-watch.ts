// How a program around a module, such as `waybill lint`, learns what the module serves. A symbol that every copy of the
// package knows: the module may have another copy of it than the program.

import type { ServeOptions, Served } from "./serve-options.ts";

export interface ServeWatch {
  /** Is told what `serve` was given, once that was checked. "hold" keeps it from starting: nothing is opened or read. */
  readonly called?: ((options: ServeOptions) => "hold" | undefined) | undefined;
  /** Is told of a server that has started. */
  readonly started?: ((served: Served) => void) | undefined;
}

const key = Symbol.for("waybill.serve.watch");

type Watched = { [key]?: ServeWatch | undefined };

/** Puts a watch in place for every `serve` of this process; undefined takes it off. */
export function watchServe(watch: ServeWatch | undefined): void {
  (globalThis as Watched)[key] = watch;
}

export function serveWatch(): ServeWatch | undefined {
  return (globalThis as Watched)[key];
}
