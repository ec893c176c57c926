import { ViewHead } from "../ui/panel.tsx";

export function OverviewView({ query }: { readonly query: URLSearchParams }) {
  return <ViewHead title="Overview" says={query.toString()} />;
}
