import { freshNames, givenFile, givenNames } from "./given-names.ts";
import type { Block } from "./read-blocks.ts";
import { publicNames } from "../../scripts/site/public-names.ts";

/** Words of the code itself: what is in comments and texts is not meant. */
function wordsOf(code: string): Set<string> {
  const bare = code
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, (text) =>
      [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, used]) => used).join(" "),
    )
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""')
    .replaceAll(/\/\/.*$/gm, "");
  return new Set(Array.from(bare.matchAll(/(?<![.\w])(?:\.\.\.)?([A-Za-z_]\w*)/g), ([, word = ""]) => word));
}

function declaredIn(code: string): Set<string> {
  const simple = code.matchAll(/\b(?:const|let|function|class|type|interface)\s+(\w+)/g);
  const taken = code.matchAll(/\b(?:const|let)\s*[{[]([^=]*?)[}\]]\s*=/g);
  const imported = code.matchAll(/\bimport\s+(?:type\s+)?(?:\*\s+as\s+(\w+)|(\w+)|\{([^}]*)\})/g);
  const names = [
    ...Array.from(simple, ([, name = ""]) => name),
    ...[...taken, ...imported].flatMap((match) =>
      match.slice(1).flatMap((list) =>
        (list ?? "").split(",").map(
          (item) =>
            item
              .trim()
              .split(/\s*:\s*|\s+as\s+/)
              .at(-1) ?? "",
        ),
      ),
    ),
  ];
  return new Set(names.map((name) => name.replace(/^type /, "").replace(/\s*=.*$/, "")));
}

function importLine(names: readonly string[], from: string): string[] {
  return names.length === 0 ? [] : [`import { ${names.join(", ")} } from ${JSON.stringify(from)};`];
}

/** Whether a comment behind an expression is its value, such as `// "DUPLICATE_ENTRY"`, and no remark. */
function isLiteral(text: string): boolean {
  const isWhole = /^(?:undefined|true|false|null|-?\d[\d_.]*|"(?:[^"\\]|\\.)*"|[[{][^]*[\]}])$/.test(text);
  // A bare word inside, or an ellipsis, means something that is not shown.
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return isWhole && !/[{,]\s*\w+\s*[,}]|…/.test(bare);
}

const expression = String.raw`^((?:await )?[\w.]+\([^\n]*\)[\w.?]*)`;

/** `call(…); // value`, or with the value on the lines below, becomes a comparison with that value. */
function compareShown(code: string): string {
  return code
    .replaceAll(new RegExp(`${expression}; +// (.*)$`, "gm"), (line, call: string, text: string) => {
      // A remark may follow the value: `"response-v1", and a log line`.
      const value = /^("(?:[^"\\]|\\.)*")[,:] /.exec(text)?.[1] ?? text;
      return isLiteral(value) ? `await shown(${call}, ${value});` : line;
    })
    .replaceAll(
      new RegExp(`${expression};\\n((?:// .*\\n?)+)`, "gm"),
      (lines, call: string, text: string) => {
        const value = text.replaceAll(/^\/\/ /gm, "").trim();
        if (value.startsWith("ContractError "))
          return `await shownThrow(() => ${call}, ${JSON.stringify(value)});\n`;
        return isLiteral(value) ? `await shown(${call}, ${value});\n` : lines;
      },
    );
}

/** What the last statement gives is what the block gives. */
function returnLast(code: string): string {
  const lines = code.split("\n");
  const at = lines.findLastIndex(
    (line) => /^[A-Za-z]/.test(line) && !/^(?:const|let|throw|return)\b/.test(line),
  );
  return at === -1 ? code : [...lines.slice(0, at), `return ${lines[at]}`, ...lines.slice(at + 1)].join("\n");
}

/**
 * A module around a block, for a folder in .cache/: its imports, what the page takes for granted, the package's names
 * that it uses, and a function that runs it. If it is asked, the function gives the value of the last statement.
 */
export function prepareBlock(block: Block, isAsked: boolean): string {
  const imports: string[] = [];
  const body = block.code.replaceAll(/^import [^;]*;$/gm, (line) => {
    imports.push(line.replaceAll("\n", " "));
    return "";
  });
  const declared = declaredIn(block.code);
  const missing = [...wordsOf(body)].filter((word) => !declared.has(word));
  const granted = missing.flatMap((word) => givenNames.get(word) ?? []);
  const entryOf = new Map(publicNames.toReversed().map((known) => [known.name, known]));
  const ours = missing.flatMap((word) => (givenNames.has(word) ? [] : (entryOf.get(word) ?? [])));
  const byEntry = [...new Set(ours.map(({ entry }) => entry))].flatMap((entry) =>
    importLine(
      ours.filter((one) => one.entry === entry).map(({ name, isType }) => (isType ? `type ${name}` : name)),
      entry,
    ),
  );
  return [
    ...imports,
    ...byEntry,
    ...importLine(["fresh", "shown", "shownThrow", ...granted], `../../${givenFile}`),
    // Where a block ends by throwing, what comes behind it is not reached.
    "export async function block() {",
    ...missing.filter((word) => freshNames.has(word)).map((word) => `const ${word} = fresh.${word}();`),
    compareShown(isAsked ? returnLast(body) : body),
    "}",
    "void [fresh, shown, shownThrow];",
    "",
  ].join("\n");
}
