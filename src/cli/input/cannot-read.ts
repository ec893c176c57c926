import type { CliError } from "../cli-error.ts";
import type { ReportFailure } from "../report.ts";

/** The failure of a command that could not read some of its inputs, though it went through with the others. */
export function cannotRead(unread: readonly CliError[], read: number): ReportFailure {
  const [first] = unread;
  const only = unread.length === 1 && read === 0;
  return {
    message:
      only && first ? first.message : `${unread.length} of ${unread.length + read} inputs cannot be read`,
    errorCode: first?.errorCode ?? "NOT_FOUND",
    ...(first?.remediation === undefined ? {} : { remediation: first.remediation }),
    details: { inputs: unread.map(({ message, details }) => ({ ...details, message })) },
  };
}
