import { describeOneEngine, freshDatabase } from '../../fixture/databases';
import { startPanel, type TestPanel } from '../../fixture/panel';
import type { LogLine } from '../../fixture/recordingLogger';

/** What is broken during a request: each is a fault of the module that no request from outside shows. */
let mockFault: 'grants' | 'limit' | 'decoding' | null = null;
let mockPage: { limit: number } | null = null;

jest.mock('../../../lib/fields/Operation', () => {
  const actual = jest.requireActual('../../../lib/fields/Operation');
  const grants = (...given: unknown[]) => {
    const isWrong = mockFault === 'grants';
    if (isWrong) mockFault = null;
    return isWrong || actual.grants(...given);
  };
  return { ...actual, grants };
});

jest.mock('../../../lib/lists/parseListQuery', () => {
  const actual = jest.requireActual('../../../lib/lists/parseListQuery');
  const parseListQuery = (...given: unknown[]) => {
    const query = actual.parseListQuery(...given);
    mockPage = query.page;
    return query;
  };
  return { ...actual, parseListQuery };
});

jest.mock('../../../lib/json/json', () => {
  const actual = jest.requireActual('../../../lib/json/json');
  const parseJson = (text: string) => (mockFault === 'decoding' ? ['1'] : actual.parseJson(text));
  return { ...actual, parseJson };
});

const SECRET = 'secret-of-a-row';
const ROWS = [1, 2, 3].map((id) => ({ id, type: SECRET, status: 'queued' }));

/** Shortens the page while it is read. */
function rows() {
  if (mockFault === 'limit' && mockPage) mockPage.limit = 1;
  return ROWS;
}

describeOneEngine('A second check before data is sent', (engine) => {
  let panel: TestPanel;

  beforeAll(async () => {
    const { knex: db } = await freshDatabase(engine);
    panel = await startPanel({ db, sources: { jobs: { fields: ['id', 'type', 'status'], rows } } });
  });

  afterEach(() => {
    mockFault = null;
  });

  const isBroken = ({ message }: LogLine) => message === 'panel-api invariant broken';

  test.each([
    ['the scope of the token', 'scope', 'grants', 'domains.read', ''],
    ['the rows of a page', 'page_length', 'limit', 'jobs.read', '?limit=2'],
    ['the key in a cursor', 'cursor', 'decoding', 'jobs.read', '?limit=2'],
  ] as const)(
    'of %s answers 500 and names itself in the log, without data',
    async (_, name, fault, scope, query) => {
      const token = await panel.token({ scopes: [scope] });
      const before = panel.log.length;
      mockFault = fault;
      const answer = await panel.get(`/api/v1/jobs.php${query}`, token);
      expect([answer.status, answer.body.error]).toEqual([500, { code: 'internal_error' }]);
      expect(JSON.stringify(answer.body)).not.toContain(SECRET);
      const lines = panel.log.slice(before);
      const request_id = answer.headers.get('X-Request-Id');
      expect(lines.filter(isBroken).map(({ level, fields }) => [level, fields])).toEqual([
        ['error', { request_id, invariant: name }],
      ]);
      expect(JSON.stringify(lines)).not.toContain(SECRET);
    },
  );
});
