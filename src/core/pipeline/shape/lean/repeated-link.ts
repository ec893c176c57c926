// Whether a text is the address of an API that only repeats an id, a number or a name of its record. Addresses of pages
// for people stay, because a model gives them to its user.

const linkNames = /(?:^|[_-])(?:url|uri|href|link|self|endpoint)$|(?:Url|Uri|Href|Link|URL)$/;
const address = /^https?:\/\/([^/?#\s]{1,253})(\/[^\s]{0,2000})?$/;
/** `api.example.com`, `example.com/api/v4`, `example.com/rest/…`, or a template as in `{/sha}`. */
const apiHost = /(?:^|[.-])api(?:[.-]|$)/i;
const apiPath = /\/(?:_?apis?|rest|graphql)(?:\/|$)/i;
const template = /\{[/?&+#]?[\w,*]{1,100}\}/;

/** Whether a field of this name is an address. */
export function isLinkName(key: string): boolean {
  return linkNames.test(key);
}

/** `evidence`: the ids, numbers and names of the record and of those around it. */
export function isRepeatedLink(value: string, evidence: readonly string[]): boolean {
  if (!value.startsWith("http")) return false;
  const [, host = "", path = ""] = address.exec(value) ?? [];
  if (host === "" || !(apiHost.test(host) || apiPath.test(path) || template.test(path))) return false;
  return evidence.some((said) => holds(path, said) || holds(path, encodeURIComponent(said)));
}

/** Whether a path has a text as one or more of its whole segments. */
function holds(path: string, said: string): boolean {
  const part = `/${said}`;
  for (let at = path.indexOf(part); at >= 0; at = path.indexOf(part, at + 1)) {
    const after = path[at + part.length];
    if (after === undefined || "/?#{.".includes(after)) return true;
  }
  return false;
}
