import { checkNode } from '../../../lib/health/releaseAudit';

describe('checkNode', () => {
  test('passes on the last day of support', () => {
    expect(checkNode('v20.20.2', new Date('2026-04-30T12:00:00Z')).status).toBe('pass');
  });

  test('warns on the day after', () => {
    expect(checkNode('v20.20.2', new Date('2026-05-01T00:00:00Z'))).toEqual({
      status: 'warn',
      detail: 'Support of Node 20 ended on 2026-04-30.',
    });
  });

  test('warns of a line that it does not know', () => {
    expect(checkNode('v21.0.0', new Date('2026-01-01')).status).toBe('warn');
  });
});
