import type { DigestOptions } from "../../engine/digest/digest-options.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { explainFault } from "./explain-fault.ts";

export interface SummariserOptions {
  readonly summariserUrl?: string | undefined;
  readonly summariserModel?: string | undefined;
}

/** The named summariser, if any. Its key comes from the environment: other users can see a command line. */
export async function chooseSummariser(
  { summariserUrl, summariserModel }: SummariserOptions,
  { env }: CliIo,
): Promise<Pick<DigestOptions, "summariser">> {
  if (summariserUrl === undefined && summariserModel === undefined) return {};
  if (summariserUrl === undefined || summariserModel === undefined) {
    throw new CliError("--summariser-url and --summariser-model go together.", {
      remediation: "Give both, or neither.",
    });
  }
  const { openAiSummariser } = await import("../../engine/digest/summariser/open-ai-summariser.ts");
  const { WAYBILL_SUMMARISER_KEY: apiKey = "" } = env;
  try {
    const access = { baseUrl: summariserUrl, model: summariserModel, ...(apiKey === "" ? {} : { apiKey }) };
    return { summariser: openAiSummariser(access) };
  } catch (error) {
    throw explainFault(error, summariserUrl);
  }
}
