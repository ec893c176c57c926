import type { SettingView } from "../../../src/doors/gateway/dashboard/protocol/places.ts";

export interface SettingGroup {
  /** Undefined for what holds in general. */
  readonly tool: string | undefined;
  readonly settings: readonly SettingView[];
}

/** `tools.search.budget.tokens`, or `tools["fs.read"].profile`. */
const ofTool = /^tools(?:\.([\w$-]+)|\[("(?:[^"\\]|\\.)*")\])\./;

function toolIn(path: string): string | undefined {
  const [, plain, quoted] = ofTool.exec(path) ?? [];
  return plain ?? (quoted === undefined ? undefined : (JSON.parse(quoted) as string));
}

/** What holds in general first, then the tools in their order. */
export function groupSettings(settings: readonly SettingView[]): readonly SettingGroup[] {
  const groups = new Map<string | undefined, SettingView[]>([[undefined, []]]);
  for (const setting of settings) {
    const tool = toolIn(setting.path);
    const group = groups.get(tool);
    if (group === undefined) groups.set(tool, [setting]);
    else group.push(setting);
  }
  return [...groups].map(([tool, own]) => ({ tool, settings: own }));
}
