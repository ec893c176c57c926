import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { checkStoreSpec } from "../open-store.ts";
import { packageProblem } from "../store-package.ts";
import { parsePostgresUrl } from "./postgres-address.ts";
import { importPostgres } from "./postgres-pool.ts";

describe("parsePostgresUrl", () => {
  it.each([
    ["postgres://db/archive", { host: "db", port: 5_432, user: undefined }, "postgres://db:5432/archive"],
    ["postgresql://ann@db:7000/a", { host: "db", port: 7_000, user: "ann" }, "postgres://db:7000/a"],
    ["postgres://ann:p%40ss@db/a%20b", { password: "p@ss", database: "a b" }, "postgres://db:5432/a%20b"],
    ["postgres://[::1]:6000/a", { host: "::1", port: 6_000 }, "postgres://[::1]:6000/a"],
    ["postgres://localhost/a?host=/run/pg", { host: "/run/pg" }, "postgres:///run/pg:5432/a"],
  ])("reads %s", (text, parts, location) => {
    expect(parsePostgresUrl(text)).toMatchObject({ ...parts, location, isSecure: false });
  });

  it.each(["require", "verify-ca", "verify-full"])("checks the server under sslmode=%s", (mode) => {
    expect(parsePostgresUrl(`postgres://db/a?sslmode=${mode}`).isSecure).toBe(true);
  });

  it.each([
    ["postgres://db/a", true],
    ["postgres://10.0.0.5/a", true],
    ["postgres://localhost/a?host=/run/pg", false],
    ["postgres://localhost/a", false],
    ["postgres://127.0.0.1:7000/a", false],
    ["postgres://[::1]/a", false],
    ["postgres://db/a?sslmode=verify-full", false],
    ["postgres://db/a?sslmode=disable", false],
  ])("knows whether %s is exposed without saying so", (text, isExposed) => {
    expect(parsePostgresUrl(text).isExposed).toBe(isExposed);
  });

  it("reads how long and how much is kept, where, and over how many connections", () => {
    const text = "postgres://db/a?sslmode=disable&ttl=1d&maxBytes=5000&schema=team_1&connections=20";
    expect(parsePostgresUrl(text)).toMatchObject({
      isSecure: false,
      ttlMs: 86_400_000,
      maxBytes: 5_000,
      schema: "team_1",
      connections: 20,
    });
  });

  it.each([
    "",
    "db/archive",
    "http://ann:s3cret@db/a",
    "postgres://",
    "postgres:ann:s3cret@db/a",
    "postgres://ann:s3cret@db",
    "postgres://ann:s3cret@db/",
    "postgres://ann:s3cret@db/a/b",
    "postgres://ann:s3cret%zz@db/a",
    "postgres://ann:s3cret@db:99999/a",
    "postgres://db/a?password=s3cret",
    "postgres://db/a?schema=s3cret-x",
    "postgres://ann:s3cret@db/a?host=/run/pg&sslmode=verify-full",
  ])("refuses %j without repeating it", (text) => {
    let error: unknown;
    try {
      parsePostgresUrl(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    expect(inspect(error, { depth: 9 })).not.toContain("s3cret");
  });

  it("says of a password with a slash how it is written", () => {
    for (const url of ["postgres://ann:s3/cret@db/a", "postgres://ann:s3%zzcret@db/a"])
      expect(() => parsePostgresUrl(url)).toThrow(
        /Special characters in the name or the password are percent-encoded, such as %40 for @/,
      );
  });

  it.each([
    [
      "?ssl=true",
      'The PostgreSQL URL has the unknown parameter "ssl". Allowed: sslmode, host, schema, connections, ttl, maxBytes.',
    ],
    [
      "?sslmode=prefer",
      "The parameter sslmode of the PostgreSQL URL cannot be used. Write verify-full, or disable for no TLS.",
    ],
    ["?ttl=1d&ttl=2d", "The PostgreSQL URL says ttl twice. Keep one."],
    [
      "?connections=101",
      'The parameter connections of the PostgreSQL URL is "101", which cannot be used. Write a whole number from 1 to 100.',
    ],
  ])("refuses %s", (query, message) => {
    expect(() => checkStoreSpec(`postgres://db/a${query}`)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message }),
    );
  });
});

describe("the package for PostgreSQL", () => {
  it("that is missing is found out before it is loaded", () => {
    expect(packageProblem("postgres", () => false)).toBe(
      "needs the package pg, which is not installed: run `npm i pg`.",
    );
    expect(packageProblem("postgres")).toBeUndefined();
  });

  it("that is missing is told in one sentence, without a stack", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    const error: unknown = await importPostgres(() => Promise.reject(missing)).catch(
      (thrown: unknown) => thrown,
    );
    const message = "A PostgreSQL store needs the package pg, which is not installed: run `npm i pg`.";
    expect(error).toMatchObject({ message, stack: `ContractError: ${message}` });
    expect((error as Error).cause).toBeUndefined();
  });
});
