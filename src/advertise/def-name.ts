const PREFIX = "#/$defs/";

function baseOf(ref: string): string {
  const last = ref.split(/[/#]/).pop() ?? "";
  const plain = last.replaceAll(/[^\w.-]+/g, "_").slice(0, 64);
  if (plain === "") return "self";
  // `__proto__` and its kin are no keys to build an object with.
  return plain in {} ? `${plain}_def` : plain;
}

/** Gives names under `$defs`, each once, after a ref's last word. They need no escaping in a pointer or an address. */
export function createNamer(names: Iterable<string> = []): (ref: string) => string {
  const taken = new Set(names);
  const copies = new Map<string, number>();
  return (ref) => {
    const base = baseOf(ref);
    let copy = (copies.get(base) ?? 0) + 1;
    while (taken.has(copy === 1 ? base : `${base}_${copy}`)) copy += 1;
    const name = copy === 1 ? base : `${base}_${copy}`;
    copies.set(base, copy);
    taken.add(name);
    return name;
  };
}

export function defRef(name: string): string {
  return PREFIX + name;
}

/** The name behind a ref that `defRef` made. */
export function defOf(ref: unknown): string | undefined {
  return typeof ref === "string" && ref.startsWith(PREFIX) ? ref.slice(PREFIX.length) : undefined;
}
