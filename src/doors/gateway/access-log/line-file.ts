// Where the lines of an access log go: a file that is only added to, or a stream of this process. A full disk or a slow
// reader must not hold up a call: lines that would wait in too much memory are dropped, and the log says how many.

import { closeSync, createWriteStream, openSync, type WriteStream } from "node:fs";
import { ContractError } from "../../../core/contract/contract-error.ts";

export interface LineSink {
  write(line: string): void;
  /** Opens the file again under its name: a program that rotates logs has moved it. */
  reopen(): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** More than this is not kept for a disk or a reader that is slow. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Gets what is wrong with the file, once until a line is written again. */
export type TellTrouble = (what: string, fields?: object) => void;

/** Refuses a file that cannot be written now: at the start the operator still reads the message. */
export function lineFile(path: string, tell: TellTrouble): LineSink {
  try {
    closeSync(openSync(path, "a", FILE_MODE));
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "it cannot be opened";
    const message = `createGateway: "accessLog" names ${JSON.stringify(path)}, which cannot be written (${why}). Name a file in a folder that exists and that this user may write to.`;
    throw new ContractError("INVALID_OPTION", message, { option: "accessLog" }, { cause: error });
  }
  return new LineFile(path, tell);
}

/** Lines name callers, so others on this machine may not read them. */
const FILE_MODE = 0o640;

class LineFile implements LineSink {
  readonly #path: string;
  readonly #tell: TellTrouble;
  #stream: WriteStream;
  /** Streams that were replaced and still write. */
  readonly #leaving = new Set<Promise<void>>();
  #dropped = 0;
  #isBroken = false;

  constructor(path: string, tell: TellTrouble) {
    this.#path = path;
    this.#tell = tell;
    this.#stream = this.#open();
  }

  write(line: string): void {
    if (this.#isBroken || this.#stream.writableLength > MAX_WAITING_BYTES) {
      this.#dropped += 1;
      if (this.#dropped === 1 && !this.#isBroken) this.#tell("access-log-slow", { path: this.#path });
      return;
    }
    if (this.#dropped > 0) {
      this.#tell("access-log-dropped", { path: this.#path, lines: this.#dropped });
      this.#dropped = 0;
    }
    this.#stream.write(line);
  }

  reopen(): void {
    const before = this.#stream;
    const left = ended(before);
    this.#leaving.add(left);
    void left.then(() => this.#leaving.delete(left));
    before.end();
    this.#isBroken = false;
    this.#stream = this.#open();
  }

  async close(): Promise<void> {
    const left = ended(this.#stream);
    this.#stream.end();
    await Promise.all([...this.#leaving, left]);
    if (this.#dropped > 0) this.#tell("access-log-dropped", { path: this.#path, lines: this.#dropped });
  }

  #open(): WriteStream {
    const stream = createWriteStream(this.#path, { flags: "a", mode: FILE_MODE });
    stream.on("error", (err) => {
      if (stream !== this.#stream) return;
      this.#isBroken = true;
      this.#tell("access-log-broken", {
        path: this.#path,
        err,
        hint: "Make its folder and let this user write there; SIGHUP then opens the file again",
      });
    });
    return stream;
  }
}

/** A stream that could not be opened is closed already, and says so only once. */
function ended(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => (stream.closed ? resolve() : stream.once("close", resolve)));
}

/** Lines on a stream of this process, which is not ended here. */
export function lineStream(stream: NodeJS.WritableStream): LineSink {
  return { write: (line) => void stream.write(line), reopen: () => undefined, close: async () => undefined };
}
