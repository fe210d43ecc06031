// Opens a graph and embeds two thousand of its entities as of one moment, and says what that took.
//   gfm-growth.ts <entities>
import { openEmbedder } from '../../src/ml/gfm/embed.ts';
import { fitEncoder } from '../../src/ml/gfm/fit.ts';
import { openFactGraph } from '../../src/ml/gfm/graph.ts';
import { sampleIndices, seedRandom } from '../../src/ml/trees/random.ts';
import { measure } from '../figures.ts';
import { dayAt, graphDays, graphSizes, makeGraph } from '../gfm-graph.ts';

const embedded = 2_000;

const store = makeGraph(Number(process.argv[2]));
let graph!: ReturnType<typeof openFactGraph>;
const opening = await measure(() => (graph = openFactGraph(store)));
const until = dayAt(graphDays);
const embedder = openEmbedder(graph, fitEncoder(graph, { until, sizes: graphSizes }));
const drawn = Array.from(sampleIndices(graph.entities, embedded, seedRandom(2)));
const seconds = await measure(() => embedder.embedAll(drawn, until));
const { maxRSS } = process.resourceUsage();
const facts = store.facts.subject.length;
console.log(JSON.stringify({ opening, seconds, embedded, peakMb: maxRSS / 1024, facts, entities: graph.entities }));
