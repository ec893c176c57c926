/** Halves of surrogate pairs, which UTF-8 cannot carry, become U+FFFD. */
export function wellFormed(text: string): string {
  // In every runtime since 2023; the es2023 library of TypeScript does not know it yet.
  return (text as unknown as { toWellFormed(): string }).toWellFormed();
}
