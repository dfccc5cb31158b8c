import { isRouteErrorResponse, Outlet } from 'react-router';

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }) {
  return isRouteErrorResponse(error) ? 'no page of the panel' : 'a failure of the panel';
}
