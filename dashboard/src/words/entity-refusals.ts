type Because = { readonly code: string; readonly [value: string]: unknown };

/** Why there is no such entity or table, in Portuguese, by the code; in English it stands in the answer. */
export const entityRefusalsInPortuguese = {
  no_entity: ({ table, key }) => `Nenhuma entidade de ${table} tem a chave ${key} até esse dia.`,
  no_entity_table: ({ name, tables }) =>
    `Não há uma tabela de entidades ${name}; há ${(tables as readonly string[]).join(', ')}.`,
  no_data_table: ({ name, tables }) => `Não há uma tabela ${name}; há ${(tables as readonly string[]).join(', ')}.`,
  no_key_of_one_column: ({ name, tables }) =>
    `${name} não tem uma chave de uma só coluna, que diga quem são suas linhas; têm ${(tables as readonly string[]).join(', ')}.`,
} satisfies Readonly<Record<string, (values: Because) => string>>;
