import { lastLook } from '../../../../lib/sources/sql/LastLook';

interface Look {
  readonly name: string;
  readonly report: { readonly state: 'served' | 'missing' };
}

/** Looks that end when the test ends them, by a clock that the test sets. */
function heldLooks() {
  const begun: { readonly run: unknown; readonly end: (look: Look) => void; readonly fail: () => void }[] =
    [];
  const requests = jest.fn();
  const checks = jest.fn();
  const looks = lastLook<Look>(
    (run) => new Promise((end, reject) => begun.push({ run, end, fail: () => reject(new Error('lost')) })),
    { requests, checks },
  );
  const find = async (look: Look) => {
    const found = looks.afresh(requests);
    begun.at(-1)?.end(look);
    return found;
  };
  return { looks, begun, find, requests, checks };
}

const served = (name: string): Look => ({ name, report: { state: 'served' } });
const missing: Look = { name: 'missing', report: { state: 'missing' } };

describe('The last look at the columns of a list', () => {
  const clock = jest.spyOn(performance, 'now');

  afterAll(() => clock.mockRestore());

  beforeEach(() => clock.mockReturnValue(100_000));

  test.each([
    ['that is served', served('a'), 60_000],
    ['that is missing', missing, 5000],
  ])('holds for a list %s until its time is over', async (_, look, holdsMs) => {
    const { looks, begun, find } = heldLooks();
    await find(look);
    clock.mockReturnValue(100_000 + holdsMs - 1);
    expect(await looks.known()).toBe(look);
    expect(begun).toHaveLength(1);
  });

  test('is renewed beside requests, once, in the slots of checks', async () => {
    const { looks, begun, find, checks } = heldLooks();
    await find(served('a'));
    clock.mockReturnValue(160_000);
    expect((await Promise.all([looks.known(), looks.known()])).map(({ name }) => name)).toEqual(['a', 'a']);
    expect(begun.slice(1).map(({ run }) => run)).toEqual([checks]);
    begun[1]?.end(served('b'));
    await Promise.resolve();
    expect((await looks.known()).name).toBe('b');
  });

  test('is kept if the next one fails, which is tried again a minute later', async () => {
    const { looks, begun, find } = heldLooks();
    await find(served('a'));
    clock.mockReturnValue(160_000);
    await looks.known();
    begun[1]?.fail();
    await new Promise(setImmediate);
    clock.mockReturnValue(219_999);
    expect((await looks.known()).name).toBe('a');
    expect(begun).toHaveLength(2);
    clock.mockReturnValue(220_000);
    await looks.known();
    expect(begun).toHaveLength(3);
  });

  test('is the one that began last, even if an earlier one ends later', async () => {
    const { looks, begun, find, checks } = heldLooks();
    const earlier = looks.afresh(checks);
    clock.mockReturnValue(100_001);
    await find(served('later'));
    begun[0]?.end(served('earlier'));
    expect((await earlier).name).toBe('earlier');
    expect(looks.found()?.name).toBe('later');
  });

  test('of a missing list is waited for when its time is over', async () => {
    const { looks, begun, find, requests } = heldLooks();
    await find(missing);
    clock.mockReturnValue(105_000);
    const asked = Promise.all([looks.known(), looks.known()]);
    await new Promise(setImmediate);
    expect(begun.slice(1).map(({ run }) => run)).toEqual([requests]);
    const another = looks.known();
    await new Promise(setImmediate);
    begun[1]?.end(served('a'));
    expect([...(await asked), await another].map(({ name }) => name)).toEqual(['a', 'a', 'a']);
    expect(begun).toHaveLength(2);
  });
});
