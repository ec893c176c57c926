// Every setting, once: what it is called, which values it takes, its default, and where it can be set. Types, checks of
// options and files, the JSON Schema, the environment, the dashboard's editor, `waybill config` and docs/reference/settings.md
// come from these rows. A file writes a name with underscores: `repair_arguments`. The comment above a row is what editors
// show for the option in code.

import { dialectChoices, dialectIds } from "../../core/contract/dialect-id.ts";
import { readerChoices } from "../../core/readers/readers.ts";
import { deliveryModes } from "../../core/pipeline/parcel.ts";
import { dataEncodings, fitStrategies } from "../../core/pipeline/pipeline-context.ts";
import { fileTable } from "./file-table.ts";
import { storeTable } from "./store-table.ts";
import { type SettingsTable, bareCuts, ledgerChoices } from "./table-types.ts";

const toggle = { is: "toggle" } as const;
const paths = { is: "paths" } as const;
const dialect = { is: "choice", of: dialectChoices } as const;
const strategy = { is: "choice", of: fitStrategies } as const;
const dialects = { is: "choices", of: dialectIds } as const;

export const settingTable = {
  /**
   * The form of results. "auto" chooses plain or response-v2 for each result, and leaves results unchanged if
   * it can.
   */
  dialect: {
    kind: dialect,
    default: "response-v2",
    contract: true,
    tool: true,
    file: "The form in which results are written; auto takes plain or response-v2, result by result. Default: response-v2; of the gateway: auto.",
    fileTool: "The dialect of this tool, or auto: plain or response-v2, result by result.",
    upstream: "The form in which results of this server are written. Default of the gateway: auto.",
    variable: "WAYBILL_DIALECT",
    line: "--dialect",
    gateway: "the form of results (default: auto)",
    asked: "dialect",
  },
  /** Further dialects that a request may choose for this tool. */
  dialects: { kind: dialects, tool: true, fileTool: "Further dialects a request may choose for this tool." },
  /** How much metadata results show: minimal, standard, debug, or a profile of the configuration. */
  profile: {
    kind: { is: "profile" },
    default: "standard",
    follows: true,
    contract: true,
    tool: true,
    file: "How much metadata is shown. Default: standard; minimal in the scalpel dialect and under auto.",
    fileTool: "The profile of this tool.",
    upstream: "How much metadata its results show.",
    variable: "WAYBILL_PROFILE",
    line: "--profile",
    gateway:
      "how much metadata an envelope carries: minimal, standard, debug or one of the configuration (default: minimal)",
    asked: "profile",
    page: true,
    pageTool: true,
  },
  /** Which channels of the results carry the envelope. */
  delivery: {
    kind: { is: "choice", of: deliveryModes },
    default: "mirror",
    contract: true,
    tool: true,
    file: "Which channels of a tool result carry the envelope. Default: mirror.",
    fileTool: "Which channels of this tool's results carry the envelope.",
    upstream: "Which channels of its results carry the envelope.",
    line: "--delivery",
  },
  /**
   * What reads the results: "auto" (the client, recognised by its name), a client of `waybill clients`, or
   * "program" for code that reads results itself, for which nothing is cut or folded.
   */
  reader: {
    kind: { is: "choice", of: readerChoices },
    default: "auto",
    contract: true,
    tool: true,
    file: "What reads the results: auto recognises the client by its name, program is code that reads results itself, for which nothing is cut or folded; or a client of `waybill clients`. Default: auto.",
    fileTool: "What reads the results of this tool.",
    upstream: "What reads the results of this server.",
    variable: "WAYBILL_READER",
    line: "--reader",
    gateway:
      "what reads the results: a client of `waybill clients`, or program (default: by the client's name)",
  },
  /**
   * How lists of similar objects in `data` are written: "json" (the default), as they are; "table", as columns and rows
   * where that is shorter; "dense-table", with what repeats stated once. How well models read tables was not measured.
   */
  encoding: {
    kind: { is: "choice", of: dataEncodings },
    default: "json",
    contract: true,
    tool: true,
    file: "How lists of like objects are written in data: as they are (json), as columns and rows where that is shorter (table), or with what repeats stated once (dense-table). Default: json.",
    fileTool: "How lists of like objects are written in this tool's data.",
    upstream: "How lists of like objects are written in its data.",
    line: "--encoding",
    widget: "json",
  },
  /**
   * Results without what a model does not need: nulls, empty values, links of an API, opaque ids, spaces of JSON.
   * What is left out is named and archived. Default: false.
   */
  lean: {
    kind: toggle,
    default: false,
    contract: true,
    tool: true,
    file: "Whether results leave out what a model does not need: nulls, empty values, links of an API, opaque ids. What is left out is named and archived. Default: false.",
    fileTool: "Whether this tool's results leave out what a model does not need, named and archived.",
    upstream: "Whether its results leave out what a model does not need, named and archived.",
    variable: "WAYBILL_LEAN",
    line: "--lean",
    gateway: "results leave out nulls, empty values, API links and opaque ids: named, and archived",
    // A widget reads the tool's own data.
    widget: false,
  },
  /**
   * The server gives text that others wrote: its results stand between two lines that say so, and that no content can
   * imitate. Default: false.
   */
  untrusted: {
    kind: toggle,
    default: false,
    contract: true,
    file: "Whether results stand between two lines that say: this is data, and no instruction. No content can imitate them. Default: false.",
    upstream: true,
    line: "--untrusted",
    gateway: "results stand between two lines that say: this is data from a server, and no instruction",
    onlyNamed: true,
  },
  /** Tools take a question about their result, in the optional argument `_waybill_select`. Default: false. */
  select: {
    kind: toggle,
    default: false,
    contract: true,
    tool: true,
    file: "Whether tools take a question to their result, in the argument _waybill_select. Default: false.",
    fileTool: "Whether this tool takes a question to its result, in the argument _waybill_select.",
    upstream: "Whether its tools take a question to their result, in the argument _waybill_select.",
    variable: "WAYBILL_SELECT",
    line: "--select",
    gateway: "every tool takes a question to its result, in the argument _waybill_select",
    // A widget shows the tool's own data, and could not use the answer to a question.
    widget: false,
  },
  /**
   * Repairs arguments that a tool's schema refuses, if their meaning is certain: `"5"` for a number, `null`
   * for an absent field. Each answer then has the warning ARGUMENT_REPAIRED. Default: true.
   */
  repairArguments: {
    kind: toggle,
    default: true,
    contract: true,
    tool: true,
    file: "Whether arguments that a tool's schema refuses are repaired where that is sure. Default: true.",
    fileTool: "Whether this tool's arguments are repaired where that is sure.",
    variable: "WAYBILL_REPAIR_ARGUMENTS",
    line: "--repair-arguments",
  },
  /**
   * Adds the tool `server` to each server object: with `action: "capability-negotiate"`, a model asks it for
   * a form of answers. Default: false.
   */
  serverTool: {
    kind: toggle,
    default: false,
    contract: true,
    file: "Whether a server of your own has the tool server, by which a model asks for a form of answers. Default: false.",
  },
  /**
   * The dialect of an upstream server, behind `attachContract` or a gateway: its results are read in that
   * form and not wrapped again. Default: "auto", which recognises the forms that identify themselves.
   */
  upstream: {
    file: "What servers that are not yours speak: those behind the gateway or attachContract.",
    fileTool: "What a server that is not yours answers for this tool.",
    upstream: "What this server speaks itself, so that its results are read and not wrapped again.",
    members: {
      dialect: {
        kind: dialect,
        default: "auto",
        contract: true,
        tool: true,
        file: "The form that the server speaks: one of the six, or auto, which recognises what shows by itself. Default: auto.",
        fileTool: true,
        upstream: true,
        line: "--upstream-dialect",
        gateway:
          "the form that the server itself speaks, so that its results are not wrapped again (default: auto)",
      },
    },
  },
  /** Paths of the data to keep, such as `tasks[*].id`; an empty list keeps all. */
  includeOnly: {
    kind: paths,
    tool: true,
    fileTool: "Paths of data to keep, such as tasks[*].id; an empty list keeps all.",
    pageTool: true,
  },
  /** Paths of the data to leave out. */
  exclude: { kind: paths, tool: true, fileTool: "Paths of data to leave out.", pageTool: true },
  includeOnError: {
    kind: paths,
    fileTool: "Paths of data that are kept on an error even if they are filtered.",
    pageTool: true,
  },
  excludeWhenTier: {
    kind: { is: "paths-by-tier" },
    fileTool: "Paths of data to leave out for callers of a tier.",
  },
  /** What a result may cost before it is cut. */
  budget: {
    advice: "Write { tokens, bytes }.",
    file: "What a result may cost. Default: 8000 tokens, bytes off.",
    fileTool: "What a result of this tool may cost; a part that is left out is that of the general budget.",
    upstream: "What a result of this server may cost.",
    members: {
      tokens: {
        kind: { is: "amount", unit: "tokens" },
        default: 8000,
        contract: true,
        tool: true,
        file: 'Most tokens a result may cost, or "off".',
        fileTool: true,
        upstream: true,
        variable: "WAYBILL_BUDGET_TOKENS",
        line: "--budget",
        gateway: 'the most tokens of a result, or "off" (default: 8000)',
        asked: "budget_tokens",
        page: true,
        pageTool: true,
        widget: "off",
      },
      bytes: {
        kind: { is: "amount", unit: "bytes" },
        default: "off",
        contract: true,
        tool: true,
        file: 'Most bytes a result may have, or "off".',
        fileTool: true,
        upstream: true,
        line: "--budget-bytes",
        page: true,
        pageTool: true,
        widget: "off",
      },
    },
  },
  /** Which items of a long list are kept when a result is cut, or whether one long text is digested. */
  strategy: {
    kind: strategy,
    tool: true,
    fileTool: "Which items of this tool's long lists stay, or whether its long texts are digested.",
    general: "fit.strategy",
  },
  /** How a tool of another server reports failures that it does not mark. */
  failures: {
    advice: "Write { startsWith }.",
    fileTool: "How this tool of another server reports failures that it does not mark.",
    members: {
      /** Beginnings of texts that are failures, such as "Error: ": a result with such a text has failed. */
      startsWith: {
        kind: { is: "texts", least: "Write at least one beginning." },
        tool: true,
        fileTool: 'Beginnings of texts that are failures, such as "Error: ".',
      },
    },
  },
  /** How results over the budget are cut. */
  fit: {
    file: "How results are cut to the budget.",
    upstream: "How its results are cut to the budget.",
    members: {
      /** Which items of a long list, and which lines of a long text, are kept. */
      strategy: {
        kind: strategy,
        default: "head",
        contract: true,
        file: "What stays of a long list or text: the first items (head), those that match the words of the call (relevance), or some of the first and the last with those that match between them (auto). digest does what relevance does, and sends one long text as a digest. Default: head; of the gateway: auto.",
        upstream: true,
      },
      /** Images and other bytes above this size go to the archive. */
      maxBlobBytes: {
        kind: { is: "amount", unit: "bytes" },
        default: 1_048_576,
        contract: true,
        file: 'Images and other bytes above this go to the archive, or "off". Default: 1048576.',
        upstream: true,
      },
      clientLimits: {
        kind: toggle,
        default: false,
        otherInCode: true,
        file: "Lower the budget to the limit of a reader known by its client's name. Default: false; of the gateway: true.",
        upstream: true,
      },
      /** Whether results in dialects without an envelope may be cut. Default: only for tools without an output schema. */
      withoutEnvelope: {
        kind: { is: "choice", of: bareCuts },
        default: "auto",
        contract: true,
        file: "Whether results in drf, plain and response-v1 may be cut: only without an output schema (auto), always (then no schema is listed), or never. Default: auto.",
        upstream: true,
      },
    },
  },
  ...storeTable,
  ledger: {
    kind: { is: "choice", of: ledgerChoices },
    default: "on",
    file: "Whether a gateway on stdio counts its calls in the ledger of its user, a file of counts that waybill ledger shows. Default: on.",
    variable: "WAYBILL_LEDGER",
    line: "--ledger",
    gateway:
      "whether calls on stdio are counted in a file of yours, which `waybill ledger` shows (default: on)",
  },
  /** The tool that gives back what was cut. */
  retrieve: {
    file: "The tool that gives back what was cut.",
    upstream: "The tool that gives back what was cut of its results.",
    onlyNamed: true,
    members: {
      /** The tool's name. Default: `waybill_retrieve`. */
      name: {
        kind: { is: "tool-name" },
        contract: true,
        file: "What the tool is called. Default: waybill_retrieve; of a gateway on stdio that has a name, that name and _retrieve. A change waits for a restart.",
        upstream: true,
        line: "--retrieve-name",
        gateway:
          "what the tool is called that gives back what was cut (default: <name>_retrieve with --name on stdio, else waybill_retrieve)",
      },
    },
  },
  /** What a request may choose for itself. */
  allow: {
    file: "What a request may choose for itself.",
    upstream: "What a request to it may choose for itself.",
    onlyNamed: true,
    members: {
      dialects: {
        kind: dialects,
        default: [],
        contract: true,
        file: "Dialects a request may choose besides the configured one.",
        upstream: true,
      },
      profiles: {
        kind: { is: "texts" },
        default: ["minimal", "standard"],
        contract: true,
        file: "Profiles a request may choose; never debug. Default: minimal, standard.",
        upstream: true,
      },
      maxBudgetTokens: {
        kind: { is: "whole", min: 1, unit: "tokens" },
        contract: true,
        file: "Most tokens a request may ask for. Default: no cap.",
        upstream: true,
      },
      budgetOff: {
        kind: toggle,
        default: false,
        contract: true,
        file: "Whether a request may switch the budget off. Default: false.",
        upstream: true,
      },
    },
  },
  /** Which results have their secrets masked. What counts as a secret is said in code. */
  redact: {
    file: "Which results have their secrets masked, besides failures. A change waits for a restart.",
    onlyNamed: true,
    members: {
      successes: {
        kind: toggle,
        default: false,
        file: "Mask secrets in successes too, before they are cut and archived. Default: false.",
        line: "--redact-successes",
        gateway: "secrets are masked in successes too, before they are cut and archived",
      },
    },
  },
  ...fileTable,
} as const satisfies SettingsTable;

export type SettingTable = typeof settingTable;
