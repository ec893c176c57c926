// What the schemas of a tool say about its calls and results. Each fact is read once, when it is first needed,
// and kept with the tool.

import { deprecatedFields } from "../../core/schema/deprecated-fields.ts";
import { type Elasticity, readElasticity, readPayload } from "../../core/schema/payload.ts";
import { isEnvelopeSchema, withoutRequired } from "../../core/schema/envelope-schema.ts";
import { canTakeSelect } from "../../core/schema/input-schema.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { PipelineContext } from "../../core/pipeline/parcel.ts";
import { jsonSchemaOf } from "../settings/standard-schema.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";

type NamesDeprecated = PipelineContext["deprecated"];

export class ToolSchemas {
  readonly #output: () => JsonObject | undefined;
  readonly #input: (() => JsonObject | undefined) | undefined;
  #deprecated: { readonly names: NamesDeprecated } | undefined;
  #elasticity: Elasticity | undefined;
  #canBeAsked: boolean | undefined;
  #takesObjects: boolean | undefined;

  private constructor(output: () => JsonObject | undefined, input?: () => JsonObject | undefined) {
    this.#output = output;
    this.#input = input;
  }

  /** The schemas of a tool of this server. */
  static ofConfig(config: ToolConfig): ToolSchemas {
    return new ToolSchemas(
      () => jsonSchemaOf(config.outputSchema, "output"),
      () => jsonSchemaOf(config.inputSchema, "input"),
    );
  }

  /** The output schema that an upstream server listed, or null if it listed none. */
  static ofListed(output: JsonObject | null): ToolSchemas {
    return new ToolSchemas(() => output ?? undefined);
  }

  /** Names the deprecated fields in data; undefined if the schema deprecates nothing, as almost always. */
  get deprecated(): NamesDeprecated {
    this.#deprecated ??= { names: deprecatedFields(this.#output()) };
    return this.#deprecated.names;
  }

  /** What a cut may take away without breaking the schema. */
  get elasticity(): Elasticity {
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

  /** Whether the output schema describes the whole envelope. */
  get isOfEnvelope(): boolean {
    const output = this.#output();
    return output !== undefined && isEnvelopeSchema(output);
  }
}

const emptyInput: JsonObject = { type: "object" };

/** Whether a tool with these schemas can take a question, if the settings ask for it. */
export function canBeAsked(input: JsonObject | undefined, output: JsonObject | undefined): boolean {
  if (output !== undefined && isEnvelopeSchema(output)) return false;
  return canTakeSelect(input ?? emptyInput);
}
