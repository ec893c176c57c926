import { useEffect, useState } from "preact/hooks";

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [says, setSays] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (says === undefined) return undefined;
    const timer = setTimeout(() => setSays(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [says]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSays("Copied"),
      () => setSays("Not allowed"),
    );
  };
  return (
    <button type="button" class="small copy" onClick={copy}>
      <span aria-live="polite">{says ?? label}</span>
    </button>
  );
}
