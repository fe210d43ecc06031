import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceRadial,
  forceSimulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';

export type Place = { readonly x: number; readonly y: number };
type Node = { readonly id: number; readonly hops: number };
type Edge = { readonly from: number; readonly to: number };
type Body = Node & SimulationNodeDatum;

/** Between the rings on which entities lie by how many ties away they are. */
const ringWidth = 120;
/** Steps until forces are balanced: fewer of large networks, whose drawing must not hold the page up. */
const stepsOf = (nodes: number): number => (nodes > 200 ? 120 : 300);

/**
 * Places the entities of a network on a plane: the one asked about in the middle, others the farther out the more ties
 * away. The same network gives the same places: d3-force draws from a stream with a fixed seed, and is run to its end.
 */
export function layOut(nodes: readonly Node[], edges: readonly Edge[]): ReadonlyMap<number, Place> {
  const bodies: Body[] = nodes.map(({ id, hops }) => ({ id, hops, ...(hops === 0 ? { fx: 0, fy: 0 } : {}) }));
  const known = new Set(nodes.map(({ id }) => id));
  const links = edges
    .filter(({ from, to }) => from !== to && known.has(from) && known.has(to))
    .map(({ from, to }): SimulationLinkDatum<Body> => ({ source: from, target: to }));
  const simulation = forceSimulation(bodies)
    .force(
      'link',
      forceLink<Body, SimulationLinkDatum<Body>>(links)
        .id(({ id }) => id)
        .distance(60)
        // Ties between those that are equally far would pull a whole ring to one side.
        .strength(({ source, target }) => (hopsOf(source) === hopsOf(target) ? 0.02 : 0.15)),
    )
    .force('repel', forceManyBody().strength(-140))
    .force('apart', forceCollide(16))
    .force('ring', forceRadial<Body>(({ hops }) => hops * ringWidth).strength(0.7))
    .stop();
  simulation.tick(stepsOf(nodes.length));
  // The simulation writes the places into the bodies.
  return new Map(simulation.nodes().map((body) => [body.id, { x: body.x!, y: body.y! } as Place]));
}

/** Ends of links are bodies once the simulation has them. */
const hopsOf = (end: SimulationLinkDatum<Body>['source']): number | null => (typeof end === 'object' ? end.hops : null);

export type Frame = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The rectangle around all places, with room for names. */
export function frameOf(places: Iterable<Place>, margin = 60): Frame {
  let [left, top, right, bottom] = [-60, -60, 60, 60];
  for (const { x, y } of places) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}
