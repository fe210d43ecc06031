import { entityRefusalsInPortuguese } from './entity-refusals.ts';
import { evaluationRefusalsInPortuguese } from './evaluation-refusals.ts';
import { fieldMistakesInPortuguese } from './field-mistakes.ts';
import { fileProblemsInPortuguese } from './file-problems.ts';
import { rowReasonsInPortuguese } from './row-reasons.ts';

export type Because = { readonly code: string; readonly [value: string]: unknown };
type Say = (values: Because) => string;

/** What is wrong with a question in Portuguese, by its code; in English it stands in the answer. */
export const mistakesInPortuguese = {
  expected: ({ expected, found, meant }) => `${awaited(expected, found)}${tellMeant(meant)}`,
  reserved_word: ({ expected, found }) => `${awaited(expected, found)}; um nome escrito assim fica entre aspas duplas`,
  unquoted_name: ({ name }) => `um nome com mais de uma palavra fica entre aspas duplas; quis dizer ${name}?`,
  no_days: ({ expected, found, meant }) =>
    `${awaited(expected, found)}${meant === null ? '' : `: meses e anos variam de duração; quis dizer ${meant}d?`}`,
  no_clause: ({ clauses, found, meant, hint }) =>
    `esperava ${listed(clauses)} ou o fim, e encontrou ${found}${tellMeant(meant)}${hint === 'where' ? '; WHERE fica logo depois da tabela de FOR' : hint === 'for' ? '; FOR fica antes da tabela para a qual se prevê' : ''}`,
  without_entity: () => 'falta FOR e a tabela para a qual se prevê, como FOR clientes',
  without_horizon: () => 'falta WITHIN e os dias à frente, como WITHIN 30d',
  name_for_value: ({ name }) => `esperava um valor; um texto fica entre aspas simples: '${name}'`,
  unclosed: ({ mark }) => `falta fechar ${mark}`,
  unreadable: ({ text, isNumber }) =>
    `não dá para ler ${text}${isNumber ? ': esperava um número, um dia como 2024-01-31 ou dias como 90d' : ''}`,
  given_twice: ({ word }) => `${word} aparece duas vezes`,
  horizon_twice: ({ days }) => `o horizonte ${days}d aparece duas vezes`,
  many_horizons: ({ count, most }) => `${count} horizontes; no máximo ${most}`,
  until_before_from: () => 'UNTIL fica antes de FROM',
  every_and_once: () => 'EVERY e ONCE não vão juntos',
  other_kind: ({ natural, given, isCompared }) =>
    `o que se prevê dá uma tarefa do tipo ${natural}, e não ${given}${isCompared ? '; compare o valor, como em count(…) > 0' : ''}`,
  other_table: ({ table, found }) =>
    `esperava uma coluna de ${table}: uma condição lê a tabela com que está, e não ${found}`,
  deep_conditions: ({ most }) => `condições aninhadas em mais de ${most} níveis`,
  unknown_entity: ({ name, tables, meant }) =>
    `${name} não é uma tabela do contrato (${listed(tables)})${tellMeant(meant)}`,
  unknown_table: ({ name, tables, meant }) =>
    `a tabela ${name} não está no contrato, que tem ${listed(tables)}${tellMeant(meant)}`,
  unknown_column: ({ of, name, table, columns, meant }) =>
    `${of === 'outcome' ? 'outcome cita ' : ''}${name}${of === 'outcome' ? ', que' : ''} não é uma coluna de ${table}, que tem ${listed(columns)}${tellMeant(meant)}`,
  no_date: ({ column, type }) => `${column} precisa ser uma data, e é ${nameOf(type)}`,
  no_number: ({ column, type }) => `${column} não é um número, e sim ${nameOf(type)}`,
  no_category: ({ column, type }) => `next pede uma categoria, e ${column} é ${nameOf(type)}`,
  no_time: ({ asks, table, dates }) => {
    const remedy =
      (dates as readonly string[]).length > 0
        ? `dê-lhe um eventTime, talvez ${listed(dates, ' ou ')}`
        : 'ela não tem nenhuma coluna de datas; uma de textos não é: dê-lhe o tipo date ou timestamp, e a sua forma';
    const without = `a tabela ${table} não tem a data do evento no contrato: ${remedy}`;
    if (asks === 'once') return `ONCE pergunta por cada linha no seu próprio dia, e ${without}`;
    if (asks === 'last') return `IN LAST precisa de linhas com data, e ${without}`;
    return asks === 'opening'
      ? `${without}; ou diga a coluna com o dia da abertura, delinquency(${table}(opened), …)`
      : without;
  },
  no_path: ({ table, to }) => `nenhuma referência leva de ${table} a ${to}`,
  many_paths: ({ table, to, paths }) =>
    `há ${(paths as readonly string[]).length} caminhos de ${table} a ${to}; escolha um com ${(paths as readonly string[]).map((path) => `VIA ${path}`).join(' ou ')}`,
  no_reference: ({ column, table, columns }) =>
    `${column} não é uma referência de ${table}, que tem ${listed(columns) || 'nenhuma'}`,
  other_end: ({ path, table, to }) => `${path} leva a ${table}, e não a ${to}`,
  other_type: ({ column, value, type }) =>
    `where compara ${column} com ${value}; ${type === 'time' ? 'horas do dia não se comparam' : `a coluna pede ${takenBy[String(type)] ?? type}`}`,
  not_allowed: ({ column, value, allowed, isMore }) =>
    `where compara ${column} com ${value}; o contrato permite ${listed(allowed)}${isMore ? ', …' : ''}`,
  unknown_named: ({ field, name, of, tables, meant }) => {
    const what = { table: 'uma tabela', column: 'uma coluna', either: 'uma coluna nem uma tabela' }[String(of)];
    const known = tables === null ? '' : ` (${listed(tables)})`;
    const hint = of === 'table' ? '' : '; escreva tabela.coluna';
    return `${field} cita ${name}, que não é ${what} do contrato${known}${meant === null ? hint : tellMeant(meant)}`;
  },
  entity_ignored: ({ name }) => `ignore cita ${name}, que é a tabela para a qual se prevê`,
  outcome_with_table: ({ name, column }) => `outcome cita ${name}: escreva só a coluna, ${column}`,
  outcome_of_key: ({ name }) =>
    `outcome cita ${name}, que diz que linha é e de quando; um desfecho diz como ela terminou`,
  outcome_hidden: ({ name }) =>
    `hide e outcome citam ${name}: com hide, ela não é lida de linha nenhuma; com outcome, é lida de todas menos da própria`,
  no_order: ({ column }) => `${column} é true ou false: compare com = ou !=`,
  delinquency_of_other: ({ table, entity }) =>
    `delinquency sem WITHIN pergunta por ${table}: use FOR ${table}, ou WITHIN e os dias à frente para ${entity}`,
  due_elsewhere: ({ table, name }) =>
    `o vencimento é lido de ${table}, por cujas linhas se pergunta; se ele está em ${name}, pergunte por ${name}: exists(${name} OVERDUE 30d (due, ${table}.paid))`,
  unclear_obligations: ({ table, choices }) => {
    const ways = choices as readonly string[];
    const why =
      ways.length === 0
        ? 'não está claro: ela precisa de uma data planejada e de uma data de pagamento'
        : `pode ser lido de ${ways.length} modos: ${ways.join(' ou ')}`;
    return `que tabela tem o que vence de ${table} ${why}; diga qual, como em delinquency(${table}, …, instalment(due, paid))`;
  },
  no_labels: ({ newest, asked, days }) => {
    const data = newest === null ? 'nenhuma tabela tem linhas com data' : `a linha mais nova é de ${newest}`;
    return asked === null
      ? `a tarefa não tem rótulos para aprender: ${data}, e não há por quem perguntar em nenhuma âncora`
      : `a tarefa não tem rótulos para aprender: ${data}, e nenhuma janela de ${days} depois de uma âncora, de ${asked} em diante, termina até lá e diz algo`;
  },
  unobserved: ({ table, newest }) =>
    `a tarefa não tem rótulos para aprender: nenhuma linha de ${table} tem o seu ponto de observação até ${newest ?? 'hoje'}, o dia da linha mais nova`,
  unlabelled: ({ output }) => `${output} não tem rótulos para aprender`,
  equal_labels: ({ output, count, label }) =>
    `todos os ${count} rótulos de ${output} são ${label}; um modelo precisa de ao menos dois diferentes`,
  leakage: ({ names, more, what, measure, strength, remedies }) => {
    const all = names as readonly string[];
    const isOne = all.length === 1 && more === 0;
    const said = `${measure === 'auroc' ? 'AUROC' : 'correlação de postos'} ${Number(strength).toLocaleString('pt-BR', { minimumFractionDigits: 3 })}`;
    return `${all.join(', ')}${Number(more) > 0 ? ` e mais ${more}` : ''} ${isOne ? 'revela' : 'revelam'} o rótulo com certeza: nada foi aprendido. ${what === '' ? said : `“${what}”: ${said}`}.${waysOut(all, remedies as LeakRemedies)}`;
  },
  many_classes: ({ table, count, most }) => `${table} tem ${count} categorias a prever; no máximo ${most}`,
  lacks_columns: ({ file, lacking, found, more }) => {
    const told = (lacking as readonly Lacking[]).map(
      ({ as, column, meant }) =>
        `${columnsInPortuguese[as] ?? as} ${column}${meant === null ? '' : ` (quis dizer ${meant}?)`}`,
    );
    return `falta em ${file} ${told.join(' e ')}; tem ${listed(found) || 'nenhuma coluna'}${Number(more) > 0 ? ` e mais ${more}` : ''}`;
  },
} satisfies Readonly<Record<string, Say>>;

type LeakRemedies = Readonly<Record<'hide' | 'ignore' | 'outcome' | 'trust', readonly string[]>> | undefined;

/** What can be done about a leak; '' of a refusal of before that was said by place. */
function waysOut(names: readonly string[], remedies: LeakRemedies): string {
  if (!remedies) return '';
  const { hide, ignore, outcome, trust } = remedies;
  const columns = outcome.map((name) => name.slice(name.lastIndexOf('.') + 1));
  const ways = [
    hide.length > 0 &&
      'diga no contrato desde quando se sabe o que foi escrito depois (knownFrom, ou mutable se nenhuma data o diz)',
    hide.length < names.length && 'diga no contrato quando vieram as linhas que vieram depois da sua data (knownAt)',
    hide.length > 0 && `deixe fora (hide: [${hide.join(', ')}] na tarefa)`,
    ignore.length > 0 && `deixe a tabela fora (ignore: [${ignore.join(', ')}] na tarefa)`,
    columns.length > 0 &&
      `leia só de linhas anteriores se for o desfecho da própria linha (outcome: [${columns.join(', ')}])`,
  ].filter((way) => way !== false);
  return ` Para resolver, ${ways.join(', ')} ou, se afinal se sabe a tempo, aceite (trust: [${trust.join(', ')}])`;
}

type Lacking = { readonly as: string; readonly column: string; readonly meant: string | null };

const columnsInPortuguese: Readonly<Record<string, string>> = {
  key: 'a coluna da chave,',
  time: 'a coluna do momento,',
  label: 'a coluna do rótulo,',
  known: 'a coluna de quando o rótulo se soube,',
};

/** What a query expects next; its own words stay as they are. */
const expectedInPortuguese: readonly (readonly [RegExp, string])[] = [
  [/^the end$/, 'o fim'],
  [/^a table$/, 'uma tabela'],
  [/^a column of (.+)$/, 'uma coluna de $1'],
  [/^a reference column$/, 'uma coluna de referência'],
  [/^the table to predict for$/, 'a tabela para a qual se prevê'],
  [/^a number to compare with$/, 'um número com que comparar'],
  [/^days to look ahead, such as 30d$/, 'os dias à frente, como 30d'],
  [/^days to look back, such as 90d$/, 'os dias para trás, como 90d'],
  [/^days between anchors$/, 'os dias entre uma âncora e a próxima'],
  [/^a number of days$/, 'um número de dias'],
  [/^a whole number of months from 1 to (\d+)$/, 'um número inteiro de meses de 1 a $1'],
  [/^at most (\d+) days$/, 'no máximo $1 dias'],
  [/^a number of months$/, 'um número de meses'],
  [/^a day such as (\S+)$/, 'um dia como $1'],
  [
    /^a number, a text in single quotes, a day such as (\S+), true or false$/,
    'um número, um texto entre aspas simples, um dia como $1, true ou false',
  ],
  [/^the table of loans$/, 'a tabela dos empréstimos'],
  [/^the table of what is due$/, 'a tabela do que vence'],
  [/^the column with the day it is due$/, 'a coluna com o dia do vencimento'],
  [/^the column with the day it was paid$/, 'a coluna com o dia do pagamento'],
  [/^the column of (.+) with the day it was paid$/, 'a coluna de $1 com o dia do pagamento'],
  [/^the amount paid, a column of (.+): (.+)$/, 'o valor pago, uma coluna de $1: $2'],
  [/^the column with the day of the opening$/, 'a coluna com o dia da abertura'],
  [/^the column with the day it was charged off$/, 'a coluna com o dia da baixa'],
  [/^the column with the amount due$/, 'a coluna com o valor devido'],
  [/^the column with the amount paid$/, 'a coluna com o valor pago'],
  [/^, and the day it was paid$/, ', e o dia do pagamento'],
  [/^, and the amount paid$/, ', e o valor pago'],
  [/^, with the table of what is due, or \)$/, ', com a tabela do que vence, ou )'],
  [
    /^\(column\) with the day of the charge-off, or days past due such as 180 days$/,
    '(coluna) com o dia da baixa, ou dias de atraso como 180 days',
  ],
  [
    /^first_payment_default, days such as 30 days at month 6, or charge_off$/,
    'first_payment_default, dias como 30 days at month 6, ou charge_off',
  ],
  [/^(.+) or (\S+)$/, '$1 ou $2'],
];

function awaited(expected: unknown, found: unknown): string {
  return `esperava ${sayExpected(String(expected))}, e encontrou ${found === null || found === undefined ? 'o fim' : sayExpected(String(found))}`;
}

function sayExpected(expected: string): string {
  const [, what, least] = /^(.+?)(?: above zero|, whole and from (\d+))$/.exec(expected) ?? [];
  if (what !== undefined)
    return least === undefined
      ? `${sayExpected(what)}, acima de zero`
      : `${sayExpected(what)}, inteiro, a partir de ${least}`;
  const form = expectedInPortuguese.find(([pattern]) => pattern.test(expected));
  if (form) return expected.replace(...form);
  // A sign alone would be read as one of the sentence.
  return /^[^\p{L}\p{N}\s]+$/u.test(expected) ? `“${expected}”` : expected;
}

function tellMeant(meant: unknown): string {
  return meant === null ? '' : `; quis dizer ${meant}?`;
}

function listed(names: unknown, mark = ', '): string {
  return (names as readonly string[]).join(mark);
}

function nameOf(type: unknown): string {
  return (
    {
      string: 'texto',
      integer: 'um inteiro',
      number: 'um número',
      boolean: 'verdadeiro ou falso',
      date: 'uma data',
      timestamp: 'um momento',
      time: 'uma hora do dia',
    }[String(type)] ?? String(type)
  );
}

const takenBy: Readonly<Record<string, string>> = {
  string: 'um texto entre aspas',
  number: 'um número',
  integer: 'um número',
  boolean: 'true ou false',
  date: 'um dia como 2024-01-31',
  timestamp: 'um dia como 2024-01-31',
};

/**
 * What `detail` says in Portuguese, with the place in the question that it begins with; null where the service alone
 * has words for it.
 */
export function sayMistake(detail: string, because: Because | undefined): string | null {
  const words: Readonly<Record<string, Say>> = {
    ...rowReasonsInPortuguese,
    ...fieldMistakesInPortuguese,
    ...mistakesInPortuguese,
    ...evaluationRefusalsInPortuguese,
    ...fileProblemsInPortuguese,
    ...entityRefusalsInPortuguese,
  };
  const said = because && words[because.code]?.(because);
  if (said === undefined) return null;
  const place = /^line (\d+)(?:, column (\d+))?(?:, ([\w.[\]]+)(?=:))?/.exec(detail);
  if (!place) return said;
  const [, line, column, field] = place;
  return `linha ${line}${column === undefined ? '' : `, coluna ${column}`}${field === undefined ? '' : `, ${field}`}: ${said}`;
}
