const model_id = 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5';
const version_id = 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5';

/** A model, in the API document. */
export const modelExample = {
  id: model_id,
  name: 'churn',
  kind: 'binary',
  task_id: 'tsk_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  aliases: [{ alias: 'production', version_id }],
  created_at: '2026-01-31T12:00:00.000Z',
};

export const aliasExample = {
  model_id,
  alias: 'production',
  version_id,
  updated_at: '2026-01-31T12:10:00.000Z',
};

/** A version as lists show it. */
export const versionSummaryExample = {
  id: version_id,
  version_id,
  model_id,
  number: 1,
  status: 'active',
  aliases: ['production'],
  training_run_id: 'run_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  contract_id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  gfm_version_id: null,
  created_at: '2026-01-31T12:09:58.000Z',
};

/** A version with its inputs, outputs and metrics. */
export const versionExample = {
  ...versionSummaryExample,
  inputs: [
    {
      name: 'customer_id',
      type: 'string',
      required: true,
      description: 'Key of customers.',
      pii: false,
      example: '11222333000181',
      source: { table: 'customers', column: 'customer_id' },
    },
    {
      name: 'reference_date',
      type: 'date',
      required: false,
      description: 'Predict as of the end of this day.',
      pii: false,
      example: '2026-01-31',
    },
  ],
  outputs: [
    {
      name: 'prediction',
      type: 'number',
      required: true,
      description: 'Probability of no orders within 90 days.',
      pii: false,
      minimum: 0,
      maximum: 1,
      example: 0.05,
    },
  ],
  metrics: {
    notes: [],
    outputs: {
      prediction: { rows: 360, recipe: 'trees', value: 0.786, standard_error: 0.029, others: { brier: 0.139 } },
    },
  },
};
