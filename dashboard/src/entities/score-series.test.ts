import { expect, test } from 'vitest';
import type { Prediction } from '../predictions/headline.ts';
import { scoreSeries } from './score-series.ts';

test('answers of other models, versions or fields are lines of their own, in the order of what they speak of', () => {
  const answer = (id: string, version: string, as_of: string, outputs: object) =>
    ({
      id,
      model_id: 'credit',
      version_id: version,
      as_of,
      created_at: '2026-01-01',
      outputs,
    }) as unknown as Prediction;
  const found = scoreSeries([
    answer('asked-last', 'v1', '2024-01-31T00:00:00Z', { score: 300 }),
    answer('asked-second', 'v2', '2025-01-31T00:00:00Z', { score: 500 }),
    answer('asked-first', 'v1', '2025-01-31T00:00:00Z', { score: 400 }),
    answer('shorter', 'v1', '2025-01-31T00:00:00Z', { prediction_30d: 0.5 }),
    answer('words', 'v1', '2025-01-31T00:00:00Z', { prediction: 'bread' }),
  ]);
  const told = found.map(({ field, versions }) => [
    field,
    Object.fromEntries(Array.from(versions, ([version, scores]) => [version, scores.map((one) => one.prediction.id)])),
  ]);
  expect(told).toEqual([
    ['score', { v1: ['asked-last', 'asked-first'], v2: ['asked-second'] }],
    ['prediction_30d', { v1: ['shorter'] }],
  ]);
});
