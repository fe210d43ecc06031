import type { Language } from '../words/language.ts';

/** What a file of rows that were taken out of a refused one is called more than that: of those without faults, and with. */
export const takenNames: Readonly<Record<Language, { readonly good: string; readonly bad: string }>> = {
  en: { good: 'without-faults', bad: 'rows-to-correct' },
  'pt-BR': { good: 'sem-erros', bad: 'linhas-a-corrigir' },
};
