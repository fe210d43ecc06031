import type { Format } from '../words/format.ts';

type Say = (format: Pick<Format, 'integer'>, ...parts: readonly string[]) => string;

/** How the phases of ingestions read, and what they are in Portuguese; in English they stand in the answer. */
const phases: readonly (readonly [RegExp, Say])[] = [
  [/^waiting for a process$/, () => 'aguardando um processo da máquina'],
  [/^checking (.+)$/, (_, file) => `conferindo ${file}`],
  [/^taking (.+) into (\S+) again$/, (_, file, table) => `recebendo ${file} em ${table} de novo`],
  [/^taking (.+) into (\S+)$/, (_, file, table) => `recebendo ${file} em ${table}`],
  [/^read (\S+): (\d+) rows$/, (format, table, rows) => `${table} lida: ${format.integer(Number(rows))} linhas`],
  [
    /^(\S+): (\d+) rows, (\d+) columns$/,
    (format, table, rows, columns) =>
      `${table}: ${format.integer(Number(rows))} linhas, ${format.integer(Number(columns))} colunas`,
  ],
  [/^writing the tables as predictions read them$/, () => 'gravando as tabelas como as previsões as leem'],
];

/** A phase of an ingestion in the language of the page; as the service says it where it is none of the known. */
export function sayIngestPhase(phase: string, format: Pick<Format, 'language' | 'integer'>): string {
  if (format.language === 'en') return phase;
  for (const [form, say] of phases) {
    const found = form.exec(phase);
    if (found) return say(format, ...found.slice(1));
  }
  return phase;
}
