import { CircleAlert, CircleCheck, CircleX, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Head } from '../uploads/head-of-file.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Finding, isLeftOut } from './check-rows.ts';
import { batchWords } from './words.ts';

/** Columns of a sentence, and characters of a value, that are shown. */
const namesShown = 12;
const valueShown = 60;

/** What the first rows of a file say before it has been sent. `head`: undefined while they are read. */
export function FileFindings({
  head,
  findings,
  isKept = false,
  hasResult = true,
}: {
  readonly head: Head | null | undefined;
  readonly findings: readonly Finding[] | null;
  /** Whether the result has the columns that nobody reads. */
  readonly isKept?: boolean;
  /** Whether there will be a result with the rows, which can have a column of theirs as reference. */
  readonly hasResult?: boolean;
}) {
  const w = useWords(batchWords);
  const format = useFormat();
  if (head === undefined) return <Line icon={<Info size={14} />}>{w.checking}</Line>;
  if (head === null) return <Line icon={<Info size={14} />}>{w.noCheck}</Line>;
  if (head.rows.length === 0)
    return (
      <Line icon={<CircleX size={14} className="text-bad" />} isAlert>
        {w.noRows}
      </Line>
    );
  if (findings === null) return null;
  const rows = format.integer(head.rows.length);
  return (
    <ul className="mt-1 flex flex-col gap-0.5">
      {findings.every(({ kind }) => kind === 'unknown') && (
        <li>
          <Line icon={<CircleCheck size={14} className="text-good" />}>
            {head.isWhole ? w.fineAll(rows) : w.fine(rows)}
          </Line>
        </li>
      )}
      {findings.map((finding) => (
        <li key={`${finding.kind} ${'input' in finding ? finding.input.name : ''}`}>
          <FindingLine finding={finding} isKept={isKept} hasResult={hasResult} />
        </li>
      ))}
      {findings.some((finding) => 'row' in finding) && <li className="text-ink3 text-meta">{w.rowsCounted}</li>}
    </ul>
  );
}

function FindingLine({
  finding,
  isKept,
  hasResult,
}: {
  readonly finding: Finding;
  readonly isKept: boolean;
  readonly hasResult: boolean;
}) {
  const w = useWords(batchWords);
  const { more } = useWords(common);
  const format = useFormat();
  const listed = (names: readonly string[]) =>
    names.length > namesShown
      ? `${names.slice(0, namesShown).join(', ')} ${w.takesMore(names.length - namesShown)}`
      : names.join(', ') || more;
  if (finding.kind === 'missing')
    return (
      <Line icon={<CircleX size={14} className="text-bad" />} isAlert>
        {w.missing(listed(finding.columns))}
      </Line>
    );
  if (finding.kind === 'unknown')
    return (
      <Line icon={<Info size={14} className="text-ink3" />}>
        {(isKept ? w.unknownKept : hasResult ? w.unknown : w.unknownPlain)(listed(finding.columns))}
      </Line>
    );
  const { rows, row, value } = finding;
  const [count, first, shown] = [format.integer(rows), format.integer(row), value.slice(0, valueShown)];
  return (
    <Line icon={<CircleAlert size={14} className="text-warn" />} isAlert>
      {finding.kind === 'wide' ? w.wideFault(count, first, shown) : faultText(finding, w, count, first, shown)}
    </Line>
  );
}

function faultText(
  finding: Extract<Finding, { input: unknown }>,
  w: (typeof batchWords)['en'],
  count: string,
  first: string,
  shown: string,
): string {
  const {
    kind,
    input: { name, type, format },
  } = finding;
  const written = format === undefined ? undefined : w.formsAs[format as keyof typeof w.formsAs];
  switch (kind) {
    case 'type':
      return w.typeFault(name, written ?? w.types[type as keyof typeof w.types], count, first, shown);
    case 'range':
      return w.rangeFault(name, count, first, shown);
    case 'digits':
      return w.digitsFault(name, count, first, isLeftOut(finding));
    case 'document':
      return w.documentFault(name, count, first, shown, isLeftOut(finding));
    case 'empty':
      return w.emptyFault(name, count, first);
  }
}

function Line({
  icon,
  isAlert,
  children,
}: {
  readonly icon: ReactNode;
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <p role={isAlert ? 'alert' : 'status'} className="flex gap-1.5 text-ink2 text-meta">
      <span className="mt-px shrink-0" aria-hidden="true">
        {icon}
      </span>
      <span className="min-w-0 break-words">{children}</span>
    </p>
  );
}
