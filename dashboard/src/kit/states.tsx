import {
  ConnectionError,
  LastroError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  TimeoutError,
} from '@lastro/sdk';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Lock, SearchX } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { type Permission, useSession } from '../api/session.tsx';
import { importPart } from '../shell/new-build.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useLanguage } from '../words/language.ts';
import type { Because } from '../words/mistakes.ts';
import { meaningOf, refusalWords } from '../words/refusals.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { ServiceText } from './service-text.tsx';

/** Grey bars in the shape of what comes, shown once loading takes longer than a glance. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  const w = useWords(common);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={w.loading} className="flex flex-col gap-3 py-3" aria-busy="true">
      {isShown &&
        Array.from({ length: rows }, (_, row) => (
          <div
            key={row}
            className="h-5 animate-pulse rounded bg-sunken"
            style={{ width: `${92 - ((row * 17) % 40)}%` }}
          />
        ))}
    </div>
  );
}

/** What a page shows where it has nothing: what would be here, and how it comes. */
export function Empty({
  title,
  icon,
  children,
  action,
}: {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <section className="mx-auto flex max-w-xl flex-col items-center gap-3 px-6 py-14 text-center">
      {icon && <div className="text-ink3">{icon}</div>}
      <h2 className="font-semibold text-section">{title}</h2>
      {children && <div className="w-full text-body text-ink2">{children}</div>}
      {action && <div className="mt-1 flex flex-wrap justify-center gap-2">{action}</div>}
    </section>
  );
}

/** Nothing is left after filtering. */
export function NothingFound({ onClear }: { onClear?(): void }) {
  const w = useWords(common);
  return (
    <Empty
      title={w.nothingFound}
      icon={<SearchX size={20} />}
      action={onClear && <Button onClick={onClear}>{w.clearFilters}</Button>}
    />
  );
}

/** An error in the place of a page or part, with the request's id and a way on. */
export function Failed({ error, onRetry }: { readonly error: unknown; onRetry?(): void }) {
  const w = useWords(common);
  if (error instanceof NotFoundError)
    return (
      <Empty title={w.notFound} icon={<SearchX size={20} />}>
        {w.notFoundBody}
      </Empty>
    );
  if (error instanceof PermissionError)
    return (
      <Empty title={w.noPermission} icon={<Lock size={20} />}>
        <Why code={error.code} because={error.because}>
          {error.detail}
        </Why>
      </Empty>
    );
  return (
    <div className="mx-auto max-w-xl px-6 py-10">
      <Refusal error={error} />
      {onRetry && (
        <Button className="mt-3" onClick={onRetry}>
          {w.retry}
        </Button>
      )}
    </div>
  );
}

/**
 * Why something was refused, in a box beside what was asked: each place with its reason. `code`: of a failure that is
 * told by a resource, whose sentence is the `error`.
 */
export function Refusal({
  error,
  code = null,
  because,
}: {
  readonly error: unknown;
  readonly code?: string | null;
  readonly because?: Because;
}) {
  const w = useWords(common);
  const format = useFormat();
  const isOffline = error instanceof ConnectionError || error instanceof TimeoutError;
  const message = isOffline ? w.offline : error instanceof LastroError ? error.detail || error.message : String(error);
  const refusals = useWords(refusalWords);
  const told = error instanceof LastroError ? error.errors : [];
  // In another language the places say all of it, where each has its code, and the message says them in English.
  const isSaidByPlaces =
    useLanguage() !== 'en' &&
    told.length > 0 &&
    told.every(({ because }) => because) &&
    !(error as LastroError).because &&
    meaningOf(refusals, (error as LastroError).code) !== undefined;
  // What the message says already is not said again.
  const places = isSaidByPlaces ? told : told.filter(({ detail }) => !message.includes(detail));
  return (
    <div role="alert" className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2 text-body text-ink">
      <div className="flex gap-2">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" />
        <div className="min-w-0 break-words">
          {isSaidByPlaces ? (
            <p>{meaningOf(refusals, (error as LastroError).code)}</p>
          ) : isOffline || !(error instanceof LastroError || code) ? (
            <p>{message}</p>
          ) : (
            <Why
              code={error instanceof LastroError ? error.code : code}
              because={error instanceof LastroError ? error.because : because}
            >
              {message}
            </Why>
          )}
          {error instanceof RateLimitError && error.retryAfter !== null && (
            <p className="mt-1">{w.againIn(format.duration(error.retryAfter * 1000))}</p>
          )}
          {places.length > 0 && (
            <ul className="mt-1 list-disc pl-4">
              {places.slice(0, 20).map(({ pointer, detail, because }) => (
                <li key={`${pointer} ${detail}`}>
                  {pointer && <code className="mr-1 font-mono text-meta">{pointer}</code>}
                  <Detail because={because}>{detail}</Detail>
                </li>
              ))}
            </ul>
          )}
          {error instanceof LastroError && error.requestId && (
            <p className="mt-1 text-ink2 text-meta">
              {w.requestId} <Copy text={error.requestId} />
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

/** The roles that have a permission, by the service's own matrix. */
export function useRolesWith(permission: Permission | undefined): string {
  const w = useWords(common);
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['roles'],
    queryFn: () => accountClient().roles.list(),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: permission !== undefined,
  });
  const able = data?.data.filter(({ permissions }) => permissions.some((one) => one === permission)) ?? [];
  return format.list(able.map(({ role }) => w.roles[role]));
}

export function NoPermission({ permission }: { readonly permission: Permission }) {
  const w = useWords(common);
  return (
    <Empty title={w.noPermission} icon={<Lock size={20} />}>
      {w.noPermissionBody(useRolesWith(permission))}
    </Empty>
  );
}

/** Where the address names a workspace that somebody is in no more, or never was. */
export function NoWorkspace() {
  const w = useWords(common);
  return (
    <Empty title={w.noWorkspace} icon={<SearchX size={20} />}>
      {w.noWorkspaceBody}
    </Empty>
  );
}

/** In the place of a page that only acts, in a workspace where nothing can be done. */
export function InArchive() {
  const w = useWords(common);
  return (
    <Empty title={w.statuses.archived} icon={<Lock size={20} />}>
      {w.archived}
    </Empty>
  );
}

/** Why something cannot be done here: the workspace is archived, or the person's roles lack the permission. */
export function useBlock(permission: Permission): string | null {
  const w = useWords(common);
  const { has, can } = useSession();
  const able = useRolesWith(has(permission) ? undefined : permission);
  if (can(permission)) return null;
  return has(permission) ? w.archived : w.noPermissionAction(able);
}

/** Why something failed: in words of the page where these say all of it, else what its code means before the service's. */
export function Why({
  code,
  because,
  children: detail,
}: {
  readonly code: string | null;
  readonly because: Because | undefined;
  readonly children: string;
}) {
  const refusals = useWords(refusalWords);
  const able = useRolesAmong(because);
  const { noPermissionBody } = useWords(common);
  const said = useMistake(detail, because);
  if (able !== null) return <p>{noPermissionBody(able)}</p>;
  if (said !== null) return <p className="break-words">{said}</p>;
  return <ServiceText said={meaningOf(refusals, code)}>{detail}</ServiceText>;
}

/** What is wrong with a question, in Portuguese; null where it is said in English. */
function useMistake(detail: string, because: Because | undefined): string | null {
  const words = useMistakeWords(because !== undefined);
  return because && words ? words.sayMistake(detail, because) : null;
}

/** Says in Portuguese what is wrong. It is fetched when something is: it is much, and mostly nothing is. */
export function useMistakeWords(isAsked: boolean): typeof import('../words/mistakes.ts') | undefined {
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ['words', 'mistakes'],
    queryFn: () => importPart(() => import('../words/mistakes.ts')),
    enabled: isAsked && language !== 'en',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** The roles that a refusal says are needed, by their names; null of another. */
function useRolesAmong(because: Because | undefined): string | null {
  const format = useFormat();
  const names: Readonly<Record<string, string>> = useWords(common).roles;
  if (because?.code !== 'roles_needed') return null;
  return format.list((because.roles as readonly string[]).map((role) => names[role] ?? role));
}

/** What is wrong at one place. */
export function Detail({
  because,
  children: detail,
}: {
  readonly because: Because | undefined;
  readonly children: string;
}) {
  const said = useMistake(detail, because);
  return <span lang={said === null ? 'en' : undefined}>{said ?? detail}</span>;
}
