import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { CallParams, Connection, SendOptions } from "./connection.ts";

/** An error of JSON-RPC as a value, as a bare function may hand it on. */
class RpcError extends Error {
  readonly code: unknown;

  constructor({ code, message }: JsonObject) {
    super(typeof message === "string" ? message : "The call was answered with an error");
    this.code = code;
  }
}

/** A whole JSON-RPC message where only its result was asked for: an error in it must not pass for data. */
function resultIn(answer: unknown): unknown {
  if (!isJsonObject(answer) || answer["jsonrpc"] !== "2.0") return answer;
  if (isJsonObject(answer["error"])) throw new RpcError(answer["error"]);
  return answer["result"] ?? answer;
}

/** The call with its deadline and abort kept here as well: a function may not look at either. */
export async function sendCall(
  connection: Connection,
  params: CallParams,
  { signal, timeoutMs }: SendOptions,
): Promise<unknown> {
  const options = { ...(signal && { signal }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const call = connection.callTool(params, options);
  if (signal === undefined && timeoutMs === undefined) return resultIn(await call);
  let stop = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => reject(new RpcError({ code: -32001, message: "Request timed out" })), timeoutMs);
    const abort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
  });
  try {
    return resultIn(await Promise.race([call, ended]));
  } finally {
    stop();
  }
}
