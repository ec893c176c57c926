/** The layers that can set a setting, strongest first. The order is defined only here. */
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

/** The value of one setting in each layer; a layer that is missing or undefined sets nothing. */
export type Voices<Value> = Readonly<Partial<Record<SettingLayer, Value | undefined>>>;

export interface Decided<Value> {
  readonly value: Value;
  readonly layer: SettingLayer;
}

/** The strongest layer that sets a value. */
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
