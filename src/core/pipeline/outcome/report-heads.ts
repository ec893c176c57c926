// How the report of a failure begins, in the words of SDKs, HTTP clients, databases, operating systems and of people
// who write servers. What follows the beginning is the reason; failure-report.ts judges it.

/** What a tool does for its caller: a text that says that this was not done says that the call failed. */
const deeds: ReadonlySet<string> = new Set(
  (
    "access acquire add analyse analyze apply authenticate authorise authorize bind book calculate call cancel capture " +
    "check click clone close combine commit complete compute connect convert copy crawl create decode delete deserialise " +
    "deserialize determine download edit encode exec execute export extract fetch fill fork format generate get handle " +
    "import index initialise initialize insert install invoke join launch list load lock look make marshal merge mount " +
    "move navigate obtain open parse perform post prepare process publish pull push query reach read register remove " +
    "rename render resolve retrieve run save scan schedule scrape search select send serialise serialize set specify " +
    "start stop store submit summarise summarize switch sync take transcribe translate unmarshal update upload use " +
    "validate verify write"
  ).split(" "),
);
/** That something was not found may be the answer to a search. */
const searching: ReadonlySet<string> = new Set(["find", "locate"]);

/** Of these people write chapters: "Error handling in Go". */
const chapters: ReadonlySet<string> = new Set(["handling", "checking", "formatting", "processing"]);

/** "fetching" as "fetch", "creating" as "create", "getting" as "get". */
function isDoing(word: string, isSentence: boolean): boolean {
  if (word === "handling" || (isSentence && chapters.has(word))) return false;
  const stem = word.slice(0, -3);
  return [stem, `${stem}e`, stem.slice(0, -1)].some((deed) => deeds.has(deed) || searching.has(deed));
}

interface Head {
  readonly id: string;
  /** The first group, if there is one, is what was done or was to be done. */
  readonly form: RegExp;
  readonly deed?: "deed" | "doing";
  readonly unless?: RegExp;
  /** Whether the head says enough alone, so that a reason may be missing; it takes the whole line. */
  readonly isSentence?: true;
}

/** Beginnings that make an error a quantity, one error of many, or somebody's in a story. */
const ofQuantity =
  /^(?:the|an?|this|that|these|one|no|any|each|every|most|last|first|next|previous|common|typical|standard|mean|root|squared|absolute|relative|rounding|sampling|measurement|percentage|margin|max|min|maximum|minimum|average|avg|training|test|user|human|pilot|trial|not|without)\b/i;
/** What is often asked about: that it failed is the answer. */
const askedAbout =
  /^(?:the |this |your |last )?(?:\w+ )?(?:tests?|jobs?|builds?|checks?|pipelines?|workflows?|deployments?|deploys?|runs?|steps?|stages?|releases?|\d+) failed\b/i;

const heads: readonly Head[] = [
  {
    // "Error: ", "API error 503: ", "ValueError: ", "sqlite3.OperationalError: ", "ERROR [not_found_error]: ".
    id: "named",
    form: /^(?:[A-Za-z][\w/'-]{1,24} ){0,3}(?:(?:[a-z_]\w{0,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception)|[Ee]rror|ERROR|[Ee]xception|[Ff]ailure)(?: ?\((?:code:? ?|status:? ?)?-?\w{2,40}\)| (?:code:? ?)?-?\d{2,6}| [A-Z_]{4,40}| \[[a-z]{2,30}(?:_[a-z]{2,30})+\])?(?:\*\*|__|\])? ?[:!](?= |\*|_|$)(?: ?(?:\*\*|__))?\s{0,4}/,
    unless: ofQuantity,
  },
  {
    // "Error fetching the page: ", "An error occurred while reading 'a.txt': ".
    id: "doing",
    form: /^(?:an? )?error (?:while |when |in |during |on |from |occurred (?:while|when|during) )?([a-z]{2,20}ing)\b[^\n]{0,200}?(?:: |:$)/i,
    deed: "doing",
  },
  {
    id: "doing-alone",
    form: /^(?:an? )?error (?:occurred )?(?:while |when )?([a-z]{2,20}ing) [^\n:]{2,100}$/i,
    deed: "doing",
    isSentence: true,
  },
  { id: "place", form: /^(?:an? )?error (?:in|on|from|at|with) (?:tool )?['"`]?[\w./-]{1,64}['"`]?: /i },
  {
    id: "occurred",
    form: /^(?:sorry, )?(?:an? (?:unexpected |internal |unknown |server )?error (?:has )?occurred|something went wrong)\b/i,
    isSentence: true,
  },
  { id: "failed-to", form: /^failed to ([a-z]{2,20}) [^\n:]/i, deed: "deed", isSentence: true },
  {
    id: "could-not",
    form: /^(?:could not|couldn't|cannot|can't|can not|unable to|not able to) ([a-z]{2,20}) [^\n:]/i,
    deed: "deed",
    isSentence: true,
  },
  {
    // "Weather lookup failed: ", "Tool 'search' execution failed: ", "Scan failed. Please …".
    id: "failed",
    form: /^[a-z][\w./'"()-]{0,40}(?: [\w'"][\w./'"-]{0,60}){0,3} failed(?: (?:with|after|for|due to)(?: [^\n:]{2,80})?)?(?:: |! | - |[.,] (?=(?:please|try|check|make sure|ensure|run|wait|see|verify|retry)\b))/i,
    unless: askedAbout,
  },
  {
    id: "failed-with",
    form: /^(?:the )?(?:api |http )?(?:request|call|command|query|operation|execution) failed(?: with (?:error |status )?(?:code )?[^\n]{2,120}|[.!]?$)/i,
    isSentence: true,
  },
  { id: "failed-alone", form: /^failed(?:\*\*|__|\])?: /i },
  {
    id: "missing",
    form: /^missing (?:required [a-z]+s?: |(?:parameter|argument|field):? )/i,
    isSentence: true,
  },
  { id: "denied", form: /^(?:access|permission) denied(?:: |\. |\.?$| - | to | for )/i, isSentence: true },
  {
    id: "unknown-caller",
    form: /^(?:unauthori[sz]ed|not (?:authori[sz]ed|authenticated|logged in)|(?:session|token|login|authentication) (?:has )?(?:expired|failed))(?:: |\. |, |[.!]?$)/i,
    isSentence: true,
  },
  {
    id: "limited",
    form: /^(?:(?:[a-z]+ )?(?:rate|usage|request) limit(?:ed| exceeded| reached| detected)(?:: |\. |, |[.!]?$| for )|too many requests(?:: |\. |[.!]?$))/i,
    isSentence: true,
  },
  { id: "unknown-tool", form: /^unknown tool:? /i, isSentence: true },
  {
    id: "absent",
    form: /^(?:(?:[a-z][\w'-]{1,30} ){1,4}(?:not found|does not exist|already exists)|no such [a-z]+(?: [a-z]+){0,2}): (?=\S)/i,
  },
  { id: "system", form: /^(?:E[A-Z]{3,14}: (?=[a-z])|\[Errno -?\d{1,3}\] )/ },
  { id: "client", form: /^[45]\d\d (?:client|server) error(?:: | for )/i },
  {
    id: "argument",
    form: /^(?:the )?(?:(?:parameter|argument|field|property) )?['"`]?[a-z]+(?:_[a-z]+)+['"`]? (?:is required|is missing|must be (?:an? |one of|either|between|at |in |set|provided|positive|non|greater|less)|is not of type)/i,
    isSentence: true,
  },
  { id: "count", form: /^\d{1,3} validation errors? for [\w[\]., -]{2,80}$/i, isSentence: true },
  {
    id: "invalid",
    form: /^invalid (?:api|arguments?|parameters?|params|input|request|library|token)\b[^\n:]{0,60}(?:: |\. |\.?$)/i,
    isSentence: true,
  },
  {
    id: "other-language",
    form: /^(?:(?:错误|錯誤|出错了?|エラー|오류|ошибка|fehler|erreur|erro|errore|lỗi) ?[:：]\s?|[^\n:：]{1,40}(?:失败|失敗|出错|出錯|に失敗しました)[:：。]\s?)/i,
  },
];

/** How a report begins, and what its first line says after that. */
export interface Beginning {
  readonly isSentence: boolean;
  readonly reason: string;
}

/** How a line begins as the report of a failure; undefined if it does not. */
export function beginningOf(line: string): Beginning | undefined {
  for (const { form, deed, unless, isSentence = false } of heads) {
    const [match, word = ""] = form.exec(line) ?? [];
    if (match === undefined || unless?.test(line) === true) continue;
    const said = word.toLowerCase();
    if (deed === "deed" && !deeds.has(said)) continue;
    if (deed === "doing" && !isDoing(said, isSentence)) continue;
    return { isSentence, reason: line.slice(match.length) };
  }
  return undefined;
}
