// What a row of a settings table can say, and the types that follow from the rows. No Zod: `kind-schemas.ts` makes
// schemas of the kinds, for those who check values.

import type { ProfileName } from "../../core/contract/choices.ts";
import type { SpanRange } from "../../core/options/span.ts";

/** The kinds of values. */
export type SettingKind =
  | { readonly is: "toggle" | "text" | "strings" | "date" | "profile" | "tool-name" }
  /** A list of texts; `least` is what to say of an empty one. */
  | { readonly is: "texts"; readonly least?: string }
  /** Paths of data: a list, or lists by the name of a tier. */
  | { readonly is: "paths" | "paths-by-tier" }
  /** Texts by name; `strings` may be empty. */
  | { readonly is: "named-texts" | "named-strings" }
  | { readonly is: "choice" | "choices"; readonly of: readonly string[] }
  /** A whole number above 0, or "off". */
  | { readonly is: "amount"; readonly unit: string }
  | { readonly is: "whole" | "duration"; readonly min: number; readonly max?: number; readonly unit?: string }
  /** A length of time in words, such as "12h". */
  | ({ readonly is: "span" } & SpanRange)
  /** A value that a schema written by hand describes. */
  | { readonly is: "own" };

/** What to do with a long result in a dialect that cannot report what is missing. */
export const bareCuts = ["auto", "always", "never"] as const;
export type BareCuts = (typeof bareCuts)[number];

/** What is kept of results: the whole of those that leave something out, or nothing. */
export const archiveModes = ["off", "cuts"] as const;

export const validateModes = ["always", "never"] as const;
export type ValidateMode = (typeof validateModes)[number];

/** Whether a gateway on stdio counts its calls in the ledger of its user. */
export const ledgerChoices = ["on", "off"] as const;
export type LedgerChoice = (typeof ledgerChoices)[number];

/** One setting. A layer in which it cannot be set is left out. */
export interface Row {
  readonly kind: SettingKind;
  readonly default?: unknown;
  /** The default depends on another setting, so that no layer of defaults has it. */
  readonly follows?: true;
  /** An option of `createContract`. */
  readonly contract?: true;
  /** An option of `defineTool`, and of `toolSettings`. */
  readonly tool?: true;
  /** Code takes other values than a file, so `ContractOptions` has the option itself. */
  readonly otherInCode?: true;
  /** Only code can give it: the description in the docs. */
  readonly code?: string;
  /** A key of `waybill.config.json`, with the description that editors show. */
  readonly file?: string;
  /** A key below `tools.<name>`, with its description; true if that is the one of `file`. */
  readonly fileTool?: string | true;
  /** A key below `upstreams.<name>`, and an option of an upstream of `createGateway`. */
  readonly upstream?: string | true;
  /** The environment variable. */
  readonly variable?: `WAYBILL_${string}`;
  /** The option of a program's command line, and what `waybill gateway --help` says of it if it has that option. */
  readonly line?: `--${string}`;
  readonly gateway?: string;
  /** What a request calls it that asks for a value of its own, as far as `allow` lets it. */
  readonly asked?: string;
  /** The dashboard can change it: in general, for one tool. */
  readonly page?: true;
  readonly pageTool?: true;
  /** The value for a tool with a widget, unless the tool's own settings have another. */
  readonly widget?: unknown;
  /** For a setting of one tool: its path among the general settings, if that is another. */
  readonly general?: string;
  /** Only a file that was named may set it: editors start servers inside folders whose content others wrote. */
  readonly onlyNamed?: true;
  /** In a gateway: an option for a server that is started by a command, or is reached by a URL. */
  readonly byCommand?: true;
  readonly byUrl?: true;
}

/** Settings that are one object, such as `budget`. */
export interface SettingGroup extends Pick<Row, "file" | "fileTool" | "upstream" | "onlyNamed"> {
  readonly members: Readonly<Record<string, Row>>;
  /** What to write in code if the value is not an object. */
  readonly advice?: string;
}

export type SettingsTable = Readonly<Record<string, Row | SettingGroup>>;

/** The layers that a row can name. */
export type Facet = keyof Row;

type Named<Value> = Readonly<Record<string, Value>>;

type ValueOf<K extends SettingKind> = K extends { readonly of: infer Values extends readonly string[] }
  ? K["is"] extends "choices"
    ? readonly Values[number][]
    : Values[number]
  : K["is"] extends "toggle"
    ? boolean
    : K["is"] extends "amount"
      ? number | "off"
      : K["is"] extends "whole" | "duration"
        ? number
        : K["is"] extends "texts" | "strings" | "paths"
          ? readonly string[]
          : K["is"] extends "paths-by-tier"
            ? Named<readonly string[]>
            : K["is"] extends "named-texts" | "named-strings"
              ? Named<string>
              : K["is"] extends "own"
                ? unknown
                : K["is"] extends "profile"
                  ? ProfileName | (string & {})
                  : string;

/** The settings and groups of a table that can be set in a layer. */
export type Within<T, F extends string> = {
  [K in keyof T]: T[K] extends { readonly members: infer M }
    ? Within<M, F> extends never
      ? never
      : K
    : T[K] extends Readonly<Record<F, unknown>>
      ? K
      : never;
}[keyof T];

/** Settings in the words of code. The mapped types name the keys of `T`, so that editors show what is written at a row. */
export type Options<T, F extends string, K extends keyof T = Within<T, F>> = {
  readonly [P in K]?:
    | (T[P] extends { readonly members: infer M }
        ? Options<M, F>
        : T[P] extends { readonly kind: infer V extends SettingKind }
          ? ValueOf<V>
          : never)
    | undefined;
};

/** Settings in the words of a file. */
export type FileOf<T, F extends string> = {
  readonly [P in Within<T, F> as Snake<P & string>]?:
    | (T[P] extends { readonly members: infer M }
        ? FileOf<M, F>
        : T[P] extends { readonly kind: infer V extends SettingKind }
          ? ValueOf<V>
          : never)
    | undefined;
};

/** Settings that are complete: what has a default is there. */
export type Complete<T, F extends string> = {
  readonly [P in Within<T, F> & Within<T, "default"> & keyof T]: T[P] extends { readonly members: infer M }
    ? Complete<M, F>
    : T[P] extends { readonly kind: infer V extends SettingKind }
      ? ValueOf<V>
      : never;
} & Options<T, F, Exclude<Within<T, F>, Within<T, "default">>>;

/** The paths of settings in the words of a file: `budget.tokens`. */
export type PathsOf<T, F extends string> = {
  [P in Within<T, F> & string]: T[P] extends { readonly members: infer M }
    ? `${Snake<P>}.${Snake<Within<M, F> & string>}`
    : Snake<P>;
}[Within<T, F> & string];

/** `repairArguments` in a file: `repair_arguments`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";

export function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function isGroup(entry: Row | SettingGroup): entry is SettingGroup {
  return "members" in entry;
}
