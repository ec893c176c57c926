import type { MaybePromise } from "../resilience/maybe-promise.ts";

interface Signing {
  readonly digest: (text: string) => MaybePromise<Uint8Array>;
  readonly mac: (secret: string, input: Uint8Array<ArrayBuffer>) => MaybePromise<Uint8Array>;
}

/**
 * Node's own hashes, which answer at once: WebCrypto hands every small hash to another thread, which costs more than all
 * else in a page. Asked for at run time, so that a browser or an edge runtime needs no such module.
 */
const node = globalThis.process?.getBuiltinModule?.("node:crypto");

const hmac = { name: "HMAC", hash: "SHA-256" };
const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const web: Signing = {
  digest: async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", toBytes(text))),
  mac: async (secret, input) => {
    const key = await crypto.subtle.importKey("raw", toBytes(secret), hmac, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", key, input));
  },
};

const BLOCK_BYTES = 64;

/** The two halves of an HMAC key (RFC 2104), made once for a secret: Node's own HMAC prepares its key anew each time. */
function padsOf(secret: string, hash: Hash): readonly [Uint8Array, Uint8Array] {
  const bytes = toBytes(secret);
  const key = bytes.length > BLOCK_BYTES ? hash(bytes) : bytes;
  const pad = (mask: number): Uint8Array =>
    Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => (key[index] ?? 0) ^ mask);
  return [pad(0x36), pad(0x5c)];
}

function join(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}

type Hash = (input: string | Uint8Array) => Uint8Array;

function signingBy(hash: Hash): Signing {
  let latest: { readonly secret: string; readonly pads: readonly [Uint8Array, Uint8Array] } | undefined;
  return {
    digest: hash,
    mac: (secret, input) => {
      if (latest?.secret !== secret) latest = { secret, pads: padsOf(secret, hash) };
      const [inner, outer] = latest.pads;
      return hash(join(outer, hash(join(inner, input))));
    },
  };
}

/** SHA-256, and HMAC with it. */
export const signing: Signing = node ? signingBy((input) => node.hash("sha256", input, "buffer")) : web;
