import { freshDatabase } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import { createFilledTables } from '../fixture/panelTables';
import { Page } from './Page';

const page = new Page('docs/how-to/monitor.md');

test('the addresses for Zabbix and json_exporter answer, with the values that are read there', async () => {
  const { knex } = await freshDatabase('sqlite');
  await createFilledTables(knex);
  await knex('domains').update({ ssl_status: 'expired' });
  const panel = await startPanel({ db: knex });
  const token = await panel.token();
  const yaml = page.blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);
  const targets = yaml.join('').match(/https:\/\/panel\.example\S+?(?=')/g) ?? [];
  const rows = page.text.matchAll(/^\| `panel\.\S+` \| `(\S+)` \|([^|]*)\| .*`\$(\S+)` \|$/gm);
  const items = [...rows].map(([, path, fields = '']) => {
    const query = fields
      .trim()
      .replace(/`(\w+)`: `(\w+)`(, )?/g, '$1=$2&')
      .replace(/&$/, '');
    return `https://panel.example/api/v1/${path}${query && `?${query}`}`;
  });
  expect(items).toEqual(targets);
  expect(targets).toHaveLength(4);
  for (const target of targets) {
    const { status, body, text } = await panel.get(target.replace('https://panel.example', ''), token);
    expect({ target, status }).toEqual({ target, status: 200 });
    if (target.includes('health')) expect(body).toHaveProperty('data.status');
    else expect(body).toHaveProperty('data.total', target.includes('domains') ? 1 : 0);
    if (!target.includes('health')) expect(text.length).toBeLessThan(200);
  }
});
