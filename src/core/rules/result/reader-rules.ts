// What the models behind known clients get of the blocks of a result. Which channel they get, and how much of it, has
// rules of its own: result/mirror, result/text-only-facts, result/channels-repeat, result/output-schema-on-error, size/….

import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { blockTexts } from "../../pipeline/dialect/result-rules.ts";
import { bytesFor } from "../../readers/bytes-for.ts";
import { type ReaderFailing, failingsOf } from "../../readers/model-view.ts";
import { readers, unknownReader } from "../../readers/readers.ts";
import { type CallWithResult, answeredIn, findingOf, judgeEach, noResults } from "../called.ts";
import { type RuleFinding, type ServerRule, defineServerRules } from "../server-rule.ts";

const uncounted = { countTokens: (): number => 0, isTyped: false };
const kinds: readonly ReaderFailing["kind"][] = ["blocks", "ends"];
const MAX_CLIENTS = 3;

/** Blocks that are more than texts, without those that a text of the same result names by their address. */
function unnamedBlocks(result: JsonObject): readonly JsonObject[] {
  const { content } = result;
  const texts = blockTexts(result).join("\n");
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.filter((block) => {
    const { uri } = isJsonObject(block["resource"]) ? block["resource"] : block;
    return block["type"] !== "text" && !(typeof uri === "string" && texts.includes(uri));
  });
}

function judgeBlocks(answered: CallWithResult): readonly RuleFinding[] {
  const content = unnamedBlocks(answered.result);
  if (content.length === 0) return [];
  const says = readers.flatMap((reader) =>
    failingsOf({ content }, reader, uncounted)
      .filter(({ kind }) => kinds.includes(kind))
      .map((failing) => `${reader.name} ${failing.says}`),
  );
  if (says.length === 0) return [];
  const more = says.length > MAX_CLIENTS ? `, and ${says.length - MAX_CLIENTS} more clients do alike` : "";
  return [findingOf(answered, "/content", `${says.slice(0, MAX_CLIENTS).join(", ")}${more}`)];
}

function judgePictures(answered: CallWithResult): readonly RuleFinding[] {
  const { content } = answered.result;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  const refused = bytesFor(unknownReader)?.refused(blocks) ?? new Map<number, string>();
  return [...refused].map(([index, why]) =>
    findingOf(answered, `/content/${index}`, `Models refuse this picture: ${why}`),
  );
}

/** Rules about blocks and the clients that get them. */
export const readerRules: readonly ServerRule[] = defineServerRules({
  "reader/blocks": {
    severity: "MAY",
    says: "Links, resources, pictures and sounds that known clients do not show their model are named in a text too.",
    fix: "Say in a text what the block is and its address; a gateway does it for clients that it knows.",
    source: "measured: what known clients drop (`waybill clients` says how each is known)",
    judge: (record) => judgeEach(record, answeredIn(record), noResults(record), judgeBlocks),
  },
  "reader/pictures": {
    severity: "SHOULD",
    says: "A picture is a PNG, JPEG, GIF or WebP that models take: at most 8,000 pixels a side and 5 MiB of base64.",
    fix: "Scale it down, or send a link: a picture that a model refuses is sent again with every request, and ends the conversation.",
    source: "documentation of Claude, OpenAI and Gemini, November 2026",
    judge: (record) => judgeEach(record, answeredIn(record), noResults(record), judgePictures),
  },
});
