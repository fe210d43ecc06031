const estimate = { value: 0.014, low: 0.003, high: 0.026 };
const measured = {
  ...{ rows: 4_210, positives: 371, mean_predicted: 0.091, mean_observed: 0.088 },
  metrics: { auroc: { value: 0.786, low: 0.762, high: 0.809 } },
  ...{ reliability: null, gains: null, calibration: null, sureness: null, classes: null },
};

/** A version that is better than the one before, in the API document. */
export const validationExample = {
  id: 'val_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  status: 'succeeded',
  alias: 'production',
  compare_with_version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  segments: ['region'],
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  earlier_snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  as_of: '2026-01-31T12:06:00.000Z',
  phase: null,
  fraction: 1,
  verdict: 'better',
  result: {
    verdict: 'better',
    reason: "the gain in the task's metric on the same rows: 0.014 (0.003 to 0.026), at least -0.01 asked",
    checks: [
      {
        ...{ name: 'discrimination', status: 'passed', ...estimate, before: null, borne_out: false, threshold: -0.01 },
        message: "the gain in the task's metric on the same rows: 0.014 (0.003 to 0.026), at least -0.01 asked",
      },
    ],
    ...{ output: 'prediction', kind: 'binary', metric: 'auroc' },
    judged: {
      ...{ labelled: 12_800, rows: 4_210, positives: 371, from: '2025-07-01', until: '2025-10-01' },
      model: { later: 0, held_out: 4_210, unlearned: 0 },
      compare_with: { later: 4_210, held_out: 0, unlearned: 0 },
    },
    model: measured,
    compare_with: { ...measured, metrics: { auroc: { value: 0.772, low: 0.747, high: 0.797 } } },
    gains: { auroc: estimate },
    months: [
      {
        ...{ name: '2025-10', rows: 1_404, positives: 122, mean_predicted: 0.09, mean_observed: 0.087 },
        ...{ model: 0.79, compare_with: 0.775, gain: { value: 0.015, low: -0.006, high: 0.037 } },
      },
    ],
    segments: [],
    bands: [
      {
        ...{ name: 'Medium Risk', rows: 804, mean_predicted: 0.07, observed: 0.069 },
        ...{ observed_low: 0.053, observed_high: 0.089, means_from: 0.045, means_to: 0.1 },
      },
    ],
    present: {
      ...{ rows: 1_460, at: '2026-01-31', stability_index: 0.04, largest_distance: 0.06, rank_correlation: 0.93 },
      histogram: [{ from: null, to: 0.02, model: 70, compare_with: 73 }],
      bands: ['Exceptional', 'Low Risk', 'Moderate Risk', 'Medium Risk', 'High Risk', 'Very High Risk'],
      migration: null,
      cutoffs: [
        {
          score: 550,
          model: { approval_rate: 0.71, expected_default: 0.034, observed_default: 0.036 },
          compare_with: { approval_rate: 0.7, expected_default: 0.041, observed_default: 0.042 },
          ...{ swapped_in: 61, swapped_out: 46 },
        },
      ],
      judged: { stability_index: 0.05, rank_correlation: 0.92 },
      since_judged: { model: 0.03, compare_with: 0.03, beside: 0.01 },
    },
    shadow: {
      ...{ answered: 12_406, refused: 0, from: '2026-01-20', until: '2026-01-31' },
      ...{ stability_index: 0.05, largest_distance: 0.06, rank_correlation: 0.94 },
    },
    missing: [],
    replay: {
      ...{ rows: 1_380, at: '2025-10-31', model: 0.999, compare_with: 0.999 },
      hindsight: {
        rows: 1_214,
        model: { value: 0.001, low: -0.002, high: 0.004 },
        compare_with: { value: 0, low: -0.002, high: 0.003 },
      },
    },
    latency: { model: { median_ms: 0.8, p95_ms: 1.3 }, compare_with: { median_ms: 0.7, p95_ms: 1.2 } },
  },
  failure: null,
  created_by: 'Ana Prado',
  created_at: '2026-01-31T12:06:00.000Z',
  started_at: '2026-01-31T12:06:00.480Z',
  finished_at: '2026-01-31T12:06:21.122Z',
};
