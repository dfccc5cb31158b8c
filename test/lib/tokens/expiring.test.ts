import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenEvent } from '../../../index';
import { tokenWarnings } from '../../../lib/tokens/tokenWarnings';
import { panelApiHere } from '../../fixture/command/panelApi';
import { describeEachEngine, freshDatabase } from '../../fixture/databases';
import { startMetricsPanel } from '../../fixture/metricsPanel';
import { AUTHOR } from '../../fixture/panel';
import { type SectionPanel, startSectionPanel } from '../../fixture/section/sectionPanel';
import { until } from '../../fixture/until';

const DAY = 86_400;
const MINUTE = 60;

/**
 * How long a token lives, how long ago it was created, whether it ends soon, within 14 days, and of which of 14, 3 and 1
 * days the panel is told.
 */
const TOKENS: readonly [life: number, age: number, endsSoon: boolean, days: number | null][] = [
  [15 * MINUTE, 0, false, null],
  [2 * DAY, DAY + MINUTE, false, null],
  [6 * DAY, 3 * DAY + MINUTE, false, null],
  [7 * DAY, 6 * DAY, false, 1],
  [28 * DAY, 14 * DAY + MINUTE, false, null],
  [28 * DAY + MINUTE, 27 * DAY, true, 3],
  [90 * DAY, 76 * DAY + MINUTE, true, 14],
  [90 * DAY, 76 * DAY - MINUTE, false, null],
  [400 * DAY, 400 * DAY - MINUTE, true, 1],
  [400 * DAY, 400 * DAY + MINUTE, false, null],
];

describeEachEngine('Which tokens end soon', (engine) => {
  let section: SectionPanel;
  let expected: readonly number[];
  let days: readonly (readonly [number, number | null])[];
  const told = new Map<number, number>();

  beforeAll(async () => {
    const database = await freshDatabase(engine);
    const onTokenEvent = (event: TokenEvent) => {
      if (event.type === 'expiring') told.set(event.token.id, event.days);
    };
    section = await startSectionPanel(engine, { onTokenEvent }, {}, database);
    const { panel } = section;
    const created = await Promise.all(
      TOKENS.map(() =>
        panel.api.tokens.create({ name: 'x', scopes: ['*'], expiresInSeconds: 90 * DAY }, AUTHOR),
      ),
    );
    for (const [index, [life, age]] of TOKENS.entries()) {
      const { id, createdAt } = created[index]!.record;
      const times = { created_at: createdAt - age, expires_at: createdAt - age + life };
      await database.knex('panel_api_tokens').where({ id }).update(times);
    }
    expected = created
      .flatMap(({ record: { id } }, index) => (TOKENS[index]![2] ? [id] : []))
      .toSorted(byNumber);
    for (const { token } of created) await panel.get('/api/v1/me.php', token);
    days = created.map(({ record: { id } }, index) => [id, TOKENS[index]![3]]);
    await until(() => told.size >= TOKENS.filter((token) => token[3] !== null).length);
  });

  const byNumber = (one: number, other: number) => one - other;
  const ids = (tokens: readonly { readonly id: number }[]) => tokens.map(({ id }) => id).toSorted(byNumber);
  const shown = (html: string) =>
    ids(
      [...html.matchAll(/<tr [^>]*data-id="(\d+)"|<small>#(\d+)/g)].map(([, row, item]) => ({
        id: Number(row ?? item),
      })),
    );

  test.each([
    [
      'the filter of a page',
      async () => ids((await section.panel.api.tokens.page({ filter: 'expiring' })).tokens),
    ],
    ['attention', async () => ids((await section.panel.api.tokens.attention()).expiring.tokens)],
    [
      'the warnings about each',
      async () =>
        ids(
          (await section.panel.api.tokens.list()).filter((token) =>
            tokenWarnings(token).includes('expiring'),
          ),
        ),
    ],
    [
      'token list --expiring',
      async () => {
        const { stdout } = await panelApiHere(section.database.url, [
          'token',
          'list',
          '--expiring',
          '--json',
        ]);
        return ids(JSON.parse(stdout));
      },
    ],
    [
      'the overview of the section',
      async () => shown(/<section class="expiring">.*?<\/section>/s.exec((await section.get('')).text)![0]),
    ],
    ['the list of the section', async () => shown((await section.get('tokens?filter=expiring')).text)],
  ])('is the same for %s', async (_asker, ask) => {
    expect(await ask()).toEqual(expected);
  });

  test('is told by onTokenEvent for 14, 3 and 1 days by the same rule', async () => {
    await sleep(100);
    expect(days.map(([id]) => [id, told.get(id) ?? null])).toEqual(days);
  });

  test('is counted the same by the filter and by the metrics', async () => {
    expect((await section.panel.api.tokens.countFilters()).expiring).toBe(expected.length);
    const { panel, samples } = await startMetricsPanel({ db: section.database.knex });
    const { panel_tokens_expiring: counted } = await samples(
      await panel.token({ scopes: ['platform.read'] }),
    );
    expect(counted).toBe(expected.length);
  });
});
