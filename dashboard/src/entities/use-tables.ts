import { useMemo } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';

/** The tables of the workspace by the names of its active contract. */
export function useTables(): readonly string[] {
  const client = useClient();
  const { can } = useSession();
  const { data } = useData(['contracts', 'newest'], (signal) => client.contracts.list({ limit: 20 }, { signal }), {
    isOn: can('view_models'),
  });
  return useMemo(() => {
    const active = data?.data.find(({ status }) => status === 'active');
    return active ? tablesIn(active.document) : [];
  }, [data]);
}

/**
 * Names of tables in the text of a contract: those of the entries right under `schema`. A suggestion for a search and
 * nothing more, so that reading it by its indentation is enough.
 */
export function tablesIn(document: string): readonly string[] {
  const lines = document.split('\n');
  const from = lines.findIndex((line) => /^schema:\s*$/.test(line));
  if (from < 0) return [];
  const names: string[] = [];
  let depth: number | null = null;
  for (const line of lines.slice(from + 1)) {
    if (/^[^\s#-]/.test(line)) break;
    const found = /^(\s*)- name:\s*["']?([^"'\s]+)["']?\s*$/.exec(line);
    if (!found) continue;
    depth ??= found[1].length;
    if (found[1].length === depth) names.push(found[2]);
  }
  return names;
}
