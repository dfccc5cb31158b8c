export default { preset: 'node-listener', compatibilityDate: '2026-11-01', errorHandler: './error.mjs' };
