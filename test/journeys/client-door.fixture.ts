import type { DialectId } from "../../src/core/contract/dialect-id.ts";
import type { CallFunction, SdkClientLike } from "../../src/doors/client/connection.ts";
import type { ClientOptions } from "../../src/doors/client/client-options.ts";
import { type ContractClient, contractClient } from "../../src/doors/client/contract-client.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type ClientKind, clientKinds } from "./clients/connect-client.ts";
import { Connections, type HttpWorkshops, type TransportName } from "./clients/open-workshop.ts";
import type { Environment } from "./clients/workshop-process.ts";

/** What a contract client may be built on: an SDK's client, or nothing but a function that calls tools. */
export interface Ground {
  readonly name: string;
  readonly kind: ClientKind;
  readonly isBare: boolean;
}

export const grounds: readonly Ground[] = [
  ...clientKinds.map((kind) => ({ name: kind.version, kind, isBare: false })),
  { name: "bare function", kind: clientKinds[1], isBare: true },
];

/** Contract clients of the workshop over one ground and transport. */
export class Doors {
  readonly #connections: Connections;
  readonly #isBare: boolean;

  constructor({ kind, isBare }: Ground, transport: TransportName, http: HttpWorkshops) {
    this.#connections = new Connections(kind, transport, http);
    this.#isBare = isBare;
  }

  async open(options: ClientOptions = {}, environment: Environment = {}): Promise<ContractClient> {
    const client = await this.#connections.to({ environment });
    const call: CallFunction = ({ name, arguments: args = {}, _meta }) =>
      client.call({ name, arguments: args, ...(_meta === undefined ? {} : { _meta }) });
    return contractClient(this.#isBare ? call : (client.sdk as SdkClientLike), options);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

interface DialectCall {
  readonly dialect: DialectId;
  readonly tool: string;
  readonly args: JsonObject;
  /** A call of the same tool that fails, and what its message has in it. */
  readonly failing: {
    readonly tool: string;
    readonly args: JsonObject;
    readonly says: string;
    readonly code: string;
  };
  readonly options?: ClientOptions;
  readonly environment?: Environment;
}

const getSpec = { tool: "spec", args: { action: "get", spec_id: "my-feature" } };
const lost = { tool: "spec", args: { action: "get", spec_id: "nowhere" }, says: "nowhere" };

/** One success and one failure in each dialect, as the workshop speaks it. */
export const dialectCalls: readonly DialectCall[] = [
  { dialect: "response-v2", ...getSpec, failing: { ...lost, code: "NOT_FOUND" } },
  {
    dialect: "response-v2-draft",
    ...getSpec,
    failing: { ...lost, code: "NOT_FOUND" },
    options: { dialect: "response-v2-draft" },
  },
  {
    dialect: "scalpel",
    tool: "analyze_code",
    args: { path: "/runner.py" },
    failing: { tool: "analyze_code", args: { path: "/nowhere.py" }, says: "nowhere", code: "NOT_FOUND" },
  },
  {
    dialect: "drf",
    tool: "customers_list",
    args: {},
    failing: {
      tool: "customers_retrieve",
      args: { kwargs: { pk: "9999" } },
      says: "Not found",
      code: "INTERNAL_ERROR",
    },
  },
  {
    dialect: "response-v1",
    ...getSpec,
    failing: { ...lost, code: "INTERNAL_ERROR" },
    environment: { WORKSHOP_FLAGS: "response_contract_v2=off" },
  },
  {
    dialect: "plain",
    ...getSpec,
    failing: { ...lost, code: "INTERNAL_ERROR" },
    environment: { WAYBILL_DIALECT: "plain" },
  },
];

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** What each ground could do over each transport. */
export class DoorTable {
  readonly #columns: readonly string[];
  readonly #rows = new Map<string, Set<string>>();

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  pass({ name, kind }: Ground, transport: TransportName, column: string): void {
    const key = line([name, kind.era, transport]);
    this.#rows.set(key, (this.#rows.get(key) ?? new Set()).add(column));
  }

  get passed(): number {
    return [...this.#rows.values()].reduce((sum, { size }) => sum + size, 0);
  }

  toMarkdown(): string {
    const head = ["client", "era", "transport", ...this.#columns];
    const rows = [...this.#rows].map(
      ([key, passed]) =>
        `${key}${line(this.#columns.map((name) => (passed.has(name) ? "yes" : "no"))).slice(1)}`,
    );
    return [line(head), line(head.map(() => "---")), ...rows].join("\n");
  }
}
