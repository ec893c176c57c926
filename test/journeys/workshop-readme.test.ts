import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readmeTable } from "./clients/readme-table.ts";

const readme = readFileSync(new URL("../../examples/workshop/README.md", import.meta.url), "utf8");

describe("the workshop's README", () => {
  it("lists for every example the call that the journeys replay", () => {
    expect(readme).toContain(readmeTable());
  });
});
