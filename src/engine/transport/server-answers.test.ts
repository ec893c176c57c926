import { describe, expect, it } from "vitest";
import { messagesIn } from "./raw-message.ts";

const textsIn = (text: string): string[] => messagesIn(Buffer.from(text)).map(String);

describe("messagesIn", () => {
  it("gives the very bytes of a message, and the messages of a list", () => {
    const bytes = Buffer.from('{"id":12345678901234567890}');
    expect(messagesIn(bytes)[0]).toBe(bytes);
    expect(textsIn(' {"id":1}')).toEqual([' {"id":1}']);
    expect(textsIn('\uFEFF{"id":1}')).toEqual(['{"id":1}']);
    expect(textsIn('\uFEFF [{"id":1},7,{"id":2}]')).toEqual(['{"id":1}', '{"id":2}']);
  });

  it("leaves what is no list of messages as it is", () => {
    for (const text of ["", "[", "[]", "[1]", "words", "null"]) expect(textsIn(text)).toEqual([text]);
  });
});
