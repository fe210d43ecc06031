const auroc = { value: 0.786, low: 0.741, high: 0.829 };
const measured = {
  ...{ rows: 1_800, positives: 143, mean_predicted: 0.083, mean_observed: 0.079 },
  metrics: { auroc, brier: { value: 0.064, low: 0.055, high: 0.074 } },
  ...{ reliability: null, gains: null, calibration: null, sureness: null, classes: null },
};

/** Two versions of a model side by side, in the API document. */
export const evaluationExample = {
  id: 'evl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  status: 'succeeded',
  file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  path: 'labelled.csv',
  model: {
    model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
    alias: 'challenger',
    version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
    number: 2,
  },
  compare_with: {
    model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
    alias: 'production',
    version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
    number: 1,
  },
  segments: [],
  column_mapping: { date: 'DATA_REF' },
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  reference_date: null,
  as_of: '2026-01-31T12:06:00.000Z',
  phase: null,
  fraction: 1,
  result: {
    rows: { read: 1_804, unreadable: 4, unknown: 0 },
    errors: [{ row: 17, column: 'date', message: 'expected a timestamp such as 2024-01-31T18:30:00Z' }],
    learned: { newest_label: '2025-09-30', rows: 0, matched: 0, of: 1_800 },
    outputs: [
      {
        ...{ name: 'prediction', kind: 'binary', metric: 'auroc', labelled_by: 'file', unlabelled: 0, open: 0 },
        all: {
          drawn: 'entities',
          model: measured,
          naive: { constant: 0.5 },
          segments: [],
          compare_with: { ...measured, metrics: { auroc: { value: 0.771, low: 0.724, high: 0.815 } } },
          comparison: {
            gains: { auroc: { value: 0.015, low: 0.004, high: 0.027 } },
            ...{ better: 'model', reason: null, rank_correlation: 0.94, mean_change: 0.002, decile_changed: 0.31 },
            ...{ band_changed: null, class_changed: null },
          },
        },
        later: null,
      },
    ],
    warnings: [],
    warning_codes: [],
  },
  failure: null,
  created_at: '2026-01-31T12:06:00.000Z',
  started_at: '2026-01-31T12:06:00.480Z',
  finished_at: '2026-01-31T12:06:12.122Z',
};
