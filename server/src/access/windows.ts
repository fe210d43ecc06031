/** How often each of many was counted within its window. */
export type Windows = {
  /** Counts one more. Returns how many there are in its window with it, and when that ends, in ms of the clock. */
  count(id: string): { readonly used: number; readonly until: number };
};

/** Those whose windows one process remembers; with one more, all begin anew. */
const rememberedMax = 100_000;

/** Windows of so many ms, each of which begins with the first that is counted; in the memory of this process. */
export function openWindows(lengthMs: number, now: () => number): Windows {
  const windows = new Map<string, { used: number; until: number }>();
  return {
    count(id) {
      const at = now();
      let window = windows.get(id);
      if (!window || window.until <= at) {
        if (windows.size >= rememberedMax) windows.clear();
        window = { used: 0, until: at + lengthMs };
        windows.set(id, window);
      }
      window.used++;
      return window;
    },
  };
}
