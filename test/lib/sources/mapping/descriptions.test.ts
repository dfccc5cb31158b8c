import { describeOneEngine } from '../../../fixture/databases';
import { DESCRIPTIONS, type Description, rowOf, sourcesOf } from '../../../fixture/sources/descriptions';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

describeOneEngine('A field that is described by', (engine) => {
  const panels = sourcePanels(engine);

  test.each(Object.entries(DESCRIPTIONS))('%s reads as described', async (_, description: Description) => {
    const { resource, field, columns, rows } = description;
    await panels.table(
      'panel_rows',
      columns,
      rows.map(([held]) => rowOf(description, held)),
    );
    const { get } = await panels.start(sourcesOf(description));
    const { text, body } = await get(`${resource}.php`);
    const expected = rows.map(([, said]) => said);
    expect(body.data.items.map((item: Record<string, unknown>) => item[field])).toEqual(
      expected.map((said) => (typeof said === 'bigint' ? Number(said) : said)),
    );
    for (const said of expected.filter((said) => typeof said === 'bigint'))
      expect(text).toContain(`:${said}`);
    if (!field.endsWith('_bytes')) return;
    const sum = expected.reduce<bigint>((total, said) => total + BigInt((said ?? 0) as number | bigint), 0n);
    const sums = `"sums":{"${field}":${sum}}`;
    expect((await get(`${resource}.php?sum=${field}`)).text).toContain(sums);
  });
});
