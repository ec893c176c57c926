import { hello } from "../live/page-state.ts";

/** Whether there is more than one replica to choose from. */
export function hasReplicas(): boolean {
  return (hello.value?.replicas?.length ?? 0) > 1;
}

/** The calls of one replica, or of all; nothing where there is one gateway alone. */
export function ReplicaChoice({
  chosen,
  onChoose,
}: {
  readonly chosen: string;
  readonly onChoose: (replica: string) => void;
}) {
  const { replicas = [], replica: own } = hello.value ?? {};
  if (chosen === "" && !hasReplicas()) return null;
  const names = replicas.map(({ name }) => name);
  const all = names.includes(chosen) || chosen === "" ? names : [...names, chosen];
  return (
    <select aria-label="Replica" value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">All replicas</option>
      {all.map((name) => (
        <option key={name} value={name}>
          {name === own ? `${name} (this one)` : name}
        </option>
      ))}
    </select>
  );
}
