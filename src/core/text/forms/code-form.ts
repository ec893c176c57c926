// Source code: declarations are its structure, and every line belongs to the declaration around it, by how far it is
// indented. Nothing is parsed: a text in a language that was never heard of has the same form.

import { findCode } from "../source-code.ts";
import { DECORATION, ORDINARY, STRUCTURE, type TextForm, lineEnd } from "./text-form.ts";

/** How many lines, from several places, decide whether a text is code. */
const SAMPLED_LINES = 120;
const SAMPLES = 3;
const SURE_SHARE = 0.7;
/** A declaration is at the beginning of its line. */
const HEAD_LENGTH = 240;

export function readCode(text: string, lineStarts: Int32Array): TextForm | undefined {
  const numbered = isNumbered(text, lineStarts);
  if (!isCode(text, lineStarts, numbered)) return undefined;
  const parents = new Int32Array(lineStarts.length).fill(-1);
  const ranks = new Uint8Array(lineStarts.length).fill(ORDINARY);
  /** The declarations that are open, and how far each is indented. */
  const open: Declared[] = [];
  let declared = 0;
  let isImporting = false;
  for (let line = 0; line < lineStarts.length; line++) {
    const head = headOf(text, lineStarts, line, numbered);
    const bare = head.trimStart();
    const isBlank = bare.trimEnd() === "";
    const indent = widthOf(head, head.length - bare.length);
    const closes = CLOSING.test(bare);
    // What closes a declaration is below its beginning, and belongs to it.
    if (!isBlank) endBodies(open, indent, closes);
    parents[line] = open.at(-1)?.line ?? -1;
    if (!isImporting && isDeclaration(bare, indent)) {
      declared++;
      ranks[line] = STRUCTURE;
      open.push({ line, indent });
      continue;
    }
    const imports: boolean = isImporting || IMPORT.test(bare);
    isImporting = imports && GOES_ON.test(bare);
    if (isBlank || closes || imports) ranks[line] = DECORATION;
  }
  return declared < 2 ? undefined : { kind: "code", parents, ranks };
}

/** The names of an import may be on lines of their own. */
const GOES_ON = /[{(,]\s*$/;

interface Declared {
  readonly line: number;
  readonly indent: number;
}

/** Ends the declarations that a line is not within. */
function endBodies(open: Declared[], indent: number, closes: boolean): void {
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (closes ? last.indent <= indent : last.indent < indent) return;
    open.pop();
  }
}

/** The number that tools which show files write before each line. */
const GUTTER = /^ {0,8}\d{1,7}(?:\t|→|: ?| ?\| ?|│)/;

function isNumbered(text: string, lineStarts: Int32Array): boolean {
  const lines = Math.min(lineStarts.length, SAMPLED_LINES);
  for (let line = 0; line < lines; line++) {
    const start = lineStarts[line] ?? 0;
    if (!GUTTER.test(text.slice(start, start + 16))) return false;
  }
  return true;
}

function headOf(text: string, lineStarts: Int32Array, line: number, isWithNumber: boolean): string {
  const start = lineStarts[line] ?? 0;
  const head = text.slice(start, Math.min(lineEnd(text, lineStarts, line), start + HEAD_LENGTH));
  return isWithNumber ? head.replace(GUTTER, "") : head;
}

const TAB_WIDTH = 4;

function widthOf(head: string, length: number): number {
  let width = 0;
  for (let at = 0; at < length; at++) width += head.charAt(at) === "\t" ? TAB_WIDTH : 1;
  return width;
}

/** A page that shows code has fences around it. */
const FENCE = /^(?:`{3,}|~{3,})/m;
const MARKUP = /^\s*<(?:!doctype|html|\?xml|svg|rss|feed)\b/i;

function isCode(text: string, lineStarts: Int32Array, numbered: boolean): boolean {
  if (MARKUP.test(text.slice(0, 200))) return false;
  const most = Math.max(0, lineStarts.length - SAMPLED_LINES);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = Math.floor((most * sample) / (SAMPLES - 1));
    const heads: string[] = [];
    for (let line = from; line < Math.min(lineStarts.length, from + SAMPLED_LINES); line++)
      heads.push(headOf(text, lineStarts, line, numbered).trimEnd());
    const shown = heads.join("\n");
    if (FENCE.test(shown) || !isMostlyCode(shown)) return false;
    if (most === 0) return true;
  }
  return true;
}

const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!#* )|--|;;|""")/gm;

/** By its characters: comments count neither as code nor as text. */
function isMostlyCode(shown: string): boolean {
  const length = wordsIn(shown);
  const spans = findCode(shown);
  let code = 0;
  for (const { start, end } of spans) code += wordsIn(shown.slice(start, end));
  const comments = [...shown.matchAll(COMMENT)].length;
  return code > 0 && code + comments * SHORT_LINE >= length * SURE_SHARE;
}

const SHORT_LINE = 20;

function wordsIn(text: string): number {
  return text.replaceAll(/\s+/g, "").length;
}

const CLOSING = /^(?:[\])}]+[;,)]*|end)\s*(?:\/\/.*)?$/;
const IMPORT =
  /^(?:import\b|from [\w.]+ import\b|use [\w:]+|using [\w.]+;|#include\b|(?:const|var|let) .{1,100}= require\(|package [\w.]+)/;

const MODIFIERS =
  "(?:(?:export|default|declare|abstract|async|public|private|protected|internal|static|readonly|override|final|virtual|sealed|partial|unsafe|inline|pub(?:\\([a-z]+\\))?|open|data|inner|suspend|local) ){0,6}";
const KEYWORDS =
  "(?:function\\*?|class|interface|enum|namespace|module|def|fn|func|fun|struct|impl|trait|type|record|protocol|extension|object|union|macro_rules!|sub)";

/** In any place: a keyword that declares, and a name. */
const DECLARATION = new RegExp(`^${MODIFIERS}${KEYWORDS}(?:[ (<]|$)[^=]{0,3}[A-Za-z_$([*&]`);
/** At the left margin: constants, and functions of C. */
const TOP = new RegExp(
  `^(?:${MODIFIERS}(?:const|let|var|static|val) [\\w$]+|[A-Za-z_][\\w*&:<>, ]{1,80}[ *&][\\w:~]+\\([^;]*$|CREATE |ALTER |[\\w-]+\\(\\) ?\\{)`,
);
/** Within a declaration: a method, or a member that is a function. */
const METHOD = new RegExp(
  `^${MODIFIERS}(?:(?:get|set|async) )?(?:[\\w<>\\[\\],.?]{1,60} ){0,3}[#\\w$]+(?:<[^(]{0,60}>)?\\([^;]*(?:\\{|,|\\()\\s*$`,
);
const MEMBER = /^[#\w$]+ ?[:=] ?(?:async )?(?:function\b|\([^)]{0,160}\) ?(?::[^=]{0,60})?=>)/;
/** Tests say in a sentence what they show. */
const NAMED_TEST = /^(?:describe|it|test|suite)(?:\.[\w.]{1,40})?(?:\(\[.{0,80}\]\))?\(\s*["'`]/;
const STATEMENT =
  /^(?:(?:if|else|for|foreach|while|switch|catch|return|throw|await|yield|do|try|with|elif|except|case|when|new|delete|assert|expect|print|super|this|unless|until|using|lock|match|not|and|or|in|is|raise|test)\b|\})/;

function isDeclaration(bare: string, indent: number): boolean {
  if (NAMED_TEST.test(bare)) return true;
  if (STATEMENT.test(bare)) return false;
  if (DECLARATION.test(bare)) return true;
  if (indent === 0) return TOP.test(bare);
  return METHOD.test(bare) && !/^[\w$.]+\(.*\($/.test(bare) ? HAS_BODY.test(bare) : MEMBER.test(bare);
}

const HAS_BODY = /\{\s*$/;
