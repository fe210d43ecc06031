import { NotFoundError } from '@lastro/sdk';
import { SearchX } from 'lucide-react';
import { Empty, Failed, Why } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';

/** In the place of an entity: where it or its table is not there, which it is and what there is; else what failed. */
export function NoEntity({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  const { notFound } = useWords(common);
  if (!(error instanceof NotFoundError) || !error.because) return <Failed error={error} onRetry={onRetry} />;
  return (
    <Empty title={notFound} icon={<SearchX size={20} />}>
      <Why code={error.code} because={error.because}>
        {error.detail}
      </Why>
    </Empty>
  );
}
