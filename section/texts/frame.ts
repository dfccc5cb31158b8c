import { FORGEABLE_ADDRESS } from '../../lib/addresses/clientAddress';

/** What all pages of the section share: the frame, the notices, the words for times, and the reasons for a refusal. */
export const frameTexts = {
  'frame.title': '{page} - API - {panel}',
  'frame.skip': 'Skip to the content',
  'frame.signed_in': 'Signed in as {actor}',
  'frame.navigation': 'API',
  'frame.to_tokens': 'To all tokens',
  'frame.to_token': 'To the token',
  'nav.overview': 'Overview',
  'nav.tokens': 'Tokens',
  'nav.audit': 'Audit trail',
  'nav.settings': 'Settings',
  'nav.reference': 'Reference',
  'frame.times_utc': 'All times and days are UTC.',
  'frame.times_local': 'Times are in your time zone ({zone}). Days are UTC.',
  'time.never': 'never',
  'time.utc': '{time} UTC',
  'notice.off': 'The API is off: it answers 503 until you {link}.',
  'notice.off.link': 'switch it on',
  'notice.off_by_panel': 'The API is off: it answers 503 until the panel switches it on.',
  'notice.forgeable_address': FORGEABLE_ADDRESS,
  'failure.title': 'The request failed',
  'failure.forbidden': 'You are not allowed to administer the API.',
  'failure.cross_site': 'The form was not sent from the API section. Nothing was changed.',
  'failure.foreign_fetch': 'Another site asked for this page. Open it in a window of its own.',
  'failure.form_stale':
    'The form has expired or belongs to another administrator. Nothing was changed. Open the page again.',
  'failure.form_unreadable': 'The form cannot be read.',
  'failure.form_too_long': 'The form is too large.',
  'failure.not_found': 'This page does not exist.',
  'failure.unavailable': 'The database does not respond at the moment. Try again later.',
  'failure.token_unshown':
    'The database did not answer in time, so no new token could be shown. If one was created, it is being revoked. No other token was changed. See the list of tokens before you try again: if it has a new one that stays active, revoke it.',
  'failure.token_uncertain':
    'The database did not answer in time, so no new token could be shown. It is unknown whether one was created: if the list of tokens has one, revoke it. No other token was changed.',
  'failure.internal': 'An internal error occurred. The log of the server contains details.',
  // The module's own sentence about a wrong value of a form; a translation may replace it.
  'invalid.other': '{message}',
} as const;
