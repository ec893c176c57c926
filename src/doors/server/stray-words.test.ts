import { describe, expect, it } from "vitest";
import { strayWords } from "./serve.ts";

const said = (line: string): readonly string[] => strayWords(line.split(" "));

describe("strayWords", () => {
  it.each([
    ["--htpp 4124", "serve: --htpp is not read. Did you mean --http?"],
    ["-http=80", "serve: -http is not read. Did you mean --http?"],
    ["--port 4140", "serve: --port is not read. Did you mean --http?"],
    ["--http-port=4192", "serve: --http-port is not read. Did you mean --http?"],
    ["--studio", "serve: --studio is not read. Did you mean --stdio?"],
    ["--http 1 --stdio", "serve: --http and --stdio are both given. The last counts: --stdio."],
  ])("says of %j what was meant", (line, sentence) => {
    expect(said(line)).toEqual([sentence]);
  });

  it.each(["--http 80", "--stdio", "--verbose --db notes.db -p 3", "port http", "-- --htpp"])(
    "says nothing of %j",
    (line) => {
      expect(said(line)).toEqual([]);
    },
  );
});
