import { describe, expect, it } from "vitest";
import { toolCalls, watchedState } from "./watched-state.fixture.ts";
import { Traffic } from "./traffic.ts";

describe("traffic", () => {
  it("notes calls in the order in which they ended, newest first on a page", async () => {
    const traffic = new Traffic({ bodies: false });
    const upstream = watchedState("files");
    const stop = traffic.watch(upstream);
    const call = toolCalls(upstream);
    await call("read", { content: [{ type: "text", text: "hello" }] });
    await call("write", { content: [{ type: "text", text: "Error: no such file" }], isError: true });
    stop();
    await call("read", { content: [{ type: "text", text: "unseen" }] });
    const { rows, oldestSeq, newestSeq } = traffic.page(undefined, 10);
    expect([oldestSeq, newestSeq]).toEqual([1, 2]);
    expect(rows.map(({ seq, upstream: name, tool, ending }) => [seq, name, tool, ending])).toEqual([
      [2, "files", "write", "failed"],
      [1, "files", "read", "ok"],
    ]);
  });
});
