import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { accountClient } from '../api/client.ts';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { permissionNames, permissionWords } from '../words/permissions.ts';
import { useWords } from '../words/words.ts';
import { memberWords } from './words.ts';

/** What each role may do, by the service's own table, in words. */
export function RoleMatrix() {
  const w = useWords(memberWords);
  const said: Readonly<Record<string, string>> = useWords(permissionWords);
  const c = useWords(common);
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
  return (
    <Section title={w.permissionsOf} description={w.permissionsBody} className="!mt-0">
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
                </th>
                {roles.data.data.map(({ role, permissions }) => (
                  <td key={role} className="px-2 py-1.5 text-center">
                    {permissions.includes(permission) ? (
                      <Check size={14} className="inline text-good" role="img" aria-label={w.may} />
                    ) : (
                      <span className="text-ink3">
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
