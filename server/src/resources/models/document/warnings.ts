import type { ModelWarning } from '../../../schema/json.ts';
import type { Say } from './say.ts';

const inPortuguese: Readonly<Record<string, string>> = {
  possible_leakage: 'uma coluna pode dizer o rótulo',
  implausibly_good: 'o modelo inteiro é bom demais para ser verdade',
  no_better_than_naive: 'não é seguramente melhor do que o que dispensa aprender',
  worse_than_naive: 'é seguramente pior do que o que dispensa aprender',
  poorly_calibrated: 'em linhas posteriores as probabilidades erraram mais do que por acaso',
  calibration_unknown: 'poucas linhas posteriores para saber se as probabilidades estão certas',
  data: 'algo estranho no que foi dado ao treinamento',
  inputs_changed: 'o alias não foi movido, pois quem consulta a versão anterior seria recusado',
  alias_held_back: 'o alias não foi movido, pois a versão é seguramente pior do que o que dispensa aprender',
};

/** A warning of a training: in English as it was told, in Portuguese by its code. */
export function sayWarning({ code, message, output }: ModelWarning, { language }: Say): string {
  if (language === 'en') return message;
  const said = inPortuguese[code] ?? code;
  return `${output === undefined ? '' : `${output}: `}${said} (${code})`;
}

/** How notes of a training read, and what they are in Portuguese. */
const notes: readonly (readonly [RegExp, (...parts: readonly string[]) => string])[] = [
  [
    /^(\d+) of (\d+) proposed features were left out, where columns are many$/,
    (out, all) => `${out} de ${all} atributos propostos ficaram de fora, onde as colunas são muitas`,
  ],
  [
    /^rows of (\S+) come with their row of (\S+): read as known when it is$/,
    (table, entity) => `as linhas de ${table} vêm com a sua linha de ${entity}: lidas como conhecidas quando ela é`,
  ],
  [
    /^table (\S+) has no time: /,
    (table) => `a tabela ${table} não tem tempo: suas linhas são lidas como conhecidas em qualquer momento`,
  ],
  [
    /^(\S+) is an outcome: /,
    (column) => `${column} é um desfecho: lê-se o de outras linhas, nunca o da linha perguntada`,
  ],
  [
    /^nothing says when labels were known: /,
    () => 'nada diz quando os rótulos passaram a ser conhecidos: o que aconteceu com linhas anteriores não é lido',
  ],
  [
    /^no feature is proposed of (.+), which features names$/,
    (path) => `nenhum atributo é proposto de ${path}, que features cita`,
  ],
  [
    /^(\S+) is not read: rows to predict say something else by (\S+); /,
    (column, name) => `${column} não é lida: nas linhas a prever, ${name} diz outra coisa`,
  ],
  [
    /^learned from (\d+) of (\d+) rows of (\S+) and all that refers to them; /,
    (rows, of, root) => `aprendeu de ${rows} de ${of} linhas de ${root} e de tudo o que se refere a elas`,
  ],
];

/** A note of a training in the language of a document; null where that has no words for it. */
export function sayNote(note: string, { language }: Say): string | null {
  if (language === 'en') return note;
  for (const [form, say] of notes) {
    const found = form.exec(note);
    if (found) return say(...found.slice(1));
  }
  return null;
}
