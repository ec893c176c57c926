// Which functions of src/ run while something happens, in order of first entry, and how often. V8's coverage counts
// calls without their order, and counts an async function again after each await; so each function has a probe.
export interface PassedFunction {
  readonly name: string;
  readonly calls: number;
}

export interface PassedFile {
  readonly file: string;
  /** In order of first entry. */
  readonly functions: readonly PassedFunction[];
  /** The other files whose code called into this one, in order of first call; more than one means that a reader comes back. */
  readonly from: readonly string[];
}

const place = "__waybillWalk";

/** What a probe calls; undefined while nothing is traced. */
export const reporter = `globalThis.${place}`;

const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 50));

interface Passing {
  readonly functions: Map<number, { name: string; calls: number }>;
  readonly from: Set<string>;
}

const root = new URL("../../", import.meta.url).pathname;

/** The file that called a probed function: the frame below the probe's and the function's own. */
function callerFile({ stack = "" }: { readonly stack?: string }): string | undefined {
  const frames = stack.split("\n").slice(3);
  const files = frames.map((frame) => frame.split(`${root}src/`)[1]?.split(/[?:)]/)[0]);
  const caller = files.find((file) => file !== undefined);
  return caller && `src/${caller}`;
}

async function trace(run: () => Promise<unknown>): Promise<PassedFile[]> {
  const files = new Map<string, Passing>();
  const report = (file: string, name: string, start: number): void => {
    const passing: Passing = files.get(file) ?? { functions: new Map(), from: new Set() };
    files.set(file, passing);
    const passed = passing.functions.get(start) ?? { name, calls: 0 };
    passing.functions.set(start, passed);
    passed.calls++;
    const caller = callerFile(new Error("here"));
    if (caller !== undefined && caller !== file) passing.from.add(caller);
  };
  // Work that an earlier run left behind does not belong to this one; work that this one leaves behind does.
  await settle();
  Reflect.set(globalThis, place, report);
  try {
    await run();
    await settle();
  } finally {
    Reflect.deleteProperty(globalThis, place);
  }
  return [...files].map(([file, { functions, from }]) => ({
    file,
    functions: [...functions.values()],
    from: [...from],
  }));
}

const warmUps = 3;

/** Loads what is loaded on first use and fills caches, so that the walk shows the usual run and not the first one. */
export async function traceWarm<Ready>(
  prepare: () => Promise<Ready>,
  run: (ready: Ready) => Promise<unknown>,
): Promise<PassedFile[]> {
  for (let round = 0; round < warmUps; round++) await run(await prepare());
  const ready = await prepare();
  return trace(() => run(ready));
}
