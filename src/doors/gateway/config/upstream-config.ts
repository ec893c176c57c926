import type { LoadedConfig } from "../../../engine/settings/resolve-config.ts";
import type { Settings } from "../../../engine/settings/settings.ts";
import type { ConfigWatch } from "../../../engine/settings/watch-config.ts";
import type { ConfigSource } from "../../../engine/settings/contract-options.ts";

/** The settings of one upstream; the general settings of the file if the upstream has none. */
function settingsOf({ settings, gateway }: LoadedConfig, name: string): Settings {
  const own = gateway?.settings ?? {};
  return (Object.hasOwn(own, name) ? own[name] : undefined) ?? settings;
}

class UpstreamConfig implements ConfigWatch {
  readonly #whole: ConfigWatch;
  readonly #name: string;
  #seen: LoadedConfig | undefined;
  #current: LoadedConfig | undefined;

  constructor(whole: ConfigWatch, name: string) {
    this.#whole = whole;
    this.#name = name;
  }

  /** The same object until the file changes: values computed from the settings are cached by this object. */
  get current(): LoadedConfig {
    const { current } = this.#whole;
    if (this.#seen === current && this.#current !== undefined) return this.#current;
    this.#seen = current;
    this.#current = { ...current, settings: settingsOf(current, this.#name) };
    return this.#current;
  }

  onChange(listener: Parameters<ConfigWatch["onChange"]>[0]): () => void {
    return this.#whole.onChange(() => listener(this.current));
  }

  /** The gateway reports a problem of its file once, not once for each upstream. */
  onProblem(): () => void {
    return () => undefined;
  }

  /** Only the opener of the source may close its watch. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The configuration as one upstream sees it. A change of the file takes effect with the next call. */
export function upstreamConfig(source: ConfigSource, name: string): ConfigSource {
  return "current" in source ? new UpstreamConfig(source, name) : source;
}
