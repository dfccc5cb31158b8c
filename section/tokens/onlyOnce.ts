import { AlreadyMade } from '../../lib/tokens/AlreadyMade';
import { SectionFailure } from '../SectionFailure';

/** Makes a token by a form, unless it was made by this form before: a page that is loaded again sends its form again. */
export async function onlyOnce<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof AlreadyMade) throw new SectionFailure('form_sent');
    throw error;
  }
}
