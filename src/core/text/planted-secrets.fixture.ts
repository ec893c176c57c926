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

const digits = "0123456789";
const upperDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const lowerDigits = "abcdefghijklmnopqrstuvwxyz0123456789";
const fives = (count: number) =>
  Array.from({ length: count }, (_, at) => noise(5, upperDigits, at)).join("-");

/** One key of each further shape: what is before the part that is drawn, its length and its letters. */
const drawn: readonly (readonly [name: string, prefix: string, length: number, letters?: string])[] = [
  ["GROQ_KEY", "gsk_", 52],
  ["XAI_KEY", "xai-", 80],
  ["PERPLEXITY_KEY", "pplx-", 48],
  ["REPLICATE_TOKEN", "r8_", 37],
  ["CEREBRAS_KEY", "csk-", 48, "abcdefghijklmnopqrstuvwxyz0123456789"],
  ["NVIDIA_KEY", "nvapi-", 64, base64url],
  ["PINECONE_KEY", "pcsk_", 70],
  ["TAVILY_KEY", "tvly-", 32],
  ["FIRECRAWL_KEY", "fc-", 32, hex],
  ["LANGSMITH_KEY", "lsv2_pt_", 43],
  ["DIGITALOCEAN_TOKEN personal", "dop_v1_", 64, hex],
  ["DIGITALOCEAN_TOKEN oauth", "doo_v1_", 64, hex],
  ["DIGITALOCEAN_TOKEN refresh", "dor_v1_", 64, hex],
  ["VAULT_TOKEN service", "hvs.", 95, base64url],
  ["VAULT_TOKEN batch", "hvb.", 140, base64url],
  ["SHOPIFY_TOKEN access", "shpat_", 32, hex],
  ["SHOPIFY_TOKEN custom", "shpca_", 32, hex],
  ["SHOPIFY_TOKEN private", "shppa_", 32, hex],
  ["SHOPIFY_TOKEN secret", "shpss_", 32, hex],
  ["DOCKER_TOKEN", "dckr_pat_", 27, base64url],
  ["DATABRICKS_TOKEN", "dapi", 32, hex],
  ["FIGMA_TOKEN", "figd_", 40, base64url],
  ["NOTION_TOKEN", "ntn_", 46],
  ["LINEAR_KEY", "lin_api_", 40],
  ["ATLASSIAN_TOKEN", "ATATT3", 186, base64url],
  ["SENTRY_TOKEN", "sntryu_", 64, hex],
  ["GRAFANA_TOKEN", "glsa_", 41],
  ["SUPABASE_KEY", "sbp_", 40, hex],
  ["PLANETSCALE_TOKEN", "pscale_tkn_", 43, base64url],
  ["NETLIFY_TOKEN", "nfp_", 36],
  ["HEROKU_KEY", "HRKU-", 60, base64url],
  ["RENDER_KEY", "rnd_", 32],
  ["FLY_TOKEN", "fo1_", 43, base64url],
  ["PULUMI_TOKEN", "pul-", 40, hex],
  ["DOPPLER_TOKEN", "dp.pt.", 43],
  ["ONEPASSWORD_TOKEN", "ops_eyJ", 250],
  ["AGE_KEY", "AGE-SECRET-KEY-1", 58, upperDigits],
  ["TAILSCALE_KEY", "tskey-auth-", 40],
  ["POSTMAN_KEY", `PMAK-${noise(24, hex)}-`, 34, hex],
  ["RUBYGEMS_TOKEN", "rubygems_", 48, hex],
  ["CIRCLECI_TOKEN", "CCIPAT_", 62],
  ["BUILDKITE_TOKEN", "bkua_", 40, hex],
  ["NEW_RELIC_KEY", "NRAK-", 27, upperDigits],
  ["BREVO_KEY", `xkeysib-${noise(64, hex)}-`, 16],
  ["SQUARE_TOKEN", "sq0atp-", 22, base64url],
  ["ALIBABA_KEY", "LTAI", 20],
  ["ARTIFACTORY_KEY", "AKCp", 69],
  ["CONTENTFUL_TOKEN", "CFPAT-", 43, base64url],
  ["TYPEFORM_TOKEN", "tfp_", 59, base64url],
  ["PREFECT_KEY", "pnu_", 36],
  ["README_KEY", "rdme_", 70, "abcdefghijklmnopqrstuvwxyz0123456789"],
  ["SHIPPO_TOKEN", "shippo_live_", 40, hex],
  ["DUFFEL_TOKEN", "duffel_live_", 43, base64url],
  ["EASYPOST_KEY", "EZAK", 54],
  ["STRIPE_KEY prod", "sk_prod_", 24],
  ["AWS_BEDROCK_KEY", "ABSK", 128],
  ["OPENSHIFT_TOKEN", "sha256~", 43, base64url],
  ["GITLAB_TOKEN agent", "glagent-", 50, base64url],
  ["DISCORD_TOKEN", `MTA${noise(21, base64url)}.${noise(6, base64url)}.`, 38, base64url],
  ["DISCORD_TOKEN old", `Nzk${noise(21, base64url)}.${noise(6, base64url)}.`, 27, base64url],
  ["DISCORD_WEBHOOK", `discord.com/api/webhooks/${noise(18, digits)}/`, 68, base64url],
  ["TELEGRAM_TOKEN", `${noise(10, digits, 3)}:AA`, 33, base64url],
  [
    "TEAMS_WEBHOOK",
    `webhook.office.com/webhookb2/${noise(8, hex)}@${noise(12, hex)}/IncomingWebhook/`,
    32,
    hex,
  ],
  ["DYNATRACE_TOKEN", `dt0c01.${noise(24, upperDigits)}.`, 64, upperDigits],
  ["CLOUDFLARE_KEY", `v1.0-${noise(24, hex)}-`, 146, hex],
  ["TERRAFORM_TOKEN", `${noise(14)}.atlasv1.`, 67],
  ["AIRTABLE_TOKEN", `pat${noise(14)}.`, 64, hex],
  ["AWS_ACCESS_KEY service", "ABIA", 16, upper],
  ["AWS_ACCESS_KEY old", "A3TX", 16, upper],
  ["GOOGLE_KEY refresh", "1//0g", 98, base64url],
  ["PAYPAL_TOKEN", "A21AA", 92, base64url],
  ["PAYPAL_TOKEN gateway", `access_token$production$${noise(16, lowerDigits)}$`, 32, hex],
  ["CRATES_TOKEN", "cio7", 31],
  ["NUGET_KEY", "oy2", 43, lowerDigits],
  ["MAILGUN_KEY", "key-", 32, hex],
  ["MAILCHIMP_KEY", `${noise(32, hex)}-us1`, 1, digits],
  ["NOTION_TOKEN old", "secret_", 43],
  ["POSTHOG_KEY project", "phc_", 43],
  ["POSTHOG_KEY personal", "phx_", 47],
  ["ONEPASSWORD_KEY", `A3-${noise(6, upperDigits)}-${noise(6, upperDigits)}-${fives(3)}-`, 5, upperDigits],
  ["VERCEL_TOKEN", "vcp_", 56],
  ["VERCEL_TOKEN store", `vercel_blob_rw_${noise(16)}_`, 30],
  ["ADOBE_KEY", "p8e-", 32, lowerDigits],
  ["APIFY_TOKEN", "apify_api_", 36],
  ["ARTIFACTORY_KEY reference", "cmVmdGtu", 56],
  ["AZURE_SECRET", `${noise(3)}8Q~`, 34, base64url],
  ["CLICKHOUSE_KEY", "4b1d", 38],
  ["CLOJURE_TOKEN", "CLOJARS_", 60, lowerDigits],
  ["CLOUDFLARE_KEY user", "cfut_", 48],
  ["DEFINED_KEY", `dnkey-${noise(26)}-`, 52],
  ["DROPBOX_TOKEN", "sl.", 135, base64url],
  ["FACEBOOK_TOKEN", "EAAC", 160],
  ["FLUTTERWAVE_KEY", "FLWSECK_TEST-", 32, hex],
  ["FRAMEIO_TOKEN", "fio-u-", 64, base64url],
  ["GITLAB_TOKEN application", "gloas-", 64, base64url],
  ["GITLAB_TOKEN runner", "GR1348941", 20, base64url],
  ["HARNESS_TOKEN", `pat.${noise(22, base64url)}.${noise(24)}.`, 20],
  ["HUBSPOT_TOKEN", `pat-na1-${noise(8, hex)}-${noise(4, hex)}-${noise(4, hex)}-${noise(4, hex)}-`, 12, hex],
  ["HUGGING_FACE_TOKEN organisation", "api_org_", 34],
  ["INFRACOST_KEY", "ico-", 32],
  ["INTRA42_SECRET", "s-s4t2ud-", 64, hex],
  ["JWT encoded", "ZXlKaGJHY2lPaU", 120],
  ["LANGFUSE_KEY", `sk-lf-${noise(8, hex)}-${noise(4, hex)}-${noise(4, hex)}-${noise(4, hex)}-`, 12, hex],
  ["MAPBOX_TOKEN", `sk.eyJ${noise(60)}.`, 22],
  ["MAXMIND_KEY", `${noise(6)}_${noise(29)}_mm`, 1, "k"],
  ["NEW_RELIC_KEY browser", "NRJS-", 19, hex],
  ["OCTOPUS_KEY", "API-", 26, upperDigits],
  [
    "PLAID_TOKEN",
    `access-sandbox-${noise(8, hex)}-${noise(4, hex)}-${noise(4, hex)}-${noise(4, hex)}-`,
    12,
    hex,
  ],
  ["SCALINGO_TOKEN", "tk-us-", 48, base64url],
  ["SETTLEMINT_TOKEN", "sm_pat_", 16],
  ["SOURCEGRAPH_TOKEN", `sgp_${noise(16, hex)}_`, 40, hex],
  ["YANDEX_TOKEN", `t1.${noise(40, base64url)}.`, 86, base64url],
  ["YANDEX_TOKEN key", "AQVN", 36, base64url],
];

/** Keys of the further shapes; `seed` gives others of the same shapes. */
export function furtherKeys(seed = 11): Readonly<Record<string, string>> {
  return Object.fromEntries(
    drawn.map(([name, prefix, length, letters]) => [name, prefix + noise(length, letters ?? base62, seed)]),
  );
}

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
