import { useEffect, useState } from 'react';
import type { Batch } from './batch.ts';

/** A batch's speed is that of its last seconds. */
const spanMs = 20_000;

/** Rows in a second, by what the last answers said; null while that cannot be told. */
export function useRate({ status, started_at: startedAt, progress: { rows } }: Batch, toldAt: number): number | null {
  const [samples, setSamples] = useState<readonly { readonly at: number; readonly rows: number }[]>([]);
  const { processed } = rows;
  useEffect(() => {
    setSamples((before) => [...before.filter(({ at }) => at > toldAt - spanMs), { at: toldAt, rows: processed }]);
  }, [toldAt, processed]);
  if (status !== 'running' || !startedAt) return null;
  const [first] = samples;
  const last = samples.at(-1);
  if (first && last && last.at - first.at > 3_000 && last.rows > first.rows)
    return (1000 * (last.rows - first.rows)) / (last.at - first.at);
  const elapsedMs = toldAt - Date.parse(startedAt);
  return processed > 0 && elapsedMs > 0 ? (1000 * processed) / elapsedMs : null;
}
