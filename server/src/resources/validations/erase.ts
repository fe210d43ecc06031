import type { Tx } from '../../access/transactions.ts';
import { clearNaming } from './sql.ts';

const failure = JSON.stringify({
  code: 'entity_erased',
  detail: 'a segment named somebody who has been erased since: validate again',
});

/** Clears the results of validations that tell an erased identifier as the value of a segment. */
export function eraseValidations(tx: Tx, identifier: string): Promise<void> {
  return clearNaming(tx, identifier, failure);
}
