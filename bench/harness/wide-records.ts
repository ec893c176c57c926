// Records as wide as some interfaces send them, made up here: whole objects repeat inside, most columns are links,
// constants or null. Equal on every machine.
import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";
import { generator } from "./records.ts";

const words = "parcel harbour signal quiet river copper winter lantern meadow bridge".split(" ");

class Maker {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = generator(seed);
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join("");
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(words) ?? "").join(" ");
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function linksOf(base: string, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [`${name}_url`, `${base}/${name}`]));
}

const userLinks = ["followers", "following", "gists", "starred", "orgs", "repos", "events", "received"];
const repoLinks = (
  "forks keys teams hooks issues assignees branches tags blobs refs trees statuses languages stargazers " +
  "contributors subscribers commits comments contents compare merges archive downloads pulls milestones labels releases"
).split(" ");

function makeUser(login: string, maker: Maker): JsonObject {
  const url = `https://api.forge.test/users/${login}`;
  const id = maker.below(90_000_000);
  const page = { node_id: `U_${maker.hex(10)}`, avatar_url: `https://img.forge.test/u/${id}?v=4` };
  return { login, id, ...page, url, ...linksOf(url, userLinks), type: "User", site_admin: false };
}

function makeRepo(owner: JsonObject, name: string, maker: Maker): JsonObject {
  const fullName = `${textOf(owner["login"])}/${name}`;
  const url = `https://api.forge.test/repos/${fullName}`;
  const id = maker.below(900_000_000);
  const flags = { private: false, fork: name !== "main", archived: false, has_issues: true, has_wiki: false };
  const counts = { stars: maker.below(9_000), forks_count: maker.below(900), open_issues: maker.below(90) };
  const license = { key: "mit", name: "MIT License", spdx_id: "MIT", url: "https://api.forge.test/mit" };
  return {
    id,
    node_id: `R_${maker.hex(10)}`,
    name,
    full_name: fullName,
    owner,
    ...flags,
    url,
    html_url: `https://forge.test/${fullName}`,
    ...linksOf(url, repoLinks),
    ...counts,
    license,
    topics: ["protocol", "tools"],
    default_branch: "main",
  };
}

/** Merge requests: the author four times, the repository twice, each with all of its links. */
function mergeRequests(count: number): JsonValue {
  const maker = new Maker(7);
  const users = ["ann", "benedikt", "carla-m", "dieter", "eve-lin"].map((login) => makeUser(login, maker));
  const base = makeRepo(makeUser("waybill-team", maker), "waybill", maker);
  const forks = users.map((user) => makeRepo(user, "waybill", maker));
  return Array.from({ length: count }, (_, index) => {
    const at = maker.below(users.length);
    const user = users[at] ?? null;
    const number = 900 - index;
    const url = `${textOf(base["url"])}/pulls/${number}`;
    const head = { label: `${maker.words(1)}-${number}`, ref: `topic-${number}`, sha: maker.hex(40), user };
    return {
      url,
      id: 2_000_000_000 + maker.below(90_000_000),
      number,
      html_url: `${textOf(base["html_url"])}/pull/${number}`,
      diff_url: `${textOf(base["html_url"])}/pull/${number}.diff`,
      patch_url: `${textOf(base["html_url"])}/pull/${number}.patch`,
      state: maker.below(3) === 0 ? "open" : "closed",
      locked: false,
      title: maker.words(7),
      user,
      body: maker.words(20),
      created_at: `2026-07-${10 + (index % 20)}T09:${10 + maker.below(50)}:00Z`,
      assignee: index % 3 === 0 ? user : null,
      assignees: index % 3 === 0 ? [user] : [],
      requested_reviewers: users.slice(0, maker.below(3)),
      labels: [],
      milestone: null,
      draft: false,
      ...linksOf(url, ["commits", "review_comments", "comments", "statuses"]),
      head: { ...head, repo: forks[at] ?? null },
      base: {
        label: "waybill-team:main",
        ref: "main",
        sha: maker.hex(40),
        user: base["owner"] ?? null,
        repo: base,
      },
      author_association: "CONTRIBUTOR",
      auto_merge: null,
    };
  });
}

/** Tickets: 200 fields of their own, most of them null, and the same few projects, states and people. */
function tickets(count: number): JsonValue {
  const maker = new Maker(11);
  const site = "https://tickets.test/rest/3";
  const person = (name: string): JsonObject => ({
    self: `${site}/user?account=${name}-${maker.hex(12)}`,
    accountId: maker.hex(24),
    displayName: name,
    avatarUrls: Object.fromEntries(
      ["48x48", "24x24", "16x16"].map((size) => [size, `https://img.tickets.test/${name}/${size}`]),
    ),
    active: true,
    timeZone: "Europe/Berlin",
  });
  const named = (kind: string, names: readonly string[]): readonly JsonObject[] =>
    names.map((name, id) => ({
      self: `${site}/${kind}/${id + 1}`,
      id: `${id + 1}`,
      name,
      description: maker.words(9),
      iconUrl: `https://tickets.test/icons/${kind}/${name}.svg`,
    }));
  const people = ["Ann Vale", "Ben Oduya", "Carla Meyer", "Dieter Roth"].map(person);
  const states = named("status", ["open", "in progress", "in review", "done"]);
  const priorities = named("priority", ["low", "medium", "high"]);
  const project = {
    ...named("project", ["Waybill"])[0],
    key: "WAY",
    style: "classic",
    lead: people[0] ?? null,
  };
  const empty = Object.fromEntries(
    Array.from({ length: 200 }, (_, field) => [`customfield_${10_000 + field * 3}`, null]),
  );
  return Array.from({ length: count }, (_, index) => ({
    expand: "operations,changelog,transitions",
    id: `${50_000 + index * 7}`,
    self: `${site}/issue/${50_000 + index * 7}`,
    key: `WAY-${index + 100}`,
    fields: {
      summary: maker.words(8),
      status: maker.pick(states) ?? null,
      priority: maker.pick(priorities) ?? null,
      project,
      creator: maker.pick(people) ?? null,
      reporter: maker.pick(people) ?? null,
      assignee: maker.below(4) === 0 ? null : (maker.pick(people) ?? null),
      ...empty,
      customfield_10300: maker.below(5) === 0 ? maker.words(2) : null,
      created: `2026-05-${10 + (index % 20)}T08:00:00.000+0000`,
      description: maker.words(15),
    },
  }));
}

/** Machines with 320 settings and readings each: one flat object, most values alike in all, some missing. */
function machines(count: number): JsonValue {
  const maker = new Maker(13);
  const settings = Array.from(
    { length: 280 },
    (_, at) => [`${maker.words(2).replace(" ", "_")}_${at}`, at] as const,
  );
  const fixed = Object.fromEntries(
    settings.map(([key, at]) => [key, at % 3 === 0 ? `mode-${at % 7}` : at % 2 === 0]),
  );
  const readings = Array.from({ length: 40 }, (_, at) => `reading_${at}`);
  return Array.from({ length: count }, (_, index) => ({
    host: `node-${index}.cluster.test`,
    rack: `rack-${maker.below(9)}`,
    ...fixed,
    ...Object.fromEntries(
      readings.filter(() => maker.below(12) > 0).map((key) => [key, maker.below(10_000) / 100]),
    ),
  }));
}

/** Three shapes of wide records, of which the narrowest has 230 leaves. */
export const wideShapes: readonly { readonly name: string; readonly value: JsonValue }[] = [
  { name: "wide: 30 merge requests", value: mergeRequests(30) },
  { name: "wide: 40 tickets", value: tickets(40) },
  { name: "wide: 50 machines", value: machines(50) },
];
