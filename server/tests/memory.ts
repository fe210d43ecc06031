// Temporary files of a run lie in memory where there is room: a database is nine hundred files, made and deleted for
// most test files, which on a disk took half of all the database's time.
import { existsSync, readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
const freeMin = 4 * 2 ** 30;

/** Before anything else is started, so that all processes of the run have it. */
export default function setup(): void {
  if (existsSync(folder) && mayRunPrograms() && free() >= freeMin) process.env.TMPDIR = folder;
}

/** The database's programs are copied beside its data. Containers often mount the folder without that right. */
function mayRunPrograms(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === folder)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}

function free(): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
