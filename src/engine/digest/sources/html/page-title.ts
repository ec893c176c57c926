/** What a page says of itself; any of it may be missing. */
interface PageNames {
  /** The best one first. */
  readonly titles: readonly (string | undefined)[];
  readonly siteName: string | undefined;
  /** Of the page itself. */
  readonly urls: readonly (string | undefined)[];
}

const separator = / (?:[|\-–—·•»«:/]|::) | ?[|｜] ?/g;
/** No page is found under a longer one, and each point in it makes a name. */
const MAX_URL_CHARACTERS = 2_048;
const notInName = /[^\p{L}\p{N}]+/gu;

/** The first title that says something, without the site's name at its start or end. */
export function pageTitle({ titles, siteName, urls }: PageNames): string | undefined {
  const title = titles.map((one) => one?.replaceAll(/\s+/g, " ").trim()).find((one) => one);
  if (title === undefined) return undefined;
  const names = new Set(
    [...(siteName === undefined ? [] : [siteName]), ...urls.flatMap(hostNames)].map(bare),
  );
  const breaks = [...title.matchAll(separator)];
  const [first, last] = [breaks.at(0), breaks.at(-1)];
  if (first === undefined || last === undefined) return title;
  const [start, end] = [title.slice(0, first.index), title.slice(last.index + last[0].length)];
  if (isNamed(end, names)) return title.slice(0, last.index) || title;
  return isNamed(start, names) ? title.slice(first.index + first[0].length) || title : title;
}

function isNamed(part: string, names: ReadonlySet<string>): boolean {
  const name = bare(part);
  return name !== "" && names.has(name);
}

/** Sites write their name with and without spaces, points and capitals. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(notInName, "");
}

/** A host's parts with what follows them and without: sites are called either way. */
function hostNames(url: string | undefined): readonly string[] {
  if (url === undefined || url.length > MAX_URL_CHARACTERS || !URL.canParse(url)) return [];
  const parts = new URL(url).hostname.split(".");
  return parts.slice(0, -1).flatMap((part, index) => [part, parts.slice(index).join(".")]);
}
