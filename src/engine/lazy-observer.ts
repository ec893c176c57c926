import type { CallObserver } from "../observe/call-observer.ts";

/** Where the OpenTelemetry API keeps its providers; nothing is there until an SDK registers one. */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

function isListening(): boolean {
  return OPEN_TELEMETRY in globalThis;
}

/** An observer that loads OpenTelemetry with the first call that somebody listens to; until then it does nothing. */
export function createLazyObserver(serverName: string | undefined): CallObserver {
  let loading: Promise<CallObserver> | undefined;
  const load = async (): Promise<CallObserver> => {
    const { createCallObserver } = await import("../observe/call-observer.ts");
    return createCallObserver(serverName === undefined ? {} : { serverName });
  };
  return {
    observe: async (call, run, describe) => {
      if (!isListening()) return run();
      loading ??= load();
      const observer = await loading;
      return observer.observe(call, run, describe);
    },
  };
}
