import { ViewHead } from "../ui/panel.tsx";

interface ToolsViewProps {
  /** Both are given where the address names one tool. */
  readonly upstream: string | undefined;
  readonly tool: string | undefined;
}

export function ToolsView({ tool }: ToolsViewProps) {
  return <ViewHead title={tool ?? "Tools"} />;
}
