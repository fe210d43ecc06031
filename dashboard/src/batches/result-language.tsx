import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { useVersion } from '../models/use-models.ts';
import { useFormat } from '../words/format.ts';
import { type Language, languages, useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import type { Batch } from './batch.ts';
import { type BatchOfModel, bodyLike, isOfModel } from './body-like.ts';
import { reasonColumns } from './result-columns.ts';
import { resultWords } from './result-words.ts';
import { batchWords } from './words.ts';

/** What a language is called in itself. */
export const nameOfLanguage = (language: string): string =>
  languages.find(({ value }) => value === language)?.label ?? language;

/** What a language is called in the language of a page. */
const sayLanguage = (of: string, language: Language): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(of) ?? of;

/** Says in which language the reasons of a result are, where the page is in another, and offers them in that. */
export function ResultLanguage({ batch }: { readonly batch: Batch }) {
  const w = useWords(resultWords);
  const language = useLanguage();
  const { can } = useSession();
  const { model } = batch;
  const version = useVersion(can('view_models') ? model?.model_id : undefined, model?.version_id);
  const hasReasons = version.data?.outputs.some(({ name }) => reasonColumns.has(name)) ?? model === null;
  if (batch.language === language || !hasReasons) return null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-[6px] bg-sunken px-3 py-2">
      <p className="min-w-0 flex-1 basis-72">{w.reasonsIn(sayLanguage(batch.language, language))}</p>
      {isOfModel(batch) && can('create_batches') && <Again batch={batch} language={language} />}
    </div>
  );
}

/** Runs the same rows once more, as they were asked, with the sentences in another language. */
function Again({ batch, language }: { readonly batch: BatchOfModel; readonly language: Language }) {
  const w = useWords(resultWords);
  const { start } = useWords(batchWords);
  const format = useFormat();
  const client = useClient();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const create = useChange(() => client.batches.create(bodyLike(batch, { language })), {
    changes: [['batches']],
    isQuiet: true,
  });
  const action = w.againIn(nameOfLanguage(language));
  return (
    <>
      <Button size="small" onClick={() => setAsked(true)}>
        {action}
      </Button>
      <Confirm
        title={action}
        body={w.againBody(format.integer(batch.progress.rows.total ?? 0), batch.reference_date !== null)}
        action={start}
        isDanger={false}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          const made = await create.mutateAsync(undefined);
          await navigate({ to: '/batches/$batch_id', params: { batch_id: made.id }, search: {} });
        }}
      />
    </>
  );
}
