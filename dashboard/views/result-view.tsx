import { ViewHead } from "../ui/panel.tsx";

export function ResultView({ seq }: { readonly seq: number }) {
  return <ViewHead title={`Call ${seq}`} />;
}
