/** The body of one answer. */
async function ask({ label, ports: [port] }, path, token) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status !== 200) throw new Error(`${label} answered ${path} with ${response.status}.`);
  return response.json();
}

module.exports = { ask };
