// Which groups have used much lately.

export type RecentUse = {
  add(group: string, seconds: number): void;
  isHeavy(group: string): boolean;
};

/** What was used counts half after this time. */
const halfLifeMs = 60_000;
/** About a tenth of the time, all the time. */
const heavySeconds = 10;
/** Groups that are remembered. */
const groupsMax = 10_000;

/** Remembers in this process how many seconds of something each group has used; a second of use fades with time. */
export function openRecentUse(now: () => number = Date.now): RecentUse {
  /** Of each group, what it had used by a moment; the group that has used most recently is last. */
  const groups = new Map<string, { readonly seconds: number; readonly at: number }>();
  const usedBy = (group: string): number => {
    const last = groups.get(group);
    return last === undefined ? 0 : last.seconds * 0.5 ** ((now() - last.at) / halfLifeMs);
  };
  return {
    add(group, used) {
      const seconds = usedBy(group) + used;
      groups.delete(group);
      groups.set(group, { seconds, at: now() });
      if (groups.size > groupsMax) groups.delete(groups.keys().next().value!);
    },
    isHeavy: (group) => usedBy(group) > heavySeconds,
  };
}
