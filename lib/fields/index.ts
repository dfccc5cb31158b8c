export * from './Field';
export * from './scalars';
export { expiry, time } from './times';
