import clients from './clients.json';

/**
 * What an administrator pastes into each client that sends a static header: lines for a file, or a command if there is
 * none. None contains a token: it is in the variable PANEL_TOKEN.
 */
export function clientLines(url: string) {
  return clients.map(({ lines, ...client }) => {
    const text = typeof lines === 'string' ? lines : JSON.stringify(lines, null, 2);
    return { ...client, lines: text.replaceAll('{url}', url) };
  });
}
