/** Hands what the engine tells to its subscribers, each on its own. */
import type { EngineEvent } from "./options.ts";

export interface Emitter {
  readonly emit: (event: EngineEvent) => void;
  readonly subscribe: (listener: (event: EngineEvent) => void) => () => void;
  /** Is anybody listening? */
  readonly heard: () => boolean;
}

export function createEmitter(): Emitter {
  const listeners = new Set<(event: EngineEvent) => void>();
  return {
    emit: (event) => {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          // A listener's fault is the host's: it must be seen, and must not change what a hook decided.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    heard: () => listeners.size > 0,
  };
}
