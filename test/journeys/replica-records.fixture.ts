const COUNT = 1_500;

/** What the server behind the replicas answers for a seed; the test knows it too. */
export function recordsOf(seed: string): { id: string; title: string }[] {
  return Array.from({ length: COUNT }, (_, index) => ({
    id: `${seed}-${index}`,
    title: `Record ${index} of ${seed}, with a few words more so that it takes its room`,
  }));
}
