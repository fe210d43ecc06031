/** What in a tree of source breaks the law of imports; test support. */
import { posix } from 'node:path';
import { circlesOf, cyclesIn } from './circles.ts';
import { doors, floors, forTests, rooms, support, wiring } from './places.ts';
import { importsIn, isBarrel, type Tree, withoutComments } from './source.ts';
import { twoWriters } from './writers.ts';

/** Of a line of comment; the formatter breaks lines of code. */
const columnsMax = 120;

/** Of another resource, these stay its own business. */
const privateToResource = /\/(sql|jobs|routes)\.ts$/;
/** What a statement begins with; of a resource, they all stand in its sql.ts. */
const statement = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`]*>)?`/;
/** A field called `tenant:` is the data contract standard's. */
const servicePlace = /\b(postgres(ql)?|pg-boss|kysely|tenants?(?!:)|workspaces?)\b/i;

/** Every breach of the law in a tree, as `file: what is wrong`, in order of file. */
export function breaches(tree: Tree): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const say = (message: string) => found.push(`${file}: ${message}`);
    const isTest = forTests.test(file);
    const code = withoutComments(source);
    const targets: string[] = [];
    for (const specifier of importsIn(code)) {
      if (!specifier.startsWith('.')) {
        if (!isTest) checkPackage(file, specifier, say);
        continue;
      }
      const target = posix.join(posix.dirname(file), specifier);
      if (!Object.hasOwn(tree, target)) {
        if (target.startsWith('..')) {
          if (!isTest) say(`imports ${specifier}, which lies outside of src`);
        } else if (!/\.(wasm|json|sql)$/.test(target)) say(`imports ${specifier}, which is no file`);
        continue;
      }
      targets.push(target);
      if (!isTest && forTests.test(target)) say(`imports ${target}, which is for tests`);
      if (!isTest) checkRoom(file, target, say);
    }
    graph.set(file, targets);
    if (isTest) continue;
    if (file.startsWith('ml/') && floorOf(file) < 0) say('lies on no floor of ml: name its folder in the list');
    if (support.test(file)) say('is for tests, and lies in src');
    if (roomOf(file) === undefined && !wiring.includes(file))
      say(
        file.includes('/') ? 'lies in a folder the law does not know' : 'lies at the root, where only the wiring does',
      );
    if (file !== 'config.ts' && /\bprocess\s*(\?\.|\.)\s*env\b|\benv\b[^;]*\bfrom 'node:process'/.test(code))
      say('reads the environment; only config.ts does');
    if (statement.test(code) && file.startsWith('resources/') && !file.endsWith('/sql.ts'))
      say('has a statement: sql.ts is for those');
    if (source.split('\n').some((line) => line.length > columnsMax && /^\s*(\/?\*|\/\/)/.test(line)))
      say(`has a comment of more than ${columnsMax} columns`);
    if (isBarrel(code)) say('re-exports: import from the file that has it');
    for (const [task, handler] of tasksRun(code)) if (task !== handler) say(`runs ${handler} by the name ${task}`);
    const named = file.startsWith('ml/') ? servicePlace.exec(source) : null;
    if (named) say(`names ${named[0]}: learning knows no service`);
  }
  const product = new Map([...graph].filter(([file]) => !forTests.test(file)));
  return [...found, ...cyclesIn(graph), ...circlesOf(product), ...twoWriters(tree)];
}

function checkPackage(file: string, specifier: string, say: (message: string) => void): void {
  if (specifier.startsWith('node:')) return;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const door = Object.hasOwn(doors, name) ? doors[name] : undefined;
  if (door === undefined) say(`imports ${name}, which has no door`);
  else if (!door.some((place) => file.startsWith(place))) say(`imports ${name}, whose door is ${door.join(' or ')}`);
}

function checkRoom(file: string, target: string, say: (message: string) => void): void {
  const room = roomOf(file);
  if (room === undefined) return;
  if (!rooms[room].some((place) => target.startsWith(place))) say(`imports ${target}, which ${room} may not`);
  if (room === 'ml/') checkFloor(file, target, say);
  const noun = (path: string) => path.split('/')[1];
  if (room === 'resources/' && target.startsWith(room) && noun(file) !== noun(target) && privateToResource.test(target))
    say(`imports ${target}, which is private to ${noun(target)}`);
}

function checkFloor(file: string, target: string, say: (message: string) => void): void {
  if (target.startsWith('ml/') && floorOf(target) > floorOf(file)) say(`imports ${target}, which lies above it`);
}

function floorOf(file: string): number {
  return floors.indexOf(file.split('/')[1]);
}

function roomOf(file: string): string | undefined {
  return Object.keys(rooms).find((room) => file.startsWith(room));
}

/** Tasks that are run in child processes: by which name, and by the type of which handler. */
function tasksRun(code: string): [task: string, handler: string][] {
  const runs = /\.run<typeof (\w+)>\(\s*\{\s*name:\s*'(\w+)'/g;
  return [...code.matchAll(runs)].map((match) => [match[2], match[1]]);
}
