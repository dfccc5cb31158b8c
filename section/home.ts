import type { PageHandler } from './Page';

/** Leads to the first page. */
export const home: PageHandler = async () => ({ goTo: 'tokens' });
