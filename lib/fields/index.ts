export * from './Field';
export * from './scalars';
export { time } from './times';
