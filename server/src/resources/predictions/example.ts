const outputs = {
  prediction: 0.134438097,
  key_factors: ['Number of orders in the last 30 days: 0 (usual: 3)', 'Mean days between orders: 41 (usual: 14)'],
  data_coverage: 'full',
  as_of: '2026-02-01T02:59:59.999Z',
  prediction_id: 'prd_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  generated_at: '2026-02-01T12:00:00.000Z',
  data_age: 1,
};

/** An answer, in the API document. */
export const answerExample = { ...outputs, interval: { prediction: { lower: 0.11965812, upper: 0.134438097 } } };

/** A prediction as it is stored. */
export const predictionExample = {
  id: outputs.prediction_id,
  model_id: outputs.model_id,
  version_id: outputs.version_id,
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  alias: 'production',
  as_of: outputs.as_of,
  inputs: { customer_id: '11222333000181', reference_date: '2026-01-31' },
  outputs,
  request_id: 'req_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  created_at: '2026-02-01T12:00:00.000Z',
};
