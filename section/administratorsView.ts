import type { SectionRequest } from './SectionRequest';
import type { TokenView } from './TokenView';

/** An administrator sees all tokens and entries as they are. */
export function administratorsView({ api }: SectionRequest): TokenView {
  return {
    get: (id) => api.tokens.get(id),
    lineage: ({ id }) => api.tokens.lineage(id),
    entries: ({ id }, limit) => api.audit.list({ tokenId: id, limit }),
    seesUse: () => true,
    life: () => api.settings.tokenLife(),
    may: () => true,
  };
}
