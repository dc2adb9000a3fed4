import type { Status } from '../workflows/contract/status.ts';
import type { Store } from '../store/store.ts';

const everyMs = 200;

/** Watches reports: one small query for all watched reports of the process, and none while nobody watches. */
export function createWatching(store: Store, status: (id: string) => Promise<Status | null>) {
  const watchers = new Map<string, Set<() => void>>();
  const seen = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;

  const look = async (): Promise<void> => {
    for (const { id, sequence } of await store.reading.sequences([...watchers.keys()])) {
      if (seen.get(id) === sequence) continue;
      seen.set(id, sequence);
      watchers.get(id)?.forEach((wake) => wake());
    }
  };
  const lookLater = (): void => {
    if (timer !== null || watchers.size === 0) return;
    timer = setTimeout(() => {
      // A look that fails is made up for by the next one.
      void look().catch(() => undefined).finally(() => {
        timer = null;
        lookLater();
      });
    }, everyMs);
  };
  const add = (id: string, wake: () => void): (() => void) => {
    watchers.set(id, (watchers.get(id) ?? new Set()).add(wake));
    lookLater();
    return () => {
      watchers.get(id)?.delete(wake);
      if (watchers.get(id)?.size === 0) {
        watchers.delete(id);
        seen.delete(id);
      }
    };
  };

  return {
    watch: async function* (id: string, signal: AbortSignal): AsyncGenerator<Status> {
      let changed = Promise.withResolvers<void>();
      const wake = (): void => changed.resolve();
      const forget = add(id, wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
      try {
        let told = 0;
        for (;;) {
          changed = Promise.withResolvers();
          const now = await status(id);
          if (now === null) return;
          if (now.sequence > told) yield now;
          told = Math.max(told, now.sequence);
          await changed.promise;
          if (signal.aborted) return;
        }
      } finally {
        signal.removeEventListener('abort', wake);
        forget();
      }
    },
    close: (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      watchers.clear();
    },
  };
}
