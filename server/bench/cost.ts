/** What a whole process took: CPU seconds of all its threads, and its largest resident memory. */
export type Cost = { readonly seconds: number; readonly peakMb: number };

/**
 * Says what this process took so far, for `runScript`. In a file of its own: it imports nothing that would be counted.
 */
export function sayCost(): void {
  console.log(JSON.stringify(costOfProcess()));
}

/** What this process took so far. */
export function costOfProcess(): Cost {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, peakMb: maxRSS / 1024 };
}
