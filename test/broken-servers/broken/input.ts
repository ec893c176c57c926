import { type BrokenServer, refinish } from "../broken-server.ts";
import { plainText } from "../good-server.ts";
import type { Asked, Json, RawServer } from "../raw-server.ts";
import { sampleTool } from "../sample-tool.ts";

/** A tool that asks for input in the modern era, and goes on when it is called with the state that it gave. */
function ask(server: RawServer, asking: Json): void {
  server.tools.push(
    sampleTool("confirm_sample", ({ era, requestState }: Asked) =>
      era === "legacy" || requestState !== undefined
        ? plainText("It is confirmed.")
        : { resultType: "input_required", ...asking },
    ),
  );
}

const elicitation = { method: "elicitation/create", params: { mode: "form", message: "Which one?" } };

/** Requests for input. */
export const brokenInput: readonly BrokenServer[] = [
  {
    rule: "input/place",
    era: "modern",
    change: (server) => {
      let isAsked = false;
      refinish(server, "tools/list", (result) => {
        if (isAsked) return result;
        isAsked = true;
        return { ...result, resultType: "input_required", requestState: "first" };
      });
    },
  },
  {
    rule: "input/content",
    era: "modern",
    change: (server) => ask(server, { requestState: 17 }),
  },
  {
    rule: "input/capabilities",
    era: "modern",
    change: (server) => ask(server, { inputRequests: { which: elicitation } }),
  },
];
