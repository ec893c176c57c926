// The query of a store's address, as in redis://host?ttl=1d: each store says what its own may hold.

import { ContractError } from "../../core/contract/contract-error.ts";
import { spanMs } from "../../core/options/span.ts";

interface AddressParameter {
  readonly is: (value: string) => boolean;
  /** What to write, after "Write". */
  readonly advice: string;
}

export type AddressParameters = Readonly<Record<string, AddressParameter>>;

/** A whole number above 0; undefined for any other text. */
export function wholeIn(text: string): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** How long and how much is kept: every address can say that. */
export const limitParameters: AddressParameters = {
  ttl: { is: (value) => spanMs(value) !== undefined, advice: "a number with a unit, such as 12h or 1d" },
  maxBytes: { is: (value) => wholeIn(value) !== undefined, advice: "a whole number of bytes above 0" },
};

interface AddressLimits {
  readonly ttlMs: number | undefined;
  readonly maxBytes: number | undefined;
}

export function limitsIn(query: URLSearchParams): AddressLimits {
  return { ttlMs: spanMs(query.get("ttl") ?? ""), maxBytes: wholeIn(query.get("maxBytes") ?? "") };
}

/** Does not repeat the address: it may contain a password. */
export function refuseAddress(message: string): never {
  throw new ContractError("INVALID_OPTION", message, { option: "url" });
}

/** A parameter that is not read would be taken for one that holds. Its value is not repeated: it may be a secret. */
export function checkQuery(title: string, known: AddressParameters, query: URLSearchParams): void {
  for (const name of new Set(query.keys())) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) {
      const all = Object.keys(known).join(", ");
      refuseAddress(
        `The ${title} URL has the unknown parameter ${JSON.stringify(name.slice(0, 40))}. Allowed: ${all}.`,
      );
    }
    const [value = "", ...more] = query.getAll(name);
    if (more.length > 0) refuseAddress(`The ${title} URL says ${name} twice. Keep one.`);
    if (!parameter.is(value))
      refuseAddress(`The parameter ${name} of the ${title} URL cannot be used. Write ${parameter.advice}.`);
  }
}
