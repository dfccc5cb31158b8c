import { filterable, flag, id, integerId, required, text, time, word } from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';

export const domains = listOperation({
  name: 'domains',
  scope: 'domains.read',
  tag: 'Domains and websites',
  title: 'Domains',
  description: 'Every domain that the panel manages.',
  fields: {
    id: required(integerId('Identifier of the domain.')),
    domain: required(filterable(text('Domain name.'))),
    type: required(word('Kind of domain.', ['primary', 'addon', 'subdomain', 'alias'])),
    ssl_status: required(
      word('State of its certificate.', ['active', 'expiring', 'expired', 'pending', 'none']),
    ),
    status: required(word('State of the domain.', ['active', 'suspended', 'pending'])),
    account_id: id('The account that owns it.', 'accounts'),
    parent_id: id('The domain that it belongs to.', 'domains'),
    website_id: id('The website that it leads to.', 'websites'),
    dns_managed: flag("Whether its DNS zone is on the panel's name servers."),
    dnssec_enabled: flag('Whether its zone is signed.'),
    mail_enabled: flag('Whether the server takes mail for it.'),
    registration_expires_at: time('When its registration ends.'),
    created_at: time('When it was added.'),
    updated_at: time('When it was last changed.'),
  },
});
