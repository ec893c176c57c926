import type { Answer } from "./answer.ts";
import { notAsAsked } from "./client-faults.ts";
import type { DataSchema } from "./tool-types.ts";

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

/** The data as parsed by the caller's schema; a stub is not the tool's data, and is returned unchanged. */
export async function checkData(answer: Answer, schema: DataSchema): Promise<Answer> {
  if (answer.fidelity === "summary" || answer.fidelity === "reference_only") return answer;
  const result = (await schema["~standard"].validate(answer.data)) as {
    readonly value?: unknown;
    readonly issues?: readonly Issue[];
  };
  const [issue] = result.issues ?? [];
  if (issue === undefined) return { ...answer, data: result.value as Answer["data"] };
  const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".");
  const says = `data${path === "" ? "" : ` at ${path}`}: ${issue.message}`;
  throw notAsAsked(says, answer, "Check the schema you gave against what the tool sends.");
}
