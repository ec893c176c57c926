// Sentences of English manuals that do not say of what they speak, although they begin with no pronoun: "Returns true
// if …" has its subject in the heading above, and "The function is called …" does not say which one. Such texts are
// full of them; in other languages they are rarer, and not looked for.

/** What manuals say that functions, options and commands do. */
const VERBS =
  "accept add allow append apply assign attach avoid begin bind break build cache call cause change check clean clear close collect " +
  "combine compare compile compute configure connect contain control convert copy count create decode default define " +
  "delete describe detect determine disable display emit enable encode end ensure escape evaluate execute exit expand " +
  "expect export expose extend extract fail fetch filter find fire flush follow force format generate get give handle " +
  "hide hold ignore implement import include increase indicate inherit initialize insert install invoke iterate join keep " +
  "let limit link list listen load log look make manage map mark match merge move normalize notify offer open output " +
  "override parse pass perform pick prevent print process produce provide push put read receive record reduce register " +
  "reject release remove rename render replace report represent require reset resolve restore return run sample save scan " +
  "search select send serialize serve set show skip sort specify split start stop store stream strip supply support " +
  "queue switch take tell test throw track transform trigger trim truncate try turn update use validate verify wait walk " +
  "want work wrap write yield";

function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

const baseForms = VERBS.split(" ");
const thirdPersons = baseForms.map(thirdPerson);
const END = "(?![\\p{L}\\p{N}-])";

/** Some of these are plural nouns too; then what follows is a verb or what belongs to a noun. */
const BEGINS_WITH_VERB = new RegExp(
  `^(?:(?:\\p{L}+ly |always |never |also |only )+|(?:if|when)(?:ever)? .*, )?(?:works|applies|\\p{L}+(?:izes|ifies)|(?:${thirdPersons.join("|")})` +
    `(?! (?:are|can|that|which|who|have|were|will|must|should|may|might|do|of|and|or|in|on|from|like|such|whose)${END}))${END}`,
  "u",
);
/** "Parses and prints …". */
const BEGINS_WITH_VERBS = new RegExp(
  `^(?:${thirdPersons.join("|")}) (?:and|or) (?:\\p{L}+(?:izes|ifies)|${thirdPersons.join("|")})${END}`,
  "u",
);
/** Other beginnings without a subject, or without the thing that is compared. */
const WITHOUT_SUBJECT =
  /^(?:(?:can|cannot|can't|could|would|won't|may|must|should|will|has|is|are|was|were|same as|similar to|built|based|detected|used|useful|called|invoked|passed|written|generated|licensed|inspired|powered|consider|check out|take a (?:look|glance)|(?:an? )?(?:array|list|callback|map|set) (?:of|that|to|with)|custom|example|examples|description|other|try|read (?:the|a|about|detailed)|thanks to|none of|whether|does|do not|doesn't|don't|\p{L}+ed (?:on|in|by|with|from|under|as|to|at|for|using|via|when|if|once|after|before))(?! you)|like [^ ]+,? but|(?:if|when) (?:truthy|falsy|true|false|set|none|provided|omitted|given|enabled|disabled|present|specified|passed|used|(?:not )?\p{L}+ed(?=,)|an? (?:function|string|array|object)|null|undefined))(?![\p{L}\p{N}])/u;
/** What a reader is asked to do or think of, before it is said what that is for; and what a function gives. */
const SUPPOSES =
  /^(?:just|i|i'm|i've|below|above|simply|returns?|suppose|assume|imagine|say,|let's say|let us say|consider an?)(?![\p{L}\p{N}])/u;
/** A noun that a manual has many of, without what tells which. */
const WHICH_ONE =
  /^(?:(?:an?|another|one) (?:[\p{L}-]+ ){0,2}example(?![\p{L}\p{N}])|the (?:\p{L}+ )?(?:functions?|methods?|options?|property|properties|values?|arguments?|parameters?|callbacks?|objects?|commands?|results?|output|fields?|flags?|strings?|array|list|number|default|behaviou?r|changes?|feature|idea|reason|difference|problem|solution|answer|approach|extension|plugin|script|class|rules?|errors?|message|key|name|file|code|signature|example|prompt|utility|handlers?|session|transformation|caller|improvements?|changes|fix|issue|bug|process|procedure|technique|workaround|call|request|response|test|tests|latter|former)(?:'s? |,? (?!(?:of|for|that|which|who|whose|in|on|from|to|with|between|by|at|you|we|they|under|inside|when|where|used|passed|given|returned|called|named|[\p{L}\p{N}]+(?:\(|\.\p{L}|_)[^ ]*)(?![\p{L}\p{N}]))\p{L})|(?:an?|one|the|another) (?:\p{L}+ )?(?:solution|alternative|workaround|way|option|approach|trick|reason|exception|difference|benefit|advantage|drawback) (?:is|are|was|would|could|might|here)(?![\p{L}\p{N}]))/u;
/** Within the first words, these say that something came before. */
const ADDS =
  /^(?:[^\s,;:]+ ){1,4}(?:also|too|instead|otherwise|therefore|thus|hence|either case|as well)(?![\p{L}\p{N}])/u;
/** A pronoun so early has nothing before it that it could mean: "We use it", "To understand them". */
const EARLY_PRONOUN = /^(?:[^\s,;:]+ ){1,3}(?:it|them|they|its|their)(?![\p{L}\p{N}])/u;
/** "As a side effect it …", "On Windows, it …": the circumstance is no antecedent. */
const AFTER_CIRCUMSTANCE =
  /^(?:as|on|in|at|for|by|with|from|under|without|during|after|before|by default) (?:[^\s,;:]+ ){0,4}[^\s,;:]+,? (?:it|they|its|their|them)(?![\p{L}\p{N}])/u;
/** "There are two things that can cause it." */
const ENDS_WITH_PRONOUN = /^there (?:are|is|was|were) .* (?:it|them)[.!]*$/u;
/** More than what was said before. */
const ADDS_MORE =
  /^(?:there (?:is|are|'s) |there's )?(?:(?:lots|plenty|some) (?:more |of (?:other|examples?))|(?:(?:many|some|a few) )?more |(?:all|any|every|the|some|many) other |other |additional |further )/u;
/** "If the value is negative": which one only its heading tells; "Disabling allows …": what is disabled. */
const OF_WHICH =
  /^(?:(?:the )?(?:first|second|third|last) (?:argument|parameter|option)|(?:if|when|given|once|as soon as) [^,]*, it(?!'s)|(?:if|when) the (?:value|string|option|function|result|object|argument|callback|array|number|property|file|name) (?:is|was|has|does|returns|contains|exists)|(?:while |although |if |when )?each (?:change|check|instance|case|step|item|test|entry|section)|\p{L}+ing (?:allows|enables|makes|causes|will|can|is|may))(?![\p{L}\p{N}])/u;
const DECIDES =
  /^(?:determines|decides|specifies|controls|indicates|defines|says) (?:which|whether|how|if|what|when|where)(?![\p{L}\p{N}])/u;
const COUNTS_ON = /^(?:first|second|third|last)(?:ly)?,/u;

const forms = [
  BEGINS_WITH_VERB,
  BEGINS_WITH_VERBS,
  WITHOUT_SUBJECT,
  SUPPOSES,
  WHICH_ONE,
  ADDS,
  EARLY_PRONOUN,
  AFTER_CIRCUMSTANCE,
  ENDS_WITH_PRONOUN,
  ADDS_MORE,
  DECIDES,
  OF_WHICH,
  COUNTS_ON,
];

/** Whether a sentence in lower case is one of these. */
export function isEnglishFragment(sentence: string): boolean {
  return forms.some((form) => form.test(sentence));
}

/** Words that only English has so often. */
const ENGLISH =
  /(?<![\p{L}\p{N}'-])(?:the|of|and|with|for|to|that|is|are|you|your|from|by|or|if|any|each|every|other|itself|which|when|not|be|has|have|can|all)(?![\p{L}\p{N}-])/gu;
const MIN_ENGLISH = 2;
/** What begins a clause of its own; a verb in it is not that of the sentence. */
const SUBORDINATE =
  /(?<![\p{L}\p{N}'-])(?:that|which|who|whose|where|how|if|when|whether|because|since|while|so)(?![\p{L}\p{N}-]).*$/u;
const OPENS_SUBORDINATE =
  /^(?:if|when|whenever|whether|unless|while|because|since|although|though|once|until|as|after|before)(?![\p{L}\p{N}-])/u;
const PREPOSITIONS =
  "of|in|on|at|to|for|with|from|by|as|and|or|but|under|over|into|than|then|between|through|per|via|about|using|without|within|after|before|during|like|that|not|such|also|are|any|both";
/** The verbs of a sentence, as far as lists and endings tell them from nouns. */
const FINITE = new RegExp(
  "(?<![\\p{L}\\p{N}-])(?:is|are|was|were|isn't|aren't|wasn't|can|could|cannot|can't|will|won't|would|shall|should|must|may|might|" +
    "has|have|had|do|does|did|fell|began|made|came|went|took|gave|got|saw|said|told|found|built|left|led|won|lost|met|sent|kept|held|stood|brought|thought|wrote|ran|grew|rose|drew|knew|don't|doesn't|didn't|need|needs|becomes?|became|gives?|takes?|comes?|goes|means?|requires?|" +
    `there's|here's|you're|we're|they're|it's|that's|${thirdPersons.join("|")})${END}` +
    "|(?<![\\p{L}\\p{N}-])(?:you|we|they|i|never|always|not|only|usually|both|[\\p{L}]+s) " +
    `(?:${baseForms.join("|")}|depend|exist|expand|live|come|go|mean|need|see|become|work|look|vary|differ|run|apply)${END}` +
    "| (?!used|based|called|named|needed|required|provided|supported|related|connected)\\p{L}{2,}ed(?![\\p{L}\\p{N}-])" +
    // Any other verb shows by what follows: "grinds wheat", but not "styles per cell"; "pay 28 coins", but not "of the".
    `| \\p{L}{2,}(?<![sui])s (?!(?:${PREPOSITIONS})${END})[\\p{L}\\p{N}]` +
    `|(?<![\\p{L}'-]|(?:^| )to )(?!(?:${PREPOSITIONS}|\\p{L}+ing)${END})\\p{L}{2,} (?:the|an?|its|their|his|her|our|your|all|every|each|no|\\p{N}+)${END}`,
  "u",
);
/** A command says what to do, and needs no subject. */
const COMMAND = new RegExp(
  `^(?:(?:please|always|never|do not|don't|to [^,]+,) )?(?:${baseForms.join("|")}|keep|choose|prefer|consider|go|see|be|beware|visit|ask|download|upgrade|migrate|trap)${END}`,
  "u",
);
const IN_BRACKETS = /\([^)]*\)/gu;
/** "Adding a second line breaks": what stands before a verb may begin so, what has none may not. */
const LEADS_IN = /^.*?(?:, | then )/u;

/** Whether a sentence in lower case is a clause of its own: with a verb, or a command. True for what is not English. */
export function isEnglishClause(sentence: string): boolean {
  if ((sentence.match(ENGLISH) ?? []).length < MIN_ENGLISH) return true;
  const said = sentence.replace(/^[^\p{L}\p{N}]+/u, "");
  if (OPENS_SUBORDINATE.test(said) && !/[,;:—–]/u.test(said) && !/(?<!\p{L})then(?!\p{L})/u.test(said))
    return false;
  const main = OPENS_SUBORDINATE.test(said) ? said.replace(LEADS_IN, "") : said;
  return COMMAND.test(main) || FINITE.test(main.replaceAll(IN_BRACKETS, "").replace(SUBORDINATE, ""));
}
