type Values = Readonly<Record<string, unknown>>;

/** Why a row of a file or of a question has no answer, in Portuguese, by its code; in English it stands in the answer. */
export const rowReasonsInPortuguese = {
  missing: () => 'falta o valor, e a coluna é obrigatória',
  not_of_type: ({ type, examples, found, foundAs, hint }) =>
    `esperava ${expected(type, examples)}, e encontrou ${shown(String(found), foundAs)}${hint === null ? '' : hints[String(hint)]}`,
  expected_type: ({ type, examples }) => `esperava ${expected(type, examples)}`,
  row_fields: ({ expected: count, found }) => `esperava ${count} campos, e encontrou ${found}`,
  open_quote: () => 'aspas abertas e nunca fechadas',
  text_after_quote: () => 'há texto depois das aspas de fechamento: aspas dentro de aspas se escrevem duas vezes',
  not_utf8: () => 'a linha não está em UTF-8',
  nul_bytes: () => 'a linha tem bytes nulos',
  row_too_long: ({ size, column }) =>
    `a linha passa de ${size}: ${column === null ? 'faltam aspas?' : `as aspas abertas na coluna “${column}” não se fecham`}`,
  out_of_range: ({ minimum, maximum, found }) => {
    const range =
      minimum === null
        ? `no máximo ${maximum}`
        : maximum === null
          ? `no mínimo ${minimum}`
          : `de ${minimum} a ${maximum}`;
    return `precisa ser ${range}${found === null ? '' : `, e é ${found}`}`;
  },
  wrong_format: ({ format }) => `precisa ser ${formats[String(format)]}`,
  undated: ({ input }) => `falta o valor, que data a linha: informe-o, ou ${input} como o momento da linha`,
  dated_ahead: ({ day, today }) => `${day} está no futuro, e data a linha; hoje é ${today}`,
  long_text: ({ most }) => `passa de ${Number(most).toLocaleString('pt-BR')} caracteres, e é copiado para a resposta`,
  day_ahead: () => 'está no futuro do lote',
  before_year_1: () => 'fica antes do ano 1',
  no_target: () => 'não diz quem responde, e o lote não tem um modelo próprio',
  unknown_target: ({ target }) => `${target} não era um modelo com esse alias ou versão ativa quando o lote foi aceito`,
  unread_future: ({ until }) => `fica depois de ${until}, até onde os dados são lidos`,
  lacking_of_new: ({ table }) =>
    `falta o valor, e a coluna é obrigatória: ${table} não tem essa chave, e uma linha nova precisa das suas entradas`,
} satisfies Readonly<Record<string, (values: Values) => string>>;

const formats: Readonly<Record<string, string>> = {
  cpf: 'um CPF com dígitos verificadores certos',
  cnpj: 'um CNPJ com dígitos verificadores certos',
  email: 'um endereço de e-mail',
  phone: 'um número de telefone',
  url: 'um endereço da web',
  uuid: 'um UUID',
};

function expected(type: unknown, examples: unknown): string {
  const all = examples as readonly string[];
  const name = typeInPortuguese(type);
  return all.length === 0 ? name : `${name} como ${all.join(' ou ')}`;
}

function shown(found: string, as: unknown): string {
  return as === 'text'
    ? `“${found}”`
    : as === 'number'
      ? `o número ${found}`
      : as === 'list'
        ? `a lista ${found}`
        : found;
}

/** A type with its article: `uma data`. */
export function typeInPortuguese(type: unknown): string {
  return types[String(type)] ?? String(type);
}

const types: Readonly<Record<string, string>> = {
  string: 'um texto',
  integer: 'um número inteiro',
  number: 'um número',
  boolean: 'true ou false',
  date: 'uma data',
  timestamp: 'um momento',
  time: 'uma hora do dia',
};

const hints: Readonly<Record<string, string>> = {
  too_large: ', além de ±9007199254740991: declare identificadores como texto',
  decimal_point: ': escreva decimais com ponto, sem separador de milhares',
  not_midnight: ': a hora não é meia-noite',
};
