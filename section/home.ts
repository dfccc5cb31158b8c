import type { PageHandler } from './Page';

/** Leads to the first page. Without a slash at its end, the address of the section is a file in the folder above. */
export const home: PageHandler = async ({ ctx }) => {
  const [path = ''] = ctx.originalUrl.split('?');
  const last = path.slice(path.lastIndexOf('/') + 1);
  return { goTo: last === '' ? 'tokens' : `${last}/tokens` };
};
