import type { Format as Formats } from '../words/format.ts';

type Format = Pick<Formats, 'language' | 'integer'>;
type Say = (format: Format, ...parts: readonly string[]) => string;

/** How the notes of a training read, and what they are in Portuguese; in English they stand in the answer. */
const notes: readonly (readonly [RegExp, Say])[] = [
  [
    /^(\d+) of (\d+) proposed features were left out, where columns are many$/,
    (format, out, all) =>
      `${format.integer(Number(out))} de ${format.integer(Number(all))} atributos propostos ficaram de fora, onde as colunas são muitas`,
  ],
  [
    /^rows of (\S+) come with their row of (\S+): read as known when it is$/,
    (_, table, entity) => `as linhas de ${table} vêm com a sua linha de ${entity}: lidas como conhecidas quando ela é`,
  ],
  [
    /^table (\S+) has no time: /,
    (_, table) => `a tabela ${table} não tem tempo: suas linhas são lidas como conhecidas em qualquer momento`,
  ],
  [
    /^(\S+) is an outcome: /,
    (_, column) => `${column} é um desfecho: lê-se o de outras linhas, nunca o da linha perguntada`,
  ],
  [
    /^nothing says when labels were known: /,
    () =>
      'nada diz quando os rótulos passaram a ser conhecidos: o que aconteceu com linhas anteriores não é lido (window ou known, na tarefa, o diz)',
  ],
  [
    /^no feature is proposed of (.+), which features names$/,
    (_, path) => `nenhum atributo é proposto de ${path}, que features cita`,
  ],
  [
    /^(\S+) is not read: rows to predict say something else by (\S+); /,
    (_, column, name) =>
      `${column} não é lida: nas linhas a prever, ${name} diz outra coisa; mude o nome da coluna para que seja lida`,
  ],
];

/** A note of a training in Portuguese; null where only the service has words for it. */
export function sayNote(note: string, format: Format): string | null {
  for (const [form, say] of notes) {
    const found = form.exec(note);
    if (found) return say(format, ...found.slice(1));
  }
  return null;
}
