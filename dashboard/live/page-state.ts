// What the page knows, as signals: views read them and are drawn again when they change.

import { batch, computed, signal } from "@preact/signals";
import type {
  CheckNow,
  EventData,
  Hello,
  Overview,
} from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { CallList } from "./call-list.ts";

/** How the connection to the gateway is. */
export type Connection =
  | { readonly state: "loading" }
  | { readonly state: "live" }
  /** `retryAt` is undefined while a try is under way. */
  | { readonly state: "broken"; readonly retryAt: number | undefined; readonly attempt: number }
  | { readonly state: "signed-out" };

export const connection = signal<Connection>({ state: "loading" });
/** What is shown is from before: the gateway does not answer, or does not know this page any more. */
export const isFromBefore = computed(
  () => connection.value.state === "broken" || connection.value.state === "signed-out",
);
export const hello = signal<Hello | undefined>(undefined);
export const overview = signal<Overview | undefined>(undefined);
/** The newest word on the check of each upstream. */
export const checks = signal<ReadonlyMap<string, CheckNow>>(new Map());
/** Grows when settings have changed: ask again for `/api/config`. */
export const configChanges = signal(0);

/** The calls themselves are no signal: there may be 100,000. `callsChanged` grows when the list has changed. */
export const calls = new CallList();
export const callsChanged = signal(0);
/** How many ordinary calls were not sent because too many came at once. */
export const skippedCalls = signal(0);

type Takers = { readonly [Name in keyof EventData]: (data: EventData[Name]) => void };

const takers: Takers = {
  hello: (data) => {
    const known = hello.value?.startedAtMs;
    if (known !== undefined && known !== data.startedAtMs) forget();
    hello.value = data;
  },
  overview: (data) => {
    overview.value = data;
  },
  calls: ({ rows, skipped }) => {
    // What ended before the page was opened is older and not left out: the list asks for it when it is wanted.
    if (calls.rows.length > 0) skippedCalls.value += skipped;
    calls.add(rows);
    callsChanged.value += 1;
  },
  check: (data) => {
    checks.value = new Map(checks.value).set(data.upstream, data);
  },
  config: () => {
    configChanges.value += 1;
  },
};

function forget(): void {
  calls.clear();
  callsChanged.value += 1;
  skippedCalls.value = 0;
  overview.value = undefined;
  checks.value = new Map();
}

/** Takes an event as it came. Names that a newer gateway may know are passed over. */
export function takeEvent(name: string, data: string): void {
  if (!Object.hasOwn(takers, name)) return;
  const value: unknown = JSON.parse(data);
  batch(() => {
    (takers[name as keyof EventData] as (data: unknown) => void)(value);
  });
}
