import { describeIssue } from "../../contract/describe-issue.ts";
import { type DigestPayload, digestPayloadSchema } from "../../contract/digest-payload.ts";
import { PayloadError, type PayloadIssue } from "./payload-error.ts";
import { RATIO_TOLERANCE, ratioOf } from "./compression-ratio.ts";

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function ratioIssues({ compression_ratio, digest_chars, original_chars }: DigestPayload): PayloadIssue[] {
  // A document of no length has no ratio.
  if (original_chars === 0) return [];
  const ratio = ratioOf(digest_chars, original_chars);
  if (Math.abs(compression_ratio - Math.min(1, ratio)) <= RATIO_TOLERANCE) return [];
  const message = `is ${compression_ratio}, but ${digest_chars} of ${original_chars} characters are ${ratio}`;
  return [{ path: "compression_ratio", message }];
}

/** The payload, when it is one; else a PayloadError with every issue. Further keys are let through. */
export function validatePayload(value: unknown): DigestPayload {
  const { success, error } = digestPayloadSchema.safeParse(value, { error: describeIssue });
  if (!success) {
    throw new PayloadError(error.issues.map(({ path, message }) => ({ path: pathOf(path), message })));
  }
  const payload = value as DigestPayload;
  const issues = ratioIssues(payload);
  if (issues.length > 0) throw new PayloadError(issues);
  return payload;
}
