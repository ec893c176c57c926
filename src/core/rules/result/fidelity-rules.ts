// Whether what a server says it left out can be fetched, and whether anything was left out silently.

import { RETRIEVE_TOOL, parseArchiveReference, isRetrievalTool } from "../../contract/wire-names.ts";
import { MAX_JSON_DEPTH } from "../../json/find-non-json.ts";
import { isJsonObject } from "../../json/json-value.ts";
import { scanJson } from "../../json/scan-json.ts";
import { blockTexts } from "../../pipeline/dialect/result-rules.ts";
import {
  type TextPiece,
  asArchived,
  itemsIn,
  joinPieces,
  pieceOf,
} from "../../pipeline/archive/archived-bytes.ts";
import { decodeBase64, encode, sha256 } from "../../text/bytes.ts";
import { readPage } from "../call/paging-rules.ts";
import {
  type CallWithResult,
  answeredIn,
  findingOf,
  isRefusal,
  judgeEach,
  meaningOf,
  smallestOf,
} from "../called.ts";
import type { ArchiveRead, CallRecord, RecordedReply, ServerRecord } from "../server-record.ts";
import { type RuleFinding, type ServerRule, defineServerRules } from "../server-rule.ts";

/** A result that names archives, and how one of them was asked for. */
interface Fetched {
  readonly cut: CallWithResult;
  readonly hash: string;
  /** Who refused it; undefined if it came. */
  readonly refusedBy: string | undefined;
  /** The bytes that came back; a text says why they cannot be compared. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer> | string>;
}

function announcedBy({ result }: CallWithResult): readonly string[] {
  return Object.values(meaningOf(result).outcome.notes.fidelity?.archives ?? {});
}

function hashOf(reference: unknown): string | undefined {
  return typeof reference === "string" ? parseArchiveReference(reference) : undefined;
}

function fetchedIn(record: ServerRecord): readonly Fetched[] {
  const retrievals = record.calls.filter(({ purpose }) => purpose === "retrieve");
  return answeredIn(record).flatMap((cut) =>
    announcedBy(cut).flatMap((announced): Fetched[] => {
      const hash = hashOf(announced) ?? announced;
      const calls = retrievals.filter(
        ({ follows, arguments: args }) => follows === cut.call.index && hashOf(args["archive"]) === hash,
      );
      const reads = (record.archiveReads ?? []).filter(
        (read) => read.follows === cut.call.index && read.hash === hash,
      );
      return [
        ...(calls.length === 0 ? [] : [byCalls(cut, hash, calls)]),
        ...(reads.length === 0 ? [] : [byReads(cut, hash, reads)]),
      ];
    }),
  );
}

/**
 * Those that no way gave. A gateway offers its own archives as resources, and those of its server by the server's tool
 * alone.
 */
function lostIn(fetched: readonly Fetched[]): readonly Fetched[] {
  const keyOf = ({ cut, hash }: Fetched): string => `${cut.call.index} ${hash}`;
  const came = new Set(fetched.filter(({ refusedBy }) => refusedBy === undefined).map(keyOf));
  return fetched.filter((one) => !came.has(keyOf(one)));
}

/** By the retrieval tool, one call for each page. */
function byCalls(cut: CallWithResult, hash: string, calls: readonly CallRecord[]): Fetched {
  const refused = calls.find(({ reply }) => reply.kind !== "result" || isRefusal(reply.result));
  return {
    cut,
    hash,
    refusedBy: refused && `call ${refused.index}`,
    bytes: async () => bytesOf(calls, hash),
  };
}

/** As a resource: whole, or only its beginning. */
function byReads(cut: CallWithResult, hash: string, reads: readonly ArchiveRead[]): Fetched {
  const came = reads.find(({ reply }) => reply.kind === "result");
  return {
    cut,
    hash,
    refusedBy: came === undefined ? `the resource ${reads[0]?.uri ?? ""}` : undefined,
    bytes: async () => Promise.resolve(came?.isWhole === true ? contentOf(came.reply) : CUT_SHORT),
  };
}

function contentOf(reply: RecordedReply): Uint8Array<ArrayBuffer> | string {
  const contents = reply.kind === "result" ? reply.result["contents"] : undefined;
  const first: unknown = Array.isArray(contents) ? contents[0] : undefined;
  if (!isJsonObject(first)) return "the resource has no contents";
  const { text, blob } = first;
  if (typeof text === "string") return encode(text);
  return typeof blob === "string" ? decoded(blob) : "the resource has neither text nor blob";
}

function whyNotFetched(record: ServerRecord): string {
  if (!answeredIn(record).some((answered) => announcedBy(answered).length > 0))
    return "No result names an archive";
  const hasTool = record.tools.some(
    ({ name, definition }) => name === RETRIEVE_TOOL || isRetrievalTool(definition),
  );
  return hasTool
    ? "No archive was asked for"
    : `The server names archives, lists no ${RETRIEVE_TOOL} and offers no resources`;
}

/** The bytes that the calls returned; a text says why they cannot be compared. */
async function bytesOf(
  calls: readonly CallRecord[],
  hash: string,
): Promise<Uint8Array<ArrayBuffer> | string> {
  const pieces: TextPiece[] = [];
  // Without a pointer the tool returns the items of the main list, which have no hash.
  if (calls.some(({ arguments: args }) => args["pointer"] !== "")) return CUT_SHORT;
  for (const [index, { reply }] of calls.entries()) {
    if (reply.kind !== "result") return "it was refused";
    const { outcome } = meaningOf(reply.result);
    if (!outcome.ok) return "it was refused";
    const { data } = outcome;
    const base64 = isJsonObject(data) ? data["base64"] : undefined;
    if (typeof base64 === "string") return decoded(base64);
    for (const item of itemsIn(data)) {
      const piece = pieceOf(item, pieces.at(-1));
      if (piece === undefined) return "a slice is not as long as it says, or not the next one";
      pieces.push(piece);
    }
    const isLast = index === calls.length - 1;
    if (isLast && readPage(reply.result)?.cursor !== undefined) return CUT_SHORT;
  }
  return pieces.length === 0 ? "the answer has no items" : asArchived(joinPieces(pieces), hash);
}

/** The check asks for a limited number of pages. */
const CUT_SHORT = "not all of it was asked for";

function decoded(base64: string): Uint8Array<ArrayBuffer> | string {
  try {
    return decodeBase64(base64);
  } catch {
    return "its base64 is broken";
  }
}

/** How a text itself says that it continues: at its end, in words or with dots. */
const saysCut = /(?:…|\.\.\.|truncat|omitted|cut off)[^\n]{0,80}$/i;

/** JSON text whose end is missing: the rest is valid. */
function isCutJson(text: string): boolean {
  if (!/^\s*(?:\{\s*"|\[\s*[[{"])/.test(text) || saysCut.test(text.slice(-200))) return false;
  const { fault } = scanJson(text, MAX_JSON_DEPTH, true);
  return fault?.kind === "syntax" && fault.offset >= text.trimEnd().length;
}

/** Rules about what was left out. */
export const fidelityRules: readonly ServerRule[] = defineServerRules({
  "fidelity/archive-resolves": {
    severity: "MUST",
    says: "What a result says was kept in an archive can be fetched.",
    fix: "Store first and announce afterwards; keep entries for at least as long as a conversation lasts.",
    source: "seed 001, Content Fidelity Field Definitions; docs/contract.md, Fidelity",
    judge: (record) => {
      const fetched = fetchedIn(record);
      if (fetched.length === 0) return { untested: whyNotFetched(record) };
      const findings = lostIn(fetched).map(({ cut, hash, refusedBy = "" }) =>
        findingOf(cut, "", `The archive sha256:${hash} cannot be fetched (${refusedBy})`),
      );
      return smallestOf(findings, record);
    },
  },
  "fidelity/archive-verifies": {
    severity: "MUST",
    says: "What comes back from an archive has the hash that was announced.",
    fix: "Announce the SHA-256 of exactly the bytes that are stored.",
    source: "seed 001, Content Fidelity Field Definitions; docs/contract.md, Fidelity",
    judge: async (record) => {
      const whole = fetchedIn(record).filter(({ refusedBy }) => refusedBy === undefined);
      const findings: RuleFinding[] = [];
      let judged = 0;
      for (const fetched of whole) {
        const bytes = await fetched.bytes();
        if (bytes === CUT_SHORT) continue;
        judged++;
        const actual = typeof bytes === "string" ? undefined : await sha256(bytes);
        if (actual === fetched.hash) continue;
        const why = typeof bytes === "string" ? bytes : `it has the hash sha256:${actual ?? ""}`;
        const found = `The archive sha256:${fetched.hash} does not verify: ${why}`;
        findings.push(findingOf(fetched.cut, "", found));
      }
      if (judged === 0)
        return { untested: whole.length > 0 ? "No archive was fetched whole" : whyNotFetched(record) };
      return smallestOf(findings, record);
    },
  },
  "fidelity/rest-kept": {
    severity: "SHOULD",
    says: "A result that left something out says where to get it.",
    fix: "Keep what is cut and name it in content_archive_hashes, or offer pages or a filter.",
    source: "seed 001, Content Fidelity Levels",
    judge: (record) => {
      const cut = answeredIn(record).filter(({ result }) => {
        const { fidelity } = meaningOf(result).outcome.notes;
        return fidelity !== undefined && fidelity.level !== "full";
      });
      return judgeEach(record, cut, "No result says that something was left out", (answered) => {
        const hasMore = readPage(answered.result)?.cursor !== undefined;
        if (announcedBy(answered).length > 0 || hasMore) return [];
        return [findingOf(answered, "", "Something was left out, and nothing says where it is")];
      });
    },
  },
  "fidelity/cut-json": {
    severity: "SHOULD",
    says: "JSON in a text is whole, or a note beside it says that it was cut.",
    fix: "Leave out whole items, so that the rest stays JSON, and say how many are missing.",
    source: "seed 001, Content Fidelity Levels; a cut through JSON is read as an empty or wrong answer",
    judge: (record) => {
      const texts = answeredIn(record).filter(({ result }) => blockTexts(result).length > 0);
      return judgeEach(record, texts, "No result has a text", (answered) => {
        const { fidelity } = meaningOf(answered.result).outcome.notes;
        if ((fidelity?.level ?? "full") !== "full") return [];
        const at = blockTexts(answered.result).findIndex(isCutJson);
        if (at < 0) return [];
        return [findingOf(answered, "/content", "A text is JSON whose end is missing")];
      });
    },
  },
});
