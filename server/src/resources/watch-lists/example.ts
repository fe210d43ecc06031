/** A watch list, an entry and a move of it, in the API document. */
export const watchListExample = {
  id: 'wat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  name: 'Largest exposures',
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  alias: 'production',
  alias_version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  table: 'customers',
  is_personal: true,
  threshold: null,
  field: 'score',
  entries: { total: 1_200, scored: 1_190, unknown: 8, refused: 0, waiting: 2 },
  moves: 37,
  last_moved_at: '2026-02-01T03:00:02.000Z',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  as_of: '2026-02-01T03:00:02.000Z',
  is_due: false,
  failure: null,
  created_by: 'Ana Prado',
  created_at: '2026-01-31T12:00:00.000Z',
};

export const entryExample = {
  id: 'wle_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  key: '11222333000181',
  status: 'scored',
  score: 655,
  band: 'Medium Risk',
  as_of: '2026-02-01T03:00:02.000Z',
  told: { score: 655, band: 'Medium Risk', at: '2026-02-01T03:00:02.000Z' },
  history: [
    { at: '2026-01-31T12:00:05.000Z', score: 712 },
    { at: '2026-02-01T03:00:02.000Z', score: 655 },
  ],
  created_at: '2026-01-31T12:00:00.000Z',
};

export const moveExample = {
  id: 'wlm_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  entry_id: entryExample.id,
  key: entryExample.key,
  at: '2026-02-01T03:00:02.000Z',
  from: { score: 712, band: 'Moderate Risk' },
  to: { score: 655, band: 'Medium Risk' },
  because: 'data',
  from_version_id: watchListExample.version_id,
  version_id: watchListExample.version_id,
  snapshot_id: watchListExample.snapshot_id,
};
