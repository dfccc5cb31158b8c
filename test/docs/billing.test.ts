import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freshDatabase } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { requireProgram } from '../servers/requireProgram';
import { Page } from './Page';

const page = new Page('docs/how-to/billing.md');
const usage = page.blocks.find(({ language, text }) => language === 'sh' && text.includes('diskusage'));

test('the import of usage takes customers, and no administrator or reseller', async () => {
  for (const name of ['curl', 'jq']) requireProgram(name, name);
  const { knex } = await freshDatabase('sqlite');
  await createFilledTables(knex);
  await knex('accounts').del();
  const roles = ['admin', 'reseller', 'customer', 'customer', null];
  await knex('accounts').insert(
    roles.map((role, index) => ({
      role,
      username: `user${index}`,
      primary_domain: `${role}${index}.example`,
      status: 'active',
      disk_used_bytes: 2 ** 20,
      disk_limit_bytes: 2 ** 30,
      bandwidth_used_bytes: 2 ** 20,
      bandwidth_limit_bytes: 2 ** 30,
    })),
  );
  const panel = await startPanel({ db: knex });
  const env = { ...process.env, TOKEN: await panel.token({ scopes: ['accounts.read'] }) };
  const command = (usage?.text ?? '').replaceAll('https://panel.example', panel.url);
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env });
  expect(JSON.parse(stdout)).toEqual(
    ['customer2.example', 'customer3.example'].map((domain) => ({
      domain,
      diskusage: 1,
      disklimit: 1024,
      bwusage: 1,
      bwlimit: 1024,
    })),
  );
});

test('every request of the page for all accounts names the roles', () => {
  const requests = page.text.match(/accounts\.php[^\s`"']*/g) ?? [];
  const all = requests.filter((request) => !request.includes('username='));
  expect(all.filter((request) => !request.includes('role=customer'))).toEqual(['accounts.php']);
  expect(all.length).toBeGreaterThan(4);
});
