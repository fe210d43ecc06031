import type { Schemas } from '@lastro/sdk';

export type Batch = Schemas['Batch'];
export type BatchError = Schemas['BatchError'];
export type BatchRowWarning = Schemas['BatchRowWarning'];

export const isOpen = ({ status }: Batch): boolean => status === 'queued' || status === 'running';

/** What the status is called: a batch that somebody has stopped ended as failed for the service. */
export function statusOf({ status, failure, interrupt_requested_at: asked, finished_at: ended }: Batch): string {
  if (failure?.code === 'interrupted') return 'interrupted';
  return asked !== null && ended === null ? 'stopping' : status;
}

export const fileName = (path: string): string => path.split('/').at(-1) ?? path;
