// The graph model: what it walks in a second, how fast it finds neighbours, and what both cost as graphs grow.

import { fitEncoder } from '../src/ml/gfm/fit.ts';
import { type FactGraph, openFactGraph, otherEnd } from '../src/ml/gfm/graph.ts';
import { openMoment } from '../src/ml/gfm/moment.ts';
import { signatureSeeds } from '../src/ml/gfm/signatures.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { openNeighborhood, scannedColumns } from '../src/ml/vector-search/neighborhood.ts';
import { compareFigures, compareTurns, measure, type Row } from './figures.ts';
import { dayAt, graphDays, graphSizes, makeGraph } from './gfm-graph.ts';
import { runScript } from './processes.ts';

const walkedEntities = 20_000;
const searched = 100_000;
const size = 1_024;
const questions = 20;
const nearest = 10;
const turns = 3;
const grownEntities = [10_000, 100_000, 1_000_000];

/** About three minutes on one core, and four gigabytes. */
export async function benchGfm(): Promise<Row[]> {
  return [await propagation(), ...(await retrieval()), ...(await growth())];
}

/**
 * Raw vectors of everybody against copying memory: as many bytes are moved as the numbers that have to be read along
 * the edges, and what comes of them written.
 */
async function propagation(): Promise<Row> {
  const graph = openFactGraph(makeGraph(walkedEntities));
  const until = dayAt(graphDays);
  const { encoder } = fitEncoder(graph, { until, sizes: graphSizes });
  const seeds = signatureSeeds(graph);
  const openUntil = () => openMoment(graph, encoder, seeds, until);
  const { edges, bytes } = leastWork(graph, openUntil().size);
  const from = new Uint8Array(64 << 20).fill(1);
  const to = new Uint8Array(from.length);
  const [ours, peer]: [number[], number[]] = [[], []];
  for (let turn = 0; turn <= turns; turn++) {
    const walked = await measure(() => {
      const moment = openUntil();
      const raw = new Float64Array(moment.size);
      for (let e = 0; e < graph.entities; e++) moment.encode(e, raw);
    });
    const copied = await measure(() => {
      for (let left = bytes / 2; left > 0; left -= from.length) to.set(from.subarray(0, Math.min(left, from.length)));
    });
    if (turn > 0) ours.push(walked);
    if (turn > 0) peer.push(copied);
  }
  return compareFigures('propagation vs memory copy', edges / Math.min(...ours), edges / Math.min(...peer), {
    unit: 'edges/s',
    better: 'more',
    note: `${graph.entities} entities, ${edges} steps along ${graph.known.length} edges for profiles, what is around and places; ${(bytes / 1e6).toFixed(0)} MB of float64 have to be read and written, of which a copy reads one half and writes the other; ours also reads facts and attributes and makes inputs, decays and signatures of them`,
  });
}

/**
 * How often edges are gone along when everybody is encoded, and the least bytes of vectors that are read and written
 * for it. Once for the profile near, once to make and once to read what is around it, and at each step of places, of
 * which the first reads signatures: they are made of a seed. Places come from those with two edges at least, and from
 * oneself.
 */
function leastWork(graph: FactGraph, rawSize: number): { edges: number; bytes: number } {
  const { profile, farProfile, place } = graphSizes;
  const placeSteps = 4;
  const degreeOf = (entity: number) => graph.offsets[entity + 1] - graph.offsets[entity];
  const passing = graph.direction.reduce(
    (count, direction, edge) => count + Number(degreeOf(otherEnd(graph, edge, direction)) > 1),
    0,
  );
  const followed = graph.known.length;
  const read = followed * (profile + 2 * farProfile) + (placeSteps - 1) * (passing + graph.entities) * place;
  const written = graph.entities * (profile + farProfile + (placeSteps - 1) * place + rawSize);
  return {
    edges: 3 * followed + placeSteps * passing,
    bytes: (read + written) * Float64Array.BYTES_PER_ELEMENT,
  };
}

/** Ten neighbours among vectors whose numbers fall off as of a rotation to principal axes. */
async function retrieval(): Promise<Row[]> {
  const random = seedRandom(3);
  const vectors = new Float32Array(searched * size);
  for (let v = 0; v < searched; v++) {
    let square = 0;
    for (let k = 0; k < size; k++) {
      const value = (random() + random() + random() - 1.5) / (1 + k) ** 0.75;
      vectors[v * size + k] = value;
      square += value * value;
    }
    for (let k = 0; k < size; k++) vectors[v * size + k] /= Math.sqrt(square);
  }
  const vectorAt = (place: number) => vectors.subarray(place * size, (place + 1) * size);
  const neighborhood = openNeighborhood({
    count: searched,
    prefixes(from, to, columns) {
      const prefixes = new Float32Array((to - from) * columns);
      for (let v = from; v < to; v++) prefixes.set(vectorAt(v).subarray(0, columns), (v - from) * columns);
      return prefixes;
    },
    whole(places) {
      const whole = new Float32Array(places.length * size);
      for (const [i, place] of places.entries()) whole.set(vectorAt(place), i * size);
      return whole;
    },
  });
  const prefixes = new Float32Array(searched * scannedColumns);
  for (let v = 0; v < searched; v++) prefixes.set(vectorAt(v).subarray(0, scannedColumns), v * scannedColumns);
  const [found, all, bare]: [number[], number[], number[]] = [[], [], []];
  let kept = 0;
  for (let turn = 0; turn <= turns; turn++) {
    const asked = Array.from({ length: questions }, () => Math.floor(random() * searched));
    let ours: number[][] = [];
    let theirs: number[][] = [];
    const times = [
      await measure(() => {
        ours = asked.map((place) => neighborhood.nearest(vectorAt(place), nearest, place).map((each) => each.place));
      }),
      await measure(() => {
        theirs = asked.map((place) => bestOf(dotProducts(vectors, vectorAt(place), size), place));
      }),
      await measure(() => {
        for (const place of asked) dotProducts(prefixes, vectorAt(place), scannedColumns);
      }),
    ];
    if (turn === 0) continue;
    for (const [i, to] of [found, all, bare].entries()) to.push(times[i] / questions);
    kept += ours.reduce((sum, own, q) => sum + own.filter((place) => theirs[q].includes(place)).length, 0);
  }
  const recall = kept / (turns * questions * nearest);
  return [
    compareTurns('10 of 100k neighbours vs all products', found, all, {
      unit: 'CPU s',
      target: 5,
      note: `recall ${recall.toFixed(3)} of the ten by all ${size} numbers`,
    }),
    compareTurns('10 of 100k neighbours vs products of prefixes alone', found, bare, { unit: 'CPU s' }),
  ];
}

function dotProducts(values: Float32Array, vector: Float32Array, columns: number): Float32Array {
  const products = new Float32Array(values.length / columns);
  for (let v = 0; v < products.length; v++) {
    const from = v * columns;
    let p = 0;
    let q = 0;
    let r = 0;
    let s = 0;
    for (let k = 0; k < columns; k += 4) {
      p += values[from + k] * vector[k];
      q += values[from + k + 1] * vector[k + 1];
      r += values[from + k + 2] * vector[k + 2];
      s += values[from + k + 3] * vector[k + 3];
    }
    products[v] = p + q + (r + s);
  }
  return products;
}

/** The places of the largest products, in one pass. */
function bestOf(products: Float32Array, except: number): number[] {
  const best: number[] = [];
  for (let place = 0; place < products.length; place++) {
    if (place === except || (best.length === nearest && !(products[place] > products[best.at(-1)!]))) continue;
    let at = best.length;
    while (at > 0 && products[best[at - 1]] < products[place]) at--;
    best.splice(at, 0, place);
    if (best.length > nearest) best.pop();
  }
  return best;
}

type Grown = {
  opening: number;
  seconds: number;
  embedded: number;
  peakMb: number;
  everybody: number;
  facts: number;
  entities: number;
};

async function growth(): Promise<Row[]> {
  const measured: Grown[] = [];
  for (const entities of grownEntities)
    measured.push(
      (await runScript(process.execPath, 'children/gfm-growth.ts', [String(entities)])) as unknown as Grown,
    );
  return measured.slice(1).flatMap((size, i) => {
    const before = measured[i];
    const name = `graph of ${size.entities} entities, vs ${before.entities}`;
    const perVector = ({ seconds, embedded }: Grown) => (1000 * seconds) / embedded;
    const perPrefix = ({ everybody, entities }: Grown) => (1000 * everybody) / entities;
    const perMillion = ({ opening, facts }: Grown) => (1e6 * opening) / facts;
    return [
      compareFigures(`${name}: a vector`, perVector(size), perVector(before), {
        unit: 'CPU ms',
        note: `${size.embedded} vectors of one moment; in small graphs their neighbourhoods are the same`,
      }),
      compareFigures(`${name}: a prefix of everybody`, perPrefix(size), perPrefix(before), {
        unit: 'CPU ms',
        note: 'as of the end of a period; where all of the graph fits into what is kept, each step is made once',
      }),
      compareFigures(`${name}: opening`, perMillion(size), perMillion(before), { unit: 'CPU s per 1M facts' }),
      compareFigures(`${name}: peak memory`, size.peakMb, before.peakMb, {
        unit: 'MB',
        note: `${size.facts} facts; the store is made in the same process, and not everybody embedded yet`,
      }),
    ];
  });
}
