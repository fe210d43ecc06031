import type { Schemas } from '@lastro/sdk';
import { words } from './words.ts';

/** What work of the service waits for. */
export const waitWords = words(
  {
    before: {
      batches: (count: number) => (count === 1 ? '1 batch is before it' : `${count} batches are before it`),
      ingestions: (count: number) => (count === 1 ? '1 ingestion is before it' : `${count} ingestions are before it`),
      runs: (count: number) => (count === 1 ? '1 run is before it' : `${count} runs are before it`),
    },
    others: {
      batches:
        'It is next. Files of batches of other workspaces are being looked at, and it begins once there is room.',
      ingestions: 'It is next. Ingestions of other workspaces are under way, and it begins once there is room.',
      runs: 'It is next. Training runs of other workspaces are under way, and it begins once there is room.',
    },
    worker: 'It is next, and begins as soon as there is room for it.',
    begins: (when: string) => `it begins ${when}, about`,
    process: 'It waits for a process of the machine: those that it may have are busy with other work.',
  },
  {
    before: {
      batches: (count: number) => (count === 1 ? '1 lote na frente' : `${count} lotes na frente`),
      ingestions: (count: number) => (count === 1 ? '1 ingestão na frente' : `${count} ingestões na frente`),
      runs: (count: number) => (count === 1 ? '1 treinamento na frente' : `${count} treinamentos na frente`),
    },
    others: {
      batches: 'É o próximo. Arquivos de lotes de outros workspaces estão sendo lidos; começa assim que houver lugar.',
      ingestions: 'É a próxima. Ingestões de outros workspaces estão em andamento; começa assim que houver lugar.',
      runs: 'É o próximo. Treinamentos de outros workspaces estão em andamento; começa assim que houver lugar.',
    },
    worker: 'Vem a seguir, e começa assim que houver lugar.',
    begins: (when: string) => `começa ${when}, mais ou menos`,
    process: 'Aguarda um processo da máquina: os que pode usar estão ocupados com outros trabalhos.',
  },
);

/**
 * What work waits for; null when it does not wait. `before`: how much of its kind comes first. `begins`: when it will
 * begin, in words.
 */
export function sayWait(
  w: (typeof waitWords)['en'],
  kind: keyof (typeof waitWords)['en']['before'],
  cause: Schemas['Batch']['waits_for'],
  before: number | null,
  begins: string | null = null,
): string | null {
  switch (cause) {
    case null:
      return null;
    case 'turn':
      return [w.before[kind](before ?? 0), ...(begins === null ? [] : [w.begins(begins)])].join(', ');
    case 'others':
      return w.others[kind];
    default:
      return w[cause];
  }
}
