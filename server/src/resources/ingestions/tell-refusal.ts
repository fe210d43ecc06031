import type { Selectable } from 'kysely';
import type { Deviation } from '../../ml/contract/deviation.ts';
import type { Ingestions } from '../../schema/tables.ts';

type IngestionRow = Selectable<Ingestions>;

/** What the report of refused files says. */
export type RefusedReport = {
  readonly reread_ingestion_id?: string;
  /** Of the contract that is proposed. */
  readonly warnings?: readonly string[];
  readonly warning_codes?: readonly unknown[];
};

/** Says of a refused ingestion what is wrong with its files, and what leads on. */
export function tellRefusal(row: IngestionRow): string {
  const { id, kind, contract_id, proposed_contract_id: proposed } = row;
  const found = firstOf(row);
  const rows = `GET /v1/api/ingestions/${id}/deviations shows what and where`;
  const { reread_ingestion_id: reread, warnings = [] } = (row.report ?? {}) as RefusedReport;
  const warned = warnings.map((warning) => ` ${warning[0].toUpperCase()}${warning.slice(1)}.`).join('');
  const again = 'correct the files and send all of the call again';
  if (kind === 'reread')
    return `Files that were taken in before do not keep contract ${contract_id}${found}. ${rows}; send these tables again with mode replace, or propose a contract that their files keep.`;
  if (contract_id === null && proposed !== null) {
    const first = `There is no contract yet; ${proposed} was read off the files: read it (GET /v1/api/contracts/${proposed})`;
    const accept = `accept it (POST /v1/api/contracts/${proposed}/acceptance), which takes them in`;
    if (found === '') return `${first} and ${accept}.${warned}`;
    return `${first}. They do not keep it${found}. ${rows}; ${again}, or propose a contract that allows it.${warned}`;
  }
  if (proposed !== null)
    return `Nothing was taken in: the files are not as the contract says${found}. ${rows}. If they are right, POST /v1/api/contracts/${proposed}/acceptance makes the contract that they ask for the active one and takes them in; if not, ${again}.${warned}`;
  const without = reread === undefined ? '' : ` ${reread} brings the data under contract ${contract_id} without them.`;
  return `Nothing was taken in: the files do not keep the contract${found}. ${rows}; ${again}.${without}`;
}

/**
 * The first deviation, behind a colon, with how many there are besides; empty when none is known any more. A missing
 * column comes first, since rows may look wrong for lack of it; then rows before the file as a whole: with them in the
 * way, no other contract helps. Their values are only for those who may see the deviations.
 */
function firstOf(row: IngestionRow): string {
  const all = deviationsOf(row).flatMap(({ path, deviations }) =>
    deviations.map(({ kind, rule, message, samples: [first] }) => ({
      ...{ kind, rule },
      text: `${message.startsWith(path) ? message : `${path}: ${message}`}${first === undefined ? '' : `, first in row ${first.row}`}`,
    })),
  );
  const told = all.find(({ rule }) => rule === 'missing_column') ?? all.find(({ kind }) => kind === 'data') ?? all[0];
  return told === undefined
    ? ''
    : `: ${told.text}${all.length > 1 ? ` (and ${all.length - 1} more ${all.length === 2 ? 'deviation' : 'deviations'})` : ''}`;
}

type FileFound = { readonly path: string; readonly deviations: readonly Deviation[] };

/** What `run` has written there. */
function deviationsOf({ deviations }: IngestionRow): readonly FileFound[] {
  return (deviations ?? []) as readonly FileFound[];
}
