import type { OpenVersion } from '../inference/predict.ts';
import { quantileOfSorted } from '../statistics/ranks.ts';
import { anchorsAt } from './judged-rows.ts';
import type { Present } from './present.ts';
import type { LatencyMs, ValidationReport } from './report.ts';

const asksPerVersion = 100;
const warmingAsks = 20;

/**
 * Times answers to one row at a time, of both versions by turns, so that what else the machine does is felt by both.
 * Milliseconds of the model's own work: an answer over HTTP takes longer.
 */
export function measureLatency(
  model: OpenVersion,
  compareWith: OpenVersion | null,
  { rows, at }: Present,
  until: number,
): NonNullable<ValidationReport['latency']> {
  const taken = [model, compareWith].map((opened) => (opened ? { opened, ms: [] as number[] } : null));
  for (let ask = 0; ask < warmingAsks + asksPerVersion; ask++) {
    const k = ask % rows.length;
    for (const one of taken) {
      if (!one) continue;
      const begun = performance.now();
      one.opened.valuesAt(anchorsAt(one.opened, rows.subarray(k, k + 1), at.subarray(k, k + 1), until));
      if (ask >= warmingAsks) one.ms.push(performance.now() - begun);
    }
  }
  const [own, before] = taken.map((one): LatencyMs | null => {
    if (!one) return null;
    const sorted = Float64Array.from(one.ms).sort();
    return { median_ms: quantileOfSorted(sorted, 0.5), p95_ms: quantileOfSorted(sorted, 0.95) };
  });
  return { model: own!, compare_with: before };
}
