import { parseStoredContract } from '../../ml/contract/parse.ts';
import { encodedRows, linkOf } from '../../ml/gfm-link/link.ts';
import { keptContract } from '../../ml/lake/layout.ts';
import { readStored } from '../tasks/parsing.ts';

/** What a run is to learn: a task, or the encoder of a table. */
export type Subject = { readonly name: string; readonly definition: string } | { readonly entity: string };

/** What the contract says of the rows that a run learns from. */
export type Objective = {
  /** Their table. */
  readonly entity: string;
  /** Tables with a key of one column, whose encoders can be trained: whether `entity` is one, and the first few. */
  readonly isKeyed: boolean;
  readonly keyed: readonly string[];
  /** Whether the contract still has the table; if not, the run fails with the reason. */
  readonly hasTable: boolean;
  /** Whether a column links the rows to a graph. */
  readonly isLinked: boolean;
};

const keyedTold = 50;

/** Reads what a run is about from the task and the contract, both accepted before. Throws Failure 'invalid_task'. */
export async function readObjective({
  subject,
  contract: text,
}: {
  readonly subject: Subject;
  readonly contract: string;
}): Promise<Objective> {
  const contract = parseStoredContract(text, 'the contract of the snapshot');
  const rows = 'entity' in subject ? encodedRows(subject.entity) : readStored(subject);
  const keyed = contract.tables.filter(({ key }) => key.length === 1).map(({ name }) => name);
  const hasTable = contract.tables.some(({ name }) => name === rows.entity);
  return {
    entity: rows.entity,
    isKeyed: keyed.includes(rows.entity),
    keyed: keyed.slice(0, keyedTold),
    hasTable,
    isLinked: hasTable && linkOf(rows, keptContract(contract), false) !== null,
  };
}
