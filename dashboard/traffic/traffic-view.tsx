import { ViewHead } from "../ui/panel.tsx";

export function TrafficView({ query }: { readonly query: URLSearchParams }) {
  return <ViewHead title="Traffic" says={query.toString()} />;
}
