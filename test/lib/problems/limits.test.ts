import { isLimit } from '../../../lib/problems/problems';
import { operations } from '../../../routes';

test('The limits are the fields in which null means no limit', () => {
  const fields = operations
    .filter(({ kind }) => kind === 'list')
    .flatMap(({ fields }) => Object.entries(fields));
  const described = fields.filter(([, { schema }]) => /null for no limit/.test(String(schema.description)));
  expect(described.length).toBeGreaterThan(8);
  const named = new Set(described.map(([name]) => name));
  expect(new Set(fields.map(([name]) => name).filter(isLimit))).toEqual(named);
});
