// What a model was given of a shape, counted by its words.

import type { LabClient } from "./client.ts";
import { type Place, type Shape } from "./shapes.ts";

export interface Outcome {
  readonly shape: string;
  /** What the model was given after its call, as the client sent it. */
  readonly given: readonly unknown[] | undefined;
  /** Facts for the model that it was not given, and of which no word says that they are missing. */
  readonly lost: number;
  /** Facts that it was not given, where a line of the gateway names what is missing. */
  readonly named: number;
  readonly seenTwice: number;
  /** The client says that it cut the result. */
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

/** The gateway's words: the call that gets the rest, or a block that the client does not show. */
const naming = /_retrieve.{1,60}archive|this client does not show it\]/s;

export function countOutcome(
  { cutMark }: LabClient,
  shape: Shape,
  given: Outcome["given"],
  failure: string | undefined,
): Outcome {
  const text = JSON.stringify(given ?? []);
  const seen = seenIn(shape, text);
  const meant = seen.filter(({ place }) => !notForTheModel.includes(place));
  const leaked = seen.filter(({ place, times }) => notForTheModel.includes(place) && times > 0);
  const missing = meant.filter(({ times }) => times === 0).length;
  const isNamed = naming.test(text);
  return {
    shape: shape.name,
    given,
    lost: isNamed ? 0 : missing,
    named: isNamed ? missing : 0,
    seenTwice: meant.filter(({ times }) => times > 1).length,
    isCut: cutMark?.test(text) ?? false,
    leaked: leaked.map(({ place }) => place),
    ...(given === undefined && { failure: failure ?? "the model was not asked again" }),
  };
}
