import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { createFetcher } from "./create-fetcher.ts";
import { startServer } from "./loopback-server.fixture.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const RUNS = lawRuns(2_000);

const victim = await startServer((_, response) => response.end("reached"));
afterAll(() => victim.close());

const ports = [80, 443, victim.port];
const noAddress = (): Promise<readonly string[]> => Promise.resolve([]);

/** Start and length of every IPv4 range that is refused. */
const refusedRanges = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

type Bytes = readonly [number, number, number, number];

const refusedIPv4 = fc
  .tuple(fc.constantFrom(...refusedRanges), fc.nat(2 ** 32 - 1))
  .map(([[start, bits], noise]): Bytes => {
    const first = start.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    const value = first + (noise % 2 ** (32 - bits));
    return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  });

const value = ([a, b, c, d]: Bytes): number => ((a * 256 + b) * 256 + c) * 256 + d;
const hex = (number: number): string => number.toString(16);
const pair = (high: number, low: number): string => hex(high * 256 + low);
const halves = ([a, b, c, d]: Bytes): string => `${pair(a, b)}:${pair(c, d)}`;
const turned = (bytes: Bytes): string => halves(bytes.map((byte) => 255 - byte) as unknown as Bytes);

/** One address, said in every way a URL knows. */
const notations: readonly ((bytes: Bytes) => string)[] = [
  (bytes) => bytes.join("."),
  (bytes) => `${bytes.join(".")}.`,
  (bytes) => String(value(bytes)),
  (bytes) => `0x${hex(value(bytes))}`,
  (bytes) => `0${value(bytes).toString(8)}`,
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join("."),
  (bytes) => bytes.map((byte) => `0x0${hex(byte)}`).join("."),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `0x${hex(a)}.${(b * 256 + c) * 256 + d}`,
  (bytes) => bytes.join("。"),
  (bytes) => bytes.join(".").replace(/./g, (digit) => `%${hex(digit.charCodeAt(0))}`),
  (bytes) => `[::${bytes.join(".")}]`,
  (bytes) => `[::ffff:${bytes.join(".")}]`,
  (bytes) => `[::ffff:${halves(bytes)}]`,
  (bytes) => `[::ffff:0:${halves(bytes)}]`,
  (bytes) => `[64:ff9b::${bytes.join(".")}]`,
  (bytes) => `[64:ff9b:1::${halves(bytes)}]`,
  (bytes) => `[2002:${halves(bytes)}::1]`,
  (bytes) => `[2001:0:${halves(bytes)}::]`,
  (bytes) => `[2001::${turned(bytes)}]`,
  (bytes) => `[2a00:1450::5efe:${halves(bytes)}]`,
];

describe("createFetcher", () => {
  it("refuses every address of a refused range in every notation, as a host and as an answer", async () => {
    const property = fc.asyncProperty(refusedIPv4, fc.constantFrom(...notations), async (bytes, notation) => {
      const host = notation(bytes);
      const resolve = (): Promise<readonly string[]> =>
        Promise.resolve(["1.1.1.1", host.replace(/[[\]]/g, "")]);
      const fetchDocument = createFetcher({ ports, resolve });
      for (const name of [host, "name.test"]) {
        const error: unknown = await fetchDocument(`http://${name}:${victim.port}/`).catch(
          (caught: unknown) => caught,
        );
        expect(error).toHaveProperty("details.reason", "private_address");
      }
    });
    await fc.assert(property, RUNS);
    expect(victim.connections()).toBe(0);
  });

  const words = `http: https: file: // / \\ @ : [ ] ::1 127.0.0.1 % %00 # ? 0x7f localhost . 。 80 example.com é xn--`;
  const pieces = fc.constantFrom(...words.split(" "), " ", "\t", "\n", "\ud800", String(victim.port));
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.array(pieces, { maxLength: 8 }).map((parts) => `http://${parts.join("")}`),
  );

  it("answers any text with a fault, and connects to nothing, when nothing is public", async () => {
    const fetchDocument = createFetcher({ ports, resolve: noAddress });
    const property = fc.asyncProperty(anyText, async (text) => {
      const error: unknown = await fetchDocument(text).catch((caught: unknown) => caught);
      expect(ToolFault.isInstance(error)).toBe(true);
    });
    await fc.assert(property, RUNS);
    expect(victim.connections()).toBe(0);
  });

  it("fetches an allowed host, whatever the query", async () => {
    const fetchDocument = createFetcher({
      allowPrivate: [`127.0.0.1:${victim.port}`],
      resolve: () => Promise.resolve(["127.0.0.1"]),
    });
    const property = fc.asyncProperty(anyText, async (text) => {
      const { bytes, url } = await fetchDocument(`http://name.test:${victim.port}/?${text}`);
      expect(new TextDecoder().decode(bytes)).toBe("reached");
      expect(URL.canParse(url)).toBe(true);
    });
    await fc.assert(property, lawRuns(1_000));
  });
});
