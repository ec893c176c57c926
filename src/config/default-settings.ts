import { resolveConfig } from "./resolve-config.ts";
import type { Settings } from "./settings.ts";

/** The settings of a server without config file and environment. */
export const defaultSettings: Settings = resolveConfig({}).settings;
