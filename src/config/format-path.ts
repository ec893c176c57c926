export type PathSegment = string | number;

const PLAIN = /^[A-Za-z_$][\w$-]*$/;

/** Writes a path the way people read it: `tools.scan.exclude[0]`, `tools["fs.read"].profile`. */
export function formatPath(path: readonly PathSegment[]): string {
  return path.map((segment, index) => formatSegment(segment, index === 0)).join("");
}

function formatSegment(segment: PathSegment, first: boolean): string {
  if (typeof segment === "number") return `[${segment}]`;
  if (!PLAIN.test(segment)) return `[${JSON.stringify(segment)}]`;
  return first ? segment : `.${segment}`;
}
