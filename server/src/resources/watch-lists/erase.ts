import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { documentSpellings, isCnpj, isCpf } from '../../lib/brazil-documents.ts';
import { deleteNamed } from './sql.ts';

/** Takes an erased entity out of all lists, with its moves: a CPF or CNPJ however it was written there. */
export function eraseWatched(tx: Tx, ctx: Context, identifier: string): Promise<void> {
  const isDocument = isCpf(identifier) || isCnpj(identifier);
  return deleteNamed(tx, ctx, [identifier, ...(isDocument ? documentSpellings(identifier) : [])]);
}
