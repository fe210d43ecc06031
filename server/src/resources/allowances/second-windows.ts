/** What is counted by the second. */
export type SecondWindows = {
  /** Counts one more, unless `most` have been let in within the second that runs; then returns false. */
  admit(id: string, most: number): boolean;
};

/** Those whose seconds one process remembers; with one more, all begin anew. */
const rememberedMax = 100_000;

/** Seconds that begin with the first that comes; in the memory of this process. */
export function openSecondWindows(now: () => number = () => performance.now()): SecondWindows {
  const windows = new Map<string, { until: number; count: number }>();
  return {
    admit(id, most) {
      const at = now();
      let window = windows.get(id);
      if (!window || window.until <= at) {
        if (windows.size >= rememberedMax) windows.clear();
        window = { until: at + 1_000, count: 0 };
        windows.set(id, window);
      }
      return ++window.count <= most;
    },
  };
}
