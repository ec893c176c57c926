// The operations of a resource as tools, like a view set of Django REST framework. Names and arguments follow source
// 003: `customers_retrieve` with `{ kwargs: { pk } }`.

import { ContractError } from "../../core/contract/contract-error.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type AnyTool, defineTool } from "../../engine/settings/tool-definition.ts";
import {
  type InferOutput,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  jsonSchemaOf,
} from "../../engine/settings/standard-schema.ts";
import type { ToolContext } from "../../engine/settings/tool-context.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";

/**
 * The operations of a resource; each operation given becomes a tool. If `retrieve` or `update` returns `undefined`,
 * `null` or `false`, nothing was found under the key.
 */
export interface ResourceHandlers<Body = JsonObject> {
  readonly list?: ((ctx: ToolContext) => unknown) | undefined;
  readonly retrieve?: ((pk: string, ctx: ToolContext) => unknown) | undefined;
  readonly create?: ((body: Body, ctx: ToolContext) => unknown) | undefined;
  readonly update?: ((pk: string, body: Body, ctx: ToolContext) => unknown) | undefined;
  /** `false` means that there was nothing to remove; anything else, `undefined` too, is a success. */
  readonly destroy?: ((pk: string, ctx: ToolContext) => unknown) | undefined;
}

export interface ResourceOptions<Body extends StandardSchema> {
  /** The schema of `body` for `create` and `update`. Default: any object. */
  readonly body?: Body | undefined;
}

interface Operation {
  readonly takes: readonly ("kwargs" | "body")[];
  readonly says: (name: string) => string;
  readonly annotations: Readonly<Record<string, boolean>>;
}

const operations: Readonly<Record<keyof ResourceHandlers, Operation>> = {
  list: { takes: [], says: (name) => `Lists ${name}`, annotations: { readOnlyHint: true } },
  retrieve: {
    takes: ["kwargs"],
    says: (name) => `Gives one of ${name} by its pk`,
    annotations: { readOnlyHint: true },
  },
  create: { takes: ["body"], says: (name) => `Adds one to ${name}`, annotations: { destructiveHint: false } },
  update: {
    takes: ["kwargs", "body"],
    says: (name) => `Changes one of ${name} by its pk`,
    annotations: { idempotentHint: true },
  },
  destroy: {
    takes: ["kwargs"],
    says: (name) => `Removes one of ${name} by its pk`,
    annotations: { destructiveHint: true, idempotentHint: true },
  },
};

interface Arguments {
  readonly kwargs?: { readonly pk: string };
  readonly body?: unknown;
}

const kwargsSchema: JsonObject = {
  type: "object",
  properties: { pk: { type: "string", description: "The key of the one that is meant." } },
  required: ["pk"],
};

function issue(message: string, ...path: readonly string[]): SchemaIssue {
  return { message, path };
}

/** Numbers are accepted as keys: a model may write `1` although the document has `"1"`. */
function readKey(given: JsonObject): { readonly pk: string } | readonly SchemaIssue[] {
  const { kwargs } = given;
  if (!isJsonObject(kwargs)) return [issue("must be an object with the key pk", "kwargs")];
  const { pk } = kwargs;
  if (typeof pk === "string" && pk !== "") return { pk };
  return typeof pk === "number" ? { pk: String(pk) } : [issue("must be a string", "kwargs", "pk")];
}

function below(field: string, issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  return issues.map((each) => ({ ...each, path: [field, ...(each.path ?? [])] }));
}

async function readBody(given: JsonObject, body: StandardSchema | undefined): Promise<SchemaResult<unknown>> {
  if (body !== undefined) return body["~standard"].validate(given["body"]);
  return isJsonObject(given["body"]) ? { value: given["body"] } : { issues: [issue("must be an object")] };
}

function inputOf({ takes }: Operation, body: StandardSchema | undefined): StandardSchema {
  const properties: Record<string, JsonObject> = {};
  if (takes.includes("kwargs")) properties["kwargs"] = kwargsSchema;
  if (takes.includes("body")) properties["body"] = jsonSchemaOf(body, "input") ?? { type: "object" };
  const give = (): Record<string, unknown> => ({
    type: "object",
    properties,
    ...(takes.length > 0 && { required: takes }),
  });
  const validate = async (value: unknown): Promise<SchemaResult<unknown>> => {
    const given = isJsonObject(value) ? value : {};
    const key = takes.includes("kwargs") ? readKey(given) : undefined;
    const content = takes.includes("body") ? await readBody(given, body) : undefined;
    const issues = [
      ...(Array.isArray(key) ? (key as readonly SchemaIssue[]) : []),
      ...below("body", content?.issues ?? []),
    ];
    if (issues.length > 0) return { issues };
    const read = content !== undefined && content.issues === undefined ? { body: content.value } : {};
    return { value: { ...(key !== undefined && { kwargs: key }), ...read } };
  };
  return {
    "~standard": { version: 1, vendor: "waybill", validate, jsonSchema: { input: give, output: give } },
  };
}

/** The wording of source 003; the code is for clients that read codes. */
function missing(resource: string, pk: string): ToolFault {
  return new ToolFault("ViewSet returned error: {'detail': 'Not found.'}", {
    errorCode: "NOT_FOUND",
    details: { resource_type: resource, resource_id: pk },
  });
}

type AnyHandlers = ResourceHandlers<never>;

async function run(
  name: string,
  kind: keyof ResourceHandlers,
  handlers: AnyHandlers,
  args: Arguments,
  ctx: ToolContext,
) {
  const { kwargs: { pk } = { pk: "" }, body } = args;
  if (kind === "list") return handlers.list?.(ctx);
  if (kind === "create") return handlers.create?.(body as never, ctx);
  const found =
    kind === "update" ? await handlers.update?.(pk, body as never, ctx) : await handlers[kind]?.(pk, ctx);
  const isNothing = found === undefined || found === null;
  const isMissing = found === false || (kind !== "destroy" && isNothing);
  if (isMissing) throw missing(name, pk);
  return kind === "destroy" && found === true ? undefined : found;
}

/**
 * Tools for a resource: `customers_list`, `customers_retrieve` and so on, with the arguments of DRF-MCP servers.
 *
 * @example
 * serve({ name: "shop", version: "1.0.0", dialect: "drf", tools: resourceTools("customers", { list, retrieve }) });
 */
export function resourceTools<Body extends StandardSchema = StandardSchema<JsonObject>>(
  name: string,
  handlers: ResourceHandlers<InferOutput<Body>>,
  { body }: ResourceOptions<Body> = {},
): readonly AnyTool[] {
  const kinds = Object.keys(operations) as (keyof ResourceHandlers)[];
  const strange = Object.keys(handlers).find((key) => !Object.hasOwn(operations, key));
  if (strange !== undefined)
    throw new ContractError(
      "INVALID_OPTION",
      `resourceTools: "${strange}" is no operation of a resource. Choose one of ${kinds.join(", ")}.`,
    );
  return kinds
    .filter((kind) => handlers[kind] !== undefined)
    .map((kind) => {
      const operation = operations[kind];
      return defineTool(
        `${name}_${kind}`,
        {
          description: operation.says(name),
          inputSchema: inputOf(operation, body),
          annotations: operation.annotations,
        },
        (args, ctx) =>
          run(name, kind, handlers as AnyHandlers, args as Arguments, ctx) as Promise<JsonObject>,
      );
    });
}
