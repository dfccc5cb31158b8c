export function loader() {
  throw new Error();
}

export default () => null;
