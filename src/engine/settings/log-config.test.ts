import { writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTempFolder } from "./temp-folder.fixture.ts";
import { followConfig } from "./watch-config.ts";
import { createState } from "../call/contract-state.ts";

function recording() {
  const events: string[] = [];
  const take = (_fields: object, event: string) => events.push(event);
  return { events, logger: { debug: take, info: take, warn: take, error: take } as never };
}

describe("the log of a contract", () => {
  // shows 002.35
  it("says once that an edit is broken, and once that one was taken", async () => {
    const folder = createTempFolder();
    const file = folder.write("repo/waybill.config.json", { profile: "minimal" });
    const config = followConfig({ configPath: file, environment: {} });
    onTestFinished(() => config.close());
    const { events, logger } = recording();
    createState({ config, logger, logLevel: "info" });
    const until = (expected: readonly string[]) =>
      vi.waitFor(() => expect(events).toEqual(expected), { timeout: 10_000, interval: 10 });
    writeFileSync(file, "{ broken");
    await until(["config-problem"]);
    expect(config.current.settings.profile).toBe("minimal");
    writeFileSync(file, '{ "profile": "debug" }');
    await until(["config-problem", "config-reloaded"]);
  });

  it("repeats what the configuration notices about itself", () => {
    const folder = createTempFolder();
    folder.write("repo/waybill.config.json", { store: "./elsewhere" });
    const config = followConfig({ cwd: folder.cwd, home: folder.home, environment: {} });
    onTestFinished(() => config.close());
    const { events, logger } = recording();
    createState({ config, logger, logLevel: "info" });
    expect(events).toEqual(["config-notice"]);
  });
});
