import type { Schemas } from '@lastro/sdk';
import { Fragment } from 'react';
import { useMemberNames } from '../api/use-members.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { originWords } from './origin-words.ts';
import { type Origin as Of, sayOrigin } from './say-origin.ts';

type Creator = Schemas['CreatedBy'] | null;

/** Says who asked for a run: a person by their name, a key by what it was called; null where that was not kept. */
export function useSayCreator(): (creator: Creator) => string | null {
  const w = useWords(originWords);
  const nameOf = useMemberNames();
  return (creator) => {
    if (creator === null) return null;
    if (creator.type === 'user') return creator.id && nameOf(creator.id);
    return creator.type === 'api_key' ? w.key(creator.label ?? '') : creator.label;
  };
}

/** What tells a run or a version from the one before it, as a line that is faint but for what differs. */
export function Origin({ of, before }: { readonly of: Of; readonly before: Of | undefined }) {
  const w = useWords(originWords);
  const format = useFormat();
  return (
    <>
      {sayOrigin(of, before, w, format).map(({ text, differs }, at) => (
        <Fragment key={text}>
          {at > 0 && ' · '}
          {differs ? (
            <mark title={w.differs} className="rounded-[3px] bg-accent-soft px-0.5 font-medium text-ink">
              {text}
            </mark>
          ) : (
            text
          )}
        </Fragment>
      ))}
    </>
  );
}

/** Who asked for it, where that is known. */
export function Creator({ of }: { readonly of: Creator }) {
  const w = useWords(originWords);
  const who = useSayCreator()(of);
  return who && w.by(who);
}
