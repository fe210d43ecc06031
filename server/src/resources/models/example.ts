import { createdByExample } from '../../api/created-by.ts';
import { checkRules } from '../../ml/validation/checks.ts';

const model_id = 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5';
const version_id = 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5';

const byDefault = Object.fromEntries(
  Object.entries(checkRules).map(([name, { threshold, required }]) => [
    name,
    { threshold, required, must_tell: false },
  ]),
);

export const gatesExample = {
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  checks: {
    ...byDefault,
    discrimination: { threshold: -0.005, required: true, must_tell: true },
  },
  approvals: 1,
  automatic: true,
  segments: ['region'],
  is_default: false,
  updated_by: 'ana@example.com',
  updated_at: '2026-01-31T12:06:00.000Z',
};

export const approvalExample = {
  id: 'apr_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e6',
  alias: 'production',
  approved_by: 'rui@example.com',
  comment: 'Bands look right by region.',
  created_at: '2026-01-31T12:06:00.000Z',
};

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
  snapshot_created_at: '2026-01-31T12:05:00.000Z',
  ingestion_id: 'ing_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  data_until: '2026-01-30',
  contract_id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  contract_number: 1,
  gfm_version_id: null,
  pretrain: false,
  feedback: false,
  created_by: createdByExample,
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
    {
      name: 'key_factors',
      type: 'array',
      items: { type: 'string' },
      required: true,
      description:
        'What moved the answer most: a list of sentences, the strongest first. Files hold the list as JSON text.',
      pii: false,
      example: ['Number of orders in the last 30 days: 0 (usually 3); raises the chance by 4.2 percentage points'],
    },
  ],
  metrics: {
    notes: [],
    outputs: {
      prediction: { rows: 360, recipe: 'trees', value: 0.786, standard_error: 0.029, others: { brier: 0.139 } },
    },
  },
  warnings: [],
};

/** A feature of a version. */
export const featureExample = {
  code: 'orders_by_customer_amount',
  importance: 0.198755,
  coverage: 0.97,
  description: 'mean amount of orders in the last 90 days',
  language: 'en',
  protected: false,
  path: ['orders.customer_id'],
  table: 'orders',
  columns: ['orders.amount'],
  span: '90d',
  aggregate: 'mean',
};

const reliabilityRow = { rows: 61, from: 0.08, to: 0.11, mean_predicted: 0.094, observed: 0.098 };

/** The columns of a labelled file, in the API document. */
export const labelledFileExample = {
  model_id,
  version_id,
  newest_label: '2025-09-30',
  columns: [
    { name: 'customer_id', role: 'key', output: null, type: 'string', required: true, sample: 'C-1024' },
    { name: 'date', role: 'time', output: null, type: 'timestamp', required: true, sample: '2025-10-01' },
    { name: 'prediction', role: 'label', output: 'prediction', type: 'boolean', required: false, sample: '1' },
  ],
};

/** How good a version was, in the API document. Lists are shortened. */
export const metricsExample = {
  model_id,
  version_id,
  training_rows: 4_210,
  outputs: [
    {
      name: 'prediction',
      metric: 'auroc',
      recipe: 'trees',
      rows: 612,
      days: { from: '2024-07-31', to: '2025-06-30' },
      learned: { rows: 4_210, days: { from: '2020-01-31', to: '2025-06-30' } },
      value: 0.781,
      standard_error: 0.019,
      folds: [0.774, 0.786],
      others: { average_precision: 0.41, brier: 0.093 },
      naive: { constant: 0.5 },
      calibration: null,
      reliability: [{ ...reliabilityRow, observed_low: 0.046, observed_high: 0.198 }],
      sureness: null,
      positives: 74,
      histogram: [{ from: 0.05, to: 0.1, rows: 118 }],
      score_histogram: null,
      thresholds: [{ threshold: 0.31, rate: 0.1, precision: 0.52, recall: 0.43, false_positive_rate: 0.054 }],
      cutoffs: null,
      gains: [
        {
          ...{ rows: 61, positives: 32, from: 0.31, observed: 0.525, lift: 4.34 },
          ...{ share: 0.1, captured: 0.43, cumulative_lift: 4.34 },
        },
      ],
      classes: null,
    },
  ],
};
