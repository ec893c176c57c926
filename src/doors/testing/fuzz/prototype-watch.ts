// Sees whether a call has changed what all objects share, and undoes it, so that neither the next call nor the test
// itself lives with it.

const watched: readonly (readonly [name: string, prototype: object])[] = [
  ["Object.prototype", Object.prototype],
  ["Array.prototype", Array.prototype],
  ["Function.prototype", Function.prototype],
  ["String.prototype", String.prototype],
  ["Number.prototype", Number.prototype],
  ["Boolean.prototype", Boolean.prototype],
  ["RegExp.prototype", RegExp.prototype],
  ["Map.prototype", Map.prototype],
  ["Set.prototype", Set.prototype],
  ["Promise.prototype", Promise.prototype],
  ["Error.prototype", Error.prototype],
  ["Object", Object],
];

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor>;

function propertiesOf(prototype: object): Properties {
  const found = new Map<PropertyKey, PropertyDescriptor>();
  for (const key of Reflect.ownKeys(prototype)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(prototype, key);
    if (descriptor !== undefined) found.set(key, descriptor);
  }
  return found;
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor | undefined): boolean {
  return other !== undefined && one.value === other.value && one.get === other.get && one.set === other.set;
}

export class PrototypeWatch {
  readonly #before: readonly (readonly [name: string, prototype: object, properties: Properties])[];

  constructor() {
    this.#before = watched.map(([name, prototype]) => [name, prototype, propertiesOf(prototype)]);
  }

  /** The properties that were added or changed since the last look; they are as before then. */
  undo(): readonly string[] {
    return this.#before.flatMap(([name, prototype, before]) => {
      const after = propertiesOf(prototype);
      const added = [...after.keys()].filter((key) => !before.has(key));
      const changed = [...before].filter(([key, descriptor]) => !isSame(descriptor, after.get(key)));
      for (const key of added) Reflect.deleteProperty(prototype, key);
      for (const [key, descriptor] of changed) Reflect.defineProperty(prototype, key, descriptor);
      return [...added, ...changed.map(([key]) => key)].map((key) => `${name}.${String(key)}`);
    });
  }
}
