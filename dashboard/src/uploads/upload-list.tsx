import { RotateCcw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../kit/button.tsx';
import { Panel } from '../kit/page.tsx';
import { Refusal } from '../kit/states.tsx';
import { Dot, Progress, type Tone } from '../kit/status.tsx';
import { common } from '../words/common.ts';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { UnreadableFileError } from './md5-of-file.ts';
import type { Upload, Uploads } from './use-uploads.ts';
import { uploadWords } from './words.ts';

/** The chosen files with how far each is. `children`: what else is said or asked of a file. */
export function UploadList({ uploads, children }: { readonly uploads: Uploads; children?(upload: Upload): ReactNode }) {
  const w = useWords(uploadWords);
  return (
    <Panel>
      <ul aria-label={w.files} className="divide-y divide-line">
        {uploads.files.map((upload) => (
          <li key={upload.key} className="px-3 py-2.5">
            <Head
              upload={upload}
              onRemove={() => uploads.remove(upload.key)}
              onRetry={() => uploads.retry(upload.key)}
            />
            {children?.(upload)}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Head({ upload, onRemove, onRetry }: { readonly upload: Upload; onRemove(): void; onRetry(): void }) {
  const w = useWords(uploadWords);
  const c = useWords(common);
  const format = useFormat();
  const { file, phase, loaded, error } = upload;
  const isMoving = phase === 'hashing' || phase === 'sending';
  return (
    <>
      <div className="flex items-center gap-3">
        <bdi className="min-w-0 flex-1 truncate font-medium text-body" title={file.name}>
          {file.name}
        </bdi>
        <span className="hidden text-ink2 text-meta sm:block">
          <Dot tone={tones[phase]}>{saidOf(upload, w, format)}</Dot>
        </span>
        {phase === 'failed' && (
          <Button size="small" icon={<RotateCcw size={12} />} onClick={onRetry} aria-label={w.retryFile(file.name)}>
            {c.retry}
          </Button>
        )}
        <IconButton label={w.removeFile(file.name)} icon={<X size={14} />} onClick={onRemove} />
      </div>
      <p className="text-ink2 text-meta sm:hidden" aria-hidden="true">
        {saidOf(upload, w, format)}
      </p>
      {phase === 'stalled' && (
        <p role="status" className="text-meta text-warn">
          {w.stalled}
        </p>
      )}
      {isMoving && (
        <div className="mt-1.5">
          <Progress label={w.progress(file.name)} share={file.size === 0 ? null : loaded / file.size} />
        </div>
      )}
      {phase === 'failed' && (
        <div className="mt-2">
          <Refusal error={error instanceof UnreadableFileError ? w.unreadable : error} />
        </div>
      )}
    </>
  );
}

const tones: Readonly<Record<Upload['phase'], Tone>> = {
  waiting: 'quiet',
  hashing: 'live',
  sending: 'live',
  stalled: 'warn',
  done: 'good',
  failed: 'bad',
};

function saidOf({ phase, loaded, file }: Upload, w: (typeof uploadWords)['en'], format: Format): string {
  const share = format.percent(file.size === 0 ? 1 : Math.floor((100 * loaded) / file.size) / 100);
  switch (phase) {
    case 'waiting':
      return `${w.waiting}, ${format.bytes(file.size)}`;
    case 'hashing':
      return w.hashing(share);
    case 'sending':
      return w.sending(share, format.bytes(file.size));
    case 'stalled':
      return format.bytes(file.size);
    case 'done':
      return w.done(format.bytes(file.size));
    case 'failed':
      return w.failed;
  }
}
