import { allPages, FILES } from './Page';

const RUN = /^(sh( server| fails)?|text|json|js|ts)$/;
const RUN_BY_OWN_TEST = /^(sql (mariadb|postgres|sqlite)|nginx)$/;

const blocks = allPages().flatMap(({ path, blocks }) =>
  blocks.map((block) => ({ ...block, place: `${path}:${block.line}` })),
);

test('every block is run by the tests, or says why it is not', () => {
  const isRun = (info: string) =>
    RUN.test(info) || RUN_BY_OWN_TEST.test(info) || FILES.test(info.split(' ')[1] ?? '');
  const silent = blocks.filter(({ info, notRun }) => notRun === undefined && !isRun(info));
  expect(silent.map(({ place, info }) => `${place} ${info}`)).toEqual([]);
});

test('a reason not to run a block is a sentence', () => {
  const reasons = blocks.flatMap(({ notRun, place }) => (notRun === undefined ? [] : [{ place, notRun }]));
  expect(reasons.filter(({ notRun }) => notRun.split(' ').length < 3)).toEqual([]);
});
