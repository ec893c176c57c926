import { ViewHead } from "../ui/panel.tsx";

export function ArchiveView() {
  return <ViewHead title="Archive" />;
}
