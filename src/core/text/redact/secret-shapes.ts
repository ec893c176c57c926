/** One provider's published key format. A shape is tried only where one of its prefixes occurs. */
export interface SecretShape {
  readonly label: string;
  readonly prefixes: readonly string[];
  readonly pattern: RegExp;
  /** Characters right before the prefix that belong to the key, at most `max`. */
  readonly lead?: { readonly of: RegExp; readonly max: number } | undefined;
  /** The beginning of the match that is not part of the secret and stays. */
  readonly keeps?: RegExp | undefined;
}

/**
 * A place where a key may begin: after none of the given characters, or right after an escape (`\n`, `\u0022`, `%22`, a
 * terminal colour), whose last letter is not part of the word that follows.
 */
function startsAfterNo(characters: string): string {
  return `(?:(?<![${characters}])|(?<=\\\\[bfnrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\\\u[0-9A-Fa-f]{4})|(?<=\\u001b\\[[0-9;]{0,8}m))`;
}

const word = startsAfterNo("A-Za-z0-9");
// Short prefixes made of the base64url alphabet occur by chance inside cursors and ids.
const alone = startsAfterNo("A-Za-z0-9_-");

// The engine keeps a backtracking point for each character of a run: an endless run would exhaust its stack.
const MAX = 65_536;

function shape(
  label: string,
  prefixes: readonly string[],
  start: string,
  source: string,
  more: Pick<SecretShape, "lead" | "keeps"> = {},
): SecretShape {
  return { label, prefixes, pattern: new RegExp(start + source, "y"), ...more };
}

// Keys of more than one part or of an exact length, and addresses that are keys.

/** The end of a key of an exact length: a longer run of letters is something else. */
const ends = "(?![\\w-])";
/** File names contain hashes too. */
const noFile = "(?!\\.\\w)";
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const digits = Array.from("0123456789");

const keyHeaders = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "].map((kind) => {
  const begin = `-----BEGIN ${kind}PRIVATE`;
  // The last letters of base64 depend on what follows.
  return btoa(begin).slice(0, Math.floor((begin.length * 4) / 3));
});

// The first part of a bot's token is its id in base64, a row of digits: three letters of it are enough to see that.
const digitPairs = ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];
const discordPrefixes = digitPairs.flatMap((pair) => Array.from("AEIMQUYcgk", (third) => pair + third));

const composedShapes: readonly SecretShape[] = [
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
  // The signature is the password of such an address; the rest says what it opens, and until when.
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
  // Bytes in base64 may begin the same way, but have signs among their letters.
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
  // As a whole in base64, as in the secrets of a cluster; tools wrap its lines.
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
  // "version" and "very" are everywhere, so the middle of the key is searched for.
  shape("VERCEL_TOKEN", ["_blob_rw_"], `(?<=${alone}vercel)`, `_blob_rw_\\w{24,${MAX}}`, {
    lead: { of: /[a-z]/, max: 6 },
  }),
  shape("YANDEX_TOKEN", ["t1."], alone, "t1\\.[\\w-]{8,512}={0,2}\\.[\\w-]{86}={0,2}"),
  shape("YANDEX_TOKEN", ["AQVN"], alone, `AQVN[\\w-]{35,38}${ends}`),
];

/** Keys that are a prefix and a run of characters: label, prefixes, the characters of the run, and its least length. */
type Row = readonly [label: string, prefixes: readonly string[], run: string, least: number];

// Formats as their providers publish them, or as public scanners know them. Lengths are lower bounds: a key that grew
// is still a key.
const rows: readonly Row[] = [
  ["GROQ_KEY", ["gsk_"], "A-Za-z0-9", 40],
  ["XAI_KEY", ["xai-"], "\\w-", 40],
  ["PERPLEXITY_KEY", ["pplx-"], "A-Za-z0-9", 40],
  ["REPLICATE_TOKEN", ["r8_"], "A-Za-z0-9", 30],
  ["CEREBRAS_KEY", ["csk-"], "a-z0-9", 40],
  ["NVIDIA_KEY", ["nvapi-"], "\\w-", 40],
  ["PINECONE_KEY", ["pcsk_"], "\\w", 40],
  ["TAVILY_KEY", ["tvly-"], "A-Za-z0-9-", 24],
  ["FIRECRAWL_KEY", ["fc-"], "0-9a-f", 32],
  ["LANGSMITH_KEY", ["lsv2_pt_", "lsv2_sk_"], "\\w", 32],
  ["DIGITALOCEAN_TOKEN", ["dop_v1_", "doo_v1_", "dor_v1_"], "0-9A-Fa-f", 40],
  ["VAULT_TOKEN", ["hvs.", "hvb.", "hvr."], "\\w-", 20],
  ["SHOPIFY_TOKEN", ["shpat_", "shpca_", "shppa_", "shpss_"], "0-9A-Fa-f", 32],
  ["DOCKER_TOKEN", ["dckr_pat_", "dckr_oat_"], "\\w-", 20],
  ["DATABRICKS_TOKEN", ["dapi"], "0-9a-f-", 32],
  ["FIGMA_TOKEN", ["figd_"], "\\w-", 32],
  ["NOTION_TOKEN", ["ntn_"], "A-Za-z0-9", 40],
  ["LINEAR_KEY", ["lin_api_", "lin_oauth_"], "A-Za-z0-9", 32],
  ["ATLASSIAN_TOKEN", ["ATATT3", "ATCTT3", "ATBB"], "\\w=-", 28],
  ["SENTRY_TOKEN", ["sntryu_", "sntrys_"], "\\w+/=", 40],
  ["GRAFANA_TOKEN", ["glsa_", "glc_"], "\\w+/=", 32],
  ["SUPABASE_KEY", ["sbp_", "sb_secret_"], "\\w-", 20],
  ["PLANETSCALE_TOKEN", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], "\\w=.-", 32],
  ["NETLIFY_TOKEN", ["nfp_"], "A-Za-z0-9", 32],
  ["HEROKU_KEY", ["HRKU-"], "\\w-", 32],
  ["RENDER_KEY", ["rnd_"], "A-Za-z0-9", 24],
  ["FLY_TOKEN", ["fo1_", "fm1a_", "fm1r_", "fm2_"], "\\w+/=-", 40],
  ["PULUMI_TOKEN", ["pul-"], "0-9a-f", 40],
  ["DOPPLER_TOKEN", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim."], "A-Za-z0-9._", 40],
  ["ONEPASSWORD_TOKEN", ["ops_eyJ"], "\\w+/=-", 100],
  ["AGE_KEY", ["AGE-SECRET-KEY-1"], "A-Z0-9", 50],
  ["TAILSCALE_KEY", ["tskey-"], "A-Za-z0-9-", 20],
  ["POSTMAN_KEY", ["PMAK-"], "0-9a-f-", 50],
  ["RUBYGEMS_TOKEN", ["rubygems_"], "0-9a-f", 40],
  ["CIRCLECI_TOKEN", ["CCIPAT_", "CCIPRJ_"], "\\w", 30],
  ["BUILDKITE_TOKEN", ["bkua_", "bkpt_"], "0-9a-f", 32],
  ["NEW_RELIC_KEY", ["NRAK-", "NRII-", "NRAL-"], "A-Za-z0-9-", 20],
  ["BREVO_KEY", ["xkeysib-", "xsmtpsib-"], "A-Za-z0-9-", 50],
  ["SQUARE_TOKEN", ["sq0atp-", "sq0csp-"], "\\w-", 22],
  ["ALIBABA_KEY", ["LTAI"], "A-Za-z0-9", 20],
  ["ARTIFACTORY_KEY", ["AKCp"], "A-Za-z0-9", 60],
  ["CONTENTFUL_TOKEN", ["CFPAT-"], "\\w-", 40],
  ["TYPEFORM_TOKEN", ["tfp_"], "\\w=.-", 40],
  ["PREFECT_KEY", ["pnu_", "pnb_"], "A-Za-z0-9", 32],
  ["README_KEY", ["rdme_"], "a-z0-9", 50],
  ["SHIPPO_TOKEN", ["shippo_live_", "shippo_test_"], "0-9A-Fa-f", 32],
  ["DUFFEL_TOKEN", ["duffel_live_", "duffel_test_"], "\\w=-", 32],
  ["EASYPOST_KEY", ["EZAK", "EZTK"], "A-Za-z0-9", 50],
  ["STRIPE_KEY", ["sk_prod_", "rk_prod_"], "A-Za-z0-9", 10],
  ["AWS_BEDROCK_KEY", ["ABSK"], "A-Za-z0-9+/=", 100],
  ["OPENSHIFT_TOKEN", ["sha256~"], "\\w-", 40],
  ["GITLAB_TOKEN", ["glagent-", "glsoat-", "glffct-", "glimt-", "glft-"], "\\w-", 16],
  ["ADOBE_KEY", ["p8e-"], "A-Za-z0-9", 32],
  ["APIFY_TOKEN", ["apify_api_"], "A-Za-z0-9", 30],
  ["ARTIFACTORY_KEY", ["cmVmdGtu"], "A-Za-z0-9", 50],
  ["CLOJURE_TOKEN", ["CLOJARS_"], "A-Za-z0-9", 60],
  ["CLOUDFLARE_KEY", ["cfk_", "cfut_", "cfat_"], "A-Za-z0-9", 40],
  ["DEFINED_KEY", ["dnkey-"], "\\w=-", 70],
  ["DROPBOX_TOKEN", ["sl."], "\\w=.-", 100],
  ["FLUTTERWAVE_KEY", ["FLWSECK-", "FLWSECK_TEST-"], "A-Za-z0-9-", 12],
  ["FRAMEIO_TOKEN", ["fio-u-"], "\\w=-", 60],
  ["GITLAB_TOKEN", ["gloas-", "GR1348941"], "\\w-", 20],
  ["HUGGING_FACE_TOKEN", ["api_org_"], "A-Za-z0-9", 30],
  ["INTRA42_SECRET", ["s-s4t2ud-", "s-s4t2af-"], "0-9a-f", 64],
  ["NEW_RELIC_KEY", ["NRJS-"], "0-9a-f", 19],
  ["PAYPAL_TOKEN", ["A21AA"], "\\w-", 80],
  ["POSTHOG_KEY", ["phc_", "phx_", "phs_"], "A-Za-z0-9", 32],
  ["SCALINGO_TOKEN", ["tk-us-"], "\\w-", 48],
  ["SETTLEMINT_TOKEN", ["sm_aat_", "sm_pat_", "sm_sat_"], "A-Za-z0-9", 16],
  ["VERCEL_TOKEN", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], "A-Za-z0-9", 24],
];

/** Keys of one part, by their prefix. */
const providerShapes: readonly SecretShape[] = rows.map(([label, prefixes, run, least]) => {
  const either = prefixes.map((prefix) => prefix.replaceAll(/[.$]/g, "\\$&")).join("|");
  return shape(label, prefixes, alone, `(?:${either})[${run}]{${least},${MAX}}`);
});

export const secretShapes: readonly SecretShape[] = [
  shape("ANTHROPIC_KEY", ["sk-ant-"], word, `sk-ant-[\\w-]{16,${MAX}}`),
  shape(
    "OPENAI_KEY",
    ["sk-"],
    alone,
    `sk-(?:(?:proj|svcacct|admin|None|or|live|test)-[\\w-]{16,${MAX}}|[A-Za-z0-9]{20,${MAX}}[\\w-]{0,${MAX}})`,
  ),
  shape(
    "GITHUB_TOKEN",
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    word,
    `gh[pousr]_[\\w-]{16,${MAX}}(?:\\.[\\w-]{16,${MAX}}){0,2}`,
  ),
  shape("GITHUB_TOKEN", ["github_pat_"], word, `github_pat_\\w{16,${MAX}}`),
  shape(
    "GITLAB_TOKEN",
    ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"],
    word,
    `gl(?:pat|dt|rt|ptt|cbt)-[\\w-]{16,${MAX}}(?:\\.[0-9a-z]{2})?(?:\\.[0-9a-z]{9})?`,
  ),
  shape(
    "SLACK_TOKEN",
    ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
    word,
    `(?:xox[a-z]|xapp)-[A-Za-z0-9-]{10,${MAX}}(?:%(?:2[BbFf]|3[Dd])[A-Za-z0-9-]{0,99}){0,99}`,
  ),
  shape(
    "SLACK_WEBHOOK",
    ["hooks.slack.com"],
    word,
    `hooks\\.slack\\.com\\\\?/(?:services|workflows|triggers)\\\\?/(?:[\\w-]|\\\\?/){16,512}`,
  ),
  shape(
    "STRIPE_KEY",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    word,
    `[sr]k_(?:live|test)_[A-Za-z0-9]{10,${MAX}}`,
  ),
  shape("STRIPE_KEY", ["whsec_"], word, `whsec_[A-Za-z0-9+/]{16,${MAX}}={0,2}`),
  shape("GOOGLE_KEY", ["AIza"], word, `AIza[\\w-]{30,${MAX}}`),
  shape("GOOGLE_KEY", ["GOCSPX-"], word, `GOCSPX-[\\w-]{20,${MAX}}`),
  shape("GOOGLE_KEY", ["ya29."], word, `ya29\\.[\\w.-]{20,${MAX}}`),
  shape(
    "AWS_ACCESS_KEY",
    ["AKIA", "ASIA"],
    word,
    // In a downloaded credentials file the secret comes right after the id.
    "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])(?:[,:;\\s]{1,3}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))?",
  ),
  shape("NPM_TOKEN", ["npm_"], word, `npm_[A-Za-z0-9]{30,${MAX}}`),
  shape("PYPI_TOKEN", ["pypi-Ag"], word, `pypi-Ag[\\w-]{16,${MAX}}`),
  shape("HUGGING_FACE_TOKEN", ["hf_"], alone, `hf_[A-Za-z0-9]{24,${MAX}}`),
  shape("SENDGRID_KEY", ["SG."], alone, `SG\\.[\\w-]{16,${MAX}}\\.[\\w-]{16,${MAX}}`),
  shape("TWILIO_KEY", ["SK"], word, "SK[0-9a-f]{32}(?![A-Za-z0-9])"),
  shape(
    "JWT",
    ["eyJ"],
    alone,
    `eyJ[\\w-]{8,${MAX}}\\.(?:eyJ[\\w-]{4,${MAX}}(?:\\.[\\w-]{1,${MAX}})?|[\\w-]{0,${MAX}}\\.[\\w-]{16,${MAX}}(?:\\.[\\w-]{8,${MAX}}){0,2})`,
  ),
  ...providerShapes,
  ...composedShapes,
];
