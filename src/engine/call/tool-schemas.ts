// What the schemas of a tool say about its calls and results. Each fact is read once, when it is first needed,
// and kept with the tool.

import { type InputFacts, bindsFields, bindsTexts, inputFactsOf } from "../../core/schema/lean-facts.ts";
import { deprecatedFields } from "../../core/schema/deprecated-fields.ts";
import { type SchemaElasticity, readElasticity, readPayload } from "../../core/schema/payload.ts";
import {
  isEnvelopeSchema,
  withoutRequired,
  type EnvelopeForm,
  type SpokenForm,
  envelopeFormOf,
} from "../../core/schema/envelope-schema.ts";
import { fitsSchema } from "../../core/schema/fits-schema.ts";
import { canTakeSelect } from "../../core/schema/input-schema.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { PipelineContext, FormReader } from "../../core/pipeline/pipeline-context.ts";
import { jsonSchemaOf } from "../settings/standard-schema.ts";
import type { CalledTool, ToolCall } from "./called-tool.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { contractedReader, upstreamReader } from "../../core/pipeline/dialect/read-upstream.ts";
import { type ToolContract, requiredNames } from "../settings/tool-contract.ts";

interface OutputLimits {
  /** The names of all fields that the schema requires somewhere. */
  readonly required: ReadonlySet<string>;
  readonly bindsFields: boolean;
  readonly bindsTexts: boolean;
}

type NamesDeprecated = PipelineContext["deprecated"];

export class ToolSchemas {
  readonly #output: () => JsonObject | undefined;
  readonly #input: (() => JsonObject | undefined) | undefined;
  #deprecated: { readonly names: NamesDeprecated } | undefined;
  #elasticity: SchemaElasticity | undefined;
  #canBeAsked: boolean | undefined;
  #takesObjects: boolean | undefined;
  #inputFacts: InputFacts | undefined;
  #limits: OutputLimits | undefined;

  private constructor(
    output: () => JsonObject | undefined,
    input?: () => JsonObject | undefined,
    inputFacts?: InputFacts,
  ) {
    this.#output = output;
    this.#input = input;
    this.#inputFacts = inputFacts;
  }

  /** The schemas of a tool of this server. */
  static ofConfig(config: ToolConfig): ToolSchemas {
    return new ToolSchemas(
      () => jsonSchemaOf(config.outputSchema, "output"),
      () => jsonSchemaOf(config.inputSchema, "input"),
    );
  }

  /** The output schema that an upstream server listed, or null if it listed none; and what its input schema says. */
  static ofListed(output: JsonObject | null, inputFacts?: InputFacts): ToolSchemas {
    return new ToolSchemas(() => output ?? undefined, undefined, inputFacts);
  }

  get inputFacts(): InputFacts {
    this.#inputFacts ??= inputFactsOf(this.#input?.());
    return this.#inputFacts;
  }

  /** What the output schema says of fields that could be left out. */
  get limits(): OutputLimits {
    const output = this.#output();
    this.#limits ??= {
      required: output === undefined ? new Set() : requiredNames(output),
      bindsFields: output !== undefined && bindsFields(output),
      bindsTexts: output !== undefined && bindsTexts(output),
    };
    return this.#limits;
  }

  /** Names the deprecated fields in data; undefined if the schema deprecates nothing, as almost always. */
  get deprecated(): NamesDeprecated {
    this.#deprecated ??= { names: deprecatedFields(this.#output()) };
    return this.#deprecated.names;
  }

  /** What a cut may take away without breaking the schema. */
  get elasticity(): SchemaElasticity {
    if (this.#elasticity !== undefined) return this.#elasticity;
    const output = this.#output();
    this.#elasticity = readElasticity(output === undefined ? undefined : withoutRequired(output));
    return this.#elasticity;
  }

  /** Whether a tool of this server can take a question about its results. */
  get canBeAsked(): boolean {
    this.#canBeAsked ??= canBeAsked(this.#input?.(), this.#output());
    return this.#canBeAsked;
  }

  /** Whether the output schema accepts any object. If it accepts none, an envelope carries the data under `result`. */
  get takesObjects(): boolean {
    this.#takesObjects ??= readPayload(this.#output(), {
      tables: false,
      onNote: () => undefined,
    }).types.has("object");
    return this.#takesObjects;
  }

  /** Whether a structure keeps to the output schema, as far as one look can tell. */
  fits(structure: JsonObject): boolean {
    const output = this.#output();
    return output === undefined || fitsSchema(structure, output);
  }

  /** Whether `fits` is all that the output schema says of keys that it does not name. */
  get takesKeys(): boolean {
    const output = this.#output();
    return output === undefined || !boundKeys.test(JSON.stringify(output));
  }

  /** Whether the output schema describes the whole envelope. */
  get isOfEnvelope(): boolean {
    const output = this.#output();
    return output !== undefined && isEnvelopeSchema(output);
  }
}

/** Words of a schema about keys that `fits` does not read. */
const boundKeys = /"(?:unevaluatedProperties|propertyNames|maxProperties|patternProperties)":/;

const emptyInput: JsonObject = { type: "object" };

/** Whether a tool with these schemas can take a question, if the settings ask for it. */
export function canBeAsked(input: JsonObject | undefined, output: JsonObject | undefined): boolean {
  if (output !== undefined && isEnvelopeSchema(output)) return false;
  return canTakeSelect(input ?? emptyInput);
}

/** Whether a tool has an output schema: the one that its upstream server lists, or the one that its author gave. */
export function hasSchema({ listedSchema, isUnlisted, config }: CalledTool): boolean {
  if (listedSchema === undefined) return config.outputSchema !== undefined;
  return listedSchema !== null && isUnlisted !== true;
}

// Whether a tool returns a document that others wrote: a file, a page, search results. Such a text may
// contain anything, even what looks like a server's report of a failure, so nothing in it is read as a
// failure.

/** The parts of a listed tool that matter here. */
interface ShownTool {
  readonly name: string;
  readonly annotations?: unknown;
  readonly inputSchema?: unknown;
}

const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

function wordsOf(name: string): readonly string[] {
  return (name.match(words) ?? []).map((word) => word.toLowerCase());
}

/** Arguments of such a tool: where the document is, or what to search for. */
const places = new Set([
  "path",
  "paths",
  "uri",
  "uris",
  "url",
  "urls",
  "query",
  "queries",
  "file",
  "files",
  "filename",
  "filenames",
]);

/** `path`, `file`, `file_path` or `searchQuery`: the last word decides; for `file_name`, the last two words. */
function namesPlace(argument: string): boolean {
  const said = wordsOf(argument);
  return places.has(said.at(-1) ?? "") || places.has(said.slice(-2).join(""));
}

/** The server's annotation decides. Without annotations, only a name with the word `read` counts. */
function isReadOnly({ name, annotations }: ShownTool): boolean {
  const hint = isJsonObject(annotations) ? annotations["readOnlyHint"] : undefined;
  return typeof hint === "boolean" ? hint : wordsOf(name).includes("read");
}

/** A tool whose name has one of these gives what programs and people said of errors, or says its argument again. */
const quoting = new Set("log logs console stdout stderr errors exceptions diagnostics lint echo".split(" "));

/** True for a tool that changes nothing and takes a path, a file, a URI, a URL or a query, and for a tool of logs. */
export function readsDocuments(tool: ShownTool): boolean {
  const { inputSchema, name } = tool;
  if (wordsOf(name).some((word) => quoting.has(word))) return true;
  const properties: unknown = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  if (!isJsonObject(properties) || !isReadOnly(tool)) return false;
  return Object.keys(properties).some(namesPlace);
}

// The form in which an upstream server's results are read: by its settings, else by its name, else by the
// result itself. Both the list and the results of a tool use this module, so that the results keep what the
// list promises.

/** Code Scalpel's own name for itself; its smallest envelope, `{"data": …}`, does not show its form. */
const scalpelName = /^code[-_ ]?scalpel\b/i;

function spokenBy(contract: ToolContract, serverName: string | undefined): SpokenForm {
  const { dialect: speaks } = contract.upstream;
  return { speaks, isScalpel: speaks === "scalpel" || (speaks === "auto" && isNamedScalpel(serverName)) };
}

function isNamedScalpel(name: string | undefined): boolean {
  return name !== undefined && scalpelName.test(name);
}

/** What an upstream server's listed schema describes: its own envelope, or the data itself (undefined). */
export function listedForm(
  schema: JsonObject,
  contract: ToolContract,
  serverName: string | undefined,
): EnvelopeForm | undefined {
  return envelopeFormOf(schema, spokenBy(contract, serverName));
}

/** How the results of a call's tool are read. */
export interface ResultReading {
  readonly isTyped: boolean;
  readonly reader: FormReader | undefined;
}

const readers = new Map<string, FormReader>();

function readerFor({ speaks, isScalpel }: SpokenForm, isTyped: boolean, mayUnwrap: boolean): FormReader {
  const key = `${speaks} ${isScalpel} ${isTyped} ${mayUnwrap}`;
  const known = readers.get(key) ?? upstreamReader({ speaks, isScalpel, isTyped, mayUnwrap });
  readers.set(key, known);
  return known;
}

export function readingOf({ tool, contract }: Pick<ToolCall, "tool" | "contract">): ResultReading {
  const isTyped = hasSchema(tool);
  const { listedSchema, serverName } = tool;
  if (listedSchema === undefined) {
    // A handler's own result is its data; only under `auto` may it be written by another contract.
    const isByResult = traitsOf(contract.dialect).choosesByResult === true;
    return { isTyped, reader: isByResult ? contractedReader : undefined };
  }
  // If the schema was listed for the data as it is, data taken out of its envelope would break the schema.
  const form = isTyped && listedSchema !== null ? listedForm(listedSchema, contract.tool, serverName) : null;
  return { isTyped, reader: readerFor(spokenBy(contract.tool, serverName), isTyped, form !== undefined) };
}
