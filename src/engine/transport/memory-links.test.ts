import { describe, expect, it } from "vitest";
import { memoryLinks, type Link } from "./link.ts";
import { turns, until } from "./until.fixture.ts";

function hear(link: Link): { readonly heard: string[]; readonly closed: string[] } {
  const [heard, closed]: [string[], string[]] = [[], []];
  link.listen({
    message: (bytes) => heard.push(bytes.toString()),
    oversized: () => undefined,
    closed: (why) => closed.push(why),
  });
  return { heard, closed };
}

describe("two links in memory", () => {
  it("carry messages both ways in their order, those too that came before anybody listened", async () => {
    const [left, right] = memoryLinks();
    left.send("1");
    left.send(Buffer.from("2"));
    await turns();
    const { heard } = hear(right);
    left.send("3");
    await until(() => heard.length === 3);
    expect(heard).toEqual(["1", "2", "3"]);
    const back = hear(left);
    right.send("ä");
    await until(() => back.heard.length === 1);
    expect(back.heard).toEqual(["ä"]);
  });

  it("keep what is sent as it was, whatever becomes of its buffer", async () => {
    const [left, right] = memoryLinks();
    const { heard } = hear(right);
    const message = Buffer.from("first");
    left.send(message);
    message.write("later");
    await until(() => heard.length === 1);
    expect(heard).toEqual(["first"]);
  });

  it("tell the other end once that one has closed, after what it sent before, and nothing afterwards", async () => {
    const [left, right] = memoryLinks();
    const [near, far] = [hear(left), hear(right)];
    left.send("last");
    left.close();
    left.close();
    left.send("too late");
    right.send("nobody hears this");
    await until(() => far.closed.length > 0);
    await turns();
    expect([near, far]).toEqual([
      { heard: [], closed: [] },
      { heard: ["last"], closed: ["the other end closed"] },
    ]);
  });
});
