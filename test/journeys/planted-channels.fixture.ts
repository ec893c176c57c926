import { errorResponse } from "../../src/core/contract/tool-fault.ts";
import { successResponse } from "../../src/core/contract/success-responses.ts";
import { faults } from "../../src/core/contract/faults.ts";
import type { ToolContext } from "../../src/engine/settings/tool-context.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { furtherKeys, noise, providerKeys } from "../../src/core/text/planted-secrets.fixture.ts";

/** A secret, and how it is written where it turns up. */
export interface PlantedSecret {
  readonly secret: string;
  readonly written: string;
}

/** Secrets that only their surroundings give away. */
const inContext: readonly ((secret: string) => string)[] = [
  (secret) => `password=${secret}`,
  (secret) => `curl -u bob:${secret} https://api.example.com`,
  (secret) => `CREATE USER bob IDENTIFIED BY '${secret}'`,
  (secret) => `Authorization: SSWS ${secret}`,
  (secret) => `Authorization: Bearer ${secret}`,
  (secret) => `postgres://bob:${secret}@db.example.com/app`,
  (secret) => `api_key: ${secret}`,
  (secret) => `{"auths":{"r.example":{"auth":"${btoa(`bob:${secret}`)}"}}}`,
  (secret) => `Cookie: sid=${secret}`,
  (secret) => `--token ${secret}`,
];

export const SECRETS = 200;

function plantedAt(index: number): PlantedSecret {
  const shapes = Object.values({ ...providerKeys, ...furtherKeys(index + 1) });
  const shaped = shapes[index];
  if (shaped !== undefined) return { secret: shaped, written: shaped };
  const secret = `q7${noise(14, undefined, index)}`;
  const put = inContext[index % inContext.length];
  const written = put?.(secret) ?? secret;
  // Of a registry's login the encoded form is the secret.
  return { secret: written.includes("auths") ? btoa(`bob:${secret}`) : secret, written };
}

export const plantedSecrets: readonly PlantedSecret[] = Array.from({ length: SECRETS }, (_, index) =>
  plantedAt(index),
);

const blocks = (written: string): JsonObject[] => [
  { type: "text", text: `text-block ${written}`, annotations: { note: written }, _meta: { own: written } },
  {
    type: "resource",
    resource: { uri: "file:///embedded-block", mimeType: "text/plain", text: `embedded ${written}` },
  },
  { type: "resource", resource: { uri: `https://x.example/?k=${encodeURI(written)}`, text: "gone" } },
  { type: "resource_link", uri: "https://x.example/link-block", name: written, description: written },
  { type: "resource_link", uri: `https://x.example/gone?k=${written}`, name: "gone" },
  { type: "image", data: "aGVsbG8=", mimeType: "image/png", _meta: { own: written } },
];

const meta = (written: string): JsonObject => ({
  "author/key": `meta-key ${written}`,
  deep: { list: [written] },
});

const hint = (written: string) => ({ feature: "f", tier: "pro", reason: `hint-reason ${written}` });

function note(ctx: ToolContext, written: string): void {
  ctx.warn({ code: "OWN", severity: "error", message: `warn-message ${written}`, context: { at: written } });
  ctx.telemetry({ own_figure: `telemetry-value ${written}` });
  ctx.upgradeHint(hint(written));
}

/** Every way in which a failure can carry a text; each leaves a word behind that shows it was sent. */
export const failureChannels: Readonly<
  Record<
    string,
    { readonly run: (ctx: ToolContext, written: string) => unknown; readonly words: readonly string[] }
  >
> = {
  "a thrown fault": {
    run: (ctx, written) => {
      note(ctx, written);
      throw faults.conflict(`fault-message ${written}`, {
        remediation: `fault-remediation ${written}`,
        details: { note: `fault-details ${written}`, list: [written], field: "password", received: written },
        data: { more: `fault-data ${written}` },
        warnings: [`fault-warning ${written}`],
        meta: { own_meta: `fault-meta ${written}` },
        upgradeHints: [hint(written)],
      });
    },
    words: [
      "fault-message",
      "fault-remediation",
      "fault-details",
      "fault-data",
      "fault-warning",
      "fault-meta",
    ],
  },
  "a returned failure envelope": {
    run: (ctx, written) => {
      note(ctx, written);
      return errorResponse(`envelope-message ${written}`, {
        errorCode: "CONFLICT",
        remediation: `envelope-remediation ${written}`,
        details: { note: `envelope-details ${written}` },
        warnings: [`envelope-warning ${written}`],
        telemetry: { own: `envelope-telemetry ${written}` },
        meta: { own_meta: `envelope-meta ${written}` },
      });
    },
    words: [
      "envelope-message",
      "envelope-remediation",
      "envelope-details",
      "envelope-warning",
      "envelope-meta",
    ],
  },
  "a returned result": {
    run: (ctx, written) => {
      note(ctx, written);
      return {
        isError: true,
        content: blocks(written),
        structuredContent: { note: `result-structure ${written}`, password: written },
        _meta: meta(written),
      };
    },
    words: [
      "text-block",
      "embedded-block",
      "link-block",
      "result-structure",
      "meta-key",
      "warn-message",
      "hint-reason",
    ],
  },
  "a thrown error": {
    run: (ctx, written) => {
      note(ctx, written);
      throw Object.assign(new Error(`error-message ${written}`), { status: 503, body: written });
    },
    words: ["warn-message", "hint-reason", "telemetry-value"],
  },
};

/** Every way in which a success can carry a text. */
export const successChannels: typeof failureChannels = {
  data: {
    run: (ctx, written) => {
      note(ctx, written);
      return {
        note: `data-note ${written}`,
        password: written,
        rows: [{ text: written }, { text: `last ${written}` }],
      };
    },
    words: ["data-note", "warn-message", "hint-reason", "telemetry-value"],
  },
  "a text": {
    run: (_ctx, written) => ({ content: [{ type: "text", text: `only-text ${written}` }] }),
    words: ["only-text"],
  },
  "text beside structure": {
    run: (_ctx, written) => ({
      content: blocks(written),
      structuredContent: { note: `structure-note ${written}` },
      _meta: meta(written),
    }),
    words: ["structure-note", "text-block", "embedded-block", "link-block", "meta-key"],
  },
  "a returned envelope": {
    run: (_ctx, written) =>
      successResponse(
        { note: `envelope-note ${written}` },
        { warnings: [`envelope-warning ${written}`], meta: { own_meta: `envelope-meta ${written}` } },
      ),
    words: ["envelope-note", "envelope-warning", "envelope-meta"],
  },
};
