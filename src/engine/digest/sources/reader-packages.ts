// PDF, HTML and Markdown are read by packages of others. They are optional peers: most servers digest nothing, and these
// packages would be the larger half of an install.

import { ContractError } from "../../../core/contract/contract-error.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";

export const readerKinds = ["html", "markdown", "pdf"] as const;

/** The kinds of documents that need packages; plain text needs none. */
export type ReaderKind = (typeof readerKinds)[number];

/** What each kind is read with, in the versions that our tests run with. */
export const readerPackages: Readonly<Record<ReaderKind, Readonly<Record<string, string>>>> = {
  html: { htmlparser2: "12.0.0", linkedom: "0.18.12", "@mozilla/readability": "0.6.0" },
  markdown: { "markdown-it": "15.0.3", htmlparser2: "12.0.0" },
  pdf: { unpdf: "1.7.0" },
};

const names: Readonly<Record<ReaderKind, string>> = { html: "HTML", markdown: "Markdown", pdf: "PDF" };

/** What npm installs for some kinds, each package once: `unpdf@1.7.0`. */
export function packagesFor(...kinds: readonly ReaderKind[]): readonly string[] {
  const wanted = kinds.flatMap((kind) => Object.entries(readerPackages[kind]));
  return [...new Set(wanted.map(([name, version]) => `${name}@${version}`))];
}

/** What a kind of document lacks here, without a full stop: a command says in its own words what to run. */
export function describeMissing(kind: ReaderKind): string {
  const packages = Object.keys(readerPackages[kind]);
  const last = packages.at(-1) ?? "";
  return packages.length === 1
    ? `Reading ${names[kind]} needs the package ${last}, which is not installed`
    : `Reading ${names[kind]} needs the packages ${packages.slice(0, -1).join(", ")} and ${last}, which are not all installed`;
}

const REASON = "reader_missing";

const insteadOf: Readonly<Record<ReaderKind, string>> = {
  html: "Pass the visible text of the page as plain text",
  markdown: "Pass the document as plain text",
  pdf: "Pass the text of the document as plain text",
};

/**
 * A document whose reader is not installed. The fault tells a model what to do instead; its cause tells the author what
 * to install, and only the log and the caller of the library get that.
 */
export function missingReader(kind: ReaderKind, cause?: unknown): ToolFault {
  const packages = packagesFor(kind);
  const forAuthor = new ContractError(
    "INVALID_OPTION",
    `${describeMissing(kind)}: run \`npm i ${packages.join(" ")}\`.`,
    { packages: [...packages] },
    cause === undefined || isNotFound(cause) ? {} : { cause },
  );
  // Its sentence says all, and it is logged with every such document.
  forAuthor.stack = `${forAuthor.name}: ${forAuthor.message}`;
  return new ToolFault(`${names[kind]} cannot be read here: its reader is not installed`, {
    errorCode: "NOT_IMPLEMENTED",
    remediation: `${insteadOf[kind]}, or ask the operator to install the reader of ${names[kind]}.`,
    details: { reason: REASON, document_type: kind },
    cause: forAuthor,
  });
}

/** The kind of document that an error says no reader is installed for; undefined for every other error. */
export function missingKind(error: unknown): ReaderKind | undefined {
  if (!ToolFault.isInstance(error) || error.details?.["reason"] !== REASON) return undefined;
  return readerKinds.find((kind) => kind === error.details?.["document_type"]);
}

/** For `import("…").catch(…)`, the form that tells bundlers that the package may be missing. */
export function refuseFor(kind: ReaderKind): (cause: unknown) => never {
  return (cause) => {
    throw missingReader(kind, cause);
  };
}

function isNotFound(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
}
