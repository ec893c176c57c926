import { InvalidArgumentError } from "commander";

/** `Name: value`, as in HTTP; may be repeated. The value may be a secret, so messages do not repeat it. */
export function addHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { ...before, [name]: value };
  throw new InvalidArgumentError("Write a header as 'Name: value'.");
}
