import { useMemo } from 'react';
import { useSession } from './session.tsx';
import { useData } from './use-data.ts';

const limit = 200;

/** What the people of the workspace are called, by their ids; those who have left keep their id alone. */
export function useMemberNames(): (userId: string) => string {
  const { client, user, can } = useSession();
  const { data } = useData(['members', 'names'], (signal) => client.members.list({ limit }, { signal }), {
    isOn: can('view_members'),
  });
  return useMemo(() => {
    const names = new Map(data?.data.map((one) => [one.user_id, one.name || one.email]));
    names.set(user.id, user.name || user.email);
    return (id) => names.get(id) ?? `…${id.slice(-6)}`;
  }, [data, user]);
}
