import { userNames } from '../../routes/databases';

test('names without a host stay as they are, in their order', () => {
  expect(userNames(['shop', 'app-2'])).toEqual(['shop', 'app-2']);
});

test.each(['shop@localhost', "'shop'@'%'", '"shop"@"::1"', '`shop`@`10.0.0.%`', "'shop'", 'shop@::1'])(
  'of %s stays shop',
  (account) => {
    expect(userNames([account])).toEqual(['shop']);
  },
);

test('a name that holds an @ loses only the host', () => {
  expect(userNames(['shop@web@localhost', "'app@web'@'%'"])).toEqual(['shop@web', 'app@web']);
});

test('a user with several hosts is named once', () => {
  expect(userNames(['shop@localhost', 'shop@%'])).toEqual(['shop']);
});

test('the anonymous user has no name', () => {
  expect(userNames(["''@'localhost'", '@%'])).toEqual([]);
});

test('objects show nothing of what they hold', () => {
  expect(userNames(['{"user":', '"shop",', '"password":', '"geheim",', '"host":', '"%"}'])).toEqual([]);
});

test.each([null, undefined, 'shop', [7n, null, {}]])('%p names no user', (accounts) => {
  expect(userNames(accounts)).toEqual([]);
});
