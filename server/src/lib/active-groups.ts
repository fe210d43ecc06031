// How many of the places that groups share one of them may hold.

export type ActiveGroups = {
  /** Notes that the group has work. */
  note(group: string): void;
  /** Whether more than one group had work. */
  areSeveral(): boolean;
  /** The most of so many places that one group may hold. At least 1. */
  shareOf(places: number): number;
};

/** How long after its last work a place is kept for a group. */
const keptMs = 60_000;

/**
 * Remembers in this process which groups had work within the last minute. Each may hold an equal share of the places,
 * and one alone all but one: so another group begins at once, and what one sends does not slow down the others' work.
 */
export function openActiveGroups(now: () => number = Date.now): ActiveGroups {
  /** When each group had work last, the oldest first. */
  const groups = new Map<string, number>();
  const count = (): number => {
    for (const [group, at] of groups) {
      if (now() - at <= keptMs) break;
      groups.delete(group);
    }
    return groups.size;
  };
  return {
    note(group) {
      groups.delete(group);
      groups.set(group, now());
    },
    areSeveral: () => count() > 1,
    shareOf: (places) => Math.max(1, Math.min(places - 1, Math.floor(places / Math.max(1, count())))),
  };
}
