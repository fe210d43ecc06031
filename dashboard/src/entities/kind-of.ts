import { documentKind } from '../kit/documents.ts';

/** What an entity is: by its own document, where its key is one, since a table may have companies and people. */
export function kindOf(key: string, ofTable: string | null): string | null {
  const document = documentKind(key);
  if (document === null) return ofTable;
  return document === 'cpf' ? 'individual' : 'company';
}
