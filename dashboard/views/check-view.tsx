import { ViewHead } from "../ui/panel.tsx";

export function CheckView() {
  return <ViewHead title="Check" />;
}
