const modelId = 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5';
const versionId = 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5';

export const monitorExample = {
  model_id: modelId,
  ...{ enabled: true, auto_rollback: true, rollback_days: 30, outcomes_min: 200, reference_from: null },
};

/** An income that is higher than it was, in the API document. */
export const alarmExample = {
  id: 'alm_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  ...{ model_id: modelId, version_id: versionId, kind: 'drift' },
  signals: [{ name: 'income', kind: 'input', of: 'values', value: 0.21, threshold: 0.08 }],
  raised_at: '2026-04-09T07:00:02.310Z',
  cleared_at: null,
};

export const monitoringExample = {
  ...{ model_id: modelId, version_id: versionId, status: 'watching', rows: 8_412 },
  days: [{ day: '2026-04-08', rows: 1_204 }],
  ...{ counted_until: '2026-04-09T07:00:00.000Z', judged_at: '2026-04-09T07:00:02.310Z' },
  ...{ contract_number: 3, active_contract_number: 3 },
  signals: [
    {
      ...{ name: 'income', kind: 'input', of: 'values', bins: ['< 2500', '2500 – 5000', '≥ 5000'], window_days: 7 },
      reference: { from: '2026-02-01', until: '2026-02-28', rows: 33_600, shares: [0.33, 0.34, 0.33] },
      current: { rows: 8_412, shares: [0.18, 0.32, 0.5] },
      ...{ psi: 0.21, upper: 0.08, is_raised: true },
      series: [{ day: '2026-04-08', psi: 0.21, upper: 0.08, lower: 0.03 }],
    },
  ],
  performance: [
    {
      ...{ output: 'prediction', from: '2026-01-04', until: '2026-01-31', rows: 4_120, coverage: 0.97 },
      ...{ expected: 0.083, observed: 0.091 },
      bands: [
        {
          ...{ band: null, from: 0.2, to: 0.61, rows: 412, expected: 0.31, observed: 0.33 },
          ...{ observed_low: 0.287, observed_high: 0.377 },
        },
      ],
      metrics: { auroc: 0.781, log_loss: 0.24, brier: 0.069 },
      figures: [{ name: 'calibration', value: 1.096, promised: 1, z: 1.4 }],
    },
  ],
  alarms: [alarmExample],
  rollbacks: [],
};
