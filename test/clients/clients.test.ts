import { beforeAll, describe, expect, it } from "vitest";
import { aiSdk } from "./adapters/ai-sdk.ts";
import { langchain } from "./adapters/langchain.ts";
import type { LabClient } from "./client.ts";
import { install } from "./install.ts";
import { type Outcome, runClient } from "./laboratory.ts";
import { shapes } from "./shapes.ts";

const INSTALL_LIMIT_MS = 60_000;

/** What a model did not get as it was meant, by shape. A shape that is not named arrived whole, once, and was not cut. */
type Losses = Readonly<Record<string, Partial<Pick<Outcome, "lost" | "seenTwice" | "isCut" | "leaked">>>>;

const arrived = { lost: 0, seenTwice: 0, isCut: false, leaked: [] };

interface Reading {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly problem: string | undefined;
}

/** Runs a client with every shape before the tests of a group: where it is not installed, they are skipped and say why. */
function readingOf(client: LabClient): () => Reading {
  let reading: Reading = { outcomes: new Map(), problem: "it was not run" };
  beforeAll(async () => {
    const problem = await install(client, INSTALL_LIMIT_MS);
    if (problem !== undefined) process.stderr.write(`${client.name} is ${problem}: its tests are skipped.\n`);
    const outcomes = problem === undefined ? (await runClient(client, "direct")).outcomes : [];
    reading = { outcomes: new Map(outcomes.map((outcome) => [outcome.shape, outcome])), problem };
  });
  return () => reading;
}

/** What the client wrote for its model. */
const textOf = ({ outcomes }: Reading, shape: string): string =>
  JSON.stringify(outcomes.get(shape)?.given ?? []);

/** Adds a test a shape, and gives the reading to further tests. */
function readsShapes(client: LabClient, losses: Losses): (skip: (why: string) => void) => Reading {
  const reading = readingOf(client);
  const take = (skip: (why: string) => void): Reading => {
    const { problem } = reading();
    if (problem !== undefined) skip(problem);
    return reading();
  };
  it.for(shapes)("gives its model what is known of $name: $says", ({ name }, { skip }) => {
    const { lost, seenTwice, isCut, leaked } = take(skip).outcomes.get(name) ?? {};
    expect({ lost, seenTwice, isCut, leaked }).toEqual({ ...arrived, ...losses[name] });
  });
  return take;
}

describe("a model behind the AI SDK", () => {
  const take = readsShapes(aiSdk, {
    thin_text: { lost: 3 },
    disjoint: { lost: 2 },
    structure_alone: { lost: 3 },
    structure_and_picture: { lost: 1 },
    failure_both: { lost: 2 },
    failure_outside_schema: { lost: 1 },
    protocol_error: { lost: 1 },
    success_outside_schema: { lost: 2 },
    for_the_user: { leaked: ["user"] },
  });

  it("reads an empty list where a structure came alone", ({ skip }) => {
    expect(take(skip).outcomes.get("structure_alone")?.given).toMatchObject([
      { role: "tool", content: "[]" },
    ]);
  });

  it("is not told that a call failed", ({ skip }) => {
    expect(textOf(take(skip), "failure_text")).not.toMatch(/error/i);
  });
});

describe("a model behind the adapters of LangChain", () => {
  const take = readsShapes(langchain, {
    pretty_mirror: { seenTwice: 3 },
    exact_mirror: { seenTwice: 3 },
    mirror_60k: { seenTwice: 1_600 },
    structure_alone: { lost: 3 },
    structure_and_picture: { lost: 1 },
    failure_both: { lost: 2 },
    failure_outside_schema: { lost: 2 },
    protocol_error: { lost: 1 },
    success_outside_schema: { lost: 4 },
    schema_without_structure: { lost: 2 },
    embedded_text: { lost: 2 },
    resource_link: { lost: 2 },
    for_the_user: { leaked: ["user"] },
    with_meta: { leaked: ["meta"] },
  });

  it("is not asked again where a result has a link: the run throws", ({ skip }) => {
    const { given, failure } = take(skip).outcomes.get("resource_link") ?? {};
    expect(given).toBeUndefined();
    expect(failure).toContain("URL file blocks");
  });

  it("reads of a broken schema in place of the failure it hides", ({ skip }) => {
    expect(textOf(take(skip), "failure_outside_schema")).toContain("output schema");
  });

  it("is told that a call failed", ({ skip }) => {
    expect(textOf(take(skip), "failure_text")).toContain("returned an error");
  });
});
