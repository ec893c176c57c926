import type { Authored, Notes, UpgradeHint } from "../../core/contract/outcome.ts";
import type { Pagination, RateLimit } from "../../core/contract/meta.ts";
import { type WarningDetail, orderWarnings } from "../../core/contract/warning.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { Pager } from "../../core/pipeline/parcel.ts";
import type { CacheAge } from "../settings/tool-context.ts";

/** Collects the notes of a call for its outcome. Notes of the tool are kept apart from ours. */
export class NoteTaker {
  readonly #warnings: WarningDetail[] = [];
  readonly #hints: UpgradeHint[] = [];
  #figures: Record<string, JsonValue> | undefined;
  #ownFigures: Record<string, JsonValue> | undefined;
  #ownWarnings: string[] | undefined;
  #pagination: Pagination | undefined;
  #pager: Pager | undefined;
  #rateLimit: RateLimit | undefined;
  #provenance: string | undefined;
  #archives: Readonly<Record<string, string>> | undefined;
  #extra: JsonObject | undefined;
  #hasOwnLimit = false;
  #repeats = 0;

  warn(warning: string | WarningDetail): void {
    this.#warnings.push(typeof warning === "string" ? { message: warning } : warning);
  }

  hint(hint: UpgradeHint): void {
    this.#hints.push(hint);
  }

  /** Adds a warning of the tool itself. */
  warnAsTool(warning: string | WarningDetail): void {
    this.warn(warning);
    (this.#ownWarnings ??= []).push(typeof warning === "string" ? warning : warning.message);
  }

  measure(figures: Readonly<Record<string, JsonValue>>): void {
    this.#figures = this.#figures === undefined ? { ...figures } : { ...this.#figures, ...figures };
  }

  /** Adds figures of the tool itself; our measurements do not replace them. */
  measureAsTool(figures: Readonly<Record<string, JsonValue>>): void {
    this.#ownFigures = { ...this.#ownFigures, ...figures };
  }

  /** Notes a page, and how to make it shorter if that is known. */
  paginate(pagination: Pagination, pager?: Pager): void {
    this.#pagination = pagination;
    this.#pager = pager;
  }

  get pager(): Pager | undefined {
    return this.#pager;
  }

  limit(rateLimit: RateLimit): void {
    this.#rateLimit = rateLimit;
  }

  /** Notes that the contract refused the call before its tool ran. */
  refuse(): void {
    this.#provenance = "contract";
  }

  /** Notes that the call was sent to its server once more. It is for the access log, and stands in no outcome. */
  repeat(): void {
    this.#repeats += 1;
  }

  get repeats(): number {
    return this.#repeats;
  }

  /** Adds archives that the answer mentions, by their keys. */
  archive(archives: Readonly<Record<string, string>>): void {
    this.#archives = { ...this.#archives, ...archives };
  }

  get cacheHit(): boolean {
    return this.#telemetry()?.["cache_hit"] === true;
  }

  /** Adds notes that came with an answer. */
  take(notes: Notes): void {
    const { telemetry = {}, authored = {} } = notes;
    for (const warning of notes.warnings ?? []) {
      if (authored.warnings?.includes(warning.message) === true) this.warnAsTool(warning);
      else this.warn(warning);
    }
    for (const hint of notes.upgradeHints ?? []) this.hint(hint);
    if (notes.pagination !== undefined) this.paginate(notes.pagination);
    if (notes.fidelity !== undefined) this.archive(notes.fidelity.archives);
    if (notes.extra !== undefined) this.#extra = { ...this.#extra, ...notes.extra };
    if (notes.rateLimit !== undefined && authored.rateLimit === true) {
      this.#rateLimit = notes.rateLimit;
      this.#hasOwnLimit = true;
    }
    for (const [name, value = null] of Object.entries(telemetry)) {
      if (authored.telemetry?.includes(name) === true) this.measureAsTool({ [name]: value });
      else this.measure({ [name]: value });
    }
  }

  #telemetry(): Readonly<Record<string, JsonValue>> | undefined {
    if (this.#ownFigures === undefined) return this.#figures;
    return { ...this.#ownFigures, ...this.#figures, ...this.#ownFigures };
  }

  #authored(): Authored | undefined {
    const rateLimit = this.#hasOwnLimit;
    if (this.#ownFigures === undefined && this.#ownWarnings === undefined && !rateLimit) return undefined;
    const telemetry = this.#ownFigures && Object.keys(this.#ownFigures);
    return { telemetry, rateLimit, warnings: this.#ownWarnings };
  }

  toNotes(): Notes {
    return {
      warnings: this.#warnings.length > 0 ? orderWarnings(this.#warnings) : undefined,
      pagination: this.#pagination,
      rateLimit: this.#rateLimit,
      telemetry: this.#telemetry(),
      upgradeHints: this.#hints.length > 0 ? this.#hints : undefined,
      provenance: this.#provenance,
      // The answer is complete, so its level is full although it also has archives.
      fidelity: this.#archives && { level: "full", dropped: [], archives: this.#archives },
      extra: this.#extra,
      authored: this.#authored(),
    };
  }
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** An age in words: in the largest unit that gives at least two. */
function ageWords(seconds: number): string {
  const [unit, length] = units.find(([, size]) => seconds >= 2 * size) ?? ["second", 1];
  const count = Math.round(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The warning for data that is older than allowed, in the words and context of seed 001. */
export function staleCache({ ageSeconds, maxFreshnessSeconds }: CacheAge): WarningDetail {
  return {
    code: "STALE_CACHE",
    severity: "warning",
    message: `Cache data is ${ageWords(ageSeconds)} old`,
    context: { cache_age_seconds: ageSeconds, max_freshness_seconds: maxFreshnessSeconds },
  };
}
