export function getServerSideProps({ res }) {
  res.end('a page of the panel');
  return { props: {} };
}

export default function Own() {
  return null;
}
