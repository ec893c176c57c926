/** Hears, in one sentence, what of a tool's schema could not be advertised. */
export type OnNote = (note: string) => void;
