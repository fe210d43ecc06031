const outcomesOf = (rows: number, expected: number, observed: number, observed_low: number, observed_high: number) => [
  {
    ...{ output: 'prediction', rows, expected, observed, observed_low, observed_high },
    metrics: { auroc: 0.781, log_loss: 0.24, brier: 0.069 },
    bands: [
      {
        ...{ band: null, from: 0.2, to: 0.61, rows: 412, expected: 0.31, observed: 0.33 },
        ...{ observed_low: 0.287, observed_high: 0.377 },
      },
    ],
  },
];
const tenthsOf = (...answers: number[]) => answers.map((count, place) => ({ tenth: place + 1, answers: count }));

/** A tenth of production by another version, in the API document. */
export const splitExample = {
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  alias: 'production',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  share: 0.1,
  created_by: 'api_key key_0199f3a8c4d27b1e9c55d0a1b2c3d4e7',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
  arms: [
    {
      ...{ arm: 'alias', version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', share: 0.9 },
      ...{ answers: 10_812, entities: 9_004, bands: [{ band: 'A', answers: 10_812 }] },
      ...{ tenths: tenthsOf(9_410, 1_402), outcomes: outcomesOf(3_610, 0.083, 0.091, 0.082, 0.101) },
    },
    {
      ...{ arm: 'split', version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6', share: 0.1 },
      ...{ answers: 1_188, entities: 996, bands: [{ band: 'A', answers: 1_188 }] },
      ...{ tenths: tenthsOf(1_040, 148), outcomes: outcomesOf(402, 0.085, 0.087, 0.063, 0.119) },
    },
  ],
  differences: [{ output: 'prediction', observed: -0.004, low: -0.029, high: 0.029 }],
};
