/** What reading a file noticed without failing, in English, by its code. */
export const fileWording = {
  called_otherwise: ({
    file,
    ending,
    format,
  }: {
    readonly file: string;
    readonly ending: string;
    readonly format: 'Parquet' | 'JSONL';
  }) =>
    `${file}: called .${ending} but ${format === 'Parquet' ? 'is Parquet' : 'holds JSON objects'}, and was read as ${format}`,
  column_read_as: ({ file, column, name }: OfColumn & { readonly name: string }) =>
    `${file}: column "${column}" was read as "${name}"`,
  column_late: ({ file, column }: OfColumn) =>
    `${file}: "${column}" is absent from the first lines, and missing wherever a line lacks it`,
  column_absent: ({ file, column }: OfColumn) => `${file}: column "${column}" is absent, and missing in every row`,
};

type OfColumn = { readonly file: string; readonly column: string };

/** A code of `fileWording`, and the values that its sentence names. */
export type FileNotice = {
  [Code in keyof typeof fileWording]: { readonly code: Code } & Parameters<(typeof fileWording)[Code]>[0];
}[keyof typeof fileWording];

export function sayFileNotice(notice: FileNotice): string {
  return (fileWording[notice.code] as (values: FileNotice) => string)(notice);
}
