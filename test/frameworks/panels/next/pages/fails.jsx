export function getServerSideProps() {
  throw new Error();
}

export default function Fails() {
  return null;
}
