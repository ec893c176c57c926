import { type SecretShape, MAX, alone, shape, word } from "./secret-shape.ts";

/** Keys that are a prefix and a run of characters: label, prefixes, what follows, and the shortest run of it. */
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
];

const plain: readonly SecretShape[] = rows.map(([label, prefixes, run, least]) => {
  const either = prefixes.map((prefix) => prefix.replaceAll(".", "\\.")).join("|");
  return shape(label, prefixes, alone, `(?:${either})[${run}]{${least},${MAX}}`);
});

// The first part of a bot's token is its id, a row of digits, in base64: three letters of it say so.
const digitPairs = ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];
const discordPrefixes = digitPairs.flatMap((pair) => Array.from("AEIMQUYcgk", (third) => pair + third));

/** Keys of more than one part, and addresses that are keys. */
const composed: readonly SecretShape[] = [
  shape("DISCORD_TOKEN", discordPrefixes, alone, "[MNO][\\w-]{22,27}\\.[\\w-]{6,7}\\.[\\w-]{27,128}"),
  shape("DISCORD_TOKEN", ["mfa."], alone, `mfa\\.[\\w-]{80,${MAX}}`),
  shape(
    "DISCORD_WEBHOOK",
    ["discord.com", "discordapp.com"],
    word,
    "discord(?:app)?\\.com\\\\?/api\\\\?/(?:v\\d{1,2}\\\\?/)?webhooks\\\\?/\\d{16,20}\\\\?/[\\w-]{40,128}",
  ),
  // The digits before the colon are the bot's id.
  shape("TELEGRAM_TOKEN", [":AA"], "(?<=\\d{7})", ":AA[\\w-]{32,48}", { of: /\d/, max: 10 }),
  shape(
    "TEAMS_WEBHOOK",
    ["webhook.office.com"],
    "",
    "webhook\\.office\\.com\\\\?/webhookb2\\\\?/(?:[\\w@-]|\\\\?/){32,512}",
  ),
  shape("DYNATRACE_TOKEN", ["dt0c01.", "dt0s16."], alone, "dt0[cs]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  shape("CLOUDFLARE_KEY", ["v1.0-"], alone, "v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,200}"),
  shape("TERRAFORM_TOKEN", [".atlasv1."], "(?<=[A-Za-z0-9]{14})", `\\.atlasv1\\.[\\w=-]{60,${MAX}}`, {
    of: /[A-Za-z0-9]/,
    max: 14,
  }),
  shape("AIRTABLE_TOKEN", ["pat"], alone, "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
  shape("AWS_ACCESS_KEY", ["ABIA", "ACCA"], word, "A(?:BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
];

export const providerShapes: readonly SecretShape[] = [...plain, ...composed];
