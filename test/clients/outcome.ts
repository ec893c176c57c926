// What a model was given of a shape, counted by its words: at once, and by the calls that the result proposes.

import type { LabClient } from "./client.ts";
import { wordsOf } from "./proposed-calls.ts";
import { type Place, type Shape } from "./shapes.ts";
import type { Given } from "./stub-model.ts";

export interface Outcome {
  readonly shape: string;
  /** What the model was given after its call, as the client sent it. */
  readonly given: Given | undefined;
  /** The same after each further call that the answers before it proposed. */
  readonly followed: readonly Given[];
  /** Facts for the model that it was never given, and of which no word says that they are missing. */
  readonly lost: number;
  /** Facts that it was not given at once: the calls that the result proposed brought them. */
  readonly named: number;
  /** Facts that it was never given: a line says that this client does not show their block, and there is no call for it. */
  readonly withoutWay: number;
  readonly seenTwice: number;
  /** The client says that it cut the result, or the answer to a later call. */
  readonly isCut: boolean;
  /** Places that are not meant for the model, of which it was given a fact. */
  readonly leaked: readonly Place[];
  /** Why the model was given nothing. */
  readonly failure?: string;
}

export interface Seen {
  readonly word: string;
  readonly place: Place;
  readonly times: number;
}

export function seenIn({ facts }: Shape, text: string): readonly Seen[] {
  return facts.map((fact) => ({ ...fact, times: text.split(fact.word).length - 1 }));
}

/** Facts in these places are for others than the model. */
const notForTheModel: readonly Place[] = ["meta", "user"];

/** The kinds of blocks that hold these places' facts. */
const kinds: Partial<Record<Place, string>> = { picture: "image", sound: "audio" };

/** A line of the gateway says that this client does not show such a block. */
function isSaid(place: Place, text: string): boolean {
  const kind = kinds[place];
  return kind !== undefined && new RegExp(`\\[${kind}[^\\]]*: this client does not show it\\]`).test(text);
}

/** `answers`: what the model was given after each of its calls. */
export function countOutcome(
  { cutMark }: LabClient,
  shape: Shape,
  answers: readonly Given[],
  failure: string | undefined,
): Outcome {
  const [given, ...followed] = answers;
  const text = JSON.stringify(given ?? []);
  const seen = seenIn(shape, text);
  const meant = seen.filter(({ place }) => !notForTheModel.includes(place));
  const leaked = seen.filter(({ place, times }) => notForTheModel.includes(place) && times > 0);
  const missing = meant.filter(({ times }) => times === 0);
  const later = wordsOf(followed);
  const neverSeen = missing.filter(({ word }) => !later.includes(word));
  const withoutWay = neverSeen.filter(({ place }) => isSaid(place, text)).length;
  return {
    shape: shape.name,
    given,
    followed,
    lost: neverSeen.length - withoutWay,
    named: missing.length - neverSeen.length,
    withoutWay,
    seenTwice: meant.filter(({ times }) => times > 1).length,
    isCut: cutMark?.test(text + later) ?? false,
    leaked: leaked.map(({ place }) => place),
    ...(given === undefined && { failure: failure ?? "the model was not asked again" }),
  };
}
