import { LastInspection } from '../../../../lib/sources/sql/LastInspection';

interface Found {
  readonly name: string;
  readonly report: { readonly state: 'served' | 'missing' };
}

/** Inspections that end when the test ends them, by a clock that the test sets. */
function openInspections() {
  const begun: { readonly run: unknown; readonly end: (found: Found) => void; readonly fail: () => void }[] =
    [];
  const requests = jest.fn();
  const checks = jest.fn();
  const last = new LastInspection<Found>(
    (run) => new Promise((end, reject) => begun.push({ run, end, fail: () => reject(new Error('lost')) })),
    requests,
    checks,
  );
  const find = async (found: Found) => {
    const inspected = last.afresh(requests);
    begun.at(-1)?.end(found);
    return inspected;
  };
  return { last, begun, find, requests, checks };
}

const served = (name: string): Found => ({ name, report: { state: 'served' } });
const missing: Found = { name: 'missing', report: { state: 'missing' } };

describe('The last inspection of the columns of a list', () => {
  const clock = jest.spyOn(performance, 'now');

  afterAll(() => clock.mockRestore());

  beforeEach(() => clock.mockReturnValue(100_000));

  test.each([
    ['that is served', served('a'), 60_000],
    ['that is missing', missing, 5000],
  ])('is valid for a list %s until its time is over', async (_, found, validMs) => {
    const { last, begun, find } = openInspections();
    await find(found);
    clock.mockReturnValue(100_000 + validMs - 1);
    expect(await last.known()).toBe(found);
    expect(begun).toHaveLength(1);
  });

  test('is renewed beside requests, once, in the slots of checks', async () => {
    const { last, begun, find, checks } = openInspections();
    await find(served('a'));
    clock.mockReturnValue(160_000);
    expect((await Promise.all([last.known(), last.known()])).map(({ name }) => name)).toEqual(['a', 'a']);
    expect(begun.slice(1).map(({ run }) => run)).toEqual([checks]);
    begun[1]?.end(served('b'));
    await Promise.resolve();
    expect((await last.known()).name).toBe('b');
  });

  test('is kept if the next one fails, which is tried again a minute later', async () => {
    const { last, begun, find } = openInspections();
    await find(served('a'));
    clock.mockReturnValue(160_000);
    await last.known();
    begun[1]?.fail();
    await new Promise(setImmediate);
    clock.mockReturnValue(219_999);
    expect((await last.known()).name).toBe('a');
    expect(begun).toHaveLength(2);
    clock.mockReturnValue(220_000);
    await last.known();
    expect(begun).toHaveLength(3);
  });

  test('is the one that began last, even if an earlier one ends later', async () => {
    const { last, begun, find, checks } = openInspections();
    const earlier = last.afresh(checks);
    clock.mockReturnValue(100_001);
    await find(served('later'));
    begun[0]?.end(served('earlier'));
    expect((await earlier).name).toBe('earlier');
    expect(last.found?.name).toBe('later');
  });

  test('of a missing list is waited for when its time is over', async () => {
    const { last, begun, find, requests } = openInspections();
    await find(missing);
    clock.mockReturnValue(105_000);
    const asked = Promise.all([last.known(), last.known()]);
    await new Promise(setImmediate);
    expect(begun.slice(1).map(({ run }) => run)).toEqual([requests]);
    const another = last.known();
    await new Promise(setImmediate);
    begun[1]?.end(served('a'));
    expect([...(await asked), await another].map(({ name }) => name)).toEqual(['a', 'a', 'a']);
    expect(begun).toHaveLength(2);
  });
});
