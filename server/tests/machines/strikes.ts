/** What goes wrong with machines at random, one after the other; test support. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { kill } from '../program.ts';
import type { draws } from '../samples.ts';
import type { Machine, Machines } from './machines.ts';

/** Of one machine; the last two of what all depend on. */
export const mishaps = [
  ...(['kill', 'kill computing', 'freeze', 'freeze computing'] as const),
  ...(['database reset', 'database silent', 'storage reset', 'storage silent'] as const),
  ...(['database killed', 'storage away'] as const),
];
export type Mishap = (typeof mishaps)[number];
export type Draw = ReturnType<typeof draws>;

/** So many are in trouble at once, so that work goes on. */
const togetherMax = 2;
/** Longer than work stays with a process that is not heard of any more. */
const outageMaxMs = 25_000;
const outageMinMs = 500;
/** The first freeze of each role is of minutes, as of a machine that is moved or swaps. */
const longFreezeMinMs = 90_000;
const longFreezeMaxMs = 150_000;
const betweenMs = 4_000;

/** Strikes `count` times, each role and each kind of mishap in turn; resolves once all is whole again. */
export async function strike({ all, killDatabase, cutStorage }: Machines, draw: Draw, count: number): Promise<void> {
  const struck: Record<string, number> = {};
  const inTrouble = new Map<Machine | 'storage', Promise<void>>();
  const longFrozen = new Set<Machine['role']>();
  const planned: Mishap[] = [];
  while (planned.length < count) planned.push(...draw.shuffle([...mishaps]));
  for (const mishap of planned.slice(0, count)) {
    await sleep(draw.next() * betweenMs);
    while (inTrouble.size >= togetherMax) await Promise.race(inTrouble.values());
    const outageMs = outageMinMs + draw.next() ** 2 * outageMaxMs;
    const count = (name: string) => {
      struck[name] = (struck[name] ?? 0) + 1;
    };
    if (mishap === 'database killed') {
      killDatabase();
      count(mishap);
      continue;
    }
    if (mishap === 'storage away') {
      await inTrouble.get('storage');
      follow(inTrouble, 'storage', cutStorage(Math.min(outageMs, 5_000)));
      count(mishap);
      continue;
    }
    // Each role as often as the others, however many machines it has.
    const role = draw.pick(['api', 'worker', 'sftp'] as const);
    const ofRole = all.filter((one) => one.role === role);
    const well = ofRole.filter((one) => !inTrouble.has(one));
    const machine = draw.pick(well.length > 0 ? well : ofRole);
    await inTrouble.get(machine);
    const isLong = mishap === 'freeze' && !longFrozen.has(role);
    if (isLong) longFrozen.add(role);
    const ms = isLong ? longFreezeMinMs + draw.next() * (longFreezeMaxMs - longFreezeMinMs) : outageMs;
    follow(inTrouble, machine, befall(machine, mishap, ms));
    count(`${mishap}${isLong ? ' for minutes' : ''}: ${role}`);
  }
  await Promise.all(inTrouble.values());
  console.log('struck', struck);
  expect(Object.values(struck).reduce((sum, one) => sum + one)).toBe(count);
}

function follow<K>(inTrouble: Map<K, Promise<void>>, who: K, trouble: Promise<void>): void {
  inTrouble.set(
    who,
    trouble.finally(() => inTrouble.delete(who)),
  );
}

async function befall(
  machine: Machine,
  mishap: Exclude<Mishap, 'database killed' | 'storage away'>,
  outageMs: number,
): Promise<void> {
  const { wires } = machine;
  const { all, serving, computing } = machine.processes();
  const [what, how] = mishap.split(' ') as [string, string | undefined];
  if (what === 'kill') {
    // Where nobody computes, it is the process that serves.
    const isComputing = how === 'computing' && computing.length > 0;
    for (const pid of isComputing ? computing : [serving]) kill(pid, 'SIGKILL');
    if (isComputing) return;
    await machine.program.ended;
    await sleep(outageMs / 4);
    await machine.start();
    return;
  }
  if (what === 'freeze') {
    const frozen = how === 'computing' && computing.length > 0 ? computing : all;
    for (const pid of frozen) kill(pid, 'SIGSTOP');
    await sleep(outageMs);
    for (const pid of frozen) kill(pid, 'SIGCONT');
    return;
  }
  const wire = what === 'database' ? wires.database : wires.storage;
  wire.cut(how === 'reset' ? 'reset' : 'silence');
  await sleep(outageMs);
  wire.mend();
}
