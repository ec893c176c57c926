// How a login is written: sealed with WAYBILL_SECRET if that is set, else with a key in the system's keyring if there is
// one, else as it is, in a file that only its owner may read.

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import type { AsyncEntry } from "@napi-rs/keyring";
import * as z from "zod/mini";
import { runWithDeadline } from "../../../engine/runtime/deadline.ts";

type SealedBy = "secret" | "keyring" | "nothing";

/** What opens and closes the texts of one folder. */
export interface Seal {
  /** `about` is what the text belongs to: it cannot be moved to another place. */
  close(text: string, about: string): Promise<Sealed>;
  /** Throws an UnreadableLogin if the key is missing or another one. */
  open(sealed: Sealed, about: string): Promise<string>;
  /** What new texts are sealed by. */
  by(): Promise<SealedBy>;
}

export const sealedShape = z.object({
  by: z.enum(["secret", "keyring", "nothing"]),
  salt: z.optional(z.string()),
  iv: z.optional(z.string()),
  tag: z.optional(z.string()),
  text: z.string(),
});
export type Sealed = z.infer<typeof sealedShape>;

/** A login that is there, and that this process cannot read. */
export class UnreadableLogin extends Error {
  override readonly name = "UnreadableLogin";
}

/** The key in the system's keyring; undefined where there is no keyring. `isNew`: one may be made. */
export type KeyringKey = (isNew: boolean) => Promise<Buffer | undefined>;

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;

export function openSeal(secret: string | undefined, keyringKey: KeyringKey = systemKeyring): Seal {
  const given = secret === undefined || secret.trim() === "" ? undefined : secret;
  const salts = new Map<string, Promise<Buffer>>();
  // One salt for all that this process writes: a key is slow to derive, by intention.
  const ownSalt = randomBytes(SALT_BYTES).toString("base64");
  const fromSecret = (salt: string): Promise<Buffer> => {
    const known = salts.get(salt) ?? derive(given ?? "", salt);
    salts.set(salt, known);
    return known;
  };
  const keyFor = async (sealed: Pick<Sealed, "by" | "salt">): Promise<Buffer> => {
    if (sealed.by === "secret" && given === undefined)
      throw new UnreadableLogin("The login is encrypted with WAYBILL_SECRET, which is not set here");
    const key = sealed.by === "secret" ? await fromSecret(sealed.salt ?? "") : await keyringKey(false);
    if (key === undefined)
      throw new UnreadableLogin("The login is encrypted with a key of the keyring, which is not there");
    return key;
  };
  const by = async (): Promise<SealedBy> => {
    if (given !== undefined) return "secret";
    return (await keyringKey(true)) === undefined ? "nothing" : "keyring";
  };
  return {
    by,
    close: async (text, about) => {
      const kind = await by();
      if (kind === "nothing") return { by: kind, text };
      const salt = kind === "secret" ? { salt: ownSalt } : {};
      return {
        by: kind,
        ...salt,
        ...encrypt(text, about, await keyFor({ by: kind, ...salt })),
      };
    },
    open: async (sealed, about) =>
      sealed.by === "nothing" ? sealed.text : decrypt(sealed, about, await keyFor(sealed)),
  };
}

function derive(secret: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(secret, Buffer.from(salt, "base64"), KEY_BYTES, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );
}

function encrypt(text: string, about: string, key: Buffer): Pick<Sealed, "iv" | "tag" | "text"> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return {
    iv: iv.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    text: sealed.toString("base64"),
  };
}

function decrypt({ by, iv = "", tag = "", text }: Sealed, about: string, key: Buffer): string {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64"), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(about)).setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([decipher.update(Buffer.from(text, "base64")), decipher.final()]).toString("utf8");
  } catch {
    const key = by === "secret" ? "another WAYBILL_SECRET" : "another key of the keyring";
    throw new UnreadableLogin(`The login was changed, or encrypted with ${key}`);
  }
}

const SERVICE = "waybill";
const ACCOUNT = "logins";
/** A keyring may ask a person, who may not be there. */
const KEYRING_MS = 5_000;

/** What the keyring has: the key, none yet, or "silent", if it is not there, locked, or does not answer. */
type Kept = Buffer | "none" | "silent";

let asked: Promise<Kept> | undefined;

/** A key, not the tokens: Windows keeps at most 2,560 bytes in one place, and some tokens are longer. */
const systemKeyring: KeyringKey = async (isNew) => {
  const reading = (asked ??= ask(readKey));
  let kept = await reading;
  // Never for a silent keyring: it may have a key, and the logins encrypted with that would be lost.
  if (kept === "none" && isNew) {
    if (asked === reading) asked = ask(makeKey);
    kept = await asked;
  }
  return Buffer.isBuffer(kept) ? kept : undefined;
};

/** Ends in time whatever the keyring does: a question to a person that is on the screen cannot be taken back. */
async function ask(run: (entry: AsyncEntry, signal: AbortSignal) => Promise<Kept>): Promise<Kept> {
  if (process.env["WAYBILL_KEYRING"] === "off") return "silent";
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    // Without a Secret Service the package would take the kernel's keyring, which forgets its keys at the next start.
    const entry = new AsyncEntry(SERVICE, ACCOUNT, {
      linux: { store: "secret-service" },
    });
    const onTimeout = (): Error => new Error("The keyring does not answer");
    return await runWithDeadline((signal) => run(entry, signal), {
      timeoutMs: KEYRING_MS,
      onTimeout,
    });
  } catch {
    return "silent";
  }
}

async function readKey(entry: AsyncEntry, signal: AbortSignal): Promise<Kept> {
  const text = await entry.getPassword(signal);
  const key = Buffer.from(text ?? "", "base64");
  return key.length === KEY_BYTES ? key : "none";
}

/** Read back, because some keyrings take what they do not keep, and another process may have been faster. */
async function makeKey(entry: AsyncEntry, signal: AbortSignal): Promise<Kept> {
  await entry.setPassword(randomBytes(KEY_BYTES).toString("base64"), signal);
  return readKey(entry, signal);
}
