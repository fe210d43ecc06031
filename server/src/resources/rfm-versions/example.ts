/** A version of the workspace's relational model, in the API document. */
export const rfmVersionExample = {
  id: 'rfm_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  entity: 'customers',
  number: 1,
  parent_id: null,
  gfm_version_id: null,
  training_run_id: 'run_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  contract_id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  report: {
    entity: 'customers',
    heads: [{ target: 'exists orders[customer_id]', days: 30, rows: 554, loss: 0.175, constant: 0.257, auroc: 0.941 }],
  },
  created_at: '2026-01-31T12:20:00.000Z',
};
