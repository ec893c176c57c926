import { describe, expect, it } from "vitest";
import { resolveConfig } from "./resolve-config.ts";
import { defaultSettings } from "./settings.ts";

describe("defaultSettings", () => {
  it("are what no file and no environment give", () => {
    expect(defaultSettings).toEqual(resolveConfig({}).settings);
  });
});
