const rows = { total: 1000, processed: 1000, succeeded: 998, failed: 2 };

/** A batch of one file that succeeded, in the API document. */
export const batchExample = {
  id: 'bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  status: 'succeeded',
  model: {
    model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
    alias: 'production',
    version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  },
  snapshot_id: 'snp_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  reference_date: '2026-01-31',
  as_of: '2026-02-01T02:59:59.999Z',
  batches_before: null,
  waits_for: null,
  start_eta: null,
  priority: 0,
  output_format: null,
  metadata: { campaign: 'spring' },
  include: [],
  language: 'en',
  reference_column: null,
  column_mapping: { document: 'CNPJ' },
  csv_formulas: 'escape',
  csv_dialect: 'standard',
  progress: { rows, fraction: 1, eta: null },
  files: [
    {
      file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
      path: '2026/customers.parquet',
      output_path: '2026/customers.parquet',
      rows,
      failure: null,
    },
  ],
  warnings: [],
  failure: null,
  corrects: null,
  corrected_by: [],
  created_at: '2026-02-01T12:00:00.000Z',
  started_at: '2026-02-01T12:00:00.341Z',
  interrupt_requested_at: null,
  finished_at: '2026-02-01T12:00:04.902Z',
  result_deleted_at: null,
};

const address =
  'https://lastro.example/v2/api/batches/bat_0199f3a8c4d27b1e9c55d0a1b2c3d4e5/result/files/0?by=…&signature=…';

/** The addresses of a batch's result, in the API document. */
export const resultExample = {
  download_url: address,
  expires_at: '2026-02-01T13:00:00.000Z',
  files: [
    {
      file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
      path: '2026/customers.parquet',
      download_url: address,
      rows: 998,
      bytes: 48_211,
      sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    },
  ],
};
