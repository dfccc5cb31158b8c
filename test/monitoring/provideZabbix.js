const { existsSync, mkdirSync, readdirSync, renameSync, rmSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { runCommand } = require('../runCommand');
const { ownApt } = require('../steps/ownApt');
const { zabbixFolder } = require('./zabbixFolder');

/** Downloads the pages of Zabbix 7.0, which import templates, and extracts them into a folder of the tests. */
async function provideZabbix() {
  if (existsSync(zabbixFolder)) return;
  const work = `${zabbixFolder}-new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const apt = await ownApt(work, 'trixie');
  await apt('update');
  await apt('download', 'zabbix-frontend-php');
  const archive = readdirSync(work).find((name) => name.endsWith('.deb'));
  await runCommand('dpkg-deb', ['--extract', join(work, archive), join(work, 'root')]);
  mkdirSync(dirname(zabbixFolder), { recursive: true });
  renameSync(join(work, 'root/usr/share/zabbix'), zabbixFolder);
  rmSync(work, { recursive: true });
}

module.exports = { provideZabbix };
