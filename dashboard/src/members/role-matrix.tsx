import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { accountClient } from '../api/client.ts';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { permissionNames, permissionWords } from '../words/permissions.ts';
import { useWords } from '../words/words.ts';
import { roleWords } from './role-words.ts';
import { memberWords } from './words.ts';

/** What each role may do, by the service's own table, in words. */
export function RoleMatrix() {
  const w = useWords(memberWords);
  const said: Readonly<Record<string, string>> = useWords(permissionWords);
  const told: Readonly<Record<'roles' | 'allows', Readonly<Record<string, string>>>> = useWords(roleWords);
  const c = useWords(common);
  const format = useFormat();
  const roles = useQuery({
    queryKey: ['roles'],
    queryFn: () => accountClient().roles.list(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (roles.isError) return <Failed error={roles.error} onRetry={() => roles.refetch()} />;
  if (!roles.data) return <Skeleton rows={12} />;
  const all = [...new Set(roles.data.data.flatMap(({ permissions }) => permissions))];
  const rows = [
    ...permissionNames.filter((one) => all.includes(one)),
    ...all.filter((one) => !permissionNames.includes(one)),
  ];
  const ableTo = (permission: string) =>
    format.list(
      roles.data.data
        .filter(({ permissions }) => permissions.some((one) => one === permission))
        .map(({ role }) => c.roles[role]),
    );
  return (
    <Section title={w.permissionsOf} description={w.permissionsBody} className="!mt-0">
      <dl className="mb-4 grid max-w-4xl grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {roles.data.data.map(({ role }) => (
          <div key={role} className="contents">
            <dt className="font-medium">{c.roles[role]}</dt>
            <dd className="text-ink2">{told.roles[role]}</dd>
          </div>
        ))}
      </dl>
      <Panel className="overflow-x-auto">
        <table className="w-full min-w-[720px] text-body">
          <thead>
            <tr className="border-line border-b text-ink3 text-meta">
              <th scope="col" className="px-3 py-2 text-left font-normal">
                {w.permission}
              </th>
              {roles.data.data.map(({ role }) => (
                <th key={role} scope="col" className="px-2 py-2 text-center font-medium text-ink">
                  {c.roles[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((permission) => (
              <tr key={permission} className="border-line border-b last:border-0">
                <th scope="row" className="px-3 py-1.5 text-left font-normal">
                  {said[permission] ?? permission}
                  <span className="block max-w-md text-ink3 text-meta">{told.allows[permission]}</span>
                </th>
                {roles.data.data.map(({ role, permissions }) => (
                  <td key={role} className="px-2 py-1.5 text-center">
                    {permissions.includes(permission) ? (
                      <Check size={14} className="inline text-good" role="img" aria-label={w.may} />
                    ) : (
                      <span className="text-ink3" title={w.onlyBy(ableTo(permission))}>
                        <span aria-hidden="true">·</span>
                        <span className="sr-only">{w.mayNot}</span>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </Section>
  );
}
