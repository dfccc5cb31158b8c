export function GET() {
  throw new Error();
}
