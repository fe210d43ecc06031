import { documentKind, maskedCpf, punctuated } from '../kit/documents.ts';

/** A key as it may be seen by anybody who looks at the screen: a CPF is masked, a CNPJ has its punctuation. */
export function shownKey(key: string): string {
  const kind = documentKind(key);
  return kind === 'cpf' ? maskedCpf(key) : kind === 'cnpj' ? punctuated(key, 'cnpj') : key;
}
