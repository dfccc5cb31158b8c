import type { Sources } from '../../../index';
import { checkSources } from '../../fixture/command/checkSources';
import { describeEachEngine } from '../../fixture/databases';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

describeEachEngine('release-audit.php', (engine) => {
  const panels = sourcePanels(engine);
  const both = async (sources: Sources, list: string) => {
    const found = await checkSources({ db: panels.knex, sources });
    const { warnings = [], missing = [] } = found.find(({ resource }) => resource === list) ?? {};
    const { inspected } = await panels.start(sources);
    return [[...missing, ...warnings.map(({ sentence }) => sentence)], await inspected(list)] as const;
  };

  test.each([1, 3, 1000])('finds in %i rows what panel-api check finds', async (rows) => {
    await panels.table('sites', {
      domain: 'string',
      owner: 'string',
      quota: 'string',
      deleted_at: 'datetime',
    });
    await panels.knex.batchInsert(
      'sites',
      Array.from({ length: rows }, (_, index) => ({
        domain: index === rows - 1 ? 'none' : 'a.example',
        owner: 'x',
        quota: '10 GB',
        deleted_at: index > 0 && index % 2 ? '2026-06-12 00:00:00' : null,
      })),
      100,
    );
    const websites = {
      table: 'sites',
      fields: { domain: 'domain', status: 'owner', disk_used_bytes: 'quota', updated_at: 'quota' },
    } as const;
    const [sentences, { status, detail }] = await both({ websites }, 'websites');
    expect(sentences.length).toBeGreaterThan(rows > 1 ? 4 : 3);
    expect([status, detail]).toEqual(['warn', sentences.join(' ')]);
  });

  test('finds in each of ten parts, from functions, what panel-api check finds', async () => {
    const rows = () => [{ id: '1', domain: 'none', status: 'an' }] as never;
    const websites = Array.from({ length: 10 }, () => ({
      fields: ['id', 'domain', 'status'] as const,
      rows,
    }));
    const [sentences, { status, detail }] = await both({ websites }, 'websites');
    expect(sentences).toHaveLength(20);
    expect([status, detail]).toEqual(['warn', sentences.join(' ')]);
  });
});
