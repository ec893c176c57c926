/** Who can set a setting, strongest first. The only place that says so. */
const settingLayers = [
  "page-tool",
  "page",
  "command-line",
  "environment",
  "file-tool",
  "code-tool",
  "widget",
  "file",
  "code",
  "door",
  "default",
] as const;
export type SettingLayer = (typeof settingLayers)[number];

/** What each layer says of one setting; a layer that is missing or undefined says nothing. */
export type Voices<Value> = Readonly<Partial<Record<SettingLayer, Value | undefined>>>;

export interface Decided<Value> {
  readonly value: Value;
  readonly layer: SettingLayer;
}

/** The strongest layer that says anything. */
export function strongest<Value>(voices: Voices<Value>): Decided<Value> | undefined {
  for (const layer of settingLayers) {
    const value = voices[layer];
    if (value !== undefined) return { value, layer };
  }
  return undefined;
}

/** The layer that decided a setting, and where: `file:line`, a variable, or nothing for code and defaults. */
export interface LayerOrigin {
  readonly source: SettingLayer;
  readonly where?: string | undefined;
}
