import { type FileLayer, type OpenFile, nodeFileLayer } from "../../src/engine/archive/file/file-layer.ts";

/** What a step is called: the name of the call, such as `write` or `rename`. */
export type FailWhen = (call: string, number: number) => string | undefined;

/** The machine's file system, where `failWhen` may name an error code for any call by its name and running number. */
export function failingFiles(failWhen: FailWhen): FileLayer {
  let number = 0;
  const check = (call: string): void => {
    const code = failWhen(call, number++);
    if (code !== undefined) throw Object.assign(new Error(`${code}: ${call}`), { code, syscall: call });
  };
  const watched = <Target extends object>(target: Target, wrap: (result: unknown) => unknown): Target =>
    new Proxy(target, {
      get: (owner, name: string) => {
        const method: unknown = Reflect.get(owner, name, owner);
        if (typeof method !== "function") return method;
        return async (...given: unknown[]) => {
          // Closing always works: a test that leaks handles would tell nothing about the store.
          if (name !== "close") check(name);
          return wrap(await (Reflect.apply(method, owner, given) as Promise<unknown>));
        };
      },
    });
  const isOpenFile = (value: unknown): value is OpenFile =>
    typeof value === "object" && value !== null && "sync" in value;
  return watched(nodeFileLayer, (result) =>
    isOpenFile(result) ? watched(result, (inner) => inner) : result,
  );
}
