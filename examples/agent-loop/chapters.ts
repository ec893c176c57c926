import { createHash } from "node:crypto";
import { type Source, hasCode, readSource } from "waybill/client";
import * as z from "zod";
import type { Claims } from "./claims.ts";
import type { Agent } from "./connect-workshop.ts";

type Chapter = (agent: Agent, claims: Claims) => Promise<void>;

const finding = z.object({ id: z.string(), title: z.string(), content: z.string() });
const report = z.object({ findings: z.array(finding), total_findings: z.number() });
const reportArgs = { action: "report", research_id: "research-001" } as const;

const negotiates: Chapter = async ({ tools }, claims) => {
  const { negotiated } = await tools.negotiate({ response_contract: "v2" });
  const { response_version: version } = z.object({ response_version: z.string() }).parse(negotiated);
  claims.equal("the server answers in", version, "response-v2");
};

/** The workshop's tools advertise no output schema, so the caller brings one: `data` is typed by it. */
const hitsACut: Chapter = async ({ tools, warnings }, claims) => {
  const cut = await tools.call("research", reportArgs, { schema: report, budget: 395 });
  claims.equal("fidelity", cut.fidelity, "partial");
  claims.equal("left out", cut.dropped, ["finding-003", "finding-004", "finding-005"]);
  claims.equal("and said so", warnings, ["CONTENT_TRUNCATED 3 of 5 omitted"]);

  const [record] = await tools.retrieve(cut, ["finding-004"]);
  claims.equal("one record by its id", finding.parse(record?.value).title, "Fourth result");

  const whole = await tools.complete(cut);
  const hash = createHash("sha256").update(JSON.stringify(whole.data)).digest("hex");
  claims.equal("the whole", [whole.fidelity, whole.data.findings.length], ["full", 5]);
  claims.equal(
    "has the hash that was announced",
    Object.values(cut.archives).includes(`sha256:${hash}`),
    true,
  );
};

/** A long document comes as a digest: short, and every quote can be looked up in the text that is kept for it. */
const readsADigest: Chapter = async ({ tools }, claims) => {
  const listed = z.object({ sources: z.array(z.custom<Source>()) });
  const query = "Why are cut entries kept for seven days?";
  const args = { action: "sources", research_id: "research-001", query } as const;
  const { data, archives } = await tools.call("research", args, { schema: listed, complete: true });
  const interview = data.sources.find(({ id }) => id === "source-015");
  const read = interview === undefined ? undefined : await readSource(interview);
  const { citations = [], payload } = read?.kind === "digest" ? read : {};
  const answer = citations.find(({ text }) => text.includes("Because the accountant comes on Mondays"));
  claims.equal("the answer is among its quotes", answer !== undefined, true);
  claims.equal(
    "and its text is kept under the hash it names",
    Object.values(archives).includes(payload?.source_text_hash ?? ""),
    true,
  );
};

const pagesThroughItems: Chapter = async ({ tools }, claims) => {
  const task = z.object({ task_id: z.string() });
  const ids: string[] = [];
  const query = { action: "query", spec_id: "platform", page_size: 40 } as const;
  for await (const item of tools.items("task", query, { path: "tasks" })) ids.push(task.parse(item).task_id);
  claims.equal("tasks on all pages", ids.length, 150);
  claims.equal("each of them once", new Set(ids).size, ids.length);
};

/** Eight calls at once where six are allowed in two seconds: the refused ones wait as long as the server says. */
const retriesARateLimit: Chapter = async ({ tools, log }, claims) => {
  const before = log.length;
  const search = { action: "search", query: "envelopes" } as const;
  const answers = await Promise.all(Array.from({ length: 8 }, () => tools.tryCall("research", search)));
  const attempts = log.slice(before);
  claims.equal("answers", answers.filter(({ ok }) => ok).length, 8);
  claims.equal(
    "refused on the way",
    [...new Set(attempts.flatMap(({ errorCode }) => errorCode ?? []))],
    ["RATE_LIMIT_EXCEEDED"],
  );
  claims.equal(
    "made again",
    attempts.some(({ ok, attempt }) => ok && attempt > 1),
    true,
  );
};

/** A fault says what to do; an agent that does it gets further. */
const handlesAFault: Chapter = async ({ tools, log }, claims) => {
  const before = log.length;
  const missed = await tools.tryCall("spec", { action: "get", spec_id: "my-featur" });
  const error = missed.ok ? undefined : missed.error;
  claims.equal("what is missing", hasCode(error, "NOT_FOUND") && error.message, "Spec not found: my-featur");
  claims.equal("whether to try again", error?.retryRule, "never");
  claims.equal("so it was asked once", log.length - before, 1);

  const specs = z.object({ specs: z.array(z.object({ spec_id: z.string() })) });
  const { data } = await tools.call("spec", { action: "list" }, { schema: specs, complete: true });
  const close = data.specs.find(({ spec_id }) => spec_id.startsWith("my-featur"));
  const found = await tools.tryCall("spec", { action: "get", spec_id: close?.spec_id });
  claims.equal("the name that was meant", [close?.spec_id, found.ok], ["my-feature", true]);
};

const logsEveryCall: Chapter = async ({ log }, claims) => {
  claims.equal("attempts without a request id", log.filter(({ requestId }) => !requestId).length, 0);
};

export const chapters: Readonly<Record<string, Chapter>> = {
  "Agrees on a contract": negotiates,
  "Meets a cut, fetches one record, then everything": hitsACut,
  "Reads a long document as a digest": readsADigest,
  "Pages through a list": pagesThroughItems,
  "Runs into a rate limit": retriesARateLimit,
  "Makes a mistake, and mends it": handlesAFault,
  "Can account for every call": logsEveryCall,
};
