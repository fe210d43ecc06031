import type { Schemas } from '@lastro/sdk';
import { Field, Input } from '../kit/field.tsx';
import type { Format } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { comparedWords } from './compared-words.ts';
import type { Model } from './use-models.ts';

export type Cutoff = NonNullable<Schemas['Shadow']['cutoff']>;

/** What the deciding answer of a kind is: a score, a share of one, or a number; null for classes. */
export type Scale = 'score' | 'share' | 'number';
export const scaleOf = ({ kind }: Pick<Model, 'kind'>): Scale | null =>
  kind === 'credit' ? 'score' : kind === 'regression' ? 'number' : kind === 'multiclass' ? null : 'share';

/** Whether probabilities of the kind are of what is refused. */
const isRisk = ({ kind }: Pick<Model, 'kind'>): boolean => kind === 'fraud' || kind === 'credit';

/** The cutoff that a text means: undefined for none, null where it is none that there may be. Shares are in percent. */
export function readCutoff(scale: Scale, text: string): Cutoff | undefined | null {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  if (scale === 'number') return { value };
  if (scale === 'score') return value >= 0 && value <= 1_000 ? { score: value } : null;
  return value >= 0 && value <= 100 ? { probability: value / 100 } : null;
}

/** The text of a cutoff, as `readCutoff` reads it. */
export function textOfCutoff(cutoff: Cutoff | null): string {
  if (cutoff === null) return '';
  if ('score' in cutoff) return String(cutoff.score);
  return 'value' in cutoff ? String(cutoff.value) : String(Number((100 * cutoff.probability).toPrecision(12)));
}

export function sayCutoff(
  cutoff: Cutoff,
  model: Pick<Model, 'kind'>,
  w: (typeof comparedWords)['en'],
  format: Format,
): string {
  if ('score' in cutoff) return w.fromScore(format.integer(cutoff.score));
  if ('value' in cutoff) return w.from(format.number(cutoff.value));
  const share = format.percent(cutoff.probability);
  return isRisk(model) ? w.upTo(share) : w.from(share);
}

/** Where decisions are made, if that is to be looked at; nothing for classes, which have no cutoff. */
export function CutoffField({
  model,
  text,
  onText,
}: {
  readonly model: Pick<Model, 'kind'>;
  readonly text: string;
  onText(text: string): void;
}) {
  const w = useWords(comparedWords);
  const scale = scaleOf(model);
  if (scale === null) return null;
  const isWrong = readCutoff(scale, text) === null;
  const label = {
    score: w.cutoff.score,
    share: isRisk(model) ? w.cutoff.risk : w.cutoff.probability,
    number: w.cutoff.value,
  };
  const wrong = { score: w.cutoffWrong.score, share: w.cutoffWrong.share, number: w.cutoffWrong.value };
  return (
    <Field label={label[scale]} hint={w.cutoffHint} error={isWrong && wrong[scale]} isOptional>
      <Input
        type="number"
        step="any"
        className="!w-40 tabular-nums"
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
    </Field>
  );
}
