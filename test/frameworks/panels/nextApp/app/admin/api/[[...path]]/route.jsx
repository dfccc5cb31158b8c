export { GET, GET as HEAD, GET as POST } from '../../../api/v1/[[...path]]/route';
