import { runtimeCheck } from '../../../lib/health/runtimeCheck';

const NODE = { node: '20.20.2', v8: '11' };

describe('The check of the runtime', () => {
  test('is about Node, Bun or Deno, whichever runs it', () => {
    const [node, bun, deno] = [NODE, { ...NODE, bun: '1.4.5' }, { ...NODE, deno: '2.9.6' }].map((versions) =>
      runtimeCheck(versions),
    );
    expect([node, bun, deno].map((check) => [check?.id, check?.title])).toEqual([
      ['node', 'Node.js release line is supported'],
      ['bun', 'Bun release line was tested'],
      ['deno', 'Deno release line was tested'],
    ]);
  });

  test('passes on the last day of support of a line of Node', () => {
    expect(runtimeCheck(NODE, new Date('2026-04-30T12:00:00Z')).run()).toEqual({
      status: 'pass',
      detail: 'Node.js 20 is supported until 2026-04-30.',
    });
  });

  test('warns on the day after', () => {
    expect(runtimeCheck(NODE, new Date('2026-05-01T00:00:00Z')).run()).toEqual({
      status: 'warn',
      detail: 'Support for Node.js 20 ended on 2026-04-30.',
    });
  });

  test('warns of an unknown line of Node', () => {
    expect(runtimeCheck({ node: '21.0.0' }, new Date('2026-01-01')).run()).toMatchObject({ status: 'warn' });
  });

  test.each([
    [{ bun: '1.3.12' }, 'warn'],
    [{ bun: '1.4.0' }, 'pass'],
    [{ bun: '1.10.1' }, 'pass'],
    [{ bun: '2.4.0' }, 'warn'],
    [{ deno: '2.8.9' }, 'warn'],
    [{ deno: '2.9.6' }, 'pass'],
    [{ deno: '3.0.0' }, 'warn'],
  ])('of %j, whose Node is supported, is %s', (versions, status) => {
    expect(runtimeCheck({ node: '26.3.0', ...versions }).run()).toMatchObject({ status });
  });

  test('says which line was tested', () => {
    expect(runtimeCheck({ node: '26.3.0', bun: '1.3.12' }).run()).toMatchObject({
      detail:
        'Bun is 1.3. This version of the module was tested with 1.4, and Bun mends its newest release alone.',
    });
  });
});
