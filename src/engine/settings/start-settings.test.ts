import { expect, it } from "vitest";
import { createLog } from "../observe/log-event.ts";
import { StartSettings } from "./start-settings.ts";

function atStart() {
  const said: object[] = [];
  const note = (fields: object): void => void said.push(fields);
  const log = createLog({ logger: { debug: note, info: note, warn: note, error: note } });
  return { said, settings: new StartSettings(log, "waybill_retrieve", { place: "./archive", ttl: "7d" }) };
}

it("says once that a changed store or name waits for a restart, and nothing of one that is changed back", () => {
  const { said, settings } = atStart();
  settings.changed("waybill_retrieve", { place: "./archive", ttl: "7d" });
  expect(said).toEqual([]);
  settings.changed("waybill_retrieve", { place: "redis://ann:s3cret@cache", ttl: "1d" });
  settings.changed("waybill_retrieve", { place: "redis://ann:s3cret@cache", ttl: "1d" });
  expect(said).toEqual([
    {
      settings: ["store"],
      hint: "The store is open with the settings of the start. Restart to apply the changed ones.",
    },
  ]);
  settings.changed("files_retrieve", { place: "./archive", ttl: "7d" });
  expect(said.at(-1)).toMatchObject({ settings: ["retrieve.name"] });
  settings.changed("waybill_retrieve", { place: "./archive", ttl: "7d" });
  expect(said).toHaveLength(2);
});
