import { useEffect } from 'react';
import { personal } from '../api/leave.ts';
import { useSession } from '../api/session.tsx';

export type RecentEntity = { readonly table: string; readonly key: string };

const keptMost = 8;
const storageKey = (workspaceId: string): string => `${personal}entities.${workspaceId}`;

/** What was opened last in this workspace and this tab, newest first. It is gone with the tab: keys may be personal. */
export function useRecentEntities(): readonly RecentEntity[] {
  const { workspace } = useSession();
  return read(workspace?.id ?? '');
}

export function useKeepRecent({ table, key }: RecentEntity): void {
  const { workspace } = useSession();
  const id = workspace?.id ?? '';
  useEffect(() => {
    const others = read(id).filter((one) => one.table !== table || one.key !== key);
    try {
      sessionStorage.setItem(storageKey(id), JSON.stringify([{ table, key }, ...others].slice(0, keptMost)));
    } catch {
      // Without storage nothing is kept.
    }
  }, [id, table, key]);
}

function read(id: string): readonly RecentEntity[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(id)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    return [];
  }
}

function isRecent(value: unknown): value is RecentEntity {
  const { table, key } = (value ?? {}) as Partial<RecentEntity>;
  return typeof table === 'string' && typeof key === 'string';
}
