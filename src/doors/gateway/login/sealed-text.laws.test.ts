import * as fc from "fast-check";
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { type Sealed, UnreadableLogin, openSeal } from "./sealed-text.ts";

const none = () => Promise.resolve(undefined);
const kept = randomBytes(32);
const keyring = () => Promise.resolve(kept);

const seals = {
  nothing: openSeal(undefined, none),
  keyring: openSeal(undefined, keyring),
  secret: openSeal("a secret", none),
};

describe("laws of sealed texts", () => {
  it("every text comes back, and is not to be read in what is written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", minLength: 8 }), fc.string(), async (text, about) => {
        for (const [by, seal] of Object.entries(seals)) {
          const sealed = await seal.close(text, about);
          expect(sealed.by).toBe(by);
          expect(await seal.open(sealed, about)).toBe(text);
          const isReadable = JSON.stringify(sealed).includes(JSON.stringify(text));
          expect(isReadable).toBe(by === "nothing");
        }
      }),
      lawRuns(1_000),
    );
  });

  it("a text that was changed, moved, or sealed with another key is refused", async () => {
    const other = {
      keyring: openSeal(undefined, () => Promise.resolve(randomBytes(32))),
      secret: openSeal("b", none),
    };
    const part = fc.constantFrom<"text" | "iv" | "tag">("text", "iv", "tag");
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), part, fc.nat(), async (text, name, at) => {
        for (const by of ["keyring", "secret"] as const) {
          const sealed = await seals[by].close(text, "here");
          const bytes = Buffer.from(sealed[name] ?? "", "base64");
          bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 1;
          const changed: Sealed = { ...sealed, [name]: bytes.toString("base64") };
          await expect(seals[by].open(changed, "here")).rejects.toThrow(UnreadableLogin);
          await expect(seals[by].open(sealed, "there")).rejects.toThrow(UnreadableLogin);
        }
      }),
      lawRuns(1_000, 10),
    );
    for (const by of ["keyring", "secret"] as const)
      await expect(other[by].open(await seals[by].close("x", "here"), "here")).rejects.toThrow(
        UnreadableLogin,
      );
  });

  it("says what is missing", async () => {
    const sealed = await seals.secret.close("x", "here");
    await expect(seals.nothing.open(sealed, "here")).rejects.toThrow("WAYBILL_SECRET, which is not set here");
    await expect(seals.nothing.open(await seals.keyring.close("x", ""), "")).rejects.toThrow(
      "keyring, which is not there",
    );
  });
});
