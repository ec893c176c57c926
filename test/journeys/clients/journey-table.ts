import { dialectIds } from "../../../src/core/contract/dialect-id.ts";
import { type ClientKind, clientKinds } from "./connect-client.ts";
import { type TransportName, transports } from "./open-workshop.ts";
import { exampleCalls, fixtureOf } from "./seed-examples.ts";

const dialects = dialectIds.filter((id) => exampleCalls.some(({ file }) => fixtureOf(file).dialect === id));
const versions = [...new Set(clientKinds.map(({ version }) => version))];
const eras = ["modern", "legacy"] as const;

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Which example came out equal for which client on which transport. */
export class JourneyTable {
  readonly #passed = new Set<string>();

  pass(kind: ClientKind, transport: TransportName, file: string): void {
    this.#passed.add([kind.version, kind.era, transport, file].join(" "));
  }

  #count(version: string, era: string, transport: string, dialect: string): string {
    if (!clientKinds.some((kind) => kind.version === version && kind.era === era)) return "n/a";
    const files = exampleCalls.map(({ file }) => file).filter((file) => fixtureOf(file).dialect === dialect);
    const passed = files.filter((file) => this.#passed.has([version, era, transport, file].join(" ")));
    return `${passed.length}/${files.length}`;
  }

  /** True once every example ran for every client on every transport and was equal. */
  get isFull(): boolean {
    return this.#passed.size === clientKinds.length * transports.length * exampleCalls.length;
  }

  toMarkdown(): string {
    const head = ["client", "era", "transport", ...dialects];
    const rows = versions.flatMap((version) =>
      eras.flatMap((era) =>
        transports.map((transport) =>
          line([version, era, transport, ...dialects.map((id) => this.#count(version, era, transport, id))]),
        ),
      ),
    );
    return [line(head), line(head.map(() => "---")), ...rows].join("\n");
  }
}
