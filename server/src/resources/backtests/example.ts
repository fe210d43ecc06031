const group = { rows: 410, expected: { before: 49.2, after: 30.1 }, labelled: 388, observed: 0.081 };

const part = {
  ...{ rows: 12_000, mean: { before: 0.081, after: 0.078 }, moved: 0.0742 },
  ...{
    accepted: { before: 9_580, after: 9_510 },
    swapped_in: 410,
    swapped_out: 480,
    labelled: 11_204,
    observed: 0.079,
  },
};

/** How the answers of two sides differ. */
export const comparedExample = {
  field: 'pd_365d',
  mean: { before: 0.081, after: 0.078 },
  mean_change: -0.003,
  rank_correlation: 0.912,
  psi: 0.021,
  ks: 0.034,
  equal: 0,
  distribution: [{ from: 0, to: 50, before: 12, after: 9 }],
  changes: [{ from: -10, to: 10, rows: 9_310 }],
  migration: {
    by: 'band',
    groups: ['Low Risk', 'High Risk'],
    rows: [
      [9_100, 480],
      [410, 2_000],
    ],
    moved: 0.0742,
  },
  by_group: [{ ...part, name: 'Low Risk' }],
  decisions: {
    accepted: { before: 9_580, after: 9_510 },
    expected: { before: 402.1, after: 371.8 },
    swapped_in: group,
    swapped_out: { ...group, rows: 480, observed: 0.142 },
    kept_in: { ...group, rows: 9_100 },
    kept_out: { ...group, rows: 2_000 },
  },
};

/** A challenger against what was answered, in the API document. */
export const backtestExample = {
  id: 'bkt_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  status: 'succeeded',
  model: {
    model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
    alias: null,
    version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
    number: 2,
  },
  compare_with: null,
  from: '2026-01-01T00:00:00.000Z',
  until: '2026-02-01T00:00:00.000Z',
  as_of: 'then',
  cutoff: { score: 600 },
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  phase: null,
  fraction: 1,
  result: {
    rows: { logged: 12_000, compared: 11_990, refused: [{ code: 'missing_input', column: 'income', rows: 10 }] },
    versions: [{ version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', rows: 12_000 }],
    ...comparedExample,
    by_month: [{ ...part, name: '2026-01' }],
    labelled: { rows: 11_204, observed: 0.079, metrics: { auroc: { before: 0.781, after: 0.802 } } },
    moved_most: [{ prediction_id: 'prd_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', before: 0.04, after: 0.31 }],
  },
  failure: null,
  created_at: '2026-02-01T12:00:00.000Z',
  started_at: '2026-02-01T12:00:01.000Z',
  finished_at: '2026-02-01T12:00:21.000Z',
};
