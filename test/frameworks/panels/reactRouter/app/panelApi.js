// React Router calls one for what reads, and the other for what changes.
export const loader = ({ request }) => globalThis.panel.answerBehindProxy(request);
export const action = loader;
