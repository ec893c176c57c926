// Which functions of src/ run while something happens, in order of first entry, and how often. V8's coverage counts
// calls without their order, and counts an async function again after each await; so a probe stands in each function.
export interface PassedFunction {
  readonly name: string;
  readonly calls: number;
}

export interface PassedFile {
  readonly file: string;
  /** In order of first entry. */
  readonly functions: readonly PassedFunction[];
}

const place = "__waybillWalk";

/** What a probe calls; nobody is there while nothing is traced. */
export const reporter = `globalThis.${place}`;

const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 50));

async function trace(run: () => Promise<unknown>): Promise<PassedFile[]> {
  const files = new Map<string, Map<number, { name: string; calls: number }>>();
  const report = (file: string, name: string, start: number): void => {
    const functions = files.get(file) ?? new Map<number, { name: string; calls: number }>();
    files.set(file, functions);
    const passed = functions.get(start) ?? { name, calls: 0 };
    functions.set(start, passed);
    passed.calls++;
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
  return [...files].map(([file, functions]) => ({ file, functions: [...functions.values()] }));
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
