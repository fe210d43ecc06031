import type { Format } from '../words/format.ts';
import type { runWords } from './words.ts';

/** The steps of a run in their order, and how its phases begin that belong to each. */
const stages = [
  { stage: 'wait', begins: ['starting', 'waiting'] },
  { stage: 'open', begins: ['opening'] },
  { stage: 'encoder', begins: ['encoder'] },
  { stage: 'propose', begins: ['proposing'] },
  { stage: 'select', begins: ['selecting'] },
  { stage: 'leakage', begins: ['looking'] },
  { stage: 'compute', begins: ['computing'] },
  { stage: 'learn', begins: ['choosing', 'training', 'learning'] },
] as const;
export type Stage = (typeof stages)[number]['stage'] | 'keep';

export const stageNames: readonly Stage[] = [...stages.map(({ stage }) => stage), 'keep'];

/** The step that a phase of the service belongs to. */
export function stageOf(phase: string): Stage {
  if (/^\d+ proposed features$/.test(phase)) return 'propose';
  return stages.find(({ begins }) => begins.some((begin) => phase.startsWith(begin)))?.stage ?? 'learn';
}

/** A phase by what it says beyond its step, or by its step. */
export function sayPhase(phase: string, w: (typeof runWords)['en'], format: Format): string {
  return detailOf(phase, w, format) ?? w.stages[stageOf(phase)];
}

/** What a phase says beyond its step: of which output, over how many. Null where it says no more. */
export function detailOf(phase: string, w: (typeof runWords)['en'], format: Format): string | null {
  // Of an encoder it says which one, a name of the service's own.
  const part = phase.replace(/^encoder[^:]*: /, '');
  const proposed = /^(\d+) proposed features$/.exec(part)?.[1];
  if (proposed) return w.proposed(format.integer(Number(proposed)));
  const forms: readonly (readonly [RegExp, (output: string) => string])[] = [
    [/^selecting features by (.+)$/, w.selecting],
    [/^choosing a model for (.+)$/, w.choosing],
    [/^choosing rows for (.+)$/, w.rows],
    [/^training (.+)$/, w.training],
  ];
  for (const [form, say] of forms) {
    const output = form.exec(phase)?.[1];
    if (output) return say(output);
  }
  const parts: Readonly<Record<string, string>> = w.parts;
  if (parts[part] !== undefined) return parts[part];
  if (part === phase && stageOf(phase) !== 'learn') return null;
  return stageOf(part) === 'learn' ? phase : w.stages[stageOf(part)];
}
