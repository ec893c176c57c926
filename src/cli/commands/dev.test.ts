import { expect, it } from "vitest";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";
import { sayWatched } from "./dev.ts";

it("waybill dev names the folder that it watches, also if that is the working directory", () => {
  expect(sayWatched("/home", "/home/a/src/server.ts", "/home/a")).toMatch(/ a file of a changes$/);
  expect(sayWatched("/home/a", "/home/a/src/server.ts", "/home/a")).toMatch(/ a file of \/home\/a changes$/);
});

it.each([
  ["no module", ["dev"], "missing required argument 'module'"],
  ["a module that is not there", ["dev", "nothing.mjs"], "There is no file nothing.mjs."],
  ["a number that is no port", ["dev", "server.mjs", "--http", "99999"], "Give a port from 0 to 65535"],
  ["a module where the address belongs", ["dev", "--http", "server.mjs"], "Give a port from 0 to 65535"],
  ["an option that is not its own", ["dev", "server.mjs", "--htpp"], "Did you mean --http?"],
  ["an envelope, since it never ends", ["dev", "server.mjs", "--json"], "--json has no place here"],
])("waybill dev refuses %s and starts nothing", async (_what, args, sentence) => {
  const cwd = tempFiles({ "server.mjs": "throw new Error('started');\n" });
  const { exitCode, stdout, stderr } = await runInProcess(args, { cwd });
  expect(exitCode).toBe(2);
  expect(stdout + stderr).toContain(sentence);
  expect(stderr).not.toContain("started");
});
