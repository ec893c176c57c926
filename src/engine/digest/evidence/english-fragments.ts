// Sentences of English manuals that do not say of what they speak, although they begin with no pronoun: "Returns true
// if …" has its subject in the heading above, and "The function is called …" does not say which one. Such texts are
// full of them; in other languages they are rarer, and not looked for.

/** What manuals say that functions, options and commands do. */
const VERBS =
  "accept add allow append apply assign attach avoid begin bind build cache call change check clean clear close collect " +
  "combine compare compile compute configure connect contain control convert copy count create decode default define " +
  "delete describe detect determine disable display emit enable encode end ensure escape evaluate execute exit expand " +
  "expect export expose extend extract fail fetch filter find fire flush follow force format generate get give handle " +
  "hide hold ignore implement import include increase indicate inherit initialize insert install invoke iterate join keep " +
  "let limit link list listen load log look make manage map mark match merge move normalize notify offer open output " +
  "override parse pass perform pick prevent print process produce provide push put read receive record reduce register " +
  "reject release remove rename render replace report represent require reset resolve restore return run sample save scan " +
  "search select send serialize serve set show skip sort specify split start stop store stream strip supply support " +
  "switch take tell test throw track transform trigger trim truncate try turn update use validate verify wait walk " +
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
  `^(?:works|applies|\\p{L}+(?:izes|ifies)|(?:${thirdPersons.join("|")})` +
    `(?! (?:are|can|that|which|who|have|were|will|must|should|may|might|do|of|and|or|in|on|from|like|such|whose)${END}))${END}`,
  "u",
);
/** Other beginnings without a subject, or without the thing that is compared. */
const WITHOUT_SUBJECT =
  /^(?:(?:can|may|must|should|will|has|is|are|was|were|same as|similar to|built|based|detected|used|useful|called|invoked|passed|written|generated|licensed|inspired|powered|suppose|imagine|consider|check out|take a (?:look|glance)|(?:an? )?(?:array|list|callback|map|set) (?:of|that|to|with)|custom|example|examples|description|other|try|read (?:the|a|about|detailed)|thanks to|none of|whether|does|do not|doesn't|don't|\p{L}+ed (?:on|in|by|with|from|under|as|to|at|for|using|via|when|if|once|after|before))(?! you)|like [^ ]+,? but|(?:if|when) (?:truthy|falsy|true|false|set|none|provided|omitted|given|enabled|disabled|present|specified|passed|used|an? (?:function|string|array|object)|null|undefined))(?![\p{L}\p{N}])/u;
/** A noun that a manual has many of, without what tells which. */
const WHICH_ONE =
  /^(?:(?:an?|another|one) (?:[\p{L}-]+ ){0,2}example(?![\p{L}\p{N}])|the (?:\p{L}+ )?(?:functions?|methods?|options?|property|properties|values?|arguments?|parameters?|callbacks?|objects?|commands?|results?|output|fields?|flags?|strings?|array|list|number|default|behaviou?r|changes?|feature|idea|reason|difference|problem|solution|answer|approach|extension|plugin|script|class|rules?|errors?|message|key|name|file|code|signature|example|prompt|utility|session|transformation) (?:is|are|was|were|can|will|must|should|may|has|have|does|do|takes?|returns?|accepts?|defaults|works|contains?|allows?|depends|also)(?![\p{L}\p{N}]))/u;
/** Within the first words, these say that something came before. */
const ADDS =
  /^(?:[^\s,;:]+ ){1,4}(?:also|too|instead|otherwise|therefore|thus|hence|either case|as well)(?![\p{L}\p{N}])/u;
/** A pronoun so early has nothing before it that it could mean: "We use it", "To understand them". */
const EARLY_PRONOUN = /^(?:[^\s,;:]+ ){1,3}(?:it|them|they|its|their)(?![\p{L}\p{N}])/u;
const COUNTS_ON = /^(?:first|second|third|last)(?:ly)?,/u;

const forms = [BEGINS_WITH_VERB, WITHOUT_SUBJECT, WHICH_ONE, ADDS, EARLY_PRONOUN, COUNTS_ON];

/** Whether a sentence in lower case is one of these. */
export function isEnglishFragment(sentence: string): boolean {
  return forms.some((form) => form.test(sentence));
}
