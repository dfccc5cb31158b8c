import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import log4js from 'log4js';
import pino from 'pino';
import winston from 'winston';
import type { Logger } from '../../../index';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { startPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';

// It has no types.
const bunyan: { createLogger(options: object): Logger & { child(fields: object): Logger } } =
  require('bunyan');

/** Creates a logger that writes to the stream. */
type Create = (stream: PassThrough) => Logger;

const ofWinston = (stream: PassThrough) =>
  winston.createLogger({
    format: winston.format.json(),
    transports: [new winston.transports.Stream({ stream })],
  });

function ofLog4js(stream: PassThrough): Logger {
  log4js.configure({
    appenders: {
      stream: {
        type: { configure: () => (event: { data: unknown[] }) => stream.write(JSON.stringify(event.data)) },
      },
    },
    categories: { default: { appenders: ['stream'], level: 'info' } },
  });
  return log4js.getLogger('panel');
}

const LOGGERS: Readonly<Record<string, Create>> = {
  winston: ofWinston,
  'a child of winston': (stream) => ofWinston(stream).child({ part: 'api' }),
  pino: (stream) => pino(stream),
  'pino with its own names and serializers': (stream) =>
    pino({ messageKey: 'message', nestedKey: 'fields', serializers: { method: String } }, stream),
  'a child of pino, such as fastify.log': (stream) => pino(stream).child({ part: 'api' }),
  'a proxy of pino': (stream) => new Proxy(pino(stream), {}),
  'an object that inherits from pino': (stream) => Object.create(pino(stream)),
  bunyan: (stream) => bunyan.createLogger({ name: 'panel', stream }),
  'a child of bunyan': (stream) => bunyan.createLogger({ name: 'panel', stream }).child({ part: 'api' }),
  log4js: ofLog4js,
  'a console': (stream) => new Console(stream) as unknown as Logger,
  "a panel's own logger": (stream) => {
    const write = (...line: unknown[]) => stream.write(JSON.stringify(line));
    return { info: write, warn: write, error: write };
  },
  "a panel's own logger with defaults, which binds fields as well": (stream) => {
    const write = (message: string, fields = {}) => stream.write(`${message} ${JSON.stringify(fields)}`);
    const bindings = () => ({});
    return Object.assign({ info: write, warn: write, error: write }, { bindings });
  },
  "a panel's own logger with children, whose serializers are a list": (stream) => {
    const write = (message: string, ...fields: unknown[]) =>
      stream.write(`${message} ${JSON.stringify(fields)}`);
    const child = () => undefined;
    return Object.assign(
      { info: write, warn: write, error: write },
      { child, addSerializers: [], bindings: {} },
    );
  },
  "a panel's own logger that reads its arguments": (stream) => {
    function write(_message: string) {
      // biome-ignore lint/complexity/noArguments: a logger may be written so.
      return stream.write(JSON.stringify([...arguments]));
    }
    return { info: write, warn: write, error: write };
  },
  "a panel's own logger of bound methods": (stream) => {
    const write = (message: string, fields = {}) => stream.write(JSON.stringify([message, fields]));
    return { info: write.bind(null), warn: write.bind(null), error: write.bind(null) };
  },
};

describe.each(Object.entries(LOGGERS))('The log of a panel with %s', (_name, create) => {
  let database: TestDatabase;
  let stream: PassThrough;
  let text: string;
  let logger: Logger;

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
    stream = new PassThrough();
    text = '';
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    logger = create(stream);
  });

  test('has the message and every field of a request, and nothing before it but the start', async () => {
    const panel = await startPanel({ db: database.knex, logger });
    await panel.get('/api/v1/me.php', undefined, { headers: { 'X-Request-Id': 'job-1' } });
    await until(() => text.includes('panel-api request'));
    const json = logger instanceof Console ? asJson(text) : text;
    for (const field of [
      '"request_id":"job-1"',
      '"token_id":null',
      '"method":"GET"',
      '"route":"/api/v1/me.php"',
      '"status":401',
      '"error_code":"token_missing"',
      '"milliseconds":',
      '"bytes":',
      '"address":"127.0.0.1"',
    ])
      expect(json).toContain(field);
    expect(text.match(/panel-api \w+/g)).toEqual(['panel-api started', 'panel-api request']);
  });

  test('has the fields of a fault at its own level', async () => {
    const panel = await startPanel({ db: database.knex, logger });
    const token = await panel.token();
    await database.knex.schema.dropTable('panel_api_rate_limits');
    const levels: string[] = [];
    const { error } = logger;
    logger.error = function (this: Logger, ...line: [never, never]) {
      levels.push('error');
      return error.apply(this, line);
    };
    await panel.get('/api/v1/me.php', token);
    await until(() => text.includes('panel-api request'));
    expect(logger instanceof Console ? asJson(text) : text).toContain('"cause_query":"limiter.count"');
    expect(levels).toEqual(['error']);
  });
});

/** The fields that a console has printed. */
function asJson(text: string): string {
  return text.replaceAll("'", '"').replace(/(\w+): /g, '"$1":');
}

describe('A logger that takes no fields is told so once, when the API is mounted, if its methods are', () => {
  const lines: unknown[][] = [];
  const write = (message: string) => lines.push([message]);

  beforeEach(() => {
    lines.length = 0;
  });

  test.each<[string, Logger['info']]>([
    ['arrows', write],
    ['asynchronous', async (message) => write(message)],
    [
      'functions',
      function info(message) {
        write(message);
      },
    ],
    [
      'of an object',
      {
        info(message: string) {
          write(message);
        },
      }.info,
    ],
  ])('%s', async (_kind, method) => {
    const { knex } = await freshDatabase('sqlite');
    const panel = await startPanel({ db: knex, logger: { info: method, warn: method, error: method } });
    await panel.get('/api/v1/me.php');
    await panel.get('/api/v1/me.php');
    await until(() => lines.length > 3);
    expect(lines).toEqual([
      ['panel-api logger takes no fields'],
      ['panel-api started'],
      ['panel-api request'],
      ['panel-api request'],
    ]);
  });
});
