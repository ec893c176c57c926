const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Made-up key material, the same on each run; never a literal, so that no secret scanner stops on this file. */
export function noise(length: number, alphabet = base62, seed = 7): string {
  let state = seed * 7_919 + length;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[Math.floor(state / 65_536) % alphabet.length] ?? "a";
  }).join("");
}

const hex = "0123456789abcdef";
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const base64url = `${base62}-_`;
const jwtPart = (seed: number) => `eyJ${noise(40, base64url, seed)}`;

/** One key of each published shape. */
export const providerKeys: Readonly<Record<string, string>> = {
  OPENAI_KEY: `sk-${noise(48)}`,
  "OPENAI_KEY project": `sk-proj-${noise(120, base64url)}`,
  "OPENAI_KEY service account": `sk-svcacct-${noise(80, base64url)}`,
  ANTHROPIC_KEY: `sk-ant-api03-${noise(93, base64url)}`,
  "GITHUB_TOKEN ghp": `ghp_${noise(36)}`,
  "GITHUB_TOKEN gho": `gho_${noise(36)}`,
  "GITHUB_TOKEN ghu": `ghu_${noise(36)}`,
  "GITHUB_TOKEN ghs": `ghs_${noise(36)}`,
  "GITHUB_TOKEN ghr": `ghr_${noise(76)}`,
  "GITHUB_TOKEN fine-grained": `github_pat_${noise(22)}_${noise(59)}`,
  GITLAB_TOKEN: `glpat-${noise(20, base64url)}`,
  "GITLAB_TOKEN routable": `glpat-${noise(27, base64url)}.${noise(2, "0123456789")}.${noise(9, hex)}`,
  "SLACK_TOKEN bot": `xoxb-${noise(12, "0123456789")}-${noise(13, "0123456789")}-${noise(24)}`,
  "SLACK_TOKEN user": `xoxp-${noise(12, "0123456789")}-${noise(12, "0123456789")}-${noise(32, hex)}`,
  "SLACK_TOKEN app": `xapp-1-A${noise(10, upper)}-${noise(13, "0123456789")}-${noise(64, hex)}`,
  "STRIPE_KEY secret": `sk_live_${noise(24)}`,
  "STRIPE_KEY restricted": `rk_live_${noise(99)}`,
  "STRIPE_KEY webhook": `whsec_${noise(32)}`,
  GOOGLE_KEY: `AIza${noise(35, base64url)}`,
  "GOOGLE_KEY oauth": `GOCSPX-${noise(28, base64url)}`,
  "AWS_ACCESS_KEY long-lived": `AKIA${noise(16, upper)}`,
  "AWS_ACCESS_KEY temporary": `ASIA${noise(16, upper)}`,
  NPM_TOKEN: `npm_${noise(36)}`,
  PYPI_TOKEN: `pypi-AgEIcHlwaS5vcmc${noise(140, base64url)}`,
  HUGGING_FACE_TOKEN: `hf_${noise(34)}`,
  SENDGRID_KEY: `SG.${noise(22, base64url)}.${noise(43, base64url)}`,
  TWILIO_KEY: `SK${noise(32, hex)}`,
  JWT: `${jwtPart(1)}.${jwtPart(2)}.${noise(43, base64url)}`,
  "JWT encrypted": `${jwtPart(3)}.${noise(40)}.${noise(16)}.${noise(60, base64url)}.${noise(22)}`,
};

/** Places where a key turns up; each must survive around the mask. */
export const places: Readonly<Record<string, (key: string) => string>> = {
  "a sentence": (key) => `The request with ${key} was refused.`,
  "a JSON value": (key) => JSON.stringify({ note: key, after: 1 }),
  "JSON in JSON": (key) => JSON.stringify({ log: JSON.stringify({ note: `first\n${key}\nlast` }) }),
  "a URL": (key) => `GET https://api.example.com/v1/items?page=2&k=${key}&sort=asc failed`,
  "a stack trace": (key) =>
    `Error: refused ${key}\n    at call (/srv/app/client.js:10:5)\n    at main.js:3:1`,
  "an escaped line": (key) => JSON.stringify(`one\n${key}\ttwo`),
  "a percent-encoded text": (key) => `q=%22${key}%22&x=1`,
  "a coloured log": (key) => `\u001B[31m${key}\u001B[0m`,
  "a shell line": (key) => `curl -u ${key}: https://api.example.com`,
  "a list": (key) => `keys: [${key}, none]`,
};
