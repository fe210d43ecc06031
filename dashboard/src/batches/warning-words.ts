import type { Format as Formats } from '../words/format.ts';
import type { Batch } from './batch.ts';

export type BatchWarning = Batch['warnings'][number];
type Warning = BatchWarning;
type Format = Pick<Formats, 'integer' | 'percent'>;
type Values = NonNullable<Warning['values']>;

/** What a file of a batch is warned of, in Portuguese, by the code; in English it stands in the answer. */
export const batchWarningsInPortuguese: Readonly<Record<string, (values: Values, format: Format) => string>> = {
  file: ({ ending, format }) => `a extensão é .${ending}, mas o conteúdo é ${format}, e foi lido como ${format}`,
  large_row_groups: ({ rows }, format) =>
    `row groups de ${format.integer(Number(rows))} linhas; recomendam-se no máximo 100.000`,
  large_file: () => 'mais de 5 GB: vários arquivos menores são pontuados lado a lado',
  day_form: sayDayForm,
  jsonl_deprecated: () => 'JSONL está em desuso: envie Parquet ou CSV',
  unknown_columns: ({ columns }) => `colunas que nenhum modelo do lote lê: ${(columns as string[]).join(', ')}`,
  missing_inputs: ({ name, importance }, format) =>
    `a coluna ${name} não está no arquivo: o modelo tira dela ${shareOf(Number(importance), format)} da sua importância, e responde como se não fosse conhecida`,
  unknown_entities: ({ about, ...rows }, format) =>
    `${countOf(rows, format, 'tem', 'têm')} um ${about} que não está nos dados no seu momento: nada se sabia dele`,
  unnamed_entities: ({ about, ...rows }, format) =>
    `${countOf(rows, format, 'não tem', 'não têm')} ${about}, que quase todas as linhas dos dados têm: a resposta é como de ninguém`,
  wrong_check_digits: ({ about, ...rows }, format) =>
    `${countOf(rows, format, 'tem', 'têm')} um ${about} que não é CPF nem CNPJ com dígitos verificadores certos: não existe um documento assim, veja se há erro de digitação`,
  outside_population: ({ about, 'about_pt-BR': said, ...rows }, format) =>
    `${countOf(rows, format, 'está', 'estão')} fora do público da pergunta, que é de ${said === undefined ? `quem atende a ${about}` : `casos com ${said}`}: o modelo não aprendeu com casos assim, e a resposta vale menos para eles`,
  stale_data: ({ about, ...rows }, format) =>
    `${countOf(rows, format, 'pergunta', 'perguntam')} por um momento mais de ${about} ${about === '1' ? 'dia' : 'dias'} depois dos dados mais novos, mais do que estes jamais ficaram em silêncio: o que aconteceu desde então é lido como se não tivesse acontecido. Envie dados mais novos, ou pergunte por aquela data com reference_date`,
  before_learned: ({ about, ...rows }, format) =>
    `${countOf(rows, format, 'pergunta', 'perguntam')} por um momento anterior a ${about}, quando foi o primeiro caso com que o modelo aprendeu: o que ele aprendeu é de épocas posteriores e pode não valer para então. Pergunte por aquele dia ou depois com reference_date`,
};

/** How the days of rows are read, in Portuguese. */
export function sayDayForm(
  { form, guessed, rows, iso }: Readonly<Record<string, unknown>>,
  { integer }: Pick<Format, 'integer'>,
): string {
  const name = String(form).replaceAll('y', 'a');
  const count = Number(rows);
  const read =
    rows === undefined
      ? `os dias das linhas são lidos como ${name}`
      : `das primeiras linhas, ${integer(count)} ${count === 1 ? 'tem' : 'têm'} o dia como ${name}, e ${integer(Number(iso))} como na ISO 8601: os dois são lidos`;
  return guessed === true
    ? `${read}, embora nenhum deles mostre qual é o dia e qual é o mês: escreva-os como 2026-12-31 para não haver dúvida`
    : read;
}

/** A warning in Portuguese; null where the service alone can say it, having written it down without its values. */
export function sayBatchWarning({ code, path, values }: Warning, format: Format): string | null {
  const said = values && batchWarningsInPortuguese[code]?.(values, format);
  return said === undefined ? null : `${path}: ${said}`;
}

const countOf = ({ rows, answered }: Values, format: Format, ofOne: string, ofMany: string): string =>
  `${format.integer(Number(rows))} de ${format.integer(Number(answered))} linhas respondidas ${Number(rows) === 1 ? ofOne : ofMany}`;

function shareOf(share: number, format: Format): string {
  return share < 0.001 ? `menos de ${format.percent(0.001)}` : format.percent(share);
}
