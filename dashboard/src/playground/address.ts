import { hasCpf } from '../kit/documents.ts';
import type { PlaygroundSearch } from './search.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    readonly inputs?: PlaygroundSearch['inputs'];
  }
}

/** Longer inputs are not written into the address, which some servers and mails cut. */
const lengthMax = 6_000;

/**
 * Where the playground shows a model and inputs. They are part of its address, to be shared, but for those with a CPF
 * in them, which would lie in histories and logs: those are kept by this tab alone, beside the address.
 */
export function playgroundAt({ inputs = {}, ...search }: PlaygroundSearch) {
  const isKept = Object.keys(inputs).length > 0;
  const isShared = isKept && !hasCpf(inputs) && JSON.stringify(inputs).length <= lengthMax;
  return {
    to: '/playground',
    search: isShared ? { ...search, inputs } : search,
    state: isKept && !isShared ? { inputs } : {},
  } as const;
}
