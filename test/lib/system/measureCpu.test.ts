import { type CpuSample, measureCpu } from '../../../lib/system/serverHealth';

function core(busy: number, idle: number): CpuSample[number] {
  return { model: ' EPYC  ', times: { user: busy, nice: 0, sys: 0, idle, irq: 0 } };
}

function samples(...rows: CpuSample[]): () => CpuSample {
  const left = [...rows];
  return () => left.shift() ?? [];
}

test('processors are as busy as they were between two samples', async () => {
  const sample = samples([core(1000, 0), core(0, 1000)], [core(1030, 70), core(0, 1100)]);
  expect(await measureCpu(sample)).toEqual({ cores: 2, model: 'EPYC', used_percent: 15 });
});

test('a machine that shows no processors has a number of cores all the same', async () => {
  expect(await measureCpu(() => [])).toEqual({ cores: expect.any(Number), model: null, used_percent: null });
});

test('it takes no longer than about a tenth of a second', async () => {
  const begun = performance.now();
  await measureCpu(() => []);
  expect(performance.now() - begun).toBeLessThan(500);
});
