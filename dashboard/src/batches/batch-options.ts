export const formats = ['', 'csv', 'excel', 'parquet', 'jsonl'] as const;

export type BatchOptions = {
  /** '': that of each file. */
  readonly format: (typeof formats)[number];
  readonly day: string;
  readonly priority: string;
  readonly hasInterval: boolean;
  readonly hasColumns: boolean;
  readonly hasRow: boolean;
  readonly hasWarnings: boolean;
  /** The column that is echoed; '' for none. */
  readonly reference: string;
};

export const usualOptions: BatchOptions = {
  ...{ format: '', day: '', priority: '0' },
  ...{ hasInterval: false, hasColumns: true, hasRow: true, hasWarnings: true, reference: '' },
};
export const priorityMax = 10;
