import { describe, expect, it } from "vitest";
import { isAnswerTo, spliceError } from "./message-headers.ts";

const deep = "[".repeat(200_000) + "]".repeat(200_000);

describe("what a server answers 200,000 levels deep", () => {
  it("is no answer where that is its id", () => {
    expect(isAnswerTo({ key: "1" }, Buffer.from(`{"jsonrpc":"2.0","id":${deep},"result":{}}`))).toBe(false);
  });

  it("is an error in its own bytes where it names no id", () => {
    const error = `{"code":-32000,"message":"né","data":[1.0,${deep}]}`;
    const spliced = spliceError(Buffer.from(`{"jsonrpc":"2.0","error":${error}}`), "7");
    expect(spliced?.toString() === `{"jsonrpc":"2.0","id":7,"error":${error}}`).toBe(true);
  });
});
