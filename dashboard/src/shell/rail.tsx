import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useSession } from '../api/session.tsx';
import { coverRest, giveBack } from '../kit/focus.ts';
import { useWords } from '../words/words.ts';
import { type PageEntry, pageGroups, pageNames } from './pages.ts';
import { shellWords } from './words.ts';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

/** The pages that somebody may see, in their groups. On narrow screens it lies over the page while it is open. */
export function Rail({ isOpen, onClose, onSearch }: { readonly isOpen: boolean; onClose(): void; onSearch(): void }) {
  const names = useWords(pageNames);
  const w = useWords(shellWords);
  const mayOpen = useMayOpen();
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [isOpen, onClose]);
  const rail = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = rail.current;
    if (!isOpen || !element) return;
    const before = document.activeElement;
    const uncover = coverRest(element);
    element.querySelector<HTMLElement>('nav')?.focus();
    return () => {
      uncover();
      if (element.contains(document.activeElement)) giveBack(before);
    };
  }, [isOpen]);
  return (
    <div ref={rail} className="contents">
      {isOpen && (
        <button
          type="button"
          aria-label={w.closeMenu}
          className="fixed inset-0 z-30 bg-black/30 md:hidden"
          onClick={onClose}
        />
      )}
      <nav
        aria-label={w.menu}
        tabIndex={-1}
        className={`fixed inset-y-0 left-0 z-40 w-56 shrink-0 flex-col gap-3 overflow-y-auto border-line border-r bg-canvas px-3 py-3 outline-none md:sticky md:top-0 md:z-20 md:flex md:h-dvh ${isOpen ? 'flex' : 'hidden'}`}
      >
        <WorkspaceSwitcher onChosen={onClose} />
        <button
          type="button"
          onClick={onSearch}
          className="flex h-8 w-full shrink-0 items-center gap-2 rounded-[6px] border border-line bg-panel px-2 text-ink3 text-meta hover:border-line2"
        >
          <Search size={14} />
          <span className="flex-1 text-left">{w.searchOrGo}</span>
          <kbd className="font-sans text-micro max-md:hidden">
            {navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}
          </kbd>
        </button>
        {pageGroups.map((group) => {
          const pages = group.pages.filter(mayOpen);
          return (
            pages.length > 0 && (
              <div key={group.name}>
                <h2 className="px-2 pb-1 text-ink3 text-micro">{names[group.name]}</h2>
                <ul>
                  {pages.map(({ name, to, icon: Icon }) => (
                    <li key={name}>
                      <Link
                        to={to}
                        onClick={onClose}
                        activeOptions={{ exact: to === '/', includeSearch: false }}
                        activeProps={{ className: 'bg-sunken font-medium !text-ink', 'aria-current': 'page' }}
                        className="flex h-7 items-center gap-2 rounded-[6px] px-2 text-body text-ink2 hover:bg-sunken hover:text-ink"
                      >
                        <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
                        {names[name]}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            )
          );
        })}
      </nav>
    </div>
  );
}

/** Whether somebody has one of the permissions that a page asks for. */
export function useMayOpen(): (page: PageEntry) => boolean {
  const { has, canInOrganization } = useSession();
  return ({ anyOf, isOfOrganization }) => anyOf.length === 0 || anyOf.some(isOfOrganization ? canInOrganization : has);
}
