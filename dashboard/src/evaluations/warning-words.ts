import { sayDayForm } from '../batches/warning-words.ts';
import type { Format as Formats } from '../words/format.ts';

type Because = { readonly code: string; readonly [value: string]: unknown };
type Format = Pick<Formats, 'integer' | 'day'>;
type Say = (values: Because, format: Format) => string;

/** What is to be known of an evaluation, in Portuguese, by the code; in English it stands in the answer. */
export const evaluationWarningsInPortuguese = {
  day_form: sayDayForm,
  unknown_learning: () => 'a versão não diz com que linhas aprendeu: se já viu estas, os números a favorecem',
  learned_rows: ({ rows, matched, of, newest }, format) =>
    `${2 * Number(matched ?? 0) > Number(of) ? 'o modelo aprendeu com a maioria destas linhas: isto mede memória; ' : ''}${format.integer(Number(rows))} de ${format.integer(Number(of))} linhas são de ${format.day(String(newest))} ou antes, e o modelo pode ter aprendido com elas${Number(matched ?? 0) > 0 ? `, com ${format.integer(Number(matched))} com certeza, que têm a chave e o momento de um rótulo do treinamento` : ''}: os números o favorecem`,
  open_rows: ({ output, rows }, format) =>
    `${output}: ${counted(rows, format)} de fora, porque a janela do rótulo ainda não tinha fechado`,
  none_measured: ({ output }) => `${output}: nenhuma linha tem um rótulo já conhecido`,
  few_rows: ({ output, rows, positives }, format) =>
    `${output}: ${sayFew(Number(rows), positives as number | null, format)} para dizer muito`,
} satisfies Readonly<Record<string, Say>>;

/** Fewer rows are few whatever they say. */
const rowsLeast = 100;

/** What is few: the rows, or those of the rarer label among them. */
function sayFew(rows: number, positives: number | null, { integer }: Format): string {
  if (positives === null || rows < rowsLeast)
    return `${integer(rows)} linhas${positives === null ? '' : `, ${integer(positives)} delas positivas,`} são poucas`;
  const isPositive = positives < rows - positives;
  const few = integer(isPositive ? positives : rows - positives);
  return `só ${few} de ${integer(rows)} linhas são ${isPositive ? 'positivas' : 'negativas'}, poucas`;
}

function counted(rows: unknown, format: Format): string {
  return rows === 1 ? '1 linha ficou' : `${format.integer(Number(rows))} linhas ficaram`;
}

/** A warning in Portuguese; null where it was written down before its code was told. */
export function sayEvaluationWarning(because: Because | undefined, format: Format): string | null {
  const words: Readonly<Record<string, Say>> = evaluationWarningsInPortuguese;
  return (because && words[because.code]?.(because, format)) ?? null;
}
