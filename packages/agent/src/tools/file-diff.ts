/** Turns the text of a file before and after a change into what people and hooks are shown of it. */
import { basename } from "node:path";
import type { JsonObject } from "@carabiner/engine";
import { createTwoFilesPatch, diffLines } from "diff";
import type { ConfirmDetails } from "./tool.ts";

/** One change of one file. `original` is empty for a new file. */
export interface Change {
  readonly path: string;
  readonly original: string;
  readonly next: string;
  readonly isNew: boolean;
}

/** The question put to a person: `Confirm Write: a.txt`. Source: gemini-cli hooks, Notification `details` of type `edit`. */
export function confirmEdit(change: Change, verb: "Write" | "Edit" | "Memory Save"): ConfirmDetails {
  return {
    type: "edit",
    title: `Confirm ${verb}: ${basename(change.path)}`,
    fileName: basename(change.path),
    filePath: change.path,
    fileDiff: patch(change),
    originalContent: change.original,
    newContent: change.next,
  };
}

/** The display of a changed file. Source: gemini-cli hooks, AfterTool `returnDisplay` of the edit tools. */
export function diffDisplay(change: Change): JsonObject {
  return {
    fileDiff: patch(change),
    fileName: basename(change.path),
    filePath: change.path,
    originalContent: change.original,
    newContent: change.next,
    isNewFile: change.isNew,
    diffStat: stat(change),
  };
}

/** A file of two very different versions costs quadratic time: after this the diff is the whole file, taken out and put in. */
const DIFF_TIMEOUT_MS = 500;

function patch({ path, original, next }: Change): string {
  const name = basename(path);
  return (
    createTwoFilesPatch(name, name, original, next, "Current", "Proposed", { timeout: DIFF_TIMEOUT_MS }) ?? wholesale(name, original, next)
  );
}

function wholesale(name: string, original: string, next: string): string {
  const out = splitLines(original);
  const put = splitLines(next);
  return [
    `--- ${name}\tCurrent`,
    `+++ ${name}\tProposed`,
    `@@ -1,${out.length} +1,${put.length} @@`,
    ...out.map((l) => `-${l}`),
    ...put.map((l) => `+${l}`),
    "",
  ].join("\n");
}

const splitLines = (text: string): readonly string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

function stat({ original, next }: Change): JsonObject {
  const parts = diffLines(original, next, { timeout: DIFF_TIMEOUT_MS }) ?? [
    { added: true, removed: false, count: splitLines(next).length, value: next },
    { added: false, removed: true, count: splitLines(original).length, value: original },
  ];
  const sum = (which: "added" | "removed", of: "lines" | "chars"): number =>
    parts.filter((part) => part[which]).reduce((total, part) => total + (of === "lines" ? part.count : part.value.length), 0);
  return {
    model_added_lines: sum("added", "lines"),
    model_removed_lines: sum("removed", "lines"),
    model_added_chars: sum("added", "chars"),
    model_removed_chars: sum("removed", "chars"),
  };
}
