// What lean leaves out, as data: rules that hold for every server, and presets for servers that are recognised by their
// name or by the names of their tools. Every row says why its field is of no use to a model. A field that an identity is
// read from (`identityNames`) is in no row.

/** The rules: how the line in a lean result calls what each left out, and why it may. */
export const leanRules = {
  empty: {
    label: "null or empty",
    why: "null, an empty text, list or object says what the absence of the field says, and the line names the field",
  },
  link: {
    label: "API links that repeat an id",
    why: "an address of an API that has an id, a number or a name of its record in it: tools take that, not the address",
  },
  opaque: {
    label: "opaque ids",
    why: "a second, hash-like id of a record that has a readable one, such as node_id, or an etag",
  },
  preset: {
    label: "of the server's own use",
    why: "a field that the server's own apps need, named by a preset for that server",
  },
} as const;
export type LeanRule = keyof typeof leanRules;

/** The condition under which a preset's field is left out. Without one it is left out always. */
type PresetCondition = "false" | "idle" | "beside-text";

export interface PresetField {
  readonly field: string;
  /** Only below this key. */
  readonly under?: string;
  /**
   * `idle`: an object in which every number is 0, every switch off and every text "default" or an address;
   * `beside-text`: the same object has a text under `text`.
   */
  readonly when?: PresetCondition;
  readonly why: string;
}

export interface LeanPreset {
  readonly id: string;
  /** What the server calls itself. */
  readonly server: RegExp;
  /** Names of its tools; two of them are enough. */
  readonly tools: RegExp;
  readonly fields: readonly PresetField[];
}

const picture = "the address of a picture";
const app = "only the server's own app uses it";
const repeats = "repeats other fields of the record";

/** The names of fields that say which record this is: evidence for links and opaque ids, and never left out themselves. */
export const identityNames: ReadonlySet<string> = new Set([
  "id",
  "iid",
  "uuid",
  "number",
  "key",
  "name",
  "slug",
  "login",
  "username",
  "full_name",
  "path_with_namespace",
  "path",
  "sha",
  "code",
  "handle",
  "identifier",
]);

/** Second ids, which are left out beside a field of `identityNames`. */
export const opaqueNames: ReadonlySet<string> = new Set([
  "node_id",
  "global_id",
  "global_node_id",
  "graphql_id",
  "etag",
  "_etag",
]);

export const leanPresets: readonly LeanPreset[] = [
  {
    id: "github",
    server: /\bgit[-_ ]?hub\b/i,
    tools:
      /^(?:github_)?[a-z]+_(?:pull_request|repositor(?:y|ies)|workflow_run|code_scanning|gist)\w{0,40}$/i,
    fields: [
      { field: "avatar_url", why: picture },
      { field: "gravatar_id", why: picture },
      { field: "user_view_type", why: app },
      { field: "site_admin", when: "false", why: "false for most users" },
      {
        field: "signature",
        under: "verification",
        why: "a PGP signature; `verified` and `reason` say what it shows",
      },
      { field: "payload", under: "verification", why: "the signed text, which repeats the commit" },
      { field: "repository_url", why: "an API link; html_url has owner and repository" },
      { field: "reactions", when: "idle", why: "there are no reactions" },
      { field: "_links", why: repeats },
    ],
  },
  {
    id: "gitlab",
    server: /\bgit[-_ ]?lab\b/i,
    tools: /^(?:gitlab_\w{1,60}|[a-z]+_merge_requests?\w{0,40})$/i,
    fields: [
      { field: "avatar_url", why: picture },
      { field: "_links", why: repeats },
      { field: "container_registry_image_prefix", why: app },
      { field: "time_stats", when: "idle", why: "no time was booked" },
      { field: "task_completion_status", when: "idle", why: "the text has no tasks" },
      { field: "trailers", under: "commit", why: "repeats lines of the message" },
    ],
  },
  {
    id: "notion",
    server: /\bnotion\b/i,
    tools: /^(?:notion[-_]|API-(?:get|post|patch|retrieve|delete|create|query|update)-)[\w-]{1,60}$/i,
    fields: [
      { field: "annotations", when: "idle", why: "the text has no form of its own" },
      { field: "request_id", why: "for questions to the vendor" },
      { field: "developer_survey", why: "asks developers to take part in a survey" },
      { field: "cover", why: picture },
    ],
  },
  {
    id: "jira",
    server: /\b(?:jira|atlassian)\b/i,
    tools: /^(?:jira_\w{1,60}|[a-z]{1,20}jira[a-z]{1,40})$/i,
    fields: [
      { field: "self", why: "an API link to the record, which has its key and id" },
      { field: "avatarUrls", why: picture },
      { field: "iconUrl", why: picture },
      { field: "expand", why: "lists what the API could add" },
      { field: "avatarId", why: picture },
      { field: "watches", when: "idle", why: "it has no watchers" },
      { field: "votes", when: "idle", why: "it has no votes" },
      { field: "aggregateprogress", when: "idle", why: "no time was booked" },
      { field: "progress", when: "idle", why: "no time was booked" },
    ],
  },
  {
    id: "confluence",
    server: /\b(?:confluence|atlassian)\b/i,
    tools: /^(?:confluence_\w{1,60}|[a-z]{1,20}confluence[a-z]{1,40})$/i,
    fields: [
      { field: "_expandable", why: "lists what the API could add" },
      { field: "self", why: "an API link to the record, which has its id" },
      { field: "profilePicture", why: picture },
      { field: "macroRenderedOutput", why: app },
    ],
  },
  {
    id: "linear",
    server: /\blinear\b/i,
    tools:
      /^(?:linear_\w{1,60}|[a-z]+_(?:cycles?|issue_label|issue_labels|issue_status|issue_statuses|my_issues))$/i,
    fields: [
      { field: "sortOrder", why: "the place on a board" },
      { field: "boardOrder", why: "the place on a board" },
      { field: "subIssueSortOrder", why: "the place on a board" },
      { field: "prioritySortOrder", why: "the place on a board" },
      { field: "descriptionState", why: "the editor's form of the description" },
      { field: "bodyData", why: "the editor's form of the text" },
      { field: "avatarUrl", why: picture },
    ],
  },
  {
    id: "slack",
    server: /\bslack\b/i,
    tools: /^(?:slack_\w{1,60}|conversations_[a-z_]{1,40})$/i,
    fields: [
      { field: "client_msg_id", why: "names the message in the app that sent it" },
      { field: "avatar_hash", why: picture },
      { field: "blocks", when: "beside-text", why: "the layout of the text, which is in `text`" },
      ...["24", "32", "48", "72", "192", "512", "1024", "original"].map((size) => ({
        field: `image_${size}`,
        why: picture,
      })),
      { field: "app_icons", why: picture },
      { field: "icons", under: "bot_profile", why: picture },
    ],
  },
  {
    id: "sentry",
    server: /\bsentry\b/i,
    tools:
      /^(?:sentry_\w{1,60}|[a-z]+_sentry_\w{1,60}|analyze_issue_with_seer|find_(?:dsns|releases|organizations))$/i,
    fields: [
      { field: "avatar", why: picture },
      { field: "avatarUrl", why: picture },
      { field: "_meta", why: "says which characters were masked" },
      { field: "crashFile", why: app },
      { field: "isEarlyAdopter", why: app },
      { field: "features", under: "project", why: "which parts of the vendor's app are switched on" },
      { field: "features", under: "organization", why: "which parts of the vendor's app are switched on" },
    ],
  },
  {
    id: "kubernetes",
    server: /\b(?:kubernetes|k8s|kubectl)\b/i,
    tools: /^(?:kubectl_\w{1,60}|(?:pods|resources|namespaces|nodes)_[a-z_]{1,40})$/i,
    fields: [
      { field: "managedFields", why: "which program set which field" },
      { field: "selfLink", why: "an address that repeats kind, namespace and name" },
      { field: "kubectl.kubernetes.io/last-applied-configuration", why: "repeats the whole object" },
      { field: "uid", under: "metadata", why: "a second id: the API takes namespace and name" },
      { field: "generation", under: "metadata", why: "a counter of the controllers" },
      { field: "terminationMessagePath", why: "nearly always the default" },
      { field: "terminationMessagePolicy", why: "nearly always the default" },
    ],
  },
];

/** How many names of tools of a preset a server must have, if its own name says nothing. */
const ENOUGH_TOOLS = 2;

/** The ids of the presets for a server, by the name that it gives itself, or by its tools. */
export function presetsFor(serverName: string | undefined, tools: Iterable<string>): readonly string[] {
  const found = new Map<string, number>();
  for (const { id, server } of leanPresets)
    if (serverName !== undefined && server.test(spaced(serverName))) found.set(id, ENOUGH_TOOLS);
  for (const tool of tools)
    for (const { id, tools: names } of leanPresets)
      if (tool.length <= MAX_NAME && names.test(tool)) found.set(id, (found.get(id) ?? 0) + 1);
  return leanPresets.flatMap(({ id }) => ((found.get(id) ?? 0) >= ENOUGH_TOOLS ? [id] : []));
}

/** A longer name is no name of a tool that a preset knows. */
const MAX_NAME = 100;

/** Word borders where a name has `_` or a capital letter: `GitHubServer`, `my_jira`. */
function spaced(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .replaceAll("_", " ")
    .replaceAll(/([a-z])(?=[A-Z][a-z]{3})/g, "$1 ");
}
