import { checkPackage } from '../../steps/checkPackage';
import { isWhole } from '../scale';

test('The packed module works in fresh hosts, on each Node that it supports', async () => {
  await expect(checkPackage({ whole: isWhole })).resolves.toBeUndefined();
});
