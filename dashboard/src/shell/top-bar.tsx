import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bell, Check, Languages, MenuIcon, Monitor, Moon, Search, Sun } from 'lucide-react';
import { useRef } from 'react';
import { accountClient } from '../api/client.ts';
import { leaveFor } from '../api/leave.ts';
import { useSession } from '../api/session.tsx';
import { buttonClass, IconButton } from '../kit/button.tsx';
import { Menu } from '../kit/menu.tsx';
import { sayRefusal } from '../kit/toast.tsx';
import type { Language } from '../words/language.ts';
import { currentLanguage, languages, setLanguage, useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { useInboxCounts } from './inbox-counts.ts';
import { pageNames } from './pages.ts';
import { setTheme, type ThemeChoice, useThemeChoice } from './theme.ts';
import { shellWords } from './words.ts';

export function TopBar({
  isRailOpen,
  onSearch,
  onRail,
}: {
  readonly isRailOpen: boolean;
  onSearch(): void;
  onRail(): void;
}) {
  const w = useWords(shellWords);
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-2 border-line border-b bg-canvas/95 px-4 backdrop-blur sm:px-6">
      <div className="flex items-center gap-1 md:invisible">
        <IconButton label={w.openMenu} icon={<MenuIcon size={16} />} aria-expanded={isRailOpen} onClick={onRail} />
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
  const counts = useInboxCounts();
  const unseen = counts?.unseen.count ?? 0;
  const unread = counts?.unread.count ?? 0;
  // What has come since the inbox was looked at, and else, quietly, what nobody has read.
  const [count, tone] = unseen > 0 ? [unseen, 'bg-accent text-canvas'] : [unread, 'bg-sunken text-ink2'];
  return (
    <Link
      to="/inbox"
      aria-label={w.inbox(unseen, unread)}
      className="relative inline-flex size-8 items-center justify-center rounded-[6px] text-ink2 hover:bg-sunken hover:text-ink"
    >
      <Bell size={16} />
      {count > 0 && (
        <span
          className={`absolute top-0.5 right-0 min-w-4 rounded-full px-1 text-center text-[10px] leading-4 ${tone}`}
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}

const iconTrigger = `${buttonClass('quiet')} !w-8 !px-0`;

/** The language is the account's, so that mails and the inbox follow. */
function LanguageMenu() {
  const w = useWords(shellWords);
  const language = useLanguage();
  const queries = useQueryClient();
  // One after the other, so that the last choice is the one that is kept.
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const choose = async (next: Language) => {
    setLanguage(next);
    try {
      const save = () => accountClient().user.update({ language: next });
      const saved = saving.current.then(save, save);
      saving.current = saved;
      const user = await saved;
      // Another may have been chosen meanwhile.
      if (next === currentLanguage()) queries.setQueryData(['user'], user);
    } catch (error) {
      sayRefusal(error);
    }
  };
  return (
    <Menu
      label={w.language}
      hint={w.language}
      align="end"
      triggerClass={iconTrigger}
      trigger={<Languages size={16} />}
      items={languages.map(({ value: one, label }) => ({
        key: one,
        label,
        lang: one,
        mark: one === language && <Check size={14} />,
        onChoose: () => choose(one),
      }))}
    />
  );
}

const themeIcons = { light: Sun, dark: Moon, system: Monitor } as const;

function ThemeMenu() {
  const w = useWords(shellWords);
  const choice = useThemeChoice();
  const Icon = themeIcons[choice];
  return (
    <Menu
      label={w.theme}
      hint={w.theme}
      align="end"
      triggerClass={iconTrigger}
      trigger={<Icon size={16} />}
      items={(['light', 'dark', 'system'] satisfies ThemeChoice[]).map((one) => ({
        key: one,
        label: w[one],
        mark: one === choice && <Check size={14} />,
        onChoose: () => setTheme(one),
      }))}
    />
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
    <Menu
      label={w.account}
      align="end"
      triggerClass="ml-1 inline-flex size-7 items-center justify-center rounded-full bg-ink text-canvas text-micro"
      trigger={initials}
      head={
        <div className="mb-1 border-line border-b px-2 py-1.5">
          <div className="truncate font-medium">{user.name}</div>
          <div className="truncate text-ink3 text-meta">{user.email}</div>
        </div>
      }
      items={[
        { key: 'account', label: names.account, onChoose: () => navigate({ to: '/account' }) },
        { key: 'sign-out', label: w.signOut, onChoose: signOut },
      ]}
    />
  );
}

/** Ends the session, and with it all that this page knows. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    try {
      await accountClient().session.end();
    } catch (error) {
      return sayRefusal(error);
    }
    leaveFor('/sign-in');
  };
}
