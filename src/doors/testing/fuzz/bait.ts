// What a tool must not reach: a file outside every folder it knows, a command, a piece of code. Hostile texts name
// nothing else on this machine, so a careless tool reads, changes or creates only a bait file.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** More steps up than any folder is deep. */
const STEPS_UP = 20;
/** The property that the bait code sets if it is run. */
const MARK = "waybillFuzzRan";

export interface BaitText {
  readonly text: string;
  readonly why: string;
}

function readOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export class Bait {
  readonly #folder = mkdtempSync(join(tmpdir(), "waybill-fuzz-"));
  readonly #file = join(this.#folder, "secret.txt");
  /** The file that the bait command creates if it is run. */
  readonly #made = join(this.#folder, "made");
  readonly #secret = `waybill-fuzz-${randomBytes(12).toString("hex")}`;

  constructor() {
    writeFileSync(this.#file, this.#secret);
  }

  /** Texts that lead a careless tool to the bait. */
  texts(): readonly BaitText[] {
    const below = relative(sep, this.#file).split(sep).join("/");
    const up = `${"../".repeat(STEPS_UP)}${below}`;
    const touch = `touch ${this.#made}`;
    return [
      { text: up, why: "a path that leads out of its folder" },
      { text: `/${up}`, why: "a path that leads out of its folder" },
      { text: `a/${up}`, why: "a path that leads out of a folder" },
      { text: up.replaceAll("../", "..%2f"), why: "an encoded path that leads out of its folder" },
      { text: up.replaceAll("../", "..\\"), why: "a path with backslashes that leads out of its folder" },
      { text: up.replaceAll("../", "....//"), why: "a path that leads out once `../` is taken from it" },
      { text: this.#file, why: "an absolute path" },
      { text: `${up}\0.json`, why: "a path with a null byte" },
      { text: pathToFileURL(this.#file).href, why: "the address of a file" },
      { text: `$(${touch})`, why: "a command" },
      { text: `\`${touch}\``, why: "a command" },
      { text: `; ${touch} #`, why: "a command" },
      { text: `'; ${touch} #`, why: "a command behind a quote" },
      { text: `"; ${touch} #`, why: "a command behind a quote" },
      { text: `| ${touch}`, why: "a command" },
      { text: `globalThis.${MARK}=1`, why: "a piece of code" },
      { text: `'+(globalThis.${MARK}=1)+'`, why: "a piece of code behind a quote" },
      { text: `"+(globalThis.${MARK}=1)+"`, why: "a piece of code behind a quote" },
    ];
  }

  /** Whether a text contains the content of the bait file. */
  isToldIn(text: string): boolean {
    return text.includes(this.#secret);
  }

  /** Reports what a call has done to the bait, and undoes it. */
  undo(): readonly string[] {
    const done: string[] = [];
    if (readOf(this.#file) !== this.#secret) {
      const what = existsSync(this.#file) ? "changes" : "removes";
      done.push(`It ${what} a file that is outside its folder`);
      this.#restore();
    }
    if (existsSync(this.#made)) {
      done.push("It runs a text of its arguments as a command");
      rmSync(this.#made, { recursive: true, force: true });
    }
    if (Object.hasOwn(globalThis, MARK)) {
      done.push("It runs a text of its arguments as code");
      Reflect.deleteProperty(globalThis, MARK);
    }
    return done;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Restores the file, whatever is in its place now: another file, a folder, or nothing, not even its folder. */
  #restore(): void {
    rmSync(this.#file, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(this.#file, this.#secret);
  }
}
