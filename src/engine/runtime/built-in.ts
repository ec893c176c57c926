// Node's modules, requested at run time: no import names them, so that a bundle for browsers or Workers loads.

import type * as AsyncHooks from "node:async_hooks";
import type * as Crypto from "node:crypto";
import type * as Fs from "node:fs";
import type * as Module from "node:module";
import type * as Path from "node:path";
import type * as Tls from "node:tls";
import type * as Threads from "node:worker_threads";
import type * as Zlib from "node:zlib";

interface BuiltIns {
  readonly "node:async_hooks": typeof AsyncHooks;
  readonly "node:crypto": typeof Crypto;
  readonly "node:fs": typeof Fs;
  readonly "node:module": typeof Module;
  readonly "node:path": typeof Path;
  readonly "node:tls": typeof Tls;
  readonly "node:worker_threads": typeof Threads;
  readonly "node:zlib": typeof Zlib;
}

/** A built-in module of Node; undefined elsewhere. */
export function builtIn<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  return process?.getBuiltinModule?.(name) as BuiltIns[Name] | undefined;
}

/** The same for code that cannot work without the module; throws elsewhere. */
export function neededBuiltIn<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] {
  const found = builtIn(name);
  if (found === undefined) throw new Error(`${name} is not there: this part of Waybill needs Node.`);
  return found;
}
