import type { CliIo } from "../cli-io.ts";

/** Asks the person at the terminal, one line for each question. */
export interface Asker {
  /** True only for a clear yes. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Lets go of stdin, so that the process can end. */
  readonly close: () => Promise<void>;
}

/** Whether somebody is there to be asked. */
export function canAsk({ isTTY }: CliIo): boolean {
  return isTTY.stdin && isTTY.stderr;
}

export function createAsker(io: CliIo): Asker {
  let input: AsyncIterator<Uint8Array | string> | undefined;
  let pending = "";
  let isOver = false;
  const nextLine = async (): Promise<string> => {
    input ??= io.stdin[Symbol.asyncIterator]();
    while (!pending.includes("\n") && !isOver) {
      const { value, done } = await input.next();
      if (done === true) isOver = true;
      else pending += typeof value === "string" ? value : Buffer.from(value).toString("utf8");
    }
    const end = pending.indexOf("\n");
    const line = end === -1 ? pending : pending.slice(0, end);
    pending = end === -1 ? "" : pending.slice(end + 1);
    return line;
  };
  return {
    confirm: async (question) => {
      io.stderr.write(`${question} [y/N] `);
      return /^\s*(y|yes)\s*$/i.test(await nextLine());
    },
    close: async () => {
      await input?.return?.();
    },
  };
}
