import { sharedRuns } from '../../lib/async/sharedRuns';
import type { World } from './World';

const PATIENCE_MS = 25;

/** What a run was asked by, and returns or fails with. */
interface Run {
  readonly key: string;
  readonly asked: readonly string[];
  readonly since: number;
}

export function shared(world: World): () => void {
  const patienceMs = world.oneOf([PATIENCE_MS, Infinity]);
  const count = 2 + world.upTo(5);
  const running = new Set<Run>();
  const answered = new Set<string>();
  const asked = new Set<string>();
  const isHung = patienceMs < Infinity && world.upTo(4) === 0;
  let hung: Run | null = null;
  let started = 0;
  let ended = 0;

  async function run(names: readonly [string, ...string[]]): Promise<Run> {
    const own = { key: String(names[0][0]), asked: names, since: world.now() };
    started += 1;
    world.note(`run of ${names}`);
    const others = [...running].filter(({ key }) => key === own.key);
    const isAlone = others.every(({ since }) => own.since - since >= patienceMs);
    world.must(isAlone, 'One run of a key at a time, except beside a slow one.');
    for (const name of names) {
      world.must(!answered.has(name), 'A request is in one run.');
      answered.add(name);
    }
    running.add(own);
    if (isHung && !hung) {
      hung = own;
      await world.atLast('answer of the hung run');
      world.must(ended === asked.size - names.length, 'A run that takes long does not block the next one.');
    } else await world.moment('answer');
    running.delete(own);
    if (world.upTo(4) === 0) throw own;
    return own;
  }

  const ask = sharedRuns(run, patienceMs, world);
  world.arrivals(count, (index, goOn) => {
    const key = world.oneOf(['a', 'b']);
    const name = `${key}${index}`;
    world.note(`ask ${name}`);
    const before = started;
    const isIdle =
      [...asked].every((one) => answered.has(one)) && ![...running].some((one) => one.key === key);
    asked.add(name);
    const check = (given: Run) => {
      ended += 1;
      const isOwn = given.key === key && given.asked.includes(name);
      world.must(isOwn, 'An answer or a failure is that of a run which began for the request.');
      goOn();
    };
    ask(key, name).then(check, check);
    if (isIdle) world.must(started > before, 'A request that finds no run under way starts one.');
  });
  return () => {
    world.must(ended === count, 'No request is forgotten.');
    for (const key of ['a', 'b']) {
      const before = started;
      ask(key, `${key} at the end`).catch(() => undefined);
      world.must(started === before + 1, 'Nothing is kept of runs that have ended.');
    }
  };
}
