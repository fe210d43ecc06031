import { sayWorded, type Worded } from '../../lib/files/worded.ts';

/** Why no batch is made of a file whose rows name their models, in English, by the code. */
const wording = {
  file_of_other_kind: ({ file }: OfFile) => `${file} ends neither in .csv nor in .parquet, and no other file is taken`,
  file_too_large: ({ file, most }: OfFile & Most) => `${file} has more than ${most} bytes: split it`,
  file_removed: ({ file }: OfFile) => `${file} was removed before a batch was made of it`,
  sender_gone: () => 'the user who put it in has been deleted, or may not come in any more',
  workspace_archived: () => 'the workspace is archived: it can be read, not changed',
  workspace_empty: () => 'the workspace has no data yet, and so no model that could score rows',
  file_without_rows: ({ file }: OfFile) => `${file} has no rows`,
  file_too_long: ({ file, rows, most }: OfFile & Most & { readonly rows: number }) =>
    `${file} has ${rows} rows, and at most ${most} are taken: split it`,
  file_without_endpoint: ({ file, column, endpoints, more }: OfFile & Endpoints) =>
    `${file} has no column ${column}, which says for each row what scores it: ${listed(endpoints, more)}`,
  endpoints_unknown: ({ file, column, endpoints, more }: OfFile & Endpoints) =>
    `no row of ${file} has an ${column} that there is: ${listed(endpoints, more)}`,
  file_lacks_inputs: ({ file, columns, endpoint }: OfFile & Lacking) =>
    `${file} lacks ${columns.join(', ')}, which ${endpoint} needs`,
};

type OfFile = { readonly file: string };
type Most = { readonly most: number };
type Lacking = { readonly columns: readonly string[]; readonly endpoint: string };
/** The first endpoints that there are, and how many more. */
type Endpoints = { readonly column: string; readonly endpoints: readonly string[]; readonly more: number };

export type FileProblem = Worded<typeof wording>;

/** A problem in a sentence, and as a code with its values where it has one. */
export type ToldProblem = { readonly message: string; readonly because?: { readonly code: string } | undefined };

export function tellFileProblem(problem: FileProblem): ToldProblem {
  return { message: sayWorded(wording, problem), because: problem };
}

function listed(endpoints: readonly string[], more: number): string {
  if (endpoints.length === 0) return 'there is none yet';
  return `${endpoints.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
