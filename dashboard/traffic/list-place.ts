// Where the reader is in the list. It outlives the view, so that coming back from a call leads to the same place.

import { signal } from "@preact/signals";
import { calls } from "../live/page-state.ts";

class ListPlace {
  /** The newest call that is shown while the list is held; undefined while it follows. */
  readonly heldAt = signal<number | undefined>(undefined);
  readonly activeSeq = signal<number | undefined>(undefined);
  /** Held by the button: scrolling to the top does not let it go. */
  readonly isPaused = signal(false);
  scrollTop = 0;

  /** New calls wait: rows do not move while they are read. */
  hold(): void {
    this.heldAt.value ??= calls.newestSeq;
  }

  /** New calls are shown again, unless the list was paused on purpose. */
  release(): void {
    if (!this.isPaused.value && this.activeSeq.value === undefined) this.heldAt.value = undefined;
  }

  pause(): void {
    this.isPaused.value = true;
    this.hold();
  }

  follow(): void {
    this.isPaused.value = false;
    this.activeSeq.value = undefined;
    this.scrollTop = 0;
    this.heldAt.value = undefined;
  }
}

export const place = new ListPlace();
