import type { Lastro } from '@lastro/sdk';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useClient } from '../api/session.tsx';
import { type Sending, sendFile } from './send-file.ts';

/** A chosen file, and how far it is. */
export type Upload = {
  readonly key: string;
  readonly file: File;
  readonly phase: 'waiting' | 'hashing' | 'sending' | 'stalled' | 'done' | 'failed';
  /** Bytes of the phase. */
  readonly loaded: number;
  /** Of the file at the service, once it is there. */
  readonly id: string | null;
  readonly error: unknown;
};

export type Uploads = {
  readonly files: readonly Upload[];
  readonly isBusy: boolean;
  readonly isDone: boolean;
  /** Of all files together, 0 to 1. */
  readonly share: number;
  add(files: Iterable<File>): readonly Upload[];
  remove(key: string): void;
  /** Goes on with a file that failed. */
  retry(key: string): void;
};

/** Files that are hashed and sent one after the other as soon as they are chosen, while the page stays. */
export function useUploads(): Uploads {
  const client = useClient();
  const [queue] = useState(() => openQueue(client));
  const files = useSyncExternalStore(queue.subscribe, queue.files);
  useEffect(() => () => queue.stop(), [queue]);
  const isBusy = files.some(({ phase }) => phase !== 'done' && phase !== 'failed');
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isBusy]);
  return {
    files,
    isBusy,
    isDone: files.length > 0 && files.every(({ phase }) => phase === 'done'),
    share: shareOf(files),
    add: queue.add,
    remove: queue.remove,
    retry: queue.retry,
  };
}

/** Hashing is a fifth of the way: the disk is faster than the network. */
const hashingShare = 0.2;

function shareOf(files: readonly Upload[]): number {
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  if (total === 0) return 0;
  const done = files.reduce((sum, { phase, loaded, file }) => {
    if (phase === 'done') return sum + file.size;
    if (phase === 'hashing') return sum + hashingShare * loaded;
    return phase === 'sending' || phase === 'stalled'
      ? sum + hashingShare * file.size + (1 - hashingShare) * loaded
      : sum;
  }, 0);
  return done / total;
}

function openQueue(client: Lastro) {
  let files: readonly Upload[] = [];
  let isRunning = false;
  const listeners = new Set<() => void>();
  const sendings = new Map<string, Sending & { stop: AbortController }>();
  const set = (next: readonly Upload[]): void => {
    files = next;
    for (const listener of listeners) listener();
  };
  const change = (key: string, what: Partial<Upload>): void =>
    set(files.map((one) => (one.key === key ? { ...one, ...what } : one)));
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let next = files.find(isWaiting); next; next = files.find(isWaiting)) await send(next.key);
    isRunning = false;
  };
  const send = async (key: string): Promise<void> => {
    const sending = sendings.get(key)!;
    change(key, { phase: 'hashing', loaded: 0, error: null });
    try {
      const id = await sendFile(client, sending, (state) => change(key, state), sending.stop.signal);
      change(key, { phase: 'done', loaded: sending.file.size, id });
    } catch (error) {
      change(key, { phase: 'failed', error });
    }
  };
  return {
    files: () => files,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(chosen: Iterable<File>): readonly Upload[] {
      const added = Array.from(chosen, (file): Upload => {
        const key = crypto.randomUUID();
        sendings.set(key, { file, key, md5: null, stop: new AbortController() });
        return { key, file, phase: 'waiting', loaded: 0, id: null, error: null };
      });
      set([...files, ...added]);
      void run();
      return added;
    },
    remove(key: string): void {
      sendings.get(key)?.stop.abort();
      sendings.delete(key);
      set(files.filter((one) => one.key !== key));
    },
    retry(key: string): void {
      change(key, { phase: 'waiting', error: null });
      void run();
    },
    stop(): void {
      for (const { stop } of sendings.values()) stop.abort();
    },
  };
}

const isWaiting = ({ phase }: Upload): boolean => phase === 'waiting';
