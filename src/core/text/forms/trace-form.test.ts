import { describe, expect, test } from "vitest";
import { isSure, readForm, readSample } from "./forms.fixture.ts";
import { DECORATION, FIRST, ORDINARY, STRUCTURE } from "./text-form.ts";
import { readTrace } from "./trace-form.ts";

describe("readTrace", () => {
  test("of Node: messages first, then the program's own frames, then those of packages", () => {
    const form = readForm(readTrace, readSample("test/fixtures/forms/node-trace.txt"));
    expect(form.kind).toBe("trace");
    expect(form.ranked(FIRST)).toEqual(
      expect.arrayContaining([
        "AggregateError: no schema could be used",
        "Error: ENOENT: no such file or directory, open 'missing.json'",
        "TypeError: Cannot read properties of undefined (reading 'right')",
      ]),
    );
    expect(form.ranked(FIRST)).toHaveLength(5);
    expect(form.ranked(STRUCTURE)).toContain("at compileAll (/srv/orders/app.cjs:4:47)");
    expect(form.ranked(ORDINARY)).toContain(
      "at Ajv.compile (/srv/orders/node_modules/ajv/dist/core.js:159:26)",
    );
    expect(form.ranked(DECORATION)).toContain("at async open (node:internal/fs/promises:637:25)");
    expect(form.above("at async loadSchemas")).toEqual([
      "Error: ENOENT: no such file or directory, open 'missing.json'",
    ]);
    expect(form.above("code: 'ENOENT'")).toEqual([
      "Error: ENOENT: no such file or directory, open 'missing.json'",
    ]);
  });

  test("of Python: the error after its frames, and the line of code under its frame", () => {
    const form = readForm(readTrace, readSample("test/fixtures/forms/python-trace.txt"));
    const errors = form.ranked(FIRST).map((line) => line.split(":")[0]);
    expect(errors).toEqual([
      "json.decoder.JSONDecodeError",
      "RuntimeError",
      "yaml.parser.ParserError",
      "RecursionError",
    ]);
    expect(form.ranked(STRUCTURE)).toContain('File "/srv/orders/app.py", line 6, in parse_order');
    expect(form.above("order = json.loads(text)")).toEqual([
      "Traceback (most recent call last):",
      'File "/srv/orders/app.py", line 6, in parse_order',
    ]);
    expect(form.ranked(ORDINARY)).toContain("order = json.loads(text)");
    expect(form.ranked(DECORATION)).toContain(
      'File "/usr/local/lib/python3.11/json/decoder.py", line 337, in decode',
    );
    expect(form.ranks[form.lineWith("site-packages")]).toBe(ORDINARY);
  });

  test("of Java: causes first, and the frames of the runtime last", () => {
    const form = readForm(readTrace, readSample("test/fixtures/forms/java-trace.txt"));
    expect(form.ranked(FIRST)).toHaveLength(4);
    expect(form.ranked(FIRST)[2]).toMatch(/^Caused by: java\.lang\.NullPointerException: Cannot invoke/);
    expect(form.ranked(STRUCTURE)).toContain("at com.harbour.orders.Orders.price(Orders.java:7)");
    expect(form.ranked(STRUCTURE).some((line) => line.includes("java.base/"))).toBe(false);
    expect(form.ranked(DECORATION)).toContain("... 5 more");
  });

  test("says which frames repeat an earlier one", () => {
    const form = readForm(readTrace, readSample("test/fixtures/forms/java-trace.txt"));
    const first = form.lineWith("Orders.depth(Orders.java:12)");
    expect(form.sameAs?.[first]).toBe(first);
    expect(form.sameAs?.[first + 1]).toBe(first);
    expect(form.sameAs?.[first + 50]).toBe(first);
  });

  // As their documentation shows them.
  test.each([
    [
      ".NET",
      "Unhandled exception. System.InvalidOperationException: no order",
      [
        "   at Harbour.Orders.Load(String path) in /srv/Orders.cs:line 12",
        "   at Harbour.Program.Main(String[] args) in /srv/Program.cs:line 3",
      ],
    ],
    [
      "Ruby",
      "orders.rb:3:in 'price': no price (RuntimeError)",
      ["\tfrom orders.rb:8:in 'total'", "\tfrom orders.rb:12:in '<main>'"],
    ],
    [
      "PHP",
      "PHP Fatal error:  Uncaught Exception: no price",
      ["#0 /srv/orders.php(8): price('lamp')", "#1 /srv/orders.php(12): total()", "#2 {main}"],
    ],
  ])("of %s", (_, message, frames) => {
    const form = readForm(
      readTrace,
      `${[message, ...frames, message, ...frames, message, ...frames].join("\n")}\n`,
    );
    expect(form.ranks[0]).toBe(FIRST);
  });

  test.each([
    "README.md",
    "src/core/text/forms/trace-form.ts",
    "examples/python-servers/ask.py",
    "deploy/kubernetes.yaml",
    "test/fixtures/forms/page.html",
    "test/fixtures/forms/git-diff.txt",
  ])("is not sure of %s", (path) => {
    expect(isSure(readTrace, readSample(path))).toBe(false);
  });

  test("is not sure of a log with one trace in it", () => {
    const log = "2026-11-19 10:00:00 INFO order 17 was read at 10:00:00\n".repeat(200);
    expect(isSure(readTrace, log + readSample("test/fixtures/forms/node-trace.txt"))).toBe(false);
  });
});
