/** What a project starts as. The command line names them before anything else of a project is loaded. */
export const templates = ["stdio", "http", "resources", "worker"] as const;
export type Template = (typeof templates)[number];
