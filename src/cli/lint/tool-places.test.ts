import { describe, expect, it } from "vitest";
import { tempFiles } from "../temp-files.fixture.ts";
import { findToolPlaces } from "./tool-places.ts";

describe("findToolPlaces", () => {
  it("finds a tool where its name is written, also in what a file imports", () => {
    const cwd = tempFiles({
      "server.ts":
        'import { get } from "./get.js";\nimport "./other";\nserver.registerTool(\n  "list_tasks",\n);',
      "get.ts":
        '// "get_task" is told of here\n\nexport const get = defineTool<{ id: string }>("get_task", {});',
      "other.js": "const tools = [\n  { name: 'drop-task.all' },\n];",
    });
    const places = findToolPlaces(["server.ts"], ["list_tasks", "get_task", "drop-task.all", "made_up"], cwd);
    expect(Object.fromEntries(places)).toEqual({
      list_tasks: { file: "server.ts", line: 4 },
      get_task: { file: "get.ts", line: 3 },
      "drop-task.all": { file: "other.js", line: 2 },
    });
  });

  it("finds a function of Python, and a name that is given to its decorator", () => {
    const cwd = tempFiles({
      "server.py":
        '@mcp.tool()\nasync def weather(city: str):\n  ...\n\n@mcp.tool(name="forecast")\ndef days():\n  ...',
    });
    expect(Object.fromEntries(findToolPlaces(["server.py"], ["weather", "forecast"], cwd))).toEqual({
      weather: { file: "server.py", line: 2 },
      forecast: { file: "server.py", line: 5 },
    });
  });

  it("is not sure of anything else: a word in a text, a file that is not there, names that are patterns", () => {
    const cwd = tempFiles({
      "a.mjs": 'say("Call get_task, or .* for all");\nimport "./a.mjs";\nimport "./gone.mjs";',
    });
    expect(findToolPlaces(["a.mjs", "none.mjs", "a.json"], ["get_task", ".*", "a|b", ""], cwd).size).toBe(0);
  });
});
