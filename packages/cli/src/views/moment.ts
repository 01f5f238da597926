/** Names what a story is about as its readers know it: the event in their product's words, and the hooks that are for it. */
import { DIALECTS, type Dialect, dialectById, type EventName, type Story, type StoryEntry } from "@carabiner/engine";
import { oneLine } from "./fit.ts";
import { originOf, shortPaths } from "./origin.ts";

/** The event's names in the dialects that have hooks here; the canonical name where no dialect has a word for it. */
export function eventTitle(story: Pick<Story, "event" | "variant" | "entries">): string {
  const ids = new Set(story.entries.flatMap(({ dialect }) => dialect ?? []));
  const present = DIALECTS.filter(({ id }) => ids.has(id));
  const names = (present.length > 0 ? present : DIALECTS.slice(0, 1)).flatMap((dialect) => wireNames(dialect, story.event, story.variant));
  return names.length > 0 ? [...new Set(names)].join(" / ") : story.event;
}

/** What a dialect calls the event; where it tells variants apart and none is given, all of them. */
export function wireNames({ rows }: Dialect, event: EventName, variant?: string): readonly string[] {
  return Object.entries(rows)
    .filter(([, row]) => row.on === event && (variant === undefined || isFiredFor(row.when, variant)))
    .map(([name]) => name);
}
const isFiredFor = (when: readonly string[] | undefined, variant: string): boolean => when === undefined || when.includes(variant);

/** Is the hook for this event at all, whatever its matcher says? */
export function isForEvent({ dialect: id, wireName }: StoryEntry, event: EventName): boolean {
  const dialect = id === undefined ? undefined : dialectById(id);
  if (!dialect) return wireName === event;
  const row = Object.hasOwn(dialect.rows, wireName) ? dialect.rows[wireName] : undefined;
  // A word of the product that has no row is not known to be another event.
  return row === undefined || row.on === event;
}

/** `BeforeTool (write_file)`: the event, and the one thing its matchers look at. */
export function momentText(story: Story): string {
  const { subject } = story;
  return `${eventTitle(story)}${subject === undefined || subject === "" ? "" : ` (${oneLine(subject)})`}`;
}

/** Hooks by id, as the list of the story numbers them: `2. guard`. */
export function numberedNames(entries: readonly StoryEntry[]): (id: string) => string {
  const known = new Map(entries.map(({ id, name }, i) => [id, `${i + 1}. ${oneLine(name)}`] as const));
  return (id) => known.get(id) ?? oneLine(id);
}

/** Hooks by id, as they are called. */
export const plainNames =
  (entries: readonly StoryEntry[]) =>
  (id: string): string =>
    oneLine(entries.find((entry) => entry.id === id)?.name ?? id);

/** Where each hook is configured, by id. */
export function placesOf(
  entries: readonly StoryEntry[],
  around: { readonly projectDir: string; readonly home: string },
): (id: string) => string {
  const known = new Map(entries.map((entry) => [entry.id, originOf(entry, around)] as const));
  return (id) => known.get(id) ?? id;
}

/** Why an entry did not run, with places instead of ids and short paths instead of long ones. */
export function whyText({ entries, projectDir }: Story, { why = "" }: StoryEntry, home: string): string {
  const text = withNames(oneLine(why), placesOf(entries, { projectDir, home }), entries);
  return shortPaths(text, { projectDir, home });
}

/** Texts of the record name hooks by their ids, which people have never seen. */
export function withNames(text: string, nameOf: (id: string) => string, entries: readonly StoryEntry[]): string {
  // The longest first: one id may begin with another.
  const ids = entries.map(({ id }) => id).sort((a, b) => b.length - a.length);
  return ids.reduce((now, id) => (id.includes(":") ? now.replaceAll(id, () => nameOf(id)) : now), text);
}
