// The questions of ../shared/data: whether the answer is in what is sent of a long output, by the words of the call.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Asked, readQuestions } from "../../bench/harness/corpus/read-corpus.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { AnyClient } from "../journeys/attach-clients.fixture.ts";
import { autoClient, text, textsOf } from "../journeys/auto-dialect.fixture.ts";

const data = fileURLToPath(new URL("../../../shared/data", import.meta.url));
const asked = existsSync(`${data}/questions`) && isFullRun ? (readQuestions(data) ?? []) : [];
const budgets = [256, 400, 800, 2_000] as const;

/** How many answers are in the cut, of 33; a change that keeps more raises these. */
const KEPT = { 256: 24, 400: 30, 800: 33, 2_000: 33 } as const;

function hasAnswer({ answers }: Asked, said: string): boolean {
  return answers.every((answer) => said.toLowerCase().includes(answer.toLowerCase()));
}

interface Found {
  readonly inCut: boolean;
  readonly afterRetrieval: boolean;
}

async function ask(client: AnyClient, tokens: number, at: number, one: Asked): Promise<Found> {
  const meta = { "waybill/contract": { budget_tokens: tokens } };
  const result = await client.call("read", { at, question: one.question }, { meta });
  const said = textsOf(result).join("\n");
  const [, archive] = /sha256:([0-9a-f]{64})/.exec(JSON.stringify(result)) ?? [];
  const more =
    archive === undefined
      ? undefined
      : await client.call("waybill_retrieve", { archive, query: one.question });
  const both = `${said}\n${more === undefined ? "" : textsOf(more).join("\n")}`;
  return { inCut: hasAnswer(one, said), afterRetrieval: hasAnswer(one, both) };
}

describe.runIf(asked.length > 0)("under auto, of 33 questions to long outputs", () => {
  it("a larger budget loses no answer, 33 are kept at 800, and one retrieval finds all at every budget", async () => {
    const client = await autoClient(
      { read: { results: asked.map(({ output }) => text(output)) } },
      { fit: { strategy: "auto" } },
    );
    const found = new Map<number, readonly Found[]>();
    for (const tokens of budgets) {
      const each: Found[] = [];
      for (const [at, one] of asked.entries()) each.push(await ask(client, tokens, at, one));
      found.set(tokens, each);
    }
    await client.close();
    expect(asked).toHaveLength(33);
    const lost = asked.flatMap(({ id }, at) =>
      budgets.flatMap((tokens, turn) => {
        const before = budgets[turn - 1];
        const had = before !== undefined && found.get(before)?.[at]?.inCut === true;
        return had && found.get(tokens)?.[at]?.inCut === false ? [`${id} at ${tokens}`] : [];
      }),
    );
    expect(lost).toEqual([]);
    const count = (key: keyof Found) =>
      Object.fromEntries(
        budgets.map((tokens) => [tokens, found.get(tokens)?.filter((one) => one[key]).length ?? 0]),
      );
    for (const [tokens, kept] of Object.entries(count("inCut")))
      expect(kept, `in ${tokens} tokens`).toBeGreaterThanOrEqual(KEPT[Number(tokens) as keyof typeof KEPT]);
    expect(count("afterRetrieval")).toEqual({ 256: 33, 400: 33, 800: 33, 2_000: 33 });
  });
});
