import { describe, expect, test } from 'vitest';
import { sigmoid } from '../statistics/logistic.ts';
import { seedRandom } from '../statistics/random.ts';
import { fitRateBounds, rateBoundsAt } from './rate-bounds.ts';

/** Rows whose true log-odds are their margins, moved by `shift` of their time. */
function sample(rows: number, seed: number, shift: (period: number) => number = () => 0) {
  const random = seedRandom(seed);
  // The sum of uniforms is bell-shaped: few rows at either end.
  const margins = Float64Array.from({ length: rows }, () => 2 * (random() + random() + random() + random()) - 6);
  const until = Float64Array.from({ length: rows }, (_, row) => Math.floor((20 * row) / rows));
  const truth = margins.map((margin, row) => sigmoid(margin + shift(until[row])));
  const labels = truth.map((p) => Number(random() < p));
  return { margins, predictions: margins.map(sigmoid), labels, until, truth };
}

const fitted = (of: ReturnType<typeof sample>) => fitRateBounds(of.margins, of.predictions, of.labels, of.until);

describe('bounds of a probability', () => {
  test('hold the true rate nine times of ten, over samples and over the whole range of margins', () => {
    const margins = Array.from({ length: 13 }, (_, at) => -5 + at / 2);
    let inside = 0;
    const samples = 60;
    for (let seed = 0; seed < samples; seed++) {
      const bounds = fitted(sample(1_500, seed));
      for (const margin of margins) {
        const [lower, upper] = rateBoundsAt(bounds, margin, sigmoid(margin));
        if (lower <= sigmoid(margin) && sigmoid(margin) <= upper) inside++;
      }
    }
    expect(inside / (samples * margins.length)).toBeGreaterThanOrEqual(0.9);
  });

  test('hold the rate of later rows in every tenth of them', () => {
    const bounds = fitted(sample(4_000, 1));
    const later = sample(20_000, 2);
    const order = Array.from(later.margins.keys()).sort((a, b) => later.margins[a] - later.margins[b]);
    for (let bin = 0; bin < 10; bin++) {
      const rows = order.slice(bin * 2_000, (bin + 1) * 2_000);
      const mean = (of: (row: number) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
      const [lower, upper] = [0, 1].map((side) =>
        mean((row) => rateBoundsAt(bounds, later.margins[row], later.predictions[row])[side]),
      );
      const observed = mean((row) => later.labels[row]);
      expect(lower, `bin ${bin}`).toBeLessThan(observed);
      expect(upper, `bin ${bin}`).toBeGreaterThan(observed);
      expect(upper - lower, 'and say something').toBeLessThan(0.25);
    }
  });

  test('differ from row to row, hold the answer inside, and are wider where fewer rows were seen', () => {
    const bounds = fitted(sample(3_000, 3));
    const random = seedRandom(4);
    const widths = new Set<number>();
    for (let row = 0; row < 500; row++) {
      const margin = 7 * random() - 5.5;
      const [lower, upper] = rateBoundsAt(bounds, margin, sigmoid(margin));
      expect(lower).toBeLessThan(sigmoid(margin));
      expect(upper).toBeGreaterThan(sigmoid(margin));
      widths.add(upper - lower);
    }
    expect(widths.size).toBe(500);
    const width = (of: typeof bounds, margin: number) => {
      const [lower, upper] = rateBoundsAt(of, margin, sigmoid(margin));
      return upper - lower;
    };
    expect(width(bounds, -2)).toBeLessThan(width(bounds, 1.5));
    expect(width(bounds, 1.5)).toBeLessThan(width(bounds, 4));
    expect(width(bounds, 40), 'nothing like it was seen').toBeGreaterThan(0.8);
    expect(width(fitted(sample(30_000, 3)), -2)).toBeLessThan(width(bounds, -2) / 2);
  });

  test('are wider where whole periods came out otherwise than predicted', () => {
    const [calm, stormy] = [sample(5_000, 5), sample(5_000, 5, (period) => (period % 4 < 2 ? 0.6 : -0.6))].map(fitted);
    expect(calm.swing).toBeLessThan(0.15);
    expect(stormy.swing).toBeGreaterThan(0.4);
    expect(stormy.swing).toBeLessThan(0.8);
    const [[calmLower], [stormyLower]] = [calm, stormy].map((of) => rateBoundsAt(of, -2, sigmoid(-2)));
    expect(stormyLower).toBeLessThan(calmLower);
  });

  test('of rows that are all alike, or few, are bounds all the same, and survive JSON', () => {
    const alike = fitRateBounds(Float64Array.of(1, 1), Float64Array.of(0.5, 0.5), [0, 1], Float64Array.of(0, 0));
    const [lower, upper] = rateBoundsAt(JSON.parse(JSON.stringify(alike)), 1, 0.5);
    expect([lower > 0, lower < 0.5, upper > 0.5, upper < 1]).toEqual([true, true, true, true]);
  });
});
