import { ContractError } from "../../contract/contract-error.ts";

export interface PayloadIssue {
  /** `key_points[3]`, `evidence_snippets[0].locator`; empty for the payload itself. */
  readonly path: string;
  readonly message: string;
}

/** Thrown for a digest payload that is none, with everything that is wrong with it. */
export class PayloadError extends ContractError {
  override readonly name = "PayloadError";
  readonly issues: readonly PayloadIssue[];

  constructor(issues: readonly PayloadIssue[], options?: ErrorOptions) {
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
    const says = `${first?.path ?? ""} ${first?.message ?? "is invalid"}`.trim();
    super("INVALID_PAYLOAD", `The digest payload is invalid: ${says}${more}.`, {}, options);
    this.issues = issues;
  }
}
