// Keys of more than one part or of an exact length, and addresses that are keys.

import { type SecretShape, MAX, alone, shape, word } from "./secret-shape.ts";

/** A key of an exact length ends here: a longer run of letters is something else. */
const ends = "(?![\\w-])";
/** The names of files have hashes in them too. */
const noFile = "(?!\\.\\w)";
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const digits = Array.from("0123456789");

const keyHeaders = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "].map((kind) => {
  const begin = `-----BEGIN ${kind}PRIVATE`;
  // The last letters of base64 depend on what follows.
  return btoa(begin).slice(0, Math.floor((begin.length * 4) / 3));
});

// The first part of a bot's token is its id, a row of digits, in base64: three letters of it say so.
const digitPairs = ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];
const discordPrefixes = digitPairs.flatMap((pair) => Array.from("AEIMQUYcgk", (third) => pair + third));

export const composedShapes: readonly SecretShape[] = [
  shape("DISCORD_TOKEN", discordPrefixes, alone, "[MNO][\\w-]{22,27}\\.[\\w-]{6,7}\\.[\\w-]{27,128}"),
  shape("DISCORD_TOKEN", ["mfa."], alone, `mfa\\.[\\w-]{80,${MAX}}`),
  shape(
    "DISCORD_WEBHOOK",
    ["discord.com", "discordapp.com"],
    word,
    "discord(?:app)?\\.com\\\\?/api\\\\?/(?:v\\d{1,2}\\\\?/)?webhooks\\\\?/\\d{16,20}\\\\?/[\\w-]{40,128}",
  ),
  // The digits before the colon are the bot's id.
  shape("TELEGRAM_TOKEN", [":AA"], "(?<=\\d{7})", ":AA[\\w-]{32,48}", { lead: { of: /\d/, max: 10 } }),
  shape(
    "TEAMS_WEBHOOK",
    ["webhook.office.com"],
    "",
    "webhook\\.office\\.com\\\\?/webhookb2\\\\?/(?:[\\w@-]|\\\\?/){32,512}",
  ),
  shape("DYNATRACE_TOKEN", ["dt0c01.", "dt0s16."], alone, "dt0[cs]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  shape("CLOUDFLARE_KEY", ["v1.0-"], alone, "v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,200}"),
  shape("TERRAFORM_TOKEN", [".atlasv1."], "(?<=[A-Za-z0-9]{14})", `\\.atlasv1\\.[\\w=-]{60,${MAX}}`, {
    lead: { of: /[A-Za-z0-9]/, max: 14 },
  }),
  shape("AIRTABLE_TOKEN", ["pat"], alone, "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
  shape("AWS_ACCESS_KEY", ["ABIA", "ACCA"], word, "A(?:BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
  shape("AWS_ACCESS_KEY", ["A3T"], word, "A3T[A-Z0-9][A-Z2-7]{16}(?![A-Za-z0-9])"),
  // The signature is the password of such an address; the rest of it says what it opens, and until when.
  shape(
    "AZURE_SAS",
    ["sig=", "sig%3D", "sig%3d"],
    alone,
    "sig(?:=|%3[Dd])(?:[\\w+/-]|%(?:25)?2[BbFf]){43}(?:=|%(?:25)?3[Dd]|(?![\\w+/-]))",
    { keeps: /sig(?:=|%3d)/iy },
  ),
  shape(
    "AZURE_SECRET",
    digits.map((digit) => `${digit}Q~`),
    `(?<=${alone}[\\w~.]{3})`,
    "\\dQ~[\\w~.-]{31,34}(?![\\w~-])",
    {
      lead: { of: /[\w~.]/, max: 3 },
    },
  ),
  shape("CLICKHOUSE_KEY", ["4b1d"], alone, `4b1d[A-Za-z0-9]{38}${ends}`),
  shape("CRATES_TOKEN", ["cio"], alone, `cio(?=[A-Za-z]{0,31}\\d)[A-Za-z0-9]{32}${ends}`),
  // Bytes in base64 may begin alike, but have signs among their letters.
  shape(
    "FACEBOOK_TOKEN",
    ["EAAC", "EAAM"],
    `(?<![+/])${alone}`,
    `EAA[CM][A-Za-z0-9]{100,${MAX}}(?![A-Za-z0-9+/=])`,
  ),
  shape("GITLAB_TOKEN", ["_gitlab_session="], "", "_gitlab_session=[0-9a-z]{32}", {
    keeps: /_gitlab_session=/y,
  }),
  shape("GOOGLE_KEY", ["1//0", "1\\/\\/0"], `(?<![/.])${alone}`, `1\\\\?/\\\\?/0[\\w-]{40,${MAX}}`),
  shape("HARNESS_TOKEN", ["pat.", "sat."], alone, `[ps]at\\.[\\w-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}`),
  shape("HUBSPOT_TOKEN", ["pat-na", "pat-eu", "pat-ap"], alone, `pat-[a-z]{2}\\d{1,2}-${uuid}`),
  shape("INFRACOST_KEY", ["ico-"], alone, `ico-[A-Za-z0-9]{32}${ends}`),
  // A signed token in base64 once more, as in the secrets of a cluster: its first claim is one of these.
  shape(
    "JWT",
    ["ZXlKaGJHY2lPaU", "ZXlKMGVYQWlPaU", "ZXlKcmFXUWlPaU"],
    alone,
    `ZXlK[\\w+/-]{60,${MAX}}={0,2}`,
  ),
  shape("LANGFUSE_KEY", ["sk-lf-"], alone, `sk-lf-${uuid}`),
  shape("MAILCHIMP_KEY", ["-us"], `(?<=${alone}[0-9a-f]{32})`, `-us\\d{1,2}${ends}${noFile}`, {
    lead: { of: /[0-9a-f]/, max: 32 },
  }),
  shape("MAILGUN_KEY", ["key-"], `(?<!/)${alone}`, `key-[0-9a-f]{32}${ends}${noFile}`),
  shape("MAPBOX_TOKEN", ["sk.eyJ", "tk.eyJ"], alone, `[st]k\\.eyJ[\\w-]{20,${MAX}}\\.[\\w-]{16,64}`),
  shape("MAXMIND_KEY", ["_mmk"], `(?<=${alone}[A-Za-z0-9]{6}_[A-Za-z0-9]{29})`, `_mmk${ends}`, {
    lead: { of: /\w/, max: 36 },
  }),
  shape("NOTION_TOKEN", ["secret_"], alone, `secret_[A-Za-z0-9]{43}${ends}`),
  shape("NUGET_KEY", ["oy2"], alone, `oy2[a-z0-9]{43}${ends}`),
  shape("OCTOPUS_KEY", ["API-"], alone, `API-[A-Z0-9]{26}${ends}`),
  shape(
    "ONEPASSWORD_KEY",
    ["A3-"],
    alone,
    `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}${ends}`,
  ),
  shape(
    "PAYPAL_TOKEN",
    ["access_token$"],
    "",
    "access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}",
  ),
  // In base64 as a whole, as in the secrets of a cluster; tools wrap its lines.
  shape(
    "PRIVATE_KEY",
    keyHeaders,
    word,
    `LS0t[A-Za-z0-9+/]{60,${MAX}}={0,2}(?:(?:\\r?\\n|\\\\[nr])[ \\t]{0,16}[A-Za-z0-9+/]{16,${MAX}}={0,2}){0,999}`,
  ),
  shape(
    "PLAID_TOKEN",
    ["access-sandbox-", "access-development-", "access-production-"],
    alone,
    `access-[a-z]{7,11}-${uuid}`,
  ),
  shape("SOURCEGRAPH_TOKEN", ["sgp_"], alone, `sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}${ends}`),
  // "version" and "very" stand everywhere, so what is looked for is the middle of it.
  shape("VERCEL_TOKEN", ["_blob_rw_"], `(?<=${alone}vercel)`, `_blob_rw_\\w{24,${MAX}}`, {
    lead: { of: /[a-z]/, max: 6 },
  }),
  shape("YANDEX_TOKEN", ["t1."], alone, "t1\\.[\\w-]{8,512}={0,2}\\.[\\w-]{86}={0,2}"),
  shape("YANDEX_TOKEN", ["AQVN"], alone, `AQVN[\\w-]{35,38}${ends}`),
];
