import type { Format } from '../words/format.ts';
import type { Guess } from './report.ts';

type Values = Readonly<Record<string, unknown>>;
type Say = (values: Values, n: (value: unknown) => string) => string;
type Found = { readonly text: string; readonly rows: number };

/**
 * The reasons of guesses in Portuguese, by their codes; in English they stand in the answer. What begins with a colon
 * or semicolon goes on the sentence before it.
 */
export const reasonsInPortuguese = {
  unique: () => 'única, nunca vazia',
  unique_together: () => 'nenhuma coluna sozinha é única; estas juntas são, e nunca vazias',
  named_identifier: () => 'nome de identificador',
  named_code: () => 'nome de código',
  table_name: () => 'tem o nome da tabela',
  like_table_name: () => 'o nome se parece com o da tabela',
  first_column: () => 'primeira coluna',
  early_column: () => 'entre as primeiras colunas',
  whole_numbers: () => 'números inteiros',
  counting: () => 'em sequência',
  equal_length: () => 'códigos de mesmo tamanho',
  short_codes: () => 'códigos curtos',
  capitals: () => 'em maiúsculas',
  held_elsewhere: () => 'colunas de outras tabelas com o seu nome, ou com o da tabela, têm os seus valores',
  names_rows: ({ column }) => `e é o que ${column} cita`,
  near_key: ({ repeated, missing, rows, first }, n) => {
    const told = (first as readonly { readonly row: number; readonly of: number }[])
      .map(({ row, of }) => `linha ${n(row)} o da linha ${n(of)}`)
      .join(', ');
    const repeats = `${n(repeated)} de ${n(rows)} linhas repetem um valor${told === '' ? '' : ` (${told})`}`;
    const faults = [
      ...(Number(repeated) > 0 ? [repeats] : []),
      ...(Number(missing) > 0 ? [`${n(missing)} de ${n(rows)} linhas não têm nenhum`] : []),
    ];
    return `parece a chave, mas ${faults.join(' e ')}`;
  },
  names_agree: () => 'os nomes coincidem',
  holds_table_name: () => 'o nome contém o da tabela',
  earlier_rows: () => 'aponta para linhas anteriores da própria tabela',
  spread: () => 'os valores se espalham pelas chaves',
  by_values: () => 'só pelos valores',
  beyond_chance: () => 'que são chaves vezes demais para ser acaso',
  keys_there: ({ percent }, n) => `${n(percent)} % dos valores são chaves de lá`,
  others_lacking: () => ': os outros são linhas que faltam nos dados',
  if_others_lacking: () => ': uma referência, se os outros forem linhas que faltam nos dados',
  rival_table: () => '; outra tabela também serviria',
  same_as: ({ column }) => `mas em regra igual a ${column}`,
  keys_of: ({ table }) => `que são chaves de ${table}`,
  tax_number: ({ column, of }) =>
    `${column} contém ${of === 'company' ? 'o CNPJ de uma empresa' : 'o CPF de uma pessoa'}`,
  like_events: () => 'tem data, aponta para outras, e nada aponta para ela',
  birth_date: () => 'tem data de nascimento',
  named_table: () => 'pelo nome da tabela',
  named_events: () => 'tem data, e pelo nome da tabela',
  company_names: ({ column }) => `${column} contém nomes de empresas`,
  named_person: () => 'nome de coluna com nomes de pessoas',
  table_of_people: () => 'em uma tabela de pessoas',
  named_birth: () => 'nome de data de nascimento',
  named_cpf: () => 'nome de CPF',
  values_of_form: ({ form }) =>
    `os valores têm a forma de ${form === 'cpf' ? 'um CPF' : form === 'email' ? 'um e-mail' : 'um telefone'}`,
  never_empty: () => 'nunca vazia',
  rarely_empty: () => 'raramente vazia',
  earliest_date: () => 'a mais cedo das datas',
  only_date: () => 'a única data',
  completed_by: ({ column }) => `${column} a completa`,
  named_later: () => 'pelo nome, fica depois do evento',
  rival_dates: ({ columns }) =>
    `mas ${(columns as readonly string[]).join(' e ')} fica a menos de um dia dela em quase todas as linhas; use aquela em que uma previsão seria pedida`,
  named_founding: () => 'nome de data de nascimento ou de fundação',
  decades_before: ({ years }, n) =>
    `espalhada por décadas, e ao menos ${n(years)} anos antes das datas de outras tabelas, como nascimentos e fundações`,
  one_date: () => 'a mesma em todas as linhas, como a data de uma exportação',
  empty_in: ({ percent }, n) => `vazia em ${n(percent)} % das linhas`,
  dates_nothing: () =>
    ': não data as linhas; se uma linha passa a existir nesse dia, faça dela a data da tabela (eventTime)',
  comes_with: ({ table }) =>
    `sem data própria; as linhas vêm com a sua linha de ${table}, que é um evento: nada que aponte para ela tem tempo posterior`,
  more_references: ({ count }, n) =>
    Number(count) === 1 ? 'mais 1 referência vem com ela' : `mais ${n(count)} referências vêm com ela`,
  filled_offset: ({ column, offset }) => `${column}, onde preenchida, fica a ${offset} dela`,
  offset: ({ column, offset }) => `${column} fica a ${offset} dela`,
  empty_with: ({ column, missing, rows }, n) =>
    `vazia exatamente onde ${column} está vazia, em ${n(missing)} de ${n(rows)} linhas`,
  named_plan: () => 'nome de data prevista',
  filled_in: ({ percent }, n) => `preenchida em ${n(percent)} % das linhas`,
  always_filled: () => 'sempre preenchida',
  ahead: () => 'à frente da sua linha',
  beyond_data: () => 'e além do último evento dos dados',
  fixed_terms: ({ terms }, n) => `${n(terms)} prazos fixos à frente da sua linha`,
  perhaps_old: () => 'mas talvez só porque os dados são antigos',
  after_row: () =>
    'quase sempre depois da sua linha: é um plano, se é escrita junto com a linha; se é escrita quando o dia chega, é lida do próprio dia em diante, como deve ser',
  empty_column: () => 'a coluna está vazia',
  leading_zeros: () => 'dígitos com zeros à esquerda: códigos, não números',
  long_numbers: () => 'inteiros com mais dígitos do que números guardam: códigos, não números',
  repeated_misfit: ({ type, example }) =>
    `quase do tipo ${typeOf(type)}, mas “${example}” se repete: códigos, a menos que esteja em missingValues`,
  misfits: ({ others, filled, example }, n) =>
    `${n(others)} de ${n(filled)} valores não são desse tipo, como “${example}”`,
  microseconds: () =>
    'os números se leem como microssegundos desde 1970: envie milissegundos ou timestamps para que sejam usados assim',
  decimal_comma: ({ example }) => `escrita com vírgula decimal, como “${example}”`,
  comma_of_either: () =>
    'as vírgulas podem ser decimais ou separar milhares: guardada como texto e lida como números; se são decimais, faça dela um número com vírgula decimal',
  written_as: ({ example, iso, filled }, n) =>
    `escrita como “${example}”${Number(iso) === 0 ? '' : `, e em ${n(iso)} de ${n(filled)} linhas como diz a ISO 8601`}`,
  year_first: () => ': o ano primeiro',
  days_of_digits: () => ': dias como AAAAMMDD, todos existentes',
  since_1970: ({ unit }) =>
    `: ${unit === 'seconds' ? 'segundos' : 'milissegundos'} desde 1970, pelo nome e pela faixa de valores`,
  shown_first: ({ first, decided, filled }, n) =>
    `: ${partOf(first)} primeiro, o que ${n(decided)} de ${n(filled)} linhas mostram por uma ${first === 'day' ? 'primeira' : 'segunda'} parte acima de 12`,
  first_as_others: ({ first }) => `: ${partOf(first)} primeiro, como nas colunas cujos valores o mostram`,
  either_first: ({ first }) =>
    `: lida com ${first === 'day' ? 'o dia antes do mês' : 'o mês antes do dia'}, o que nenhum valor confirma nem nega: se estiver errado, a forma é a outra entre dd/MM/yyyy e MM/dd/yyyy`,
  mixed_dates: ({ day, month }) =>
    `algumas datas têm o dia primeiro, como “${day}”, e outras o mês, como “${month}”, ${unread}`,
  unread_dates: ({ count, filled, example }, n) =>
    `${count === filled ? 'os textos parecem datas' : `${n(count)} das ${n(filled)} datas estão`} em uma forma que não é lida, como “${example}”, ${unread}`,
  numbers_in_text: ({ percent, found, isMore }, n) =>
    `${n(percent)} % dos valores são números, mas não ${tellFound(found, n)}${isMore ? ', …' : ''} linhas: guardada como texto e lida como números, palavras como ausentes; se as palavras só dizem que não há valor, liste-as em missingValues e faça dela um número; se são códigos, dê-lhes um pattern`,
  missing_texts: ({ found, rows, filled, type, isNearly, isWords }, n) =>
    `${tellFound(found, n)} de ${n(rows)} linhas, ao lado de ${n(filled)} valores${isNearly ? ', quase todos' : ''} do tipo ${typeOf(type)}${isWords ? '' : ': uma palavra para ausência, ou um engano'}`,
  far_ahead: ({ count, rows }, n) =>
    `em ${n(count)} de ${n(rows)} linhas, muito à frente: pode querer dizer que não há data`,
  of_form: ({ count, looked }, n) => `${n(count)} de ${n(looked)} valores examinados têm esta forma`,
  free_text: ({ characters }, n) => `texto livre, ${n(characters)} caracteres em média`,
  many_values: () => 'com muitos valores',
  all_different: () => 'cada linha tem outro valor',
  few_values: ({ values, rows }, n) => `${n(values)} valores em ${n(rows)} linhas`,
  as_seen: () => 'como visto',
  seen: ({ minimum, maximum }, n) => `visto: ${n(minimum)} a ${n(maximum)}`,
  like_share: () => ': parece uma fração de 1',
  like_percentage: () => ': parece uma porcentagem',
} satisfies Readonly<Record<string, Say>>;

const unread = 'então nenhuma é usada: envie todas em uma só forma, de preferência AAAA-MM-DD';

const partOf = (first: unknown): string => (first === 'day' ? 'o dia' : 'o mês');

function tellFound(found: unknown, n: (value: unknown) => string): string {
  return (found as readonly Found[]).map(({ text, rows }) => `“${text}” em ${n(rows)}`).join(', ');
}

/** Why something was guessed, in the language of the page; contracts proposed before codes were told have English. */
export function sayReason({ reason, because = [] }: Pick<Guess, 'reason' | 'because'>, format: Format): string {
  if (format.language === 'en' || because.length === 0) return reason;
  return sayInPortuguese(because, format);
}

export function sayInPortuguese(because: NonNullable<Guess['because']>, format: Pick<Format, 'number'>): string {
  const words: Readonly<Record<string, Say>> = reasonsInPortuguese;
  return because
    .map((one) => words[one.code](one, (value) => format.number(Number(value))))
    .reduce((said, text) => (/^[:;]/.test(text) ? said + text : `${said}, ${text}`));
}

function typeOf(type: unknown): string {
  const names: Readonly<Record<string, string>> = {
    ...{ string: 'texto', integer: 'inteiro', number: 'número', boolean: 'sim ou não' },
    ...{ date: 'data', timestamp: 'data e hora', time: 'hora' },
  };
  return names[String(type)] ?? String(type);
}
