/** An address for which something is due. */
export type DueLane = {
  readonly webhookId: string;
  readonly workspaceId: string;
  /** Deliveries that are due, counted up to `laneMax`. */
  readonly due: number;
  /** It was paused, and the next delivery shows whether it answers again. */
  readonly isProbe: boolean;
  /** Most requests a second, or null. */
  readonly rateLimit: number | null;
  /** In how many milliseconds the next request may be sent there; 0 or less for now. */
  readonly nextInMs: number;
};

/** What this process is sending. */
export type Held = {
  /** Places for requests that began a moment ago; slower ones have places of their own. */
  readonly room: number;
  inLane(webhookId: string): number;
  inWorkspace(workspaceId: string): number;
  /** Whether a request there has not been answered for a while. */
  isSlow(webhookId: string): boolean;
  /** Orders those that were served: larger is later; 0 for never. */
  servedAt(id: string): number;
};

export type Chosen = { readonly webhookId: string; readonly count: number; readonly lane: DueLane };

/** Requests of one process to one address at the same time. */
export const laneMax = 4;
/** Requests of one process for one workspace at the same time. */
export const workspaceMax = 64;
/** How far ahead requests to an address with a limit are planned. */
export const horizonMs = 250;

/**
 * Says how many deliveries of which addresses to send now. Workspaces take turns, those served longest ago first, and
 * so do the addresses of each: one place a turn, until none is left.
 */
export function choose(lanes: readonly DueLane[], held: Held): Chosen[] {
  const turns = new Map<string, Turn>();
  for (const lane of lanes) {
    const open = openPlaces(lane, held);
    if (open <= 0) continue;
    const { workspaceId } = lane;
    const turn = turns.get(workspaceId) ?? { left: workspaceMax - held.inWorkspace(workspaceId), lanes: [] };
    turns.set(workspaceId, turn);
    turn.lanes.push({ lane, open });
  }
  const order = [...turns].sort(([a], [b]) => held.servedAt(a) - held.servedAt(b)).map(([, turn]) => turn);
  for (const turn of order)
    turn.lanes.sort((a, b) => held.servedAt(a.lane.webhookId) - held.servedAt(b.lane.webhookId));
  return takeTurns(order, held.room);
}

type Turn = { left: number; readonly lanes: { readonly lane: DueLane; open: number }[] };

function takeTurns(order: readonly Turn[], room: number): Chosen[] {
  const chosen = new Map<DueLane, number>();
  for (let waiting = [...order]; waiting.length > 0 && room > 0; ) {
    for (const turn of waiting.splice(0)) {
      const next = turn.lanes.shift();
      if (!next || turn.left <= 0 || room <= 0) continue;
      chosen.set(next.lane, (chosen.get(next.lane) ?? 0) + 1);
      turn.left--;
      room--;
      if (--next.open > 0) turn.lanes.push(next);
      waiting.push(turn);
    }
  }
  return [...chosen].map(([lane, count]) => ({ webhookId: lane.webhookId, count, lane }));
}

function openPlaces({ webhookId, due, isProbe, rateLimit, nextInMs }: DueLane, held: Held): number {
  const underWay = held.inLane(webhookId);
  if (isProbe) return underWay === 0 ? 1 : 0;
  // What does not answer gets no further places, so that it cannot hold those of others.
  if (held.isSlow(webhookId)) return 0;
  const open = Math.min(due, laneMax - underWay);
  if (rateLimit === null) return open;
  const planned = Math.floor(((horizonMs - Math.max(0, nextInMs)) * rateLimit) / 1_000) + 1;
  return nextInMs > horizonMs ? 0 : Math.min(open, planned);
}
