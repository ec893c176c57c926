// Keeps the stream of events open for as long as the page is: reads, notices silence, waits, tries again.

import { EventReader } from "./event-reader.ts";
import { connection, takeEvent } from "./page-state.ts";
import { SILENCE_MS, reconnectDelayMs } from "./reconnect-delay.ts";

let attempt = 0;
let lastId = "";
let wake: (() => void) | undefined;

/** Ends the wait for the next try. */
export function reconnectNow(): void {
  wake?.();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Reads events until the connection ends. True where the gateway does not know this page any more. */
async function readEvents(): Promise<boolean> {
  const dead = new AbortController();
  let timer = setTimeout(() => dead.abort(), SILENCE_MS);
  try {
    const answer = await fetch("/api/events", {
      headers: { accept: "text/event-stream", ...(lastId === "" ? {} : { "last-event-id": lastId }) },
      cache: "no-store",
      signal: dead.signal,
    });
    if (answer.status === 401) return true;
    if (!answer.ok || answer.body === null) return false;
    const reader = new EventReader();
    const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => dead.abort(), SILENCE_MS);
      for (const event of reader.push(piece.value)) takeEvent(event.name, event.data);
      if (reader.lastId !== "") lastId = reader.lastId;
      if (connection.peek().state !== "live") connection.value = { state: "live" };
      attempt = 0;
    }
    return false;
  } finally {
    clearTimeout(timer);
    dead.abort();
  }
}

/** Runs until the gateway says that the page is signed out. */
export async function keepConnected(): Promise<void> {
  for (;;) {
    const isSignedOut = await readEvents().catch(() => false);
    if (isSignedOut) {
      connection.value = { state: "signed-out" };
      return;
    }
    attempt += 1;
    const delayMs = reconnectDelayMs(attempt, Math.random());
    connection.value = { state: "broken", retryAt: Date.now() + delayMs, attempt };
    await wait(delayMs);
    connection.value = { state: "broken", retryAt: undefined, attempt };
  }
}
