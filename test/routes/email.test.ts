import { domainOf } from '../../routes/email';

test('the domain is what follows the last @', () => {
  expect(domainOf('"a@b"@example.com')).toBe('example.com');
});

test('a catch-all without a local part has a domain', () => {
  expect(domainOf('@example.com')).toBe('example.com');
});

test.each(['example.com', 'info@', 'info@ ', '', null, undefined, 7n, {}])('%p has no domain', (address) => {
  expect(domainOf(address)).toBeNull();
});
