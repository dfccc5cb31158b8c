import { describeEachEngine } from '../../../fixture/databases';
import { DESCRIPTIONS, type Description, rowOf, sourcesOf } from '../../../fixture/sources/descriptions';
import { sourcePanels } from '../../../fixture/sources/sourcePanels';

const NOT_FILTERABLE = /_bytes$|_ms$|_at$|_to$|_day$/;

const filterable = Object.entries(DESCRIPTIONS).filter(
  ([, { field, source }]) =>
    !NOT_FILTERABLE.test(field) &&
    !(typeof source === 'object' && source !== null && ('from' in source || 'compute' in source)),
);

const ABSENT = ['absent', 'ACTIVE', 'Anna', '0', '5', '-1', 'unknown', "o'clock", '%', 'y', '1'];

/** Values that a client may ask for: those that occur, and some that do not. */
function asked(found: readonly unknown[], field: string): readonly string[] {
  if (field === 'keep_copy' || field === 'enabled') return ['true', 'false', 'true,false'];
  const occurring = found.filter((value) => value !== null).map(String);
  return [...new Set([...occurring, ...ABSENT, [...occurring, 'absent'].join(',')])];
}

describeEachEngine('A filter on a field that is described by', (engine) => {
  const panels = sourcePanels(engine);

  test.each(filterable)(
    '%s finds the same rows as a search of the whole list, and is applied by the database',
    async (_, description: Description) => {
      const { resource, field, columns, rows } = description;
      await panels.table(
        'panel_rows',
        columns,
        rows.map(([held]) => rowOf(description, held)),
      );
      const { get, items, statements } = await panels.start(sourcesOf(description));
      const whole = await items(resource);
      for (const value of asked(
        whole.map((item) => item[field]),
        field,
      )) {
        const wanted = value.split(',');
        const answer = await get(`${resource}.php?${field}=${encodeURIComponent(value)}`);
        const expected = whole.filter((item) => item[field] !== null && wanted.includes(String(item[field])));
        // A field of whole numbers refuses words, and a mapping those that it does not name.
        if (answer.status === 400) expect([value, wanted.length > 1 ? [] : expected]).toEqual([value, []]);
        else expect([value, answer.body.data.items]).toEqual([value, expected]);
      }
      const { allowed } = (await get(`${resource}.php?${field}=12345`)).body.error ?? {};
      const value = field === 'keep_copy' || field === 'enabled' ? 'true' : (allowed?.[0] ?? '12345');
      await items(resource, `?${field}=${value}`);
      expect(statements.at(-1)).toMatch(/ where /i);
    },
  );
});
