import { daysLeft } from '../../routes/ssl';

const now = new Date('2026-06-12T12:00:00Z');

test('days that have not fully passed by the expiry do not count', () => {
  expect(daysLeft('2026-06-14T11:59:59+00:00', now)).toBe(1);
});

test('an expiry at this moment leaves no day', () => {
  expect(daysLeft('2026-06-12T12:00:00+00:00', now)).toBe(0);
});

test('an expiry a second ago is below zero', () => {
  expect(daysLeft('2026-06-12T11:59:59+00:00', now)).toBe(-1);
});

test.each([null, undefined, 'soon', 5n, {}])('%p has no number of days', (expiresAt) => {
  expect(daysLeft(expiresAt, now)).toBeNull();
});
