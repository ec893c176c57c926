import { type BrokenServer, rewrite, rewriteSuccess } from "../broken-server.ts";
import { failedEnvelope, failure, pause, plainText, structured } from "../good-server.ts";
import { type Json, type RawServer, RpcError } from "../raw-server.ts";
import { sampleTool } from "../sample-tool.ts";

/** About 3,000 characters in 60 records. */
const records = Array.from({ length: 60 }, (_, index) => ({
  place: `Depot ${index}`,
  note: `Scanned on belt ${index * 7}`,
}));

const addSample = (server: RawServer, answer: () => Json): void => {
  server.tools.push(sampleTool("show_sample", answer));
};

/** A miss of get_parcel, told in another way. */
function missAs(server: RawServer, change: (result: Json, args: Json) => Json): void {
  rewrite(server, "get_parcel", (result, args) => {
    const [block] = result["content"] as { text?: string }[];
    return block?.text?.startsWith("NOT_FOUND") === true ? change(result, args) : result;
  });
}

/** Texts, structures and flags of results. */
export const brokenResults: readonly BrokenServer[] = [
  {
    rule: "result/mirror",
    change: (server) => addSample(server, () => ({ ...plainText("Done."), structuredContent: { records } })),
  },
  {
    rule: "result/is-error-missing",
    dialect: "response-v2",
    change: (server) => {
      server.tools = server.tools.filter(({ definition: { name } }) => /^track_parcel$|^waybill_/.test(name));
      rewrite(server, "track_parcel", (result) => {
        const { data } = result["structuredContent"] as { data: Json };
        return data["error_code"] === "NOT_FOUND" ? { ...result, isError: undefined } : result;
      });
    },
  },
  {
    rule: "result/channels-repeat",
    change: (server) =>
      addSample(server, () => ({
        ...plainText(records.map(({ place, note }) => `- ${place}: ${note}, as the label says`).join("\n")),
        structuredContent: { records },
      })),
  },
  {
    rule: "result/text-only-facts",
    change: (server) =>
      addSample(server, () => ({
        ...plainText("The parcel is at Depot 4, says carrier reference ZX-4711."),
        structuredContent: { place: "Depot 4" },
      })),
  },
  {
    rule: "reader/blocks",
    change: (server) =>
      addSample(server, () => ({
        content: [
          { type: "text", text: "The label is ready." },
          { type: "resource_link", uri: "file:///labels/parcel-7.txt", name: "label" },
        ],
      })),
  },
  {
    rule: "reader/pictures",
    change: (server) =>
      addSample(server, () => ({
        content: [
          { type: "text", text: "The label is ready." },
          { type: "image", mimeType: "image/png", data: Buffer.from("no picture").toString("base64") },
        ],
      })),
    // Some clients show no picture at all.
    implies: ["reader/blocks"],
  },
  {
    rule: "result/indented-json",
    // Its spaces alone are more than the shortest limit of a client.
    implies: ["size/client-bytes"],
    change: (server) => addSample(server, () => plainText(JSON.stringify({ records }, null, 8))),
  },
  {
    rule: "result/structured-missing",
    change: (server) => rewriteSuccess(server, "get_parcel", ({ content }) => ({ content })),
  },
  {
    rule: "result/output-schema",
    change: (server) =>
      rewriteSuccess(server, "get_parcel", ({ structuredContent }) =>
        structured({ ...(structuredContent as Json), weight_kg: "heavy" }),
      ),
  },
  {
    rule: "result/output-schema-on-error",
    change: (server) =>
      missAs(server, () => ({
        ...structured({ code: "NOT_FOUND", help: "Call list_parcels" }),
        isError: true,
      })),
  },
  {
    rule: "truth/success-flag",
    change: (server) =>
      addSample(server, () =>
        structured({ success: false, error: "Not found: the depot is not in the list" }),
      ),
  },
  {
    rule: "truth/failure-flag",
    change: (server) =>
      addSample(server, () => ({
        ...structured({ success: true, code: "SAVED", hint: "Call again" }),
        isError: true,
      })),
  },
  {
    rule: "truth/reads-like-failure",
    change: (server) => addSample(server, () => plainText("Error: could the depot be read?")),
  },
];

/** What failures say, and what they give away. */
export const brokenFailures: readonly BrokenServer[] = [
  {
    rule: "error/as-protocol-error",
    change: (server) =>
      missAs(server, () => {
        throw new RpcError(
          -32603,
          "NOT_FOUND: No parcel has this id. Call list_parcels for the ids there are",
        );
      }),
  },
  { rule: "error/text-missing", change: (server) => missAs(server, () => ({ content: [], isError: true })) },
  {
    rule: "error/kind-unclear",
    change: (server) =>
      missAs(server, () => ({ ...plainText("That went wrong, call again"), isError: true })),
  },
  {
    rule: "error/next-step",
    change: (server) => missAs(server, () => ({ ...plainText("E_PARCEL_17"), isError: true })),
  },
  {
    rule: "error/wait-unknown",
    change: (server) =>
      addSample(server, () => failure("RATE_LIMITED", "Too many requests", "Try again later")),
  },
  {
    rule: "error/leaks-stack",
    change: (server) =>
      missAs(server, (result) =>
        fail(result, "\n    at findParcel (parcels.js:17:9)\n    at run (tools.js:4:2)"),
      ),
  },
  {
    rule: "error/leaks-path",
    change: (server) => missAs(server, (result) => fail(result, " (in /home/clerk/parcels/index.db)")),
  },
  {
    rule: "error/leaks-code",
    change: (server) =>
      missAs(server, (result) =>
        fail(result, " in def find(id):\n    row = table[id]\n    return row.state"),
      ),
  },
  {
    rule: "error/leaks-secret",
    change: (server) =>
      missAs(server, (result) => fail(result, " (postgres://clerk:Tr0ub4dor-und-3@db.internal/parcels)")),
  },
];

/** A failure with something more at its end. */
function fail(result: Json, more: string): Json {
  const [block] = result["content"] as { text: string }[];
  return { ...plainText(`${block?.text ?? ""}${more}`), isError: true };
}

/** What a server does with arguments and names that are wrong. */
export const brokenArguments: readonly BrokenServer[] = [
  {
    rule: "arguments/invalid-accepted",
    change: (server) =>
      rewrite(server, "get_parcel", (result, args) =>
        result["isError"] === true && typeof args["id"] !== "string"
          ? structured({ id: "P-001", state: "moving", weight_kg: 1 })
          : result,
      ),
  },
  {
    rule: "arguments/unknown-ignored",
    change: (server) =>
      rewrite(server, "count_parcels", (result) =>
        result["isError"] === true ? plainText("There are 12 parcels.") : result,
      ),
  },
  {
    rule: "arguments/invalid-protocol-error",
    change: (server) =>
      refuseAs(server, (said) => {
        throw new RpcError(-32602, said);
      }),
  },
  {
    rule: "arguments/error-names-argument",
    change: (server) =>
      refuseAs(server, () => failure("INVALID_ARGUMENTS", "Something is wrong", "Call again")),
  },
  {
    rule: "arguments/valid-fails",
    change: (server) =>
      rewrite(server, "track_parcel", (result) => {
        const { data } = result["structuredContent"] as { data: Json };
        return data["error_code"] === "NOT_FOUND"
          ? failedEnvelope(
              { error_code: "INTERNAL_ERROR", error_type: "internal", remediation: "Report it." },
              "The tool failed",
            )
          : result;
      }),
  },
  {
    rule: "tool/unknown",
    change: (server) => {
      server.unknownTool = () => plainText("Done.");
    },
  },
  {
    rule: "tool/unknown-code",
    change: (server) => {
      server.unknownTool = (name) => failure("NOT_FOUND", `No tool is called ${name}`, "Call tools/list");
    },
  },
];

/** The refusal of arguments by get_parcel, told in another way. */
function refuseAs(server: RawServer, refuse: (said: string) => Json): void {
  rewrite(server, "get_parcel", (result) => {
    const [block] = result["content"] as { text: string }[];
    return block?.text.startsWith("INVALID_ARGUMENTS") === true ? refuse(block.text) : result;
  });
}

/** How calls go. */
export const brokenCalls: readonly BrokenServer[] = [
  {
    rule: "call/time-limit",
    change: (server) => {
      server.tools.push(sampleTool("show_sample", () => new Promise<Json>(() => undefined)));
    },
  },
  {
    rule: "call/survives",
    change: (server) => {
      server.tools.push(
        sampleTool("show_sample", ({ die }) => {
          die();
          return new Promise<Json>(() => undefined);
        }),
      );
    },
  },
  {
    rule: "call/cancel",
    change: (server) => {
      // It does not look at the signal.
      const still = new AbortController().signal;
      server.tools.push(
        sampleTool("show_sample", async () => {
          await pause(350, still);
          return plainText("Here it is.");
        }),
      );
    },
  },
  {
    rule: "call/deterministic",
    change: (server) => {
      let calls = 0;
      addSample(server, () => {
        calls += 1;
        return plainText(`There are ${calls} parcels on the belt.`);
      });
    },
  },
  {
    rule: "call/order-stable",
    change: (server) => {
      let names = ["Oslo", "Rome", "Bern"];
      addSample(server, () => {
        names = names.toReversed();
        return structured({ depots: names });
      });
    },
  },
];
