import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { List } from '../api/use-data.ts';
import { ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { Detail, Empty } from '../kit/states.tsx';
import { Dot, type Tone } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { sftpWords } from './words.ts';

type SftpFile = Schemas['SftpFile'];

const tones: Readonly<Record<SftpFile['status'], Tone>> = {
  incomplete: 'warn',
  held: 'warn',
  received: 'live',
  accepted: 'good',
  refused: 'bad',
};

export function Files({ list }: { readonly list: List<SftpFile> }) {
  const w = useWords(sftpWords);
  const columns = useFileColumns();
  return (
    <Section title={w.files} description={w.filesNote}>
      <ListTable
        list={list}
        label={w.files}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title={w.noFiles}>{w.noFilesBody}</Empty>}
      />
    </Section>
  );
}

export function useFileColumns(): readonly Column<SftpFile>[] {
  const w = useWords(sftpWords);
  const format = useFormat();
  return useMemo(
    () => [
      {
        key: 'name',
        head: w.name,
        width: 'minmax(120px, 1.2fr)',
        cell: ({ name }) => <bdi className="break-all font-medium">{name}</bdi>,
        text: ({ name }) => name,
      },
      {
        key: 'status',
        head: w.status,
        width: '140px',
        cell: (file) => (
          <Dot tone={isGone(file) ? 'quiet' : tones[file.status]}>
            {w.statuses[isGone(file) ? 'removed' : file.status]}
          </Dot>
        ),
        text: (file) => (isGone(file) ? 'removed' : file.status),
      },
      {
        key: 'outcome',
        head: w.outcome,
        width: 'minmax(160px, 2fr)',
        cell: (file) => <Outcome file={file} />,
        text: ({ batch_id: batch, problems }) => batch ?? problems.join(' '),
      },
      {
        key: 'bytes',
        head: w.size,
        width: '88px',
        isMinor: true,
        cell: ({ bytes }) => format.bytes(bytes),
        text: ({ bytes }) => bytes,
      },
      {
        key: 'created_at',
        head: w.came,
        width: '128px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
    ],
    [w, format],
  );
}

/** Whether a file went before anything came of it. */
function isGone({ status, removed_at: removed }: SftpFile): boolean {
  return removed !== null && (status === 'incomplete' || status === 'held');
}

function Outcome({ file }: { readonly file: SftpFile }) {
  const { status, batch_id: batch, problems, problem_codes: codes } = file;
  const w = useWords(sftpWords);
  if (batch !== null)
    return (
      <Link to="/batches/$batch_id" params={{ batch_id: batch }} className="text-accent hover:underline">
        {w.batch}
      </Link>
    );
  if (isGone(file)) return null;
  if (status === 'incomplete') return w.incompleteBody;
  if (status === 'held') return w.heldBody;
  return (
    <span className="break-words">
      {problems.map((problem, at) => (
        <span key={problem} className="block">
          <Detail because={codes[at] ?? undefined}>{problem}</Detail>
        </span>
      ))}
    </span>
  );
}
