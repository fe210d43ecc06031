import { comparedExample } from '../backtests/example.ts';

/** A challenger beside the version in production, in the API document. */
export const shadowExample = {
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  alias: 'production',
  share: 1,
  cutoff: { score: 600 },
  answered: 12_000,
  refused: 0,
  seen_until: '2026-02-01T12:00:00.000Z',
  comparison: {
    rows: 12_000,
    ...comparedExample,
  },
  created_at: '2026-01-31T12:00:00.000Z',
};
