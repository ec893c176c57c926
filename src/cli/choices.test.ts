import { expect, it } from "vitest";
import { dialectIds } from "../core/contract/dialect-id.ts";
import { eraChoices as knownEras } from "../doors/check/check-options.ts";
import { DEFAULT_PROFILE, profileNames } from "../core/contract/profile.ts";
import { digestLimits } from "../core/contract/digest-payload.ts";
import { digestPolicies } from "../engine/digest/digest-options.ts";
import { responseLevels } from "../core/pipeline/dialect/validate-response.ts";
import {
  dialectChoices,
  eraChoices,
  levelChoices,
  mostOfDigest,
  policyChoices,
  profileChoices,
} from "./choices.ts";
import { exitCodes } from "./cli-error.ts";

it("offers the dialects and profiles that the contract knows", () => {
  expect(dialectChoices).toEqual(dialectIds);
  expect(profileChoices).toEqual(profileNames);
  expect(profileChoices).toContain(DEFAULT_PROFILE);
});

it("offers the library's levels and the message", () => {
  expect(levelChoices).toEqual([...responseLevels, "message"]);
});

it("offers the policies of a digest and keeps to its limits", () => {
  expect(policyChoices).toEqual(digestPolicies);
  const { snippets, summary, keyPoints } = digestLimits;
  expect(mostOfDigest).toEqual({ snippets, summaryChars: summary, keyPoints });
});

it("offers the eras that a check knows", () => {
  expect(eraChoices).toEqual(knownEras);
});

it("keeps the exit codes that scripts rely on", () => {
  expect(exitCodes).toEqual({ fine: 0, violated: 1, usage: 2, unreachable: 3 });
});
