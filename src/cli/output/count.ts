/** `1 file`, `2 files`, `2 entries` with the plural given. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}
