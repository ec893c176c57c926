import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { NOTES_META_KEY } from "../../contract/wire-names.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { readerChosen, unknownReader } from "../../readers/readers.ts";
import { loadCounter } from "../../tokens/token-counter.ts";
import { forReader } from "./for-reader.ts";

const key = fc.string({ maxLength: 40 });
const id = fc.oneof(
  fc.tuple(key, fc.nat(900), fc.nat(999_999)).map(([name, from, to]) => `/${name}/${from}..${to}`),
  fc.tuple(fc.nat(9_999_999), fc.nat(9_999_999)).map(([from, to]) => `char:${from}-${to}`),
  fc.nat(9_999).map((at) => `/${at}`),
);
const hash = fc.stringMatching(/^[0-9a-f]{64}$/);

test("what a model is shown of a cut in _meta takes at most 60 tokens, and has the handle of the whole", async () => {
  const counter = await loadCounter();
  const cline = readerChosen("cline") ?? unknownReader;
  fc.assert(
    fc.property(key, hash, fc.array(id, { maxLength: 12 }), (name, digits, ids) => {
      const notes = {
        request_id: "req_0123456789ab",
        content_fidelity: "partial",
        content_archive_hashes: { [name]: `sha256:${digits}` },
        dropped_content_ids: ids,
      };
      const _meta = { "waybill/contract": "response-v2 wrapped", [NOTES_META_KEY]: notes };
      const result: JsonObject = { content: [{ type: "text", text: "cut" }], _meta };
      const { _meta: shown } = forReader(result, cline, { isTyped: false, fits: () => true });
      expect(counter.count(JSON.stringify(shown))).toBeLessThanOrEqual(60);
      expect(JSON.stringify(shown)).toContain(`"archive":"${digits.slice(0, 12)}"`);
    }),
    lawRuns(1_000),
  );
});
