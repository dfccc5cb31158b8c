import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describeOneEngine, freshDatabase } from '../fixture/databases';
import { startPanel, type TestPanel } from '../fixture/panel';

const ME = '/api/v1/me.php';

describeOneEngine('A request with Expect: 100-continue', (engine) => {
  let panel: TestPanel;
  let token: string;

  beforeAll(async () => {
    panel = await startPanel({ db: (await freshDatabase(engine)).knex });
    token = await panel.token({ name: 'Überwachung' });
  });

  /** All that the server writes for requests with these headers, which are sent at once over one connection. */
  const answersOf = async (...requests: readonly (readonly string[])[]) => {
    const { port } = new URL(panel.url);
    const socket = connect(Number(port), '127.0.0.1');
    const written = requests.map((headers, index) => {
      const isLast = index === requests.length - 1;
      const all = ['Host: panel', `Authorization: Bearer ${token}`, ...headers];
      if (isLast) all.push('Connection: close');
      return `GET ${ME} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
    });
    socket.write(written.join(''));
    return text(socket);
  };

  /** The parts of the answers: an interim answer, and the head and the name of the token of each final one. */
  const partsOf = (answers: string) =>
    [...answers.matchAll(/HTTP\/1\.1 (\d+)|\r\n\r\n\{.*?"name":"([^"]*)"/g)].map(
      ([, status, name]) => status ?? name,
    );

  test('is answered after 100 Continue', async () => {
    expect(partsOf(await answersOf(['Expect: 100-continue']))).toEqual(['100', '200', 'Überwachung']);
  });

  test('is answered after 100 Continue and the answers before it, head first, if it was sent with others', async () => {
    const answers = await answersOf([], ['Expect: 100-continue'], []);
    expect(partsOf(answers)).toEqual([
      '200',
      'Überwachung',
      '100',
      '200',
      'Überwachung',
      '200',
      'Überwachung',
    ]);
  });

  test('gets no body if it names the validator, after 100 Continue', async () => {
    const answers = await answersOf([], ['Expect: 100-continue', 'If-None-Match: *']);
    expect(partsOf(answers)).toEqual(['200', 'Überwachung', '100', '304']);
  });
});
