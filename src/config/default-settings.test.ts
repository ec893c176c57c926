import { describe, expect, it } from "vitest";
import { defaultSettings } from "./default-settings.ts";
import { resolveConfig } from "./resolve-config.ts";

describe("defaultSettings", () => {
  it("are what no file and no environment give", () => {
    expect(defaultSettings).toEqual(resolveConfig({}).settings);
  });
});
