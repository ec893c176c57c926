/** Waits until advice for authors that the calls so far gave is in the log: its listener is loaded with the first. */
export async function adviceTold(): Promise<void> {
  await import("./author-advice.ts");
  await new Promise((resolve) => setImmediate(resolve));
}
