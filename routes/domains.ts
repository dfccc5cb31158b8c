import {
  domainName,
  expiry,
  filterable,
  flag,
  id,
  integerId,
  required,
  searchable,
  text,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/fields/Operation';

export const domains = listOperation({
  name: 'domains',
  tag: 'Domains and websites',
  title: 'Domains',
  item: 'Domain',
  description: 'Every domain that the panel manages.',
  fields: {
    id: required(integerId('Identifier of the domain.')),
    domain: required(searchable(filterable(domainName(text('Domain name.'))))),
    type: required(word('Type of the domain.', ['primary', 'addon', 'subdomain', 'alias', 'parked'])),
    ssl_status: required(
      word("Status of the domain's certificate.", ['active', 'expiring', 'expired', 'pending', 'none']),
    ),
    status: required(word('Status of the domain.', ['active', 'suspended', 'pending'])),
    account_id: id('Identifier of the account that owns the domain.', 'accounts'),
    parent_id: id('Identifier of the parent domain; null if there is none.', 'domains'),
    website_id: id('Identifier of the website that the domain points to; null if there is none.', 'websites'),
    dns_managed: flag("Whether the panel's name servers host the DNS zone of the domain."),
    dnssec_enabled: flag('Whether the DNS zone of the domain is signed with DNSSEC.'),
    mail_enabled: flag('Whether the server accepts email for the domain.'),
    registration_expires_at: expiry('Time when the registration of the domain expires.'),
    created_at: time('Time when the domain was added to the panel.'),
    updated_at: time('Time when the domain was last changed.'),
  },
});
