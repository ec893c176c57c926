import type { Era } from "./attach-clients.fixture.ts";
import type { ServerKind } from "./attach-example.fixture.ts";
import type { Door } from "./cut-server.fixture.ts";

const transports = ["memory", "stdio", "http"] as const;
export type TransportName = (typeof transports)[number];

export interface Journey {
  readonly door: Door;
  readonly transport: TransportName;
  readonly client: ServerKind;
  readonly era: Era;
}

export interface JourneyCounts {
  cut: number;
  retrieve: number;
  resource: number;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** What each client read of cut results, as a table. */
export class CutTable {
  readonly #rows: string[] = [];

  add(
    { door, transport, client, era }: Journey,
    { cut, retrieve, resource }: JourneyCounts,
    of: number,
  ): void {
    const counts = [cut, retrieve, resource].map((count) => `${count}/${of}`);
    this.#rows.push(line([door, client, era, transport, ...counts]));
  }

  get size(): number {
    return this.#rows.length;
  }

  toMarkdown(): string {
    const head = ["server", "client", "era", "transport", "cut", "retrieve", "resource"];
    return [line(head), line(head.map(() => "---")), ...this.#rows].join("\n");
  }
}
