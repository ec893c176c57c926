// Why a gateway does not start, in the words of whoever started it. All of it is expected: a port that is taken, a store
// that is a file.

import { ContractError } from "../../contract/contract-error.ts";
import { CliError, exitCodes } from "../cli-error.ts";

interface ListenError extends Error {
  readonly code: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

function isListenError(error: unknown): error is ListenError {
  return (
    error instanceof Error && "syscall" in error && typeof (error as Partial<ListenError>).code === "string"
  );
}

const choosePort = "or choose another port with --http; 0 takes a free one.";
const correctHost = "Correct `http.host` in the configuration: 127.0.0.1 is this machine alone.";

function fromListenError({ code, port, address, hostname }: ListenError): CliError | undefined {
  const options = { exitCode: exitCodes.violated, errorCode: "OPERATION_FAILED" } as const;
  const place = `port ${port} of ${address}`;
  if (code === "EADDRINUSE")
    return new CliError(`Something else listens on ${place} already.`, {
      ...options,
      remediation: `Stop it, ${choosePort}`,
    });
  if (code === "EACCES")
    return new CliError(`This user may not listen on ${place}.`, {
      ...options,
      remediation: `Take a port above 1023, ${choosePort}`,
    });
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new CliError(`This machine has no address ${address ?? hostname}.`, {
      ...options,
      remediation: correctHost,
    });
  return undefined;
}

/** Options that are wrong are wrong words on the line, or in its configuration. Any other error is given as it came. */
export function explainStart(error: unknown): unknown {
  if (ContractError.isInstance(error) && error.code === "INVALID_OPTION")
    return new CliError(error.message.replace(/^create\w+: /, ""), { details: error.details });
  return (isListenError(error) ? fromListenError(error) : undefined) ?? error;
}
