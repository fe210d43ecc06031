const outputs = {
  prediction: 0.134438097,
  key_factors: [
    'Number of orders in the last 30 days: 0 (usually 3); raises the chance by 4.2 percentage points',
    'Average time between the last 10 orders: 41 days (usually 14 days); raises the chance by 1.9 percentage points',
  ],
  data_coverage: 'full',
  data_coverage_share: 1,
  as_of: '2026-02-01T02:59:59.999Z',
  prediction_id: 'prd_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  generated_at: '2026-02-01T12:00:00.000Z',
  data_age: 1,
};

/** An answer, in the API document. */
export const answerExample = { ...outputs, interval: { prediction: { lower: 0.118205331, upper: 0.152650412 } } };

/** A prediction as it is stored. */
export const predictionExample = {
  id: outputs.prediction_id,
  model_id: outputs.model_id,
  version_id: outputs.version_id,
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  alias: 'production',
  as_of: outputs.as_of,
  entity: { table: 'customers', key: '11222333000181' },
  band: null,
  channel: 'api',
  latency_ms: 4.2,
  inputs: { customer_id: '11222333000181', reference_date: '2026-01-31' },
  outputs,
  request_id: 'req_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  created_at: '2026-02-01T12:00:00.000Z',
};

/** A day of predictions, counted. */
export const statisticsExample = {
  bucket: 'day',
  time_zone: 'America/Sao_Paulo',
  from: '2026-02-01T03:00:00.000Z',
  to: '2026-02-02T03:00:00.000Z',
  data: [
    {
      start: '2026-02-01T03:00:00.000Z',
      end: '2026-02-02T03:00:00.000Z',
      predictions: 1_204,
      latency_ms: { p50: 4.1, p95: 9.8, p99: 21.4 },
      versions: [{ model_id: outputs.model_id, version_id: outputs.version_id, predictions: 1_204 }],
      bands: [
        { band: 'Low Risk', predictions: 1_100 },
        { band: 'High Risk', predictions: 104 },
      ],
      tenths: [
        { tenth: 9, predictions: 1_100 },
        { tenth: 5, predictions: 104 },
      ],
      channels: [{ channel: 'api', predictions: 1_204 }],
    },
  ],
};
