import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api.ts";

/** Something a person starts with a button: under way, done, or refused. */
export interface Action<T> {
  readonly isBusy: boolean;
  readonly value: T | undefined;
  readonly problem: ApiError | undefined;
  /** Starts it. What came before is forgotten; a run that is still under way is not waited for any more. */
  readonly start: (run: (signal: AbortSignal) => Promise<T>) => void;
  readonly forget: () => void;
}

interface Now<T> {
  readonly isBusy: boolean;
  readonly value?: T | undefined;
  readonly problem?: ApiError | undefined;
}

export function useAction<T>(): Action<T> {
  const [now, setNow] = useState<Now<T>>({ isBusy: false });
  const under = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => under.current?.abort(), []);
  const forget = (): void => {
    under.current?.abort();
    setNow({ isBusy: false });
  };
  const start = (run: (signal: AbortSignal) => Promise<T>): void => {
    under.current?.abort();
    const own = new AbortController();
    under.current = own;
    setNow({ isBusy: true });
    void run(own.signal).then(
      (value) => own.signal.aborted || setNow({ isBusy: false, value }),
      (error: unknown) => {
        if (own.signal.aborted) return;
        const problem =
          error instanceof ApiError
            ? error
            : new ApiError("failed", "The page could not do this.", "Load the page again.");
        setNow({ isBusy: false, problem });
      },
    );
  };
  return { isBusy: now.isBusy, value: now.value, problem: now.problem, start, forget };
}
