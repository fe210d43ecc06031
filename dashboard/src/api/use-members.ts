import { useMemo } from 'react';
import { readAll } from './read-all.ts';
import { useSession } from './session.tsx';
import { useData } from './use-data.ts';

const pageSize = 200;
/** Most people whose names are read. */
export const membersMost = 10_000;

/** What the people of the workspace are called, by their ids; those who have left keep their id alone. */
export function useMemberNames(): (userId: string) => string {
  const { client, user, can } = useSession();
  const { data } = useData(
    ['members', 'names'],
    (signal) => readAll(client.members.list({ limit: pageSize }, { signal }), membersMost),
    { isOn: can('view_members') },
  );
  return useMemo(() => {
    const names = new Map(data?.map((one) => [one.user_id, one.name || one.email]));
    names.set(user.id, user.name || user.email);
    return (id) => names.get(id) ?? `…${id.slice(-6)}`;
  }, [data, user]);
}
