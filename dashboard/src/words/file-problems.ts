type Because = { readonly code: string; readonly [value: string]: unknown };

/** Why no batch was made of a file, in Portuguese, by the code. */
export const fileProblemsInPortuguese = {
  file_of_other_kind: ({ file }) => `${file} não termina em .csv nem em .parquet, e nenhum outro arquivo é aceito`,
  file_too_large: ({ file, most }) => `${file} tem mais de ${most} bytes: divida-o`,
  file_removed: ({ file }) => `${file} foi retirado antes que se fizesse um lote dele`,
  sender_gone: () => 'o usuário que o enviou foi excluído, ou não pode mais entrar',
  workspace_archived: () => 'o workspace está arquivado: pode ser lido, e não mudado',
  workspace_empty: () => 'o workspace ainda não tem dados, e por isso nenhum modelo que pontue linhas',
  file_without_rows: ({ file }) => `${file} não tem linhas`,
  file_too_long: ({ file, rows, most }) => `${file} tem ${rows} linhas, e no máximo ${most} são aceitas: divida-o`,
  file_without_endpoint: ({ file, column, endpoints, more }) =>
    `${file} não tem a coluna ${column}, que diz de cada linha o que a pontua: ${listed(endpoints, more)}`,
  endpoints_unknown: ({ file, column, endpoints, more }) =>
    `nenhuma linha de ${file} tem um ${column} que exista: ${listed(endpoints, more)}`,
  file_lacks_inputs: ({ file, columns, endpoint }) =>
    `falta em ${file} ${(columns as readonly string[]).join(', ')}, de que ${endpoint} precisa`,
} satisfies Readonly<Record<string, (values: Because) => string>>;

function listed(endpoints: unknown, more: unknown): string {
  const names = endpoints as readonly string[];
  if (names.length === 0) return 'ainda não há nenhum';
  return `${names.join(', ')}${Number(more) > 0 ? ` e mais ${more}` : ''}`;
}
