// What a process and those that it started use, as the system counts it.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** `memoryMb`: anonymous and shared memory, where the system tells them apart from pages of files. */
export type ProcessUse = { readonly cpuSeconds: number; readonly memoryMb: number };

/** Unit of the times in /proc, the same on all of Linux. */
const ticksPerSecond = 100;
/** Most entries of a folder that are counted at one look. A task that makes more has exceeded any budget. */
const entriesMax = 100_000;
const run = promisify(execFile);

/** Reads what processes use together, on Linux. One that has ended uses nothing. Takes about 40 µs per process. */
export function readProc(pids: readonly number[]): ProcessUse {
  let cpuSeconds = 0;
  let memoryMb = 0;
  for (const pid of pids) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      memoryMb += (kilobytes(status, 'RssAnon') + kilobytes(status, 'RssShmem')) / 1024;
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // Fields 14 to 17 of proc_pid_stat(5), counted after the name in parentheses: of all its threads, in user and
      // kernel mode, and the same of its children that have ended.
      const times = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 15);
      cpuSeconds += times.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
    } catch {
      // It has ended.
    }
  }
  return { cpuSeconds, memoryMb };
}

function kilobytes(status: string, name: string): number {
  const at = status.indexOf(`\n${name}:`);
  return at < 0 ? 0 : Number.parseInt(status.slice(at + name.length + 2), 10);
}

/** A process and all that descend from it, on Linux. */
export function descendants(pid: number): number[] {
  const found = [pid];
  for (const parent of found) {
    try {
      // A child is listed with the thread that started it.
      for (const thread of readdirSync(`/proc/${parent}/task`)) {
        const children = readFileSync(`/proc/${parent}/task/${thread}/children`, 'latin1');
        for (const child of children.split(' ')) if (child.trim() !== '') found.push(Number(child));
      }
    } catch {
      // It has ended.
    }
  }
  return found;
}

/**
 * Reads what the processes of a session use together, by `ps`, where there is no /proc. Its memory has the pages of
 * files too. Zeros when `ps` fails.
 */
export async function readPs(leader: number): Promise<ProcessUse> {
  const { stdout } = await run('ps', ['-o', 'rss=,time=', '-g', String(leader)]).catch(() => ({ stdout: '' }));
  let cpuSeconds = 0;
  let memoryMb = 0;
  for (const line of stdout.split('\n')) {
    const [rss, time] = line.trim().split(/\s+/);
    if (time === undefined) continue;
    memoryMb += Number(rss) / 1024;
    cpuSeconds += secondsOf(time);
  }
  return { cpuSeconds, memoryMb };
}

/** The seconds of a time of `ps`: `1-02:03:04`, `02:03:04` or `3:04.56`. */
export function secondsOf(time: string): number {
  const [rest, days = '0'] = time.split('-').reverse();
  const seconds = rest!.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return 86_400 * Number(days) + seconds;
}

/**
 * The MB that a folder takes on disk, with all below it; links are not followed. An unreadable one counts as empty.
 * Infinity for more entries than a task may ever make.
 */
export async function folderMb(folder: string): Promise<number> {
  let blocks = 0;
  let entries = 0;
  const folders = [folder];
  for (const one of folders) {
    for (const entry of await readdir(one, { withFileTypes: true }).catch(() => [])) {
      entries++;
      if (entries > entriesMax) return Number.POSITIVE_INFINITY;
      const path = join(one, entry.name);
      if (entry.isDirectory()) folders.push(path);
      // A file may be gone by now.
      else blocks += (await lstat(path).catch(() => null))?.blocks ?? 0;
    }
  }
  return (blocks * 512) / 2 ** 20;
}
