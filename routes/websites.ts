import {
  bytes,
  domainName,
  filterable,
  flag,
  id,
  ipAddress,
  required,
  searchable,
  text,
  textList,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/fields/Operation';

const RUNTIMES = ['php', 'node', 'python', 'ruby', 'static', 'proxy', 'container'] as const;

export const websites = listOperation({
  name: 'websites',
  tag: 'Domains and websites',
  title: 'Websites',
  item: 'Website',
  description: 'Every website that the server hosts.',
  fields: {
    id: required(id('Identifier of the website.')),
    domain: required(searchable(filterable(domainName(text('Main domain name of the website.'))))),
    account_id: id('Identifier of the account that owns the website.', 'accounts'),
    aliases: domainName(textList('Additional domain names of the website.')),
    status: required(
      word('Status of the website.', ['active', 'stopped', 'suspended', 'deploying', 'error']),
    ),
    runtime: word('Runtime that executes the website.', RUNTIMES),
    runtime_version: text('Version of the runtime, such as 8.3.'),
    web_server: text('Web server software that serves the website.'),
    document_root: text('Directory from which the web server serves the website.'),
    ip_addresses: ipAddress(textList('IP addresses of the website.')),
    ssl_enabled: flag('Whether HTTPS is enabled for the website.'),
    force_https: flag('Whether requests over HTTP are redirected to HTTPS.'),
    disk_used_bytes: bytes('Disk space that the website uses, in bytes.'),
    bandwidth_used_bytes: bytes('Traffic of the website in the current period of the panel, in bytes.'),
    system_user: filterable(text('Operating system user that runs the website.')),
    app: filterable(text('Application that is installed in the website; null if the panel knows of none.')),
    created_at: time('Time when the website was created.'),
    updated_at: time('Time when the website was last changed.'),
  },
});
