import type { Schemas } from '@lastro/sdk';
import { sayNotice } from '../data/notice-words.ts';
import type { Format as Formats } from '../words/format.ts';

type Warning = Schemas['ModelWarning'];
type Because = NonNullable<Warning['because']>;
type Format = Pick<Formats, 'language' | 'integer' | 'number' | 'thousandths' | 'signed' | 'day'>;
type Names = Readonly<Record<string, string>>;
type Say = (values: Because, format: Format, metrics: Names) => string;

/** What a training warns of in Portuguese, by the code; in English it stands in the answer. */
export const warningsInPortuguese = {
  other_time: ({ table, column, dated }) =>
    `as linhas são perguntadas no dia de ${table}.${column}, e o contrato data ${table} ${dated === null ? 'de outro modo' : `por ${dated}`}: por isso são tomadas por entidades ao longo do tempo, das quais as colunas desse dia não são lidas. Se a tarefa é sobre linhas novas, faça de ${column} o eventTime de ${table} no contrato`,
  no_window: ({ table, entity }) =>
    `${table} tem linhas posteriores às perguntadas, e a tarefa não tem window nem known: não se sabe quando um rótulo passou a ser conhecido, e o que aconteceu com linhas anteriores de ${entity} nunca é lido. Escreva window, até onde o rótulo olha (window: 30d), ou known, a coluna dos arquivos com a data em que cada rótulo passou a ser conhecido`,
  undated_events: ({ tables, entity }) =>
    `${listed(tables)}: sem data de evento, e várias linhas para uma de ${entity}: todas são lidas em qualquer momento, também o que aconteceu depois, que nenhuma resposta vai saber. Dê um eventTime à tabela no contrato; uma data que lá não é coluna de datas foi enviada em uma forma que não se lê (AAAA-MM-DD se lê)`,
  wrong_on_average: ({ output, rows, said, came, error, limit, z }, format) =>
    `${output}: em ${format.integer(Number(rows))} linhas posteriores as probabilidades erraram mais do que por acaso: em média foi dito ${format.thousandths(Number(said))} e aconteceu ${format.thousandths(Number(came))} (erro de calibração ${format.thousandths(Number(error))}, quando probabilidades certas ficam abaixo de ${format.thousandths(Number(limit))}; z ${format.number(Math.round(10 * Number(z)) / 10)}). O que leva ao desfecho pode ter mudado: olhe os meses mais novos, e treine de novo quando houver rótulos mais novos`,
  wrong_in_part: ({ output, rows, low, high, part, said, came, error, limit, z }, format) =>
    `${output}: em ${format.integer(Number(rows))} linhas posteriores as probabilidades erraram mais do que por acaso: em média estão certas, mas onde foi dito de ${format.thousandths(Number(low))} a ${format.thousandths(Number(high))} (${format.integer(Number(part))} linhas, em média ${format.thousandths(Number(said))}) aconteceu ${format.thousandths(Number(came))} (erro de calibração ${format.thousandths(Number(error))}, quando probabilidades certas ficam abaixo de ${format.thousandths(Number(limit))}; z ${format.number(Math.round(10 * Number(z)) / 10)}). Tome as probabilidades desse tamanho como uma ordem, não ao pé da letra`,
  few_to_check: ({ output, rows, positives, least }, format) =>
    `${output}: ainda não dá para saber se as probabilidades estão certas: ${Number(rows) === 0 ? 'todas as linhas posteriores serviram para ajustá-las, e não sobrou nenhuma para conferi-las' : `além das linhas posteriores que serviram para ajustá-las, sobraram ${format.integer(Number(rows))} para conferi-las, ${format.integer(Number(positives))} delas positivas`}; são precisas ${format.integer(Number(least))} de cada resposta. Tome-as como uma ordem, não ao pé da letra, até que uma avaliação com mais linhas posteriores o mostre`,
  too_good: ({ output, measure, value, rows, best, places }, format) => {
    const [first] = places as readonly string[];
    return `${output}: ${measure === 'accuracy' ? 'acerto' : measure} de ${format.number(Number(value))} em ${format.integer(Number(rows))} linhas é bom demais, quando ${format.number(Number(best))} dispensa aprender: algo que se lê pode ter sido escrito no desfecho ou depois dele. Dê ao que foi escrito depois o seu knownFrom ou knownAt no contrato, deixe-o de fora (hide: [${first}] na tarefa) ou, se tudo já se sabe a tempo, aceite-o, e o aviso some (trust: [${listed(places)}])`;
  },
  no_gain: ({ output, metric, value, over, by, of, gain, low, high }, format, metrics) => {
    const n = (number: unknown) => format.number(Number(number));
    const ways: Readonly<Record<string, string>> = {
      constant: 'de dar a todos o mesmo valor',
      own_mean: 'da média dos próprios rótulos anteriores',
      own_last: 'do último dos próprios rótulos anteriores',
      referred_mean: `da média dos rótulos anteriores por ${by}`,
    };
    const what = `${n(of)} ${ways[String(over)]}`;
    const head = `${output}: o valor de ${metrics[String(metric)] ?? metric}, ${n(value)},`;
    if (low === null) return `${head} não se distingue, com estas linhas, de ${what}`;
    const verdict = Number(high) < 0 ? 'é pior que' : `não é seguramente ${Number(gain) > 0 ? 'melhor' : 'pior'} que`;
    return `${head} ${verdict} ${what}, por ${n(Math.abs(Number(gain)))} (em 19 de 20 vezes entre ${n(low)} e ${n(high)})`;
  },
} satisfies Readonly<Record<string, Say>>;

const listed = (names: unknown): string => (names as readonly string[]).join(', ');

/**
 * A warning of a training in Portuguese; null where the service alone can say it, or said it before codes were told.
 * `metrics`: how they are called.
 */
export function sayWarning({ because }: Pick<Warning, 'because'>, format: Format, metrics: Names): string | null {
  const words: Readonly<Record<string, Say>> = warningsInPortuguese;
  return because ? (words[because.code]?.(because, format, metrics) ?? sayNotice(because, format)) : null;
}
