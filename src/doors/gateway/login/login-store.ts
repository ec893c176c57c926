// The logins of this user: a folder with one file each, for all processes.

import { randomUUID } from "node:crypto";
import { chmod, open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { jsonIn } from "../../../core/json/json-value.ts";
import { makeFolders } from "../../../engine/runtime/make-folders.ts";
import { type Machine, loginFolder } from "../state-folder.ts";
import { withFileLock } from "../file-lock.ts";
import { type Login, type LoginKey, loginName, readLogin } from "./login.ts";
import { SignInError } from "./sign-in-error.ts";
import {
  type KeyringKey,
  type Seal,
  type Sealed,
  UnreadableLogin,
  openSeal,
  sealedShape,
} from "./sealed-text.ts";

const kept = z.object({
  version: z.literal(1),
  /** Readable without a key, so that a list can name what it cannot open. */
  url: z.string(),
  caller: z.string(),
  sealed: sealedShape,
});

/** A login in the folder; without `login` it cannot be read here. */
export interface KeptLogin extends LoginKey {
  readonly by: Sealed["by"];
  readonly login: Login | undefined;
  /** Why it cannot be read. */
  readonly problem: string | undefined;
}

const MAX_FILE_BYTES = 1024 * 1024;
const NAME = /^[0-9a-f]{32}\.json$/;

export class LoginStore {
  readonly #folder: string;
  readonly #seal: Seal;

  constructor(folder: string, seal: Seal) {
    this.#folder = folder;
    this.#seal = seal;
  }

  /** Undefined without a login. Throws an UnreadableLogin if there is one that cannot be read. */
  async read(key: LoginKey): Promise<Login | undefined> {
    const file = await this.#file(this.#path(key));
    if (file === undefined) return undefined;
    const login = readLogin(jsonIn(await this.#seal.open(file.sealed, about(key))));
    if (login?.url !== key.url || login.caller !== key.caller)
      throw new UnreadableLogin("The file of the login is damaged");
    return login;
  }

  async write(login: Login): Promise<void> {
    const { url, caller } = login;
    const sealed = await this.#seal.close(JSON.stringify(login), about(login));
    await this.#prepare();
    const path = this.#path(login);
    const next = `${path}.${randomUUID()}.part`;
    const file = await open(next, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ version: 1, url, caller, sealed })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  }

  /** False if there was none. */
  async remove(key: LoginKey): Promise<boolean> {
    const path = this.#path(key);
    const isThere = (await this.stampOf(key)) !== "";
    await rm(path, { force: true });
    return isThere;
  }

  async list(): Promise<readonly KeptLogin[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const files = await Promise.all(
      names
        .filter((name) => NAME.test(name))
        .map((name) => this.#file(join(this.#folder, name)).catch(() => undefined)),
    );
    const found = files.filter((file) => file !== undefined);
    const listed = await Promise.all(found.map((file) => this.#listed(file)));
    return listed.toSorted((a, b) => (a.url === b.url ? compare(a.caller, b.caller) : compare(a.url, b.url)));
  }

  async #listed({ url, caller, sealed }: z.infer<typeof kept>): Promise<KeptLogin> {
    const key = { url, caller, by: sealed.by };
    try {
      return { ...key, login: await this.read(key), problem: undefined };
    } catch (error) {
      const problem = error instanceof UnreadableLogin ? error.message : "It cannot be read";
      return { ...key, login: undefined, problem };
    }
  }

  /** Changes with every write, by whichever process; "" where there is no login. */
  async stampOf(key: LoginKey): Promise<string> {
    try {
      const { ino, mtimeMs, size } = await stat(this.#path(key));
      return `${ino} ${mtimeMs} ${size}`;
    } catch {
      return "";
    }
  }

  /** Runs while no other process changes this login. A folder that takes no lock takes no login either. */
  async locked<Value>(key: LoginKey, run: () => Promise<Value>): Promise<Value> {
    let isRunning = false;
    const running = (): Promise<Value> => {
      isRunning = true;
      return run();
    };
    try {
      await this.#prepare();
      return await withFileLock(`${this.#path(key)}.lock`, running);
    } catch (error) {
      if (isRunning) throw error;
      if ((error as NodeJS.ErrnoException).code !== undefined) return run();
      throw new SignInError("unreachable", "Another process holds the login");
    }
  }

  sealedBy(): Promise<Sealed["by"]> {
    return this.#seal.by();
  }

  #path(key: LoginKey): string {
    return join(this.#folder, `${loginName(key)}.json`);
  }

  async #prepare(): Promise<void> {
    await makeFolders(this.#folder, 0o700);
    await chmod(this.#folder, 0o700);
  }

  async #file(path: string): Promise<z.infer<typeof kept> | undefined> {
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new UnreadableLogin(`The file of the login cannot be read (${error.code ?? "unknown reason"})`);
    });
    if (bytes === undefined) return undefined;
    const { data } = kept.safeParse(bytes.length > MAX_FILE_BYTES ? undefined : jsonIn(bytes.toString()));
    if (data === undefined) throw new UnreadableLogin("The file of the login is damaged");
    return data;
  }
}

function about({ url, caller }: LoginKey): string {
  return JSON.stringify([url, caller]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The store of this user; undefined for a user without a home. */
export function openLoginStore(machine: Machine, keyringKey?: KeyringKey): LoginStore | undefined {
  const folder = loginFolder(machine);
  return folder === undefined
    ? undefined
    : new LoginStore(folder, openSeal(machine.env["WAYBILL_SECRET"], keyringKey));
}
