import type { Checked, Figures } from '../src/models/figures.ts';

/** Figures of an output of 2,000 rows of which nothing more is told; test support. */
export const sampleFigures: Figures = {
  ...{
    name: 'late',
    rows: 2_000,
    days: null,
    learned: null,
    positives: 300,
    value: 0.8,
    standardError: 0.01,
    metric: 'auroc',
  },
  ...{
    recipe: 'trees',
    others: { auroc: 0.8 },
    naive: null,
    checked: null,
    months: [],
    bounds: null,
    isOfScore: false,
  },
};

/** Probabilities that were right. */
export const sampleChecked: Checked = {
  ...{ rows: 2_000, days: null, said: 0.15, came: 0.15, slope: 1, slopeError: 0.05 },
  ...{ error: 0.01, errorMax: 0.02, z: 0.3, bins: [] },
};
