/** Stands in for a model that could not be chosen: nothing is wrong until one is needed, since hooks may answer in its place. */
import type { Model } from "../models/index.ts";

/** What to do about it; the agent's exit code is 41. */
export class NoModel extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoModel";
  }
}

export function noModel(message: string): Model {
  const refuse = (): Promise<never> => Promise.reject(new NoModel(message));
  return {
    provider: "none",
    name: "none",
    contextWindow: 32_000,
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    generate: refuse,
  };
}
