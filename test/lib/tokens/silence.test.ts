import * as fc from 'fast-check';
import { isSilent } from '../../../lib/tokens/silence';
import { isNamed, panelDaysBefore, simulateYear, YEAR } from '../../fixture/integrations';

/** `panelDays` for a panel that is used every day, before the day 0. */
const daily = (most = 120) => Array.from({ length: most }, (_, back) => -1 - back);

/** How a token was used, whose last use is the last of these days. */
const use = (days: readonly number[], created = -400) => ({ created, days, last: Math.max(...days) });

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('A token', () => {
  test.each([
    ['used every day is silent after two whole days', range(-60, -3), true],
    ['used every day is not silent after one day', range(-60, -2), false],
    ['used every second day is not silent after two days', range(-30, -2).map((one) => 2 * one + 1), false],
    ['used every second day is silent after three days', range(-30, -2).map((one) => 2 * one), true],
    ['used for 27 days is not silent', range(-29, -3), false],
    ['used for 28 days is silent', range(-30, -3), true],
    ['used once is not silent', [-40], false],
    ['with a pause before these 28 days is silent after two days', [-90, ...range(-30, -3)], true],
    ['with a pause within them is not', [-90, ...range(-29, -3)], false],
    ['used once a month is not silent after 54 days', [-86, -55], false],
    ['used once a month is silent after 55 days', [-87, -56], true],
  ])('%s', (_name, days, expected) => {
    expect(isSilent(use(days), daily())).toBe(expected);
  });

  test('is still silent when the first of the 28 days is no longer counted', () => {
    expect(isSilent(use(range(-90, -80)), daily(90))).toBe(true);
    expect(isSilent(use([-80]), daily(90))).toBe(false);
    expect(isSilent(use(range(-90, -80), -106), daily(90))).toBe(false);
    expect(isSilent(use([...range(-90, -64), -57]), daily(90))).toBe(true);
  });

  /** Days of the last 90, which contain the first one. */
  const usedDays = fc
    .uniqueArray(fc.integer({ min: -90, max: -1 }), { minLength: 2, maxLength: 80 })
    .map((days) => days.toSorted((one, other) => one - other));

  test('that is silent stays so on every further day on which only others are used', () => {
    fc.assert(
      fc.property(usedDays, fc.integer({ min: 1, max: 60 }), (days, later) => {
        const panelDays = [...range(0, later - 1).toReversed(), ...daily()];
        if (isSilent(use(days), daily())) expect(isSilent(use(days), panelDays)).toBe(true);
      }),
    );
  });

  test('is not silent on the day after its last use, nor on the one after', () => {
    fc.assert(
      fc.property(usedDays, fc.integer({ min: -2, max: -1 }), (days, last) => {
        expect(isSilent(use([...days, last]), daily())).toBe(false);
      }),
    );
  });

  test('is judged the same whatever days the panel was off', () => {
    const off = fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { maxLength: 20 });
    fc.assert(
      fc.property(usedDays, off, (days, offDays) => {
        // Each day moves back by the days off that come after it.
        const moved = new Map<number, number>();
        let day = 0;
        for (const one of daily(90)) {
          day -= 1;
          while (offDays.includes(-day)) day -= 1;
          moved.set(one, day);
        }
        const whole = { ...use(days), last: days.at(-1)! };
        const gapped = { ...use(days.map((one) => moved.get(one)!)), created: -400 };
        expect(isSilent(gapped, [...moved.values()])).toBe(isSilent(whole, daily(90)));
      }),
    );
  });

  test('follows the rule, written in another way', () => {
    fc.assert(
      fc.property(usedDays, (days) => {
        const last = days.at(-1)!;
        const first = last - 27;
        const within = days.filter((day) => day >= first);
        const edges = [first - 1, ...within];
        const longest = Math.max(...edges.slice(1).map((day, index) => day - edges[index]! - 1));
        const silence = -1 - last;
        const expected = days[0]! <= first && silence >= 2 && silence > 2 * longest;
        // All of the 54 days before each possible last use are still counted.
        expect(isSilent(use(days), daily(150))).toBe(expected);
      }),
    );
  });
});

const KINDS = ['first of the month', 'hourly', 'last of the month', 'nightly', 'weekly', 'workdays'];

describe('In a year of 200 integrations', () => {
  const integrations = simulateYear(1, 200);

  const namedDays = new Map(
    integrations.map((one) => [one, range(0, YEAR).filter((today) => isNamed(one, today))]),
  );

  test('none is named while it runs', () => {
    const alarms = integrations.flatMap((one) =>
      namedDays
        .get(one)!
        .filter((today) => today <= (one.stopped ?? YEAR) + 1)
        .map((today) => [one.kind, today]),
    );
    expect(alarms).toEqual([]);
  });

  test('each that stops after 28 days of counts is named in the promised time, and stays named', () => {
    const stopped = integrations.filter(
      ({ stopped: day, tokens }) =>
        day !== null && day - Math.min(...tokens.flatMap(({ used }) => used)) > 31,
    );
    const named = stopped.map((one) => {
      const days = namedDays.get(one)!;
      const unused = panelDaysBefore(days[0] ?? YEAR, YEAR).filter((day) => day > one.stopped!).length;
      return { ...one, unused, days };
    });
    const late = named.filter(({ unused, promised }) => unused > promised);
    expect(late.map(({ kind, stopped: day, unused, promised }) => [kind, day, unused, promised])).toEqual([]);
    const found = named.filter(({ days }) => days.length > 0);
    expect([...new Set(found.map(({ kind }) => kind))].toSorted()).toEqual(KINDS);
    // Of what ran once a month, the use before the last is no longer counted some days later.
    const kept = found.filter(({ kind }) => !kind.endsWith('month'));
    const gone = kept.filter(
      ({ days, stopped: day }) =>
        !range(days[0]!, Math.min(YEAR, day! + 80)).every((one) => days.includes(one)),
    );
    expect(
      gone.map(({ kind, stopped: day, days }) => [kind, day, days[0], days.at(-1), days.length]),
    ).toEqual([]);
  });
});
