import { knex } from 'knex';
import { createPanelApi } from '../../../index';
import { recordingLogger } from '../../fixture/recordingLogger';

test('A unit of systemd that is listed twice is refused at the mount', () => {
  const db = knex({ client: 'pg' });
  const sources = { services: { units: [{ unit: 'nginx' }, { unit: 'nginx' }] } };
  expect(() => createPanelApi({ db, logger: recordingLogger().logger, sources })).toThrow(
    'sources.services.units.1',
  );
});
