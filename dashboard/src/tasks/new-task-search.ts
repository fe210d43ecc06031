import type { Remedies } from './remedies.ts';

/** `from`: the id of the task that is written anew, with what is to be done about columns of it. */
export type NewTaskSearch = { readonly mode?: 'yaml'; readonly from?: string } & Remedies;

/** Reads the query of the page's address; what it does not know is left out. */
export function readNewTaskSearch({ mode, from, ...rest }: Readonly<Record<string, unknown>>): NewTaskSearch {
  const isYaml = mode === 'yaml' ? { mode } : {};
  if (typeof from !== 'string') return isYaml as NewTaskSearch;
  const named = (['hide', 'outcome', 'trust', 'ignore'] as const).flatMap((field) => {
    const value = rest[field];
    const columns = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string' && one !== '');
    return columns.length > 0 ? [[field, columns] as const] : [];
  });
  return { ...isYaml, from, ...Object.fromEntries(named) } as NewTaskSearch;
}
