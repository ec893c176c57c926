import * as z from "zod/mini";
import { list, object } from "../../../../core/options/option-kinds.ts";
import { selectField } from "../archive/archive-routes.ts";
import {
  type FoundEntry,
  findIn,
  notKept,
  type Endings,
  isOfSession,
  whyGone,
  askFound,
  retrieveEntry,
} from "../archive/archives.ts";
import { ApiProblem, type ApiRequest, type ApiRoute, type WatchedGateway } from "../dashboard-parts.ts";
import { explained, hashField, readPostBody, textUpTo } from "../serve/api-answer.ts";
import type { CallRow } from "../protocol/traffic.ts";
import type { KeptCall, KeptContents, KeptText } from "../traffic/kept-calls.ts";
import type { Traffic } from "../traffic/traffic.ts";
import { type DialectId, dialectIds, isDialectId } from "../../../../core/contract/dialect-id.ts";
import { type Profile, profiles } from "../../../../core/contract/profile.ts";
import { profileNames } from "../../../../core/contract/choices.ts";
import { readableOf } from "../../../../engine/call/answered-call.ts";
import { describeLoss, lossesOf } from "../../../../core/pipeline/dialect/translate.ts";
import { type Parcel, partOf } from "../../../../core/pipeline/parcel.ts";
import { adviseName } from "../../../../core/text/did-you-mean.ts";
import { bodyOf } from "../body.ts";
import type {
  DialectChoices,
  TranslatedResult,
  Body,
  CallBodies,
  CallDetail,
  StageView,
  ArchiveLink,
} from "../protocol/result.ts";
import { endedParcel, saidAgain, keptWhole, arrivedParcel, hasKept } from "./kept-parcel.ts";
import { readerViewOf } from "./reader-view.ts";
import type { ContractState } from "../../../../engine/call/contract-state.ts";
import { type JsonValue, isJsonObject, type JsonObject } from "../../../../core/json/json-value.ts";
import type { Outcome } from "../../../../core/contract/outcome.ts";
import { dialects } from "../../../../core/pipeline/dialect/dialects.ts";

const MAX_IDS = 200;
const MAX_ID_CHARS = 1_000;

const idsField = list(textUpTo(MAX_ID_CHARS)).check(z.maxLength(MAX_IDS, `Name at most ${MAX_IDS} at once.`));
const retrieved = object({ hash: hashField, ids: z.optional(idsField) });
const asked = object({ hash: hashField, select: selectField });

/** The call that an address names. */
function rowIn(traffic: Traffic, { params }: ApiRequest): CallRow {
  const text = params["seq"] ?? "";
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new ApiProblem("invalid", "A call is named by its number, from 1 on.", "Choose one from the list.");
  const seq = Number(text);
  const row = traffic.row(seq);
  if (row !== undefined) return row;
  if (seq > traffic.newestSeq)
    throw new ApiProblem("not-found", `There was no call ${seq} yet.`, "Choose one from the list.");
  throw new ApiProblem(
    "not-kept",
    `Call ${seq} made room for later ones.`,
    "Choose a later call: the newest 100,000 are kept.",
  );
}

function keptIn(traffic: Traffic, row: CallRow): KeptCall {
  const { seq } = row;
  const kept = traffic.kept(seq);
  if (kept !== undefined) return kept;
  if (traffic.takenBy(row) !== undefined)
    throw new ApiProblem(
      "not-kept",
      `What call ${seq} carried is kept by the replica ${row.replica}.`,
      "Open it on the page of that replica.",
    );
  throw new ApiProblem(
    "not-kept",
    `What call ${seq} carried is not kept any more.`,
    "Choose a later call, or call the tool again.",
  );
}

/** The entry that a call's envelope names: only of the tenant that made the call. */
async function entryOf(kept: KeptCall, hash: string): Promise<FoundEntry> {
  if (!archivesOf(kept).some((link) => link.hash === hash))
    throw new ApiProblem("not-found", "This call names no such archive.", "Choose one that it names.");
  const found = await entryIn(kept, hash);
  if (found === undefined) throw notKept(endingsOf(kept));
  return found;
}

/** What another replica keeps of a call that it took; undefined for a call of this one. */
export type AskElsewhere = (row: CallRow) => Promise<CallDetail | undefined>;

/** One call: its stages, its result in other dialects, and the rest of what it left out. */
export function resultRoutes(
  traffic: Traffic,
  gateway: WatchedGateway,
  elsewhere?: AskElsewhere,
): readonly ApiRoute[] {
  const { hasBodies } = traffic;
  return [
    { method: "GET", path: "/api/dialects", answer: () => dialectChoices(gateway) },
    {
      method: "GET",
      path: "/api/calls/:seq",
      answer: async (request) => {
        const row = rowIn(traffic, request);
        return (await elsewhere?.(row)) ?? callDetail(row, traffic.kept(row.seq), hasBodies);
      },
    },
    {
      method: "GET",
      path: "/api/calls/:seq/as",
      needs: "bodies",
      answer: (request) => {
        const row = rowIn(traffic, request);
        const { query } = request;
        const kept = keptIn(traffic, row);
        const wanted = {
          dialect: query.get("dialect") ?? row.dialect,
          profile: query.get("profile") ?? kept.profile.name,
        };
        return resultAs(kept, row, wanted);
      },
    },
    {
      method: "POST",
      path: "/api/calls/:seq/retrieve",
      answer: (request) =>
        explained(async () => {
          const kept = keptIn(traffic, rowIn(traffic, request));
          const { hash, ids } = readPostBody(retrieved, request.body);
          return retrieveEntry(await entryOf(kept, hash), { hasBodies, ids });
        }),
    },
    {
      method: "POST",
      path: "/api/calls/:seq/ask",
      needs: "bodies",
      answer: (request) =>
        explained(async () => {
          const kept = keptIn(traffic, rowIn(traffic, request));
          const { hash, select } = readPostBody(asked, request.body);
          return askFound(await entryOf(kept, hash), select, request.signal);
        }),
    },
  ];
}

/** The dialects, and the profiles that any upstream knows. */
function dialectChoices(gateway: WatchedGateway): DialectChoices {
  const configured = gateway
    .upstreams()
    .flatMap(({ state }) => Object.keys(state.effective.settings.profiles));
  return { dialects: dialectIds, profiles: [...new Set([...profileNames, ...configured])] };
}

function dialectNamed(name: string): DialectId {
  if (isDialectId(name)) return name;
  throw new ApiProblem(
    "invalid",
    `There is no dialect ${JSON.stringify(name)}.`,
    adviseName(name, dialectIds),
  );
}

function profileIn({ upstream, profile: delivered }: KeptCall, name: string): Profile {
  if (name === delivered.name) return delivered;
  const { profiles } = upstream.state.effective.settings;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const advice = adviseName(name, Object.keys(profiles));
  throw new ApiProblem("invalid", `There is no profile ${JSON.stringify(name)} here.`, advice);
}

function lossesIn(parcel: Parcel, dialect: DialectId): readonly string[] {
  return lossesOf(partOf(parcel, "outcome"), dialect).map((loss) => describeLoss(loss, dialect));
}

/** The result of a call in another dialect and profile: as it would have been delivered. */
async function resultAs(
  kept: KeptCall,
  row: CallRow,
  { dialect: wanted, profile: named }: { readonly dialect: string; readonly profile: string },
): Promise<TranslatedResult> {
  const dialect = dialectNamed(wanted);
  const profile = profileIn(kept, named);
  const form = { dialect, profile };
  const ended = endedParcel(kept, row, form);
  const losses = ended === undefined ? [] : lossesIn(ended.parcel, dialect);
  const delivered = dialect === row.dialect && profile === kept.profile ? kept.contents?.after : undefined;
  if (delivered !== undefined) {
    // The delivered result is used as it is: it contains the author's own text and everything beside the data.
    const body = await keptBody(kept.upstream.state, delivered, row.tokensOut);
    return { dialect, profile: named, body, losses };
  }
  if (ended === undefined)
    throw new ApiProblem(
      "not-kept",
      "Too little of this result is kept to say it in other words: it was too long, or ended without an answer.",
      "Choose a call with a shorter result, or call the tool again.",
    );
  const { parcel, lacksBlocks } = ended;
  const result = await saidAgain(parcel, kept, row, form);
  return {
    dialect,
    profile: named,
    body: await bodyOf(kept.upstream.state, JSON.stringify(result), readableOf(result)),
    losses: lacksBlocks ? [...losses, besideLost] : losses,
  };
}

const besideLost = "What the server wrote beside its data is not shown here: it was not kept after the cut.";

const nothing: Body = { text: "", chars: 0, tokens: 0, isHead: false };

function readIn(value: JsonValue | undefined, text: string): readonly string[] {
  if (!isJsonObject(value) || (value["content"] === undefined && value["structuredContent"] === undefined))
    return [text];
  return readableOf(value);
}

/** A kept text; if it is not whole, its tokens are those that were estimated when it passed. */
async function keptBody(state: ContractState, kept: KeptText | undefined, estimated: number): Promise<Body> {
  if (kept === undefined) return nothing;
  const { text, chars, isHead } = kept;
  const body = await bodyOf(state, text, isHead ? [] : readIn(keptWhole(kept), text));
  return isHead ? { ...body, chars, tokens: estimated, isHead: true, isEstimated: true } : body;
}

async function bodiesOf(contents: KeptContents, { upstream }: KeptCall, row: CallRow): Promise<CallBodies> {
  const { state } = upstream;
  return {
    arguments: await keptBody(state, contents.arguments, Math.round(contents.arguments.chars / 4)),
    before: await keptBody(state, contents.before, row.tokensIn),
    after: await keptBody(state, contents.after, row.tokensOut),
  };
}

/** Tokens are estimated while calls pass; they are counted when a person opens the call. */
function countedRow(row: CallRow, { before, after }: CallBodies): CallRow {
  if (row.isCounted || row.ending === "abandoned") return row;
  const isCounted = before.isEstimated !== true && after.isEstimated !== true;
  // The value of one of our own tools did not come from the server.
  const tokensIn = row.tokensIn === 0 ? 0 : before.tokens;
  return { ...row, tokensIn, tokensOut: after.tokens, isCounted };
}

/** Messages may quote the content of a call; codes never do. */
function warningsOf({ notes, upstream }: KeptCall, hasBodies: boolean): readonly string[] {
  return (notes?.warnings ?? []).map(({ code, message }) => {
    if (!hasBodies) return code ?? "a warning without a code";
    return upstream.state.mask(code === undefined ? message : `${code}: ${message}`);
  });
}

/** A call and its stages. Secrets are masked everywhere, even if the model received them. */
export async function callDetail(
  row: CallRow,
  kept: KeptCall | undefined,
  hasBodies: boolean,
): Promise<CallDetail> {
  const whyNoBodies = hasBodies ? "not-kept" : "bodies-off";
  if (kept === undefined) return { row, stages: [], warnings: [], droppedIds: [], archives: [], whyNoBodies };
  const { notes, fault, contents, upstream } = kept;
  const { mask } = upstream.state;
  const bodies = contents === undefined ? undefined : await bodiesOf(contents, kept, row);
  return {
    row: bodies === undefined ? row : countedRow(row, bodies),
    stages: await stagesOf(kept, row),
    warnings: warningsOf(kept, hasBodies),
    failure: hasBodies
      ? fault && { message: mask(fault.message), remediation: mask(fault.remediation ?? "") }
      : undefined,
    droppedIds: hasBodies ? (notes?.fidelity?.dropped ?? []).map(mask) : [],
    archives: await keptLinks(kept),
    bodies,
    whyNoBodies: bodies === undefined ? whyNoBodies : undefined,
    reader: row.ending === "abandoned" ? undefined : await readerViewOf(kept, row),
  };
}

// The six stages of a call with the tokens of what each handed on. Nothing is counted while calls pass: tokens are
// counted here, from what was kept, and left out if that is not enough.

function wordsOf(outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined) return undefined;
  return JSON.stringify(outcome.ok ? outcome.data : outcome.fault);
}

/** What a model reads; each text is counted separately, as in the list of calls. */
type Words = readonly string[];

/** The texts that the dialect wrote in a delivered result: the envelope, or the texts if there is no envelope. */
function dialectWords(result: JsonObject, { dialect }: CallRow): Words {
  const isEnvelope = isDialectId(dialect) && dialects[dialect].level === "envelope";
  const texts = readableOf(result);
  if (!isEnvelope) return texts;
  const { structuredContent } = result;
  return structuredContent === undefined ? texts.slice(0, 1) : [JSON.stringify(structuredContent)];
}

/** The value of one of our own tools, which no server sent. */
function valueOf({ contents }: KeptCall): string | undefined {
  return contents?.before?.isHead === false ? contents.before.text : undefined;
}

/** For a success, what the server sent, without its second copy as JSON, which no model reads. */
function arrivedWords(kept: KeptCall, outcome: Outcome | undefined): Words | undefined {
  const result = keptWhole(kept.contents?.before);
  if (outcome?.ok === true && isJsonObject(result)) return readableOf(result);
  return asWords(wordsOf(outcome));
}

function asWords(text: string | undefined): Words | undefined {
  return text === undefined ? undefined : [text];
}

/** What each stage handed on, if it is known. */
function handedOn(kept: KeptCall, row: CallRow): Readonly<Record<string, Words | undefined>> {
  const { contents } = kept;
  if (contents === undefined) return {};
  const form = { dialect: "plain", profile: profiles.standard } as const;
  const arrived = arrivedParcel(kept, row, form);
  const final = wordsOf(endedParcel(kept, row, form)?.parcel.outcome);
  const isUnshaped = hasKept(kept, "shape");
  const isUncut = hasKept(kept, "fit");
  // The value of one of our own tools may be an envelope: its content is known if no stage changed it.
  const given = isUnshaped && isUncut ? final : valueOf(kept);
  const outcome = arrived === undefined ? asWords(given) : arrivedWords(kept, arrived.outcome);
  const isUnchanged = final !== undefined && final === wordsOf(arrived?.outcome);
  const ended = isUnchanged ? outcome : asWords(final);
  const after = keptWhole(contents.after);
  const result = isJsonObject(after) ? after : undefined;
  return {
    outcome,
    shape: isUncut ? ended : isUnshaped ? outcome : undefined,
    fit: ended,
    archive: ended,
    dialect: result && dialectWords(result, row),
    deliver: result && readableOf(result),
  };
}

/** Empty if the result was forwarded untouched, or its trace is not kept. */
async function stagesOf(kept: KeptCall, row: CallRow): Promise<readonly StageView[]> {
  if (kept.trace.length === 0) return [];
  const { state } = kept.upstream;
  const words = handedOn(kept, row);
  const counter = await state.counter();
  const isUnshaped = hasKept(kept, "shape");
  return kept.trace.map(({ stage, says }) => {
    const texts = words[stage];
    const said = { stage, says: state.mask(says) };
    if (texts !== undefined)
      return { ...said, tokens: texts.reduce((sum, text) => sum + counter.count(text), 0) };
    // If a result was too long to be kept whole, the earlier estimate is used: the cut is what people want to see.
    const isEstimated = stage === "outcome" || (stage === "shape" && isUnshaped);
    return isEstimated ? { ...said, tokens: row.tokensIn, isEstimated } : said;
  });
}

/** The archives that the envelope of a call names. */
function archivesOf({ notes }: KeptCall): readonly ArchiveLink[] {
  const named = Object.entries(notes?.fidelity?.archives ?? {});
  return named.map(([name, hash]) => ({ name, hash: hash.replace(/^sha256:/, "") }));
}

/** An entry of the tenant that made the call; undefined if it is no longer kept. */
async function entryIn({ upstream, tenant }: KeptCall, hash: string): Promise<FoundEntry | undefined> {
  const { state } = upstream;
  if (!state.archive.isOn) return undefined;
  return findIn({ store: await state.archive.store(), state }, tenant, hash);
}

/** What may have ended an entry of a call. This gateway saw the call, so the end of another one is excluded. */
function endingsOf({ tenant }: KeptCall): Endings {
  return { isOfSession: isOfSession(tenant), mayEndWithGateway: false };
}

/** How many entries are looked up: a call rarely names more than a few. */
const MAX_LOOKED_UP = 20;

/** The archives that a call names, with the reason for each that is gone. */
async function keptLinks(kept: KeptCall): Promise<readonly ArchiveLink[]> {
  const links = archivesOf(kept).map(async (link, at): Promise<ArchiveLink> => {
    if (at >= MAX_LOOKED_UP) return link;
    try {
      const found = await entryIn(kept, link.hash);
      return found === undefined ? { ...link, gone: whyGone(endingsOf(kept)) } : link;
    } catch {
      // An unavailable store cannot answer this; retrieving the entry will report it.
      return link;
    }
  });
  return Promise.all(links);
}
