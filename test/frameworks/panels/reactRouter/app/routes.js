import { index, route } from '@react-router/dev/routes';

export default [
  index('./missing.js'),
  route('api/v1/*', './panelApi.js'),
  route('admin/api/*', './panelApi.js', { id: 'section' }),
  route('own', './own.js'),
  route('fails', './fails.js'),
];
