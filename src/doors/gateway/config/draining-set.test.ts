import { describe, expect, it } from "vitest";
import { DrainingSet } from "./draining-set.ts";

function opening() {
  const closed: string[] = [];
  const failures: string[] = [];
  const set = new DrainingSet({ onFailure: (name) => void failures.push(name) });
  const member = (id: string) => ({
    id,
    close: async () => {
      closed.push(id);
      if (id === "broken") throw new Error("stuck");
    },
  });
  return { set, member, closed, failures };
}

describe("DrainingSet", () => {
  it("gives new requests the new member, and closes the old one after its last request", async () => {
    const { set, member, closed } = opening();
    set.set("files", member("old"));
    const first = set.use("files");
    const second = set.use("files");
    set.set("files", member("new"));
    expect(set.use("files")?.member).toMatchObject({ id: "new" });
    first?.release();
    first?.release();
    expect(closed).toEqual([]);
    second?.release();
    expect(closed).toEqual(["old"]);
  });

  it("closes an unused member at once, and knows a removed name no more", () => {
    const { set, member, closed } = opening();
    set.set("files", member("old"));
    set.remove("files");
    expect(closed).toEqual(["old"]);
    expect(set.use("files")).toBeUndefined();
    expect(set.entries()).toEqual([]);
  });

  it("closes all at its own end, each once, and tells of one that cannot be closed", async () => {
    const { set, member, closed, failures } = opening();
    set.set("files", member("used"));
    set.set("mail", member("broken"));
    const lease = set.use("files");
    set.remove("files");
    await set.close();
    lease?.release();
    expect(closed.sort()).toEqual(["broken", "used"]);
    expect(failures).toEqual(["mail"]);
  });
});
