import { checkPackage } from '../../steps/checkPackage';

test('The packed module works in fresh hosts, on each Node that it supports', async () => {
  await expect(checkPackage()).resolves.toBeUndefined();
});
