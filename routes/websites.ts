import { bytes, filterable, flag, id, required, text, textList, time, word } from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';

export const websites = listOperation({
  name: 'websites',
  scope: 'websites.read',
  tag: 'Domains and websites',
  title: 'Websites',
  description: 'Every website that the server delivers.',
  fields: {
    id: required(id('Identifier of the website.')),
    domain: required(filterable(text('Its main domain name.'))),
    account_id: id('The account that owns it.', 'accounts'),
    aliases: textList('Further domain names that it answers to.'),
    status: required(word('State of the website.', ['active', 'stopped', 'suspended', 'deploying', 'error'])),
    runtime: word('Software that runs it.', [
      'php',
      'node',
      'python',
      'ruby',
      'static',
      'proxy',
      'container',
    ]),
    runtime_version: text('Version of the runtime, such as 8.3.'),
    web_server: text('The web server that delivers it.'),
    document_root: text('Directory that it is delivered from.'),
    ip_addresses: textList('Addresses that it is reached at.'),
    ssl_enabled: flag('Whether it is reached over HTTPS.'),
    force_https: flag('Whether plain HTTP is redirected to HTTPS.'),
    disk_used_bytes: bytes('Disk space in use, in bytes.'),
    bandwidth_used_bytes: bytes("Traffic of the panel's current period, in bytes."),
    system_user: filterable(text('The operating system user that it runs as.')),
    app: filterable(text('The application that is installed in it; null if the panel knows of none.')),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  },
});
