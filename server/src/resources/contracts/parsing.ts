import { refuse, refuseText } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../../ml/contract/contract.ts';
import { diffContracts } from '../../ml/contract/diff.ts';
import { parseContract, parseStoredContract } from '../../ml/contract/parse.ts';
import { isReserved } from '../../ml/contract/reserved.ts';
import { sizeProblems } from '../../ml/contract/size.ts';

/** Most problems of one kind that a refusal names. */
const problemsTold = 100;

/**
 * Reads a proposed contract, and says in JSON what it changes in the active one. Throws Failure 'invalid_contract' with
 * the line and path of each problem.
 */
export async function compareContract({
  document,
  active,
}: {
  readonly document: string;
  readonly active: string | null;
}): Promise<string> {
  const contract = parsed(document);
  const changes = active === null ? [] : diffContracts(parseStoredContract(active, 'the active contract'), contract);
  return JSON.stringify(changes);
}

function parsed(document: string): Contract {
  let contract: Contract;
  try {
    contract = parseContract(document, 'document');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refuseText('invalid_contract', '/document', error);
  }
  const reserved = contract.tables.flatMap(({ name: table, columns }) =>
    columns
      .filter(({ name }) => isReserved(name))
      .map(({ name }) => `${table}.${name}: the name is reserved; rename the column`),
  );
  const messages = [...sizeProblems(contract).map(({ path, message }) => `${path.join('.')} ${message}`), ...reserved];
  const problems = messages.slice(0, problemsTold).map((message) => ({ at: '/document', message }));
  if (problems.length > 0) throw refuse('invalid_contract', problems[0].message, { problems });
  return contract;
}
