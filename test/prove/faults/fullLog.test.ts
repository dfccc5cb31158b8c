import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { createLogger, transports } from 'winston';
import { PanelLog } from '../../../lib/log/PanelLog';
import { Page } from '../../docs/Page';
import { freshDatabase } from '../../fixture/databases';
import { smallDisk } from '../../fixture/faults/smallDisk';
import { until } from '../../fixture/until';
import { figure } from '../figure';
import { findings } from './outage';
import { site } from './site';

const ME = '/api/v1/me.php';
const REQUESTS = 20;
const LINES = 30_000;
const MOST_KEPT = 10_000;

const DOCUMENTED = new Page('docs/reference/log.md').blocks.find(({ info }) => info === 'js log.js')!.text;

/** Modules that export a logger which writes to `panel.log`. */
const LOGGERS: Readonly<Record<string, string>> = {
  "winston's transport File": `const { createLogger, transports } = require('winston');
    module.exports = createLogger({ transports: [new transports.File({ filename: 'panel.log' })] });`,
  'the transport of the reference': DOCUMENTED,
};

describe('A panel whose log is on a disk that becomes full', () => {
  test.each(Object.keys(LOGGERS))('serves all requests if it writes with %s', async (name) => {
    const disk = smallDisk('2m');
    const file = join(disk.path, 'panel.log');
    const loggerCode = LOGGERS[name]!.replace("'panel.log'", JSON.stringify(file));
    const place = await site(await freshDatabase('sqlite'), { loggerCode });
    const found = await findings(place, {
      answer: '200',
      begin: () => disk.fill(),
      end: () => disk.empty(),
    });
    expect(found.broken).toEqual([]);
    const ids: string[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const { headers } = await place.host.get(ME, place.token);
      ids.push(headers.get('x-request-id')!);
    }
    const timesLogged = () =>
      ids.map((id) => readFileSync(file, 'utf8').split(`"request_id":"${id}"`).length - 1);
    // winston's own transport writes nothing more.
    if (LOGGERS[name] === DOCUMENTED) {
      await until(() => !timesLogged().includes(0));
      expect(new Set(timesLogged())).toEqual(new Set([1]));
      const lines = readFileSync(file, 'utf8').split('\n');
      for (const line of lines) if (line.endsWith('}')) expect(JSON.parse(line)).toHaveProperty('message');
    }
    const written = timesLogged().filter((times) => times === 1).length;
    figure(
      `${name}, disk full: requests served, and lines of ${REQUESTS} after it`,
      `${found.uses}, ${written}`,
    );
  });

  test('keeps no more than ten thousand lines in memory for winston', async () => {
    const disk = smallDisk('2m');
    const filename = join(disk.path, 'panel.log');
    const logger = createLogger({ transports: [new transports.File({ filename })] });
    const log = new PanelLog(logger);
    disk.fill();
    for (let line = 0; line < LINES; line += 1) {
      log.info('panel-api request', { request_id: String(line), address: '192.0.2.1' });
      if (line % 100 === 0) await turn();
    }
    expect(logger.writableLength).toBe(MOST_KEPT);
    expect(log.lost).toBeGreaterThan(0);
    figure(`winston's transport File, disk full: lines kept in memory of ${LINES}`, logger.writableLength);
  });
});
