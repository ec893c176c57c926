import { ViewHead } from "../ui/panel.tsx";

export function ConfigView() {
  return <ViewHead title="Config" />;
}
