// What was changed in a result for its reader, in words. Both results are compared when somebody asks: a delivery keeps
// no record of the changes.

import { jsonEqual } from "../../json/canonical-json.ts";
import { type JsonObject, isJsonObject, jsonObjectIn } from "../../json/json-value.ts";
import { blocksOf, structureOf, textOf } from "../../readers/facts-held.ts";
import { sayBlocks } from "../../readers/shown-result.ts";
import { BROKEN_STRUCTURE, IN_STRUCTURE, isForUserAlone } from "./for-reader.ts";

type Blocks = readonly JsonObject[];

/** Sentences about the result, without any of its content; empty if it is the same. */
export function changesFor(before: JsonObject, after: JsonObject): readonly string[] {
  if (before === after) return [];
  const [given = [], made = []] = [blocksOf(before), blocksOf(after)];
  const gone = given.filter((block) => !made.includes(block));
  const added = made.filter((block) => !given.includes(block));
  const said = [
    ...structureChanges(structureOf(before), structureOf(after), added),
    ...mirrorChanges(gone, added),
    ...blockChanges(gone, added),
    ...(before["_meta"] === after["_meta"] ? [] : ["Waybill's own notes were left out of _meta"]),
  ];
  return said.length === 0 ? ["its form was changed"] : said;
}

function structureChanges(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  added: Blocks,
): readonly string[] {
  const said = before && addedAsText(before, added);
  const saidAdded = said === undefined ? [] : [`${said} was added as text`];
  if (before === after) return saidAdded;
  if (after === undefined)
    return [
      said === undefined
        ? "the structure was left out: the text has all of it"
        : `${said} was sent as text instead`,
    ];
  if (isStub(after))
    return [
      "a structure was put in its place that the client accepts: the server's breaks the tool's schema",
    ];
  return [...saidAdded, "what only the text says was put into the structure too"];
}

/** What an added text has of the structure, which is its JSON. */
function addedAsText(structure: JsonObject, added: Blocks): string | undefined {
  for (const made of added.map((block) => jsonObjectIn(textOf(block)))) {
    const keys = Object.keys(made ?? {});
    if (made === undefined || keys.some((key) => !jsonEqual(made[key] ?? null, structure[key] ?? null)))
      continue;
    return keys.length === Object.keys(structure).length ? "the structure" : "what only the structure says";
  }
  return undefined;
}

function isStub({ data }: JsonObject): boolean {
  const omitted = isJsonObject(data) ? data["omitted"] : undefined;
  return isJsonObject(omitted) && omitted["reason"] === BROKEN_STRUCTURE;
}

function mirrorChanges(gone: Blocks, added: Blocks): readonly string[] {
  if (!added.some((block) => textOf(block) === IN_STRUCTURE)) return [];
  const isLeftOut = gone.some((block) => textOf(block) !== "");
  return [
    isLeftOut
      ? "the mirror was left out: the structure says the same"
      : "a text was added that names the structure",
  ];
}

function blockChanges(gone: Blocks, added: Blocks): readonly string[] {
  const others = gone.filter((block) => textOf(block) === "");
  const renamed = others.filter(
    ({ data }) => data !== undefined && added.some((block) => block["data"] === data),
  );
  const asText = others.filter((block) => !renamed.includes(block) && !isForUserAlone(block));
  const isApart = gone.some((block) => added.some((made) => textOf(made) === `${textOf(block)}\n`));
  return [
    ...(asText.length === 0 ? [] : [`not shown by the client, so sent as text: ${sayBlocks(asText)}`]),
    ...(renamed.length === 0 ? [] : ["the format of a picture was named as it is"]),
    ...(gone.some(isForUserAlone) ? ["what is for the user alone is only named"] : []),
    ...(isApart ? ["texts were kept apart by line ends"] : []),
  ];
}
