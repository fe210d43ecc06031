import { Menu } from '@base-ui/react/menu';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bell, Check, Languages, MenuIcon, Monitor, Moon, Search, Sun } from 'lucide-react';
import { accountClient } from '../api/client.ts';
import { useSession } from '../api/session.tsx';
import { IconButton } from '../kit/button.tsx';
import { sayRefusal } from '../kit/toast.tsx';
import type { Language } from '../words/language.ts';
import { setLanguage, useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { useInboxCounts } from './inbox-counts.ts';
import { menuItem, menuPopup } from './menu.ts';
import { pageNames } from './pages.ts';
import { setTheme, type ThemeChoice, useThemeChoice } from './theme.ts';
import { shellWords } from './words.ts';

export function TopBar({ onSearch, onRail }: { onSearch(): void; onRail(): void }) {
  const w = useWords(shellWords);
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-2 border-line border-b bg-canvas/95 px-4 backdrop-blur sm:px-6">
      <div className="flex items-center gap-1 md:invisible">
        <IconButton label={w.openMenu} icon={<MenuIcon size={16} />} onClick={onRail} />
        <IconButton label={w.searchOrGo} icon={<Search size={16} />} onClick={onSearch} />
      </div>
      <div className="flex items-center gap-1">
        <LanguageMenu />
        <ThemeMenu />
        <Inbox />
        <AccountMenu />
      </div>
    </header>
  );
}

function Inbox() {
  const w = useWords(shellWords);
  const unseen = useInboxCounts()?.unseen.count ?? 0;
  return (
    <Link
      to="/inbox"
      aria-label={w.inbox(unseen)}
      className="relative inline-flex size-8 items-center justify-center rounded-[6px] text-ink2 hover:bg-sunken hover:text-ink"
    >
      <Bell size={16} />
      {unseen > 0 && (
        <span className="absolute top-0.5 right-0 min-w-4 rounded-full bg-accent px-1 text-center text-[10px] text-canvas leading-4">
          {unseen > 99 ? '99+' : unseen}
        </span>
      )}
    </Link>
  );
}

const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'pt-BR': 'Português' };

/** The language is the account's, so that mails and the inbox follow. */
function LanguageMenu() {
  const w = useWords(shellWords);
  const language = useLanguage();
  const queries = useQueryClient();
  const choose = async (next: Language) => {
    setLanguage(next);
    try {
      queries.setQueryData(['user'], await accountClient().user.update({ language: next }));
    } catch (error) {
      sayRefusal(error);
    }
  };
  return (
    <Menu.Root>
      <Menu.Trigger render={<IconButton label={w.language} icon={<Languages size={16} />} />} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50">
          <Menu.Popup className={menuPopup}>
            {(['pt-BR', 'en'] as const).map((one) => (
              <Menu.Item key={one} className={menuItem} onClick={() => choose(one)}>
                <span className="flex-1" lang={one}>
                  {languageNames[one]}
                </span>
                {one === language && <Check size={14} />}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const themeIcons = { light: Sun, dark: Moon, system: Monitor } as const;

function ThemeMenu() {
  const w = useWords(shellWords);
  const choice = useThemeChoice();
  const Icon = themeIcons[choice];
  return (
    <Menu.Root>
      <Menu.Trigger render={<IconButton label={w.theme} icon={<Icon size={16} />} />} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50">
          <Menu.Popup className={menuPopup}>
            {(['light', 'dark', 'system'] satisfies ThemeChoice[]).map((one) => (
              <Menu.Item key={one} className={menuItem} onClick={() => setTheme(one)}>
                <span className="flex-1">{w[one]}</span>
                {one === choice && <Check size={14} />}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function AccountMenu() {
  const w = useWords(shellWords);
  const names = useWords(pageNames);
  const { user } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const initials = (user.name || user.email)
    .split(/[\s@]+/)
    .slice(0, 2)
    .map((part) => part[0]?.toUpperCase() ?? '')
    .join('');
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={w.account}
        className="ml-1 inline-flex size-7 items-center justify-center rounded-full bg-ink text-canvas text-micro"
      >
        {initials}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50">
          <Menu.Popup className={menuPopup}>
            <div className="px-2 py-1.5">
              <div className="truncate font-medium">{user.name}</div>
              <div className="truncate text-ink3 text-meta">{user.email}</div>
            </div>
            <Menu.Separator className="my-1 h-px bg-line" />
            <Menu.Item className={menuItem} onClick={() => navigate({ to: '/account' })}>
              {names.account}
            </Menu.Item>
            <Menu.Item className={menuItem} onClick={signOut}>
              {w.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Ends the session, and with it all that this page knows. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      await accountClient().session.end();
    } catch (error) {
      return sayRefusal(error);
    }
    queries.clear();
    await navigate({ to: '/sign-in' });
  };
}
