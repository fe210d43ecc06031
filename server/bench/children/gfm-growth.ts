// Opens a graph, embeds two thousand of its entities as of one moment, then prefixes of everybody, and says what that
// took. gfm-growth.ts <entities>
import { openEmbedder } from '../../src/ml/gfm/embed.ts';
import { fitEncoder } from '../../src/ml/gfm/fit.ts';
import { openFactGraph } from '../../src/ml/gfm/graph.ts';
import { bytesKeptForEverybody } from '../../src/ml/gfm/moment.ts';
import { sampleIndices, seedRandom } from '../../src/ml/statistics/random.ts';
import { scannedColumns } from '../../src/ml/vector-search/neighborhood.ts';
import { measure } from '../figures.ts';
import { dayAt, graphDays, graphSizes, makeGraph } from '../gfm-graph.ts';

const embedded = 2_000;

const store = makeGraph(Number(process.argv[2]));
let graph!: ReturnType<typeof openFactGraph>;
const opening = await measure(() => (graph = openFactGraph(store)));
const until = dayAt(graphDays);
const fitted = fitEncoder(graph, { until, sizes: graphSizes });
const embedder = openEmbedder(graph, fitted);
const drawn = Array.from(sampleIndices(graph.entities, embedded, seedRandom(2)));
const seconds = await measure(() => embedder.embedAll(drawn, until));
const { maxRSS } = process.resourceUsage();
const facts = store.facts.subject.length;
const known = Int32Array.from({ length: graph.entities }, (_, e) => e);
const everybody = await measure(() => {
  const all = openEmbedder(graph, fitted, { momentsMax: 1, bytesKept: bytesKeptForEverybody });
  for (let from = 0; from < known.length; from += 1_024)
    all.embedPrefixes(known.subarray(from, from + 1_024), until, scannedColumns);
});
console.log(
  JSON.stringify({ opening, seconds, embedded, peakMb: maxRSS / 1024, everybody, facts, entities: graph.entities }),
);
