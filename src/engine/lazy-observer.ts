import type { CallListener } from "../observe/call-facts.ts";

/** Where the OpenTelemetry API keeps its providers; nothing is there until an SDK registers one. */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

/** Spans and metrics. OpenTelemetry is loaded with the first call that somebody listens to; until then nothing is. */
export function openTelemetryListener(serverName: string | undefined): CallListener {
  let loading: Promise<NonNullable<CallListener["start"]>> | undefined;
  let loaded: CallListener["start"];
  const load = async (): Promise<NonNullable<CallListener["start"]>> => {
    const { createCallObserver } = await import("../observe/call-observer.ts");
    loaded = createCallObserver({ serverName });
    return loaded;
  };
  return {
    isOn: () => OPEN_TELEMETRY in globalThis,
    start: (call) => {
      if (loaded !== undefined) return loaded(call);
      loading ??= load();
      return loading.then((start) => start(call));
    },
  };
}
