// What a wrong question costs that is refused before the tool runs: its frame, and two sentences.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, onTestFinished } from "vitest";
import { autoClient, text, textsOf } from "./auto-dialect.fixture.ts";

/** An envelope of a refusal without any words. */
const FRAME = 40;

it.each([
  ["rows[?", 73],
  ["length(rows", 67],
  ["SELECT * FROM rows", 68],
  ["rows[?state = 'open'].id", 83],
])("a model reads %s, refused, in at most %i tokens", async (select, most) => {
  const client = await autoClient(
    { read: { results: [text(JSON.stringify({ rows: [{ state: "open" }] }))] } },
    { select: true, requestIds: () => "req_0123456789ab" },
  );
  onTestFinished(() => client.close());
  const said = textsOf(await client.call("read", { _waybill_select: select })).join("\n");
  const { data, error, ...rest } = JSON.parse(said) as { data: { remediation: string }; error: string };
  const words = [error, data.remediation];
  expect(words.map((each) => each.split(" ")[0])).toEqual(["The", "Correct"]);
  const bare = JSON.stringify({ data: { ...data, remediation: undefined }, error: "", ...rest });
  expect(countTokens(bare)).toBe(FRAME);
  expect(countTokens(said)).toBeLessThanOrEqual(most);
});
