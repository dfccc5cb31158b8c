import { type ApiRequest, type RequestListener, RequestsUnderWay } from '../../../lib/requests/ApiRequest';

const ARRIVAL = {} as ApiRequest['arrival'];
const SENT = { status: 200, aborted: false, bytes: 0 };

const fault = new Error('fault');
const throwing: RequestListener = () => {
  throw fault;
};
const rejecting: RequestListener = async () => {
  throw fault;
};

test.each([
  ['throws', throwing],
  ['rejects', rejecting],
])('a listener that %s affects neither the request nor the listeners after it', async (_how, listener) => {
  const told: unknown[] = [];
  const failures: unknown[] = [];
  const next: RequestListener = (_request, delivery) => {
    told.push(delivery);
  };
  const requests = new RequestsUnderWay([listener, next], (error) => failures.push(error));
  requests.open(ARRIVAL, null).finish(SENT);
  await new Promise(setImmediate);
  expect({ told, failures, count: requests.count() }).toEqual({ told: [SENT], failures: [fault], count: 0 });
});

test('a request that is finished twice is passed on and counted once', () => {
  const told: unknown[] = [];
  const listener: RequestListener = (_request, delivery) => {
    told.push(delivery);
  };
  const requests = new RequestsUnderWay([listener], () => undefined);
  const request = requests.open(ARRIVAL, null);
  request.finish(SENT);
  request.finish({ ...SENT, status: 500 });
  expect({ told, count: requests.count() }).toEqual({ told: [SENT], count: 0 });
});
