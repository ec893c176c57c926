// Finds sentences in a definition that tell the model what to do beyond the use of the tool: the marks of a
// poisoned description. It promises to fire only on wording that no honest description needs, so it misses much;
// an honest "call list_projects first" is left alone.

interface Order {
  readonly what: string;
  readonly pattern: RegExp;
}

const MAX_READ = 20_000;

const orders: readonly Order[] = [
  {
    what: "sets other instructions aside",
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b(?: \w+){0,3} (?:previous|prior|above|earlier|preceding|system|other|all)(?: \w+){0,3} (?:instructions?|prompts?|rules|directions|guidelines|messages)\b/,
  },
  {
    what: "keeps something from the user",
    pattern:
      /\b(?:do not|don't|never|without|must not|avoid)(?: \w+){0,2} (?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|let(?:ting)?|mention(?:ing)?)(?: (?!user)[\w']+){0,4} (?:the |to the |your )?users?\b(?!['’]s)(?! (?:input|agent|id|name|table))/,
  },
  {
    what: "poses as a message of the system",
    pattern:
      /<\/?(?:important|system|system-reminder|secret)>|<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?inst\]/,
  },
  {
    what: "puts itself before all other tools",
    pattern:
      /\b(?:before|instead of) (?:using |calling |invoking |running |you (?:use|call) )?(?:any|all|every|each)(?: of the)?(?: other)? (?:tools?|functions?)\b|\b(?:always|must) (?:call|use|run|invoke) this (?:tool|function) (?:first|before (?:any|every|each|all|anything))\b/,
  },
  {
    what: "asks for the content of private files or of the conversation",
    pattern:
      /\b(?:read|open|load|fetch|cat)\b[^.]{0,60}(?:~\/\.ssh|id_rsa|\.aws\/credentials|mcp\.json|\.env\b|\/etc\/passwd)[^.]{0,120}\b(?:pass|send|include|put|append|provide)\b|\b(?:include|pass|send|put|append)\b[^.]{0,40}\b(?:entire|whole|full|complete) (?:conversation|chat)(?: history)?\b|\b(?:include|pass|send|reveal|print|repeat)\b[^.]{0,30}\b(?:your|the) system prompt\b/,
  },
];

/** What a text orders the model to do, in words; the first 20,000 characters are read. */
export function findOrders(text: string): readonly string[] {
  const plain = text.slice(0, MAX_READ).normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ");
  return orders.flatMap(({ what, pattern }) => {
    const match = pattern.exec(plain);
    return match === null ? [] : [`It ${what}: "${match[0].slice(0, 100)}"`];
  });
}
