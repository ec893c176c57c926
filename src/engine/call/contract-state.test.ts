import { afterEach, describe, expect, it, vi } from "vitest";
import { resolveConfig } from "../settings/resolve-config.ts";
import { createState } from "./contract-state.ts";

function recording() {
  const events: string[] = [];
  const note = (_: object, message: string): void => void events.push(message);
  return { events, logger: { debug: note, info: note, warn: note, error: note } };
}

describe("the keys of cursors", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("are the operator's, else those of the configuration, else WAYBILL_SECRET", () => {
    const config = resolveConfig({ environment: { WAYBILL_SECRET: "configured" } }).settings;
    vi.stubEnv("WAYBILL_SECRET", "exported");
    expect(createState({ cursorKeys: "own", config }).cursorKeys()).toBe("own");
    expect(createState({ config }).cursorKeys()).toBe("configured");
    expect(createState({}).cursorKeys()).toBe("exported");
  });

  it("are random where none were given, the same for the life of the contract, with one line of log", () => {
    vi.stubEnv("WAYBILL_SECRET", "");
    const { events, logger } = recording();
    const { cursorKeys } = createState({ logger });
    expect(cursorKeys()).toMatch(/^[0-9a-f]{64}$/);
    expect(cursorKeys()).toBe(cursorKeys());
    expect(createState({ logger }).cursorKeys()).not.toBe(cursorKeys());
    expect(events).toEqual(["cursor-key-random", "cursor-key-random"]);
  });

  it("are refused at once where WAYBILL_SECRET is blank", () => {
    vi.stubEnv("WAYBILL_SECRET", " ");
    expect(() => createState({})).toThrow("WAYBILL_SECRET: The secret is blank.");
  });
});
