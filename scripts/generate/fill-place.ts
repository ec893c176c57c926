/** A page written by hand, with the place that a name marks filled anew: `<!-- name:begin -->` … `<!-- name:end -->`. */
export function fillPlace(path: string, page: string, name: string, content: string): string {
  const begin = `<!-- ${name}:begin -->`;
  const [from, to] = [page.indexOf(begin), page.indexOf(`<!-- ${name}:end -->`)];
  if (from === -1 || to < from) throw new Error(`${path} has no place for ${begin}`);
  return `${page.slice(0, from)}${begin}\n${content}\n${page.slice(to)}`;
}
