/** The text of a request, as it is sent. */
function requestText(path, token) {
  return [
    `GET /api/v1/${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
    '\r\n',
  ].join('\r\n');
}

module.exports = { requestText };
