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
