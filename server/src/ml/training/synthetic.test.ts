/** Synthetic tasks that can be solved only by reading certain things; and tests of what must not be read. */
import { describe, expect, test } from 'vitest';
import { type Data, day, type Row } from '../../../tests/samples.ts';
import {
  makeMoods,
  makeProjects,
  makeReviews,
  makeSpending,
  projectWindowDays,
  type Synthetic,
} from '../../../tests/synthetic.ts';
import {
  anchorsAt,
  measureSynthetic,
  openSynthetic,
  splitSynthetic,
  valuesOf,
} from '../../../tests/synthetic-measure.ts';
import { wordsOf } from '../events/words.ts';
import { type Feature, type Focus, focusKey } from '../features/feature.ts';
import { type FeatureProposal, proposeFeatures } from '../features/proposals/propose-features.ts';
import { pickExamples } from '../tasks/examples.ts';
import { openWordChoice } from './words.ts';

function proposed(synthetic: Synthetic): readonly Feature[] {
  return propose(synthetic).features;
}

function notesOf(synthetic: Synthetic): readonly string[] {
  return propose(synthetic).notes;
}

function propose(synthetic: Synthetic): FeatureProposal {
  const opened = openSynthetic(synthetic);
  const { learning, examples } = opened;
  const { train } = splitSynthetic(opened);
  return proposeFeatures(learning.graph, learning.task, anchorsAt(opened, train), examples.at[train.at(-1)!]);
}

/** The features of a project at its day that change when the tables are replaced by `data`. */
function moved(synthetic: Synthetic, features: readonly Feature[], asked: number, data: Data): string[] {
  const at = Int32Array.of(asked);
  const before = valuesOf(openSynthetic(synthetic), features, at);
  const after = valuesOf(openSynthetic(synthetic, data), features, at);
  return features.flatMap((feature, f) => (Object.is(before[f][0], after[f][0]) ? [] : [told(feature)]));
}

function told({ focus, read }: Feature): string {
  return `${focusKey(focus)} ${JSON.stringify(read)}`;
}

function withRows(data: Data, table: string, ...rows: readonly Row[]): Data {
  return { ...data, [table]: [...data[table], ...rows] };
}

describe('rows that come with a new row', () => {
  const projects = makeProjects(900, { stages: 1.5 }, 1);

  test('are read: the end of projects is told by their stages alone', async () => {
    expect((await measureSynthetic(projects)).value).toBeGreaterThan(0.75);
  });

  test('are those dated no later than it; later ones move nothing of it', () => {
    const features = proposed(projects);
    const asked = 600;
    const { key: project_id, at } = projects.labels[asked];
    const stage = { stage_id: 100_001, project_id, size: 500, method: 'open' };
    const { data } = projects;
    const late = [
      withRows(data, 'stage', { ...stage, day: at + day }),
      withRows(data, 'stage', { ...stage, day: null }),
      withRows(data, 'notice', { notice_id: 100_001, project_id, given: at, loss: 9 }),
      withRows(data, 'notice', { notice_id: 100_001, project_id, given: at + day, loss: 9 }),
    ];
    for (const changed of late) expect(moved(projects, features, asked, changed)).toEqual([]);
    // The same rows, dated a little earlier.
    expect(moved(projects, features, asked, withRows(data, 'stage', { ...stage, day: at })).length).toBeGreaterThan(5);
    const lead = { project_id, leader_id: 1, share: 0.5 };
    expect(moved(projects, features, asked, withRows(data, 'lead', lead)).length).toBeGreaterThan(2);
    const notice = { notice_id: 100_001, project_id, given: at - day, loss: 9 };
    expect(moved(projects, features, asked, withRows(data, 'notice', notice)).length).toBeGreaterThan(2);
  });

  test('of other projects of that day move nothing', () => {
    const features = proposed(projects);
    const asked = 600;
    const other = projects.labels.findIndex(
      ({ at, key }) => at === projects.labels[asked].at && key !== projects.labels[asked].key,
    );
    expect(other).toBeGreaterThanOrEqual(0);
    const { key: project_id, at } = projects.labels[other];
    const stage = { stage_id: 100_001, project_id, day: at, size: 500, method: 'open' };
    expect(moved(projects, features, asked, withRows(projects.data, 'stage', stage))).toEqual([]);
  });
});

describe('the ends of earlier rows', () => {
  const projects = makeProjects(1200, { leaders: 1.5 }, 1);

  test('are read of whom a new row comes with: the end of projects is told by who leads them', async () => {
    const { value, learned } = await measureSynthetic(projects);
    expect(value).toBeGreaterThan(0.7);
    expect(learned.outputs[0].trials.map(({ recipe }) => recipe).join()).toContain('without earlier labels');
  });

  test('are known when their window has closed, and not before', () => {
    const features = proposed(projects);
    const asked = 900;
    const { key, at } = projects.labels[asked];
    const leaders = leadersOf(projects, key);
    // An earlier project with one of the same leaders, whose outcome is or is not known by then.
    const earlier = (isKnown: boolean) =>
      projects.labels.findLastIndex(
        (label) =>
          label.at < at &&
          label.at + projectWindowDays * day <= at === isKnown &&
          leadersOf(projects, label.key).some((leader) => leaders.includes(leader)),
      );
    const movedBy = (other: number) => {
      expect(other).toBeGreaterThanOrEqual(0);
      const labels = projects.labels.map((label, i) => (i === other ? { ...label, label: 1 - label.label } : label));
      const [before, after] = [projects, { ...projects, labels }].map((each) =>
        valuesOf(openSynthetic(each), features, Int32Array.of(asked)),
      );
      return features.filter((_, f) => !Object.is(before[f][0], after[f][0])).map(told);
    };
    expect(movedBy(earlier(false))).toEqual([]);
    expect(movedBy(earlier(true)).filter((feature) => feature.includes('leader_id')).length).toBeGreaterThan(3);
  });
});

describe('labels without a window', () => {
  const projects = makeProjects(1200, { leaders: 1.5 }, 1);
  const { windowDays: _, ...task } = projects.task;
  const known = projects.labels.map((label) => ({ ...label, known: label.at + projectWindowDays * day }));

  test('are read as soon as their files say that they were known, and not before', async () => {
    const synthetic: Synthetic = { ...projects, task, labels: known };
    const features = proposed(synthetic);
    const asked = 900;
    const { at } = known[asked];
    const flippedWhere = (is: (when: number) => boolean) => ({
      ...synthetic,
      labels: known.map((label) => (is(label.known) ? { ...label, label: 1 - label.label } : label)),
    });
    const movedBy = (changed: Synthetic) => {
      const [before, after] = [synthetic, changed].map((each) =>
        valuesOf(openSynthetic(each), features, Int32Array.of(asked)),
      );
      return features.filter((_, f) => !Object.is(before[f][0], after[f][0])).map(told);
    };
    expect(movedBy(flippedWhere((when) => when > at))).toEqual([]);
    expect(movedBy(flippedWhere((when) => when <= at)).length).toBeGreaterThan(5);
    // .58 where the labels have no known date.
    expect((await measureSynthetic(synthetic)).value).toBeGreaterThan(0.7);
  });

  test('are not read where nothing says since when they are known, and the report says so', () => {
    const synthetic: Synthetic = { ...projects, task };
    const features = proposed(synthetic);
    expect(features.filter(({ read }) => 'events' in read && read.events.table === '@labels')).toEqual([]);
    expect(notesOf(synthetic).join()).toContain('nothing says when labels were known');
  });
});

describe('labels that stopped before what is asked', () => {
  const moods = makeMoods(150, 30, 1);
  const { train, test: asked } = splitSynthetic(openSynthetic(moods));
  const isTrain = new Set(train);
  /** The labels of the evaluated rows are never known. */
  const stopped = {
    ...moods,
    labels: moods.labels.map((each, i) => (isTrain.has(i) ? each : { ...each, known: Number.POSITIVE_INFINITY })),
  };

  test('are read as of the day they stopped', () => {
    const events = { table: '@labels', via: ['entity'] };
    const signal = { kind: 'column', path: [], column: 'label' } as const;
    const features = [90, 3_000].map(
      (days): Feature => ({
        focus: { kind: 'root' },
        read: { kind: 'number', events, signal, span: { days }, aggregate: 'mean' },
      }),
    );
    const last = asked.at(-1)!;
    const known = stopped.labels.filter(({ key }, i) => key === stopped.labels[last].key && isTrain.has(i));
    const mean = (of: readonly { label: number }[]) => of.reduce((sum, { label }) => sum + label, 0) / of.length;
    const values = valuesOf(openSynthetic(stopped), features, Int32Array.of(last)).map(([value]) => value);
    expect(values).toEqual([mean(known.slice(-3)), mean(known)].map(Math.fround));
  });

  test('are not read where they say less than what goes on', async () => {
    const { value, learned } = await measureSynthetic(stopped);
    const meanOf = (recipe: string) => learned.outputs[0].trials.find((trial) => trial.recipe === recipe)!.mean;
    expect(meanOf('blend')).toBeGreaterThan(meanOf('blend, with earlier labels') + 0.01);
    expect(value).toBeGreaterThan(0.66);
  });
});

function leadersOf({ data }: Synthetic, project: number): unknown[] {
  return data.lead.flatMap(({ project_id, leader_id }) => (project_id === project ? [leader_id] : []));
}

describe('numbers with a tail', () => {
  test('many zeros and a few large ones are told better on the logarithm, and come back in their own unit', async () => {
    const spending = makeSpending(300, 'total', 'mae', 1);
    const { value, learned } = await measureSynthetic(spending);
    const [{ recipe, link, trials, range }] = learned.outputs;
    const best = (names: readonly string[]) =>
      Math.min(...trials.flatMap((trial) => (names.includes(trial.recipe) ? [trial.mean] : [])));
    const plain = ['blend', 'few blend', 'linear', 'trees', 'absolute blend', 'absolute trees', 'mixed trees'];
    expect(best(['tweedie trees', 'log absolute trees'])).toBeLessThan(best(plain));
    expect(recipe.name).toMatch(/^(tweedie|log absolute) trees$/);
    expect(link).toBe(recipe.name === 'tweedie trees' ? 'log' : 'log1p');
    expect(range[0]).toBe(0);
    // Predicting the median for all, which is 0, has the mean as its error.
    const labels = spending.labels.slice(-Math.floor(spending.labels.length / 5));
    expect(value).toBeLessThan((0.8 * labels.reduce((sum, { label }) => sum + label, 0)) / labels.length);
  });
});

describe('words of a text', () => {
  const projects = makeProjects(900, { words: 1.5 }, 1);
  const focus: Focus = { kind: 'root' };
  const chosen = (labels: Synthetic['labels']) => {
    const opened = openSynthetic({ ...projects, labels });
    const { train } = splitSynthetic(opened);
    const known = pickExamples(opened.examples, train);
    return openWordChoice(opened.learning.graph, anchorsAt(opened, train), known.labels, true)(focus, 'summary');
  };
  const without = (flipped: (at: number) => boolean) =>
    projects.labels.map((label) => (flipped(label.at) ? { ...label, label: 1 - label.label } : label));
  const begins = projects.labels[projects.labels.length - Math.floor(projects.labels.length / 5)].at;

  test('are read: the end of projects is told by their summaries', async () => {
    expect((await measureSynthetic(projects)).value).toBeGreaterThan(0.7);
  });

  test('that get inputs of their own are the telling ones, chosen by labels of training rows alone', () => {
    const words = chosen(projects.labels);
    expect(words.filter((word) => !word.startsWith('term')).length).toBeGreaterThan(5);
    expect(words.filter((word) => word.startsWith('term')).length).toBeLessThan(3);
    expect(chosen(without((at) => at + projectWindowDays * day > begins))).toEqual(words);
    expect(chosen(without((at) => (at / day) % 2 === 0 && at + projectWindowDays * day <= begins))).not.toEqual(words);
  });

  test('say nothing of labels whose window is open', () => {
    const ways = ['mean', 'sum', 'highest', 'lowest'] as const;
    const features = ways.map(
      (as): Feature => ({ focus, read: { kind: 'words', column: 'summary', via: ['entity'], as } }),
    );
    const asked = 600;
    const { at } = projects.labels[asked];
    const valuesWith = (labels: Synthetic['labels']) =>
      valuesOf(openSynthetic({ ...projects, labels }), features, Int32Array.of(asked)).map(([value]) => value);
    const before = valuesWith(projects.labels);
    expect(valuesWith(without((other) => other + projectWindowDays * day > at))).toEqual(before);
    // The last label that had closed.
    const last = projects.labels.findLast((label) => label.at + projectWindowDays * day <= at)!.at;
    expect(valuesWith(without((other) => other === last))).not.toEqual(before);
  });
});

describe('words of events', () => {
  const reviews = makeReviews(60, 1);

  test('are read: what becomes of a shop is told by what its reviews say', async () => {
    const { value, learned } = await measureSynthetic(reviews);
    // .62 from the shop's earlier labels alone.
    expect(value).toBeGreaterThan(0.7);
    const words = learned.features.flatMap(({ read }) =>
      read.kind === 'number' && read.signal.kind === 'column' ? (read.signal.word ?? []) : [],
    );
    expect(words).toEqual(expect.arrayContaining(['prompt', 'warm', 'rude', 'dirty']));
  });

  test('of later events say nothing, and of earlier ones the share that has each', () => {
    const asked = 400;
    const { key: shop_id, at } = reviews.labels[asked];
    const features = (['all', 'last'] as const).map(
      (kind): Feature => ({
        focus: { kind: 'root' },
        read: {
          kind: 'number',
          events: { table: 'review', via: ['shop_id'] },
          signal: { kind: 'column', path: [], column: 'text', word: 'rude' },
          span: kind === 'all' ? { all: true } : { last: 3 },
          aggregate: 'mean',
        },
      }),
    );
    const hasWord = (data: Data) =>
      data.review
        .filter((review) => review.shop_id === shop_id && Number(review.written) + day <= at)
        .sort((a, b) => Number(a.written) - Number(b.written) || Number(a.review_id) - Number(b.review_id))
        .map(({ text }) => Number(wordsOf(String(text)).includes('rude')));
    const mean = (of: number[]) => of.reduce((a, b) => a + b, 0) / of.length;
    const planted = (written: number) =>
      withRows(reviews.data, 'review', { review_id: 90_001, shop_id, written, text: 'Rude, said one' });
    const valuesWith = (data: Data) =>
      valuesOf(openSynthetic(reviews, data), features, Int32Array.of(asked)).map(([value]) => value);
    for (const data of [reviews.data, planted(at - 2 * day)]) {
      const has = hasWord(data);
      expect(valuesWith(data)).toEqual([Math.fround(mean(has)), Math.fround(mean(has.slice(-3)))]);
    }
    expect(valuesWith(planted(at))).toEqual(valuesWith(reviews.data));
    expect(valuesWith(planted(at - 2 * day))).not.toEqual(valuesWith(reviews.data));
  });
});

describe('numbers written as text', () => {
  test('are read with their units: the end of projects is told by their terms', async () => {
    const projects = makeProjects(700, { term: 1.8 }, 1);
    const { value, learned } = await measureSynthetic(projects);
    expect(value).toBeGreaterThan(0.75);
    expect(learned.features.map(told)).toContain(' {"kind":"measure","column":"term"}');
  });
});
