import type { Language } from '../words/language.ts';

/** Why a column is not read, as reports say it, in words. */
const reasons: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  absent: { en: 'the data have no such column', 'pt-BR': 'os dados não têm essa coluna' },
  'hidden by the task': { en: 'the task hides it', 'pt-BR': 'a tarefa a esconde' },
  identifier: { en: 'it only says which row it is', 'pt-BR': 'só diz qual é a linha' },
  reference: {
    en: 'it leads to another table, whose columns are read',
    'pt-BR': 'leva a outra tabela, cujas colunas são lidas',
  },
  personal: { en: 'a text of personal data', 'pt-BR': 'texto com dado pessoal' },
  bookkeeping: { en: 'it only says when the row was recorded', 'pt-BR': 'só diz quando a linha foi registrada' },
  'event time': { en: 'it dates the row and is read as its time', 'pt-BR': 'data a linha e é lida como o seu tempo' },
  'changes later and no version is kept': {
    en: 'it changes later and earlier values are not kept, so the past cannot be known from it',
    'pt-BR': 'muda depois e os valores anteriores não são guardados: não dá para saber o passado por ela',
  },
  empty: { en: 'it was empty where the model learned', 'pt-BR': 'estava vazia onde o modelo aprendeu' },
  'mostly empty and undated: it may have been filled in later': {
    en: 'mostly empty and without a date: it may have been filled in later',
    'pt-BR': 'quase vazia e sem data: pode ter sido preenchida depois',
  },
  'time of day': { en: 'a time of day', 'pt-BR': 'é um horário' },
  'running number': {
    en: 'a running number: it only tells when the row was made',
    'pt-BR': 'número sequencial: só diz quando a linha foi criada',
  },
  'a different value on nearly every row': {
    en: 'a different value on nearly every row',
    'pt-BR': 'um valor diferente em quase toda linha',
  },
  'dates in a column of texts: give it the type date in the contract, and its form': {
    en: 'dates in a column of texts: give it the type date in the contract, and its form',
    'pt-BR': 'datas em uma coluna de textos: faça dela uma data no contrato, e dê a forma',
  },
};

/** Why a column is not read, in the page's language; as the service says it where there are no words for it. */
export function sayUnused(why: string, language: Language): string {
  const many = /^more than (\d+) different texts$/.exec(why);
  if (many && language === 'pt-BR') return `mais de ${many[1]} textos diferentes`;
  return Object.hasOwn(reasons, why) ? reasons[why][language] : why;
}
