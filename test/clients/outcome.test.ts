import { describe, expect, it } from "vitest";
import type { LabClient } from "./client.ts";
import { countOutcome } from "./outcome.ts";
import type { Shape } from "./shapes.ts";
import type { Given } from "./stub-model.ts";

const client: LabClient = {
  kind: "command",
  name: "lab",
  packages: {},
  bin: "lab",
  cutMark: /\[cut by lab\]/,
  prepare: () => ({ args: [] }),
};
const shape: Shape = {
  name: "read",
  says: "a text and a sound",
  facts: [
    { word: "qfirst", place: "text" },
    { word: "qsecond", place: "text" },
    { word: "qsound", place: "sound" },
  ],
  answer: { result: {} },
};
const said = (text: string): Given => [{ role: "tool", content: text }];
const closing = '[1 of 2 lines; the rest: waybill_retrieve {"archive":"085ae0d15641","lines":"2-"}]';
const unshown = "[audio, audio/wav: this client does not show it]";

function count(...answers: readonly Given[]) {
  const { lost, named, withoutWay, isCut } = countOutcome(client, shape, answers, undefined);
  return { lost, named, withoutWay, isCut };
}

describe("a fact that the model was not given at once", () => {
  it("is named if the call that the result proposes brought it", () => {
    const counts = count(said(`qfirst qsound ${closing}`), said("qsecond"));
    expect(counts).toEqual({ lost: 0, named: 1, withoutWay: 0, isCut: false });
  });

  it("is lost if that call did not bring it, or was not made", () => {
    const lost = { lost: 1, named: 0, withoutWay: 0, isCut: false };
    expect(count(said(`qfirst qsound ${closing}`), said("other lines"))).toEqual(lost);
    expect(count(said(`qfirst qsound ${closing}`))).toEqual(lost);
  });

  it("is lost where a line names another block", () => {
    const counts = count(said(`qfirst ${unshown}`));
    expect(counts).toEqual({ lost: 1, named: 0, withoutWay: 1, isCut: false });
  });

  it("is without a way if a line says that its block is not shown, and no call brought it", () => {
    const counts = count(said(`qfirst qsecond ${unshown}`));
    expect(counts).toEqual({ lost: 0, named: 0, withoutWay: 1, isCut: false });
  });
});

describe("an outcome", () => {
  it("is cut if the client cut the answer to a later call", () => {
    const counts = count(said(`qfirst qsound ${closing}`), said("qsecond [cut by lab]"));
    expect(counts).toEqual({ lost: 0, named: 1, withoutWay: 0, isCut: true });
  });
});
