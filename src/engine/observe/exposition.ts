// Numbers in the text format of Prometheus (version 0.0.4). The formats of counters, gauges and histograms are one page
// long and unchanged since 2014, so they are implemented here.

export type Labels = Readonly<Record<string, string>>;

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const kinds = ["counter", "gauge", "histogram"] as const;
type Kind = (typeof kinds)[number];

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function written(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function number(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return String(value);
}

function head(name: string, help: string, kind: Kind): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`];
}

/** One metric with all its label values. */
export interface Family {
  lines(): readonly string[];
}

/** Label values may come from callers, such as names of tools: values beyond this many are not counted separately. */
const MAX_SERIES = 1_000;

/** Series by their labels. If there are too many, `overflow` names the labels that the rest is counted under. */
class Series<Value> {
  readonly #values = new Map<string, { readonly labels: Labels; value: Value }>();
  readonly #make: () => Value;
  readonly #overflow: (labels: Labels) => Labels;

  constructor(make: () => Value, overflow: (labels: Labels) => Labels) {
    this.#make = make;
    this.#overflow = overflow;
  }

  at(labels: Labels): { readonly labels: Labels; value: Value } {
    const key = JSON.stringify(labels);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= MAX_SERIES) {
      const rest = this.#overflow(labels);
      const restKey = JSON.stringify(rest);
      if (restKey !== key) return this.#values.get(restKey) ?? this.#add(restKey, rest);
    }
    return this.#add(key, labels);
  }

  all(): Iterable<{ readonly labels: Labels; readonly value: Value }> {
    return this.#values.values();
  }

  #add(key: string, labels: Labels): { readonly labels: Labels; value: Value } {
    const made = { labels, value: this.#make() };
    this.#values.set(key, made);
    return made;
  }
}

/** The value in place of all label values beyond the limit. */
const OTHER = "other";
const asOther = (labels: Labels): Labels =>
  Object.fromEntries(Object.keys(labels).map((name) => [name, OTHER]));

export class Counter implements Family {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Series(() => 0, asOther);

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(labels: Labels, by = 1): void {
    this.#series.at(labels).value += by;
  }

  /** Sets a number that is counted elsewhere. If it goes down, it is treated as an improved estimate. */
  reach(labels: Labels, total: number): void {
    const series = this.#series.at(labels);
    series.value = Math.max(series.value, total);
  }

  lines(): readonly string[] {
    const values = [...this.#series.all()].map(
      ({ labels, value }) => `${this.#name}${written(labels)} ${number(value)}`,
    );
    return values.length === 0 ? [] : [...head(this.#name, this.#help, "counter"), ...values];
  }
}

/** A number that is computed when it is read. */
export class Gauge implements Family {
  readonly #name: string;
  readonly #help: string;
  readonly #read: () => Iterable<readonly [Labels, number]>;

  constructor(name: string, help: string, read: () => Iterable<readonly [Labels, number]>) {
    this.#name = name;
    this.#help = help;
    this.#read = read;
  }

  lines(): readonly string[] {
    const values = [...this.#read()].map(
      ([labels, value]) => `${this.#name}${written(labels)} ${number(value)}`,
    );
    return values.length === 0 ? [] : [...head(this.#name, this.#help, "gauge"), ...values];
  }
}

interface Distribution {
  readonly counts: number[];
  sum: number;
  total: number;
}

export class HistogramFamily implements Family {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series: Series<Distribution>;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#series = new Series(() => ({ counts: bounds.map(() => 0), sum: 0, total: 0 }), asOther);
  }

  observe(labels: Labels, value: number): void {
    const { value: distribution } = this.#series.at(labels);
    distribution.sum += value;
    distribution.total++;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket !== -1) distribution.counts[bucket] = (distribution.counts[bucket] ?? 0) + 1;
  }

  lines(): readonly string[] {
    const values = [...this.#series.all()].flatMap(({ labels, value }) => this.#write(labels, value));
    return values.length === 0 ? [] : [...head(this.#name, this.#help, "histogram"), ...values];
  }

  #write(labels: Labels, { counts, sum, total }: Distribution): string[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += counts[index] ?? 0;
      return `${this.#name}_bucket${written({ ...labels, le: number(bound) })} ${below}`;
    });
    return [
      ...buckets,
      `${this.#name}_bucket${written({ ...labels, le: "+Inf" })} ${total}`,
      `${this.#name}_sum${written(labels)} ${number(sum)}`,
      `${this.#name}_count${written(labels)} ${total}`,
    ];
  }
}

/** All families, as Prometheus expects them: each once, with a line end after the last. */
export function expose(families: readonly Family[]): string {
  return `${families.flatMap((family) => family.lines()).join("\n")}\n`;
}
