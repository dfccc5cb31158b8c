import type { TokenRecord } from '../../index';
import { panelLog } from '../../lib/log/PanelLog';
import { unseenRevocation } from '../../section/pages/createdToken';
import type { SectionRequest } from '../../section/SectionRequest';
import { recordingLogger } from '../fixture/recordingLogger';

const mockPauses: number[] = [];

jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number, _value: undefined, { ref }: { ref: boolean }) => {
    if (!ref) mockPauses.push(milliseconds);
  },
}));

test('The revocation of an unseen token is given up after ten minutes, and never keeps the process alive', async () => {
  const { log, logger } = recordingLogger();
  let tries = 0;
  const revoke = async () => {
    tries += 1;
    throw new Error('down');
  };
  const installation = { tokens: { revoke }, log: panelLog(logger) };
  const request = { actor: 'ann', installation } as unknown as SectionRequest;
  await unseenRevocation(request, { id: 7 } as TokenRecord)();
  expect(tries).toBe(mockPauses.length + 1);
  expect(mockPauses.reduce((sum, pause) => sum + pause, 0)).toBe(600_000);
  expect(log.map(({ message, fields }) => [message, fields.token_id])).toEqual([
    ['panel-api unseen token not revoked', 7],
  ]);
});
