import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useSession } from '../api/session.tsx';
import { useRefreshUser } from '../api/use-refresh-user.ts';
import { Menu } from '../kit/menu.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { shellWords } from './words.ts';

/** Where the page acts, and where else it could. */
export function WorkspaceSwitcher({ onChosen }: { onChosen(): void }) {
  const w = useWords(shellWords);
  const { statuses } = useWords(common);
  const { user, workspace, organization, canInOrganization } = useSession();
  const navigate = useNavigate();
  const refresh = useRefreshUser();
  const go = (to: { readonly to: '/' | '/organization'; readonly search: object }) => {
    onChosen();
    return navigate(to);
  };
  return (
    <Menu
      hint={w.switchWorkspace}
      // Workspaces may have been made elsewhere, such as that of the demo.
      onOpen={refresh}
      triggerClass="flex w-full items-center gap-2 rounded-[6px] px-2 py-1 text-left hover:bg-sunken"
      trigger={
        <>
          <img src="/favicon.svg" alt="" className="size-6" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold text-body leading-4">
              {workspace?.name ?? organization?.name ?? 'Lastro'}
            </span>
            <span className="block truncate text-ink3 text-micro leading-4">{organization?.name}</span>
          </span>
          <ChevronsUpDown size={14} className="shrink-0 text-ink3" />
        </>
      }
      items={[
        ...user.workspaces.map(({ id, name, status }) => ({
          key: id,
          label: name,
          mark: (
            <>
              {status === 'archived' && <span className="text-ink3 text-micro">{statuses.archived}</span>}
              {id === workspace?.id && <Check size={14} />}
            </>
          ),
          onChoose: () => go({ to: '/', search: { workspace: id } }),
        })),
        ...(canInOrganization('create_workspaces')
          ? [
              {
                key: 'new',
                label: w.newWorkspace,
                onChoose: () => go({ to: '/organization', search: { add: true } }),
              },
            ]
          : []),
      ]}
    />
  );
}
