import { sayWorded, type Worded } from './worded.ts';

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

export type FileNotice = Worded<typeof fileWording>;

export function sayFileNotice(notice: FileNotice): string {
  return sayWorded(fileWording, notice);
}
