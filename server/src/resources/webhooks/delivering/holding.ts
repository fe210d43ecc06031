import type { Held } from './choose.ts';

type Holding = { readonly webhookId: string; readonly workspaceId: string; startedAt: number };

/** Requests of one process that began a moment ago, and all of them together. */
const freshMax = 64;
const holdingMax = 512;
/** From then on a request counts as slow: its place is given to others, and its address gets no further one. */
const slowMs = 1_000;
/** How many addresses and workspaces are remembered as served. */
const servedMost = 20_000;

/** What one process is sending, and whom it served when. */
export class Deliveries implements Held {
  private readonly under = new Map<string, Holding>();
  private readonly served = new Map<string, number>();
  private turn = 0;

  get size(): number {
    return this.under.size;
  }

  get room(): number {
    const slowSince = performance.now() - slowMs;
    let fresh = 0;
    for (const { startedAt } of this.under.values()) if (startedAt > slowSince) fresh++;
    return Math.min(freshMax - fresh, holdingMax - this.under.size);
  }

  /** Notes that a delivery is taken. */
  take(id: string, webhookId: string, workspaceId: string): void {
    this.under.set(id, { webhookId, workspaceId, startedAt: performance.now() });
    this.turn++;
    for (const one of [webhookId, workspaceId]) {
      this.served.delete(one);
      this.served.set(one, this.turn);
    }
    while (this.served.size > servedMost) this.served.delete(this.served.keys().next().value!);
  }

  /** Notes when a delivery is sent: until then it is not slow. */
  start(id: string, atMs: number): void {
    this.under.get(id)!.startedAt = atMs;
  }

  release(id: string): void {
    this.under.delete(id);
  }

  inLane(webhookId: string): number {
    return this.count((one) => one.webhookId === webhookId);
  }

  inWorkspace(workspaceId: string): number {
    return this.count((one) => one.workspaceId === workspaceId);
  }

  isSlow(webhookId: string): boolean {
    const slowSince = performance.now() - slowMs;
    return this.count((one) => one.webhookId === webhookId && one.startedAt < slowSince) > 0;
  }

  servedAt(id: string): number {
    return this.served.get(id) ?? 0;
  }

  private count(is: (one: Holding) => boolean): number {
    let count = 0;
    for (const one of this.under.values()) if (is(one)) count++;
    return count;
  }
}
