/** What a diagnosis finds: where it belongs, how bad it is, what it is, and what to do. */

export const AREAS = ["Settings files", "Hooks", "Trust", "Programs that hooks need", "Journal", "Agent"] as const;
export type Area = (typeof AREAS)[number];

/** `warning` and `error` are what makes the exit code 1; a `note` is worth knowing, and nothing is wrong. */
export interface Finding {
  readonly area: Area;
  readonly level: "ok" | "note" | "warning" | "error";
  readonly what: string;
  readonly fix?: string | undefined;
}

export const ok = (area: Area, what: string): Finding => ({ area, level: "ok", what });
export const note = (area: Area, what: string, fix?: string): Finding => ({ area, level: "note", what, fix });
export const warning = (area: Area, what: string, fix?: string): Finding => ({ area, level: "warning", what, fix });
export const error = (area: Area, what: string, fix?: string): Finding => ({ area, level: "error", what, fix });

export const isBad = ({ level }: Finding): boolean => level === "warning" || level === "error";
