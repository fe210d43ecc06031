import { batchLimits } from './limits/batches.ts';
import { budgetLimits } from './limits/budgets.ts';
import { contractLimits } from './limits/contracts.ts';
import { downloadLimits } from './limits/downloads.ts';
import { fileLimits } from './limits/files.ts';
import type { Limit, LimitSection } from './limits/limit.ts';
import { rateLimits } from './limits/rates.ts';
import { requestLimits } from './limits/requests.ts';
import { sftpLimitSection } from './limits/sftp.ts';
import { workLimits } from './limits/work.ts';
import { table } from './markdown-table.ts';

export const limitSections: readonly LimitSection[] = [
  ...[requestLimits, contractLimits, fileLimits, batchLimits, sftpLimitSection],
  ...[workLimits, budgetLimits, rateLimits, downloadLimits],
];

/** Returns the page of the limits that a caller can meet. Each figure is the constant that the service checks. */
export function limitsPage(): string {
  const sections = limitSections.map(
    ({ title, about, limits }) => `## ${title}

${about === undefined ? '' : `${about}\n\n`}${table(['What', 'Limit', 'Code', 'What to do'], limits.map(cells))}
`,
  );
  return `# Limits

Each figure is the one that the service checks: what is as large passes, and what is larger is refused with the code beside it.
Work that runs later, such as a batch or a training run, ends as failed with its code; [errors](api-errors.md) says what codes of refusals mean.
Where there is no code nothing is refused, and the last column says what happens.

${sections.join('\n')}`;
}

function cells([what, limit, codes, advice]: Limit): readonly string[] {
  return [what, limit, codes.length === 0 ? '—' : codes.map((code) => `\`${code}\``).join(', '), advice];
}
