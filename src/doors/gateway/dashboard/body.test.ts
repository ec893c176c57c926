import { describe, expect, it } from "vitest";
import { createState } from "../../../engine/call/contract-state.ts";
import { encode } from "../../../core/text/bytes.ts";
import { bodyOf, bodyOfBytes } from "./body.ts";

const state = createState({ logLevel: "silent" });
const LIMIT = 256 * 1024;

describe("a text for the page", () => {
  it("that is short is whole, and its tokens are counted", async () => {
    const counter = await state.counter();
    const text = '{"name":"Ada"}';
    const body = await bodyOf(state, text);
    expect(body).toMatchObject({ text, chars: text.length, tokens: counter.count(text), isHead: false });
    expect(await bodyOfBytes(state, encode(text))).toEqual({ ...body, isEstimated: undefined });
  });

  it("that is long is cut, but never inside a character", async () => {
    const text = `${"a".repeat(LIMIT - 1)}😀 and more`;
    const body = await bodyOf(state, text);
    expect(body).toMatchObject({ chars: text.length, isHead: true });
    expect(body.text).toBe("a".repeat(LIMIT - 1));
  });

  it("shows no part of a secret that is where it is cut", async () => {
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
    const text = `${"word ".repeat(LIMIT / 5 - 2)}token=${secret} and more ${"word ".repeat(1_000)}`;
    expect(text.indexOf(secret)).toBeLessThan(LIMIT);
    expect(text.indexOf(secret) + secret.length).toBeGreaterThan(LIMIT);
    const body = await bodyOf(state, text);
    expect(body.isHead).toBe(true);
    expect(body.text).not.toContain("ghp_");
  });

  it("of more than a MiB has its tokens estimated from the first, and all its characters counted", async () => {
    const line = "The quick brown fox jumps over the lazy dog. Ünïcödé €. ";
    const text = line.repeat(Math.ceil((2.5 * 1024 * 1024) / line.length));
    const body = await bodyOfBytes(state, encode(text));
    expect(body).toMatchObject({ chars: text.length, isHead: true, isEstimated: true });
    expect(body.text).toBe(text.slice(0, LIMIT));
    const tokens = (await state.counter()).count(line.repeat(100)) * (text.length / line.length / 100);
    expect(Math.abs(body.tokens / tokens - 1)).toBeLessThan(0.05);
  });

  it("counts what a model reads of it where that is not all", async () => {
    const body = await bodyOf(state, '{"content":[{"type":"text","text":"hello"}]}', ["hello"]);
    expect(body.tokens).toBe(1);
  });
});
