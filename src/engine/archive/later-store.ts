import {
  type ArchiveContent,
  type ArchiveEntry,
  type ArchivePut,
  type ArchiveRead,
  type ArchiveStore,
  type ListedEntry,
  type PutOptions,
  type SweepReport,
  closedError,
} from "./archive-store.ts";

/** A store whose code is loaded at its first use: a server that never cuts anything starts without it. */
export class LaterStore implements ArchiveStore {
  readonly kind: string;
  readonly location: string;
  readonly #load: () => Promise<ArchiveStore>;
  #loading: Promise<ArchiveStore> | undefined;
  #loaded: ArchiveStore | undefined;
  #isClosed = false;

  readonly localTenants: ArchiveStore["localTenants"];
  readonly isExposed: ArchiveStore["isExposed"];

  constructor(
    known: Pick<ArchiveStore, "kind" | "location" | "localTenants" | "isExposed">,
    load: () => Promise<ArchiveStore>,
  ) {
    this.kind = known.kind;
    this.location = known.location;
    this.localTenants = known.localTenants;
    this.isExposed = known.isExposed;
    this.#load = load;
  }

  put(tenant: string, content: ArchiveContent, options?: PutOptions): Promise<ArchivePut> {
    return this.#use((store) => store.put(tenant, content, options));
  }

  get(tenant: string, hash: string): Promise<ArchiveRead | undefined> {
    return this.#use((store) => store.get(tenant, hash));
  }

  getRange(tenant: string, hash: string, start: number, end: number): Promise<ArchiveRead | undefined> {
    return this.#use((store) => store.getRange(tenant, hash, start, end));
  }

  find(tenant: string, prefix: string): Promise<readonly ArchiveEntry[]> {
    return this.#use((store) => store.find(tenant, prefix));
  }

  has(tenant: string, hash: string): Promise<boolean> {
    return this.#use((store) => store.has(tenant, hash));
  }

  async *list(tenant?: string): AsyncGenerator<ListedEntry> {
    const store = await this.#use((found) => Promise.resolve(found));
    yield* store.list(tenant);
  }

  delete(tenant: string, hash: string): Promise<boolean> {
    return this.#use((store) => store.delete(tenant, hash));
  }

  sweep(): Promise<SweepReport> {
    return this.#use((store) => store.sweep());
  }

  secret(name: string): Promise<string> {
    return this.#use((store) => store.secret(name));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const store = await this.#loading?.catch(() => undefined);
    await store?.close();
  }

  #use<Result>(act: (store: ArchiveStore) => Promise<Result>): Promise<Result> {
    return this.#loaded === undefined ? this.#loadThen(act) : act(this.#loaded);
  }

  async #loadThen<Result>(act: (store: ArchiveStore) => Promise<Result>): Promise<Result> {
    // A store that is closed before its first use is never loaded; a loaded store itself reports that it is closed.
    if (this.#isClosed && this.#loading === undefined) throw closedError(this.kind);
    this.#loading ??= this.#load();
    try {
      this.#loaded = await this.#loading;
    } catch (error) {
      // If loading failed, the next use tries again.
      this.#loading = undefined;
      throw error;
    }
    return act(this.#loaded);
  }
}
