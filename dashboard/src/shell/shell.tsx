import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { accountClient, onForbidden, onSignedOut } from '../api/client.ts';
import { useIsOnline } from '../api/connection.ts';
import { leaveFor } from '../api/leave.ts';
import { keepWorkspace, useSession } from '../api/session.tsx';
import { common } from '../words/common.ts';
import { currentLanguage, setLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { CommandMenu } from './command-menu.tsx';
import { Rail } from './rail.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame around every page behind the sign-in. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const w = useWords(common);
  const { workspace } = useSession();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isRailOpen, setRailOpen] = useState(false);
  const isOnline = useIsOnline();
  useLeaveWhenSignedOut();
  useLookWhenForbidden();
  useFocusOfPages();
  useLanguageOfAccount();
  useEffect(() => {
    if (workspace) keepWorkspace(workspace.id);
  }, [workspace]);
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-ink focus:px-3 focus:py-1.5 focus:text-canvas"
      >
        {w.skip}
      </a>
      <Rail isOpen={isRailOpen} onClose={() => setRailOpen(false)} onSearch={() => setMenuOpen(true)} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar isRailOpen={isRailOpen} onSearch={() => setMenuOpen(true)} onRail={() => setRailOpen(true)} />
        {!isOnline && (
          <p role="status" className="bg-warn-soft px-6 py-1.5 text-body text-warn">
            {w.offline}
          </p>
        )}
        {workspace?.status === 'archived' && (
          <p role="status" className="bg-warn-soft px-6 py-1.5 text-body text-warn">
            {w.archived}
          </p>
        )}
        <main id="content" aria-labelledby="title" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
      {isMenuOpen && <CommandMenu onClose={() => setMenuOpen(false)} />}
      <Shortcuts onMenu={() => setMenuOpen(true)} />
    </div>
  );
}

/** The page speaks the language of the account. One that has none yet takes that of the page, for its mails and inbox. */
function useLanguageOfAccount(): void {
  const queries = useQueryClient();
  const { language, language_chosen: isChosen } = useSession().user;
  useEffect(() => {
    if (isChosen) return setLanguage(language);
    accountClient()
      .user.update({ language: currentLanguage() })
      .then(
        (user) => queries.setQueryData(['user'], user),
        () => {}, // The next page asks again.
      );
  }, [language, isChosen, queries]);
}

/** A session that has ended, here or elsewhere, leads to the sign-in and from there back to this page. */
function useLeaveWhenSignedOut(): void {
  const router = useRouter();
  useEffect(
    () =>
      onSignedOut(() => {
        const { href, pathname } = router.state.location;
        if (pathname === '/sign-in') return;
        leaveFor(router.buildLocation({ to: '/sign-in', search: { return_to: href, ended: true } }).href);
      }),
    [router],
  );
}

/** Another page begins at its content, for keys and screen readers too; what only its address says of a page does not. */
function useFocusOfPages(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation) document.getElementById('content')?.focus({ preventScroll: true });
      }),
    [router],
  );
}

/** What the page offered and the service refuses was taken away meanwhile: what they may do is asked for again. */
function useLookWhenForbidden(): void {
  const queries = useQueryClient();
  useEffect(() => onForbidden(() => void queries.invalidateQueries({ queryKey: ['user'] })), [queries]);
}
