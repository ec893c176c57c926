/** An error as pino's standard serialiser writes it: causes are told in `message` and `stack`. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly [extra: string]: unknown;
}

const MAX_CAUSES = 8;
const told = new Set(["type", "message", "stack", "cause", "name"]);

/** A property that may throw, or be something else than the type says. */
function textIn(error: Error, key: "message" | "stack" | "name"): string {
  try {
    const value: unknown = error[key];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

function causeOf(error: Error): Error | undefined {
  try {
    return error.cause instanceof Error ? error.cause : undefined;
  } catch {
    return undefined;
  }
}

function causesOf(error: Error): readonly Error[] {
  const chain = [error];
  for (let next = causeOf(error); next !== undefined && chain.length < MAX_CAUSES; next = causeOf(next)) {
    if (chain.includes(next)) break;
    chain.push(next);
  }
  return chain;
}

function typeOf(error: Error): string {
  try {
    const own: unknown = error.constructor.name;
    return typeof own === "string" && own !== "" ? own : textIn(error, "name");
  } catch {
    return "Error";
  }
}

export function describeError(error: Error): DescribedError {
  const chain = causesOf(error);
  const extras = Object.keys(error).filter((key) => !told.has(key));
  return {
    type: typeOf(error),
    message: chain.map((each) => textIn(each, "message")).join(": "),
    stack: chain.map((each) => textIn(each, "stack")).join("\ncaused by: "),
    ...Object.fromEntries(extras.map((key) => [key, readExtra(error, key)])),
  };
}

function readExtra(error: Error, key: string): unknown {
  try {
    return (error as unknown as Record<string, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}
