import { describe, expect, it } from "vitest";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { resolveConfig } from "../../../engine/settings/resolve-config.ts";
import type { ConfigWatch } from "../../../engine/settings/watch-config.ts";
import { contractFor } from "../upstream-contract.ts";
import { readGatewayConfig } from "./read-gateway-config.ts";

interface Said {
  readonly file?: object;
  readonly upstream?: object;
  readonly line?: { readonly untrusted?: true; readonly redact?: { readonly successes: true } };
  readonly isFound?: boolean;
}

/** The contract of one server of a file, as the gateway makes it. */
function contractOf({ file = {}, upstream = {}, line = {}, isFound = false }: Said): ContractState {
  const text = JSON.stringify({ ...file, upstreams: { web: { command: "web", ...upstream } } });
  const named = { file: "gateway.json", text: isFound ? JSON.stringify(file) : text, isFound };
  const config = { ...resolveConfig({ waybill: named, commandLine: line }), files: [] };
  const watch: ConfigWatch = {
    current: config,
    onChange: () => () => undefined,
    onProblem: () => () => undefined,
    close: () => Promise.resolve(),
  };
  const { upstreams } = isFound ? { upstreams: { web: { command: "web" } } } : readGatewayConfig(config);
  const web = upstreams["web"] ?? { command: "web" };
  return contractFor("web", web, { upstreams, config: watch, logLevel: "silent", store: "memory" });
}

const isFenced = (said: Said): boolean => contractOf(said).effective.general.untrusted;
const isMasked = (said: Said): boolean => contractOf(said).masksSuccesses;

describe("untrusted", () => {
  it("is off unless the file, the server's part of it, or the command line says so", () => {
    expect(isFenced({})).toBe(false);
    expect(isFenced({ file: { untrusted: true } })).toBe(true);
    expect(isFenced({ upstream: { untrusted: true } })).toBe(true);
    expect(isFenced({ line: { untrusted: true } })).toBe(true);
  });

  it("is off for one server of a file that has it on, and on for all by the command line", () => {
    const said = { file: { untrusted: true }, upstream: { untrusted: false } };
    expect(isFenced(said)).toBe(false);
    expect(isFenced({ ...said, line: { untrusted: true } })).toBe(true);
  });

  it("is not read from a file that was not named", () => {
    expect(isFenced({ file: { untrusted: true }, isFound: true })).toBe(false);
  });
});

describe("redact.successes", () => {
  const on = { redact: { successes: true } };

  it("is off unless the file, the server's part of it, or the command line says so", () => {
    expect(isMasked({})).toBe(false);
    expect(isMasked({ upstream: { redact: true } })).toBe(false);
    expect(isMasked({ file: on })).toBe(true);
    expect(isMasked({ upstream: on })).toBe(true);
    expect(isMasked({ line: { redact: { successes: true } } })).toBe(true);
  });

  it("is what the server's part says, whatever the whole file says", () => {
    expect(isMasked({ file: on, upstream: { redact: { successes: false } } })).toBe(false);
    expect(isMasked({ file: on, upstream: { redact: false } })).toBe(false);
  });

  it("is not read from a file that was not named", () => {
    expect(isMasked({ file: on, isFound: true })).toBe(false);
  });

  it("on the command line is refused for a server whose masking is off", () => {
    const said: Said = { upstream: { redact: false }, line: { redact: { successes: true } } };
    expect(() => contractOf(said)).toThrow("--redact-successes asks to mask successes");
  });

  it("masks with the patterns that the server's part leaves to the built-in ones", () => {
    const { mask } = contractOf({ upstream: on });
    expect(mask("key ghp_0123456789abcdefghijABCDEFGHIJ012345")).not.toContain("ghp_0123456789");
  });
});
