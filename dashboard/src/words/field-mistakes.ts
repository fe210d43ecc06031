type Values = Readonly<Record<string, unknown>>;
type Found = { readonly as: string; readonly text: string | null };

/** What is wrong with a field of a task or contract in YAML, in Portuguese, by its code. It comes after the field's place. */
export const fieldMistakesInPortuguese = {
  no_map: ({ found }) => `precisa ser um mapa de campos, e é ${nameFound(found)}`,
  unknown_field: ({ known, meant }) =>
    `campo desconhecido${meant === null ? `; os daqui: ${listed(known)}` : `; quis dizer ${meant}?`}`,
  wrong_kind: ({ kind, found }) =>
    `precisa ser ${kinds[String(kind)]}, e é ${nameFound(found)}${kind === 'string' && (found as Found).as === 'number' ? ': ponha entre aspas' : ''}`,
  missing_field: () => 'falta',
  not_among: ({ known }) => `precisa ser um destes: ${listed(known)}`,
  no_span: ({ text, meant }) =>
    `precisa ser um número de dias como 30d, e é ${text}${meant === null ? '' : `: meses e anos variam de duração; quis dizer ${meant}d?`}`,
  long_span: ({ text, most }) => `pode ter no máximo ${most} dias, e é ${text}`,
  no_day: ({ text }) => `precisa ser um dia como 2010-01-01, e é ${text}`,
  said_by_query: () => 'já está dito na pergunta: retire',
  excluded: ({ other }) => `não vai junto com ${other}`,
  without_target: () => 'pede target ou delinquency',
  headed_alone: ({ kinds: all }) => `é só para tipos com várias respostas (${listed(all)})`,
  no_head: ({ kind, heads }) => `não é uma resposta de ${kind}, que tem ${listed(heads)}`,
  no_aggregate: ({ text }) => `precisa ser exists, count, first, sum(coluna) ou next(coluna), e é ${text}`,
  many_horizons_listed: ({ most }) => `precisa listar de 1 a ${most}`,
  before_from: () => 'fica antes de anchors.from',
  many_moments: ({ count, most }) => `dá ${count} momentos; no máximo ${most}`,
  of_label_files: () => 'é uma coluna de arquivos de rótulos, e estes rótulos são feitos das tabelas',
  empty_list: () => 'está vazio: cite colunas, tabelas ou códigos, ou retire',
  no_text: ({ text }) => `precisa ser um texto, e é ${text}`,
  dropped_too: ({ name }) => `cita ${name}, que drop também cita`,
  no_entity_kind: ({ name, known }) => `${name} não é um tipo de entidade; os que há: ${listed(known)}`,
  no_column_type: ({ name, known }) =>
    `${name === null ? 'falta' : `${name} não é um tipo`}; os tipos que há: ${listed(known)}`,
  no_reference_form: ({ name }) => `${name} não tem a forma tabela.coluna`,
  no_such_table: ({ name, meant }) => `não há tabela ${name}${meant === null ? '' : `; quis dizer ${meant}?`}`,
} satisfies Readonly<Record<string, (values: Values) => string>>;

const kinds: Readonly<Record<string, string>> = {
  string: 'um texto',
  boolean: 'true ou false',
  number: 'um número',
  list: 'uma lista',
  map: 'um mapa de campos',
};

function nameFound(found: unknown): string {
  const { as, text } = found as Found;
  if (as === 'empty') return 'vazio';
  if (as === 'list' || as === 'map') return as === 'list' ? 'uma lista' : 'um mapa';
  return as === 'number' ? `o número ${text}` : as === 'string' ? `o texto ${text}` : String(text);
}

function listed(names: unknown): string {
  return (names as readonly string[]).join(', ');
}
