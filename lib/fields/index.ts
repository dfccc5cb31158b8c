export * from './Field';
export * from './forms';
export * from './scalars';
export { expiry, time } from './times';
