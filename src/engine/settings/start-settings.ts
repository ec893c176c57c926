// Settings that are read once, at the start: a change of the file waits for a restart, and one line of the log says so.

import type { Log } from "../observe/log-event.ts";
import type { Settings } from "./settings.ts";

export class StartSettings {
  readonly #log: Log;
  readonly #name: string;
  readonly #store: string | undefined;
  /** What waits, as it was said last. */
  #saidName: string;
  #saidStore: string | undefined;

  constructor(log: Log, retrieveName: string, store: Settings["store"]) {
    this.#log = log;
    this.#name = this.#saidName = retrieveName;
    this.#store = this.#saidStore = JSON.stringify(store);
  }

  /** Called when the file was read again. */
  changed(retrieveName: string, store: Settings["store"]): void {
    this.#sayName(retrieveName);
    this.#sayStore(JSON.stringify(store));
  }

  /** Clients know the tool by the name that it had at the start. One line for each name that is new. */
  #sayName(name: string): void {
    if (name === this.#saidName) return;
    this.#saidName = name;
    if (name !== this.#name)
      this.#say("retrieve.name", `Clients know the tool as ${this.#name}. Restart to call it ${name}.`);
  }

  /** The store is opened once. Its address may hold a password, so none is shown. */
  #sayStore(store: string | undefined): void {
    if (store === this.#saidStore) return;
    this.#saidStore = store;
    if (store !== this.#store)
      this.#say(
        "store",
        "The store is open with the settings of the start. Restart to apply the changed ones.",
      );
  }

  #say(setting: string, hint: string): void {
    this.#log.warn("config-waits-for-restart", { settings: [setting], hint });
  }
}
