/** A range of text to be masked. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * Judges one trigger, between `at` and `end`. `from` is the end of the last finding: nothing before it may be claimed
 * again. The work for a refused place is bounded, so that a hostile text takes only linear time.
 */
export type Finder = (text: string, at: number, end: number, from: number) => SecretRange | undefined;

const anyMask = /\[REDACTED:[A-Z0-9_]{1,64}\]/g;
const maskHere = /\[REDACTED:[A-Z0-9_]{1,64}\]/y;

export function maskOf(label: string): string {
  return `[REDACTED:${label}]`;
}

/** A label as masks contain it: upper case, digits, underscores. */
export function toLabel(name: string): string {
  const label = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  return label === "" ? "CUSTOM" : label.slice(0, 64);
}

export function withoutMasks(value: string): string {
  return value.replaceAll(anyMask, "");
}

/** True if the value is only masks, so that nothing is left to hide. */
export function isMasked(value: string): boolean {
  return value.startsWith("[REDACTED:") && withoutMasks(value) === "";
}

/** The end of the mask that starts here; `at` itself without one. */
export function skipMask(text: string, at: number): number {
  if (text.charCodeAt(at) !== 91) return at;
  maskHere.lastIndex = at;
  return maskHere.test(text) ? maskHere.lastIndex : at;
}

/** The ranges that masks cover, in order. */
export function maskedStretches(text: string): { start: number; end: number }[] {
  if (!text.includes("[REDACTED:")) return [];
  return [...text.matchAll(anyMask)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** The last mask of a text. */
export function lastMask(text: string): string | undefined {
  return text.match(anyMask)?.at(-1);
}

// What is written in place of a secret: a placeholder, the name of a type, a word about it.

const placeholder =
  /^(?:\$\{[^}]*\}?|\$\([^)]*\)?|\$[A-Za-z_]\w*|\{\{[^}]*\}\}|\{[\w.]*\}|<[^>]*>?|%[sdv]|%\w+%|([*•xX.#_?-])\1*|(?:process\.env|import\.meta|os\.environ|os\.getenv|ENV\[|env\().*)$/;
const plainWords = new Set(
  (
    "null undefined none nil true false yes no on off string str number int integer boolean bool object any text " +
    "bytes buffer unknown void never date array list map required optional invalid expired missing empty unset set " +
    "hidden redacted masked removed value input data result raw default example placeholder auth authentication " +
    "authorization header headers scheme schemes credentials credential challenge realm error field fields param " +
    "must should cannot the this that not and is are was has have may can will await new function async return " +
    "generated rotated revoked valid wrong incorrect rejected accepted denied disabled enabled here below above"
  ).split(" "),
);
const dottedPath = /^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$]+)+$/;
const lowerPath = /^(?:\.{0,2}|~)(?:\/[a-z0-9._-]+){2,}\/?$/;
// If a name in JSON says that its value is secret, only an unmistakable placeholder may stay.
const onlyStandsIn =
  /^(?:\$\{[A-Za-z_][\w.]{0,127}\}|\$?\{\{[^{}]{0,128}\}\}|<[A-Za-z][A-Za-z _.:-]{0,63}>|\[[A-Za-z ]{3,32}\]|%[A-Z_]{2,64}%|%[sdv]|([*•xX#?.-])\1{2,127}|(?:process\.env|import\.meta\.env|os\.environ|ENV)[.[][\w."'[\]]{1,128}|[Yy][Oo][Uu][Rr][-_ ][A-Za-z _-]{1,60})$/;
const variable = /^\$[A-Za-z_]\w{0,63}$/;
const knownScheme = /^(?:bearer|basic|token|bot)\s+/i;
const primitive =
  /^(?:string|str|text|number|int|integer|float|double|bool|boolean|object|any|unknown|never|void|null|undefined|none|nil|bytes?|bytearray|buffer|blob|secretstr|secretstring)$/i;
const numberedType =
  /^(?:(?:Big)?(?:Ui|I|ui|i)nt\d{1,3}(?:_t|(?:Clamped)?Array)?|Float\d\dArray|[uif](?:8|16|32|64|128)|Base64(?:Url)?(?:String)?|OAuth2[A-Za-z]{0,40}|[A-Z][A-Za-z]{1,40}\d{1,3}(?:Array|String|Type|Schema|Buffer|Dto))$/;
const typeBrackets = /^[&*[(]+|[\])?;,]+$/g;

/** True for a placeholder of a secret: `${TOKEN}`, `<key>`, `***`, `process.env.KEY`. */
export function isPlaceholderSecret(value: string): boolean {
  return value.length <= 256 && placeholder.test(value) && !hasDefault(value);
}

/** True for `${PASSWORD:-hunter2}`: if the variable is not set, the text after it is the password. */
export function hasDefault(value: string): boolean {
  return /^\$\{\w{1,64}:?[-=][^$}\s]/.test(value);
}

/** True for words that describe a secret and are not one: "required", "string", "null". */
export function isPlainWord(value: string): boolean {
  return value.length <= 16 && plainWords.has(value.toLowerCase().replace(/[.,;:!?)\]}]+$/, ""));
}

/** True for a value that only refers to a secret: a placeholder, a word, a type, a path in code or on a disk. */
export function isReference(value: string): boolean {
  if (isPlaceholderSecret(value) || isPlainWord(value) || isTypeName(value)) return true;
  return value.length <= 256 && (dottedPath.test(value) || lowerPath.test(value));
}

/** True for the name of a type, as in a declaration: `string`, `Uint8Array`, `[u8; 32]`, `string | null`. */
function isTypeName(value: string): boolean {
  if (value.length > 64) return false;
  return value.split("|").every((part) => {
    const name = part.trim().replaceAll(typeBrackets, "");
    return primitive.test(name) || numberedType.test(name);
  });
}

/** True for a value that is not a secret despite its name: "string", "*****", "<your-password>", "${PASSWORD}". */
export function isStandIn(value: string): boolean {
  const bare = value.length > 256 ? "" : value.trim().replace(knownScheme, "");
  if (variable.test(bare)) return bare.includes("_") || labelOfName(bare.slice(1)) !== undefined;
  return onlyStandsIn.test(bare) || isTypeName(bare);
}

/** Names that are secret by themselves, compared in lower case without `-`, `_`, `.` and spaces. */
export const exactNames: Readonly<Record<string, string>> = {
  pwd: "PASSWORD",
  secret: "SECRET",
  token: "TOKEN",
  idtoken: "TOKEN",
  jwt: "TOKEN",
  resettoken: "TOKEN",
  passwordresettoken: "TOKEN",
  authorization: "AUTHORIZATION",
  proxyauthorization: "AUTHORIZATION",
  cookie: "COOKIE",
  setcookie: "COOKIE",
};

/** Names that are also secret after a prefix: `DB_PASSWORD`, `stripeApiKey`. */
export const tailNames: Readonly<Record<string, string>> = {
  password: "PASSWORD",
  passwd: "PASSWORD",
  passphrase: "PASSWORD",
  apikey: "API_KEY",
  secretkey: "SECRET",
  signingkey: "SECRET",
  encryptionkey: "SECRET",
  masterkey: "SECRET",
  privatekey: "PRIVATE_KEY",
  secretaccesskey: "AWS_SECRET_KEY",
  accountkey: "AZURE_KEY",
  sharedaccesskey: "AZURE_KEY",
  accesstoken: "TOKEN",
  refreshtoken: "TOKEN",
  authtoken: "TOKEN",
  apitoken: "TOKEN",
  bearertoken: "TOKEN",
  sessiontoken: "TOKEN",
  securitytoken: "TOKEN",
  bottoken: "TOKEN",
  deploytoken: "TOKEN",
  githubtoken: "TOKEN",
  gitlabtoken: "TOKEN",
  slacktoken: "TOKEN",
  npmtoken: "TOKEN",
  vaulttoken: "TOKEN",
  identitytoken: "TOKEN",
  registrytoken: "TOKEN",
  clientsecret: "SECRET",
  appsecret: "SECRET",
  apisecret: "SECRET",
  authsecret: "SECRET",
  consumersecret: "SECRET",
  cookiesecret: "SECRET",
  jwtsecret: "SECRET",
  sessionsecret: "SECRET",
  sharedsecret: "SECRET",
  signingsecret: "SECRET",
  tokensecret: "SECRET",
  webhooksecret: "SECRET",
};

const MAX_NAME_LENGTH = 128;
const hint = /pass|pwd|secret|token|key|jwt|auth|cookie/i;
// A page token or "INVALID_TOKEN" is not a secret; an environment variable such as `ACME_TOKEN` is.
const environmentName = /^[A-Z][A-Z0-9_]*_(?:TOKEN|SECRET|PASS)$/;
const harmlessNames =
  /(?:PAGE|NEXT|CONTINUATION|SYNC|CURSOR|PROGRESS|INVALID|EXPIRED|MISSING|UNEXPECTED|BAD)_(?:TOKEN|SECRET|PASS)$/;
const verbFirst =
  /^(?:reset|forgot|forgotten|change|update|show|hide|has|is|needs?|requires?)(?=password|passwd)/;
const version = /^[~^]?v?\d{1,5}\.\d{1,5}\.\d{1,5}(?:[-+][\w.-]{1,40})?$/;
const absolutePath = /^(?:[/~]|[A-Za-z]:[\\/])/;

const tails = Object.keys(tailNames).toSorted((a, b) => b.length - a.length);

/** The label of a secret-looking name, or undefined. */
export function labelOfName(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH || !hint.test(name)) return undefined;
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  if (Object.hasOwn(exactNames, plain)) return exactNames[plain];
  const tail = tails.find((each) => plain.endsWith(each));
  if (tail !== undefined) return verbFirst.test(plain) ? undefined : tailNames[tail];
  if (!environmentName.test(name) || harmlessNames.test(name)) return undefined;
  return name.endsWith("TOKEN") ? "TOKEN" : name.endsWith("PASS") ? "PASSWORD" : "SECRET";
}

const base64 = /^[A-Za-z0-9+/]{6,1024}={0,2}$/;
const login = /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e\x80-\xff]+$/;

/** True for base64 of `user:password`, which registries keep under the name `auth`. */
export function isEncodedLogin(value: string): boolean {
  if (!base64.test(value)) return false;
  try {
    return login.test(atob(value));
  } catch {
    return false;
  }
}

/** The label of a named value that must be masked whole, or undefined. */
export function labelOfPair(name: string, value: string): string | undefined {
  if (/^_?auth$/i.test(name)) return isEncodedLogin(value) ? "AUTHORIZATION" : undefined;
  const label = labelOfName(name);
  if (label === undefined || value === "") return undefined;
  // The shell's working directory has the same name.
  if (/pwd$/i.test(name) && absolutePath.test(value)) return undefined;
  // Packages are called "cookie" and "auth-token"; their value is a version.
  if (version.test(value)) return undefined;
  // "SOME_TOKEN" may also be the key of a sentence in a message catalogue.
  if (environmentName.test(name) && (value.length < 8 || /\s/.test(value))) return undefined;
  return label;
}
