/** The reference. The texts about endpoints, parameters and fields are those of the OpenAPI document. */
export const referenceTexts = {
  'reference.title': 'Reference',
  'reference.lead':
    'Every endpoint answers `GET` requests with JSON. A request needs a token in the header `Authorization: Bearer …`. The endpoints whose data this panel does not provide are left out.',
  'reference.openapi': 'Download the OpenAPI document',
  'reference.index': 'Endpoints',
  'reference.token': 'Token for requests from this page',
  'reference.token.hint':
    'It holds for all endpoints. The page keeps it only in memory, sends it only to the API, and forgets it when you leave.',
  'reference.token.none': 'Requests need a token: {enter}.',
  'reference.token.none.link': 'enter one',
  'reference.token.set': 'Sent with your token. {change}',
  'reference.token.set.link': 'Change it',
  'reference.elsewhere':
    'Requests cannot be sent from this page, because the API has another address than the page.',
  'reference.send': 'Send',
  'reference.copy_curl': 'Copy as curl',
  'reference.copied': 'Copied',
  'reference.parameters': 'Parameters',
  'reference.ranges': { one: 'Range ({count} parameter)', other: 'Ranges ({count} parameters)' },
  'reference.fields': 'Fields',
  'reference.example': 'Example answer',
  'reference.name': 'Name',
  'reference.value': 'Value',
  'reference.type': 'Type',
  'reference.meaning': 'Meaning',
  'reference.values': 'Values: {values}',
  'reference.any': 'not set',
  'reference.another': 'Another value of {name}',
  // The script fills in the rest.
  'reference.sending': 'Waiting for the answer…',
  'reference.answer': '{status} in {time} ms, {size} bytes',
  'reference.cut': 'The answer is long. Only its beginning is shown.',
  'reference.unreachable': 'The API could not be reached from this page.',
} as const;
