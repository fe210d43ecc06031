import { Menu } from '@base-ui/react/menu';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useSession } from '../api/session.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { menuItem, menuPopup } from './menu.ts';
import { shellWords } from './words.ts';

/** Where the page acts, and where else it could. */
export function WorkspaceSwitcher() {
  const w = useWords(shellWords);
  const { statuses } = useWords(common);
  const { user, workspace, organization } = useSession();
  const navigate = useNavigate();
  return (
    <Menu.Root>
      <Menu.Trigger
        title={w.switchWorkspace}
        className="flex w-full items-center gap-2 rounded-[6px] px-2 py-1 text-left hover:bg-sunken"
      >
        <img src="/favicon.svg" alt="" className="size-6" />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold text-body leading-4">
            {workspace?.name ?? organization?.name ?? 'Lastro'}
          </span>
          <span className="block truncate text-ink3 text-micro leading-4">{organization?.name}</span>
        </span>
        <ChevronsUpDown size={14} className="shrink-0 text-ink3" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-50">
          <Menu.Popup className={menuPopup}>
            {user.workspaces.map((one) => (
              <Menu.Item
                key={one.id}
                className={menuItem}
                onClick={() => navigate({ to: '/', search: { workspace: one.id } })}
              >
                <span className="min-w-0 flex-1 truncate">{one.name}</span>
                {one.status === 'archived' && <span className="text-ink3 text-micro">{statuses.archived}</span>}
                {one.id === workspace?.id && <Check size={14} />}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
