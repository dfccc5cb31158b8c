import type { Sources } from '../../../index';
import { checkSources } from '../../fixture/command/checkSources';
import { sourcePanels } from '../../fixture/sources/sourcePanels';

describe('A finding can be confirmed by its code', () => {
  const panels = sourcePanels('sqlite');
  const codesOf = async (sources: Sources) =>
    (await checkSources({ db: panels.knex, sources })).flatMap(({ warnings }) =>
      warnings.map(({ code }) => code),
    );

  /** Local times, the second of which is long past. */
  const codesOfTimes = async (confirm?: unknown) => {
    const rows = ['2025-06-12 10:00:00', '1969-06-12 10:00:00'].map((at) => ({ domain: 'a.example', at }));
    await panels.table('sites', { domain: 'string', at: 'datetime' }, rows);
    const created_at = { column: 'at', ...(confirm !== undefined && { confirm }) };
    const fields = { domain: 'domain', status: { value: 'active' }, created_at };
    return codesOf({ websites: { table: 'sites', fields } } as Sources);
  };

  test.each([
    [undefined, ['time_early', 'zone']],
    ['zone', ['time_early']],
    [['time_early'], ['zone']],
    [['zone', 'time_early'], []],
    [true, []],
  ])('confirm: %j leaves %j', async (confirm, codes) => {
    expect(await codesOfTimes(confirm)).toEqual(codes);
  });

  test('a code that is never said about the field is named', async () => {
    await panels.table('sites', { domain: 'string' }, [{ domain: 'a.example' }]);
    const fields = {
      domain: { column: 'domain', confirm: ['name_twice', 'zone'] },
      status: { value: 'active' },
    };
    const found = await checkSources({
      db: panels.knex,
      sources: { websites: { table: 'sites', fields } } as Sources,
    });
    expect(found.flatMap(({ warnings }) => warnings)).toContainEqual({
      code: 'confirm_unused',
      field: 'domain',
      sentence: 'The field domain has a `confirm` of zone that silences nothing: leave it out.',
    });
  });

  test('a code of a table that is confirmed at another field than the key is named, and so is a misspelt one', async () => {
    await panels.table('sites', { domain: 'string' }, [{ domain: 'a.example' }]);
    const fields = {
      id: { column: 'id', confirm: ['deleted_rows', 'dropped_row'] },
      domain: { column: 'domain', confirm: ['deleted_rows'] },
      status: { value: 'active' },
    };
    const found = await checkSources({
      db: panels.knex,
      sources: { websites: { table: 'sites', fields } } as Sources,
    });
    expect(found.flatMap(({ warnings }) => warnings.map(({ sentence }) => sentence))).toEqual([
      'The field id has a `confirm` of dropped_row that silences nothing: leave it out. Did you mean dropped_rows?',
      'The field domain has a `confirm` of deleted_rows that silences nothing: leave it out.',
    ]);
  });

  test('what is wrong with a column is confirmed by its code alone', async () => {
    await panels.table('sites', { domain: 'string', state: 'string' }, [
      { domain: 'a.example', state: 'odd' },
    ]);
    const codesWith = (confirm: unknown) =>
      codesOf({
        websites: {
          table: 'sites',
          fields: {
            domain: 'domain',
            status: { column: 'state', values: { on: 'active' }, confirm },
            app: { column: 'application', confirm },
          },
        },
      } as unknown as Sources);
    expect(await codesWith(true)).toEqual(expect.arrayContaining(['column_missing', 'unmapped']));
    expect(await codesWith(['unmapped', 'column_missing'])).toEqual([]);
  });

  test('for a field of a function', async () => {
    const rows = () => [{ id: '1', domain: 'none', status: 'odd', created_at: '1969-06-12' }];
    const fields = ['id', 'domain', 'status', 'created_at'] as const;
    const codesWith = (confirm: unknown) =>
      codesOf({ websites: { fields, rows, confirm } } as unknown as Sources);
    expect(await codesWith({})).toEqual(['domain_name', 'word', 'time_early']);
    expect(await codesWith({ domain: 'domain_name', status: true })).toEqual(['time_early']);
    expect(await codesWith(['created_at', 'status'])).toEqual(['domain_name']);
    expect(await codesWith({ created_at: 'time_late' })).toEqual(['domain_name', 'word', 'time_early']);
  });
});
