import { describe, expect, it } from "vitest";
import { parcels } from "../../examples/parcels/parcels.ts";
import type { ChatMessage } from "../../examples/stub-model/chat-messages.ts";
import { errand, expectedAnswer } from "../../examples/stub-model/errand.ts";
import { parcelClerk } from "../../examples/stub-model/parcel-clerk.ts";
import { startModel } from "../../examples/stub-model/start-model.ts";

const asked: ChatMessage = { role: "user", content: errand };
const said = (answer: unknown): ChatMessage => ({ role: "tool", content: JSON.stringify(answer) });

const hash = `sha256:${"a".repeat(64)}`;
const cut = said({
  success: true,
  data: { parcels: parcels.slice(0, 30) },
  meta: { content_fidelity: "partial", content_archive_hashes: { "parcels-aaaaaaaaaaaa": hash } },
});
const counted = said({ success: true, data: { selected: { late: 46 } } });
const failed = (errorCode: string): ChatMessage => said({ success: false, data: { error_code: errorCode } });

describe("the clerk of the examples", () => {
  it("does not count a list that was cut: it asks for the count of the whole", () => {
    expect(parcelClerk([asked, cut])).toEqual({
      call: "waybill_retrieve",
      with: { archive: hash, select: "count_by(parcels, &status)" },
    });
  });

  it("counts a list that is whole, in an envelope or bare", () => {
    for (const whole of [{ parcels }, { success: true, data: { parcels } }])
      expect(parcelClerk([asked, said(whole)])).toEqual({
        call: "parcel_get",
        with: { parcel_id: "P-4110" },
      });
  });

  it("looks for the receiver after NOT_FOUND, and gives up on any other code", () => {
    expect(parcelClerk([asked, cut, counted, failed("NOT_FOUND")])).toEqual({
      call: "waybill_retrieve",
      with: { archive: hash, match: { receiver: "Dana Berg 411" } },
    });
    expect(parcelClerk([asked, cut, counted, failed("FORBIDDEN")])).toEqual({
      say: "46 parcels are late. I could not find the parcel of Dana Berg 411: FORBIDDEN.",
    });
  });

  it("answers with what the last parcel says", () => {
    const found = said({ success: true, data: { parcel: parcels[410] } });
    const conversation = [asked, cut, counted, failed("NOT_FOUND"), found];
    expect(parcelClerk(conversation)).toEqual({ say: expectedAnswer });
  });
});

describe("the model server of the examples", () => {
  it("answers as chat completions do, and refuses a tool that it was not offered", async () => {
    const model = await startModel(parcelClerk);
    const post = async (tools: readonly object[]) => {
      const body = JSON.stringify({ model: "clerk", messages: [asked], tools });
      const response = await fetch(`${model.url}/chat/completions`, { method: "POST", body });
      return { status: response.status, json: await response.json() };
    };
    try {
      const offered = await post([{ type: "function", function: { name: "parcel_list" } }]);
      expect(offered).toMatchObject({
        status: 200,
        json: {
          choices: [
            {
              finish_reason: "tool_calls",
              message: { tool_calls: [{ function: { name: "parcel_list", arguments: "{}" } }] },
            },
          ],
        },
      });
      expect(await post([])).toMatchObject({
        status: 400,
        json: { error: { message: "The tool parcel_list is not offered" } },
      });
    } finally {
      await model.close();
    }
  });
});
