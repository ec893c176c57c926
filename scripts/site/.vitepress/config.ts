// VitePress looks here; the settings are where the type checker and the linter see them.
export { siteConfig as default } from "../site-config.ts";
