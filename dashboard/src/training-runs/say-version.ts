import type { Schemas } from '@lastro/sdk';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { originWords } from './origin-words.ts';
import { type Origin, sayOrigin } from './say-origin.ts';

/** Names versions to choose from: by their numbers and aliases, when each was made, and of which data. */
export function useSayVersion(): (
  version: Pick<Schemas['ModelVersionSummary'], 'number' | 'aliases'> & Origin,
  name?: string,
) => string {
  const w = useWords(originWords);
  const format = useFormat();
  return (version, name = [`v${version.number}`, ...version.aliases].join(' · ')) => {
    const [data] = sayOrigin(version, undefined, w, format);
    return `${name} (${format.dateTime(version.created_at)}, ${data.text})`;
  };
}
