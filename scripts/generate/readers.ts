import { type Reader, sayReader } from "../../src/core/readers/reader.ts";
import { programReader, readers, unknownReader } from "../../src/core/readers/readers.ts";
import { separators } from "../../src/core/readers/shown-result.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { table } from "./fill-place.ts";

function channelRow(reader: Reader): string {
  const { name, id, match, isByModel, success, failure, showsBareStructure, known } = reader;
  const alone = showsBareStructure ? "yes" : "**no**";
  const own =
    id === unknownReader.id ? "every other name" : isByModel ? "the model of a call" : "the setting";
  const how = match === undefined ? own : `\`${match.source.replaceAll("|", "\\|")}\``;
  const source = known.version === undefined ? known.by : `${known.by}, ${known.version}`;
  return `| ${[name, `\`${id}\``, how, success, failure, alone, `${source}, ${known.on}: ${known.where}`].join(" | ")} |`;
}

function habitRow(reader: Reader): string {
  const { name, drops, asText, pictures, failsOn, hidesUris, joins, showsMeta } = reader;
  const { hidesBrokenFailures, hidesBrokenSuccesses, ignoresOutputSchemas } = reader;
  const addresses = hidesUris === true ? ["addresses of resources"] : [];
  const lost = [...drops, ...addresses, ...failsOn.map((kind) => `${kind} (ends its run)`)].join(", ");
  const hides = [
    ...(hidesBrokenSuccesses ? ["successes"] : []),
    ...(hidesBrokenFailures ? ["failures"] : []),
  ].join(", ");
  const does = reader === programReader ? "gets everything" : sayReader(reader);
  const models = asText.includes("image") || drops.includes("image") ? "none" : pictures;
  const cells = [name, does, lost, asText.join(", "), models, separators[joins], showsMeta];
  const schemas = ignoresOutputSchemas === true ? "no" : "perhaps";
  return `| ${[...cells, hides, schemas].join(" | ")} |`;
}

/** What the model behind each known client gets. */
export function readersPage(): GeneratedFile {
  const rows = [...readers, unknownReader, programReader];
  const givers = rows.filter(({ sounds }) => sounds !== undefined).map(({ name }) => name);
  const heard = `${givers.join(", ")} ${givers.length === 1 ? "gives" : "give"} them`;
  const lines = [
    "# Readers",
    "",
    "What the model behind each known client gets of a tool result. `waybill clients` prints it. Generated from `src/core/readers/readers.ts` by",
    "`npm run generate`.",
    "",
    "A result has *blocks* (texts, pictures, links) and may have a *structure* (`structuredContent`). Of a result that has both, a model gets the `blocks`, the",
    "`structure` in their place, `either` (it is not known which), `both`, or the `whole` result as JSON. By what the result has: the structure only if every",
    "block is a text (`structure-for-texts`) or if the tool has no output schema (`structure-if-untyped`), both only beside a single text (`both-for-one-text`).",
    "*Alone*: whether a structure without blocks reaches the model. [Clients that were run](../clients.md) has the figures.",
    "",
    table(
      ["client", "`reader`", "recognised by", "success", "failure", "alone", "known by"],
      rows.map(channelRow),
    ),
    "",
    "*Bytes as text*: the model gets the base64. *Pictures for models*: by whose limits and tokens a picture is judged; `any` is the strictest of all.",
    `*Sounds*: ${heard} to a model, where their tokens count; of no other client it is known.`,
    "*Output schemas*: whether the model may be shown a tool's; where it is not, `lean` leaves them out of lists.",
    "*Hides if broken*: a result whose structure breaks the tool's own output schema is replaced by the client's own error; so is a success without one.",
    "",
    table(
      [
        "client",
        "what it does",
        "drops",
        "bytes as text",
        "pictures for models",
        "between texts",
        "shows `_meta`",
        "hides if broken",
        "output schemas",
      ],
      rows.map(habitRow),
    ),
  ];
  return { path: "docs/reference/readers.md", text: `${lines.join("\n")}\n` };
}
