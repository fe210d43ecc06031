import { headlineField, headlineValue, outputsOf, type Prediction } from '../predictions/headline.ts';

export type Score = { readonly prediction: Prediction; readonly value: number };

/** Answers in one field of one model, which are numbers of one kind. */
export type ScoreSeries = {
  readonly modelId: string;
  readonly field: string;
  /** By version, in the order of the moments that they speak of. */
  readonly versions: ReadonlyMap<string, Score[]>;
};

/** Sorts answers that are numbers by model and field, and in each by version: only what is alike is in one line. */
export function scoreSeries(predictions: readonly Prediction[]): readonly ScoreSeries[] {
  const found = new Map<string, ScoreSeries & { readonly versions: Map<string, Score[]> }>();
  const byMoment = predictions.toSorted((one, other) => Date.parse(one.as_of) - Date.parse(other.as_of));
  for (const prediction of byMoment) {
    const { model_id: modelId, version_id: versionId } = prediction;
    const outputs = outputsOf(prediction);
    const field = headlineField(outputs);
    const value = headlineValue(outputs);
    if (field === undefined || typeof value !== 'number') continue;
    const key = `${modelId} ${field}`;
    const series = found.get(key) ?? { modelId, field, versions: new Map<string, Score[]>() };
    found.set(key, series);
    const scores = series.versions.get(versionId) ?? [];
    series.versions.set(versionId, scores);
    scores.push({ prediction, value });
  }
  return [...found.values()];
}
