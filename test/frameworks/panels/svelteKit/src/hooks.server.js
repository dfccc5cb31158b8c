export async function handle({ event, resolve }) {
  const info = { address: event.getClientAddress(), state: event.locals };
  return (await globalThis.panel.answer(event.request, info)) ?? resolve(event);
}

export function handleError({ status }) {
  const { own } = globalThis.panel;
  return { message: status === 404 ? own.missing : own.failure };
}
