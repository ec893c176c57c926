// The secrets of a file store: one file each, made by the first process that needs it.

import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { ArchiveError } from "../archive-store.ts";
import { errnoOf } from "./file-layer.ts";
import type { FileTree } from "./file-tree.ts";

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

async function readSecret(tree: FileTree, path: string): Promise<string | undefined> {
  try {
    const file = await tree.files.open(path);
    try {
      return Buffer.from(await file.read(0, 64)).toString("latin1");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a new secret, if none exists yet. It is always synced, because signatures must survive a power cut. */
async function makeSecret(tree: FileTree, path: string): Promise<void> {
  const temporary = await tree.createTemporary();
  try {
    try {
      await temporary.file.write(Buffer.from(randomBytes(SECRET_BYTES).toString("base64url")));
      await temporary.file.sync();
    } finally {
      await temporary.file.close();
    }
    await tree.publishOnce(temporary.path, path);
    await tree.makeLasting(tree.secretsDirectory);
  } finally {
    await tree.remove(temporary.path).catch(() => false);
  }
}

/**
 * The secret of a name, made by the first process that needs it; all processes that share the directory get
 * the same.
 */
export async function fileSecret(tree: FileTree, name: string): Promise<string> {
  const path = join(
    tree.secretsDirectory,
    createHash("sha256").update(name, "utf16le").digest("hex").slice(0, 32),
  );
  const known = await readSecret(tree, path);
  if (known === undefined) await makeSecret(tree, path);
  const secret = known ?? (await readSecret(tree, path)) ?? "";
  if (SECRET.test(secret)) return secret;
  const advice = "remove it, and a new one is made; cursors signed with the old one stop working";
  throw new ArchiveError("CORRUPT", `The secret at ${path} is damaged: ${advice}.`);
}
