import type { AuditEntry } from '../../../index';
import { detailsOf } from '../../../lib/audit/auditTexts';

const detailOf = (details: AuditEntry['details']) =>
  detailsOf({ details } as AuditEntry).map(({ nameKey, from, value }) => [nameKey, from, value]);

const key = (name: string) => ({ kind: 'key', key: `audit.${name}` });

test.each<[string, AuditEntry['details'], unknown[]]>([
  ['a text', { name: 'x' }, ['audit.name.name', null, { kind: 'text', text: 'x' }]],
  ['scopes', { scopes: ['a', 'b'] }, ['audit.name.scopes', null, { kind: 'words', words: ['a', 'b'] }]],
  [
    'a time that was never before',
    { expires_at: { from: null, to: '2026-01-01T00:00:00+00:00' } },
    ['audit.name.expires_at', key('none.expires_at'), { kind: 'time', time: '2026-01-01T00:00:00+00:00' }],
  ],
  [
    'addresses that became any',
    { allowed_addresses: { from: ['192.0.2.7'], to: [] } },
    ['audit.name.allowed_addresses', { kind: 'words', words: ['192.0.2.7'] }, key('none.allowed_addresses')],
  ],
  ['another token', { replaces: 7 }, ['audit.name.replaces', null, { kind: 'token', id: 7 }]],
  ['a setting', { https_required: { from: true, to: false } }, [null, key('yes'), key('no')]],
  ['a number', { other: 60 }, [null, null, { kind: 'number', number: 60 }]],
  [
    'a duration',
    { grace_seconds: 60 },
    ['audit.name.grace_seconds', null, { kind: 'duration', seconds: 60 }],
  ],
])('A detail of an entry is read as %s', (_what, details, expected) => {
  expect(detailOf(details)).toEqual([expected]);
});

test('That a new token never expires is a detail', () => {
  expect(detailOf({ expires_at: null })).toEqual([['audit.name.expires_at', null, key('none.expires_at')]]);
});

test('A restriction that a new token lacks is no detail', () => {
  expect(detailOf({ account_id: null, allowed_addresses: [] })).toEqual([]);
});
