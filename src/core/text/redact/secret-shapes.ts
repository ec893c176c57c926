import { composedShapes } from "./composed-shapes.ts";
import { providerShapes } from "./provider-shapes.ts";
import { type SecretShape, MAX, alone, shape, word } from "./secret-shape.ts";

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
    // In a downloaded credentials file the secret stands right behind the id.
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
