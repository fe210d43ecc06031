import type { CsvFormulas } from './formulas.ts';

/** How CSV is written: as most programs read it, or as Excel does where numbers have decimal commas. */
export const csvDialects = ['standard', 'excel_semicolon'] as const;
export type CsvDialect = (typeof csvDialects)[number];

export type CsvOptions = {
  /** What is done with texts that a spreadsheet would run; `raw` by default. */
  readonly formulas?: CsvFormulas;
  /** `standard` by default. */
  readonly dialect?: CsvDialect;
};

/** What stands between fields and before decimals, and what the file begins with. */
export type CsvSigns = { readonly delimiter: string; readonly decimal: string; readonly start: string };

export const signsOf: Readonly<Record<CsvDialect, CsvSigns>> = {
  standard: { delimiter: ',', decimal: '.', start: '' },
  // Without a byte order mark Excel takes UTF-8 for the code page of its language.
  excel_semicolon: { delimiter: ';', decimal: ',', start: '\ufeff' },
};
