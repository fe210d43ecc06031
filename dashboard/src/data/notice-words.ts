import type { Format as Formats } from '../words/format.ts';
import { sayInPortuguese } from './reason-words.ts';
import type { Guess, Notice } from './report.ts';

type Format = Pick<Formats, 'language' | 'integer' | 'number' | 'day'>;
type Say = (values: Notice, format: Format) => string;

/** What is noticed of files and tables in Portuguese, by its code; in English it stands in the answer. */
export const noticesInPortuguese = {
  called_otherwise: ({ file, ending, format }) =>
    `${file}: a extensão é .${ending}, mas o conteúdo é ${format}, e foi lido como ${format}`,
  column_read_as: ({ column, name, ...where }) => `${sourceOf(where)}: a coluna “${column}” foi lida como “${name}”`,
  column_late: ({ column, ...where }) =>
    `${sourceOf(where)}: “${column}” não está nas primeiras linhas, e falta onde uma linha não a tem`,
  column_absent: ({ column, ...where }) =>
    `${sourceOf(where)}: não tem a coluna “${column}”, que falta em todas as linhas`,
  lost_key: ({ table, column, because }, format) =>
    `a tabela ${table} não tem chave: ${column} ${sayInPortuguese(because as NonNullable<Guess['because']>, format)}. Corrija essas linhas, ou nada pode apontar para a tabela e as linhas reenviadas ficam duplicadas`,
  unread_dates: ({ table, columns }) =>
    `tabela ${table}: as datas de ${listed(columns)} não são lidas, porque algumas têm outra forma que as demais, ou uma que não se conhece: envie todas em uma só forma, de preferência AAAA-MM-DD, ou elas não datam as linhas nem são lidas por um modelo`,
  unsure_order: ({ table, columns }) =>
    `tabela ${table}: as datas de ${listed(columns)} são lidas com o dia antes do mês, o que nenhum valor confirma: se o mês vem primeiro, mude a forma no contrato de dd/MM/yyyy para MM/dd/yyyy`,
  present_file: ({ file }) => `${file}: exatamente o mesmo arquivo já foi recebido antes, e não foi lido de novo`,
  kept_as_text: ({ key }) =>
    `${key} fica guardada como veio, e nenhum de seus nomes pode ser apagado: diga no contrato o que são as linhas da tabela (entityKind: empresa, pessoa ou bem; evento se não se trata de ninguém)`,
  not_compared: ({ table, hasKey }) =>
    `${table} ${hasKey ? 'estava guardada em outra forma, a do contrato anterior' : 'não tem chave'}: as linhas de antes e de depois são contadas, mas não comparadas`,
  rows_kept: ({ table, modes, rows, of }, format) =>
    `o modo ${listed(modes, modesInPortuguese)} nunca remove linhas: ${counted(rows, of, format)} linhas de ${table} não estão no que foi enviado, e ficam; se não existem mais, envie a tabela inteira no modo “substituir”`,
  rows_removed: ({ table, rows, of }, format) =>
    `a substituição removeu ${counted(rows, of, format)} linhas de ${table}, que não estão no que foi enviado; se devem ficar, envie de novo a tabela inteira no modo “substituir”, ou só o que é novo no modo “acrescentar”`,
  column_gone: ({ table, column }) =>
    `${table}.${column} não está mais no contrato: para os modelos que a leem, ela falta em todas as linhas; treine-os de novo`,
  no_rows: ({ table }) => `tabela ${table}: nenhuma linha`,
  ignored_columns: ({ table, columns }) =>
    `tabela ${table}: colunas que não estão no contrato foram ignoradas: ${listed(columns)}`,
  rejected: ({ table, count, examples }, format) => {
    const [{ file, row, column }] = examples as readonly { file: string; row: number; column: string | null }[];
    const first = `${file}, linha ${format.integer(row)}${column === null ? '' : `, coluna ${column}`}`;
    return `tabela ${table}: ${format.integer(Number(count))} valores ou linhas não puderam ser lidos, o primeiro em ${first}`;
  },
  before_1900: ({ day, ...of }, format) =>
    `${dates(of, format)} são anteriores a 1900, a mais antiga de ${dayOf(day, format)}`,
  no_date: ({ day, isPlanned, ...of }, format) =>
    `${dates(of, format)} parecem querer dizer que não há data (${dayOf(day, format)}): liste o valor em missingValues como está nos arquivos; até lá ${isPlanned ? 'é lido como uma data' : 'não é lido'}`,
  in_future: ({ day, ...of }, format) =>
    `${dates(of, format)} estão no futuro e não são lidas até lá, a última de ${dayOf(day, format)}; se são conhecidas antes, marque a coluna como planejada`,
  undated_rows: ({ table, rows, of }, format) =>
    `tabela ${table}: ${counted(rows, of, format)} linhas não têm a data do evento e não contam como eventos`,
  timeless: ({ tables }) => `sem data de evento, e por isso tidas como conhecidas desde sempre: ${listed(tables)}`,
  repeated_keys: ({ table, column, rows }, format) =>
    `tabela ${table}: ${format.integer(Number(rows))} linhas repetem uma chave de ${column}; as referências levam à primeira delas`,
  unmatched: ({ table, column, rows, of, to }, format) =>
    `tabela ${table}: ${counted(rows, of, format)} valores de ${column} não estão em ${to}`,
  silent_table: ({ table, newest, end, days }, format) =>
    `${table} não tem linha depois de ${dayOf(newest, format)}, embora outras tabelas vão até ${dayOf(end, format)}, ${format.integer(Number(days))} dias depois: janelas que terminam depois de ${dayOf(newest, format)} não têm rótulo, porque o que falta pode não ter sido enviado; se nada mais aconteceu, envie uma linha posterior`,
  classes_alike: ({ classes, more }) => {
    const shown = (classes as readonly (readonly string[])[]).map((names) =>
      names.map((name) => `“${name}”`).join(' e '),
    );
    return `categorias do rótulo só diferem em maiúsculas e minúsculas, e são aprendidas como diferentes: ${shown.join('; ')}${Number(more) > 0 ? `; e mais ${more}` : ''}; escreva-as do mesmo modo se são a mesma`;
  },
  unknown_keys: ({ file, rows, of, to }, format) => `${file}: ${counted(rows, of, format)} chaves não estão em ${to}`,
  unlabelled_rows: ({ file, rows, of, column }, format) =>
    `${file}: ${counted(rows, of, format)} linhas não têm ${column}, e nada se aprende delas`,
  future_anchors: ({ file, rows, of, column }, format) =>
    `${file}: ${counted(rows, of, format)} linhas têm ${column} no futuro`,
  ancient_anchors: ({ file, rows, of, column }, format) =>
    `${file}: ${counted(rows, of, format)} linhas têm ${column} anterior a 1900`,
  repeated_anchors: ({ file, rows, of, columns }, format) =>
    `${file}: ${counted(rows, of, format)} linhas repetem ${listed(columns)} de uma linha anterior`,
} satisfies Readonly<Record<string, Say>>;

const modesInPortuguese: Readonly<Record<string, string>> = {
  append: '“acrescentar”',
  upsert: '“acrescentar ou renovar”',
  replace: '“substituir”',
};

/** Files by their names; rows that the service had already by their table. */
function sourceOf({ file, table, source }: Readonly<Record<string, unknown>>): string {
  return table === undefined ? `${file}` : `tabela ${table}, linhas de ${source ?? 'um arquivo recebido antes'}`;
}

function dates({ table, column, rows, of }: Readonly<Record<string, unknown>>, format: Format): string {
  return `tabela ${table}: ${counted(rows, of, format)} datas de ${column}`;
}

const counted = (rows: unknown, of: unknown, format: Format): string =>
  `${format.integer(Number(rows))} de ${format.integer(Number(of))}`;

const dayOf = (day: unknown, format: Format): string => format.day(String(day));

function listed(names: unknown, words: Readonly<Record<string, string>> = {}): string {
  return (names as readonly string[]).map((name) => words[name] ?? name).join(', ');
}

/** A notice in Portuguese; null where the service alone can say it, or said it before codes were told. */
export function sayNotice(notice: Notice | undefined, format: Format): string | null {
  const words: Readonly<Record<string, Say>> = noticesInPortuguese;
  return (notice && words[notice.code]?.(notice, format)) ?? null;
}
