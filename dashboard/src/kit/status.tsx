import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';

const tones = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  quiet: 'bg-ink3',
  live: 'bg-accent animate-pulse',
} as const;
export type Tone = keyof typeof tones;

const toneOf: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  active: 'good',
  accepted: 'good',
  delivered: 'good',
  enabled: 'good',
  verified: 'good',
  ready: 'good',
  uploaded: 'good',
  paid: 'good',
  running: 'live',
  validating: 'live',
  stopping: 'live',
  // Of what somebody should do something about, or be careful of: what merely waits or has ended is quiet.
  retrying: 'warn',
  proposed: 'warn',
  refused: 'bad',
  failed: 'bad',
  rejected: 'bad',
};

/** A state of the service in words, with a dot of its tone: never by colour alone. */
export function Status({ of, label }: { readonly of: string; readonly label?: string }) {
  const w = useWords(common);
  const said = label ?? (w.statuses as Readonly<Record<string, string>>)[of] ?? of.replaceAll('_', ' ');
  return <Dot tone={toneOf[of] ?? 'quiet'}>{said}</Dot>;
}

export function Dot({ tone, children }: { readonly tone: Tone; readonly children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className={`size-1.5 shrink-0 rounded-full ${tones[tone]}`} aria-hidden="true" />
      {children}
    </span>
  );
}

const tagTones = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  quiet: 'bg-sunken text-ink2',
  live: 'bg-accent-soft text-accent',
} as const;

/** A short word on a ground of its tone. */
export function Tag({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: React.ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1 rounded-[4px] px-1.5 py-px text-meta ${tagTones[tone]}`}>
      {children}
    </span>
  );
}

/** Names of versions: the same shape and colour everywhere. */
export function AliasTag({ alias }: { readonly alias: string }) {
  const mark =
    alias === 'production'
      ? 'rounded-full bg-accent'
      : alias === 'challenger'
        ? 'bg-challenger'
        : 'rounded-full border border-ink3';
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap rounded-[4px] border border-line px-1.5 font-mono text-meta">
      <span className={`size-2 ${mark}`} aria-hidden="true" />
      {alias}
    </span>
  );
}

/** How far something is: `share` of 0 to 1, or null while that is not known. */
export function Progress({ share, label }: { readonly share: number | null; readonly label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(100 * share)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`h-full rounded-full bg-accent transition-[width] ${share === null ? 'w-1/3 animate-pulse' : ''}`}
        style={share === null ? undefined : { width: `${100 * share}%` }}
      />
    </div>
  );
}
